import Catalogue
import ITunes
import RickAndMorty
import SampleAPI

/// All catalogues. Code for a particular catalogue is only here, in `Configuration` and in `SampleSettings`.
enum KnownCatalogue: String, CaseIterable {
    case rickandmorty, itunes

    /// Creates the catalogue with its configuration. It also accepts the sample's base URL, whose host name cannot
    /// exist (RFC 2606).
    func configured(by file: Configuration) throws -> any Catalogue {
        switch (self, file.searches) {
        case (.rickandmorty, nil): return RickAndMorty(bases: [sampleBase])
        case (.itunes, let searches?): return ITunes(searches, bases: [sampleBase])
        case (.rickandmorty, _?):
            throw Failure(
                .wrongUsage,
                "the catalogue \"\(rawValue)\" does not use searches: remove the key \"searches\" or choose another "
                    + "catalogue"
            )
        case (.itunes, nil):
            throw Failure(
                .wrongUsage,
                "the catalogue \"\(rawValue)\" requires searches: add the key \"searches\" to the configuration")
        }
    }

    var sampleBase: String { self == .itunes ? MediaLibrary.canonicalBase : Universe.canonicalBase }

    /// The URL at which a sample server imitates the catalogue's service.
    func api(of server: SampleServer) -> String { self == .itunes ? server.rootURL : server.apiURL }

    var sampleSentence: String {
        self == .itunes ? "These are invented media." : "This is an invented sample universe."
    }

    /// The sample's name in archives. The port is not part of it, because it differs in each run.
    func name(of sample: SampleSettings) -> String {
        self == .itunes ? "the sample media (seed \(sample.seed))" : sample.name
    }
}
