extension ElementTable {
    /// Forms (HTML Living Standard, section 4.10).
    static let forms: [Element] = [
        .init(
            "form", is: [.flow, .form], allowedChildren: .flow, forbiddenDescendants: .form,
            attributes: [
                "action": .link, "method": .oneOf("get post"), "name": .nonEmpty, "autocomplete": .oneOf("on off"),
                "novalidate": .flag, "accept-charset": .oneOf("utf-8"), "target": .oneOf("_self"),
            ]),
        .init(
            "label", is: [.phrase, .interactive, .label], allowedChildren: .phrasing, forbiddenDescendants: .label,
            attributes: ["for": .control]),
        // The types image and file are not allowed, because a static page does not need them (section 4.10.5).
        .init(
            "input", is: [.phrase, .interactive, .labelable, .void],
            attributes: [
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
        .init(
            "button", is: [.phrase, .interactive, .labelable, .named], allowedChildren: .phrasing,
            forbiddenDescendants: .interactive,
            attributes: [
                "type!": .oneOf("button submit reset"), "name": .nonEmpty, "value": .any, "disabled autofocus": .flag,
                "form": .idref,
            ]),
        .init(
            "select", is: [.phrase, .interactive, .labelable], allowedChildren: [.option, .optionGroup],
            attributes: [
                "name": .nonEmpty, "required disabled multiple autofocus": .flag, "size": .integer(1...1_000),
                "form": .idref, "autocomplete": autofill,
            ]),
        .init("datalist", is: .phrase, allowedChildren: .option),
        .init(
            "optgroup", is: .optionGroup, allowedChildren: .option,
            attributes: ["label!": .nonEmpty, "disabled": .flag]),
        .init(
            "option", is: [.option, .text, .named],
            attributes: ["value": .any, "label": .nonEmpty, "selected disabled": .flag]),
        .init(
            "textarea", is: [.phrase, .interactive, .labelable, .text],
            attributes: [
                "name": .nonEmpty, "rows cols": .integer(1...1_000), "placeholder": .any,
                "required readonly disabled autofocus": .flag, "minlength maxlength": .wholeNumber, "form": .idref,
                "wrap": .oneOf("soft hard"), "autocomplete": autofill, "inputmode": inputModes,
            ]),
        .init(
            "output", is: [.phrase, .labelable], allowedChildren: .phrasing,
            attributes: ["for": .idrefs, "form": .idref, "name": .nonEmpty]),
        .init(
            "progress", is: [.phrase, .labelable, .progress], allowedChildren: .phrasing,
            forbiddenDescendants: .progress, attributes: ["value max": .number]),
        .init(
            "meter", is: [.phrase, .labelable, .meter], allowedChildren: .phrasing, forbiddenDescendants: .meter,
            attributes: ["value! min max low high optimum": .number]),
        .init(
            "fieldset", is: .flow, allowedChildren: .flow, order: [.maybe(.legend), .any(.flow)],
            attributes: ["name": .nonEmpty, "disabled": .flag, "form": .idref]),
        .init("legend", is: [.legend, .named], allowedChildren: [.phrasing, .heading]),
    ]

    /// on, off and the autofill fields that a site may need (section 4.10.18.7).
    private static let autofill = ValueRule.oneOf("on off name email username current-password new-password url tel")

    private static let inputModes = ValueRule.oneOf("none text tel url email numeric decimal search")

    /// Inline SVG (SVG 1.1, element index): shapes, text, gradients and references within the page. Scripts, animations
    /// and embedded content are not allowed, nor aria attributes, which the Nu checker refuses there.
    static let svg: [Element] = [
        .init(
            "svg", is: [.svg, .phrase], allowedChildren: graphics,
            attributes: [
                "width height viewBox preserveAspectRatio x y": .nonEmpty, "role": .oneOf("img presentation"),
                "focusable": .trueFalse,
            ]),
        .init("a", is: drawing, allowedChildren: graphics, attributes: ["href!": .link, "tabindex": .integer(-1...0)]),
        .init("g defs", is: drawing, allowedChildren: graphics),
        .init("symbol", is: drawing, allowedChildren: graphics, attributes: ["viewBox preserveAspectRatio": .nonEmpty]),
        shape("use", ["x y width height": .nonEmpty, "href": .fragment]),
        shape("path", ["d!": .any, "pathLength": .number]),
        shape("rect", ["x y width! height! rx ry": .nonEmpty]),
        shape("circle", ["cx cy r!": .nonEmpty]),
        shape("ellipse", ["cx cy rx! ry!": .nonEmpty]),
        shape("line", ["x1 y1 x2 y2": .nonEmpty]),
        shape("polyline polygon", ["points!": .nonEmpty]),
        .init("text", is: [.svg, .drawing, .text], allowedChildren: [.span, .description], attributes: glyphs),
        .init("tspan", is: [.svg, .span, .text], allowedChildren: [.span, .description], attributes: glyphs),
        .init("title desc", is: [.svg, .description, .text]),
        .init(
            "linearGradient", is: drawing, allowedChildren: [.stop, .description],
            attributes: [
                "x1 y1 x2 y2 gradientTransform": .nonEmpty, "gradientUnits": units,
                "spreadMethod": .oneOf("pad reflect repeat"),
            ]),
        .init("stop", is: [.svg, .stop], attributes: ["offset!": .nonEmpty]),
        .init("clipPath", is: drawing, allowedChildren: graphics, attributes: ["clipPathUnits": units]),
        .init(
            "marker", is: drawing, allowedChildren: graphics,
            attributes: [
                "refX refY markerWidth markerHeight orient viewBox preserveAspectRatio": .nonEmpty,
                "markerUnits": .oneOf("strokeWidth userSpaceOnUse"),
            ]),
        .init(
            "pattern", is: drawing, allowedChildren: graphics,
            attributes: [
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
        Element(name, is: drawing, allowedChildren: .description, attributes: attributes)
    }
}
