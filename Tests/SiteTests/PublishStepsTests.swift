import Platform
import TestSupport
import Testing

@testable import Site

struct PublishStepsTests {
    /// Builds, and stops before a change. Returns whether it reached the change.
    private func isStopped(_ sites: Sites, before change: String) throws -> Bool {
        var folder = sites.folder
        folder.willChange = { name in
            if name == change { throw SystemError("stop before", name, code: 4) }
        }
        do {
            try sites.build(in: folder)
            return false
        } catch let error as SystemError where error.action == "stop before" {
            return true
        }
    }

    @Test(arguments: [
        "remove the hidden tree", "create the hidden tree", "mark the hidden tree as unfinished",
        "mark the hidden tree as finished",
        "exchange", "remove stray manifests",
    ])
    func `A build stopped at any step leaves a complete site, and the next build succeeds`(
        change: String
    ) async throws {
        var sites = try await Sites()
        sites.catalogue.pictures = ["pictures/1.png"]
        var before: [String: String] = [:]
        // Over no tree, one tree, two trees, and twice after another such stop.
        for number in 0..<8 {
            sites.catalogue.pages = ["index.html": "<p>build \(number)</p>", "only/\(number).html": "<p>x</p>"]
            let isStopped = try isStopped(sites, before: change)
            #expect(isStopped || number > 1 && change.hasSuffix("the hidden tree"), "\(number)")
            if number == 4 || number == 5 {
                // The next build starts from this stop.
                sites.catalogue.pages["more.html"] = "<p>y</p>"
                _ = try self.isStopped(sites, before: "mark the hidden tree as finished")
            }
            let after = try sites.published()
            let isNew = after["only/\(number).html"] != nil
            #expect(isNew == !isStopped)
            if !isNew { #expect(after == before) }
            try sites.build()
            let whole = try sites.published()
            #expect(
                Set(whole.keys).subtracting(["more.html"]) == [
                    "index.html", "only/\(number).html", "pictures/1.png", "style.css",
                ])
            #expect(whole["index.html"]?.contains("build \(number)<") == true)
            if isNew { #expect(after.merging(whole) { old, _ in old } == whole) }
            before = whole
        }
    }
}
