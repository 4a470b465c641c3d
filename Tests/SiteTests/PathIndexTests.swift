import Catalogue
import Testing

@testable import Site

struct PathIndexTests {
    @Test("Nobody can choose a path that is taken for another one")
    func collisions() {
        var index = PathIndex()
        for path in ["character/1.html", "character/2.html", "index.html"] {
            #expect(index.insert(SitePath(joined: path)) && index.contains(path.utf8))
        }
        // Both have the same FNV-1a hash.
        #expect(!index.contains("login-aamy-412307603076071873.html".utf8))
        #expect(!index.contains("character/3.html".utf8) && !index.contains("character/01.html".utf8))
    }
}
