import Archive
import Catalogue
import HTTP

/// The findings that the tasks of a capture share: its gaps, its files, and the records that no list contains.
struct CaptureLog {
    var gaps = GapList()
    /// The gaps of pictures.
    private var pictureGaps = GapList()
    /// The records that were requested by number, with their answers.
    var extras: [RecordKey: (slice: RecordSlice, exchange: Exchange, children: [ChildList])] = [:]
    /// The number of records that were or will be requested by number.
    var extrasRequested = 0
    /// The paths of the lists of children that are not read yet, by the index of the list.
    var children: [Int: [String]] = [:]
    private var childPaths: [Int: Set<String>] = [:]
    /// How each path of a picture or file was requested. A prefix of its digest takes less memory than the path.
    private var requests: [UInt128: AssetRequests] = [:]
    /// The records that are taken from the newest revision.
    var taken: [TakenRecords] = []
    /// Sentences for the user about lists whose changed records were requested.
    var notes: [String] = []
    /// The number of pictures and files that do not exist, and whose addresses come from the declaration.
    var absent = 0
    /// The error that ended the capture. Later errors are consequences and are not stored.
    private(set) var failure: (any Error)?

    /// Stores the error that ended the capture, unless there is one already. A cancellation is ignored, because another
    /// error caused it.
    mutating func setFailure(_ error: any Error) {
        switch error {
        case is CancellationError, CaptureError.cancelled: break
        case let error as HTTPError where error.cause == .cancelled: break
        default: failure = failure ?? error
        }
    }

    /// Adds the lists of a record's children. Two records can share a list.
    mutating func add(children lists: [ChildList]) {
        for child in lists where childPaths[child.list, default: []].insert(child.path).inserted {
            children[child.list, default: []].append(child.path)
        }
    }

    /// - Returns: whether the caller must request the picture or file. A path that was requested as a picture is
    ///   requested again as a file, unless it was a picture.
    mutating func claim(asset path: String, isPicture: Bool) -> Bool {
        let earlier = add(isPicture ? .picture : .file, at: path)
        return isPicture ? earlier.isEmpty : !earlier.contains(.file)
    }

    /// Adds a stored picture, so that it is not requested again as a file.
    mutating func addPicture(at path: String) { _ = add(.file, at: path) }

    mutating func addGap(_ reason: String, ofAsset path: String, isPicture: Bool) {
        let fault = ContentFault("", reason)
        if isPicture { pictureGaps.add(fault, at: path) } else { gaps.add(fault, at: path) }
    }

    /// All gaps. If a path was requested as a picture and as a file, only the file's gap counts. The order of the
    /// requests makes no difference.
    func allGaps() -> [Gap] {
        let pictureGaps = pictureGaps.sorted.filter {
            requests[SHA256(of: $0.url.utf8).prefix]?.contains(.file) != true
        }
        return (gaps.sorted + pictureGaps).sorted()
    }

    /// - Returns: the earlier requests for the path.
    private mutating func add(_ request: AssetRequests, at path: String) -> AssetRequests {
        let key = SHA256(of: path.utf8).prefix
        defer { requests[key, default: []].insert(request) }
        return requests[key] ?? []
    }
}

private struct AssetRequests: OptionSet {
    let rawValue: UInt8
    static let picture = Self(rawValue: 1)
    /// As a file, which can have any format; or the path has a stored picture.
    static let file = Self(rawValue: 2)
}
