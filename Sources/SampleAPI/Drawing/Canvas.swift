import CZlib

typealias Point = SIMD2<Double>

/// A bitmap on which shapes are painted with smooth edges. Coordinates do not depend on the size in pixels: x goes from
/// 0 to 300, y from 0 at the top to `drawingHeight`. The coverage of a pixel is rounded to sixths, to save colours.
struct Canvas {
    private let width: Int
    private let height: Int
    private var pixels: [Colour]
    /// Limits painting: the coverage of each pixel in sixths. nil for no limit.
    private var mask: [UInt8]?
    private let scale: Point

    init(width: Int, height: Int, background: Colour, drawingHeight: Double) {
        self.width = width
        self.height = height
        pixels = Array(repeating: background, count: width * height)
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
                    pixels[pixel] = colour
                } else {
                    let below = SIMD3<Float>(pixels[pixel].channels)
                    let share = Float(sixths) / 6 * Float(alpha)
                    pixels[pixel] = Colour(SIMD3(below + (channels - below) * share + 0.5))
                }
            }
        }
    }

    /// Limits painting to a shape; nil removes the limit.
    mutating func limit(to shape: [Point]?) {
        mask = shape.map { shape in
            let (range, _, coverage) = coverage(of: shape)
            var mask = [UInt8](repeating: 0, count: width * height)
            mask.replaceSubrange(range, with: coverage)
            return mask
        }
    }

    /// The coverage of the pixels by a shape in sixths, for a range of complete rows. It is 0 outside the columns.
    /// It sums signed areas along each row, like font rasterisers (Levien, "Inside the fastest font renderer").
    private func coverage(of shape: [Point]) -> (pixels: Range<Int>, columns: Range<Int>, sixths: [UInt8]) {
        let corners = shape.map { $0 * scale }
        guard var from = corners.last else { return (0..<0, 0..<0, []) }
        let size = Point(Double(width), Double(height))
        let low = corners.reduce(from, pointwiseMin).clamped(lowerBound: .zero, upperBound: size)
        let high = corners.reduce(from, pointwiseMax).clamped(lowerBound: .zero, upperBound: size)
        let rows = Int(low.y)..<min(Int(high.y) + 1, height)
        let columns = Int(low.x)..<min(Int(high.x) + 2, width)
        // Only the columns of the shape, and one more on each side. Rounding can move the end of a line there.
        let first = columns.lowerBound - 1
        let stride = Int(high.x) + 3 - first
        var area = [Float](repeating: 0, count: stride * rows.count)
        for to in corners {
            add(from, to, to: &area, stride: stride, origin: rows.lowerBound * stride + first)
            from = to
        }
        var sixths = [UInt8](repeating: 0, count: width * rows.count)
        for row in 0..<rows.count {
            var sum: Float = 0
            for column in columns {
                sum += area[row * stride + column - first]
                sixths[row * width + column] = UInt8(min(abs(sum), 1) * 6 + 0.5)
            }
        }
        return ((rows.lowerBound * width)..<(rows.upperBound * width), columns, sixths)
    }

    /// Adds the differences of a line.
    /// - Parameter origin: the index of the first difference, for pixels that are counted with `stride` from 0.
    private func add(_ one: Point, _ two: Point, to area: inout [Float], stride: Int, origin: Int) {
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
            // For each pixel of the row that the line crosses, stores the change of the area to the right of the line.
            for column in first...last {
                let (a, b) = (max(low, Double(column)), min(high, Double(column + 1)))
                let part = first == last ? rise : rise * (b - a) / (high - low)
                let middle = (a + b) / 2 - Double(column)
                let index = row * stride + column - origin
                area[index] += Float(part * (1 - middle))
                area[index + 1] += Float(part * middle)
            }
        }
    }
}

/// PNG files with a palette (PNG specification, third edition).
extension Canvas {
    var png: [UInt8] {
        let (rows, palette) = indexed
        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        func add(_ name: String, _ data: [UInt8]) {
            let named = name.utf8 + data
            file += bytes(UInt32(data.count)) + named + bytes(UInt32(crc32(0, named, uInt(named.count))))
        }
        // 8 bits per pixel, palette, deflate, a filter for each row, not interlaced.
        add("IHDR", bytes(UInt32(width)) + bytes(UInt32(height)) + [8, 3, 0, 0, 0])
        add("PLTE", palette.flatMap { bytes($0.hex).dropFirst() })
        add("IDAT", Self.deflated(rows))
        add("IEND", [])
        return file
    }

    /// The rows, each with filter type 0 and a palette index for each pixel; and the palette. The first 256 colours are
    /// the palette. Other colours are replaced by the nearest one.
    private var indexed: (rows: [UInt8], palette: [Colour]) {
        var (indices, palette, rows) = ([Colour: UInt8](), [Colour](), [UInt8]())
        // Most pixels are equal to the pixel before.
        var (last, index): (Colour?, UInt8) = (nil, 0)
        for (position, pixel) in pixels.enumerated() {
            if position % width == 0 { rows.append(0) }
            if pixel != last {
                last = pixel
                if let known = indices[pixel] {
                    index = known
                } else {
                    index = palette.count < 256 ? UInt8(palette.count) : Self.nearest(pixel, palette)
                    if palette.count < 256 { palette.append(pixel) }
                    indices[pixel] = index
                }
            }
            rows.append(index)
        }
        return (rows, palette)
    }

    private static func nearest(_ colour: Colour, _ palette: [Colour]) -> UInt8 {
        let distances = palette.map { other in
            let difference = other.channels - colour.channels
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
}

/// The value in big-endian order.
private func bytes(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
