import HTTPServer
import Platform
package import SampleAPI

/// A fault of a sample server, with the requests that it applies to.
public struct Fault: Sendable {
    private let match: Match
    fileprivate var times: Int?
    fileprivate let action: Action

    /// - Parameter times: the number of times that it occurs; nil for always.
    public init(_ match: Match, times: Int? = 1, _ action: Action) {
        self.match = match
        self.times = times
        self.action = action
    }

    /// A condition on the path with its query, as sent.
    public enum Match: Sendable {
        /// Every path, a path such as `/api/character?page=2`, a prefix, a part of the path, or a predicate.
        case any, exactly(String), prefix(String), contains(String), satisfies(@Sendable (String) -> Bool)
    }

    /// The action of the server instead of a valid answer.
    public enum Action: Sendable {
        /// This status, with headers and a JSON body.
        case status(Int, headers: [(name: String, value: String)] = [], body: String = #"{"error":"injected"}"#)
        /// The connection is reset before the first byte.
        case reset
        /// The correct Content-Length, and the body cut after this number of bytes.
        case truncate(Int)
        /// Silence, then the connection is closed.
        case hang(Duration)
        /// This number of bytes in each interval.
        case slow(bytes: Int, every: Duration)
        /// 200 with this body.
        case body([UInt8], type: String = "application/json; charset=utf-8")
        /// 302 to this address.
        case redirect(to: String)
    }

    fileprivate func matches(_ target: String) -> Bool {
        switch match {
        case .any: true
        case .exactly(let text): target == text
        case .prefix(let text): target.hasPrefix(text)
        case .contains(let text): target.contains(text)
        case .satisfies(let test): test(target)
        }
    }
}

extension [LoggedRequest] {
    /// The largest number of requests of a kind that were in flight at the same time.
    package func maximumInFlight(_ kind: String) -> Int {
        let requests = filter { $0.kind == kind }
        return requests.map { one in
            requests.count { $0.start <= one.start && ($0.end.map { end in end > one.start } ?? true) }
        }.max() ?? 0
    }
}

extension Behaviour {
    /// Simulates a later state of the API: every twentieth record has another name, and every twentieth character
    /// another portrait.
    package mutating func revise(_ universe: Universe) {
        for kind in Universe.Kind.allCases {
            for id in stride(from: 1, through: universe.counts[kind], by: 20) {
                let record = Universe.Reference(kind, id)
                replaced[record] = universe.json(record, renamed: "\(universe.name(of: record)) (2)")
                guard kind == .character else { continue }
                avatarOverrides[id] = universe.portrait(ofCharacter: id % universe.counts.character + 1)
            }
        }
    }

    /// The behaviour of the live service, with a latency, faults or hidden records.
    package init(latency: Duration = .zero, faults: [Fault] = [], hidden: Set<Universe.Reference> = []) {
        self.init()
        self.latency = latency
        self.hidden = hidden
        self.faults = faults
    }

    /// The first fault that matches and still has occurrences is applied.
    package var faults: [Fault] {
        get { (filter as? Faults)?.remaining.withLock(\.self) ?? [] }
        set { filter = newValue.isEmpty ? nil : Faults(newValue) }
    }
}

private final class Faults: AnswerFilter {
    let remaining: Locked<[Fault]>

    init(_ faults: [Fault]) {
        remaining = Locked(faults)
    }

    func change(_ answer: inout ServerAnswer, to request: ServerRequest) {
        let action = remaining.withLock { faults -> Fault.Action? in
            let index = faults.firstIndex { $0.times != 0 && $0.matches(request.target) }
            guard let index else { return nil }
            faults[index].times = faults[index].times.map { $0 - 1 }
            return faults[index].action
        }
        let open = (name: "Access-Control-Allow-Origin", value: "*")
        switch action {
        case nil: break
        case .status(let code, let headers, let body):
            let isTyped = headers.contains { $0.name.lowercased() == "content-type" }
            let type = isTyped ? [open] : [("Content-Type", "application/json; charset=utf-8"), open]
            answer = ServerAnswer(status: code, headers: type + headers, body: .bytes(Array(body.utf8)))
        case .body(let bytes, let type):
            answer = ServerAnswer(headers: [("Content-Type", type), open], body: .bytes(bytes))
        case .redirect(let address): answer = ServerAnswer(status: 302, headers: [("Location", address)])
        case .reset: answer.misbehaviour = .reset
        case .hang(let time): answer.misbehaviour = .hang(time)
        case .truncate(let bytes): answer.misbehaviour = .truncated(after: bytes)
        case .slow(let bytes, let interval): answer.misbehaviour = .slow(bytes: bytes, every: interval)
        }
    }
}
