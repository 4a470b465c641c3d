/// What every package asks of the paths within it: relative, without empty, "." and ".." segments and without NUL, so
/// that unpacking stays in its folder.
enum PackagePath {
    static func check(_ path: String) throws(SnapshotError) {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isFit = segments.allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) && !$0.contains(0)
        }
        guard isFit else {
            throw .unwritable("\"\(path)\" is no path within a package; give a relative path of plain names")
        }
    }
}
