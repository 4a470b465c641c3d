import Archive
import Catalogue
import Mustache
import Pages
import TestSupport

@testable import CatalogueEngine

/// A revision with the given records of a declared catalogue, and its plan.
final class PlannedRevision {
    let plan: SitePlan
    let reader: RevisionReader
    private let catalogue: DeclaredCatalogue
    private let scratch: ScratchFolder

    /// - Parameter assets: captured pictures and files by the paths of their requests.
    init(
        _ catalogue: DeclaredCatalogue, _ lists: [(kind: String, records: [String])], _ texts: Texts,
        assets: [String: (bytes: [UInt8], facts: AssetFacts)] = [:]
    ) async throws {
        self.catalogue = catalogue
        scratch = try ScratchFolder()
        let folder = ArchiveFolder(scratch["archive"])
        let writer = try ArchiveWriter(folder)
        let source = Source(catalogue: catalogue.name, api: "http://a.example/api", origin: .live)
        let revision = try await RevisionWriter(of: source, in: folder, through: writer, resumeAfter: 0)
        for (kind, records) in lists {
            let body = Array("[\(records.joined(separator: ","))]".utf8)
            let exchange = try await revision.accept(
                NewExchange(path: kind, role: .page, status: 200, headers: [], received: 1, body: body, asset: nil))
            let slices = try JSONSlices.elements(of: body).map { place in
                let facts = try catalogue.facts(of: body[place], kind: kind, base: source.api)
                return RecordSlice(key: facts.key, range: place, in: body, picture: facts.pictures.first)
            }
            try await revision.addRecords(slices, of: exchange, at: 0)
        }
        for (path, asset) in assets {
            _ = try await revision.accept(
                NewExchange(
                    path: path, role: .asset, status: 200, headers: [], received: 1, body: asset.bytes,
                    asset: asset.facts))
        }
        let finished = try await revision.finish(gaps: []).revision
        try await writer.close()
        reader = try RevisionReader(finished, in: folder)
        let context = SiteContext(
            reader.revision, try History(reader, catalogue), gaps: [], generator: "Amber test",
            editions: [Edition(texts, index: 0)], baseURL: nil)
        plan = try catalogue.plan(for: reader, context)
    }

    func tables() throws -> RecordTables {
        try RecordTables(reader, catalogue, catalogue.links("http://a.example/api"), folders: [])
    }

    /// The paths of each batch of a page set.
    func paths(_ index: Int) -> [[String]] {
        let set = plan.pages[index]
        return (0..<set.batchCount).map { set.pagePaths(inBatch: $0).map(\.text) }
    }

    func pages(_ index: Int) throws -> [[Page]] {
        let set = plan.pages[index]
        return try (0..<set.batchCount).map { try set.batch($0, from: reader).pages.map { try $0() } }
    }
}

extension Object {
    /// The value at a path of names, such as "field.location.name"; nil if a name is missing.
    func value(_ path: String) -> Value? {
        path.split(separator: ".").reduce(Value.object(self) as Value?) { value, name in
            if case .object(let object)? = value { object[String(name)]?.made } else { nil }
        }
    }

    /// The chart with an id on the page of figures.
    func chart(_ id: String) -> Object? {
        objects("charts").lazy.flatMap { chart in ["bars", "columns", "matrix"].compactMap { chart.value($0) } }
            .compactMap { if case .object(let chart) = $0 { chart } else { nil } }.first { $0.text("id") == id }
    }

    func text(_ path: String) -> String? {
        if case .text(let text)? = value(path) { text } else { nil }
    }

    /// The markup at a path; nil for another value.
    func html(_ path: String) -> String? {
        if case .html(let bytes)? = value(path) { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    func number(_ path: String) -> Double? {
        switch value(path) {
        case .integer(let number)?: Double(number)
        case .decimal(let number)?: number
        default: nil
        }
    }

    func objects(_ path: String) -> [Object] {
        guard case .list(let items)? = value(path) else { return [] }
        return items.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }

    func isFalse(_ path: String) -> Bool {
        if case .flag(false)? = value(path) { true } else { false }
    }

    func isNull(_ path: String) -> Bool {
        if case .null? = value(path) { true } else { false }
    }
}
