extension ElementTable {
    /// Forms (HTML Living Standard, section 4.10).
    static let forms: [ElementRule] = [
        .init(
            "form", is: [.flow, .form], takes: .flow, forbids: .form,
            attributes: [
                "action": .link, "method": .oneOf(["get", "post"]), "name": .nonEmpty, "autocomplete": onOff,
                "novalidate": .flag,
                "accept-charset": .oneOf(["utf-8"]), "target": .oneOf(["_self"]),
            ]),
        .init(
            "label", is: [.phrase, .interactive, .label], takes: .phrasing, forbids: .label, check: .label,
            attributes: ["for": .control]),
        .init(
            "input", is: [.phrase, .interactive, .labelable], .void, check: .input,
            attributes: [
                "type": .oneOf(inputTypes), "name": .nonEmpty, "value": .any, "placeholder": .any,
                "autocomplete": autofill,
                "required": .flag, "readonly": .flag, "disabled": .flag, "checked": .flag, "multiple": .flag,
                "min": .nonEmpty,
                "max": .nonEmpty, "step": .nonEmpty, "minlength": .wholeNumber, "maxlength": .wholeNumber,
                "size": .integer(1...1_000),
                "pattern": .nonEmpty, "list": .idref, "form": .idref, "inputmode": inputModes, "autofocus": .flag,
            ]),
        .init(
            "button", is: [.phrase, .interactive, .labelable], takes: .phrasing, forbids: .interactive, .named,
            attributes: [
                "type": .oneOf(["button", "submit", "reset"]), "name": .nonEmpty, "value": .any, "disabled": .flag,
                "form": .idref,
                "autofocus": .flag,
            ], required: ["type"]),
        .init(
            "select", is: [.phrase, .interactive, .labelable], takes: [.option, .optionGroup],
            attributes: [
                "name": .nonEmpty, "required": .flag, "disabled": .flag, "multiple": .flag, "size": .integer(1...1_000),
                "form": .idref,
                "autocomplete": autofill, "autofocus": .flag,
            ]),
        .init("datalist", is: .phrase, takes: .option),
        .init(
            "optgroup", is: .optionGroup, takes: .option, attributes: ["label": .nonEmpty, "disabled": .flag],
            required: ["label"]),
        .init(
            "option", is: .option, [.text, .named],
            attributes: ["value": .any, "label": .nonEmpty, "selected": .flag, "disabled": .flag]),
        .init(
            "textarea", is: [.phrase, .interactive, .labelable], .text,
            attributes: [
                "name": .nonEmpty, "rows": .integer(1...1_000), "cols": .integer(1...1_000), "placeholder": .any,
                "required": .flag,
                "readonly": .flag, "disabled": .flag, "minlength": .wholeNumber, "maxlength": .wholeNumber,
                "form": .idref,
                "wrap": .oneOf(["soft", "hard"]), "autocomplete": autofill, "inputmode": inputModes, "autofocus": .flag,
            ]),
        .init(
            "output", is: [.phrase, .labelable], takes: .phrasing,
            attributes: ["for": .idrefs, "form": .idref, "name": .nonEmpty]),
        .init(
            "progress", is: [.phrase, .labelable, .progress], takes: .phrasing, forbids: .progress,
            attributes: ["value": .number, "max": .number]),
        .init(
            "meter", is: [.phrase, .labelable, .meter], takes: .phrasing, forbids: .meter,
            attributes: [
                "value": .number, "min": .number, "max": .number, "low": .number, "high": .number, "optimum": .number,
            ],
            required: ["value"]),
        .init(
            "fieldset", is: .flow, takes: .flow, order: [.maybe(.legend, "a legend"), .any(.flow)],
            attributes: ["name": .nonEmpty, "disabled": .flag, "form": .idref]),
        .init("legend", is: .legend, takes: [.phrasing, .heading], .named),
    ]

    /// The states of input (section 4.10.5) without image and file, which a static page has no use for.
    private static let inputTypes = [
        "hidden", "text", "search", "tel", "url", "email", "password", "date", "month", "week", "time",
        "datetime-local", "number", "range",
        "color", "checkbox", "radio", "submit", "reset", "button",
    ]

    /// on, off and the autofill fields a site may need (section 4.10.18.7).
    private static let autofill = ValueRule.oneOf([
        "on", "off", "name", "email", "username", "current-password", "new-password", "url", "tel",
    ])

    private static let onOff = ValueRule.oneOf(["on", "off"])

    private static let inputModes = ValueRule.oneOf([
        "none", "text", "tel", "url", "email", "numeric", "decimal", "search",
    ])

    /// Which types of input an attribute applies to (section 4.10.5, table of attributes and states).
    static let inputAttributes: [(attribute: StaticString, types: [StaticString])] = [
        ("checked", ["checkbox", "radio"]),
        ("placeholder", ["text", "search", "tel", "url", "email", "password", "number"]),
        ("maxlength", textual), ("minlength", textual), ("size", textual), ("pattern", textual),
        ("min", ranged), ("max", ranged), ("step", ranged),
        ("readonly", textual + ["date", "month", "week", "time", "datetime-local", "number"]),
        ("required", textual + ["date", "month", "week", "time", "datetime-local", "number", "checkbox", "radio"]),
        ("list", ["text", "search", "tel", "url", "email"] + ranged + ["color"]),
        ("multiple", ["email"]),
    ]

    private static let textual: [StaticString] = ["text", "search", "tel", "url", "email", "password"]
    private static let ranged: [StaticString] = ["date", "month", "week", "time", "datetime-local", "number", "range"]
}
