import Catalogue
import CatalogueEngine
import HTTP
import Mustache
import Platform
import SampleAPI
import Site

/// A catalogue, as its folder declares it, with the roots of a configuration.
///
/// Code for a particular catalogue is only here and in `Configuration`.
struct CatalogueFolder {
    let path: String
    let catalogue: DeclaredCatalogue

    /// Finds the folder: at a path, or among the catalogues of the working folder and of the program.
    /// - Parameter choice: the path, which has a slash, or the name of a folder in `Catalogues`.
    init(_ choice: String, _ configuration: Configuration = Configuration()) throws {
        let places = choice.contains("/") ? [choice] : Settings.folders(named: "Catalogues").map { "\($0)/\(choice)" }
        guard let path = places.first(where: { FileStatus("\($0)/.") != nil }) else {
            let known =
                try Settings.folders(named: "Catalogues").first { FileStatus($0) != nil }.map(Folder.names(in:)) ?? []
            let others = known.isEmpty ? "" : "; the catalogues are: \(known.sorted().joined(separator: ", "))"
            let here = FileStatus("\(choice)/.") == nil ? "" : "; write ./\(choice) for the folder here"
            throw Failure.usage(
                "there is no catalogue \(choice.quoted): no folder \(places.joined(separator: " or "))\(here)\(others)")
        }
        self.path = path
        let file = "\(path)/\(TemplateSource.declaration)"
        let declaration = try Failure.with(.wrongUsage) {
            let bytes = try File.readFollowing(
                TemplateSource.declaration, in: Folder.open(path), limit: CatalogueDeclaration.maximumSize)
            return try TemplateFile(name: file, file: file, bytes: bytes).read { try CatalogueDeclaration($0) }
        }
        // The host of the sample's URL cannot exist.
        let bases = KnownCatalogue(rawValue: declaration.name).map { [$0.sampleBase] } ?? []
        try Failure.require(
            declaration.roots != nil || configuration.searches == nil,
            "the catalogue \"\(declaration.name)\" does not use searches: remove the key \"searches\" or choose "
                + "another catalogue")
        try Failure.require(
            declaration.roots == nil || configuration.searches != nil,
            "the catalogue \"\(declaration.name)\" requires searches: add the key \"searches\" to the configuration")
        catalogue = DeclaredCatalogue(
            declaration, roots: try declaration.roots.map(configuration.roots) ?? [], bases: bases)
    }

    /// The name of Amber's own catalogue for the API at an address; nil for others.
    static func name(forAPI api: String) throws -> String? {
        let folder = Settings.folders(named: "Catalogues").first { FileStatus($0) != nil } ?? ""
        let normalised = WebLinks.normalised(api)
        let address = normalised.hasSuffix("/") ? String(normalised.dropLast()) : normalised
        return try Folder.names(in: folder).sorted().first { name in
            // `try?`, because a faulty catalogue is reported when it is chosen, and one with searches is not used here.
            guard let own = try? CatalogueFolder("\(folder)/\(name)").catalogue.declaration else { return false }
            // Many sites have the API of WordPress, so its catalogue has an example address. Only the path is compared.
            guard let known = WebURL(own.api), known.origin.hasSuffix(".example.org:443") else {
                return own.api == address
            }
            return address.hasSuffix(known.target)
        }
    }
}

/// The catalogues with an invented sample.
enum KnownCatalogue: String {
    case rickandmorty, itunes

    var sampleBase: String { self == .itunes ? MediaLibrary.canonicalBase : Universe.canonicalBase }

    /// The URL at which a sample server on a port imitates the catalogue's service.
    func api(onPort port: Int) -> String { "http://127.0.0.1:\(port)\(self == .itunes ? "" : "/api")" }

    var sampleSentence: String {
        self == .itunes ? "These are invented media." : "This is an invented sample universe."
    }

    /// The sample's name in archives. The port is not part of it, because it differs in each run.
    func name(of sample: Universe) -> String {
        switch self {
        case .itunes: "the sample media (seed \(sample.seed))"
        case .rickandmorty: "the sample universe (seed \(sample.seed), \(sample.counts.character) characters)"
        }
    }
}

extension Universe {
    /// The sample that the options describe.
    init(_ arguments: Arguments) throws {
        self.init(
            seed: UInt64(try arguments.integer(.seed, in: 0...Int.max) ?? 1),
            characters: try arguments.integer(.characters, in: 1...1_000_000) ?? 826,
            portraits: try arguments.integer(.portraits, in: 1...1_000_000))
    }
}

extension Settings {
    /// The value of the key "searches"; nil without that key.
    var searches: JSON? {
        get throws {
            guard configuration.searches != nil, let roots = catalogue.declaration.roots else { return nil }
            return roots.json(try configuration.roots(roots))
        }
    }
}
