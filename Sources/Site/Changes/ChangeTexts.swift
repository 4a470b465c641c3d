import Catalogue

/// The texts of the pages of changes and of the feed.
enum ChangeTexts {
    static let title = TextNeed("changes")
    static let description = TextNeed("changesDescription")
    static let titleOf = TextNeed("changesOf", filling: ["day"])
    static let numberedTitle = TextNeed("numberedTitle", filling: ["title", "number"])
    static let new = TextNeed("changesNew", filling: ["what"])
    static let gone = TextNeed("changesGone", filling: ["what"])
    static let changed = TextNeed("changesChanged", filling: ["what"])
    static let pictures = TextNeed(plural: "changesPictures")
    static let all = TextNeed(plural: "changesAll")
    static let baseline = TextNeed("changesBaseline", filling: ["what"])
    static let same = TextNeed("changesSame")
    static let picture = TextNeed("changedPicture")
    static let stateCount = TextNeed(plural: "stateCount")
    static let more = TextNeed(plural: "andMore")
    static let orderChanged = TextNeed("historyOrder")
    static let detailsChanged = TextNeed("changedDetails")
    static let added = TextNeed("historyAdded")
    static let removed = TextNeed("historyRemoved")
    static let feedTitle = TextNeed("feedTitle", filling: ["site"])
    static let noValue = TextNeed("noValue")

    static let needs = [
        title, description, titleOf, numberedTitle, new, gone, changed, pictures, all, baseline, same, picture,
        stateCount, more,
        orderChanged, detailsChanged, added, removed, feedTitle, noValue,
    ]
}
