import Testing

@testable import Archive
@testable import Catalogue
@testable import Pages

struct RecordTimelineTests {
    private func revision(_ number: Int64) -> Revision {
        Revision(
            number: number, source: Source(catalogue: "made", api: "", origin: .live), started: 0,
            finished: number * 86_400_000,
            imported: nil,
            digest: SHA256(of: []), seal: SHA256(of: []), isSealedLate: false, gaps: 0, captureDigest: nil)
    }

    private func timeline(_ events: [(Int64, History.Change)]) -> RecordTimeline {
        RecordTimeline(events.map { (revision($0), $1) })
    }

    /// Lines of the form "status: A, B since 2".
    private func lines(_ timeline: RecordTimeline) -> [String] {
        func described<State>(_ steps: [RecordTimeline.Step<State>], _ describe: (State) -> String) -> String {
            steps.map { describe($0.state) + ($0.since.map { " since \($0.number)" } ?? "") }.joined(separator: ", ")
        }
        return (timeline.presence.isEmpty ? [] : ["exists: \(described(timeline.presence) { "\($0)" })"])
            + timeline.values.map { "\($0.name): \(described($0.steps) { $0?.description ?? "nothing" })" }
            + timeline.lists.map { "\($0.name): \(described($0.steps) { "+\($0.added.count) -\($0.removed.count)" })" }
    }

    private func change(_ name: String, _ old: JSON?, _ new: JSON?) -> History.Change {
        .changed([FieldChange(name, old: old, new: new)])
    }

    // Archives of earlier versions may contain such records.
    @Test(arguments: [#""\q""#, "\"\u{1}\"", "[1,]", #"{"a":1,}"#, #"{"a":[}]"#])
    func `An unreadable value is compared by its bytes`(value: String) throws {
        func record(_ member: String) -> [UInt8] { Array("{\"id\":1,\(member)}".utf8) }
        #expect(try FieldChange.between(record("\"x\":\(value)"), record("\"x\":1")).map(\.name) == ["x"])
        #expect(try FieldChange.between(record("\"x\": \(value)"), record("\"x\":\(value)")).isEmpty)
        #expect(try FieldChange.between(record("\"x\":1"), record("\"x\":1,\"y\":[\(value)]")).map(\.name) == ["y"])
        #expect(try FieldChange.between(record("\"x\":1"), record("\"x\":1,\"\\q\":1")).map(\.name) == ["\\q"])
    }

    @Test func `Members whose names differ only in their encoding are two members`() {
        let timeline = timeline([
            (2, change("\u{E9}", .text("A"), .text("B"))), (3, change("e\u{301}", .text("B"), .text("C"))),
        ])
        #expect(timeline.values.map { Array($0.name.unicodeScalars).count } == [1, 2])
    }

    @Test func `A member that changed several times has all values in order`() {
        let timeline = timeline([
            (2, change("status", .text("A"), .text("B"))), (3, change("name", nil, .text("N"))),
            (5, change("status", .text("B"), .text("A"))), (7, change("status", .text("A"), .word("null"))),
        ])
        #expect(
            lines(timeline) == [
                #"status: "A", "B" since 2, "A" since 5, null since 7"#, #"name: nothing, "N" since 3"#,
            ])
    }

    @Test func `A list has its additions and removals at each date`() {
        let timeline = timeline([
            (2, change("friends", .list([.text("a"), .text("b")]), .list([.text("b"), .text("c"), .text("c")]))),
            (3, change("friends", .list([.text("a"), .text("b")]), .list([.text("b"), .text("a")]))),
        ])
        #expect(lines(timeline) == ["friends: +2 -1 since 2, +0 -0 since 3"])
        #expect(timeline.lists[0].steps[1].state.isReordering)
    }

    @Test func `A record that was removed and added again has both dates and a new list of values`() {
        #expect(lines(timeline([(2, .added)])) == ["exists: true since 2"])
        #expect(lines(timeline([(2, .removed), (4, .added)])) == ["exists: true, false since 2, true since 4"])
        let timeline = timeline([
            (2, change("status", .text("A"), .text("B"))), (3, .removed), (4, .added),
            (5, change("status", .text("C"), .text("D"))),
        ])
        #expect(
            lines(timeline) == [
                "exists: true, false since 3, true since 4", #"status: "A", "B" since 2"#, #"status: "C", "D" since 5"#,
            ])
        #expect(lines(self.timeline([])).isEmpty)
    }

    @Test func `Names that differ only in their bytes are different members`() throws {
        func record(_ second: Int) -> [UInt8] {
            Array("{\"caf\u{E9}\":1,\"cafe\u{301}\":\(second),\"in\":{\"\u{E9}\":1,\"e\u{301}\":\(second)}}".utf8)
        }
        let changes = try FieldChange.between(record(1), record(2))
        #expect(changes.map { Array($0.name.utf8) } == [Array("cafe\u{301}".utf8), Array("in".utf8)])
    }
}
