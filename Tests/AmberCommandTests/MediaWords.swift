import Foundation
import TestSupport

/// The dates, numbers and texts that pages of media must show in a language. The texts are those of the catalogue.
struct MediaWords {
    private let language: String
    private var texts: [String: Any] = [:]
    private var values: [String: [String: Any]] = [:]

    static var english: MediaWords { MediaWords("en") }
    static var russian: MediaWords { MediaWords("ru") }

    private init(_ language: String) {
        self.language = language
        for folder in ["Templates", "Catalogues/itunes"] {
            let file = FileManager.default.contents(atPath: "\(Program.root)/\(folder)/strings/\(language).json")
            // Without the texts, the comparisons of the test fail.
            let object = (try? JSONSerialization.jsonObject(with: file ?? Data())) as? [String: Any] ?? [:]
            texts.merge(object["texts"] as? [String: Any] ?? [:]) { $1 }
            values.merge(object["values"] as? [String: [String: Any]] ?? [:]) { $1 }
        }
    }

    /// The language's folder in the site, with a slash at the end; empty for the root.
    var folder: String { language == "en" ? "" : "\(language)/" }

    subscript(text: String) -> String { texts[text] as? String ?? "" }

    func value(_ name: String, _ value: String) -> String { values[name]?[value] as? String ?? "" }

    /// The day of a moment in UTC; empty for years before 1000.
    func date(_ moment: String) -> String {
        guard moment > "1000", let date = ISO8601DateFormatter().date(from: moment) else { return "" }
        let writer = DateFormatter()
        writer.locale = Locale(identifier: language == "en" ? "en_US_POSIX" : "ru_RU")
        writer.timeZone = TimeZone(identifier: "UTC")
        writer.dateFormat = language == "en" ? "MMMM d, yyyy" : "d MMMM yyyy 'г.'"
        return writer.string(from: date)
    }

    func rating(_ average: Double, _ count: Int) -> String {
        plural("ratingOf", count).replacing("{rating}", with: decimal(average))
    }

    func money(_ amount: Double, _ currency: String) -> String {
        let text = String(format: "%.2f", amount)
        let short = text.hasSuffix(".00") ? String(text.dropLast(3)) : text
        return "\(short.replacing(".", with: language == "en" ? "." : ","))\u{A0}\(currency)"
    }

    func size(_ bytes: Int) -> String {
        let (unit, name) = bytes < 100_000 ? (1_000.0, "kilobytes") : (1_000_000.0, "megabytes")
        return self[name].replacing("{number}", with: decimal(Double(bytes) / unit))
    }

    func results(_ count: Int) -> String { plural("resultCount", count) }

    private func plural(_ text: String, _ count: Int) -> String {
        let forms = texts[text] as? [String: String] ?? [:]
        let form =
            switch (count % 10, count % 100) {
            case _ where language == "en": count == 1 ? "one" : "other"
            case (_, 11...14): "many"
            case (1, _): "one"
            case (2...4, _): "few"
            default: "many"
            }
        return (forms[form] ?? "").replacing("{count}", with: grouped(count))
    }

    private func decimal(_ number: Double) -> String {
        let text = String(format: "%.1f", number)
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
            .replacing(".", with: language == "en" ? "." : ",")
    }

    private func grouped(_ number: Int) -> String {
        let separator = language == "en" ? "," : "\u{A0}"
        return number < 1_000
            ? "\(number)" : "\(number / 1_000)\(separator)\(String(format: "%03d", number % 1_000))"
    }
}
