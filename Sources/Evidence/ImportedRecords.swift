package import Archive
package import Catalogue

/// Compares an imported state with its files.
package enum ImportedRecords {
    /// Checks that the records of an imported state are exactly the records of its files, in the same order. The root
    /// hash covers only the files, so without this check, a record could be removed from an archive unnoticed.
    /// - Throws: `ArchiveError` with the first difference.
    static func check(_ reader: RevisionReader, _ catalogue: any Catalogue) throws {
        for role in [AnswerRole.page, .records, .asset] {
            try reader.forEachAnswer(as: role) { answer in
                throw ArchiveError.damaged(
                    "revision \(reader.revision.number) was imported, but has an answer for \(answer.path)")
            }
        }
        var gaps = GapList()
        let catalogue = try catalogue.catalogue(of: reader)
        for kind in catalogue.listedKinds {
            let name = "\(catalogue.plural(of: kind)).json"
            let file: ImportedFile
            do {
                file = try catalogue.importedFile(
                    name, reader.bytes(ofFile: name), of: kind, base: reader.revision.source.api, addingTo: &gaps)
            } catch let fault as ContentFault {
                throw ArchiveError.damaged("the imported file \(name): \(fault)")
            }
            var position = 0
            try reader.forEachMember(of: kind) { number, sha256 in
                let record = position < file.records.count ? file.records[position] : nil
                try ArchiveError.require(
                    record?.key.id == number && record?.sha256 == sha256,
                    "\(kind) \(number) of revision \(reader.revision.number) is not record \(position + 1) of the "
                        + "imported file \(name)")
                position += 1
            }
            try ArchiveError.require(
                position == file.records.count,
                "revision \(reader.revision.number) has \(position) of the \(file.records.count) records of the "
                    + "imported file \(name)")
        }
    }

    /// The proof that the imported states of an archive equal their files; nil if there are none.
    package static func proof(_ archive: ArchiveFolder, _ catalogue: any Catalogue) -> Proof? {
        do {
            let states = try RevisionReader.all(in: archive) { $0.catalogue == catalogue.name }.filter {
                $0.imported != nil
            }
            for state in states { try check(try RevisionReader(state, in: archive), catalogue) }
            let claim = "\(states.count) imported states have exactly the records of their files"
            return states.isEmpty ? nil : Proof("archive", claim)
        } catch {
            return Proof("archive", "imported states have exactly the records of their files", fault: "\(error)")
        }
    }
}
