/// The files made last for the pages that are open: all who ask for the same page share one making.
struct PreviewCache {
    /// How many bytes are kept in all.
    private static let capacity = 8 << 20

    private var number: Int64 = 0
    private var files: [String: [UInt8]?] = [:]
    private var size = 0

    /// A file that was made before, or is made now; nil where there is none.
    /// - Parameter number: of the state that the file is of. Files of another state are dropped.
    mutating func file(
        at name: String, of number: Int64, make: () throws -> [UInt8]?
    ) rethrows -> [UInt8]? {
        if number != self.number {
            self = PreviewCache()
            self.number = number
        }
        if let kept = files[name] { return kept }
        let made = try make()
        // An entry takes some bytes of its own.
        let added = name.utf8.count + (made?.count ?? 0) + 128
        if size + added > Self.capacity {
            files = [:]
            size = 0
        }
        guard added <= Self.capacity else { return made }
        files.updateValue(made, forKey: name)
        size += added
        return made
    }
}
