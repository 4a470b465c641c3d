/// Records of a kind as a table: for the views of an exported archive, and for comma-separated values.
public struct ExportTable: Sendable {
    /// A column.
    public struct Column: Sendable {
        /// What is in it.
        public enum Content: Sendable {
            /// The record's number.
            case id
            /// The text, number or truth value at a path of member names.
            case value([String])
            /// The numbers at the ends of an array's links, separated by spaces.
            case links([String])
        }

        /// Its name: letters and underscores.
        package let name: String
        /// What is in it.
        package let content: Content

        /// A column with its content.
        package init(_ name: String, _ content: Content) {
            self.name = name
            self.content = content
        }
    }

    /// The kind of the records.
    package let kind: String
    /// The columns, from left to right.
    package let columns: [Column]

    /// A table of a kind.
    package init(_ kind: String, _ columns: [Column]) {
        self.kind = kind
        self.columns = columns
    }
}

/// Pairs of records, one of which links to the other: a view with two columns, named for the two kinds.
public struct ExportRelation: Sendable {
    /// The view's name.
    package let name: String
    /// The kind whose records have the links.
    package let kind: String
    /// The array member that they are in.
    package let member: String
    /// The kind that they lead to.
    package let other: String

    /// A relation between two kinds.
    package init(_ name: String, from kind: String, _ member: String, to other: String) {
        self.name = name
        self.kind = kind
        self.member = member
        self.other = other
    }
}

extension ExportTable {
    /// The view as SQL over the view `document`; hyphens of its name become underscores.
    package func view(named name: String) -> String {
        let name = String(name.map { $0 == "-" ? "_" : $0 })
        let columns = columns.map { column in
            switch column.content {
            case .id: "id AS \(column.name)"
            case .value(let path): "json_extract(document.json, '$.\(path.joined(separator: "."))') AS \(column.name)"
            case .links(let path):
                """
                (SELECT group_concat(\(Self.number(at: "value")), ' ')
                FROM (SELECT value FROM json_each(document.json, '$.\(path.joined(separator: "."))')
                ORDER BY key)) AS \(column.name)
                """
            }
        }
        return
            "CREATE VIEW \(name) AS SELECT \(columns.joined(separator: ", ")) FROM document WHERE kind = '\(kind)' "
            + "ORDER BY position"
    }

    /// The digits that a text ends with, as SQL.
    fileprivate static func number(at value: String) -> String {
        "CAST(replace(\(value), rtrim(\(value), '0123456789'), '') AS INTEGER)"
    }
}

extension ExportRelation {
    /// The view as SQL over the view `document`.
    package var view: String {
        """
        CREATE VIEW \(name) AS SELECT document.id AS \(kind), \(ExportTable.number(at: "link.value")) AS \(other)
        FROM document, json_each(document.json, '$.\(member)') AS link WHERE document.kind = '\(kind)'
        ORDER BY position, link.key
        """
    }
}
