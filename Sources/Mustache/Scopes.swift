import Platform

/// The overrides of the parent tags around the current operation.
///
/// Each parent tag adds a scope inside the current one. If several scopes have an override for a block, that of the
/// outermost scope is used. The override runs in the scope of the template that contains it. Source: the Mustache
/// specification, optional module inheritance, "Top-level substitutions take precedence" and "Recursion".
struct Scopes {
    private var scopes: [(overrides: Range<Int>, outer: Int, depth: Int)] = []
    /// The index of the current scope; -1 for none. While an override runs, it is the scope around its parent tag.
    var current = -1

    /// Opens a scope inside the current one.
    mutating func enter(_ overrides: Range<Int>) {
        scopes.append((overrides, current, depth + 1))
        current = scopes.count - 1
    }

    /// Closes the scope that was opened last.
    mutating func leave() { current = scopes.removeLast().outer }

    /// The number of scopes that `override(of:in:)` searches.
    var depth: Int { current < 0 ? 0 : scopes[current].depth }

    /// The override of a block, and the scope to run it in; nil if the block keeps its default content.
    /// - Parameter overrides: all overrides of the library, sorted by block in the range of each parent tag.
    func override(of block: Int, in overrides: [Library.Override]) -> (Library.Override, outer: Int)? {
        var result: (Library.Override, outer: Int)?
        var scope = current
        while scope >= 0 {
            let (own, outer, _) = scopes[scope]
            let index = own.lowest { overrides[$0].block >= block }
            if index < own.upperBound, overrides[index].block == block { result = (overrides[index], outer) }
            scope = outer
        }
        return result
    }

    /// Identifies the overrides of all scopes, the innermost first. With equal keys, blocks have the same overrides.
    var key: [Range<Int>] {
        sequence(first: current) { scopes[$0].outer }.prefix { $0 >= 0 }.map { scopes[$0].overrides }
    }

    mutating func removeAll() {
        scopes.removeAll(keepingCapacity: true)
        current = -1
    }
}
