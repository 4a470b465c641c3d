import Glibc

/// A picture that shapes are painted on, with smooth edges.
///
/// Coordinates go from 0 to 300, whatever the size in pixels, downwards as far as it is told. A pixel at an edge is
/// covered in sixths, so that few colours come about and the picture fits a palette.
struct Canvas {
    let width: Int
    let height: Int
    private(set) var pixels: [UInt32]
    /// Whether colours are painted faded.
    var isFaded = false

    private var area: [Float]
    private let scaleX: Double
    private let scaleY: Double

    init(width: Int, height: Int, background: Colour, tall: Double = 300) {
        self.width = width
        self.height = height
        pixels = Array(repeating: UInt32(background.hex), count: width * height)
        area = Array(repeating: 0, count: (width + 3) * height)
        scaleX = Double(width) / 300
        scaleY = Double(height) / tall
    }
}

extension Canvas {
    /// Where other shapes may be painted: coverage in sixths, pixel by pixel.
    struct Mask {
        fileprivate let coverage: [UInt8]
    }

    mutating func fill(_ shape: Shape, _ colour: Colour, alpha: Double = 1, in mask: Mask? = nil) {
        let source = isFaded ? colour.faded : colour
        let (red, green, blue) = (Float(source.red), Float(source.green), Float(source.blue))
        let solid = UInt32(source.hex)
        cover(shape) { pixels, run, sixths in
            if mask == nil && sixths == 6 && alpha == 1 {
                pixels[run].update(repeating: solid)
                return
            }
            for index in run {
                let sixths = mask.map { sixths * Int($0.coverage[index]) / 6 } ?? sixths
                if sixths == 6 && alpha == 1 {
                    pixels[index] = solid
                } else if sixths > 0 {
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
    }

    mutating func mask(_ shape: Shape) -> Mask {
        var coverage = [UInt8](repeating: 0, count: width * height)
        cover(shape) { _, run, sixths in
            for index in run { coverage[index] = UInt8(sixths) }
        }
        return Mask(coverage: coverage)
    }

    /// A line of even width with round ends.
    mutating func stroke(_ points: [(x: Double, y: Double)], _ width: Double, _ colour: Colour, in mask: Mask? = nil) {
        guard let first = points.first, let last = points.last else { return }
        let half = width / 2
        var left: [(x: Double, y: Double)] = []
        var right: [(x: Double, y: Double)] = []
        for index in points.indices {
            let (a, b) = (points[max(index - 1, 0)], points[min(index + 1, points.count - 1)])
            let length = max(hypot(b.x - a.x, b.y - a.y), 0.001)
            let (nx, ny) = (-(b.y - a.y) / length * half, (b.x - a.x) / length * half)
            left.append((points[index].x + nx, points[index].y + ny))
            right.append((points[index].x - nx, points[index].y - ny))
        }
        fill(.polygon(left + right.reversed()), colour, in: mask)
        fill(.circle(first.x, first.y, half), colour, in: mask)
        fill(.circle(last.x, last.y, half), colour, in: mask)
    }
}

extension Canvas {
    /// Calls with every run of pixels that a shape covers alike, at least a sixth of each.
    ///
    /// Signed areas are added up along each row, as font rasterisers do (Levien, "Inside the fastest font renderer").
    private mutating func cover(
        _ shape: Shape, _ paint: (inout UnsafeMutableBufferPointer<UInt32>, Range<Int>, Int) -> Void
    ) {
        guard let last = shape.points.last else { return }
        let stride = width + 3
        let (width, height, scaleX, scaleY) = (width, height, scaleX, scaleY)
        var (top, bottom, leftmost, rightmost) = (height, 0, width, 0)

        area.withUnsafeMutableBufferPointer { area in
            var from = (x: last.x * scaleX, y: last.y * scaleY)
            for point in shape.points {
                let to = (x: point.x * scaleX, y: point.y * scaleY)
                top = min(top, Int(max(to.y, 0)))
                bottom = max(bottom, Int(min(max(to.y, 0), Double(height - 1))))
                leftmost = min(leftmost, Int(max(min(to.x, Double(width)), 0)))
                rightmost = max(rightmost, Int(max(min(to.x, Double(width)), 0)))
                Self.add(from, to, width: width, height: height, stride: stride, to: area)
                from = to
            }
        }
        guard top <= bottom, top < height else { return }

        area.withUnsafeMutableBufferPointer { area in
            pixels.withUnsafeMutableBufferPointer { pixels in
                for row in top...bottom {
                    var sum: Float = 0
                    var column = leftmost
                    let end = min(rightmost + 2, width + 2)
                    while column <= end {
                        sum += area[row * stride + column]
                        area[row * stride + column] = 0
                        guard column < width else { break }
                        let next =
                            column + 1
                            + Self.zeros(area, from: row * stride + column + 1, most: min(end, width - 1) - column)
                        let sixths = Int(min(abs(sum), 1) * 6 + 0.5)
                        if sixths > 0 { paint(&pixels, (row * width + column)..<(row * width + next), sixths) }
                        column = next
                    }
                    // What is beyond the right edge is not painted.
                    for column in width..<(width + 3) { area[row * stride + column] = 0 }
                }
            }
        }
    }

    /// How many numbers are zero from one on, found in blocks: inside a shape all of them are.
    private static func zeros(_ area: UnsafeMutableBufferPointer<Float>, from start: Int, most: Int) -> Int {
        guard most > 16, let base = area.baseAddress, base[start].bitPattern == 0 else { return 0 }
        var count = 1
        // A block that equals itself one number before continues the zeros.
        while count + 16 <= most, memcmp(base + start + count, base + start + count - 1, 64) == 0 { count += 16 }
        return count
    }

    private static func add(
        _ one: (x: Double, y: Double), _ two: (x: Double, y: Double), width: Int, height: Int, stride: Int,
        to area: UnsafeMutableBufferPointer<Float>
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
            let first = Int(low)
            let last = Int(high)
            let base = row * stride

            if first == last {
                let middle = (low + high) / 2 - Double(first)
                area[base + first] += Float(rise * (1 - middle))
                area[base + first + 1] += Float(rise * middle)
                continue
            }
            // The line crosses several pixels of the row: each gets the area right of it, as a difference to the one
            // before.
            for column in first...last {
                let (a, b) = (max(low, Double(column)), min(high, Double(column + 1)))
                let part = rise * (b - a) / (high - low)
                let middle = (a + b) / 2 - Double(column)
                area[base + column] += Float(part * (1 - middle))
                area[base + column + 1] += Float(part * middle)
            }
        }
    }
}
