/// A JSON value whose objects keep the order of their members.
package indirect enum JSONTree: Sendable {
    case null
    /// A number or a Boolean, spelled as in the JSON.
    case word(String)
    case text(String)
    case list([JSONTree])
    case object([Member])

    package typealias Member = (name: String, value: JSONTree)

    /// - Throws: `ContentFault` if the bytes are not valid JSON.
    package init(_ bytes: [UInt8]) throws(ContentFault) {
        try JSONSlices.check(bytes)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? mark.count : 0
        let first = bytes[start...].firstIndex { !JSONSlices.isSpace($0) } ?? start
        let last = bytes.lastIndex { !JSONSlices.isSpace($0) } ?? first
        try self.init(bytes, at: first..<last + 1)
    }

    private init(_ bytes: [UInt8], at range: Range<Int>) throws(ContentFault) {
        switch bytes[range.lowerBound] {
        case "{":
            var members: [Member] = []
            for (name, value) in try JSONSlices.memberRanges(in: bytes, at: range) {
                let quoted = name.lowerBound - 1..<name.upperBound + 1
                members.append((try JSONText.decoded(bytes, at: quoted).showable, try JSONTree(bytes, at: value)))
            }
            self = .object(members)
        case "[":
            var elements: [JSONTree] = []
            for element in try JSONSlices.elements(of: bytes, at: range) {
                elements.append(try JSONTree(bytes, at: element))
            }
            self = .list(elements)
        case "\"": self = .text(try JSONText.decoded(bytes, at: range).showable)
        default:
            let word = String(decoding: bytes[range], as: UTF8.self)
            self = word == "null" ? .null : .word(word)
        }
    }
}

extension JSONTree {
    /// The first member of an object with a name.
    package subscript(name: String) -> JSONTree? {
        if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
    }

    /// The value at a path of names of members.
    package func value(at path: [String]) -> JSONTree? { path.reduce(self as JSONTree?) { $0?[$1] } }

    /// The value at a path such as "info.count". A name can have dots, such as "@odata.count".
    package func value(_ path: String) -> JSONTree? {
        self[path] ?? value(at: path.split(separator: ".").map(String.init))
    }

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var elements: [JSONTree]? { if case .list(let elements) = self { elements } else { nil } }
    package var members: [Member]? { if case .object(let members) = self { members } else { nil } }
    package var integer: Int? { if case .word(let word) = self { Int(word) } else { nil } }

    /// The text of a string, or the spelling of a number or Boolean.
    package var scalar: String? {
        switch self {
        case .text(let text): text
        case .word(let word): word
        case .null, .list, .object: nil
        }
    }

    /// The value without null, blank texts, empty lists and objects, and the values at these paths; nil if nothing is
    /// left.
    /// - Parameter path: the path of this value.
    package func pruned(except paths: Set<String>, at path: String = "") -> JSONTree? {
        guard !paths.contains(path) else { return nil }
        switch self {
        case .null: return nil
        case .word: return self
        case .text(let text): return text.isBlank ? nil : self
        case .list(let elements):
            let kept = elements.compactMap { $0.pruned(except: paths, at: "\(path)[]") }
            return kept.isEmpty ? nil : .list(kept)
        case .object(let members):
            let kept = members.compactMap { name, value in
                value.pruned(except: paths, at: path.isEmpty ? name : "\(path).\(name)").map { (name, $0) }
            }
            return kept.isEmpty ? nil : .object(kept)
        }
    }
}
