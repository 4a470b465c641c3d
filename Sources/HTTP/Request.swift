/// One GET request with the bounds that its answer must keep.
public struct Request: Sendable {
    /// Which requests go first when all connections are busy.
    public enum Priority: Int, Sendable, Comparable {
        /// Waits for everything else: pictures.
        case bulk
        /// Goes first: what other requests follow from.
        case urgent

        /// Orders by who waits longer.
        public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    /// What is asked for.
    public var url: WebURL
    /// Header lines beside those that the client always sends.
    public var headers: [Header]
    /// Bodies over this many bytes are refused.
    public var maximumSize: Int
    /// Whether it goes before others.
    public var priority: Priority
    /// Whether it counts among the calls that the server allows.
    public var isCounted: Bool
    /// The origins that the request and its redirects may go to.
    public var allowedOrigins: Set<String>

    /// A request to the URL's own origin only.
    public init(
        _ url: WebURL, headers: [Header] = [], maximumSize: Int = 32 << 20, priority: Priority = .urgent,
        isCounted: Bool = false
    ) {
        self.url = url
        self.headers = headers
        self.maximumSize = maximumSize
        self.priority = priority
        self.isCounted = isCounted
        allowedOrigins = [url.origin]
    }
}
