import Archive
import Catalogue
import HTTP

extension CaptureRun {
    /// Requests a page.
    /// - Returns: nil if the server does not have it, and this is the end of the list.
    func page(
        _ number: Int, at path: String, of list: ListEndpoint, isKept: Bool, claimsSpace: Bool = true
    ) async throws -> PageWalk.Arrival? {
        guard await !resolver.isClosed else { throw CaptureError.cancelled }
        let isFirstOfChildren = number == 1 && list.parent != nil
        let canEnd = isFirstOfChildren || number > 1 && !list.paginator.isChain
        var isEnd = canEnd && list.endStatuses.contains(404)
        let answer: Fetcher.Answer
        do {
            answer = try await fetcher.document(path, of: list, isKept: isKept) { body, headers in
                let answer = PageAnswer(path: path, headers: headers, body: body, base: settings.api)
                let page = try catalogue.page(answer, of: list)
                var content =
                    list.hasDetail
                    ? try readRows(page.records, of: list, in: body)
                    : try read(page.records, in: body) { try catalogue.facts(of: $0, in: list, base: settings.api) }
                content.page = page
                return content
            }
        } catch let error as HTTPError where canEnd && list.endStatuses.contains(where: { .status($0) == error.cause })
        {
            (answer, isEnd) = (nil, true)
        } catch let error as HTTPError
            where number > 1 && list.paginator.isChain
            && [.status(400), .status(404), .status(410), .status(422)].contains(error.cause)
        {
            // The server refuses the address itself, such as an old cursor in a page that an interrupted run stored.
            throw CaptureError.listChanged("\(error), so the \(list) list is read again from its first page")
        } catch {
            guard isFirstOfChildren else { throw error }
            return addGap("\(try await gapReason(error)), so this list of children is missing", of: path)
        }
        guard let (content, exchange) = answer, let page = content.page else {
            if isEnd {
                progress.count { $0.pages += isFirstOfChildren ? 1 : 0 }
                return nil
            }
            if isFirstOfChildren { return addGap("the server does not have this list of children", of: path) }
            // Another page said that this page exists, so both pages must be requested again.
            throw number > 1
                ? CaptureError.listChanged("\(settings.api)/\(path): answered 404, though the list claims this page")
                : .incomplete("\(settings.api)/\(path): answered 404, so the list is missing; check the API's address")
        }
        if number == 1, claimsSpace { try checkClaims(of: page, list, exchange) }
        return (number, page, content, exchange)
    }

    /// Adds a gap for a list of children.
    private func addGap(_ reason: String, of path: String) -> PageWalk.Arrival? {
        addGap(ContentFault("", reason), at: path)
        progress.count { $0.pages += 1 }
        return nil
    }

    /// Refuses a list that claims more records or bytes than can be stored. If the first page is unchanged, the bytes
    /// are not checked, because the list is already stored.
    private func checkClaims(of page: ListPage, _ list: ListEndpoint, _ exchange: Exchange) throws {
        guard let claim = page.claim else { return }
        if let count = claim.count, count > settings.maximumRecords {
            throw CaptureError.incomplete(
                "the \(list) list of \(settings.api) claims \(count) records, but maximumRecords is "
                    + "\(settings.maximumRecords); raise maximumRecords and run again")
        }
        if exchange.received >= revision.started {
            try fetcher.storage.claim("\(list)", pages: try PageWalk.pages(of: page, list), of: exchange.size)
        }
    }
}
