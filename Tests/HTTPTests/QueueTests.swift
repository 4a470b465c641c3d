import Foundation
import Glibc
import HTTPServer
import Platform
import TestSupport
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(1)))
struct QueueTests {
    /// A server that answers after a delay. It never answers requests for "/hang".
    private func startServer(delay: Duration = .milliseconds(20)) throws -> FaultyServer {
        try FaultyServer([Fault(.exactly("/hang"), times: nil, .hang(.seconds(50)))]) { request in
            usleep(UInt32(delay / .microseconds(1)))
            return FaultyServer.Reply(200, [], Array(request.target.utf8))
        }
    }

    /// The suite's time limit ends the wait.
    private func eventually(_ condition: () throws -> Bool) async throws {
        while try !condition() { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test func `Requests in flight never exceed the limit`() async throws {
        let sockets = try Sockets { $0.connections = 3 }
        let server = try startServer()
        defer { server.stop() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 { group.addTask { _ = try await sockets.get(server.port, "/\(number)") } }
            try await group.waitForAll()
        }
        #expect(server.log.maximumInFlight() == 3 && Set(server.targets).count == 24)
    }

    @Test func `Requests wait while the responses in use have too many bytes`() async throws {
        let sockets = try Sockets { $0.heldSize = 500 }
        let server = try FaultyServer { _ in FaultyServer.Reply(200, [], [UInt8](repeating: 1, count: 480)) }
        defer { server.stop() }
        var first: Response? = try await sockets.get(server.port, "/1")
        let second = Task { try await sockets.get(server.port, "/2") }
        try await Task.sleep(for: .milliseconds(200))
        #expect(server.targets == ["/1"])
        withExtendedLifetime(first) {}
        first = nil
        #expect(try await second.value.status == 200)
    }

    @Test func `Urgent requests are sent first, and equal priorities in order of arrival`() async throws {
        let sockets = try Sockets { $0.connections = 1 }
        let server = try startServer(delay: .milliseconds(1))
        defer { server.stop() }
        let first = Task { try await sockets.get(server.port, "/hang") }
        try await eventually { server.targets == ["/hang"] }
        var others: [Task<Response, any Error>] = []
        for (target, priority) in [
            ("/b1", Request.Priority.bulk), ("/b2", .bulk), ("/u1", .urgent), ("/b3", .bulk), ("/u2", .urgent),
        ] {
            others.append(Task { try await sockets.get(server.port, target) { $0.priority = priority } })
            // The wait lets each request reach the queue before the next one.
            try await Task.sleep(for: .milliseconds(30))
        }
        first.cancel()
        for other in others { _ = try await other.value }
        #expect(server.targets == ["/hang", "/u1", "/u2", "/b1", "/b2", "/b3"])
    }

    @Test func `Two hundred requests over eight connections get their own responses`() async throws {
        let sockets = try Sockets()
        let server = try startServer(delay: .zero)
        defer { server.stop() }
        let answers = try await withThrowingTaskGroup(of: (Int, Body).self) { group in
            for number in 0..<200 { group.addTask { (number, try await sockets.get(server.port, "/\(number)").body) } }
            return try await group.reduce(into: [Int: String]()) { answers, answer in
                if case .bytes(let bytes) = answer.1 { answers[answer.0] = String(decoding: bytes, as: UTF8.self) }
            }
        }
        #expect(answers == Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, "/\($0)") }))
        #expect(server.log.maximumInFlight() <= 8)
    }

    @Test func `Requests do not wait for a hanging first request to a new host`() async throws {
        let sockets = try Sockets { $0.stallTime = 5 }
        let server = try startServer()
        defer { server.stop() }
        let first = Task { try await sockets.get(server.port, "/hang") }
        try await eventually { server.targets == ["/hang"] }
        #expect(try await sockets.get(server.port, "/quick").status == 200)
        #expect(server.log.inFlight == 1, "the first should still hang")
        first.cancel()
        await #expect(throws: HTTPError.self) { try await first.value }
    }

    @Test func `Waiting requests are not sent while the server accepts no more of them`() async throws {
        let sockets = try Sockets { $0.maximumPause = 5 }
        let window = Locked((end: ContinuousClock.now, count: 0))
        let server = try FaultyServer { _ in
            let (remaining, seconds) = window.withLock { window in
                if window.end <= .now { window = (.now + .seconds(1), 0) }
                window.count += 1
                return (
                    20 - window.count, Int((ContinuousClock.now.duration(to: window.end) / .seconds(1)).rounded(.up))
                )
            }
            let headers = [("X-RateLimit-Remaining", "\(max(0, remaining))"), ("X-RateLimit-Reset", "\(seconds)")]
            return FaultyServer.Reply(remaining < 0 ? 429 : 200, headers, [])
        }
        defer { server.stop() }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<50 { group.addTask { try await sockets.get(server.port, "/\(number)").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 50))
    }

    @Test func `A cancelled request ends, and the next one works`() async throws {
        let sockets = try Sockets { $0.connections = 1 }
        let server = try startServer()
        defer { server.stop() }
        let hanging = Task { try await sockets.get(server.port, "/hang") }
        try await eventually { server.targets == ["/hang"] }
        hanging.cancel()
        let cancelled = HTTPError(.cancelled, url: "http://127.0.0.1:\(server.port)/hang", reason: "cancelled")
        await #expect(throws: cancelled) { try await hanging.value }
        #expect(try await sockets.get(server.port, "/next").status == 200)
    }

    @Test func `Requests that are cancelled while they wait end immediately and are not sent`() async throws {
        let sockets = try Sockets { $0.connections = 1 }
        let server = try startServer()
        defer { server.stop() }
        let hanging = Task { try await sockets.get(server.port, "/hang") }
        try await eventually { server.targets == ["/hang"] }
        let waiting = (0..<3).map { number in Task { try await sockets.get(server.port, "/\(number)") } }
        try await Task.sleep(for: .milliseconds(50))
        waiting[1].cancel()
        await #expect(throws: HTTPError.self) { try await waiting[1].value }
        #expect(server.targets == ["/hang"])
        hanging.cancel()
        for number in [0, 2] { #expect(try await waiting[number].value.status == 200) }
        #expect(Set(server.targets) == ["/hang", "/0", "/2"])
    }

    @Test func `Requests cancelled before they start are never sent`() async throws {
        let sockets = try Sockets()
        let server = try startServer()
        defer { server.stop() }
        for _ in 0..<20 {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await sockets.get(server.port, "/never")
            }
            let error = await #expect(throws: HTTPError.self) { try await task.value }
            #expect(error?.cause == .cancelled)
        }
        #expect(try await sockets.get(server.port, "/next").status == 200)
        #expect(server.targets == ["/next"])
    }

    @Test func `A request cancelled within a large body leaves no file`() async throws {
        let sockets = try Sockets()
        let server = try FaultyServer([Fault(.any, .slow(bytes: 1_100_000, every: .milliseconds(10)))]) { _ in
            FaultyServer.Reply(200, [], [UInt8](repeating: 1, count: 4_000_000))
        }
        defer { server.stop() }
        let task = Task { try await sockets.get(server.port, "/") }
        try await eventually { try !sockets.bodyFiles().isEmpty }
        // A body may contain a secret until it is redacted.
        let file = "\(sockets.folder.path)/\(try sockets.bodyFiles()[0])"
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        task.cancel()
        // If the body was complete before the cancellation, the test removes its file.
        _ = try? await task.value.body.removeFile()
        #expect(try sockets.bodyFiles() == [])
    }
}
