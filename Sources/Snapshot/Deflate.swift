import CZlib

/// Compresses bytes piece by piece into one gzip member (RFC 1952) without a time and a file name.
struct GzipMember: ~Copyable {
    private(set) var packed: [UInt8] = []
    // zlib's internal state has a pointer to this structure, so the structure must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter level: 0 stores the bytes unchanged, 9 compresses best.
    init(level: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window, plus 16 for a gzip header, which zlib fills with zeros (zlib.h, deflateInit2).
        let outcome = deflateInit2_(
            stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(outcome == Z_OK, "zlib is out of memory")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    mutating func add(_ bytes: [UInt8], _ flush: Int32 = Z_NO_FLUSH) {
        bytes.withUnsafeBufferPointer { input in
            // zlib only reads the input, although the type of the pointer is mutable.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = uInt(input.count)
            // At level 0 the compressed bytes depend on the size of this buffer.
            let room = max(512, input.count + input.count / 1_000 + 64)
            repeat {
                packed += [UInt8](unsafeUninitializedCapacity: room) { output, count in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = uInt(room)
                    let outcome = deflate(stream, flush)
                    precondition(outcome != Z_STREAM_ERROR, "zlib has lost its state")
                    count = room - Int(stream.pointee.avail_out)
                }
            } while stream.pointee.avail_out == 0
            stream.pointee.next_in = nil
        }
    }

    /// Returns the compressed bytes since the last call, and removes them from the member.
    mutating func removePacked() -> [UInt8] {
        defer { packed = [] }
        return packed
    }

    mutating func finish() -> [UInt8] {
        add([], Z_FINISH)
        return removePacked()
    }
}

/// The checksum of a file in a zip, computed piece by piece.
struct CRC32 {
    private(set) var value: UInt32 = 0

    mutating func update(_ bytes: [UInt8]) {
        value = UInt32(bytes.withUnsafeBufferPointer { crc32_z(uLong(value), $0.baseAddress, $0.count) })
    }
}
