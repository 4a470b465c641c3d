import Catalogue
import HTMLCheck
import Pages
import Platform

/// An address with values of a record, such as "iiif/2/{image_id}/full/843,/0/default.jpg".
struct AddressPattern: Sendable {
    private let pattern: TextPattern
    private let values: [(name: String, path: FieldPath)]

    /// - Parameters:
    ///   - text: a whole address, or a path below the address of the API.
    ///   - path: the key path for faults.
    init(_ text: String, at path: String, api: String) throws {
        let isWhole = text.prefixMatch(of: /https?:\/\/[^\/{}]+\//) != nil
        pattern = TextPattern(isWhole ? text : "\(api)/\(text)")
        values = try pattern.placeholders.sorted().map { ($0, try DeclarationObject.valuePath($0, at: path)) }
        let plain = TextPattern(text).filled(with: Dictionary(uniqueKeysWithValues: values.map { ($0.name, "x") }))
        try require(
            !values.isEmpty && (isWhole ? WebAddress.isValid(plain) : DeclaredCatalogue.isPlain(plain)), path,
            "is \(text.quoted), which is not an address with values of the record, such as \"images/{image_id}.jpg\"")
    }

    /// The address up to its first value.
    var start: String { pattern.filled(with: [:]) }

    /// The address with the values of a record, each as one segment of a path; empty if a value is missing.
    func filled(with record: JSONFields) -> String {
        let texts = values.map { record.scalar($0.path) }
        guard !texts.contains(where: \.isBlank) else { return "" }
        let segments = zip(values, texts).map { value, text in
            // Segments of dots lead to other folders.
            let isDots = text.utf8.allSatisfy { $0 == "." }
            return (value.name, isDots ? text.replacing(".", with: "%2E") : percentEncoded(text))
        }
        return pattern.filled(with: Dictionary(uniqueKeysWithValues: segments))
    }
}
