import Archive
import Foundation
import TestSupport
import Testing

@testable import Site

/// What a tree is remembered by.
struct ManifestTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private static let entry = Manifest.Entry(
        size: 12, modified: 1_795_234_567_890_123_456, inode: 42, digest: "00112233445566778899aabbccddeeff")

    @Test("A manifest comes back as it was written, finished or not")
    func roundTrip() throws {
        for key in ["abc", nil] {
            var manifest = Manifest(key: key, origin: .sample)
            manifest.entries = ["index.html": Self.entry, "avatar/1.png": Self.entry]
            try manifest.write(to: "\(scratch.path)/manifest")
            let read = try #require(try Manifest("\(scratch.path)/manifest"))
            #expect(read.key == key)
            #expect(read.origin == .sample)
            #expect(read.entries == manifest.entries)
        }
        try Manifest(key: "k", origin: .live).write(to: "\(scratch.path)/empty")
        #expect(try #require(try Manifest("\(scratch.path)/empty")).entries.isEmpty)
    }

    @Test("The numbers that file systems give come back whole: inodes of 64 bits, times before 1970")
    func extremes() throws {
        var manifest = Manifest(key: "k", origin: .live)
        manifest.entries["a"] = Manifest.Entry(size: Int64.max, modified: Int64.max, inode: UInt64.max, digest: "d")
        manifest.entries["b"] = Manifest.Entry(size: 0, modified: -1, inode: 1 << 63, digest: "d")
        try manifest.write(to: "\(scratch.path)/manifest")
        #expect(try Manifest("\(scratch.path)/manifest")?.entries == manifest.entries)
    }

    @Test("What is no manifest of this version is none, and its tree is built anew")
    func damaged() throws {
        #expect(try Manifest("\(scratch.path)/nothing") == nil)
        let good = "amber manifest 2\nkey\nlive\n12 34 56 abc index.html\n1 files\n"
        for text in [
            "", "\n\n\n\n", "amber manifest 3\nkey\nlive\n0 files\n", "amber manifest 2\nkey\n0 files\n",
            "amber manifest 2\nkey\nelsewhere\n0 files\n", "amber manifest 2\nkey\nlive\n", String(good.dropLast()),
            good.replacingOccurrences(of: "1 files", with: "2 files"), good.replacingOccurrences(of: "1 files\n", with: ""),
            good.replacingOccurrences(of: "12", with: "x"), good.replacingOccurrences(of: "34", with: "99999999999999999999"),
            good.replacingOccurrences(of: " index.html", with: ""), good + "1 2\n",
        ] {
            try scratch.write(text, to: "manifest")
            #expect(try Manifest("\(scratch.path)/manifest") == nil, "\(text)")
        }
        try scratch.write(good, to: "manifest")
        #expect(try Manifest("\(scratch.path)/manifest")?.entries.count == 1)
    }

    @Test("An entry holds while size, time and inode are those noted")
    func holds() throws {
        #expect(!Self.entry.holds(for: nil))
    }
}
