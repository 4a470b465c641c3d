import Archive
import Catalogue
import Foundation
import Platform
import TestSupport
import Testing

@testable import Site

/// What a tree is remembered by.
struct ManifestTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private var path: String { "\(scratch.path)/manifest" }

    private func read(_ name: String = "manifest") throws -> Manifest? {
        try Manifest(name, in: try Folder.open(scratch.path))
    }

    private static let entry = Manifest.Entry(
        size: 12, modified: 1_795_234_567_890_123_456, inode: 42, digest: SHA256(of: "x".utf8), way: .written)

    /// Writes a manifest of these batches of one set.
    private func write(_ batches: [[(SitePath, Manifest.Entry)]], _ facts: Manifest.Facts) throws {
        let writer = try ManifestWriter("manifest.new", in: try Folder.open(scratch.path))
        for (number, files) in batches.enumerated() {
            var segment = ManifestSegment(from: Inputs(high: 1, low: UInt64(number)))
            for (place, entry) in files { segment.append(place, entry) }
            try writer.append(segment, .init(set: "made", batch: number))
        }
        try writer.finish(facts, at: "manifest")
    }

    /// Makes the manifest this long with a hole. Its last bytes say that the end begins right after the title.
    private func makeSparse(_ size: Int) {
        truncate(path, size)
        var tail: [UInt8] = []
        tail.appendNumber(UInt64(Manifest.title.count))
        let descriptor = open(path, O_WRONLY)
        pwrite(descriptor, tail, 8, size - 8)
        close(descriptor)
    }

    @Test("A manifest comes back as it was written, finished or not")
    func roundTrip() throws {
        for key in ["abc", nil] {
            var facts = Manifest.Facts(
                key: key, catalogue: "made", origin: .sample, places: .max, pages: 2, rootHash: key)
            facts.anchors = [.init(page: "a.html", fragment: "é", from: "b.html", line: 3)]
            let files = [
                (SitePath(fixed: "index.html"), Self.entry),
                (
                    SitePath(fixed: "avatar/1.png"),
                    Manifest.Entry(size: .max, modified: -1, inode: .max, digest: Self.entry.digest, way: .link)
                ),
            ]
            try write([files, [], [files[0]]], facts)
            let read = try #require(try self.read())
            #expect(read.facts == facts && read.facts.anchors.first?.from == "b.html")
            let segment = try #require(try read.segment(.init(set: "made", batch: 0)))
            #expect(segment.inputs == Inputs(high: 1, low: 0))
            #expect(segment.entries == Dictionary(uniqueKeysWithValues: files.map { ($0.0.text, $0.1) }))
            #expect(
                segment.hasFiles(at: files.map(\.0)) && !segment.hasFiles(at: [files[0].0])
                    && !segment.hasFiles(at: files.map(\.0).reversed()))
            #expect(try read.segment(.init(set: "made", batch: 1))?.entries.isEmpty == true)
            #expect(
                try read.segment(.init(set: "made", batch: 3)) == nil
                    && read.segment(.init(set: "other", batch: 0)) == nil)
            #expect(read.segments.count == 3)
        }
    }

    @Test("What is no whole manifest of this version is none, and its tree is built anew")
    func damaged() throws {
        #expect(try read("nothing") == nil)
        try write(
            [[(SitePath(fixed: "index.html"), Self.entry)]],
            Manifest.Facts(key: "key", catalogue: "made", origin: .live))
        let good = try File.read(path)
        #expect(try read()?.segments.count == 1)
        for length in 0..<good.count {
            try scratch.write("", to: "manifest")
            try File.overwrite(path, with: Array(good[..<length]))
            #expect(try read() == nil, "cut after \(length) bytes")
        }
        try File.overwrite(path, with: good + [0])
        #expect(try read() == nil)
        try File.overwrite(path, with: Array("amber manifest 3".utf8) + good.dropFirst(16))
        #expect(try read() == nil)
        // Wherever a byte is another one, it is read without a crash.
        for place in good.indices {
            var spoilt = good
            spoilt[place] ^= 0x81
            try File.overwrite(path, with: spoilt)
            if let manifest = try read() {
                for place in manifest.segments { _ = try manifest.segment(at: place)?.entries }
            }
        }
    }

    @Test("A manifest whose segments overlap is none: each would be read once for every place that names it")
    func overlap() throws {
        let files = [[(SitePath(fixed: "index.html"), Self.entry)], [(SitePath(fixed: "about.html"), Self.entry)]]
        try write(files, Manifest.Facts(key: "key", catalogue: "made", origin: .live))
        let good = try File.read(path)
        #expect(try read()?.segments.count == 2)
        // The last place, before the offset of the end, now has both segments.
        var place: [UInt8] = []
        place.appendNumber(UInt64(Manifest.title.count))
        place.appendNumber(UInt64(try #require(try read()).segments.reduce(0) { $0 + $1.length }))
        try File.overwrite(path, with: good.dropLast(24) + place + good.suffix(8))
        #expect(try read() == nil)
    }

    @Test("A manifest that claims terabytes is none, and nothing of that size is read")
    func claims() throws {
        try write(
            [[(SitePath(fixed: "index.html"), Self.entry)]],
            Manifest.Facts(key: "key", catalogue: "made", origin: .live))
        makeSparse(8 << 40)
        #expect(try read() == nil)
        // A line below zero, as an anchor's, is written again without a crash.
        var facts = Manifest.Facts(key: nil, catalogue: "made", origin: .live)
        facts.anchors = [.init(page: "a", fragment: "b", from: "c", line: -1)]
        try write([], facts)
        #expect(try read()?.facts.anchors.first?.line == -1)
    }

    @Test("A manifest with an end over 80 MiB, a segment over 32 MiB, a long text or too many fragments is none")
    func large() throws {
        func sparse(end: Int, segment: Int, key: Int = 1, anchors: Int = 0) throws -> Bool {
            var tail: [UInt8] = []
            for text in [String(repeating: "k", count: key), "made", Source.Origin.live.rawValue] {
                tail.appendText(text)
            }
            for number in [UInt64(0), 1, 0, UInt64(anchors)] { tail.appendNumber(number) }
            for number in 0..<anchors {
                for text in ["a", "\(number)", ""] { tail.appendText(text) }
                tail.appendNumber(1)
            }
            tail.appendNumber(UInt64(end))
            for set in 0..<end {
                tail.appendText(String(set))
                tail.appendNumber(1)
                for number in [0, Manifest.title.count, segment] { tail.appendNumber(UInt64(number)) }
            }
            let offset = Manifest.title.count + segment * max(1, end)
            try scratch.write("", to: "manifest")
            try File.overwrite(path, with: Manifest.title)
            truncate(path, offset)
            tail.appendNumber(UInt64(offset))
            let descriptor = open(path, O_WRONLY)
            defer { close(descriptor) }
            #expect(pwrite(descriptor, tail, tail.count, off_t(offset)) == tail.count)
            return try read() != nil
        }
        #expect(try sparse(end: 2, segment: 32 << 20))
        #expect(try !sparse(end: 2, segment: 32 << 20 + 1))
        #expect(try sparse(end: 2, segment: 16, key: 1_024))
        #expect(try !sparse(end: 2, segment: 16, key: 1_025))
        #expect(try sparse(end: 1, segment: 16, anchors: 1 << 18))
        #expect(try !sparse(end: 1, segment: 16, anchors: 1 << 18 + 1))
        // An end that is all holes is not read.
        makeSparse(81 << 20)
        #expect(try read() == nil)
    }

    @Test("Batches are found in whatever order they were written")
    func order() throws {
        let writer = try ManifestWriter("manifest.new", in: try Folder.open(scratch.path))
        for batch in [7, 0, 3, 12] {
            try writer.append(
                ManifestSegment(from: Inputs(high: 1, low: UInt64(batch))), .init(set: "made", batch: batch))
        }
        try writer.finish(Manifest.Facts(key: "key", catalogue: "made", origin: .live), at: "manifest")
        let manifest = try #require(try read())
        for batch in -1...13 {
            let inputs = try manifest.segment(.init(set: "made", batch: batch))?.inputs
            #expect(inputs == ([0, 3, 7, 12].contains(batch) ? Inputs(high: 1, low: UInt64(batch)) : nil))
        }
    }

    @Test("An entry holds while size, time and inode are those noted")
    func holds() throws {
        let file = try scratch.write("text", to: "file")
        let status = try #require(FileStatus(file))
        #expect(Manifest.Entry(status, Self.entry.digest, .written).holds(for: status))
        #expect(!Self.entry.holds(for: status) && !Self.entry.holds(for: nil))
    }

    @Test("A segment of zeros, as a file with holes has, is damaged: an entry has a path")
    func zeros() {
        func segment(pathOf length: Int) -> [UInt8] {
            [UInt8](repeating: 1, count: 16 + 56) + [0, UInt8(length & 255), UInt8(length >> 8)]
                + [UInt8](repeating: 0x61, count: length) + [0]
        }
        #expect(ManifestSegment(segment(pathOf: 1_024)) != nil)
        #expect(ManifestSegment(segment(pathOf: 1_025)) == nil)
        #expect(ManifestSegment([UInt8](repeating: 0, count: 16)) != nil)
        #expect(ManifestSegment([UInt8](repeating: 0, count: 16 + 60)) == nil)
    }
}
