/// How much the overview shows of a revision; the revision's own pages have all.
struct ChangeLimits: Sendable {
    /// Records of a kind that came, went or changed.
    let entries: Int
    /// Members of a record.
    let fields: Int
    /// Names of what came into a list, and of what went out of it.
    let names: Int
}
