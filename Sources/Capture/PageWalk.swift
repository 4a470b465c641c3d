import Archive
import Catalogue

/// Walks a paged list: page 1 alone, then waves, handing them on in order.
///
/// A wave starts when the one before it has ended, so that no more than `width` pages are in flight. Source: the
/// project's brief, "pages 2-3-4 in parallel, then 5-6-7".
struct PageWalk: Sendable {
    /// A page as it came.
    struct Arrival: Sendable {
        let number: Int
        let page: ListPage
        let records: ReadRecords
        let exchange: Exchange
    }

    let list: ListEndpoint
    let width: Int
    /// Brings one page; throws where it cannot be had.
    let fetch: @Sendable (Int) async throws -> Arrival
}

extension PageWalk {
    /// Hands on every wave, its pages in order. While one is handed on the next is asked for.
    /// - Returns: what the list claims of itself.
    /// - Throws: what `fetch` and `body` throw; `CaptureError.moved` where count or pages differ between pages.
    func forEachWave(_ body: ([Arrival]) async throws -> Void) async throws -> ListPage {
        let first = try await fetch(1)
        var wave = [first]
        var next = 2
        while !wave.isEmpty {
            for arrival in wave { try check(arrival, against: first) }
            // Any claim, also of Int.max pages.
            let left = max(0, first.page.pages - (next - 1))
            let numbers = next..<next + min(width, left)
            async let following = pages(numbers)
            try await body(wave)
            wave = try await following
            next = numbers.upperBound
        }
        return first.page
    }

    private func pages(_ numbers: Range<Int>) async throws -> [Arrival] {
        try await withThrowingTaskGroup(of: Arrival.self) { group in
            for number in numbers { group.addTask { try await fetch(number) } }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.number < $1.number }
        }
    }

    private func check(_ arrival: Arrival, against first: Arrival) throws(CaptureError) {
        guard arrival.page.count == first.page.count, arrival.page.pages == first.page.pages else {
            throw .moved(
                """
                the \(list.kind) list had \(first.page.count) records on \(first.page.pages) pages at page 1, and \
                \(arrival.page.count) \
                on \(arrival.page.pages) at page \(arrival.number)
                """)
        }
        // A list of which no page brings anything would be walked for as long as it claims to be.
        guard !arrival.page.records.isEmpty || first.page.count == 0 else {
            throw .moved(
                "page \(arrival.number) of the \(list.kind) list, which claims \(first.page.count) records, has none")
        }
    }
}
