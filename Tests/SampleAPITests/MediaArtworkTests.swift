import HTTPServer
import Platform
import TestSupport
import Testing

@testable import SampleAPI

struct MediaArtworkTests {
    private static let library = MediaLibrary()
    private let library = Self.library

    private func name(_ kind: MediaLibrary.Kind, _ place: Int = 0) throws -> String {
        let row: MediaRecord = try decoded(
            ["US", "RU"].compactMap { library.row(library.ids(of: kind)[place], country: $0) }[0])
        let parts = try #require(row.text("artworkUrl100")).split(separator: "/")
        #expect(parts.last == "100x100bb.jpg")
        return String(parts[parts.count - 2])
    }

    private func size(_ png: [UInt8]?) throws -> [Int] {
        let png = try #require(png)
        #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        func number(_ at: Int) -> Int { png[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
        return [number(16), number(20)]
    }

    @Test func `Artwork fits into the requested box and keeps its ratio`() throws {
        let (album, movie, book) = try (name(.album), name(.movie), name(.book))
        #expect(try size(library.artwork(album, width: 600, height: 600)) == [600, 600])
        #expect(try size(library.artwork(album, width: 60, height: 30)) == [30, 30])
        #expect(try size(library.artwork(movie, width: 600, height: 600)) == [400, 600])
        #expect(try size(library.artwork(book, width: 100, height: 100)) == [67, 100])
        #expect(try size(library.artwork(book, width: 100, height: 900)) == [100, 150])
        #expect(try size(library.artwork(movie, width: 1, height: 1)) == [1, 1])
        #expect(try size(library.artwork(album, width: 3000, height: 3000)) == [1000, 1000])
        #expect(library.artwork("0000000000000000", width: 60, height: 60) == nil)
    }

    @Test func `Artwork is drawn once for all boxes of the same result`() throws {
        let responder = Responder(Universe(characters: 1))
        let movie = try name(.movie)
        let places = ["1x1", "2x1", "1x40"].map { size in
            let request = ServerRequest(method: "GET", target: "/artwork/\(movie)/\(size)bb.jpg")
            guard case .bytes(let bytes) = responder.answer(request).body, !bytes.isEmpty else { return Int?.none }
            return bytes.withUnsafeBytes { $0.baseAddress.map { Int(bitPattern: $0) } }
        }
        #expect(places[0] != nil)
        #expect(Set(places).count == 1)
    }

    @Test func `Simultaneous requests draw a picture once, with at most four at a time`() {
        let cache = PictureCache()
        let (running, most, drawn, ended) = (Locked(0), Locked(0), Locked(0), Locked(0))
        for number in 0..<24 {
            startThread {
                _ = cache.picture("\(number % 8)") {
                    let now = running.withLock { running in
                        running += 1
                        return running
                    }
                    most.withLock { $0 = max($0, now) }
                    wait(0.005)
                    running.withLock { $0 -= 1 }
                    drawn.withLock { $0 += 1 }
                    return []
                }
                ended.withLock { $0 += 1 }
            }
        }
        while ended.withLock({ $0 }) < 24 { wait(0.005) }
        #expect((1...4).contains(most.withLock { $0 }))
        #expect(drawn.withLock { $0 } == 8)
    }

    @Test func `An album and its songs share their artwork, and nothing else does`() throws {
        let names = try [MediaLibrary.Kind.album, .movie, .book].flatMap { kind in
            try (0..<30).map { try name(kind, $0) }
        }
        let pictures = names.map { library.artwork($0, width: 90, height: 90) }
        #expect(Set(pictures).count == 90)
        #expect(try name(.song) == name(.album))
    }

    @Test func `Artwork depends only on the seed`() throws {
        let album = try name(.album)
        #expect(
            library.artwork(album, width: 120, height: 120)
                == MediaLibrary(seed: 1).artwork(album, width: 120, height: 120))
        #expect(MediaLibrary(seed: 2).artwork(album, width: 120, height: 120) == nil)
    }

    @Test func `Artwork is served as JPEG with an entity tag`() throws {
        let server = try SampleServer(Universe(characters: 5))
        let book = try name(.book)
        let reply = try ask(server.port, "/artwork/\(book)/200x200bb.jpg")
        #expect(reply.body == library.artwork(book, width: 200, height: 200))
        #expect(reply.header("Content-Type") == "image/jpeg")
        #expect(reply.header("Cache-Control") == "public, max-age=7776000, immutable")
        let tag = try #require(reply.header("ETag"))
        #expect(try ask(server.port, "/artwork/\(book)/200x200bb.jpg", headers: [("If-None-Match", tag)]).status == 304)
        for wrong in ["0x200bb.jpg", "200x200.jpg", "200bb.jpg", "200x200bb.gif", ""] {
            #expect(try ask(server.port, "/artwork/\(book)/\(wrong)").status == 404)
        }
        #expect(try ask(server.port, "/artwork/00/200x200bb.jpg").status == 404)
    }
}
