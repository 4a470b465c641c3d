/// What parent tags have put in place of blocks, while templates are walked.
///
/// Each parent tag adds a scope within the one it stands in. The outermost scope that has a block wins, and what
/// replaces the block is walked in the scope that its own template stands in. Source: the Mustache specification,
/// optional module inheritance, "Top-level substitutions take precedence" and "Recursion".
struct Scopes {
    private var scopes: [(overrides: Range<Int>, outer: Int, depth: Int)] = []
    /// The innermost one, or -1; another while an override is walked.
    var current = -1

    /// Opens a scope within the current one; hand what it returns to `leave`.
    mutating func enter(_ overrides: Range<Int>) -> Int {
        scopes.append((overrides, current, depth + 1))
        defer { current = scopes.count - 1 }
        return current
    }

    mutating func leave(to before: Int) {
        scopes.removeLast()
        current = before
    }

    /// How many scopes `override(of:in:)` looks through.
    var depth: Int { current < 0 ? 0 : scopes[current].depth }

    /// What replaces the block, and the scope to walk it in; nil where its default content stays.
    /// - Parameter overrides: sorted by block in the range of each parent tag.
    func override(of block: Int, in overrides: [Library.Override]) -> (Library.Override, outer: Int)? {
        var found: (Library.Override, outer: Int)?
        var scope = current
        while scope >= 0 {
            if let override = Self.first(of: block, in: overrides[scopes[scope].overrides]) {
                found = (override, scopes[scope].outer)
            }
            scope = scopes[scope].outer
        }
        return found
    }

    private static func first(of block: Int, in overrides: ArraySlice<Library.Override>) -> Library.Override? {
        var (start, end) = (overrides.startIndex, overrides.endIndex)
        while start < end {
            let middle = start + (end - start) / 2
            if overrides[middle].block < block { start = middle + 1 } else { end = middle }
        }
        return start < overrides.endIndex && overrides[start].block == block ? overrides[start] : nil
    }

    /// The scopes from the innermost to the outermost, each by its first override; equal keys replace equal blocks.
    var key: [Range<Int>] {
        var key: [Range<Int>] = []
        var scope = current
        while scope >= 0 {
            key.append(scopes[scope].overrides)
            scope = scopes[scope].outer
        }
        return key
    }

    mutating func removeAll() {
        scopes.removeAll(keepingCapacity: true)
        current = -1
    }
}
