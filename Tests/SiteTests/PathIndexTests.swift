import Catalogue
import Testing

@testable import Site

struct PathIndexTests {
    @Test func `Two paths with the same known hash are different`() {
        var index = PathIndex()
        for path in ["character/1.html", "character/2.html", "index.html"] {
            #expect(index.insert(SitePath(joined: path)) && index.contains(path.utf8))
        }
        // Its FNV-1a hash equals that of a path above.
        #expect(!index.contains("login-aamy-412307603076071873.html".utf8))
        #expect(!index.contains("character/3.html".utf8) && !index.contains("character/01.html".utf8))
    }

    @Test func `Each path is inserted once`() {
        var index = PathIndex()
        let areNew = (0..<20_000).allSatisfy { index.insert(SitePath(joined: "character/\($0).html")) }
        let isNewAgain = index.insert(SitePath(joined: "character/77.html"))
        #expect(areNew && !isNewAgain)
        #expect(index.contains(Array("character/19999.html".utf8)))
        for other in ["character/20000.html", "character/1.htm", "character/1", "", "Character/1.html"] {
            #expect(!index.contains(Array(other.utf8)))
        }
    }

    @Test func `Folders whose names differ only in a number are all known`() {
        var index = PathIndex()
        for path in ["picture-1/a.html", "picture-2/a.html", "ru/list/1.html", "ru/list/2.html", "index.html"] {
            let isNew = index.insert(SitePath(joined: path))
            #expect(isNew)
        }
        #expect(index.folders == ["picture-1", "picture-2", "ru/list"])
    }
}
