import Archive
import Catalogue
import Platform

/// A revision's exchanges as a web archive: each answer as it came, and each record that a list brought as made from
/// that list's page.
struct WebArchive {
    private let ingredients: SnapshotBuild.Ingredients
    private let reader: RevisionReader

    init(_ ingredients: SnapshotBuild.Ingredients, _ reader: RevisionReader) {
        self.ingredients = ingredients
        self.reader = reader
    }

    /// - Parameter limit: the most bytes of its records.
    func write(to path: String, about: SnapshotAbout, limit: Int64? = nil) throws {
        var writer = try WACZWriter(path, about: about.webArchive, limit: limit)
        var pages: [WACZWriter.Page] = []
        let catalogue = ingredients.catalogue
        let firstPages = Set(
            catalogue.lists.map { $0.path(page: 1) } + catalogue.roots.compactMap { catalogue.path(for: [$0]) })
        for role in [AnswerRole.page, .records, .picture] {
            try reader.forEachAnswer(as: role, withHeaders: true) { exchange in
                let response = try response(exchange)
                try writer.add(.response(response))
                if firstPages.contains(exchange.path) {
                    pages.append(.init(uri: uri(exchange.path), title: exchange.path, received: exchange.received))
                }
                for record in try reader.records(broughtBy: exchange) {
                    // A record that was asked for by itself is in its answer already.
                    guard let path = catalogue.path(for: [record.key]), path != exchange.path else { continue }
                    try writer.add(.conversion(WARCConversion(uri: uri(path), bytes: record.bytes, from: response)))
                }
            }
        }
        try writer.finish(pages: pages)
    }

    private func uri(_ path: String) -> String { Exchange.url(of: path, below: ingredients.base) }

    private func response(_ exchange: Exchange) throws -> WARCResponse {
        let body: PackageContent
        let size: Int64
        if let asset = exchange.asset {
            body = .file(reader.path(of: asset))
            size = Int64(asset.size)
        } else {
            let bytes = try reader.document(of: exchange)
            body = .bytes(bytes)
            size = Int64(bytes.count)
        }
        return WARCResponse(
            uri: uri(exchange.path), received: exchange.received, status: exchange.status, headers: exchange.headers,
            body: body,
            size: size,
            sha256: exchange.sha256)
    }
}
