import Catalogue

extension PageMaker {
    /// Characters, as cards and links show them.
    func add(_ rows: some Sequence<Int32>, to hasher: inout InputsHasher) {
        for row in rows { hasher.add(world.characters.marks[Int(row)]) }
    }
}
