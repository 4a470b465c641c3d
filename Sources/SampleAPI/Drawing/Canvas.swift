import CZlib
import Glibc

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
    var mask: [UInt8]?

    private var area: [Float]
    private let scale: Point

    init(width: Int, height: Int, background: Colour, drawingHeight: Double) {
        self.width = width
        self.height = height
        pixels = Array(repeating: background.hex, count: width * height)
        area = Array(repeating: 0, count: (width + 3) * height)
        scale = Point(Double(width) / 300, Double(height) / drawingHeight)
    }

    mutating func fill(_ shape: [Point], _ colour: Colour, alpha: Double) {
        let channels = SIMD3<Float>(colour.channels)
        let solid = colour.hex
        let mask = mask
        cover(shape) { pixels, run, sixths in
            if mask == nil && sixths == 6 && alpha == 1 {
                pixels[run].update(repeating: solid)
                return
            }
            for index in run {
                let sixths = mask.map { sixths * Int($0[index]) / 6 } ?? sixths
                let share = Float(sixths) / 6 * Float(alpha)
                let old = pixels[index]
                func blend(_ new: Float, _ shift: UInt32) -> UInt32 {
                    let below = Float(old >> shift & 255)
                    return UInt32(below + (new - below) * share + 0.5) << shift
                }
                pixels[index] = blend(channels.x, 16) | blend(channels.y, 8) | blend(channels.z, 0)
            }
        }
    }

    /// The coverage of a shape, for `mask`.
    mutating func coverage(of shape: [Point]) -> [UInt8] {
        var coverage = [UInt8](repeating: 0, count: width * height)
        cover(shape) { _, run, sixths in for index in run { coverage[index] = UInt8(sixths) } }
        return coverage
    }

    /// Calls `paint` for each run of pixels with equal coverage of at least one sixth.
    ///
    /// It sums signed areas along each row, like font rasterisers (Levien, "Inside the fastest font renderer").
    private mutating func cover(
        _ shape: [Point], _ paint: (UnsafeMutableBufferPointer<UInt32>, Range<Int>, Int) -> Void
    ) {
        guard let last = shape.last else { return }
        let (width, height, stride, scale) = (width, height, width + 3, scale)
        let limit = Point(Double(width), Double(height - 1))
        var (low, high) = (Point(Double(width), Double(height)), Point(0, 0))

        area.withUnsafeMutableBufferPointer { area in
            var from = last * scale
            for point in shape {
                let to = point * scale
                low = pointwiseMin(low, pointwiseMax(to, .zero))
                high = pointwiseMax(high, pointwiseMin(pointwiseMax(to, .zero), limit))
                Self.add(from, to, width: width, height: height, to: area)
                from = to
            }
            let (top, bottom, leftmost) = (Int(low.y), Int(high.y), Int(low.x))
            guard top <= bottom, top < height else { return }
            let end = min(Int(high.x) + 2, width + 2)

            pixels.withUnsafeMutableBufferPointer { pixels in
                for row in top...bottom {
                    var sum: Float = 0
                    var column = leftmost
                    while column <= end {
                        let index = row * stride + column
                        sum += area[index]
                        area[index] = 0
                        guard column < width else { break }
                        // Inside a shape all differences are zero, so the coverage stays equal.
                        let rest = min(end, width - 1) - column
                        let zeros =
                            rest > 0 && area[index + 1] == 0
                            ? runLength(area.baseAddress, from: index + 1, before: index + 1 + rest) : 0
                        let next = column + 1 + zeros
                        let sixths = Int(min(abs(sum), 1) * 6 + 0.5)
                        if sixths > 0 { paint(pixels, (row * width + column)..<(row * width + next), sixths) }
                        column = next
                    }
                    // Clear the columns beyond the right edge.
                    for column in width..<stride { area[row * stride + column] = 0 }
                }
            }
        }
    }

    private static func add(
        _ one: Point, _ two: Point, width: Int, height: Int, to area: UnsafeMutableBufferPointer<Float>
    ) {
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
                area[row * (width + 3) + column] += Float(part * (1 - middle))
                area[row * (width + 3) + column + 1] += Float(part * middle)
            }
        }
    }
}

/// The length of the run of equal 4-byte values from an index. It can be too short, because blocks of values are
/// compared.
func runLength(_ values: UnsafeRawPointer?, from start: Int, before end: Int) -> Int {
    guard let first = values?.advanced(by: start * 4) else { return 0 }
    var count = 1
    // If 16 values equal the 16 values that begin one index earlier, all of them belong to the run.
    while start + count + 16 <= end, memcmp(first + count * 4, first + count * 4 - 4, 64) == 0 { count += 16 }
    return count
}

/// Writes PNG files with a palette (PNG specification, third edition).
enum PNGWriter {
    /// - Parameter pixels: 0xRRGGBB, row by row. The first 256 colours are the palette. Other colours are replaced by
    ///   the nearest one.
    static func encode(_ pixels: [UInt32], width: Int, height: Int) -> [UInt8] {
        let (rows, palette) = indexed(pixels, width: width, height: height)
        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        // 8 bits per pixel, palette, deflate, a filter for each row, not interlaced.
        chunk("IHDR", bytes(UInt32(width)) + bytes(UInt32(height)) + [8, 3, 0, 0, 0], to: &file)
        chunk("PLTE", palette.flatMap { bytes($0).dropFirst() }, to: &file)
        chunk("IDAT", deflated(rows), to: &file)
        chunk("IEND", [], to: &file)
        return file
    }

    /// - Returns: the rows, each with filter type 0 and a palette index for each pixel; and the palette.
    private static func indexed(_ pixels: [UInt32], width: Int, height: Int) -> (rows: [UInt8], palette: [UInt32]) {
        var indices: [UInt32: UInt8] = [:]
        var palette: [UInt32] = []
        var rows = [UInt8](repeating: 0, count: (width + 1) * height)

        // Most pixels are equal to the pixel before, so runs are handled together.
        pixels.withUnsafeBufferPointer { pixels in
            for row in 0..<height {
                var position = row * width
                while position < (row + 1) * width {
                    let length = runLength(pixels.baseAddress, from: position, before: (row + 1) * width)
                    let pixel = pixels[position]
                    let index = indices[pixel] ?? (palette.count < 256 ? UInt8(palette.count) : nearest(pixel, palette))
                    if index == palette.count { palette.append(pixel) }
                    indices[pixel] = index
                    // Each row begins with its filter type, which is 0.
                    let target = position + row + 1
                    rows.withUnsafeMutableBufferPointer { $0[target..<(target + length)].update(repeating: index) }
                    position += length
                }
            }
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
