import HTTPServer
import Mustache
import Platform
import Site

extension WatchedSite {
    /// Answers a request with a published file or a newly rendered one. A script in each page reloads it after a save.
    func answer(_ request: ServerRequest, else files: StaticFiles) -> ServerAnswer {
        if request.path == Self.scriptPath { return Self.answer(Self.script, "text/javascript; charset=utf-8") }
        if request.path == Self.statePath { return stateAnswer(request) }
        let (state, number) = state.current
        let name = request.fileNames.joined(separator: "/")
        if name.hasSuffix(".html"), let fault = state.fault { return Self.faultPage(fault, number) }
        // Requests for unknown names must not wait for files that are being rendered.
        if let preview = state.unpublished, preview.contains(name) {
            guard let permit = previewReaders.enterIfFree() else {
                return .text(503, "Too many pages are being rendered. Try again.\n", headers: [("Retry-After", "1")])
            }
            defer { withExtendedLifetime(permit) {} }
            if let answer = previewAnswer(name) { return answer }
        }
        // The browser's cached copy may come from older templates, so the request is not conditional.
        return withReloadScript(files.answer(ServerRequest(method: request.method, target: request.target)), number)
    }

    /// The answer with a file as it will be published; nil if the published file is current.
    ///
    /// One file is rendered at a time, because it needs its whole batch in memory. Meanwhile the site may be published.
    private func previewAnswer(_ name: String) -> ServerAnswer? {
        rendering.withLock { _ in
            let (state, number) = self.state.current
            guard let preview = state.unpublished else { return nil }
            do {
                return try preview.file(at: name).map { bytes in
                    Self.answer(
                        name.hasSuffix(".html") ? Self.withReloadScript(bytes, number) : bytes, MediaType.of(name))
                }
            } catch {
                return Self.faultPage(pageText(of: Failure(error)), number)
            }
        }
    }

    private func stateAnswer(_ request: ServerRequest) -> ServerAnswer {
        let permit = stateReaders.enterIfFree()
        defer { withExtendedLifetime(permit) {} }
        let number =
            permit == nil
            ? state.current.number : state.wait(after: Int64(request.query) ?? 0, milliseconds: Self.stateTimeout)
        return ServerAnswer(status: 204, headers: [("Cache-Control", "no-store"), (Self.header, "\(number)")])
    }

    private static let scriptPath = "/_amber/watch.js"
    private static let statePath = "/_amber/state"
    private static let header = "Amber-State"
    /// The maximum time in milliseconds that a request for the state waits. It is less than the time limits of proxies.
    private static let stateTimeout = 25_000
    /// The maximum size in bytes of a page with the script. Larger pages are answered without it.
    private static let scriptedPageLimit = 1 << 20

    private static func answer(_ bytes: [UInt8], _ type: String, status: Int = 200) -> ServerAnswer {
        ServerAnswer(
            status: status, headers: [("Content-Type", type), ("Cache-Control", "no-store")], body: .bytes(bytes))
    }

    /// Inserts the script that reloads the page after a save. The answer is returned unchanged if it is not a page, if
    /// the page is large, or if too many pages are read at the moment.
    private func withReloadScript(_ answer: ServerAnswer, _ number: Int64) -> ServerAnswer {
        guard case .file(let file) = answer.body, file.path.hasSuffix(".html"), let permit = pageReaders.enterIfFree()
        else { return answer }
        defer { withExtendedLifetime(permit) {} }
        guard let page = file.bytes(limit: Self.scriptedPageLimit) else { return answer }
        return Self.answer(Self.withReloadScript(page, number), MediaType.of(file.path), status: answer.status)
    }

    /// Inserts the script at the end of the page's head. A page without a head is returned unchanged.
    private static func withReloadScript(_ page: [UInt8], _ number: Int64) -> [UInt8] {
        guard page.count <= scriptedPageLimit, let end = page.firstRange(of: Array("</head>".utf8)) else { return page }
        return page[..<end.lowerBound] + Array("<script src=\"\(scriptPath)?\(number)\" async=\"\"></script>\n".utf8)
            + page[end.lowerBound...]
    }

    private static let faultPolicy =
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

    /// An error page that is shown in place of the requested page.
    static func faultPage(_ fault: String, _ number: Int64) -> ServerAnswer {
        let shown = Escaping.escaped(fault)
        let page = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>Not published</title>
            <script src="\(scriptPath)?\(number)" data-fault async></script>
            </head>
            <body>
            <h1>Not published</h1>
            <pre style="white-space: pre-wrap; overflow-wrap: anywhere">\(shown)</pre>
            <p>The published site is unchanged. This page reloads when the error is fixed.</p>
            </body>
            </html>

            """
        var answer = answer(Array(page.utf8), "text/html; charset=utf-8", status: 500)
        answer.headers.append(("Content-Security-Policy", faultPolicy))
        return answer
    }

    /// Reloads a page after a change and restores its scroll position, also after an error page.
    static let script = Array(
        """
        'use strict';
        (() => {
          const { src, dataset } = document.currentScript;
          const shown = new URL(src).search.slice(1);
          const isFault = dataset.fault !== undefined;
          const place = 'amber.place ' + location.pathname;

          /* The browser itself would restore the scroll position of the error page. */
          const kept = sessionStorage.getItem(place);
          if (!isFault && kept !== null) {
            const scroll = () => scrollTo({ top: Number(kept), behavior: 'instant' });
            sessionStorage.removeItem(place);
            history.scrollRestoration = 'manual';
            addEventListener('pagehide', () => { history.scrollRestoration = 'auto'; });
            if (document.readyState === 'complete') scroll();
            else addEventListener('load', scroll);
          }

          /* A hidden page sends no requests: browsers allow few connections to one server. */
          const visible = () => new Promise((resolve) => {
            const check = () => { if (!document.hidden) resolve(); };
            document.addEventListener('visibilitychange', check);
            check();
          });

          (async () => {
            let state = shown;
            while (state === shown) {
              await visible();
              try {
                state = (await fetch('\(statePath)?' + shown, { cache: 'no-store' })).headers.get('\(header)');
              } catch { /* The server is down. */ }
              /* The server may answer at once because too many pages wait. */
              if (state === shown) await new Promise((resolve) => setTimeout(resolve, 1000));
            }
            /* Without a state, the server no longer watches. */
            if (state === null || state === undefined) return;
            if (!isFault) sessionStorage.setItem(place, scrollY);
            location.reload();
          })();
        })();

        """.utf8)
}
