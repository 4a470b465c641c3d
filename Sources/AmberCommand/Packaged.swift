import Archive
import Catalogue
import Platform
import SampleAPI
import Site
import Snapshot

/// A package's payload as an archive, templates and settings of its own, to make the same package again.
struct Packaged {
    private let folder: String

    /// - Parameter folder: the payload's folder.
    init(_ folder: String) {
        self.folder = folder
    }

    func build() throws -> SnapshotBuild {
        let archive = ArchiveFolder("\(folder)/archive")
        let file = "\(folder)/amber.json"
        let settings = try Configuration(file)
        let base = try settings.baseURL.map { try Settings.address($0, called: "\(file): the base URL") }
        let known = settings.known
        let catalogue = try known.configured(by: settings)
        guard let revision = try RevisionReader.newest(in: archive, where: { $0.catalogue == catalogue.name }) else {
            throw Failure(.verificationFails, "there is no revision in \(archive.path)")
        }
        let templates = try TemplateFolder("\(folder)/templates", language: settings.language ?? "en")
        let site = Run.siteBuild(revision, catalogue, templates, in: archive, baseURL: base)
        return Self.snapshot(site, of: revision, in: archive, known, catalogue, settings: try File.read(file))
    }

    static func snapshot(
        _ site: SiteBuild, of revision: Revision, in archive: ArchiveFolder, _ known: KnownCatalogue,
        _ catalogue: any Catalogue,
        settings: [UInt8]
    ) -> SnapshotBuild {
        SnapshotBuild(
            site: site, of: revision, in: archive, catalogue, settings: settings,
            base: revision.source.origin == .sample ? known.sampleBase : revision.source.api,
            software: AmberCommand.software)
    }
}
