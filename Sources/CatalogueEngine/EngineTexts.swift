import Pages

/// The texts that the engine uses for every declared catalogue.
enum EngineTexts {
    static let title = TextDeclaration("siteTitle")
    static let sampleTitle = TextDeclaration("sampleTitle")
    static let searchLabel = TextDeclaration("searchLabel")
    static let searchDescription = TextDeclaration("searchDescription")
    static let figures = TextDeclaration("figures")
    static let figuresDescription = TextDeclaration("figuresDescription")
    static let pictureCount = TextDeclaration(plural: "pictureCount")
    static let missing = TextDeclaration(plural: "missingCount")
    static let more = TextDeclaration(plural: "andMore")
    static let date = TextDeclaration("dateOf", filling: ["day", "month", "year"])
    static let months = (1...12).map { TextDeclaration("month\($0)") }
    static let rating = TextDeclaration(plural: "ratingOf", filling: ["rating"])
    static let megabytes = TextDeclaration("megabytes", filling: ["number"])
    static let decimalMark = TextDeclaration("decimalMark")

    static let all =
        [
            title, sampleTitle, searchLabel, searchDescription, pictureCount, missing, more, date, rating, megabytes,
            decimalMark,
        ] + months
}
