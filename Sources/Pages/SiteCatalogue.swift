public import Archive
public import Catalogue

/// A catalogue with the pages of its site.
public protocol SiteCatalogue: Catalogue {
    /// A record's fields as lines for a terminal, for the verb `card`.
    func cardLines(for record: StoredRecord, from reader: RevisionReader) throws -> [String]

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
}

extension SiteCatalogue {
    package func cardLines(for record: StoredRecord, from reader: RevisionReader) throws -> [String] { [] }
    package var translatedFields: [String] { [] }
    package var filters: [(field: String, label: TextDeclaration)] { [] }
}
