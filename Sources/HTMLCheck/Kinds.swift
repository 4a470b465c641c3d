/// What an element is, and so where it may stand: the content categories of the HTML Living Standard, section 3.2.5,
/// and one kind for each element that only certain parents take.
struct Kinds: OptionSet, Sendable {
    let rawValue: UInt64

    static let flow = kind(0)
    static let phrasing = kind(1)
    static let heading = kind(2)
    static let sectioning = kind(3)
    static let interactive = kind(4)
    static let labelable = kind(5)
    static let metadata = kind(6)

    /// As content: whatever the parent takes (the Standard's transparent content model).
    static let transparent = kind(7)

    static let document = kind(8)
    static let head = kind(9)
    static let body = kind(10)
    static let listItem = kind(11)
    static let term = kind(12)
    static let details = kind(13)
    static let group = kind(14)
    static let figcaption = kind(15)
    static let caption = kind(16)
    static let columns = kind(17)
    static let column = kind(18)
    static let headRows = kind(19)
    static let bodyRows = kind(20)
    static let footRows = kind(21)
    static let row = kind(22)
    static let cell = kind(23)
    static let option = kind(24)
    static let optionGroup = kind(25)
    static let legend = kind(26)
    static let summary = kind(27)
    static let source = kind(28)
    static let image = kind(29)

    // Kinds that some ancestors forbid.
    static let form = kind(32)
    static let label = kind(33)
    static let banner = kind(34)
    static let main = kind(35)
    static let definition = kind(36)
    static let progress = kind(37)
    static let meter = kind(38)
    static let table = kind(39)

    // SVG.
    static let drawing = kind(48)
    static let description = kind(49)
    static let stop = kind(50)
    static let span = kind(51)

    /// Phrasing content is flow content too.
    static let phrase: Kinds = [.flow, .phrasing]

    /// What an element takes of which nothing is known, so that one unknown name gives one fault.
    static let anything = Kinds(rawValue: .max)

    private static func kind(_ bit: UInt64) -> Kinds {
        Kinds(rawValue: 1 << bit)
    }
}
