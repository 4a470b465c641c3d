package import Archive

/// Gaps, each once. The first ones of each URL are named, the others are counted.
package struct GapList: Sendable {
    /// More gaps of one answer are only counted.
    package static let mostOfOne = 1_000
    /// The most bytes of named gaps; the others are only counted.
    private static let mostBytes = 32 << 20

    private var gaps: Set<Gap> = []
    /// The bytes of their texts.
    private var size = 0
    /// The number of gaps of each URL, those that are only counted included.
    private var counts: [String: Int] = [:]
    /// The number of faults beyond the limit of bytes, each of an answer without a named gap.
    private var further = 0

    package init() {}

    package mutating func add(_ gap: Gap) {
        guard !gaps.contains(gap) else { return }
        let bytes = gap.url.utf8.count + gap.keyPath.utf8.count + gap.reason.utf8.count
        let hasRoom = size + bytes <= Self.mostBytes
        guard hasRoom || counts[gap.url] != nil else {
            further += 1
            return
        }
        let count = counts[gap.url, default: 0] + 1
        counts[gap.url] = count
        guard hasRoom, count <= Self.mostOfOne else { return }
        gaps.insert(gap)
        size += bytes
    }

    /// Counts faults of an answer that has named gaps.
    package mutating func count(further: Int, of url: String) {
        if further > 0 { counts[url, default: 0] += further }
    }

    package var sorted: [Gap] {
        var named: [String: Int] = [:]
        for gap in gaps { named[gap.url, default: 0] += 1 }
        var more = counts.filter { $0.value > named[$0.key, default: 0] }.map {
            Gap(
                url: $0.key,
                reason: "\($0.value - named[$0.key, default: 0]) further faults in this answer are only counted")
        }
        if further > 0, let first = gaps.map(\.url).min() {
            more.append(Gap(url: first, reason: "\(further) faults of other answers are only counted"))
        }
        return (gaps + more).sorted()
    }
}

extension ImportedFile {
    private static var mostRecords: Int { 5_000_000 }

    /// Reads a file of an imported state, which is a JSON array of records.
    /// - Parameters:
    ///   - base: the address of the API.
    ///   - gaps: receives the links that a capture refuses.
    /// - Throws: `ContentFault` if it is no such array, or has a record that cannot be read or is there twice.
    package init(
        name: String, _ bytes: [UInt8], of kind: String, _ catalogue: any Catalogue, base: String,
        addingTo gaps: inout GapList
    ) throws(ContentFault) {
        var records: [RecordSlice] = []
        var known: Set<Int64> = []
        for (index, place) in try JSONSlices.elements(of: bytes, limit: Self.mostRecords).enumerated() {
            do throws(ContentFault) {
                let facts = try catalogue.facts(of: bytes[place], kind: kind, base: base)
                guard known.insert(facts.id).inserted else {
                    throw ContentFault("", "is \(kind) \(facts.id), which the file has already")
                }
                let key = RecordKey(kind, facts.id)
                records.append(RecordSlice(key: key, range: place, in: bytes, picture: facts.pictures.first))
                for refused in facts.refused {
                    let fault = refused.inside("[\(index)]")
                    gaps.add(Gap(url: name, keyPath: fault.keyPath, reason: fault.reason))
                }
            } catch {
                throw error.inside("[\(index)]")
            }
        }
        self.init(name: name, bytes: bytes, kind: kind, records: records)
    }
}
