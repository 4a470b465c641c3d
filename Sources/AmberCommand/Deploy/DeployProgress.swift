/// The progress of a deploy, which is also its lock.
///
/// Two files take turns, because a failed transfer can destroy the file that it replaces. Each holds an empty line and
///
///     NUMBER ID DONE UNTIL OWNER
struct DeployProgress: Equatable {
    /// Counts the changes at a target.
    var number = 0
    /// The id of the deploy whose batches are counted.
    var id = "-"
    /// The number of finished batches.
    var done = 0
    /// When the lock ends, in milliseconds since 1970; 0 if it was released.
    var until: Int64 = 0
    /// The id of the deploy that holds the lock.
    var owner = "-"

    static let files = ["progress", "progress2"]
    var file: String { Self.files[number % 2] }

    /// The last change, from both files in any order.
    init(_ bytes: [UInt8]) {
        // A file without an end was not transferred completely.
        for row in bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
            let fields = String(decoding: row, as: UTF8.self).split(separator: " ").map(String.init)
            guard fields.count == 5, let number = Int(fields[0]), number > self.number, number < 1 << 62,
                let done = Int(fields[2]), (0..<Int.max).contains(done), let until = Int64(fields[3])
            else { continue }
            (self.number, id, self.done, self.until, owner) = (number, fields[1], done, until, fields[4])
        }
    }

    var bytes: [UInt8] { Array("\n\(number) \(id) \(done) \(until) \(owner)\n".utf8) }
}
