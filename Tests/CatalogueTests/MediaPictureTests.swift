import Testing

@testable import CatalogueEngine

struct MediaPictureTests {
    @Test(arguments: [
        ("https://is1-ssl.mzstatic.com/a/source/100x100bb.jpg", "https://is1-ssl.mzstatic.com/a/source/600x600bb.jpg"),
        (
            "https://is1-ssl.mzstatic.com/a/cover.jpg/100x100bb-85.png",
            "https://is1-ssl.mzstatic.com/a/cover.jpg/600x600bb-85.png"
        ),
        ("https://is1-ssl.mzstatic.com/a/60x60bb.webp", "https://is1-ssl.mzstatic.com/a/600x600bb.webp"),
        ("https://is1.mzstatic.com/a/v4.100x100-75.jpg", "https://is1.mzstatic.com/a/v4.100x100-75.jpg"),
        ("https://is1.mzstatic.com/a/100x100bb-.jpg", "https://is1.mzstatic.com/a/100x100bb-.jpg"),
        ("https://is1.mzstatic.com/a/100x100bb.gif", "https://is1.mzstatic.com/a/100x100bb.gif"),
        ("http://is4.mzstatic.com/a/100x100bb.jpg", "https://is4-ssl.mzstatic.com/a/600x600bb.jpg"),
        ("http://is4-ssl.mzstatic.com/a/100x100bb.jpg", "https://is4-ssl.mzstatic.com/a/600x600bb.jpg"),
        ("http://a1.mzstatic.com/us/r30/v4.100x100-75.jpg", "https://a1-ssl.mzstatic.com/us/r30/v4.100x100-75.jpg"),
        ("http://127.0.0.1:81/artwork/ab/100x100bb.jpg", "artwork/ab/600x600bb.jpg"),
        ("https://media.test/x/100x100bb.jpg", "x/600x600bb.jpg"),
    ])
    func `Artwork is requested at 600 by 600 if its address allows it`(url: String, path: String) {
        #expect(CatalogueExtension.picturePath(of: url, bases: ["http://127.0.0.1:81", "https://media.test"]) == path)
    }

    @Test(arguments: [
        "https://evil.test/100x100bb.jpg", "https://mzstatic.com/100x100bb.jpg", "https://mzstatic.com.evil.test/a.jpg",
        "https://evilmzstatic.com/a.jpg", "https://user@is1.mzstatic.com/a.jpg", "https://is1.mzstatic.com:8443/a.jpg",
        "https://evil.test/.mzstatic.com/a.jpg", "ftp://is1.mzstatic.com/a.jpg", "//is1.mzstatic.com/a.jpg",
        "javascript:alert(1)", "",
        "https://is1.mzstatic.com/a/../b.jpg", "http://127.0.0.1:81/artwork/../../api",
        "http://127.0.0.1:81/artwork/%2e%2e/api",
        "http://127.0.0.1:810/a.jpg", "http://127.0.0.1:81/artwork/..", "https://is1.mzstatic.com/ a.jpg",
        "https://is1.mzstatic.com/\"a.jpg",
        "http://127.0.0.1:81/./a.jpg",
    ])
    func `Artwork on other hosts or outside its folder is refused`(url: String) {
        #expect(CatalogueExtension.picturePath(of: url, bases: ["http://127.0.0.1:81"]) == nil)
    }

    @Test(arguments: [
        "http://api.test/https://127.0.0.1:9/evil.png", "http://api.test//evil.test/x.png", "http://api.test/a//b.png",
        "http://api.test/a/../b.png", "http://api.test/./b.png", "http://api.test/%2e%2e/b.png",
        "http://api.test/a?b.png",
        "http://api.test/",
    ])
    func `Artwork below the API's address cannot lead away from it`(url: String) {
        #expect(CatalogueExtension.picturePath(of: url, bases: ["http://api.test"]) == nil)
    }
}
