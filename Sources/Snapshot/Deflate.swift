import CZlib

/// Compresses bytes into a gzip member (RFC 1952) without a time and a file name.
/// - Parameter level: 0 stores the bytes unchanged, 9 compresses best.
func gzip(_ bytes: [UInt8], level: Int32) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: z_stream.self, capacity: 1) { streams in
        // zlib's internal state has a pointer to the stream, so the stream must not move.
        let stream = streams.baseAddress.unsafelyUnwrapped
        stream.initialize(to: z_stream())
        // 15 bits of window, plus 16 for a gzip header, which zlib fills with zeros (zlib.h, deflateInit2).
        let outcome = deflateInit2_(
            stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(outcome == Z_OK, "zlib is out of memory")
        defer { deflateEnd(stream) }
        let room = Int(deflateBound(stream, uLong(bytes.count)))
        return bytes.withUnsafeBufferPointer { input in
            // zlib only reads the input, although the type of the pointer is mutable.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = uInt(input.count)
            return [UInt8](unsafeUninitializedCapacity: room) { output, count in
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = uInt(room)
                precondition(deflate(stream, Z_FINISH) == Z_STREAM_END, "zlib has lost its state")
                count = room - Int(stream.pointee.avail_out)
            }
        }
    }
}

/// The CRC-32 of bytes that continue earlier ones.
func checksum(_ bytes: [UInt8], after earlier: UInt32 = 0) -> UInt32 {
    UInt32(bytes.withUnsafeBufferPointer { crc32_z(uLong(earlier), $0.baseAddress, $0.count) })
}
