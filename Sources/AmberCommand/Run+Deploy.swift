import Catalogue
import Platform
import Site
import Synchronization

extension Run {
    /// Sends the published site to a target of rclone.
    func deploy(_ operands: [String], isDryRun: Bool) throws -> ExitCode {
        try Failure.require(
            operands.count == 1, "deploy requires one target of rclone: amber deploy remote:bucket/path")
        let target = try DeployTarget(operands[0])
        guard FileStatus("\(site.site)/index.html") != nil else { throw noSite }
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        let catalogue = try site.catalogueOfUnchangedSite()
        let state = try Folder.open("\(settings.output)/.amber", followsLink: false)
        try state.remove("deploy")
        try state.make("deploy")
        var deployment = try Deployment(
            Rclone(target: target, scratch: "\(state.path)/deploy", lock: lock), site: site.site, catalogue: catalogue,
            ownIDs: "\(state.path)/deploy.id")
        let isComplete = try completeness("complete").elementsEqual("true".utf8)
        // The release of the lock takes two runs of rclone.
        Interruption.grace.store(20, ordering: .relaxed)
        deployment.showProgress = { console.progress("deploy", done: $0, of: $1) }
        let plan = try deployment.run(isDryRun: isDryRun)
        console.clear()

        let counts =
            "\(Summary.grouped(plan.sent.count)) files (\(Summary.size(plan.bytes))) \(isDryRun ? "to send" : "sent"), "
            + "\(Summary.grouped(plan.deleted.count)) \(isDryRun ? "to delete" : "deleted"), "
            + "\(Summary.grouped(plan.kept)) unchanged: \(target.shown)"
        let paths = plan.sent.map { "send   \($0)" } + plan.deleted.map { "delete \($0)" }
        output(
            [
                "target": .text(target.shown), "sent": .integer(plan.sent.count), "bytes": .integer(Int(plan.bytes)),
                "deleted": .integer(plan.deleted.count), "unchanged": .integer(plan.kept),
                "complete": .flag(isComplete),
            ], lines: (isDryRun ? paths : []) + [counts])
        if !isComplete { console.warn("the deployed site has gaps; see completeness.html") }
        return isComplete ? .done : .publishedWithGaps
    }
}
