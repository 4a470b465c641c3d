import Archive
import Catalogue
import Evidence
import Platform
import TestSupport
import Testing

@testable import Capture
@testable import HTTP

/// A way in which an API pages seven items, three on a page.
private enum Style: String, CaseIterable {
    case numbers = #"{"paginator":{"type":"page_number"},"records":"data","count":"count","pages":"pages"}"#
    case countedNumbers = #"{"paginator":{"type":"page_number"},"records":"data","count":"header:X-Total"}"#
    case plainNumbers = #"{"paginator":{"type":"page_number"}}"#
    case endedNumbers = #"{"paginator":{"type":"page_number","first":0},"responses":{"404":"end"}}"#
    case offsets = #"{"paginator":{"type":"offset","limit":3},"records":"data","count":"count"}"#
    case plainOffsets = #"{"paginator":{"type":"offset","limit":3}}"#
    case cursor = #"{"paginator":{"type":"cursor","cursor":"next"},"records":"data"}"#
    case countedCursor = #"{"paginator":{"type":"cursor","cursor":"next"},"records":"data","count":"count"}"#
    case flaggedCursor = #"{"paginator":{"type":"cursor","cursor":"meta.next","more":"meta.more"},"records":"data"}"#
    case headerCursor = #"{"paginator":{"type":"cursor","cursor":"header:X-Next"}}"#
    case links = #"{"paginator":{"type":"json_link"},"records":"data"}"#
    case countedLinks = #"{"paginator":{"type":"json_link"},"records":"data","count":"count"}"#
    case headerLinks = #"{"paginator":{"type":"header_link"}}"#
    case single = #"{"paginator":{"type":"single_page"}}"#
    case countedSingle = #"{"paginator":{"type":"single_page"},"records":"data","count":"count"}"#

    /// Whether a page is an array. Then any other array is a page with elements that are no records.
    var isArray: Bool { !rawValue.contains("records") }
    var hasLinks: Bool { self == .links || self == .countedLinks || self == .headerLinks }
}

/// A fault of a server.
private enum Fault: String, CaseIterable {
    case unavailableOnce, cutOnce, wrongOnce, unavailable, cut, wrong, html, null
    case loop, repeatedCursor, otherHost, higherCount, hugeCount, changingCount
    case endlessEmptyPages, endlessRecords, endlessWrongRecords, repeatedIDs, repeatedPage

    /// The text of the error; empty for a complete capture, nil if the style cannot have the fault.
    func error(_ style: Style, _ api: StyledAPI) -> String? {
        let isKnown = api.hasCount && !api.isChain
        switch self {
        case .unavailableOnce, .cutOnce, .wrongOnce, .wrong: return ""
        case .unavailable: return "answered status 503"
        case .cut, .html, .null: return "item"
        case .loop: return api.isChain ? "again, so the list has no end" : nil
        case .repeatedCursor: return api.isChain && !style.hasLinks ? "again, so the list has no end" : nil
        case .otherHost: return style.hasLinks ? "which is not below this API's address" : nil
        case .higherCount: return api.hasCount ? "the item list claims 8 records, but" : nil
        case .hugeCount:
            return api.hasCount ? "claims 1000000000 records, but maximumRecords is" : nil
        case .changingCount: return api.hasCount && !api.isSingle ? "claims 7 records" : nil
        case .endlessEmptyPages:
            return api.isChain ? "consecutive pages without a record" : nil
        case .endlessRecords: return isKnown || api.isSingle ? nil : "than the 100 records that maximumRecords allows"
        case .endlessWrongRecords:
            return isKnown || api.isSingle ? nil : "has more records or pages than the 100 that maximumRecords allows"
        case .repeatedIDs: return api.isSingle ? nil : "has item 1 twice"
        case .repeatedPage: return isKnown || api.isSingle ? nil : "has item 1 twice"
        }
    }
}

/// Each fault of a server with each paginator.
struct PaginatorFaultTests {
    @Test(arguments: Style.allCases.map { "\($0)" })
    func `A list is complete, or the capture fails with the reason`(style: String) async throws {
        let style = try #require(Style.allCases.first { "\($0)" == style })
        try await withThrowingTaskGroup { group in
            for fault in Fault.allCases { group.addTask { try await check(fault, style) } }
            try await group.waitForAll()
        }
    }

    private func check(_ fault: Fault, _ style: Style) async throws {
        let list = #"{"path":"{list}",\#(style.rawValue.dropFirst())"#
        let styled = try StyledAPI(list, api: "https://items.example/v1", items: 7, size: 3)
        guard let error = fault.error(style, styled) else { return }
        let requests = Locked<[Int: Int]>([:])
        let api = ItemAPI { path, query in
            styled.answer(path, query) { page in
                let isFirst = requests.withLock { requests in
                    requests[page.index, default: 0] += 1
                    return requests[page.index] == 1
                }
                return Self.apply(fault, to: &page, isFirst: isFirst, styled, path, query)
            }
        }
        var captures = try captures(list, api)
        captures.settings.maximumRecords = 100
        var failure = ""
        var gaps: [String] = []
        do { gaps = try await captures.run().gapTexts } catch { failure = "\(error)" }
        let isExpected = error.isEmpty ? failure.isEmpty : failure.contains(error)
        #expect(isExpected, "\(style), \(fault): \(failure)")
        #expect(failure.utf8.count < 500 && api.paths.withLock { $0.count } < 250, "\(style), \(fault)")
        guard failure.isEmpty else { return }
        // Each record that is always wrong is a gap.
        let wrong = fault != .wrong ? 0 : styled.isSingle ? 7 : 3
        let records = try captures.numbers(of: "item").count
        #expect(gaps.count == wrong && records == 7 - wrong, "\(style), \(fault): \(gaps)")
    }

    private static func apply(
        _ fault: Fault, to page: inout StyledAPI.Page, isFirst: Bool, _ styled: StyledAPI, _ path: String,
        _ query: [String: String]
    ) -> StyledAPI.Answer? {
        /// The answer without the fault.
        var whole: StyledAPI.Answer { styled.answer(path, query) }
        let isLater = page.index == 1 || styled.isSingle
        switch fault {
        case .unavailableOnce, .unavailable:
            return isLater && (isFirst || fault == .unavailable) ? (503, "", "busy") : nil
        case .cutOnce, .cut:
            guard isLater, isFirst || fault == .cut else { return nil }
            return (200, whole.header, String(whole.body.dropLast(9)))
        case .wrongOnce, .wrong:
            guard isLater, isFirst || fault == .wrong else { return nil }
            return (200, whole.header, whole.body.replacing("\"name\":", with: "\"name\"="))
        case .html: return isLater ? (200, "", "<html><body>Sorry</body></html>") : nil
        case .null: return isLater ? (200, "", "\"\"") : nil
        case .loop: if page.index == 2 { (page.next, page.cursor) = ("\(path)?after=1", 1) }
        case .repeatedCursor: page.cursor = 1
        case .otherHost: if page.next != nil { page.next = "https://evil.example/v1/item?after=1" }
        case .higherCount: page.count += 1
        case .hugeCount: page.count = 1_000_000_000
        case .changingCount: page.count += page.index
        case .endlessEmptyPages:
            page.items = page.index == 0 ? page.items : []
            (page.next, page.cursor) = ("\(path)?after=\(page.index + 1)", page.index + 1)
        case .endlessRecords:
            page.items = Array(3 * page.index + 1...3 * page.index + 3)
            (page.next, page.cursor) = ("\(path)?after=\(page.index + 1)", page.index + 1)
        case .endlessWrongRecords:
            guard page.index > 0 else {
                (page.next, page.cursor) = ("\(path)?after=1", 1)
                return nil
            }
            var answer = styled.answer(path, query) { page in
                Self.apply(.endlessRecords, to: &page, isFirst: isFirst, styled, path, query)
            }
            answer.body.replace("\"id\":", with: "\"was\":")
            return answer
        case .repeatedIDs: if page.index == 2 { page.items = [1] }
        case .repeatedPage:
            page.items = [1, 2, 3]
            (page.next, page.cursor) = ("\(path)?after=\(page.index + 1)", page.index + 1)
        }
        return nil
    }
}

/// Faults of a connection, of HTTP and of the content with each paginator, over HTTP.
struct PaginatorServerFaultTests {
    /// `make soak` tries each fault with all styles. `make test` and a short soak try it with a third of them.
    private static func faults(for style: Style, of styles: [Style]) throws -> [ServerFault] {
        let number = try #require(styles.firstIndex(of: style))
        let isComplete = Soak.minutes != nil && !Soak.isShort
        return ServerFault.selected.enumerated().filter { isComplete || $0.offset % 3 == number % 3 }.map(\.element)
    }

    @Test(arguments: Style.allCases.map { "\($0)" })
    func `After a fault a list is complete, or the capture names what is lost`(style: String) async throws {
        let style = try #require(Style.allCases.first { "\($0)" == style })
        let isSingle = style == .single || style == .countedSingle
        let faults = try Self.faults(for: style, of: Style.allCases)
        let cases = faults.flatMap { fault in (1...(isSingle ? 1 : 2)).map { (fault, $0) } }
        _ = try await Window(width: 8).run(cases) { try await check($0, style, $1) }
    }

    /// The requests for the second item: for its record, and for the pages of the list of its children.
    private enum Request: String, CaseIterable { case record, firstPage, laterPage }

    private static let styles = [Style.numbers, .offsets, .cursor, .headerCursor, .links, .headerLinks]

    @Test(arguments: styles.map { "\($0)" })
    func `After a fault in an answer about one item the others are complete`(style: String) async throws {
        let style = try #require(Style.allCases.first { "\($0)" == style })
        let faults = try Self.faults(for: style, of: Self.styles)
        let cases = faults.flatMap { fault in Request.allCases.map { (fault, $0) } }
        _ = try await Window(width: 8).run(cases) { try await check($0, style, $1) }
    }

    private func check(_ fault: ServerFault, _ style: Style, _ request: Request) async throws {
        let comment: Comment = "\(style), \(request): \(fault.name)"
        let children = #"{"name":"parts","kind":"part","path":"items/{item.id}/parts"}"#
        let (captures, server, _) = try captures(
            style, items: 4, #"{"name":"item","detail":"items/{id}"},\#(children)"#)
        defer { server.stop() }
        let path = Self.path(
            request == .laterPage ? 2 : 1, of: captures.catalogue.lists[1].at("items/2/parts"), style)
        let target = request == .record ? "items/2" : path
        server.setFaults([.init(.exactly("/api/\(target)"), times: nil, fault.action)])
        let (failure, gaps) = await Self.result(of: captures)
        let isArray = fault.name == "JSON of another shape" && style.isArray && request != .record
        let rows = request == .firstPage || isArray ? 3 : 1
        let nature = isArray ? .unreadable : fault.nature
        switch nature {
        case .harmless:
            // All items have the same parts, so a part with other bytes is a gap.
            let differs = fault.name == "unknown extra keys" && request != .record
            #expect(failure.isEmpty && gaps.count == (differs ? rows : 0), "\(comment): \(failure)")
            #expect(gaps.allSatisfy { $0.reason.contains("with other content than an earlier list") }, comment)
        case .lost where request == .laterPage, .gone, .moved:
            #expect(fault.isNamed(in: failure) && failure.utf8.count < 500, "\(comment): \(failure)")
        case .lost, .unreadable:
            #expect(failure.isEmpty && gaps.count == (nature == .unreadable ? rows : 1), "\(comment): \(failure)")
            #expect(gaps.allSatisfy { fault.isNamed(in: "\($0.keyPath): \($0.reason)") && $0.url == target }, comment)
            let items = try captures.numbers(of: "item")
            #expect(items == (request == .record ? [1, 3, 4] : [1, 2, 3, 4]), comment)
            #expect(try captures.numbers(of: "part") == [1, 2, 3, 4] && !captures.evidence().proof.isComplete, comment)
        }
        server.setFaults([])
        try server.restart()
        let whole = try await captures.run()
        #expect(whole.gaps.isEmpty && whole.records == ["item": 4, "part": 4], comment)
        try captures.expectComplete(["item": 4, "part": 4], comment)
    }

    private func check(_ fault: ServerFault, _ style: Style, _ page: Int) async throws {
        let comment: Comment = "\(style), page \(page): \(fault.name)"
        let (lasting, server, styled) = try captures(style, items: 7, #""item""#)
        let once = try captures(style, items: 7, #""item""#, server).captures
        defer { server.stop() }
        let path = Self.path(page, of: lasting.catalogue.lists[0], style)

        // The fault occurs in every answer.
        server.setFaults([.init(.exactly("/api/\(path)"), times: nil, fault.action)])
        let (failure, gaps) = await Self.result(of: lasting)
        let records = try lasting.numbers(of: "item")
        let isArray = fault.name == "JSON of another shape" && style.isArray
        switch isArray ? .unreadable : fault.nature {
        case .harmless: #expect(failure.isEmpty && gaps.isEmpty && records == Array(1...7), comment)
        case .unreadable:
            // The answer of this fault lacks the headers of the list, so nothing leads to the next page.
            let endsHere = isArray && (style == .headerLinks || style == .headerCursor)
            let left = styled.isSingle ? 0 : endsHere ? 3 * (page - 1) : 4
            #expect(failure.isEmpty && records.count == left, "\(comment): \(failure)")
            #expect(gaps.count == (styled.isSingle && !isArray ? 7 : 3), "\(comment): \(gaps)")
            #expect(
                gaps.allSatisfy { fault.isNamed(in: "\($0.keyPath): \($0.reason)") && $0.url == path },
                "\(comment): \(gaps)")
        case .lost, .moved, .gone:
            #expect(fault.isNamed(in: failure) && failure.utf8.count < 500 && records.isEmpty, "\(comment): \(failure)")
        }

        // It is over, so the next capture is complete.
        server.setFaults([])
        try server.restart()
        let whole = try await lasting.run()
        #expect(whole.gaps.isEmpty && whole.records == ["item": 7], comment)

        // It occurs once.
        let action =
            if case .down = fault.action { FaultyServer.Action.down(for: .milliseconds(1)) } else { fault.action }
        server.setFaults([.init(.exactly("/api/\(path)"), action)])
        let report = try await once.run()
        #expect(report.gaps.isEmpty && report.records == ["item": 7], comment)
        #expect(report.revision.digest == whole.revision.digest || fault.name == "unknown extra keys", comment)
        try once.expectComplete(["item": 7], comment)
        #expect(server.log.count < 60, comment)
    }

    /// The path of the first or second page.
    private static func path(_ page: Int, of list: ListEndpoint, _ style: Style) -> String {
        list.path(page: page) ?? "\(list.firstPath)?\(style.hasLinks ? "after" : "cursor")=1"
    }

    private static func result(of captures: Captures) async -> (failure: String, gaps: [Gap]) {
        do { return ("", try await captures.run().gaps) } catch { return ("\(error)", []) }
    }

    /// Captures of lists of this style from a server. Waits take no real time, except for a server that restarts.
    private func captures(
        _ style: Style, items: Int, _ lists: String, _ known: FaultyServer? = nil
    ) throws -> (captures: Captures, server: FaultyServer, styled: StyledAPI) {
        let list = #"{"path":"{list}",\#(style.rawValue.dropFirst())"#
        let styled = try StyledAPI(list, api: "https://items.example/v1", items: items, size: 3)
        let server = try known ?? FaultyServer(of: styled)
        let json = #"{"name":"items","api":"https://items.example/v1","list":\#(list),"lists":[\#(lists)]}"#
        var captures = try CaptureTests.captures(declaration: json, ItemAPI { _, _ in (404, "", "") })
        let time = Locked(0.0)
        captures.clock = Clock(
            now: { time.withLock { $0 } },
            sleep: { seconds in
                time.withLock { $0 += seconds }
                repeat { try await Task.sleep(for: .milliseconds(1)) } while server.isRestarting
            })
        captures.attempts = 3
        captures.settings.api = server.apiURL
        captures.settings.maximumDocument = 1 << 20
        var limits = Limits()
        limits.stallTime = 3
        limits.maximumPause = 0
        captures.client = .libcurl(limits: limits, agent: "Test/1", spillFolder: captures.folder.incoming)
        return (captures, server, styled)
    }
}
