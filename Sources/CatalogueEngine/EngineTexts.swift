import Pages

/// The texts that the engine uses for every declared catalogue.
enum EngineTexts {
    static let title = TextDeclaration("siteTitle")
    static let sampleTitle = TextDeclaration("sampleTitle")
    static let searchLabel = TextDeclaration("searchLabel")
    /// The label of a search that finds only names.
    static let searchNames = TextDeclaration("searchNames")
    static let figures = TextDeclaration("figures")
    static let figuresDescription = TextDeclaration("figuresDescription")
    static let missing = TextDeclaration(plural: "missingCount")
    static let asOf = TextDeclaration("asOf", filling: ["date"])
    static let rating = TextDeclaration(plural: "ratingOf", filling: ["rating"])
    static let kilobytes = TextDeclaration("kilobytes", filling: ["number"])
    static let megabytes = TextDeclaration("megabytes", filling: ["number"])
    static let hours = TextDeclaration("hoursAndMinutes", filling: ["hours", "minutes"])
    static let minutes = TextDeclaration("minutes", filling: ["minutes"])
    static let yes = TextDeclaration("yes")
    static let no = TextDeclaration("no")
    static let decimalMark = TextDeclaration("decimalMark")

    /// The text of figures for a blank name.
    static let unnamed = TextDeclaration("figureUnnamed")
    static let percent = TextDeclaration("figurePercent", filling: ["number"])

    static let all = [
        title, sampleTitle, searchLabel, searchNames, figures, figuresDescription, missing, asOf,
        rating, kilobytes, megabytes, hours, minutes, yes, no, decimalMark, unnamed, percent,
    ]
}
