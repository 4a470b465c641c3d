import Catalogue
import HTMLCheck
import Mustache
import Pages
import Platform

extension KindDeclaration {
    /// The text of a field's value in a language. A translated value can have a form that agrees with another field.
    func text(_ field: FieldDeclaration, _ value: String, _ texts: Texts, other: (FieldDeclaration) -> String) -> String
    {
        field.text(value, agreesWith: field.agreesWith.flatMap(self.field).map(other) ?? "", texts)
    }
}

extension FieldDeclaration {
    /// A value as text of one language. Values that the language has words for are translated.
    func text(_ value: String, agreesWith other: String = "", _ texts: Texts) -> String {
        switch type {
        case .enum, .string:
            return texts.value(name, value, by: other)
                ?? Bool(value).map { texts[$0 ? EngineTexts.yes : EngineTexts.no] } ?? value
        case .date: return Day(written: value).map(texts.date) ?? value
        case .list: return elements(value).map { texts.value(name, $0) ?? $0 }.joined(separator: ", ")
        case .datetime: return Day(moment: value).map { texts.date($0) + Day.time(of: value) } ?? value
        case .duration: return Self.seconds(value).map { showsHours ? Self.hours($0, texts) : Self.clock($0) } ?? value
        case .number:
            guard let number = Double(value) else { return value }
            let whole = divisor == 1 ? texts.whole(value) : nil
            let shown = whole ?? Self.decimal(number / Double(divisor), decimals, texts)
            return unit.map { texts.filled($0, ["number": shown]) } ?? shown
        case .money:
            let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
            guard let amount = parts.first.flatMap({ Double($0) }) else { return value }
            if let word = Int(exactly: amount).flatMap({ texts.value(name, "\($0)") }) { return word }
            let shown = Self.decimal(amount, 2, texts)
            let isShort = shown.dropLast().hasSuffix(texts[EngineTexts.decimalMark])
            return ([isShort ? "\(shown)0" : shown] + parts.dropFirst()).joined(separator: "\u{A0}")
        case .bytes: return Double(value).map { Self.size($0, texts) } ?? value
        case .rating:
            let parts = value.split(separator: " ")
            guard parts.count == 2, let average = Double(parts[0]), let count = Int64(parts[1]) else { return "" }
            return texts.plural(EngineTexts.rating, Int(clamping: count), ["rating": Self.decimal(average, 1, texts)])
        default: return value
        }
    }

    /// The same for machines: a date as 2010-03-05, a moment as 2010-03-05T08:00Z, a duration as PT0H3M45S, and a
    /// rating as its average; empty for other values.
    func machineReadable(_ value: String) -> String {
        switch type {
        case .date: Day(written: value)?.machineReadable ?? ""
        case .datetime: Day.machineReadable(moment: value)
        case .rating: value.split(separator: " ").first.map(String.init) ?? ""
        case .duration: Self.seconds(value).map { "PT\($0 / 3_600)H\($0 % 3_600 / 60)M\($0 % 60)S" } ?? ""
        default: ""
        }
    }

    /// The model of a value on a page.
    /// - Parameter html: makes the markup of a text with HTML elements, if a template shows it.
    func model(_ value: String, _ text: String, html: @escaping @Sendable () -> [UInt8]) -> Value {
        switch type {
        case .enum: return RecordModels.word.value(["text": .text(text), "tone": .text(tone(value))])
        case .date, .datetime, .duration, .rating:
            return RecordModels.date.value(["text": .text(text), "machine": .text(machineReadable(value))])
        case .prose:
            let paragraphs = value.paragraphs.map { Value.text($0) }
            return RecordModels.prose(["any": !paragraphs.isEmpty, "paragraphs": paragraphs])
        case .html: return RecordModels.html.value(["any": .flag(!value.isBlank), "html": .deferred { .html(html()) }])
        default: return RecordModels.text.value(["text": .text(text), "asServed": .flag(text == joined(value))])
        }
    }

    /// A long text on one line, without elements.
    func plain(_ value: String) -> String {
        type == .html ? HTMLSanitizer.text(value) : value.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static func seconds(_ milliseconds: String) -> Int? { Int(milliseconds).map { ($0 / 100 + 5) / 10 } }

    /// Hours and minutes in words, rounded down, such as "1 h 4 min".
    private static func hours(_ seconds: Int, _ texts: Texts) -> String {
        texts.filled(
            seconds < 3_600 ? EngineTexts.minutes : EngineTexts.hours,
            ["hours": "\(seconds / 3_600)", "minutes": "\(seconds % 3_600 / 60)"])
    }

    /// Minutes and seconds such as "3:28", with hours if there are any.
    private static func clock(_ seconds: Int) -> String {
        let (hours, minutes, rest) = (seconds / 3_600, seconds % 3_600 / 60, (seconds % 60).padded())
        return hours == 0 ? "\(minutes):\(rest)" : "\(hours):\(minutes.padded()):\(rest)"
    }

    static func clock(milliseconds: String) -> String? { seconds(milliseconds).map(clock) }

    static func size(_ bytes: Double, _ texts: Texts) -> String {
        let (unit, text) = bytes < 100_000 ? (1_000.0, EngineTexts.kilobytes) : (1_000_000.0, EngineTexts.megabytes)
        return texts.filled(text, ["number": decimal(max(bytes / unit, 0.1), 1, texts)])
    }

    /// The number with at most this many decimals, or with all of them.
    private static func decimal(_ number: Double, _ decimals: Int?, _ texts: Texts) -> String {
        let power = (0..<(decimals ?? 0)).reduce(1.0) { power, _ in power * 10 }
        let scaled = (number * power).rounded()
        let rounded = decimals == nil || !scaled.isFinite ? number.roundedTo15Digits ?? number : scaled / power
        let sign = rounded < 0 ? "-" : ""
        if let whole = Int(exactly: rounded.magnitude) { return sign + texts.grouped(whole, from: 10_000) }
        let parts = "\(rounded.magnitude)".split(separator: ".")
        guard parts.count == 2, let whole = Int(parts[0]) else { return "\(rounded)" }
        return "\(sign)\(texts.grouped(whole, from: 10_000))\(texts[EngineTexts.decimalMark])\(parts[1])"
    }
}

extension KindDeclaration {
    func checkJSONLD(_ object: DeclarationObject) throws {
        _ = try object.object("jsonld")?.optionalText("@type")
        for (name, value) in jsonLD {
            let path = "\(path).jsonld.\(name)"
            try require(!["@context", "name", "url", "image"].contains(name), path, "is a member that every page has")
            _ = try value.filled { text in
                let isWhole = text.hasPrefix("{") && text.hasSuffix("}")
                try require(isWhole, path, "is \(text.quoted); a placeholder is a whole text")
                try require(
                    placeholder(text) != nil, path,
                    "is \(text.quoted), which is not a field of a page or a part of its format")
                return .text(text)
            }
        }
    }

    /// The other members of a page's JSON-LD. A member whose placeholder has no value is left out.
    /// - Parameter values: the texts of the fields.
    func jsonLD(_ values: [String]) -> [(key: String, value: JSON)] {
        jsonLD.filter { $0.key != "@type" }.compactMap { name, value in
            value.filled { text in
                guard let (field, part) = placeholder(text) else { return nil }
                let value = values[field.index]
                if let part { return field.number(of: part, in: value).map { .integer($0) } }
                if field.type == .list { return value.isEmpty ? nil : .list(field.elements(value).map { .text($0) }) }
                let text = field.isDate ? field.machineReadable(value) : value
                return text.isEmpty ? nil : .text(text)
            }.map { (key: name, value: $0) }
        }
    }

    /// The field of a placeholder such as "{code.season}", and a part of its format; nil if pages do not show it.
    func placeholder(_ text: String) -> (field: FieldDeclaration, part: String?)? {
        let (name, part) = String(text.dropFirst().dropLast()).atDot
        guard let field = field(name), field.type.isText, part.map(field.hasPart) ?? true else { return nil }
        return (field, part)
    }
}
