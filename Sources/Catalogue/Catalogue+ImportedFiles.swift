package import Archive

/// The maximum number of records in a file of an imported state.
private let maximumImportedRecords = 5_000_000

extension Catalogue {
    /// Reads a file of an imported state. The file is a JSON array of records.
    /// - Parameters:
    ///   - base: the address of the API.
    ///   - gaps: receives a gap for each link that a capture would not follow.
    /// - Throws: `ContentFault` if the file is not such an array, or a record cannot be read or is a duplicate.
    package func importedFile(
        _ name: String, _ bytes: [UInt8], of kind: String, base: String, addingTo gaps: inout GapList
    ) throws -> ImportedFile {
        var records: [RecordSlice] = []
        var known: Set<Int64> = []
        for (index, range) in try JSONSlices.elements(of: bytes, limit: maximumImportedRecords).enumerated() {
            try ContentFault.inside("[\(index)]") {
                let facts = try facts(of: bytes[range], kind: kind, base: base)
                guard known.insert(facts.id).inserted else {
                    throw ContentFault("", "is a duplicate of \(facts.key) in this file")
                }
                records.append(RecordSlice(key: facts.key, range: range, in: bytes, picture: facts.pictures.first))
                for refused in facts.refused { gaps.add(refused.inside("[\(index)]"), at: name) }
            }
        }
        return (name, bytes, records)
    }
}
