import Catalogue
import ITunes
import RickAndMorty
import SampleAPI

/// The catalogues that there are. `Configuration` and `SampleSettings` know beside it what is particular to one of
/// them.
enum KnownCatalogue: String, CaseIterable {
    case rickandmorty, itunes

    /// The catalogue as configured. Links in the sample's data name a host that cannot exist (RFC 2606), so it may
    /// always be known.
    func configured(by file: Configuration) throws -> any Catalogue {
        switch (self, file.searches) {
        case (.rickandmorty, nil): return RickAndMorty(bases: [sampleBase])
        case (.itunes, let searches?): return ITunes(searches, bases: [sampleBase])
        case (.rickandmorty, _?):
            throw Failure(
                .wrongUsage,
                "the catalogue \"\(rawValue)\" has no searches: leave out the key \"searches\", or name another "
                    + "catalogue"
            )
        case (.itunes, nil):
            throw Failure(
                .wrongUsage,
                "the catalogue \"\(rawValue)\" needs searches: say which in the key \"searches\" of the configuration")
        }
    }

    /// The address that links in the sample's data begin with.
    var sampleBase: String { self == .itunes ? MediaLibrary.canonicalBase : Universe.canonicalBase }

    /// Where a sample server answers as the catalogue's service does.
    func api(of server: SampleServer) -> String { self == .itunes ? server.rootURL : server.apiURL }

    var sampleSentence: String {
        self == .itunes ? "These are invented media." : "This is an invented sample universe."
    }

    /// How archives name the sample: the port that it is served on is chance.
    func name(of sample: SampleSettings) -> String {
        self == .itunes ? "the sample media (seed \(sample.seed))" : sample.name
    }
}
