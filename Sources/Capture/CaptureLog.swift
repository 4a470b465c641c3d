import Archive
import Catalogue

/// The findings that the tasks of a capture share: its gaps, its files, and the records that no list contains.
struct CaptureLog {
    var gaps = GapList()
    private var pictureGaps = GapList()
    /// The records that were requested by number, with their answers.
    var extras: [RecordKey: (slice: RecordSlice, exchange: Exchange, children: [ChildList])] = [:]
    /// The number of records that were or will be requested by number.
    var extrasRequested = 0
    /// The paths of the lists of children that are not read yet, by the index of the list.
    var children: [Int: [String]] = [:]
    private var childPaths: [Int: Set<String>] = [:]
    /// The requested paths, and whether each was requested as a file, which can have any format, or has a stored
    /// picture. A prefix of the digest takes less memory than a path.
    private var assets: [UInt128: Bool] = [:]
    var taken: [TakenRecords] = []
    /// The number of lists that were read, and of their rows, including unreadable ones.
    var (lists, rows) = (0, 0)
    /// By the name of a list: whether none of its pages has a value at the place of the next page.
    var lacksNext: [String: Bool] = [:]
    /// Sentences for the user about lists whose changed records were requested.
    var notes: [String] = []
    /// The number of pictures and files that do not exist, and whose addresses come from the declaration.
    var absent = 0
    /// The error that ended the capture. Later errors are consequences and are not stored.
    var failure: (any Error)?

    /// Adds the lists of a record's children. Two records can share a list.
    mutating func add(children lists: [ChildList]) {
        for child in lists where childPaths[child.list, default: []].insert(child.path).inserted {
            children[child.list, default: []].append(child.path)
        }
    }

    /// - Returns: whether the caller must request the picture or file. A path that was requested as a picture is
    ///   requested again as a file, unless it was a picture.
    mutating func claim(asset path: String, isPicture: Bool) -> Bool {
        let key = Self.key(path)
        guard isPicture ? assets[key] == nil : assets[key] != true else { return false }
        assets[key] = !isPicture
        return true
    }

    /// Adds a stored picture, so that it is not requested again as a file.
    mutating func addPicture(at path: String) { assets[Self.key(path)] = true }

    mutating func addGap(_ reason: String, ofAsset path: String, isPicture: Bool) {
        let fault = ContentFault("", reason)
        if isPicture { pictureGaps.add(fault, at: path) } else { gaps.add(fault, at: path) }
    }

    /// All gaps. If a path was requested as a picture and as a file, in any order, only the file's gap counts.
    func allGaps() -> [Gap] { (gaps.sorted + pictureGaps.sorted.filter { assets[Self.key($0.url)] != true }).sorted() }

    private static func key(_ path: String) -> UInt128 { SHA256(of: path.utf8).prefix }
}
