import Catalogue
import Mustache
import Pages

/// A fact of a record: the label of a field, and its value.
struct RecordFact {
    let label: String
    let tone: String
    let value: ShownValue
    /// What is shown with the name of a record.
    var notes: [ShownValue] = []
    /// The elements of a list that is a facet; empty for other values.
    var elements: [ShownValue] = []
    /// A date or a moment for machines; empty for other values.
    var moment = ""
}

extension RecordFact: TemplateValue {
    var templateValue: Value {
        let elements = elements.enumerated().map { index, element in
            RecordModels.element([
                "name": element.text, "path": element.path, "asServed": element.isServed,
                "last": index == self.elements.count - 1,
            ])
        }
        return RecordModels.fact.value([
            "label": .text(label), "tone": .text(tone), "name": .text(value.text), "path": value.path.templateValue,
            "asServed": .flag(value.isServed), "notes": .list(notes.map(RecordModels.note)),
            "link": value.link.templateValue, "elements": .list(elements),
        ])
    }
}

extension RecordMarkup {
    /// A fact with its label, in an element with the language of the API.
    mutating func fact(_ fact: RecordFact) {
        entry(fact.label, own) { html in
            for (index, element) in (fact.elements.isEmpty ? [fact.value] : fact.elements).enumerated() {
                if index > 0 { html.text(", ") }
                html.text(element, fact.tone.isEmpty ? "" : " class=\"mood \(Self.escaped(fact.tone))\"", fact.moment)
            }
            for note in fact.notes {
                html.text(" ")
                html.text(note, " class=\"kind\"")
            }
        }
    }

    private mutating func text(_ text: ShownValue, _ attributes: String, _ moment: String = "") {
        let target =
            text.path.map { " href=\"\(Self.escaped(home + $0.text))\"" }
            ?? text.link.map { " href=\"\(Self.escaped($0))\" rel=\"nofollow\"" }
        let attributes = attributes + (text.isServed ? "" : own)
        if target == nil, !moment.isEmpty {
            return element("time", text: text.text, " datetime=\"\(moment)\"\(attributes)")
        }
        element(target == nil ? "span" : "a", text: text.text, attributes + (target ?? ""))
    }
}

extension RecordModels {
    static let fact = Shape(
        "fact",
        [
            .init("label", .text, "the field's name in the page's language"),
            .init("tone", .text, "the class for the colour of the value; may be empty"),
        ] + referenceFields + [
            .init("link", .optional(.text), "the address on the web that is the value"),
            .init("elements", .list(.object(element)), "the elements of a facet's list; otherwise empty"),
        ])
    static let element = Shape(
        "element",
        .init("name", .text, "the value in the page's language, or as served"),
        .init("path", .optional(.text), "the list of records with this value, relative to the language's root"),
        .init("asServed", .flag, "whether the name is as served"),
        .init("last", .flag, "whether it is the last element"))
}
