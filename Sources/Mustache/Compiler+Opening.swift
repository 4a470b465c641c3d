extension Compiler {
    /// A tag that waits for its closing tag, with what is needed to finish its operation.
    enum Opening {
        case section(Int, Operation.Path)
        case inverted(Int, Operation.Path)
        case block(Int, Int32, indentation: Operation.Stretch, isAlone: Bool)
        case parent(OpenParent)
        case override(OpenOverride)
    }

    struct OpenParent {
        let operation: Int
        let target: Operation.Target?
        let indentation: Operation.Stretch?
        var overrides: [Program.Override] = []
    }

    struct OpenOverride {
        let block: Int32
        let offset: Int
        let entry: Int
        let startsLine: Bool
        let outerDedent: Range<Int>
    }
}
