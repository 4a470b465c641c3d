import CZlib

typealias Point = SIMD2<Double>

/// A bitmap on which shapes are painted with smooth edges.
///
/// Coordinates do not depend on the size in pixels: x goes from 0 to 300, and y goes from 0 at the top to
/// `drawingHeight`. The coverage of a pixel is rounded to sixths, so that the picture has few colours and fits a
/// palette.
struct Canvas {
    let width: Int
    let height: Int
    private(set) var pixels: [UInt32]
    /// Limits painting: the coverage of each pixel in sixths. nil for no limit.
    private var mask: [UInt8]?
    private let scale: Point

    init(width: Int, height: Int, background: Colour, drawingHeight: Double) {
        self.width = width
        self.height = height
        pixels = Array(repeating: background.hex, count: width * height)
        scale = Point(Double(width) / 300, Double(height) / drawingHeight)
    }

    mutating func fill(_ shape: [Point], _ colour: Colour, alpha: Double) {
        let channels = SIMD3<Float>(colour.channels)
        let (range, columns, coverage) = coverage(of: shape)
        for row in stride(from: range.lowerBound, to: range.upperBound, by: width) {
            for pixel in (row + columns.lowerBound)..<(row + columns.upperBound) {
                let whole = coverage[pixel - range.lowerBound]
                guard whole > 0 else { continue }
                let sixths = mask.map { whole * $0[pixel] / 6 } ?? whole
                if sixths == 6, alpha == 1 {
                    pixels[pixel] = colour.hex
                } else {
                    let below = SIMD3<Float>(Colour(integerLiteral: pixels[pixel]).channels)
                    let share = Float(sixths) / 6 * Float(alpha)
                    pixels[pixel] = Colour(SIMD3(below + (channels - below) * share + 0.5)).hex
                }
            }
        }
    }

    /// Limits painting to a shape; nil removes the limit.
    mutating func limit(to shape: [Point]?) {
        guard let shape else {
            mask = nil
            return
        }
        let (range, _, coverage) = coverage(of: shape)
        mask = Array(repeating: 0, count: width * height)
        mask?.replaceSubrange(range, with: coverage)
    }

    /// The coverage of the pixels by a shape in sixths, for a range of complete rows. It is 0 outside the columns.
    ///
    /// It sums signed areas along each row, like font rasterisers (Levien, "Inside the fastest font renderer").
    private func coverage(of shape: [Point]) -> (pixels: Range<Int>, columns: Range<Int>, sixths: [UInt8]) {
        let corners = shape.map { $0 * scale }
        let rows = corners.map { Int(min(max($0.y, 0), Double(height))) }
        let columns = corners.map { Int(min(max($0.x, 0), Double(width))) }
        guard var from = corners.last, let top = rows.min(), let last = rows.max(), let left = columns.min(),
            let right = columns.max()
        else { return (0..<0, 0..<0, []) }
        let bottom = min(last + 1, height)
        let used = left..<min(right + 2, width)
        // A line can store a difference one pixel beyond the right edge.
        let stride = width + 2
        var area = [Float](repeating: 0, count: stride * (bottom - top))
        for to in corners {
            add(from, to, to: &area, top: top)
            from = to
        }
        var sixths = [UInt8](repeating: 0, count: width * (bottom - top))
        for row in 0..<(bottom - top) {
            var sum: Float = 0
            for column in used {
                sum += area[row * stride + column]
                sixths[row * width + column] = UInt8(min(abs(sum), 1) * 6 + 0.5)
            }
        }
        return ((top * width)..<(bottom * width), used, sixths)
    }

    /// Adds the differences of a line to the rows from `top` on.
    private func add(_ one: Point, _ two: Point, to area: inout [Float], top: Int) {
        guard one.y != two.y else { return }
        let direction: Double = one.y < two.y ? 1 : -1
        let (upper, lower) = one.y < two.y ? (one, two) : (two, one)
        guard lower.y > 0, upper.y < Double(height) else { return }
        let slope = (lower.x - upper.x) / (lower.y - upper.y)

        for row in Int(max(upper.y, 0))..<min(height, Int(lower.y.rounded(.up))) {
            let start = max(Double(row), upper.y)
            let end = min(Double(row + 1), lower.y)
            let x0 = min(max(upper.x + (start - upper.y) * slope, 0), Double(width))
            let x1 = min(max(upper.x + (end - upper.y) * slope, 0), Double(width))
            let rise = (end - start) * direction
            let (low, high) = (min(x0, x1), max(x0, x1))
            let (first, last) = (Int(low), Int(high))
            // A line can cross several pixels of the row. In each of them, the area to the right of the line is
            // stored, as a difference from the previous pixel.
            for column in first...last {
                let (a, b) = (max(low, Double(column)), min(high, Double(column + 1)))
                let part = first == last ? rise : rise * (b - a) / (high - low)
                let middle = (a + b) / 2 - Double(column)
                let index = (row - top) * (width + 2) + column
                area[index] += Float(part * (1 - middle))
                area[index + 1] += Float(part * middle)
            }
        }
    }
}

/// Writes PNG files with a palette (PNG specification, third edition).
enum PNGWriter {
    /// - Parameter pixels: 0xRRGGBB, row by row. The first 256 colours are the palette. Other colours are replaced by
    ///   the nearest one.
    static func encode(_ pixels: [UInt32], width: Int, height: Int) -> [UInt8] {
        let (rows, palette) = indexed(pixels, width: width)
        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        // 8 bits per pixel, palette, deflate, a filter for each row, not interlaced.
        chunk("IHDR", bytes(UInt32(width)) + bytes(UInt32(height)) + [8, 3, 0, 0, 0], to: &file)
        chunk("PLTE", palette.flatMap { bytes($0).dropFirst() }, to: &file)
        chunk("IDAT", deflated(rows), to: &file)
        chunk("IEND", [], to: &file)
        return file
    }

    /// - Returns: the rows, each with filter type 0 and a palette index for each pixel; and the palette.
    private static func indexed(_ pixels: [UInt32], width: Int) -> (rows: [UInt8], palette: [UInt32]) {
        var indices: [UInt32: UInt8] = [:]
        var palette: [UInt32] = []
        func index(of pixel: UInt32) -> UInt8 {
            if let known = indices[pixel] { return known }
            if palette.count < 256 { palette.append(pixel) }
            let index = palette.last == pixel ? UInt8(palette.count - 1) : nearest(pixel, palette)
            indices[pixel] = index
            return index
        }

        var rows: [UInt8] = []
        // Most pixels are equal to the pixel before.
        var last: (pixel: UInt32, index: UInt8)?
        for (position, pixel) in pixels.enumerated() {
            // Each row begins with its filter type, which is 0.
            if position % width == 0 { rows.append(0) }
            let index = last?.pixel == pixel ? last?.index ?? 0 : index(of: pixel)
            last = (pixel, index)
            rows.append(index)
        }
        return (rows, palette)
    }

    private static func nearest(_ pixel: UInt32, _ palette: [UInt32]) -> UInt8 {
        let channels = Colour(integerLiteral: pixel).channels
        let distances = palette.map { other in
            let difference = Colour(integerLiteral: other).channels - channels
            return (difference * difference).sum()
        }
        return UInt8(distances.min().flatMap(distances.firstIndex) ?? 0)
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        // compressBound returns a sufficient size, so compress2 fails only without memory.
        let outcome = compress2(&packed, &length, bytes, uLong(bytes.count), 6)
        precondition(outcome == Z_OK, "zlib is out of memory")
        return Array(packed.prefix(Int(length)))
    }

    private static func chunk(_ name: String, _ data: [UInt8], to file: inout [UInt8]) {
        let named = name.utf8 + data
        file += bytes(UInt32(data.count)) + named + bytes(UInt32(crc32(0, named, uInt(named.count))))
    }

    /// The value in big-endian order.
    private static func bytes(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
