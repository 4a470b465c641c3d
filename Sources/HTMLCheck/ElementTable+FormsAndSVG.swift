extension ElementTable {
    /// Forms (HTML Living Standard, section 4.10).
    static let forms: [Element] = [
        .init("form", [.flow, .form], content: [.flow], without: [.form]).having([
            "action": .link, "method": .oneOf("get post"), "name": .nonEmpty, "autocomplete": .oneOf("on off"),
            "novalidate": .flag, "accept-charset": .oneOf("utf-8"), "target": .oneOf("_self"),
        ]),
        .init("label", .phrase(.interactive, .label), content: [.phrasing], without: [.label]).having([
            "for": .idref
        ]),
        // The types image and file are not allowed, because a static page does not need them (section 4.10.5).
        .init("input", .phrase(.interactive, .labelable, .void)).having([
            "type": .oneOf(
                """
                hidden text search tel url email password date month week time datetime-local number range color \
                checkbox radio submit reset button
                """),
            "name min max step pattern": .nonEmpty, "value placeholder": .any,
            "required readonly disabled checked multiple autofocus": .flag, "list form": .idref,
            "minlength maxlength": .wholeNumber, "size": .integer(1...1_000), "autocomplete": autofill,
            "inputmode": inputModes,
        ]),
        .init("button", .phrase(.interactive, .labelable, .named), content: [.phrasing], without: [.interactive])
            .having([
                "type!": .oneOf("button submit reset"), "name": .nonEmpty, "value": .any, "disabled autofocus": .flag,
                "form": .idref,
            ]),
        .init("select", .phrase(.interactive, .labelable), content: [.option, .optionGroup]).having([
            "name": .nonEmpty, "required disabled multiple autofocus": .flag, "size": .integer(1...1_000),
            "form": .idref, "autocomplete": autofill,
        ]),
        .init("datalist", .phrase(), content: [.option]),
        .init("optgroup", [.optionGroup], content: [.option]).having(["label!": .nonEmpty, "disabled": .flag]),
        .init("option", [.option, .text, .named]).having([
            "value": .any, "label": .nonEmpty, "selected disabled": .flag,
        ]),
        .init("textarea", .phrase(.interactive, .labelable, .text)).having([
            "name": .nonEmpty, "rows cols": .integer(1...1_000), "placeholder": .any,
            "required readonly disabled autofocus": .flag, "minlength maxlength": .wholeNumber, "form": .idref,
            "wrap": .oneOf("soft hard"), "autocomplete": autofill, "inputmode": inputModes,
        ]),
        .init("output", .phrase(.labelable), content: [.phrasing]).having([
            "for": .idrefs, "form": .idref, "name": .nonEmpty,
        ]),
        .init("progress", .phrase(.labelable, .progress), content: [.phrasing], without: [.progress]).having(
            ["value max": .number]),
        .init("meter", .phrase(.labelable, .meter), content: [.phrasing], without: [.meter]).having([
            "value! min max low high optimum": .number
        ]),
        .init("fieldset", [.flow], content: [.flow], order: [.maybe([.legend]), .any([.flow])]).having([
            "name": .nonEmpty, "disabled": .flag, "form": .idref,
        ]),
        .init("legend", [.legend, .named], content: [.phrasing, .heading]),
    ]

    /// on, off and the autofill fields that a site may need (section 4.10.18.7).
    private static let autofill = ValueRule.oneOf("on off name email username current-password new-password url tel")

    private static let inputModes = ValueRule.oneOf("none text tel url email numeric decimal search")

    /// Inline SVG (SVG 1.1, element index): shapes, text, gradients and references within the page. Scripts, animations
    /// and embedded content are not allowed, nor aria attributes, which the Nu checker refuses there.
    static let svg: [Element] = [
        .init("svg", .phrase(.svg), content: graphics).having([
            "width height viewBox preserveAspectRatio x y": .nonEmpty, "role": .oneOf("img presentation"),
            "focusable": .trueFalse,
        ]),
        .init("a", drawing, content: graphics).having(["href!": .link, "tabindex": .integer(-1...0)]),
        .init("g defs", drawing, content: graphics),
        .init("symbol", drawing, content: graphics).having(["viewBox preserveAspectRatio": .nonEmpty]),
        shape("use", ["x y width height": .nonEmpty, "href": .fragment]),
        shape("path", ["d!": .any, "pathLength": .number]),
        shape("rect", ["x y width! height! rx ry": .nonEmpty]),
        shape("circle", ["cx cy r!": .nonEmpty]),
        shape("ellipse", ["cx cy rx! ry!": .nonEmpty]),
        shape("line", ["x1 y1 x2 y2": .nonEmpty]),
        shape("polyline polygon", ["points!": .nonEmpty]),
        .init("text", [.svg, .drawing, .text], content: [.span, .description]).having(glyphs),
        .init("tspan", [.svg, .span, .text], content: [.span, .description]).having(glyphs),
        .init("title desc", [.svg, .description, .text]),
        .init("linearGradient", drawing, content: [.stop, .description]).having([
            "x1 y1 x2 y2 gradientTransform": .nonEmpty, "gradientUnits": units,
            "spreadMethod": .oneOf("pad reflect repeat"),
        ]),
        .init("stop", [.svg, .stop]).having(["offset!": .nonEmpty]),
        .init("clipPath", drawing, content: graphics).having(["clipPathUnits": units]),
        .init("marker", drawing, content: graphics).having([
            "refX refY markerWidth markerHeight orient viewBox preserveAspectRatio": .nonEmpty,
            "markerUnits": .oneOf("strokeWidth userSpaceOnUse"),
        ]),
        .init("pattern", drawing, content: graphics).having([
            "x y width height patternTransform viewBox": .nonEmpty, "patternUnits patternContentUnits": units,
        ]),
    ]

    private static let drawing: Kinds = [.svg, .drawing]
    private static let graphics: Kinds = [.drawing, .description]
    private static let units = ValueRule.oneOf("userSpaceOnUse objectBoundingBox")
    private static let glyphs: KeyValuePairs<String, ValueRule> = [
        "x y dx dy rotate textLength": .nonEmpty, "lengthAdjust": .oneOf("spacing spacingAndGlyphs"),
    ]

    private static func shape(_ name: String, _ attributes: KeyValuePairs<String, ValueRule>) -> Element {
        Element(name, drawing, content: [.description]).having(attributes)
    }
}
