/// An open element while a page is read.
struct Frame {
    /// The element's number in the grammar, or -1 for the document and for unknown elements.
    var element: Int
    var line: Int

    /// What may stand in it, with transparent content resolved.
    var takes: Kinds

    /// What may not stand anywhere below it.
    var forbids: Kinds
    var notes: Notes

    /// The step of an ordered content model reached so far, and how many children that step has.
    var step = 0
    var stepCount = 0
    var children = 0

    /// What the reader remembers of an open element.
    struct Notes: OptionSet {
        let rawValue: UInt16

        /// Has text, an image with alt or an aria-label, of its own or inside.
        static let named = Notes(rawValue: 1 << 0)

        /// hidden or aria-hidden: gives no name to what is around it.
        static let silent = Notes(rawValue: 1 << 1)

        /// Written as an empty-element tag.
        static let selfClosed = Notes(rawValue: 1 << 2)

        /// Unknown: nothing inside is judged by its place.
        static let unknown = Notes(rawValue: 1 << 3)

        /// Bare text in it has been reported.
        static let textReported = Notes(rawValue: 1 << 4)

        /// In a microdata item.
        static let item = Notes(rawValue: 1 << 5)

        /// A script of data; otherwise a script holds nothing.
        static let dataScript = Notes(rawValue: 1 << 6)

        /// A div that groups terms, or a dl with such divs.
        static let grouped = Notes(rawValue: 1 << 7)

        /// A dl or group: the last child was a dt, was a dd.
        static let lastTerm = Notes(rawValue: 1 << 8)
        static let lastDetails = Notes(rawValue: 1 << 9)

        /// A figure: the caption has come, and not as the first child.
        static let captioned = Notes(rawValue: 1 << 10)
        static let captionedLate = Notes(rawValue: 1 << 11)

        /// A label with a control in it.
        static let control = Notes(rawValue: 1 << 12)

        /// In a label with a for attribute, or a head: title, viewport seen.
        static let titled = Notes(rawValue: 1 << 13)
        static let viewport = Notes(rawValue: 1 << 14)

        /// HTML's own namespace is left.
        static let svg = Notes(rawValue: 1 << 15)
    }
}
