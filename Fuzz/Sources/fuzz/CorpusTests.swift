import Platform
import TestSupport
import Testing

/// Each input of Fuzz/Corpus once: what a fuzz run found stays found, and the fuzzer's code compiles.
@Suite struct CorpusTests {
    @Test(arguments: FuzzTarget.all.map(\.name)) func everyInputOfTheCorpusKeepsThePromises(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let folder = Program.root + "/Fuzz/Corpus/\(name)"
        let inputs = try Folder.names(in: folder)
        #expect(!inputs.isEmpty)
        for input in inputs { target.run(Array(try File.read("\(folder)/\(input)"))) }
    }
}
