package import Archive
package import Catalogue

/// The data of the site's search. Equally good results are shown in the order of the kinds.
package typealias SearchTable = [SearchKind]

extension SearchTable {
    package var rowCount: Int { reduce(0) { $0 + $1.count } }

    /// The maximum number of rows of an index that a search reads as one file, which then has at most 30 KB.
    package static var maxRowsInOneFile: Int { 2_500 }

    /// Filters of lists need all rows in one file, so a list with more rows has no filters.
    package var canBeFiltered: Bool { rowCount <= 20_000 }
}

/// The searchable records of one kind. Rows are read one by one through closures, so that no data is copied.
package struct SearchKind: Sendable {
    package let name: String
    /// The start of a page's path, such as "character/". The name of the row's files and ".html" follow.
    package let pathPrefix: String
    package let count: Int
    /// A row's id. If no row has a name of files, it is between 0 and 2^53, so that scripts can represent it exactly.
    package let id: @Sendable (_ row: Int) -> Int64
    /// The name of a row's files; nil if it is always the id.
    package let file: (@Sendable (_ row: Int) -> String)?
    /// A row's name. It is always searched.
    package let label: @Sendable (_ row: Int) -> String
    package let pictures: SearchPictures?
    /// The path of a row's picture, for kinds whose pictures have other names than the row's files.
    package let picturePath: (@Sendable (_ row: Int) -> SitePath?)?
    /// The text with the number of results of this kind. Kinds with the same text are one group of results.
    package let counted: TextDeclaration?
    /// Further properties of a row, in their order on pages.
    package let columns: [SearchColumn]

    package init(
        name: String, pathPrefix: String, count: Int, id: @escaping @Sendable (Int) -> Int64,
        file: (@Sendable (Int) -> String)? = nil, label: @escaping @Sendable (Int) -> String,
        pictures: SearchPictures? = nil, picturePath: (@Sendable (Int) -> SitePath?)? = nil,
        counted: TextDeclaration? = nil, columns: [SearchColumn]
    ) {
        self.name = name
        self.pathPrefix = pathPrefix
        self.count = count
        self.id = id
        self.file = file
        self.label = label
        self.pictures = pictures
        self.picturePath = picturePath
        self.counted = counted
        self.columns = columns
    }
}

/// The paths of a kind's pictures. A path consists of the folder, the row's id, "." and the usual extension of the
/// picture's format. A row without a picture has no format.
package typealias SearchPictures = (folder: String, format: @Sendable (_ row: Int) -> AssetFormat?)

/// One property of a kind's rows, such as the status of characters, and the number of each row's value in `values`. The
/// column `agreesWith` has the value that chooses the form of a translated value. A column without uses is for sorting.
package typealias SearchColumn = (
    name: String, uses: Set<SearchUse>, agreesWith: String?, values: SearchValues, value: @Sendable (_ row: Int) -> Int?
)

/// What scripts do with a column. The raw values are the bits that are written into the search index.
package enum SearchUse: Int, Sendable {
    case facet = 1
    case searched = 2
    case shown = 4
    /// Its values are written as dates of the page's language.
    case date = 8
    /// Its values are lists of texts.
    case list = 16
}

package enum SearchValues: Sendable {
    case listed([String])
    /// The names of another kind's rows. For example, a character's location is a row of the locations.
    case labels(of: String)
}
