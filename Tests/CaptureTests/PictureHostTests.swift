import Archive
import Capture
import Catalogue
import CatalogueEngine
import HTTP
import KnownCatalogues
import Platform
import TestSupport
import Testing

struct PictureHostTests {
    private static let hosts = [
        "http://is4.mzstatic.com/image/thumb/a/100x100bb.jpg", "https://evil.example/image/100x100bb.jpg",
        "https://mzstatic.com.evil.example/100x100bb.jpg", "https://user@is1-ssl.mzstatic.com/100x100bb.jpg",
    ]

    private static func row(_ index: Int) -> String {
        #"{"kind":"ebook","trackId":\#(index + 1),"trackName":"n","trackViewUrl":"https://books.example/\#(index)","artworkUrl100":"\#(hosts[index])"}"#
    }

    @Test func `Pictures are requested only from the service's picture hosts, over https`() async throws {
        let requests = Locked<[String: String]>([:])
        let answer = #"{"resultCount":4,"results":[\#(Self.hosts.indices.map(Self.row).joined(separator: ","))]}"#
        var captures = try Captures()
        captures.settings = CaptureSettings(api: "https://store.example")
        captures.catalogue = try DeclaredCatalogue.itunes(#"[{"term":"sea","media":"ebook"}]"#)
        captures.client = Client { (request) async throws(HTTPError) in
            requests.withLock { $0[request.url.text] = request.url.origin }
            let isPicture = request.url.target.contains("bb.jpg")
            return Response(
                status: 200, rawHeaders: Array("HTTP/1.1 200 OK\r\n\r\n".utf8),
                body: .bytes(isPicture ? PictureHeaderTests.png : Array(answer.utf8)), url: request.url, received: 1)
        }
        let report = try await captures.run()

        let picture = "https://is4-ssl.mzstatic.com/image/thumb/a/600x600bb.jpg"
        let urls = requests.withLock { $0 }
        #expect(urls.keys.filter { !$0.hasPrefix("https://store.example/") } == [picture])
        #expect(urls[picture] == "https://is4-ssl.mzstatic.com:443")
        #expect(try captures.assetCounts() == [1, 0])
        #expect(
            Set(report.gaps.filter { $0.keyPath.hasSuffix("artworkUrl100") }.map(\.keyPath)).count == 3,
            "\(report.gapTexts)")

        let reader = try RevisionReader(report.revision, in: captures.folder)
        let kept = try #require(try reader.answers(as: .asset).first)
        #expect(kept.path == picture && Exchange.url(of: kept.path, below: "https://store.example") == picture)
        let asset = try #require(kept.asset)
        #expect(MirrorPath.asset(kept.path, asset).text == "api/picture/\(asset.sha256.hex).png")
        #expect(try reader.records(of: "book-us", at: 0..<4).map { $0.picture != nil } == [true, false, false, false])
    }
}
