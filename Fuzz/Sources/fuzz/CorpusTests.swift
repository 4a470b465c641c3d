import Platform
import TestSupport
import Testing

/// Runs each input of Fuzz/Corpus once. This repeats the findings of earlier fuzz runs, and compiles the fuzzer's code.
@Suite struct CorpusTests {
    @Test(arguments: FuzzTarget.all.map(\.name)) func everyInputOfTheCorpusMeetsTheConditions(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let folder = Program.root + "/Fuzz/Corpus/\(name)"
        let inputs = try Folder.names(in: folder)
        #expect(!inputs.isEmpty)
        for input in inputs { target.run(Array(try File.read("\(folder)/\(input)"))) }
    }
}
