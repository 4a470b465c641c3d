extension ElementTable {
    /// Inline SVG (SVG 1.1, element index): shapes, text, gradients and references within the page. Nothing that runs,
    /// moves or embeds; no aria attributes, which the Nu checker refuses there.
    static let svg: [ElementRule] = [
        drawn(
            "svg", is: .phrase, takes: graphics, check: .svg,
            attributes: [
                "width": .nonEmpty, "height": .nonEmpty, "viewBox": .nonEmpty, "preserveAspectRatio": .nonEmpty,
                "x": .nonEmpty,
                "y": .nonEmpty, "role": .oneOf(["img", "presentation"]), "focusable": .trueFalse,
            ]),
        drawn("g", is: .drawing, takes: graphics),
        drawn("defs", is: .drawing, takes: graphics),
        drawn(
            "symbol", is: .drawing, takes: graphics,
            attributes: ["viewBox": .nonEmpty, "preserveAspectRatio": .nonEmpty]),
        drawn("use", is: .drawing, takes: .description, attributes: box + ["href": .fragment]),
        drawn(
            "path", is: .drawing, takes: .description, attributes: ["d": .any, "pathLength": .number], required: ["d"]),
        drawn(
            "rect", is: .drawing, takes: .description, attributes: box + ["rx": .nonEmpty, "ry": .nonEmpty],
            required: ["width", "height"]),
        drawn(
            "circle", is: .drawing, takes: .description,
            attributes: ["cx": .nonEmpty, "cy": .nonEmpty, "r": .nonEmpty], required: ["r"]),
        drawn(
            "ellipse", is: .drawing, takes: .description,
            attributes: ["cx": .nonEmpty, "cy": .nonEmpty, "rx": .nonEmpty, "ry": .nonEmpty],
            required: ["rx", "ry"]),
        drawn(
            "line", is: .drawing, takes: .description,
            attributes: ["x1": .nonEmpty, "y1": .nonEmpty, "x2": .nonEmpty, "y2": .nonEmpty]),
        drawn("polyline", is: .drawing, takes: .description, attributes: ["points": .nonEmpty], required: ["points"]),
        drawn("polygon", is: .drawing, takes: .description, attributes: ["points": .nonEmpty], required: ["points"]),
        drawn("text", is: .drawing, takes: [.span, .description], .text, attributes: place),
        drawn("tspan", is: .span, takes: [.span, .description], .text, attributes: place),
        drawn("title", is: .description, .text),
        drawn("desc", is: .description, .text),
        drawn(
            "linearGradient", is: .drawing, takes: [.stop, .description],
            attributes: [
                "x1": .nonEmpty, "y1": .nonEmpty, "x2": .nonEmpty, "y2": .nonEmpty, "gradientUnits": units,
                "gradientTransform": .nonEmpty,
                "spreadMethod": .oneOf(["pad", "reflect", "repeat"]),
            ]),
        drawn("stop", is: .stop, attributes: ["offset": .nonEmpty], required: ["offset"]),
        drawn("clipPath", is: .drawing, takes: graphics, attributes: ["clipPathUnits": units]),
        drawn(
            "marker", is: .drawing, takes: graphics,
            attributes: [
                "refX": .nonEmpty, "refY": .nonEmpty, "markerWidth": .nonEmpty, "markerHeight": .nonEmpty,
                "orient": .nonEmpty,
                "viewBox": .nonEmpty, "preserveAspectRatio": .nonEmpty,
                "markerUnits": .oneOf(["strokeWidth", "userSpaceOnUse"]),
            ]),
        drawn(
            "pattern", is: .drawing, takes: graphics,
            attributes: box + [
                "patternUnits": units, "patternContentUnits": units, "patternTransform": .nonEmpty,
                "viewBox": .nonEmpty,
            ]),
    ]

    private static let graphics: Kinds = [.drawing, .description]
    private static let units = ValueRule.oneOf(["userSpaceOnUse", "objectBoundingBox"])

    private static let box: AttributeList = ["x": .nonEmpty, "y": .nonEmpty, "width": .nonEmpty, "height": .nonEmpty]

    private static let place: AttributeList = [
        "x": .nonEmpty, "y": .nonEmpty, "dx": .nonEmpty, "dy": .nonEmpty, "rotate": .nonEmpty, "textLength": .nonEmpty,
        "lengthAdjust": .oneOf(["spacing", "spacingAndGlyphs"]),
    ]

    /// The core and presentation attributes that every SVG element here has (SVG 1.1, property index).
    static let presentation: AttributeList = [
        "id": .id, "class": .any, "transform": .nonEmpty, "fill": .paint, "fill-opacity": .nonEmpty,
        "fill-rule": .oneOf(["nonzero", "evenodd"]), "stroke": .paint, "stroke-width": .nonEmpty,
        "stroke-opacity": .nonEmpty,
        "stroke-linecap": .oneOf(["butt", "round", "square"]), "stroke-linejoin": .oneOf(["miter", "round", "bevel"]),
        "stroke-miterlimit": .number, "stroke-dasharray": .nonEmpty, "stroke-dashoffset": .nonEmpty,
        "opacity": .nonEmpty,
        "color": .nonEmpty, "clip-path": .paint, "clip-rule": .oneOf(["nonzero", "evenodd"]), "mask": .paint,
        "marker-start": .paint,
        "marker-mid": .paint, "marker-end": .paint, "stop-color": .paint, "stop-opacity": .nonEmpty,
        "font-family": .nonEmpty,
        "font-size": .nonEmpty, "font-weight": .nonEmpty, "font-style": .oneOf(["normal", "italic", "oblique"]),
        "letter-spacing": .nonEmpty, "text-anchor": .oneOf(["start", "middle", "end"]), "dominant-baseline": .nonEmpty,
        "display": .nonEmpty, "visibility": .oneOf(["visible", "hidden", "collapse"]),
        "shape-rendering": .nonEmpty, "pointer-events": .nonEmpty,
    ]

    /// An element of SVG: without HTML's global attributes, with SVG's presentation attributes.
    private static func drawn(
        _ name: String, is kinds: Kinds, takes: Kinds = [], _ traits: ElementRule.Traits = [],
        check: ElementRule.Check = .none,
        attributes: AttributeList = [:], required: [String] = []
    ) -> ElementRule {
        ElementRule(
            name, is: kinds, takes: takes, traits.union(.bare), check: check, attributes: attributes, required: required
        )
    }
}
