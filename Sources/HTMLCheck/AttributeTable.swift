/// The attributes that all HTML elements, or all SVG elements, may have. A key can contain several names with one rule.
enum AttributeTable {
    /// Global attributes (HTML Living Standard, section 3.2.6), microdata (5.2), and the states and properties of
    /// WAI-ARIA 1.2, section 6.6, except deprecated ones. `style`, `accesskey` and event handlers are not allowed.
    static let global: KeyValuePairs<String, ValueRule> = [
        "class title": .any, "id": .id, "lang": .ownLanguage, "dir": .direction,
        "hidden itemscope": .flag, "tabindex": .integer(-32_768...32_767), "translate": .oneOf("yes no"),
        "role": .tokens(allRoles), "itemprop": .nonEmpty, "itemtype itemid": .url,

        "spellcheck aria-atomic aria-busy aria-disabled aria-expanded aria-hidden aria-modal": .trueFalse,
        "aria-multiline aria-multiselectable aria-readonly aria-required aria-selected": .trueFalse,
        "aria-checked aria-pressed": .oneOf("true false mixed"),
        "aria-activedescendant aria-details aria-errormessage": .idref,
        "aria-controls aria-describedby aria-flowto aria-labelledby aria-owns": .idrefs,
        "aria-keyshortcuts aria-label aria-placeholder aria-roledescription aria-valuetext": .nonEmpty,
        "aria-colcount aria-colindex aria-colspan aria-posinset aria-rowcount aria-rowindex": .wholeNumber,
        "aria-rowspan aria-setsize": .wholeNumber, "aria-level": .integer(1...9),
        "aria-valuemax aria-valuemin aria-valuenow": .number, "aria-autocomplete": .oneOf("inline list both none"),
        "aria-current": .oneOf("page step location date time true false"),
        "aria-haspopup": .oneOf("true false menu listbox tree grid dialog"),
        "aria-invalid": .oneOf("true false grammar spelling"), "aria-live": .oneOf("off polite assertive"),
        "aria-orientation": .oneOf("horizontal vertical"), "aria-relevant": .tokens("additions removals text all"),
        "aria-sort": .oneOf("ascending descending none other"),
    ]

    /// The attributes of HTML elements that change more than their own value.
    static let effects: KeyValuePairs<String, AttributeRule.Effect> = [
        "alt aria-label aria-labelledby": .names, "label": .namesOption, "value": .namesSuggestion, "hidden": .hides,
        "aria-hidden": .hidesIfTrue, "tabindex": .focuses, "itemscope": .itemScope,
        "itemtype": .requires("itemscope"), "itemid": .requires("itemtype"), "itemprop": .itemProperty,
    ]

    /// The elements that may have a state or property without a role; others need one (WAI-ARIA 1.2, section 6.6).
    static let roleBound: KeyValuePairs<String, String> = [
        "aria-activedescendant aria-autocomplete": "input textarea", "aria-required": "input select textarea",
        "aria-expanded": "a button select summary", "aria-modal": "dialog", "aria-pressed": "button",
        "aria-posinset aria-setsize": "li", "aria-sort": "th",
        "aria-checked aria-colcount aria-colindex aria-colspan aria-level aria-multiline aria-multiselectable": "",
        "aria-orientation aria-placeholder aria-readonly aria-rowcount aria-rowindex aria-rowspan aria-selected": "",
        "aria-valuemax aria-valuemin aria-valuenow aria-valuetext": "",
    ]

    /// The roles of elements (W3C, ARIA in HTML, section 4). Elements that are not listed may have any role.
    static let roles: KeyValuePairs<String, StaticString> = [
        "a": "button checkbox menuitem option radio switch tab",
        "button": "checkbox link menuitem option radio switch tab",
        "input": "switch combobox",
        "figure": "group figure none presentation",
        "figcaption": "group none presentation",
        "ul ol": "group list listbox menu menubar radiogroup tablist toolbar none presentation",
        "li": "listitem menuitem option radio separator tab none presentation",
        "nav": "navigation",
        "main": "main",
        "header": "banner group none presentation",
        "footer": "contentinfo group none presentation",
        "section": """
        alert complementary feed log navigation note region search status tabpanel none presentation
        """,
        "article": "document feed region none presentation",
        "aside": "complementary feed note region search none presentation",
        "form": "form search none presentation",
        "hr": "separator none presentation",
        "dl": "group list none presentation",
        "fieldset": "group radiogroup none presentation",
        "dialog": "alertdialog dialog",
        "h1 h2 h3 h4 h5 h6": "tab none presentation",
        "html head title meta link script body label legend caption colgroup col br wbr picture source img": "",
        "datalist optgroup option select textarea progress meter details summary dt dd": "",
    ]

    /// The roles of WAI-ARIA 1.2, section 5.4, except abstract roles and those of grids and trees.
    private static let allRoles: StaticString = """
        alert alertdialog application article banner button checkbox combobox complementary contentinfo definition \
        dialog document feed figure form group heading img link list listbox listitem log main marquee math menu \
        menubar menuitem menuitemcheckbox menuitemradio navigation none note option presentation progressbar radio \
        radiogroup region search searchbox separator slider spinbutton status switch tab tablist tabpanel term textbox \
        timer toolbar tooltip
        """

    /// The core and presentation attributes that all SVG elements may have (SVG 1.1, property index).
    static let presentation: KeyValuePairs<String, ValueRule> = [
        "id": .id, "class": .any, "fill stroke clip-path mask marker-start marker-mid marker-end stop-color": .paint,
        "transform fill-opacity stroke-width stroke-opacity stroke-dasharray stroke-dashoffset opacity": .nonEmpty,
        "color stop-opacity font-family font-size font-weight letter-spacing dominant-baseline display": .nonEmpty,
        "shape-rendering pointer-events": .nonEmpty, "stroke-miterlimit": .number,
        "fill-rule clip-rule": .oneOf("nonzero evenodd"), "stroke-linecap": .oneOf("butt round square"),
        "stroke-linejoin": .oneOf("miter round bevel"), "font-style": .oneOf("normal italic oblique"),
        "text-anchor": .oneOf("start middle end"), "visibility": .oneOf("visible hidden collapse"),
    ]

    /// The input types to which an attribute applies (HTML Living Standard, section 4.10.5).
    static let inputTypes: KeyValuePairs<StaticString, StaticString> = [
        "checked": "checkbox radio", "placeholder": "text search tel url email password number",
        "maxlength": textual, "minlength": textual, "size": textual, "pattern": textual,
        "min": ranged, "max": ranged, "step": ranged,
        "readonly": "text search tel url email password date month week time datetime-local number",
        "required": "text search tel url email password date month week time datetime-local number checkbox radio",
        "list": "text search tel url email date month week time datetime-local number range color",
        "multiple": "email",
    ]

    private static let textual: StaticString = "text search tel url email password"
    private static let ranged: StaticString = "date month week time datetime-local number range"
}
