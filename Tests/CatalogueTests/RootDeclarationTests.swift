import Archive
import Catalogue
import Foundation
import KnownCatalogues
import TestSupport
import Testing

@testable import CatalogueEngine

struct RootDeclarationTests {
    private let declaration: RootDeclaration

    init() throws {
        declaration = try #require(try DeclaredCatalogue.itunes().declaration.roots)
    }

    private func root(_ members: String) throws -> Root {
        try #require(try declaration.roots(Array("[{\(members)}]".utf8)).first)
    }

    @Test(arguments: ["love", "море и небо", "a+b %41 & c=d?#", "  two  spaces ", "Ünïcödé 日本", "100%", "-._*~"])
    func `A search can be read from its address`(term: String) throws {
        let term = String(decoding: try JSONEncoder().encode(term), as: UTF8.self)
        for media in ["music", "movie", "ebook"] {
            for country in ["US", "RU"] {
                for explicit in ["yes", "no"] {
                    let search = try root(
                        #""term":\#(term),"media":"\#(media)","country":"\#(country)","explicit":"\#(explicit)","limit":7"#
                    )
                    #expect(declaration.root(path: search.path) == search)
                    #expect(search.path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
                }
            }
        }
    }

    @Test func `Addresses and keys never change, because archives depend on them`() throws {
        let search = try root(
            #""term":"love & я","media":"ebook","country":"RU","explicit":"no","limit":200"#)
        #expect(search.path == "search?term=love+%26+%D1%8F&country=RU&media=ebook&entity=ebook&limit=200&explicit=No")
        let love = try root(#""term":"love""#)
        #expect(love.path == "search?term=love&country=US&media=music&entity=song&limit=30&explicit=Yes")
        #expect("\(love.key)" == "search-music-us 574768740979" && "\(search.key)" == "search-ebook-ru 199103565889")
        for path in [
            "search?term=a", "lookup?id=1", "search?", "search?term&media=music",
            "search?term=%D&media=music&country=US&limit=1",
            "search?term=love&country=US&media=music&entity=movie&limit=30&explicit=Yes",
            "search?term=love&country=DE&media=music&entity=song&limit=30&explicit=Yes",
        ] {
            #expect(declaration.root(path: path) == nil, "\(path)")
        }
        let keys = try Set((1...200).map { try root(#""term":"love","limit":\#($0)"#).key })
        #expect(keys.count == 200 && keys.allSatisfy { $0.id > 0 && $0.id < 1 << 53 })
    }

    @Test func `Each value of a parameter has its kinds`() throws {
        let catalogue = try DeclaredCatalogue.itunes()
        for name in ["search-music-us", "song-ru", "albums-us", "book-us", "movie-ru", "search-ebook-ru"] {
            #expect(catalogue.has(kind: name), "\(name)")
        }
        for name in ["song", "song-de", "", "Song-us", "song-US", "album-us", "search-song-us"] {
            #expect(!catalogue.has(kind: name), "\(name)")
        }
    }
}
