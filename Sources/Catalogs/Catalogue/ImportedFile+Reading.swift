package import Archive

/// Collects gaps without duplicates. Beyond the limits, gaps are counted but not listed.
package struct GapList: Sendable {
    /// The maximum number of listed gaps of one answer.
    package static let maxListedPerAnswer = 1_000
    /// The maximum size of all listed gaps.
    private static let maxBytes = 32 << 20

    private var gaps: Set<Gap> = []
    /// The size of the listed gaps in bytes.
    private var size = 0
    /// The number of gaps of each URL, including those that are not listed.
    private var counts: [String: Int] = [:]
    /// The number of faults beyond `maxBytes` in answers without a listed gap.
    private var further = 0

    package init() {}

    package mutating func add(_ gap: Gap) {
        guard !gaps.contains(gap) else { return }
        let bytes = gap.url.utf8.count + gap.keyPath.utf8.count + gap.reason.utf8.count
        let hasRoom = size + bytes <= Self.maxBytes
        guard hasRoom || counts[gap.url] != nil else {
            further += 1
            return
        }
        let count = counts[gap.url, default: 0] + 1
        counts[gap.url] = count
        guard hasRoom, count <= Self.maxListedPerAnswer else { return }
        gaps.insert(gap)
        size += bytes
    }

    /// Counts faults that are not listed, of an answer that has listed gaps.
    package mutating func count(further: Int, of url: String) {
        if further > 0 { counts[url, default: 0] += further }
    }

    package var sorted: [Gap] {
        var named: [String: Int] = [:]
        for gap in gaps { named[gap.url, default: 0] += 1 }
        var more = counts.filter { $0.value > named[$0.key, default: 0] }.map {
            Gap(
                url: $0.key,
                reason: "\($0.value - named[$0.key, default: 0]) further faults in this answer are not listed")
        }
        if further > 0, let first = gaps.map(\.url).min() {
            more.append(Gap(url: first, reason: "\(further) faults of other answers are not listed"))
        }
        return (gaps + more).sorted()
    }
}

extension ImportedFile {
    private static var maxRecords: Int { 5_000_000 }

    /// Reads a file of an imported state. The file is a JSON array of records.
    /// - Parameters:
    ///   - base: the address of the API.
    ///   - gaps: receives a gap for each link that a capture would not follow.
    /// - Throws: `ContentFault` if the file is not such an array, or a record cannot be read or is a duplicate.
    package init(
        name: String, _ bytes: [UInt8], of kind: String, _ catalogue: any Catalogue, base: String,
        addingTo gaps: inout GapList
    ) throws(ContentFault) {
        var records: [RecordSlice] = []
        var known: Set<Int64> = []
        for (index, place) in try JSONSlices.elements(of: bytes, limit: Self.maxRecords).enumerated() {
            do throws(ContentFault) {
                let facts = try catalogue.facts(of: bytes[place], kind: kind, base: base)
                guard known.insert(facts.id).inserted else {
                    throw ContentFault("", "is a duplicate of \(kind) \(facts.id) in this file")
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
