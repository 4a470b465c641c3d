package import Archive
package import Catalogue

/// A catalogue with the pages of its site.
package protocol SiteCatalogue: Catalogue {
    /// The pages and files of a revision.
    /// - Throws: `ContentFault` or `ArchiveError` if the archive's content cannot be read.
    func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan

    /// The page templates, with the shapes of their models.
    var pageTemplates: [PageTemplate] { get }

    /// The fields whose values either all languages translate or none.
    var translatedFields: [String] { get }

    /// The fields with filters, and their labels. A language can have another label for the filter.
    var filters: [(field: String, label: TextDeclaration)] { get }

    /// The texts that the pages use. Every language must have them.
    var texts: [TextDeclaration] { get }

    /// The languages of the pages; empty for all that have shared texts.
    var languages: [String] { get }
}

/// The names, links and formats that a catalogue uses for records and their values on pages.
package protocol RecordPresenter: Sendable {
    /// The kinds in their order on pages, each with a plural text such as "{count} characters".
    var kinds: [(name: String, count: TextDeclaration)] { get }

    /// The page of a record; nil if the site has none.
    func page(of key: RecordKey) -> RecordPage?

    /// The labels of a record's values, in their order on its page.
    func members(of kind: String) -> [FieldLabel]

    /// The name of a member that `members` lacks, or the path of a value in it, in words.
    func words(_ member: String) -> String

    /// The record that an element of a list refers to; nil if it is not a reference.
    func key(_ element: JSON, of member: String, in kind: String) -> RecordKey?

    /// A value for people, as on pages, but of any length; nil if it has nothing to show, such as an empty string.
    func shown(_ value: JSON, of member: String, in record: RecordKey, _ texts: Texts) -> ShownValue?
}

/// A member, or the path of a value in a member, and its label on pages. The label is nil for values whose changes are
/// not shown, such as a record's own address.
package typealias FieldLabel = (name: String, label: TextDeclaration?)

/// The text and link of a value on a page.
package struct ShownValue: Sendable, Equatable {
    package let text: String
    package let path: SitePath?
    /// The address on another site, if the value leads there.
    package let link: String?
    /// Whether the text is in the language of the data. It is false for a translation.
    package let isServed: Bool

    package init(_ text: String, path: SitePath? = nil, link: String? = nil, isServed: Bool) {
        self.text = text
        self.path = path
        self.link = link
        self.isServed = isServed
    }
}

/// A record's page, the record's name on other pages, and its picture with the size in pixels. The paths are relative
/// to the language's root and to the site's root.
package typealias RecordPage = (path: SitePath, name: String, picture: ShownPicture?)
