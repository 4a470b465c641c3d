import Foundation

/// A sentence, or a part of one, that the program says where something is wrong.
struct Message: Hashable {
    /// Below Sources: "Site/SiteError.swift".
    let file: String
    let line: Int
    /// What the sentence is given to: "Failure", "ContentFault"; the exit code's name where it is given one.
    let head: String
    /// The sentence; … stands for what it is filled with.
    let text: String
}

/// Finds messages in Swift files: string literals within the calls that make errors, and all those of files that are
/// about nothing else.
struct MessageScanner {
    /// The calls that make errors of sentences.
    private static let heads: Set = [
        "Failure", "ContentFault", "templates", "damaged", "refused", "incomplete", "moved", "empty", "changed",
        "unwritable", "key",
        "HTTPError",
        "Fault",
        "ServerError", "TemplateError", "error", "fault", "Gap", "lose", "retry", "refuse", "report", "malformed",
        "misused",
        "warn", "say",
    ]
    /// Files whose sentences are all about what is wrong.
    private static let whole = [
        "Error.swift", "Program+Errors.swift", "Spelling.swift", "FaultTally.swift", "ImportedState.swift",
        "PageReader+Values.swift",
        "ValueSyntax.swift", "LinkResolver.swift", "SitePageChecker.swift",
    ]
    /// Files whose sentences are claims and what contradicts them.
    private static let proofs = [
        "SnapshotVerifier.swift", "ArchiveVerifier.swift", "ArchiveVerifier+Places.swift", "ArchiveFolder+Seal.swift",
        "SiteVerifier.swift",
        "TreeComparer.swift",
        "Run+Verify.swift",
    ]

    private let file: String
    private let text: [Character]
    private var place = 0
    private var line = 1
    private var found: [Message] = []

    private init(_ file: String, _ text: String) {
        self.file = file
        self.text = Array(text)
    }
}

extension MessageScanner {
    /// The messages of all files below a folder, in the order of files and lines; each text once a file and head.
    static func messages(in folder: String) throws -> [Message] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        // SampleAPI is the invented server; its options are the command line's. What exit codes mean is no message.
        let others = ["AmberCommand/ExitCode.swift"]
        return try names.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("SampleAPI/") && !others.contains($0) }
            .flatMap { name in
                var scanner = MessageScanner(name, try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
                return scanner.messages()
            }
    }

    private mutating func messages() -> [Message] {
        var calls: [(head: String, start: Int)] = []
        while place < text.count {
            if starts("//") {
                while place < text.count, text[place] != "\n" { place += 1 }
            } else if starts("#\"") {
                place += 2
                while place < text.count, !starts("\"#") { advance() }
                place += 2
            } else if text[place] == "\"" {
                let before = place
                let start = line
                let literal = string()
                take(literal, startingAt: start, in: calls.last, before)
            } else {
                if text[place] == "(" { calls.append((word(before: place), place)) }
                if text[place] == ")", !calls.isEmpty { calls.removeLast() }
                advance()
            }
        }
        return found
    }

    private mutating func take(
        _ literal: String, startingAt line: Int, in call: (head: String, start: Int)?, _ place: Int
    ) {
        let sentence = literal.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // One word is a name, and what has hardly a letter is put together elsewhere.
        guard sentence.contains(" "), sentence.count(where: \.isLetter) > 4, !sentence.hasPrefix("SELECT"),
            !sentence.hasPrefix("PRAGMA")
        else {
            return
        }
        var head = call?.head ?? ""
        let isProof = Self.proofs.contains { file.hasSuffix("/\($0)") }
        let isWhole =
            Self.whole.contains { file.hasSuffix($0) }
            && !["preconditionFailure", "precondition", "assert"].contains(head)
        let isTold =
            file.hasPrefix("AmberCommand/") && (sentence.contains("cannot be") || sentence.contains("has no complete"))
        guard Self.heads.contains(head) || isWhole || isTold || isProof && isFault(place, isTuple: head.isEmpty) else {
            return
        }
        if head == "Failure", let call {
            let argument = String(text[call.start..<place]).split(separator: ".").dropFirst().first ?? ""
            head = String(argument.prefix { $0.isLetter })
        }
        let message = Message(
            file: file, line: line, head: head, text: sentence.replacingOccurrences(of: "|", with: "\\|"))
        guard !found.contains(where: { $0.text == message.text && $0.head == message.head }) else { return }
        found.append(message)
    }

    /// Whether a literal in a verifier is what contradicts a claim: the other side of a condition, or a value so named.
    private func isFault(_ place: Int, isTuple: Bool) -> Bool {
        let before = String(text[max(0, place - 60)..<place]).trimmingCharacters(in: .whitespacesAndNewlines)
        if before.hasSuffix("claim =") || before.hasSuffix("orElse:") { return false }
        return ([":", "?", "=", "{", "return"] + (isTuple ? [","] : [])).contains { before.hasSuffix($0) }
    }

    private mutating func string() -> String {
        let quote = starts("\"\"\"") ? "\"\"\"" : "\""
        place += quote.count
        var literal = ""
        while place < text.count, !starts(quote) {
            guard text[place] == "\\" else {
                literal.append(text[place])
                advance()
                continue
            }
            place += 1
            switch text[place] {
            case "(":
                skipInterpolation()
                literal.append("…")
            case "\n": advance()
            case "n", "t":
                literal.append(" ")
                place += 1
            default:
                literal.append(text[place])
                place += 1
            }
        }
        place += quote.count
        return literal.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.joined(
            separator: " ")
    }

    /// From the parenthesis to behind its partner.
    private mutating func skipInterpolation() {
        var depth = 0
        repeat {
            if text[place] == "\"" {
                _ = string()
                continue
            }
            if text[place] == "(" { depth += 1 }
            if text[place] == ")" { depth -= 1 }
            advance()
        } while depth > 0 && place < text.count
    }

    private mutating func advance() {
        if text[place] == "\n" { line += 1 }
        place += 1
    }

    private func starts(_ word: String) -> Bool { text[place...].starts(with: word) }

    private func word(before end: Int) -> String {
        var start = end
        while start > 0, text[start - 1].isLetter || text[start - 1].isNumber { start -= 1 }
        return String(text[start..<end])
    }
}
