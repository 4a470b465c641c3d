import Platform

/// A format that reads numbers from a text, such as "S{season}E{number}": literal texts and named parts of digits.
struct ValueFormat: Sendable {
    private let literals: [String]
    let parts: [String]

    /// - Returns: nil if there is no part, two parts follow one another, or a brace or the name of a part is invalid.
    init?(_ format: String) {
        let part = /{([a-z0-9_]+)}/
        parts = format.matches(of: part).map { String($0.1) }
        literals = format.split(separator: part, omittingEmptySubsequences: false).map(String.init)
        guard !parts.isEmpty, literals.allSatisfy({ !$0.contains { "{}".contains($0) } }),
            !literals.dropFirst().dropLast().contains("")
        else { return nil }
    }

    /// The numbers of the parts; nil if the text has another format.
    func numbers(in text: String) -> [Int]? {
        var rest = text.utf8[...]
        var numbers: [Int] = []
        for (index, literal) in literals.enumerated() {
            guard rest.starts(with: literal.utf8) else { return nil }
            rest = rest.dropFirst(literal.utf8.count)
            guard index < parts.count else { break }
            let digits = rest.prefix { $0.isDigit }
            guard let number = Int(Substring(digits)) else { return nil }
            numbers.append(number)
            rest = rest.dropFirst(digits.count)
        }
        return rest.isEmpty ? numbers : nil
    }
}

extension FieldDeclaration {
    func number(of part: String, in text: String) -> Int? {
        guard let format, let index = format.parts.firstIndex(of: part) else { return nil }
        return format.numbers(in: text)?[index]
    }
}
