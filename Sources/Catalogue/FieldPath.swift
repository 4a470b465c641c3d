/// The path of a value in a record: names of members, separated by dots, such as "origin.name". A path through an
/// array has several values: "types[].name", or only those of some elements: "names[language.name=en].name". A path
/// with an index has the value of one element: "coordinates[0]". Paths in answers can lead to the last one: "[-1]".
package struct FieldPath: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The elements of an array that a path leads through. If no path follows, the elements are the values.
    package indirect enum Elements: Sendable, Hashable {
        case all(rest: FieldPath?)
        case at(Int, rest: FieldPath?)
        case matching(FieldPath, value: String, rest: FieldPath?)
    }

    /// The names up to the first array.
    package let names: [String]
    package let elements: Elements?
    package let text: String

    package init(_ text: String) {
        self.text = text
        var depth = 0
        let closing = text.firstIndex { byte in
            depth += byte == "[" ? 1 : byte == "]" ? -1 : 0
            return byte == "]" && depth == 0
        }
        let opening = closing.flatMap { text[..<$0].firstIndex(of: "[") }
        let rest = closing.map { text[text.index(after: $0)...] } ?? ""
        guard let opening, let closing, rest.isEmpty || rest.first == "." else {
            names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            elements = nil
            return
        }
        names = text[..<opening].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let inner = rest.isEmpty ? nil : FieldPath(String(rest.dropFirst()))
        let condition = text[text.index(after: opening)..<closing]
        let parts = condition.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        elements =
            if condition.isEmpty {
                .all(rest: inner)
            } else if let index = Int(condition), index >= -1 {
                .at(index, rest: inner)
            } else {
                .matching(FieldPath(parts[0]), value: parts.count > 1 ? parts[1] : "", rest: inner)
            }
    }

    /// The path of a member whose name is not from a declaration, and can have any characters.
    package init(member name: String) { (names, elements, text) = ([name], nil, name) }

    /// A path that is written in the program.
    package init(stringLiteral text: String) { self.init(text) }

    /// The path up to the first array, including its index; the whole path if it leads through no array.
    package var beforeArrays: String {
        let array = names.joined(separator: ".")
        return if case .at(let index, _)? = elements { "\(array)[\(index)]" } else { array }
    }
}

extension FieldPath.Elements {
    /// Whether the path leads through an element of the array.
    package func select(_ element: JSON) -> Bool {
        guard case .matching(let condition, let wanted, _) = self else { return true }
        return element.values(at: condition).contains { $0.scalar == wanted }
    }

    /// The element at the path's index; all elements if it has none.
    package func indexed<Element>(_ elements: [Element]) -> ArraySlice<Element> {
        guard case .at(let index, _) = self else { return elements[...] }
        return index < 0 ? elements.suffix(1) : elements.dropFirst(index).prefix(1)
    }

    /// The values in the selected elements of an array.
    package func values(in array: JSON) -> [JSON] {
        indexed((array.elements ?? []).filter(select)).flatMap { element in rest.map(element.values) ?? [element] }
    }

    /// The path in the elements; nil if they are the values.
    package var rest: FieldPath? {
        switch self {
        case .all(let rest), .at(_, let rest), .matching(_, _, let rest): rest
        }
    }
}
