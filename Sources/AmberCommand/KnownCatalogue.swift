import Catalogue
import ITunes
import RickAndMorty
import SampleAPI

/// The catalogues that there are. `Configuration` and `SampleSettings` know beside it what is particular to one of
/// them.
enum KnownCatalogue: String, CaseIterable, Decodable {
    case rickandmorty, itunes

    /// The catalogue as configured. Links in the sample's data name a host that cannot exist (RFC 2606), so it may
    /// always be known.
    func configured(by file: Configuration) throws(Failure) -> any Catalogue {
        switch self {
        case .rickandmorty:
            guard file.searches == nil else {
                throw Failure(
                    .wrongUsage,
                    "the catalogue \"\(rawValue)\" has no searches: leave out the key \"searches\", or name another "
                        + "catalogue"
                )
            }
            return RickAndMorty(bases: [sampleBase])
        case .itunes:
            guard let searches = file.searches, !searches.isEmpty else {
                throw Failure(
                    .wrongUsage,
                    "the catalogue \"\(rawValue)\" needs searches: say which in the key \"searches\" of the "
                        + "configuration"
                )
            }
            return ITunes(searches, bases: [sampleBase])
        }
    }

    /// The address that links in the sample's data begin with.
    var sampleBase: String {
        switch self {
        case .rickandmorty: Universe.canonicalBase
        case .itunes: MediaLibrary.canonicalBase
        }
    }

    /// Where a sample server answers as the catalogue's service does.
    func api(of server: SampleServer) -> String {
        switch self {
        case .rickandmorty: server.apiURL
        case .itunes: server.rootURL
        }
    }

    /// What is said where the sample takes the service's place.
    var sampleSentence: String {
        switch self {
        case .rickandmorty: "This is an invented sample universe."
        case .itunes: "These are invented media."
        }
    }

    /// How archives name the sample: the port that it is served on is chance.
    func name(of sample: SampleSettings) -> String {
        switch self {
        case .rickandmorty: sample.name
        case .itunes: "the sample media (seed \(sample.seed))"
        }
    }
}
