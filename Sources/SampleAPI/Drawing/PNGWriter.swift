import CZlib

/// Writes a picture as PNG with a palette (PNG specification, third edition).
enum PNGWriter {
    /// - Parameter pixels: 0xRRGGBB, row by row. The first 256 colours make the palette; others become the nearest of
    ///   them.
    static func encode(_ pixels: [UInt32], width: Int, height: Int) -> [UInt8] {
        let (rows, palette) = indexed(pixels, width: width, height: height)
        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        // Eight bits a pixel, by palette, deflate, filters by row, not interlaced.
        chunk("IHDR", bytes(UInt32(width)) + bytes(UInt32(height)) + [8, 3, 0, 0, 0], to: &file)
        chunk("PLTE", palette.flatMap { bytes($0).dropFirst() }, to: &file)
        chunk("IDAT", deflated(rows), to: &file)
        chunk("IEND", [], to: &file)
        return file
    }

    /// - Returns: each row as filter 0 and a byte a pixel; the colours by index.
    private static func indexed(_ pixels: [UInt32], width: Int, height: Int) -> (rows: [UInt8], palette: [UInt32]) {
        var indices: [UInt32: UInt8] = [:]
        var palette: [UInt32] = []
        var rows = [UInt8](repeating: 0, count: (width + 1) * height)

        // Edges are the few, so that most pixels are like the one before.
        pixels.withUnsafeBufferPointer { pixels in
            for row in 0..<height {
                var place = row * width
                while place < (row + 1) * width {
                    let length = alike(pixels.baseAddress, from: place, before: (row + 1) * width)
                    let pixel = pixels[place]
                    let index = indices[pixel] ?? (palette.count < 256 ? UInt8(palette.count) : nearest(pixel, palette))
                    if index == palette.count { palette.append(pixel) }
                    indices[pixel] = index
                    // Each row begins with its filter, which is 0.
                    let target = place + row + 1
                    rows.withUnsafeMutableBufferPointer { $0[target..<(target + length)].update(repeating: index) }
                    place += length
                }
            }
        }
        return (rows, palette)
    }

    private static func nearest(_ pixel: UInt32, _ palette: [UInt32]) -> UInt8 {
        let distances = palette.map { other in
            ([16, 8, 0] as [UInt32]).reduce(0) { sum, shift in
                let difference = Int(pixel >> shift & 255) - Int(other >> shift & 255)
                return sum + difference * difference
            }
        }
        return UInt8(distances.min().flatMap(distances.firstIndex) ?? 0)
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        // compressBound promises room enough, so that Z_OK is the only outcome but for a lack of memory.
        let outcome = compress2(&packed, &length, bytes, uLong(bytes.count), 6)
        precondition(outcome == Z_OK, "zlib is out of memory")
        return Array(packed.prefix(Int(length)))
    }

    private static func chunk(_ name: String, _ data: [UInt8], to file: inout [UInt8]) {
        let named = name.utf8 + data
        file += bytes(UInt32(data.count)) + named + bytes(UInt32(crc32(0, named, uInt(named.count))))
    }

    /// Four bytes, the highest first.
    private static func bytes(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
