import Archive
import Catalogue
import CatalogueEngine
import KnownCatalogues
import Platform
import TestSupport
import Testing

@testable import Capture

struct ImportedStateTests {
    @Test func `The first refused links of a file are listed, and the others are counted`() throws {
        let folder = try ScratchFolder()
        let records = (1...20).map { id in
            let links = [String](repeating: #""""#, count: 100).joined(separator: ",")
            return #"{"id":\#(id),"name":"a","air_date":"b","episode":"S01E01","characters":[\#(links)]}"#
        }
        try File.writeNew(Array("[\(records.joined(separator: ","))]".utf8), to: folder["episodes.json"])
        for other in ["characters", "locations"] { try File.writeNew(Array("[]".utf8), to: folder["\(other).json"]) }
        let state = try ImportedState.read(folder.path, of: DeclaredCatalogue.rickAndMorty(), base: FakeAPI.base)
        #expect(state.files.first { $0.name == "episodes.json" }?.records.count == 20)
        #expect(
            state.gaps.count == GapList.maxListedPerAnswer + 1 && state.gaps.allSatisfy { $0.url == "episodes.json" })
        #expect(state.gaps.contains { $0.reason == "1000 further faults in this answer are not listed" })
        #expect(state.gaps.contains { $0.keyPath == "[9].characters[99]" })
        #expect(!state.gaps.contains { $0.keyPath.hasPrefix("[10]") })
    }
}
