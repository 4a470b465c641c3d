import Archive
import Catalogue
import CatalogueEngine
import Platform
import Site
import Snapshot

extension Run {
    func snapshot() throws -> ExitCode {
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        let templates = try compile(readTemplates())
        let revision = try revision(arguments[.revision])
        let start = ContinuousClock.now
        console.say("[1/1] snapshot of revision \(revision.number)")
        let key = try arguments[.key].map { path in try Failure.with(.wrongUsage) { try Ed25519.PrivateKey(path) } }
        try Folder.make(snapshots)
        let build = SnapshotBuild(siteBuild(revision, templates), settings: try packagedSettings(revision))
        let (name, report) = try build.write(into: snapshots, key: key)
        let gaps = try RevisionReader(revision, in: archive).gaps()
        let signed = report.isSigned ? ", signed: \(name.signature)" : ""
        let wacz = report.waczSize > 0 ? ["wacz      \(name.wacz), \(Summary.size(report.waczSize))"] : []
        let command = "cd \(Settings.quoted(snapshots)) && sha256sum --check \(name.text).sha256"
        output(
            [
                "name": .text(name.text), "bag": .text(name.bag), "tar": .text(name.tar),
                "files": .integer(report.files), "bytes": .integer(Int(report.bytes)),
                "tarBytes": .integer(Int(report.tarSize)), "waczBytes": .integer(Int(report.waczSize)),
                "rootHash": .text(report.rootHash), "statement": .text(name.statement),
                "signed": .flag(report.isSigned), "gaps": Summary.json(gaps),
            ],
            lines: [
                "bag       \(name.bag), \(Summary.grouped(report.files)) files, \(Summary.size(report.bytes))",
                "tar       \(name.tar), \(Summary.size(report.tarSize))",
            ] + wacz + (gaps.isEmpty ? [] : Summary.gapLines(gaps)) + [
                "root hash \(report.rootHash)", "statement \(name.statement)\(signed)",
                "time      \(Summary.time(start.duration(to: .now) / .seconds(1)))",
                "Check it: \(settings.command(.verify)), or: \(command)",
            ])
        return revision.gaps == 0 ? .done : .doneWithGaps
    }

    /// A configuration that builds the same site from the package.
    private func packagedSettings(_ revision: Revision) throws -> [UInt8] {
        let configuration: JSON = [
            "catalogue": .text("./catalogue"), "language": .text(settings.configuration.language),
            "templates": .text("templates"), "searches": try settings.searches,
            "api": revision.source.origin == .live ? .text(revision.source.api) : nil,
            "baseURL": settings.baseURL.map { .text($0) },
        ]
        return configuration.bytes + ["\n"]
    }
}

extension SnapshotBuild {
    /// The build that writes the same package again, from the archive, templates and settings in its payload.
    init(payload folder: String) throws {
        let archive = ArchiveFolder("\(folder)/archive")
        let file = "\(folder)/amber.json"
        let settings = try Configuration(file)
        let base = try settings.baseURL.map { try Settings.address($0, called: "\(file): the base URL") }
        let catalogueFolder = try CatalogueFolder("\(folder)/catalogue", settings)
        let catalogue = catalogueFolder.catalogue
        guard let revision = try RevisionReader.newest(in: archive, where: { $0.catalogue == catalogue.name }) else {
            throw Failure(.verificationFails, "there is no revision in \(archive.path)")
        }
        let templates = try TemplateFolder(
            TemplateSource("\(folder)/templates", catalogue: catalogueFolder.path, language: settings.language),
            for: catalogue)
        let site = Run.siteBuild(revision, catalogue, templates, in: archive, baseURL: base)
        self.init(site, settings: try File.read(file))
    }

    fileprivate init(_ site: SiteBuild, settings: [UInt8]) {
        let source = site.revision.source
        let sample = source.origin == .sample ? KnownCatalogue(rawValue: source.catalogue) : nil
        self.init(site: site, settings: settings, base: sample?.sampleBase ?? source.api)
    }
}
