/// A share of a site's files, for one of several processes or machines: together the parts are the whole site.
///
/// Of each set of pages a part has a stretch: so of the records, which stand in the API's order, a range.
public struct Part: Sendable, Equatable, CustomStringConvertible {
    /// Which part, from 1.
    public let number: Int
    /// How many parts there are.
    public let count: Int

    /// All of it.
    public static let whole = Part(number: 1, count: 1)

    private init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    /// A part as "2/3"; nil where the text is none, or there are more than 10,000.
    public init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let number = numbers[0], let count = numbers[1], (1...10_000).contains(count),
            (1...count).contains(number)
        else { return nil }
        self.init(number: number, count: count)
    }

    /// As a folder's name: "2-of-3".
    public var description: String { "\(number)-of-\(count)" }

    /// Whether a batch of a set that has so many belongs to it.
    func contains(_ batch: Int, of batches: Int) -> Bool { batch * count / max(1, batches) + 1 == number }
}
