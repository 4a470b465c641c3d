import Glibc

typealias Point = SIMD2<Double>

/// A picture that shapes are painted on, with smooth edges.
///
/// Coordinates go from 0 to 300, whatever the size in pixels, and downwards to its height. A pixel at an edge is
/// covered in sixths, so that few colours come about and the picture fits a palette.
struct Canvas {
    let width: Int
    let height: Int
    private(set) var pixels: [UInt32]
    /// Where shapes are painted: coverage in sixths, pixel by pixel; nil for everywhere.
    var mask: [UInt8]?

    private var area: [Float]
    private let scale: Point

    init(width: Int, height: Int, background: Colour, tall: Double) {
        self.width = width
        self.height = height
        pixels = Array(repeating: background.hex, count: width * height)
        area = Array(repeating: 0, count: (width + 3) * height)
        scale = Point(Double(width) / 300, Double(height) / tall)
    }

    mutating func fill(_ shape: [Point], _ colour: Colour, alpha: Double) {
        let channels = colour.channels.map(Float.init)
        let (red, green, blue) = (channels[0], channels[1], channels[2])
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
                pixels[index] = blend(red, 16) | blend(green, 8) | blend(blue, 0)
            }
        }
    }

    /// What a shape covers, as a mask.
    mutating func coverage(of shape: [Point]) -> [UInt8] {
        var coverage = [UInt8](repeating: 0, count: width * height)
        cover(shape) { _, run, sixths in for index in run { coverage[index] = UInt8(sixths) } }
        return coverage
    }

    /// Calls with every run of pixels that a shape covers alike, at least a sixth of each.
    ///
    /// Signed areas are added up along each row, as font rasterisers do (Levien, "Inside the fastest font renderer").
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
                        let place = row * stride + column
                        sum += area[place]
                        area[place] = 0
                        guard column < width else { break }
                        // Inside a shape all areas are zero.
                        let rest = min(end, width - 1) - column
                        let zeros =
                            rest > 0 && area[place + 1] == 0
                            ? alike(area.baseAddress, from: place + 1, before: place + 1 + rest) : 0
                        let next = column + 1 + zeros
                        let sixths = Int(min(abs(sum), 1) * 6 + 0.5)
                        if sixths > 0 { paint(pixels, (row * width + column)..<(row * width + next), sixths) }
                        column = next
                    }
                    // What is beyond the right edge is not painted.
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
            // Where the line crosses several pixels of the row, each gets the area right of it, as a difference to the
            // one before.
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

/// How many values of four bytes from a place on equal the one there, at least: they are compared in blocks.
func alike(_ values: UnsafeRawPointer?, from start: Int, before end: Int) -> Int {
    guard let first = values?.advanced(by: start * 4) else { return 0 }
    var count = 1
    // A block that equals itself one value before continues the run.
    while start + count + 16 <= end, memcmp(first + count * 4, first + count * 4 - 4, 64) == 0 { count += 16 }
    return count
}
