import CZlib
import Glibc

/// Writes a picture as PNG with a palette (PNG specification, third edition).
enum PNGWriter {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// - Parameter pixels: 0xRRGGBB, row by row. The first 256 colours make the palette; others become the nearest of
    ///   them.
    static func encode(_ pixels: [UInt32], width: Int, height: Int) -> [UInt8] {
        let (rows, palette) = indexed(pixels, width: width, height: height)
        var header: [UInt8] = []
        append(UInt32(width), to: &header)
        append(UInt32(height), to: &header)
        // Eight bits a pixel, by palette, deflate, filters by row, not interlaced.
        header += [8, 3, 0, 0, 0]

        var file = signature
        chunk("IHDR", header, to: &file)
        chunk("PLTE", palette.flatMap { [UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)] }, to: &file)
        chunk("IDAT", deflated(rows), to: &file)
        chunk("IEND", [], to: &file)
        return file
    }
}

extension PNGWriter {
    /// - Returns: each row as filter 0 and a byte a pixel; the colours by index.
    private static func indexed(_ pixels: [UInt32], width: Int, height: Int) -> (rows: [UInt8], palette: [UInt32]) {
        var indices: [UInt32: UInt8] = [:]
        var palette: [UInt32] = []
        var rows = [UInt8](repeating: 0, count: (width + 1) * height)

        // Edges are the few, so that most pixels are like the one before.
        pixels.withUnsafeBufferPointer { pixels in
            for row in 0..<height {
                var place = row * width
                let end = place + width
                while place < end {
                    let length = alike(pixels, from: place, before: end)
                    let pixel = pixels[place]
                    let index: UInt8
                    if let known = indices[pixel] {
                        index = known
                    } else if palette.count < 256 {
                        index = UInt8(palette.count)
                        palette.append(pixel)
                    } else {
                        index = nearest(pixel, palette)
                    }
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

    /// How many pixels are like the one at a place, itself included: at least so many, found in blocks.
    private static func alike(_ pixels: UnsafeBufferPointer<UInt32>, from start: Int, before end: Int) -> Int {
        guard let base = pixels.baseAddress else { return 0 }
        var count = 1
        // A block that equals itself one pixel before continues the colour.
        while start + count + 16 <= end, memcmp(base + start + count, base + start + count - 1, 64) == 0 { count += 16 }
        return count
    }

    private static func nearest(_ pixel: UInt32, _ palette: [UInt32]) -> UInt8 {
        func distance(_ other: UInt32) -> Int {
            [16, 8, 0].reduce(0) { sum, shift in
                let difference = Int(pixel >> shift & 255) - Int(other >> shift & 255)
                return sum + difference * difference
            }
        }
        var (best, least) = (0, Int.max)
        for (index, colour) in palette.enumerated() {
            let found = distance(colour)
            if found < least { (best, least) = (index, found) }
        }
        return UInt8(best)
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        // compressBound promises room enough, so that Z_OK is the only outcome but for a lack of memory.
        let outcome = compress2(&packed, &length, bytes, uLong(bytes.count), 6)
        precondition(outcome == Z_OK, "zlib is out of memory")
        return Array(packed.prefix(Int(length)))
    }

    private static func chunk(_ name: StaticString, _ data: [UInt8], to file: inout [UInt8]) {
        append(UInt32(data.count), to: &file)
        let start = file.count
        name.withUTF8Buffer { file.append(contentsOf: $0) }
        file += data
        let checksum = file[start...].withUnsafeBufferPointer { crc32(0, $0.baseAddress, uInt($0.count)) }
        append(UInt32(checksum), to: &file)
    }

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(value >> shift & 255)) }
    }
}
