import HTTPServer
import Platform

/// A server with a list of books at `/api/book`, and files at other paths. It answers conditional requests.
package final class FileServer: Sendable {
    package typealias File = (type: String, bytes: [UInt8])

    private let files: Locked<[String: FaultyServer.Reply]>
    private let server: FaultyServer

    /// - Parameters:
    ///   - books: the records, as JSON. PORT becomes the port.
    ///   - files: types and contents by path.
    package init(books: [String], files: [String: File]) throws {
        let replies = Locked<[String: FaultyServer.Reply]>([:])
        self.files = replies
        server = try FaultyServer { request in
            guard let reply = replies.withLock({ $0[String(request.target.prefix { $0 != "?" })] }) else {
                return FaultyServer.Reply(404, [("Content-Type", "text/html")], Array("<p>none</p>".utf8))
            }
            let tag = "\"\(reply.body.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF })\""
            guard request.header("If-None-Match") != tag || reply.status != 200 else {
                return FaultyServer.Reply(304, [("ETag", tag)])
            }
            return reply.with("ETag", tag)
        }
        set(books: books)
        for (path, file) in files { set(path, file) }
    }

    deinit { server.stop() }

    package var port: Int { server.port }
    package var apiURL: String { server.apiURL }
    package var log: [LoggedRequest] { server.log }
    package func takeLog() -> [LoggedRequest] { server.takeLog() }
    package func setFaults(_ faults: [Fault]) { server.setFaults(faults) }

    package func set(books: [String]) {
        let list = "[\(books.joined(separator: ","))]".replacing("PORT", with: "\(port)")
        set("/api/book", ("application/json", Array(list.utf8)))
    }

    package func set(_ path: String, _ file: File) {
        set(path, FaultyServer.Reply(200, [("Content-Type", file.type)], file.bytes))
    }

    package func set(_ path: String, _ reply: FaultyServer.Reply) { files.withLock { $0[path] = reply } }

    /// A declaration of the API. The host localhost is allowed besides 127.0.0.1.
    package func declaration(fields: String) -> String {
        """
        {
          "name": "library", "api": "\(apiURL)", "hosts": ["localhost:\(port)"],
          "list": { "path": "{list}", "paginator": { "type": "single_page" } }, "lists": ["book"],
          "kinds": { "book": { "list": {}, "fields": { \(fields) } } }
        }
        """
    }
}

/// Small files of several formats.
package enum SmallFile {
    package static let pdf = Array("%PDF-1.4\nsomething\n%%EOF\n".utf8)
    package static let mp3 = Array("ID3\u{3}\u{0}".utf8) + [UInt8](repeating: 0, count: 300)
    package static let text = Array("Some words\n".utf8)
    package static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", [0, 0, 0, 3, 0, 0, 0, 2, 8, 0, 0, 0, 0])
        + chunk("IDAT", []) + chunk("IEND", [])

    /// A zip whose first entry is stored and has this name and content.
    package static func zip(_ name: String = "a", _ content: String = "") -> [UInt8] {
        Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [UInt8(name.utf8.count), 0, 0, 0]
            + Array("\(name)\(content)PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18)
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(content.count)] + Array(type.utf8) + content + [0, 0, 0, 0]
    }
}
