import Archive
import HTMLCheck
import Mustache
import Pages
import TestSupport
import Testing

@testable import Catalogue
@testable import Site

struct RevisionSummaryTests {
    @Test func `Every change is on exactly one page, and no page exceeds its size`() async throws {
        let list = { (range: ClosedRange<Int>) in range.map { "\"\($0)\"" }.joined(separator: ",") }
        var before: [Int64: String] = [:]
        var after: [Int64: String] = [:]
        for id in Int64(1)...900 {
            if id <= 300 { before[id] = #""name":"A","friends":[\#(list(1...Int(id % 7 + 1)))]"# }
            if id > 50 { after[id] = #""name":"\#(id % 3)","friends":[\#(list(3...Int(id % 9 + 3)))]"# }
        }
        before[1_000] = #""name":"A","friends":[\#(list(1...2_000))]"#
        after[1_000] = #""name":"B","friends":[\#(list(1_500...4_000))]"#
        let summary = try #require(try await Changes([(17_000, before), (17_100, after)]).changes().revisions.first)
        #expect(summary.pages.allSatisfy { $0.reduce(0) { $0 + $1.weight } <= 400 && !$0.isEmpty })
        let items = summary.pages.flatMap { $0 }
        var added: [Int] = []
        var removed: [Int] = []
        var elements: [String: [(Range<Int>, Range<Int>)]] = [:]
        for item in items {
            switch item.type {
            case .added: added.append(item.index)
            case .removed: removed.append(item.index)
            case .changed:
                for part in item.parts {
                    elements["\(item.index) \(part.field)", default: []].append((part.added, part.removed))
                }
            case .picture: Issue.record("there are no pictures")
            }
        }
        #expect(added == Array(summary.changes.added.indices) && removed == Array(summary.changes.removed.indices))
        for (index, record) in summary.changes.changed.enumerated() {
            for (number, field) in record.fields.enumerated() {
                let parts = elements.removeValue(forKey: "\(index) \(number)") ?? []
                #expect(!parts.isEmpty)
                #expect(parts.flatMap { Array($0.0) } == Array((field.list?.added ?? []).indices))
                #expect(parts.flatMap { Array($0.1) } == Array((field.list?.removed ?? []).indices))
            }
        }
        #expect(elements.isEmpty)
    }

    @Test func `A revision without changed values says what else differs`() async throws {
        let fixture = try await Changes([(1, [1: #""name":"a""#]), (2, [1: #""name": "a""#]), (3, [1: #""name":"b""#])])
        #expect(fixture.history.changes.map(\.otherDifferences) == [[.spelling], []])
    }

    @Test func `Revisions of one day have their times`() async throws {
        let states = [1, 2, 2].enumerated().map { (Int64($1), [Int64(1): #""name":"\#($0)""#]) }
        let fixture = try await Changes(states)
        let changes = try fixture.changes()
        let texts = changes.frame.editions[0].texts
        let days = fixture.history.revisions.map { changes.historyPresenter.day(of: $0, texts) }
        #expect(days == ["January 2, 1970", "January 3, 1970, 00:00 UTC", "January 3, 1970, 00:01 UTC"])
    }

    @Test func `Changed values beyond the memory limit are only counted`() async throws {
        let long = { (digit: Int) in "[\(Array(repeating: "\(digit)", count: 1_000).joined(separator: ","))]" }
        let fixture = try await Changes([
            (1, [1: #""name":"a","x":\#(long(1))"#, 2: #""name":"b""#]),
            (2, [1: #""name":"c","x":\#(long(2))"#, 2: #""name":"d""#]),
        ])
        let whole = try #require(fixture.history.changes.first).changed
        #expect(whole.map(\.fields.count) == [2, 1] && whole.allSatisfy { $0.moreFields == 0 })
        #expect(whole[0].fields[1].list?.added.count == 1_000 && whole[0].fields[1].new == nil)
        let counted = try RevisionChanges(in: fixture.reader, from: fixture.history.revisions[0], fixture.catalogue)
        #expect(counted.changed.map(\.title) == whole.map(\.title) && counted.changed.allSatisfy(\.fields.isEmpty))
        #expect(counted.comparedBytes > 4_000 && counted.comparedBytes < 8_200)
        let short = try History(fixture.reader, fixture.catalogue, memory: 2_000).changes[0].changed
        #expect(short.map(\.fields.count) == [1, 0] && short.map(\.moreFields) == [1, 1])
    }

    @Test func `A page with only counted changes is valid HTML`() async throws {
        let fixture = try await Changes([(1, [1: #""name":"a""#]), (2, [1: #""name":"b""#])], memory: 0)
        let changes = try fixture.changes()
        let summary = try #require(changes.revisions.first)
        let change = try #require(summary.changes.changed.first)
        #expect(change.fields.isEmpty && change.moreFields == 1)
        let libraries = try TemplateFolder(TemplateSource("\(Program.root)/Templates")).libraries
        for page in try changes.pages(of: summary).batch(0, from: fixture.reader).pages.map({ try $0() }) {
            var html: [UInt8] = []
            var renderer = Renderer(libraries[page.edition])
            try renderer.render(page.template, .object(page.model), into: &html)
            #expect(PageChecker().check(html).faults.map(\.description) == [])
        }
    }

    @Test func `Names beyond the memory limit become kinds and numbers`() async throws {
        let name = { (letter: String) in #""name":"\#(String(repeating: letter, count: 300))""# }
        var states: [[Int64: String]] = [[0: name("z")], [0: name("z")]]
        for id in Int64(1)...10 {
            states[0][id] = name("a")
            states[1][id + 10] = name("b")
        }
        let fixture = try await Changes([(1, states[0]), (2, states[1])])
        let whole = try #require(fixture.history.changes.first)
        #expect(whole.added.count == 10 && whole.removed.count == 10)
        #expect((whole.added + whole.removed).allSatisfy { $0.title.count == 300 })
        let short = try #require(try History(fixture.reader, fixture.catalogue, memory: 2_000).changes.first)
        let (names, numbers) = (
            (short.added + short.removed).filter { $0.title.count == 300 }, (short.added + short.removed)
        )
        #expect(numbers.count == 20 && names.count == 7)
        #expect(numbers.filter { $0.title.count != 300 }.allSatisfy { $0.title == "\($0.key)" })
    }
}
