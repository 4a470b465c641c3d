import Platform
import TestSupport
import Testing

struct FolderWatcherTests {
    @Test func `Saved, moved and removed files are changes`() throws {
        let scratch = try ScratchFolder()
        try scratch.write("one", to: "page.mustache")
        let watcher = try FolderWatcher(scratch.path)
        #expect(try watcher.wait(milliseconds: 0) == .silence)
        try scratch.write("two", to: "page.mustache")
        #expect(try watcher.wait() == .change)
        #expect(try watcher.wait(milliseconds: 20) == .silence)

        try Folder.make("\(scratch.path)/strings")
        #expect(try watcher.wait() == .change)
        try scratch.write("{}", to: "strings/en.json")
        #expect(try watcher.wait() == .change)
        try File.rename("\(scratch.path)/strings/en.json", to: "\(scratch.path)/strings/ru.json")
        #expect(try watcher.wait() == .change)
        try File.remove("\(scratch.path)/strings/ru.json")
        #expect(try watcher.wait() == .change)
        watcher.end()
        #expect(try watcher.wait() == .end)
    }

    @Test func `Editors' temporary files are ignored`() {
        for name in [
            ".page.swp", "page.mustache~", "#page.mustache#", ".git/page.mustache", "catalogue.json.bak", "a/x.tmp",
            "sedJ4k1aB",
        ] {
            #expect(FolderWatcher.ignores(name))
        }
        for name in ["strings/en.json", "files/sediment", "files/sedan.jpg", "sediments/a.txt", "a~/b", "bak"] {
            #expect(!FolderWatcher.ignores(name))
        }
    }

    @Test func `A folder that is replaced or missing for a while is still watched`() throws {
        let scratch = try ScratchFolder()
        for name in ["watched/page.mustache", "other/page.mustache"] { try scratch.write("one", to: name) }
        let watcher = try FolderWatcher(scratch["watched"])
        try scratch.write("beside it", to: "beside")
        #expect(try watcher.wait(milliseconds: 20) == .silence)
        try File.rename(scratch["watched"], to: scratch["away"])
        try File.rename(scratch["other"], to: scratch["watched"])
        #expect(try watcher.wait(milliseconds: 1_000) == .change)
        #expect(try watcher.wait(milliseconds: 20) == .silence)
        try scratch.write("two", to: "watched/page.mustache")
        #expect(try watcher.wait(milliseconds: 1_000) == .change)

        try Folder.remove(scratch["watched"])
        #expect(try watcher.wait(milliseconds: 1_000) == .change)
        #expect(try watcher.wait(milliseconds: 20) == .silence)
        try Folder.make(scratch["watched"])
        #expect(try watcher.wait(milliseconds: 1_000) == .change)
        try scratch.write("three", to: "watched/page.mustache")
        #expect(try watcher.wait(milliseconds: 1_000) == .change)
    }

    @Test func `A waiting thread receives the new number, and all threads are released at the end`() {
        let news = VersionedValue("old", number: 7)
        #expect(news.wait(after: 7, milliseconds: 1) == 7)
        startThread { news.set("new") }
        #expect(news.wait(after: 7, milliseconds: 60_000) == 8)
        news.set("quiet", notifies: false)
        #expect(news.current == ("quiet", 8))
        startThread { news.end() }
        #expect(news.wait(after: 8, milliseconds: 60_000) == 8)
    }
}
