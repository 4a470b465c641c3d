package import Catalogue

extension RickAndMorty {
    /// The members that the API serves, those of places by their names, lists by their numbers.
    package var exportTables: [ExportTable] {
        func values(_ names: String...) -> [ExportTable.Column] { names.map { .init($0, .value([$0])) } }
        return [
            ExportTable(
                "character",
                [.init("id", .id)] + values("name", "status", "species", "type", "gender") + [
                    .init("origin", .value(["origin", "name"])), .init("location", .value(["location", "name"])),
                    .init("episodes", .links(["episode"])),
                ] + values("image", "url", "created")),
            ExportTable(
                "location",
                [.init("id", .id)] + values("name", "type", "dimension") + [.init("residents", .links(["residents"]))]
                    + values("url", "created")),
            ExportTable(
                "episode",
                [.init("id", .id)] + values("name", "air_date", "episode") + [
                    .init("characters", .links(["characters"]))
                ]
                    + values("url", "created")),
        ]
    }

    /// Who appears in which episode, by the characters' word.
    package var exportRelations: [ExportRelation] {
        [ExportRelation("appearances", from: "character", "episode", to: "episode")]
    }
}
