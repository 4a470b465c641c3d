import HTTPServer
import Platform
package import SampleAPI

/// Something to go wrong at a sample server: on which requests, and how often.
public struct Fault: Sendable {
    private let match: Match
    fileprivate var times: Int?
    fileprivate let action: Action

    /// - Parameter times: how often it is committed; nil for ever.
    public init(_ match: Match, times: Int? = 1, _ action: Action) {
        self.match = match
        self.times = times
        self.action = action
    }

    /// A test on the path with its query, as sent.
    public enum Match: Sendable {
        /// Every request; just this one, such as `/api/character?page=2`; those that begin so, or have this in them, or
        /// for which this is true.
        case any, exactly(String), prefix(String), contains(String), satisfies(@Sendable (String) -> Bool)
    }

    /// What is done in place of a proper answer.
    public enum Action: Sendable {
        /// Any status, with headers and a body of JSON.
        case status(Int, headers: [(name: String, value: String)] = [], body: String = #"{"error":"injected"}"#)
        /// The connection is reset before the first byte.
        case reset
        /// The right Content-Length, the body cut after so many bytes.
        case truncate(Int)
        /// Silence, then the connection is cut.
        case hang(Duration)
        /// So many bytes each interval.
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
    /// The most requests of a kind that were in flight at one time.
    package func mostInFlight(_ kind: String) -> Int {
        let asked = filter { $0.kind == kind }
        return asked.map { one in
            asked.count { $0.start <= one.start && ($0.end.map { end in end > one.start } ?? true) }
        }.max() ?? 0
    }
}

extension Behaviour {
    /// A later state of a universe: every twentieth record has another name, and every twentieth character another
    /// portrait.
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

    /// As the live service, but late, or faulty.
    package init(latency: Duration = .zero, faults: [Fault] = [], hidden: Set<Universe.Reference> = []) {
        self.init()
        self.latency = latency
        self.hidden = hidden
        self.faults = faults
    }

    /// What is to go wrong. The first fault that matches and has times left is committed.
    package var faults: [Fault] {
        get { (filter as? Faults)?.left.withLock(\.self) ?? [] }
        set { filter = newValue.isEmpty ? nil : Faults(newValue) }
    }
}

private final class Faults: AnswerFilter {
    let left: Guarded<[Fault]>

    init(_ faults: [Fault]) {
        left = Guarded(faults)
    }

    func change(_ answer: inout ServerAnswer, to request: ServerRequest) {
        let action = left.withLock { faults -> Fault.Action? in
            let place = faults.firstIndex { $0.times != 0 && $0.matches(request.target) }
            guard let place else { return nil }
            faults[place].times = faults[place].times.map { $0 - 1 }
            return faults[place].action
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
        case .redirect(let place): answer = ServerAnswer(status: 302, headers: [("Location", place)])
        case .reset: answer.misbehaviour = .reset
        case .hang(let time): answer.misbehaviour = .hang(time)
        case .truncate(let bytes): answer.misbehaviour = .truncated(after: bytes)
        case .slow(let bytes, let interval): answer.misbehaviour = .slow(bytes: bytes, every: interval)
        }
    }
}
