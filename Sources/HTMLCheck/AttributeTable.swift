/// Attributes that every element of HTML has.
enum AttributeTable {
    /// Global attributes (HTML Living Standard, section 3.2.6) and microdata (5.2). `style`, `accesskey` and event handlers are left
    /// out on purpose.
    static let global: [(name: String, value: ValueRule)] = [
        ("class", .any), ("id", .id), ("lang", .language), ("dir", .oneOf(["ltr", "rtl", "auto"])), ("title", .any), ("hidden", .flag),
        ("tabindex", .integer(-32_768...32_767)), ("translate", .oneOf(["yes", "no"])), ("role", .tokens(roles)),
        ("itemprop", .nonEmpty), ("itemscope", .flag), ("itemtype", .url), ("itemid", .url),
    ]

    /// States and properties of WAI-ARIA 1.2, section 6.6, without those deprecated there.
    static let aria: [(name: String, value: ValueRule)] = [
        ("aria-activedescendant", .idref), ("aria-atomic", .trueFalse), ("aria-autocomplete", .oneOf(["inline", "list", "both", "none"])),
        ("aria-busy", .trueFalse), ("aria-checked", triState), ("aria-colcount", .integer(-1...Int(Int32.max))),
        ("aria-colindex", .wholeNumber), ("aria-colspan", .wholeNumber), ("aria-controls", .idrefs),
        ("aria-current", .oneOf(["page", "step", "location", "date", "time", "true", "false"])), ("aria-describedby", .idrefs),
        ("aria-details", .idref), ("aria-disabled", .trueFalse), ("aria-errormessage", .idref), ("aria-expanded", .trueFalse),
        ("aria-flowto", .idrefs), ("aria-haspopup", .oneOf(["true", "false", "menu", "listbox", "tree", "grid", "dialog"])),
        ("aria-hidden", .trueFalse), ("aria-invalid", .oneOf(["true", "false", "grammar", "spelling"])), ("aria-keyshortcuts", .nonEmpty),
        ("aria-label", .nonEmpty), ("aria-labelledby", .idrefs), ("aria-level", .integer(1...9)),
        ("aria-live", .oneOf(["off", "polite", "assertive"])), ("aria-modal", .trueFalse), ("aria-multiline", .trueFalse),
        ("aria-multiselectable", .trueFalse), ("aria-orientation", .oneOf(["horizontal", "vertical"])), ("aria-owns", .idrefs),
        ("aria-placeholder", .nonEmpty), ("aria-posinset", .wholeNumber), ("aria-pressed", triState), ("aria-readonly", .trueFalse),
        ("aria-relevant", .tokens(["additions", "removals", "text", "all"])), ("aria-required", .trueFalse),
        ("aria-roledescription", .nonEmpty), ("aria-rowcount", .integer(-1...Int(Int32.max))), ("aria-rowindex", .wholeNumber),
        ("aria-rowspan", .wholeNumber), ("aria-selected", .trueFalse), ("aria-setsize", .integer(-1...Int(Int32.max))),
        ("aria-sort", .oneOf(["ascending", "descending", "none", "other"])), ("aria-valuemax", .number), ("aria-valuemin", .number),
        ("aria-valuenow", .number), ("aria-valuetext", .nonEmpty),
    ]

    /// Roles of WAI-ARIA 1.2, section 5.4, that are not abstract.
    private static let roles = [
        "alert", "alertdialog", "application", "article", "banner", "button", "cell", "checkbox", "columnheader", "combobox",
        "complementary", "contentinfo", "definition", "dialog", "document", "feed", "figure", "form", "grid", "gridcell", "group",
        "heading",
        "img", "link", "list", "listbox", "listitem", "log", "main", "marquee", "math", "menu", "menubar", "menuitem", "menuitemcheckbox",
        "menuitemradio", "navigation", "none", "note", "option", "presentation", "progressbar", "radio", "radiogroup", "region", "row",
        "rowgroup", "rowheader", "scrollbar", "search", "searchbox", "separator", "slider", "spinbutton", "status", "switch", "tab",
        "table", "tablist", "tabpanel", "term", "textbox", "timer", "toolbar", "tooltip", "tree", "treegrid", "treeitem",
    ]

    private static let triState = ValueRule.oneOf(["true", "false", "mixed"])
}
