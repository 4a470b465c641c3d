import Archive
import Platform

/// Writes a manifest while its tree is made: segments as they come, from several threads, then what the tree is as a
/// whole.
final class ManifestWriter: Sendable {
    /// Where it is written until it is whole.
    private let draft: String
    private let folder: OpenFolder
    private let file: NewFile
    private let state = Guarded(State())

    /// So many bytes wait to be written together.
    private static let capacity = 1 << 18

    private struct State {
        var buffer = Manifest.title
        /// Where the buffer goes.
        var offset: Int64 = 0
        /// Batch, offset and length of each segment, three numbers each, by set.
        var places: [String: [UInt64]] = [:]
    }

    init(_ draft: String, in folder: OpenFolder) throws(SystemError) {
        try File.remove(draft, in: folder)
        file = try NewFile(draft, in: folder)
        self.draft = draft
        self.folder = folder
    }

    func append(_ segment: ManifestSegment, _ id: Manifest.SegmentID) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            let offset = state.offset + Int64(state.buffer.count)
            state.places[id.set, default: []] += [UInt64(id.batch), UInt64(offset), UInt64(segment.bytes.count)]
            state.buffer += segment.bytes
            if state.buffer.count >= Self.capacity { try flush(&state) }
        }
    }

    /// Writes the end and moves the manifest to its place in the folder.
    func finish(_ facts: Manifest.Facts, at path: String) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            var end: [UInt8] = []
            end.appendText(facts.key ?? "")
            end.appendText(facts.catalogue)
            end.appendText(facts.origin.rawValue)
            end.appendNumber(facts.places)
            end.appendNumber(UInt64(facts.pages))
            end.appendText(facts.rootHash ?? "")
            end.appendNumber(UInt64(facts.anchors.count))
            for anchor in facts.anchors.sorted(by: { ($0.page, $0.fragment) < ($1.page, $1.fragment) }) {
                end.appendText(anchor.page)
                end.appendText(anchor.fragment)
                end.appendText(anchor.from)
                end.appendNumber(UInt64(truncatingIfNeeded: anchor.line))
            }
            end.appendNumber(UInt64(state.places.count))
            for (set, numbers) in state.places.sorted(by: { $0.key < $1.key }) {
                end.appendText(set)
                end.appendNumber(UInt64(numbers.count / 3))
                for number in numbers { end.appendNumber(number) }
            }
            end.appendNumber(UInt64(state.offset + Int64(state.buffer.count)))
            state.buffer += end
            try flush(&state)
        }
        try File.rename(draft, to: path, in: folder)
    }

    private func flush(_ state: inout State) throws(SystemError) {
        try file.write(state.buffer, at: state.offset)
        state.offset += Int64(state.buffer.count)
        state.buffer.removeAll(keepingCapacity: true)
    }
}
