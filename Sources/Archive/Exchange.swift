import Platform

/// An answer as the archive keeps it.
public struct Exchange: Sendable {
    /// The exchange's number in the archive.
    public let id: Int64
    /// What was asked, relative to the API's base where it belongs to it.
    public let path: String
    /// The answer's status code.
    public let status: Int
    /// The header block as received.
    public let headers: [UInt8]
    /// Milliseconds since 1970 when the answer was complete.
    public let received: Int64
    /// The digest of the body.
    public let sha256: SHA256
    /// The picture that the body is, where it is one.
    public let asset: Asset?
    /// The picture's file, where its bytes have just been compared with their digest: to be noted.
    var file: FileStatus?
}

extension Exchange {
    /// The same without its header block, for those who keep many.
    public var withoutHeaders: Exchange {
        Exchange(
            id: id, path: path, status: status, headers: [], received: received, sha256: sha256, asset: asset,
            file: file)
    }

    /// The address of what was asked: a path below the API's, or a whole one, as of pictures that are elsewhere.
    public static func url(of path: String, below base: String) -> String {
        path.hasPrefix("https://") ? path : "\(base)/\(path)"
    }
}

/// What an answer is to its revision.
public enum AnswerRole: String, Sendable {
    /// A page of a list.
    case page
    /// Records asked for by their numbers. Which of them share a request depends on timing, so the records count, not
    /// the answer.
    case records
    /// A picture, or that there is none.
    case picture
}

/// An answer on its way into the archive.
public struct NewExchange: Sendable {
    /// What the body is kept as.
    public enum Content: Sendable {
        /// Kept in the database.
        case document([UInt8])
        /// Kept as a file named by its digest.
        case picture([UInt8], PictureFormat, width: Int, height: Int)
    }

    let path: String
    let role: AnswerRole
    let status: Int
    let headers: [UInt8]
    let received: Int64
    let content: Content

    /// The bytes that are kept, headers included.
    public var size: Int {
        switch content {
        case .document(let bytes), .picture(let bytes, _, _, _): bytes.count + headers.count
        }
    }

    /// An answer to be kept under the path that was asked.
    public init(path: String, role: AnswerRole, status: Int, headers: [UInt8], received: Int64, content: Content) {
        self.path = path
        self.role = role
        self.status = status
        self.headers = headers
        self.received = received
        self.content = content
    }
}
