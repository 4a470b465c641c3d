import Catalogue
import Pages

/// The content of a `catalogue.json`: how an API is captured, and how its records are shown.
package struct CatalogueDeclaration: Sendable {
    /// The rules for reading a page of a list. Paths are relative to the answer.
    struct List: Sendable {
        /// The path of a page at the API up to the page's number, with the placeholder `{list}`.
        let pathBeforePage: String
        let records: String
        let count: FieldPath
        let pages: FieldPath
        /// The member that an answer with an error has instead of records.
        let error: String?
    }

    /// The rules for requesting single records.
    struct Lookup: Sendable {
        let most: Int
    }

    package let name: String
    let api: String
    /// The language of the API's texts, such as "en"; empty if unknown.
    let language: String
    let list: List
    let lookup: Lookup
    /// The names and paths of the lists at the root address, and the body of answers with status 404.
    let root: DeclarationValue?
    let notFound: DeclarationValue?
    /// The kind whose records the verb `card` captures.
    let cardKind: String?
    /// The kinds in the order of the lists.
    let kinds: [KindDeclaration]
    /// Kinds, and "figures" for the page of figures, in the order of the navigation.
    let navigation: [String]
    let figures: [FigureDeclaration]
    /// Relations in the exported data: a name, and a field that refers to records.
    let relations: [(name: String, kind: String, field: FieldDeclaration)]

    func kind(_ name: String) -> KindDeclaration? { kinds.first { $0.name == name } }
}

/// The rule that groups the rows of a list by a part of a formatted value, such as the season of an episode.
struct GroupRule: Sendable {
    let field: Int
    let part: String
    /// The name of a group, with the placeholder "number".
    let label: TextDeclaration
    /// The name of the group of all other rows.
    let others: TextDeclaration
}

/// A chart on the page of figures.
struct FigureDeclaration: Sendable {
    enum FigureType: String, CaseIterable, Sendable {
        /// The values of a field as parts of all records.
        case bars
        /// The records with the most references.
        case most
        /// A column for each record, in groups.
        case columns
        /// The pairs of records that share references.
        case matrix
    }

    /// The texts of the chart, by the key of the declaration.
    let texts: [String: TextDeclaration]
    let id: String
    let type: FigureType
    let kind: String
    let field: Int
    let most: Int

    func text(_ key: String) -> TextDeclaration { texts[key] ?? TextDeclaration(key) }
}
