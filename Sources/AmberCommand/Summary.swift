import Archive
import Catalogue
import CatalogueEngine
import Glibc
import Platform
import Site

/// The result of a run, printed as lines of text or as one JSON object.
struct Summary {
    /// The source of the data: live, archive, sample or import.
    let source: String
    let revision: Revision
    let gaps: [Gap]
    var rootHash = ""
    var isUnchanged = false
    var records: [String: Int] = [:]
    /// The numbers of captured pictures and other files.
    var assets = (pictures: 0, files: 0)
    var requests = 0
    /// The number of answers that an interrupted run had stored.
    var answersKept = 0
    /// The seconds of the stages `capture` and `render`.
    var seconds: [(stage: String, time: Double)] = []
    /// The report of the site's build; nil if no site was built.
    var build: BuildReport?
    /// The reason why the data is not from the API, if `auto` used another source.
    var fallback: String?

    var code: ExitCode { gaps.isEmpty ? .done : .doneWithGaps }

    static func json(_ gaps: [Gap]) -> JSON {
        .list(gaps.map { ["url": .text($0.url), "reason": .text($0.fullReason)] })
    }

    var json: JSON {
        [
            "source": .text(source), "api": .text(revision.source.api), "revision": .integer(Int(revision.number)),
            "rootHash": .text(build?.rootHash ?? rootHash), "complete": .flag(gaps.isEmpty),
            "unchanged": .flag(isUnchanged), "records": .object(records.map { ($0, .integer($1)) }),
            "pictures": .integer(assets.pictures), "files": assets.files > 0 ? .integer(assets.files) : nil,
            "requests": .integer(requests), "pages": .integer(build?.pages ?? 0),
            "written": .integer(build?.written ?? 0), "bytes": .integer(Int(build?.bytes ?? 0)),
            "gaps": Self.json(gaps), "seconds": .object(seconds.map { ($0, .word("\($1)")) }),
            "fallback": fallback.map { .text($0) },
        ]
    }

    /// - Parameter site: the published site's folder; nil if no site was published.
    func lines(site: String?, _ settings: Settings) -> [String] {
        let isChosen = [.config, .catalogue, .api, .source].contains(where: settings.arguments.has)
        let hint =
            isChosen || FileStatus("amber.json") != nil
            ? nil : "there is no amber.json here, so this is a site of the catalogue \(settings.catalogue.name)"
        var lines = [fallback, hint].compactMap(\.self)
        let counts = records.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            Self.counted($0.value, $0.key, settings.catalogue.plural(of: $0.key))
        }.joined(separator: ", ")
        lines.append(
            "source    \(source): \(revision.source.api), revision \(revision.number)"
                + (isUnchanged ? " (unchanged)" : "")
                + (answersKept > 0 ? ", continued with \(Self.grouped(answersKept)) answers of an interrupted run" : "")
        )
        if !counts.isEmpty {
            lines.append(
                "records   \(counts), \(Self.counted(assets.pictures, "picture", "pictures"))"
                    + (assets.files > 0 ? ", \(Self.counted(assets.files, "file", "files"))" : "")
                    + (requests > 0 ? ", \(Self.counted(requests, "request", "requests"))" : ""))
        }
        let rootHash = build?.rootHash ?? rootHash
        if !rootHash.isEmpty { lines.append("root hash \(rootHash)") }
        if let build {
            lines.append(
                "site      \(Self.counted(build.pages, "page", "pages")), "
                    + "\(Self.counted(build.written, "file", "files")) written, \(Self.size(build.bytes)) in all")
        }
        lines += Self.gapLines(gaps)
        let times = seconds.map { "\($0) \(Self.time($1))" }
        if !times.isEmpty { lines.append("time      \(times.joined(separator: ", "))") }
        if let site {
            lines.append("Open \(site)/index.html, or run: \(settings.command(.serve)) (\(Settings.preview))")
        }
        return lines
    }

    /// A number with its noun, such as "1 file" or "2,000 files".
    static func counted(_ count: Int, _ word: String, _ several: String) -> String {
        "\(grouped(count)) \(count == 1 ? word : several)"
    }

    /// The gaps by their reason, the most frequent first, each with one example.
    static func gapLines(_ gaps: [Gap]) -> [String] {
        guard !gaps.isEmpty else { return ["gaps      none"] }
        var groups: [String: (count: Int, example: Int)] = [:]
        for (index, gap) in gaps.enumerated() {
            // Reasons in one group can differ in quoted names, in numbers and at the end.
            let unquoted = gap.reason.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
            let words = unquoted.filter { !$0.isNumber }.split(separator: " ").prefix(7).joined(separator: " ")
            groups["\(gap.keyPath.filter { !$0.isNumber }) \(words)", default: (0, index)].count += 1
        }
        let sorted = groups.values.sorted { ($1.count, $0.example) < ($0.count, $1.example) }
        let lines = sorted.prefix(20).map { count, example in
            let gap = gaps[example]
            let url = gap.url.count > 120 ? "\(gap.url.prefix(119))…" : gap.url
            let times = count > 1 ? "\(grouped(count)) like " : ""
            return "          \(times)\(url): \(gap.fullReason)"
        }
        let rest = sorted.count > 20 ? ["          and \(sorted.count - 20) other reasons"] : []
        let advice = sorted.count < gaps.count ? ["          --json lists them all"] : []
        return ["gaps      \(grouped(gaps.count)):"] + lines + rest + advice
    }

    static func grouped(_ number: Int) -> String { number.grouped(by: ",") }

    static func size(_ bytes: Int64) -> String {
        bytes < 1_000_000 ? "\(bytes / 1_000) kB" : "\(Double(bytes / 100_000) / 10) MB"
    }

    static func time(_ seconds: Double) -> String {
        seconds < 1 ? "\(Int((seconds * 1_000).rounded())) ms" : "\(Double(Int((seconds * 10).rounded())) / 10) s"
    }
}

extension Gap {
    /// The reason with the place in the JSON.
    var fullReason: String { keyPath.isEmpty ? reason : "\(keyPath): \(reason)" }
}

extension Settings {
    /// The address of `amber serve` without options.
    static let preview = "http://127.0.0.1:8000"

    /// The command line for another verb with the options of this run that it needs, such as "amber serve --output
    /// ../out"; or that of make, if AMBER_CALLER shows that one of Amber's makefiles started this run.
    func command(_ verb: Verb) -> String {
        // The published site does not depend on the API's address.
        let repeated = [Option.config, .output, .api, .catalogue].filter { verb != .serve || $0 != .api }
        let options = repeated.compactMap { option in arguments[option].map { (option, Self.quoted($0)) } }
        guard getenv("AMBER_CALLER").map({ String(cString: $0) }) == "make" else {
            let program = Self.quoted(CommandLine.arguments.first ?? "amber")
            return ([program, verb.rawValue] + options.map { "\($0.flag) \($1)" }).joined(separator: " ")
        }
        // make expands variables in the values of its arguments, so each "$" is doubled.
        let variables = options.map { "\($0.rawValue.uppercased())=\($1.replacing("$", with: "$$"))" }
        return (["make", verb == .build ? "site" : verb.rawValue] + variables).joined(separator: " ")
    }

    /// Quotes a word for a shell if necessary.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            $0.isLetter || $0.isDigit || $0 >= 0x80 || "/._-+:,@%".utf8.contains($0)
        }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: #"'\''"#))'"
    }
}
