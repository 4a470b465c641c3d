import HTTPServer
import Platform
import Site

extension WatchedSite {
    /// Answers a request for the site: as it is published, or as it will be. Pages follow what is saved by a script of
    /// their own.
    func answer(_ request: ServerRequest, else files: StaticFiles) -> ServerAnswer {
        switch request.path {
        case Self.scriptPath: return Self.answer(Self.script, "text/javascript; charset=utf-8")
        case Self.newsPath: return news(request)
        default: break
        }
        let (state, number) = state.current
        let name = Self.name(request)
        if name.hasSuffix(".html"), let fault = state.fault { return Self.faultPage(fault, number) }
        // A name that the site does not have must not wait for the files that are made.
        if let preview = state.unpublished, preview.contains(name) {
            let busy = ServerAnswer.text(
                503, "Too many pages are being made. Try again.\n", headers: [("Retry-After", "1")])
            let answer = Self.counted(by: previewReaders, most: Self.mostPreviews) { $0 ? previewed(name) : busy }
            if let answer { return answer }
        }
        // What a browser holds may be of templates that are gone.
        return Self.following(files.answer(ServerRequest(method: request.method, target: request.target)), number)
    }

    /// A file as it will be; nil where the published file is the right one.
    ///
    /// One is made at a time, since a page brings its whole batch into memory. The site may be published meanwhile.
    private func previewed(_ name: String) -> ServerAnswer? {
        previews.withLock { previews in
            let (state, number) = self.state.current
            guard let preview = state.unpublished else { return nil }
            do {
                let bytes = try previews.file(at: name, of: number) { try preview.file(at: name) }
                guard let bytes else { return nil }
                return Self.answer(
                    name.hasSuffix(".html") ? Self.following(bytes, number) : bytes, MediaType.of(name))
            } catch {
                return Self.faultPage(shown(Failure(error)), number)
            }
        }
    }

    /// Answers once there is something new, or after a while.
    private func news(_ request: ServerRequest) -> ServerAnswer {
        let number = Self.counted(by: newsReaders, most: Self.mostPatient) { isPatient in
            isPatient ? state.wait(past: Int64(request.query) ?? 0, milliseconds: Self.patience) : state.current.number
        }
        return ServerAnswer(status: 204, headers: [("Cache-Control", "no-store"), (Self.header, "\(number)")])
    }
}

extension WatchedSite {
    private static let scriptPath = "/_amber/watch.js"
    private static let newsPath = "/_amber/news"
    private static let header = "Amber-News"
    /// Milliseconds that a page's question for news is kept: less than what proxies allow.
    private static let patience = 25_000
    /// How many questions wait at once: each holds a thread and a connection, also where its browser is gone.
    private static let mostPatient = 50
    /// How many requests wait at once for files that are made. Others must find threads and connections.
    static let mostPreviews = 20
    /// How many published pages are read at once to get the script: each is in memory twice.
    static let mostPageReaders = 20
    /// How many published pages are being read.
    static let pageReaders = Guarded(0)
    /// The most bytes of a page that gets the script; a larger one is answered as it is.
    private static let mostFollowed = 1 << 20

    /// Runs work, and says whether it is among the first that may run at once.
    private static func counted<Result>(
        by readers: Guarded<Int>, most: Int, _ work: (_ isAdmitted: Bool) -> Result
    ) -> Result {
        let isAdmitted = readers.withLock { readers in
            readers += 1
            return readers <= most
        }
        defer { readers.withLock { $0 -= 1 } }
        return work(isAdmitted)
    }

    /// The file that a request asks for; empty where no file has such a name.
    private static func name(_ request: ServerRequest) -> String {
        guard let names = request.names else { return "" }
        return (request.path.hasSuffix("/") ? names + ["index.html"] : names).joined(separator: "/")
    }

    private static func answer(_ bytes: [UInt8], _ type: String, status: Int = 200) -> ServerAnswer {
        ServerAnswer(
            status: status, headers: [("Content-Type", type), ("Cache-Control", "no-store")], body: .bytes(bytes))
    }

    /// Adds to a page the script that reloads it after a save. Other files and large pages are answered as they are, and
    /// so is a page while many others are read.
    private static func following(_ answer: ServerAnswer, _ number: Int64) -> ServerAnswer {
        guard case .file(let file) = answer.body, file.path.hasSuffix(".html"), file.size <= mostFollowed else {
            return answer
        }
        return counted(by: pageReaders, most: mostPageReaders) { isAdmitted in
            guard isAdmitted, let page = file.bytes(limit: mostFollowed) else { return answer }
            return self.answer(following(page, number), MediaType.of(file.path), status: answer.status)
        }
    }

    /// A page with the script at the end of its head, or as it is where it has none.
    private static func following(_ page: [UInt8], _ number: Int64) -> [UInt8] {
        guard page.count <= mostFollowed, let end = page.firstRange(of: Array("</head>".utf8)) else { return page }
        return page[..<end.lowerBound] + Array("<script src=\"\(scriptPath)?\(number)\" async=\"\"></script>\n".utf8)
            + page[end.lowerBound...]
    }

    private static let faultPolicy =
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

    /// What is wrong, in place of a page.
    static func faultPage(_ fault: String, _ number: Int64) -> ServerAnswer {
        let shown = fault.unicodeScalars.reduce(into: "") { text, scalar in
            // Scalars: some letters make one Character with a "<" that follows them.
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
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
            <p>The published site is as it was. This page reloads when the fault is fixed.</p>
            </body>
            </html>

            """
        var answer = answer(Array(page.utf8), "text/html; charset=utf-8", status: 500)
        answer.headers.append(("Content-Security-Policy", faultPolicy))
        return answer
    }

    /// Reloads a page when there is something new, and leaves it where it was scrolled to, also when a fault was shown
    /// between.
    static let script = Array(
        """
        'use strict';
        (() => {
          const { src, dataset } = document.currentScript;
          const shown = new URL(src).search.slice(1);
          const isFault = dataset.fault !== undefined;
          const place = 'amber.place ' + location.pathname;

          /* The browser itself would go to where the page of the fault was. */
          function comeBack(kept) {
            const scroll = () => scrollTo({ top: Number(kept), behavior: 'instant' });
            sessionStorage.removeItem(place);
            history.scrollRestoration = 'manual';
            addEventListener('pagehide', () => { history.scrollRestoration = 'auto'; });
            if (document.readyState === 'complete') scroll();
            else addEventListener('load', scroll);
          }

          /* A page that nobody looks at asks for nothing: browsers have few connections for all pages of a server. */
          function seen() {
            return new Promise((resolve) => {
              const look = () => { if (!document.hidden) resolve(); };
              document.addEventListener('visibilitychange', look);
              look();
            });
          }

          /* Undefined where the server no longer watches. */
          async function ask() {
            try {
              const answer = await fetch('\(newsPath)?' + shown, { cache: 'no-store' });
              return answer.headers.get('\(header)') ?? undefined;
            } catch (away) {
              return shown;
            }
          }

          async function follow() {
            let news = shown;
            while (news === shown) {
              await seen();
              news = await ask();
              /* The server may be away, or answer at once: too many pages wait. */
              if (news === shown) await new Promise((resolve) => setTimeout(resolve, 1000));
            }
            if (news === undefined) return;
            if (!isFault) sessionStorage.setItem(place, scrollY);
            location.reload();
          }

          const kept = sessionStorage.getItem(place);
          if (!isFault && kept !== null) comeBack(kept);
          follow();
        })();

        """.utf8)
}

/// The files made last for the pages that are open: all who ask for the same page share one making.
struct PreviewCache {
    /// How many bytes are kept in all.
    private static let capacity = 8 << 20

    private var number: Int64 = 0
    private var files: [String: [UInt8]?] = [:]
    private var size = 0

    /// A file that was made before, or is made now; nil where there is none.
    /// - Parameter number: of the state that the file is of. Files of another state are dropped.
    mutating func file(
        at name: String, of number: Int64, make: () throws -> [UInt8]?
    ) throws -> [UInt8]? {
        if number != self.number {
            self = PreviewCache()
            self.number = number
        }
        if let kept = files[name] { return kept }
        let made = try make()
        // An entry takes some bytes of its own.
        let added = name.utf8.count + (made?.count ?? 0) + 128
        if size + added > Self.capacity {
            files = [:]
            size = 0
        }
        guard added <= Self.capacity else { return made }
        files.updateValue(made, forKey: name)
        size += added
        return made
    }
}
