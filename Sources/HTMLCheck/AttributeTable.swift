/// Attributes that every element of HTML has.
enum AttributeTable {
    /// Global attributes (HTML Living Standard, section 3.2.6) and microdata (5.2). `style`, `accesskey` and event
    /// handlers are left out on purpose.
    static let global: [(name: String, value: ValueRule)] = [
        ("class", .any), ("id", .id), ("lang", .ownLanguage), ("dir", .oneOf(["ltr", "rtl", "auto"])), ("title", .any),
        ("hidden", .flag),
        ("spellcheck", .trueFalse), ("tabindex", .integer(-32_768...32_767)), ("translate", .oneOf(["yes", "no"])),
        ("role", .tokens(roles)),
        ("itemprop", .nonEmpty), ("itemscope", .flag), ("itemtype", .url), ("itemid", .url),
    ]

    /// States and properties of WAI-ARIA 1.2, section 6.6, without those deprecated there.
    static let aria: [(name: String, value: ValueRule)] = [
        ("aria-activedescendant", .idref), ("aria-atomic", .trueFalse),
        ("aria-autocomplete", .oneOf(["inline", "list", "both", "none"])),
        ("aria-busy", .trueFalse), ("aria-checked", triState), ("aria-colcount", .wholeNumber),
        ("aria-colindex", .wholeNumber), ("aria-colspan", .wholeNumber), ("aria-controls", .idrefs),
        ("aria-current", .oneOf(["page", "step", "location", "date", "time", "true", "false"])),
        ("aria-describedby", .idrefs),
        ("aria-details", .idref), ("aria-disabled", .trueFalse), ("aria-errormessage", .idref),
        ("aria-expanded", .trueFalse),
        ("aria-flowto", .idrefs),
        ("aria-haspopup", .oneOf(["true", "false", "menu", "listbox", "tree", "grid", "dialog"])),
        ("aria-hidden", .trueFalse), ("aria-invalid", .oneOf(["true", "false", "grammar", "spelling"])),
        ("aria-keyshortcuts", .nonEmpty),
        ("aria-label", .nonEmpty), ("aria-labelledby", .idrefs), ("aria-level", .integer(1...9)),
        ("aria-live", .oneOf(["off", "polite", "assertive"])), ("aria-modal", .trueFalse),
        ("aria-multiline", .trueFalse),
        ("aria-multiselectable", .trueFalse), ("aria-orientation", .oneOf(["horizontal", "vertical"])),
        ("aria-owns", .idrefs),
        ("aria-placeholder", .nonEmpty), ("aria-posinset", .wholeNumber), ("aria-pressed", triState),
        ("aria-readonly", .trueFalse),
        ("aria-relevant", .tokens(["additions", "removals", "text", "all"])), ("aria-required", .trueFalse),
        ("aria-roledescription", .nonEmpty), ("aria-rowcount", .wholeNumber), ("aria-rowindex", .wholeNumber),
        ("aria-rowspan", .wholeNumber), ("aria-selected", .trueFalse), ("aria-setsize", .wholeNumber),
        ("aria-sort", .oneOf(["ascending", "descending", "none", "other"])), ("aria-valuemax", .number),
        ("aria-valuemin", .number),
        ("aria-valuenow", .number), ("aria-valuetext", .nonEmpty),
    ]

    /// Which elements have a state or property by themselves; others need a role with it (WAI-ARIA 1.2, section 6.6,
    /// "used in roles").
    static let roleBound: [String: Set<String>] = [
        "aria-activedescendant": ["input", "textarea"], "aria-autocomplete": ["input", "textarea"], "aria-checked": [],
        "aria-colcount": [],
        "aria-colindex": [], "aria-colspan": [], "aria-expanded": ["a", "button", "select", "summary"],
        "aria-level": [], "aria-modal": ["dialog"], "aria-multiline": [], "aria-multiselectable": [],
        "aria-orientation": [],
        "aria-placeholder": [], "aria-posinset": ["li"], "aria-pressed": ["button"], "aria-readonly": [],
        "aria-required": ["input", "select", "textarea"], "aria-rowcount": [], "aria-rowindex": [], "aria-rowspan": [],
        "aria-selected": [], "aria-setsize": ["li"], "aria-sort": ["th"], "aria-valuemax": [], "aria-valuemin": [],
        "aria-valuenow": [],
        "aria-valuetext": [],
    ]

    /// The roles that elements of strong meaning may take instead (W3C, ARIA in HTML, section 4); an empty list: none.
    /// Elements that are not named here may have any.
    static let rolesByElement: [String: [String]] = {
        let none = ["none", "presentation"]
        var roles: [String: [String]] = [
            "a": ["button", "checkbox", "menuitem", "option", "radio", "switch", "tab"],
            "button": ["checkbox", "link", "menuitem", "option", "radio", "switch", "tab"],
            "input": ["switch", "combobox"], "figure": ["group", "figure"] + none, "figcaption": ["group"] + none,
            "ul": ["group", "list", "listbox", "menu", "menubar", "radiogroup", "tablist", "toolbar"] + none,
            "ol": ["group", "list", "listbox", "menu", "menubar", "radiogroup", "tablist", "toolbar"] + none,
            "li": ["listitem", "menuitem", "option", "radio", "separator", "tab"] + none,
            "nav": ["navigation"], "main": ["main"], "header": ["banner", "group"] + none,
            "footer": ["contentinfo", "group"] + none,
            "section": [
                "alert", "complementary", "feed", "log", "navigation", "note", "region", "search", "status", "tabpanel",
            ] + none,
            "article": ["document", "feed", "region"] + none,
            "aside": ["complementary", "feed", "note", "region", "search"] + none,
            "form": ["form", "search"] + none, "hr": ["separator"] + none, "dl": ["group", "list"] + none,
            "fieldset": ["group", "radiogroup"] + none, "dialog": ["alertdialog", "dialog"],
        ]
        for name in ["h1", "h2", "h3", "h4", "h5", "h6"] { roles[name] = ["tab"] + none }
        for name in [
            "html", "head", "title", "meta", "link", "script", "body", "label", "legend", "caption", "colgroup", "col",
            "br", "wbr",
            "picture",
            "source", "img", "datalist", "optgroup", "option", "select", "textarea", "progress", "meter", "details",
            "summary", "dt", "dd",
        ] { roles[name] = [] }
        return roles
    }()

    /// Roles of WAI-ARIA 1.2, section 5.4, that are not abstract and need no rows, cells or tree around them.
    private static let roles = [
        "alert", "alertdialog", "application", "article", "banner", "button", "checkbox", "combobox",
        "complementary", "contentinfo", "definition", "dialog", "document", "feed", "figure", "form", "group",
        "heading",
        "img", "link", "list", "listbox", "listitem", "log", "main", "marquee", "math", "menu", "menubar", "menuitem",
        "menuitemcheckbox",
        "menuitemradio", "navigation", "none", "note", "option", "presentation", "progressbar", "radio", "radiogroup",
        "region",
        "search", "searchbox", "separator", "slider", "spinbutton", "status", "switch", "tab",
        "tablist", "tabpanel", "term", "textbox", "timer", "toolbar", "tooltip",
    ]

    private static let triState = ValueRule.oneOf(["true", "false", "mixed"])
}
