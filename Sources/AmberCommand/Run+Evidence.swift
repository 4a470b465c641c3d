import Archive
import Evidence

extension Run {
    /// The digest of all that the revision holds, in hexadecimal.
    func rootHash(of revision: Revision) throws(Failure) -> String {
        do {
            return try RootHash(of: try RevisionReader(revision, in: archive), settings.catalogue).hex
        } catch {
            throw (error as? ArchiveError).map(failure) ?? Failure(.notCaptured, "\(error)")
        }
    }
}
