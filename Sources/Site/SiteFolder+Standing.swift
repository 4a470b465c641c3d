public import Archive
import Dispatch
public import Platform

extension SiteFolder {
    /// The published site, where it is the one that a build would make, and nobody has touched it.
    /// - Parameters:
    ///   - key: what tells the build, as `SiteBuild.key` has it.
    ///   - archive: where the pictures are from.
    public func standing(key: String, from archive: ArchiveFolder, workers: Int = processorCount) throws(SiteError)
        -> BuildReport?
    {
        do {
            guard let manifest = try publishedManifest(), manifest.facts.key == key, let folder = try openSite() else {
                return nil
            }
            let archive = try OpenArchive(archive)
            let segments = manifest.segments
            let next = Guarded(0)
            let found = Guarded<(report: BuildReport, fault: SystemError?, holds: Bool)>((BuildReport(), nil, true))
            DispatchQueue.concurrentPerform(iterations: workers) { _ in
                var report = BuildReport()
                while true {
                    let index = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    guard index < segments.count, found.withLock({ $0.holds }) else { break }
                    let segment: ManifestSegment?
                    do throws(SystemError) {
                        segment = try manifest.segment(at: segments[index])
                    } catch {
                        found.withLock { $0.fault = error }
                        break
                    }
                    guard let segment, segment.holds(in: folder, madeFrom: archive) else {
                        found.withLock { $0.holds = false }
                        break
                    }
                    _ = report.count(segment)
                }
                found.withLock { $0.report.add(report, workers: 1) }
            }
            let (report, fault, holds) = found.withLock { $0 }
            if let fault { throw fault }
            guard holds else { return nil }
            var whole = report
            whole.rootHash = manifest.facts.rootHash
            return whole
        } catch {
            throw SiteError(error)
        }
    }
}
