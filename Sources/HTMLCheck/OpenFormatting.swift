/// The formatting that holds for the next text, whatever tags were nested how: each kind once.
struct OpenFormatting {
    /// In the order of its beginning.
    private(set) var order: [MarkupRole.Format] = []
    private var depths: [MarkupRole.Format: Int] = [:]

    mutating func start(_ format: MarkupRole.Format) {
        let depth = depths[format, default: 0]
        if depth == 0 { order.append(format) }
        depths[format] = depth + 1
    }

    /// An end tag without a start tag ends nothing.
    mutating func end(_ format: MarkupRole.Format) {
        guard let depth = depths[format], depth > 0 else { return }
        depths[format] = depth - 1
        if depth == 1 { order.removeAll { $0 == format } }
    }
}
