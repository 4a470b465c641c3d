import CZlib

/// Packs bytes piece by piece into one gzip member (RFC 1952) that tells no time and no name.
struct GzipMember: ~Copyable {
    // zlib's own state points back at this one, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter level: 0 keeps the bytes as they are, 9 packs best.
    init(level: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window, and 16 for a gzip header, which zlib fills with zeros (zlib.h, deflateInit2).
        let outcome = deflateInit2_(
            stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(outcome == Z_OK, "zlib is out of memory")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Takes bytes, and adds to `packed` what is ready.
    mutating func add(_ bytes: [UInt8], to packed: inout [UInt8]) {
        run(bytes, Z_NO_FLUSH, &packed)
    }

    /// Adds what is left.
    mutating func finish(to packed: inout [UInt8]) {
        run([], Z_FINISH, &packed)
    }

    private mutating func run(_ bytes: [UInt8], _ flush: Int32, _ packed: inout [UInt8]) {
        bytes.withUnsafeBufferPointer { input in
            // zlib reads from it only, though its type says otherwise.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = uInt(input.count)
            let room = max(512, input.count + input.count / 1_000 + 64)
            while true {
                var outcome = Z_OK
                let piece = [UInt8](unsafeUninitializedCapacity: room) { output, count in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = uInt(room)
                    outcome = deflate(stream, flush)
                    count = room - Int(stream.pointee.avail_out)
                }
                packed += piece
                precondition(outcome != Z_STREAM_ERROR, "zlib has lost its state")
                let isDone =
                    flush == Z_FINISH ? outcome == Z_STREAM_END : stream.pointee.avail_in == 0 && piece.count < room
                if isDone { break }
            }
            stream.pointee.next_in = nil
        }
    }
}

/// The checksum that zip keeps of each file, made piece by piece.
struct CRC32 {
    private(set) var value: UInt32 = 0

    mutating func update(_ bytes: [UInt8]) {
        value = UInt32(bytes.withUnsafeBufferPointer { crc32_z(uLong(value), $0.baseAddress, $0.count) })
    }
}
