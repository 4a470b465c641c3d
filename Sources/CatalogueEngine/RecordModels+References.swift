import Mustache
import Pages

/// The shapes of references on the page of a record.
extension RecordModels {
    static func rows(_ field: FieldDeclaration, _ row: Brief) -> References {
        let group = Shape(
            "\(field.name) group",
            .init("label", .text, "the name of the group"),
            .init("anchor", .text, "an id for its section"),
            .init("count", .text, "the number of its records, in words"),
            .init("items", .list(.object(row.shape)), "its records"))
        let shape = Shape(
            "\(field.name) rows",
            .init("any", .flag, "whether there are any on this page"),
            .init("count", .text, "the number of records, in words"),
            .init("items", .list(.object(row.shape)), "the records on this page, in the API's order"),
            .init("missing", .text, "the number of records that are not captured, in words; empty for none"),
            .init("leftOut", .text, "the number of records that the root excludes, in words; empty for none"),
            .init("first", .optional(.object(row.shape)), "the first of several records; nothing for one record"),
            .init("last", .optional(.object(row.shape)), "the last of several records; nothing for one record"),
            .init("isGrouped", .flag, "whether there are groups, with two or more items each on average"),
            .init("groups", .list(.object(group)), "the items in the groups of their list; empty without groups"))
        return (shape, group)
    }

    static func together(_ field: FieldDeclaration, _ card: Brief) -> References {
        let item = Shape(
            "\(field.name) item",
            .init("record", .object(card.shape), "the record"),
            .init("count", .text, "the number of references that both records have, in words; empty for one"))
        let shape = Shape(
            "\(field.name) items",
            .init("any", .flag, "whether there are any"),
            .init("items", .list(.object(item)), "the records that share the most references"))
        return (shape, item)
    }

    static func cards(_ field: FieldDeclaration, _ card: Brief) -> References {
        let shape = Shape(
            "\(field.name) cards",
            .init("any", .flag, "whether there are any on this page"),
            .init("count", .text, "the number of records, in words"),
            .init("pictures", .list(.object(PageParts.picture)), "the pictures of the first six records with one"),
            .init("items", .list(.object(card.shape)), "the records on this page, in the declared order"),
            .init("missing", .text, "the number of records that are not captured, in words; empty for none"))
        return (shape, card.shape)
    }
}
