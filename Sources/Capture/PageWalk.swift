import Archive
import Catalogue
import Platform

/// Walks a paged list: page 1 alone, then waves of pages, such as pages 2 to 4 in parallel, then 5 to 7.
///
/// A wave starts when the previous wave has ended, so at most `width` pages are requested at a time. A wave has one
/// page if the number of pages is unknown, or if each page contains the address of the next one.
struct PageWalk: Sendable {
    /// A page of the list with its records.
    typealias Arrival = (number: Int, page: ListPage, content: AnswerRecords, exchange: Exchange)

    let list: ListEndpoint
    let width: Int
    /// Requests one page. It returns nil if the list ends before this page.
    let fetch: @Sendable (_ number: Int, _ path: String) async throws -> Arrival?

    /// The maximum number of consecutive pages without records. A server could send such pages without an end.
    static let maximumEmptyPages = 100

    /// Calls the closure with each wave, its pages in order. While the closure runs, the next wave is requested.
    /// - Parameter turn: waits until the first wave can be used. So a list that waits holds only its first page.
    /// - Returns: the first page; nil if there is none.
    /// - Throws: `CaptureError.listChanged` if claimed counts differ between pages, and errors of `fetch` and `body`.
    func forEachWave(
        after turn: () async -> Void = {}, _ body: ([Arrival]) async throws -> Void
    ) async throws -> ListPage? {
        guard let first = try await fetch(1, list.firstPath) else { return nil }
        let pages = first.page.claim == nil ? nil : try Self.pages(of: first.page, list)
        var wave = [first]
        var paths: Set<String> = [list.firstPath]
        var empty = 0
        var before = first
        while let last = wave.last {
            for arrival in wave {
                try check(arrival, against: first, after: before, pages)
                before = arrival
                empty = arrival.page.records.isEmpty ? empty + 1 : 0
            }
            guard empty <= Self.maximumEmptyPages else {
                throw CaptureError.incomplete(
                    "the \(list) list has \(empty) consecutive pages without a record; check the paginator")
            }
            let next = requests(after: last, pages)
            for (number, path) in next where !paths.insert(path).inserted {
                throw CaptureError.incomplete(
                    "page \(number) of the \(list) list would be \(path) again, so the list has no end")
            }
            await turn()
            async let following = Window(width: .max).run(next) { try await fetch($0.number, $0.path) }
            try await body(wave)
            wave = try await following.compactMap(\.self)
        }
        return first.page
    }

    /// The numbers and paths of the next wave; empty at the end of the list.
    /// - Parameter pages: the claimed number of pages; nil if it is unknown.
    private func requests(after last: Arrival, _ pages: Int?) -> [(number: Int, path: String)] {
        let next = last.number + 1
        if list.paginator == .single || last.page.more == false { return [] }
        if list.paginator.isChain { return last.page.next.map { [(next, $0)] } ?? [] }
        // This calculation must not overflow, even if the list claims Int.max pages.
        let count =
            pages.map { min(width, max(0, $0 - last.number)) } ?? (last.page.more ?? !last.page.records.isEmpty ? 1 : 0)
        return (next..<next + count).map { ($0, list.path(page: $0) ?? "") }
    }

    /// The number of pages that a list claims, or that follows from the number of records and the size of a page.
    static func pages(of first: ListPage, _ list: ListEndpoint) throws -> Int {
        if let pages = first.claim?.pages { return pages }
        guard let count = first.claim?.count else { return 1 }
        let size = first.records.count
        if case .offset(_, let parameter, let limit) = list.paginator, size != min(limit, count) {
            throw CaptureError.incomplete(
                "the first page of the \(list) list has \(size) of \(count) records, though "
                    + "\(parameter)=\(limit) was requested; set the paginator's limit to the size of its pages")
        }
        return size == 0 ? 1 : (count + size - 1) / size
    }

    private func check(_ arrival: Arrival, against first: Arrival, after before: Arrival, _ pages: Int?) throws {
        // Without counts, a page after a short one means that the API sends fewer records, and offsets would skip some.
        if case .offset(_, let parameter, let limit) = list.paginator, pages == nil, arrival.number > 1,
            !arrival.page.records.isEmpty, before.page.records.count != limit
        {
            throw CaptureError.incomplete(
                "page \(before.number) of the \(list) list has \(before.page.records.count) records, though "
                    + "\(parameter)=\(limit) was requested; set the paginator's limit to the size of its pages")
        }
        if let own = arrival.page.isObject, let other = first.page.isObject, own != other {
            let (one, other) = own ? ("an object", "an array") : ("an array", "an object")
            throw CaptureError.listChanged(
                "page \(arrival.number) of the \(list) list is \(one), but page 1 is \(other)")
        }
        guard let claim = first.page.claim else { return }
        guard let own = arrival.page.claim, own.count == claim.count, own.pages == claim.pages else {
            throw CaptureError.listChanged(
                "page 1 of the \(list) list claims \(Self.text(first.page)), but page \(arrival.number) claims "
                    + Self.text(arrival.page))
        }
        // Without this check, a list that claims many pages and sends empty ones would be walked to the end.
        let isEmptyList = claim.count.map { $0 == 0 } ?? (arrival.number == 1 && claim.pages ?? 0 <= 1)
        guard !arrival.page.records.isEmpty || isEmptyList || list.paginator.isChain else {
            throw CaptureError.listChanged(
                "page \(arrival.number) of the \(list) list is empty, but the list claims \(Self.text(first.page))")
        }
    }

    private static func text(_ page: ListPage) -> String {
        let numbers = [page.claim?.count.map { "\($0) records" }, page.claim?.pages.map { "\($0) pages" }]
        let text = numbers.compactMap(\.self).joined(separator: " on ")
        return text.isEmpty ? "nothing" : text
    }
}
