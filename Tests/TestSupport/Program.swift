import Foundation

/// The built program, started as a user starts it.
public struct Program: Sendable {
    /// The result of a run.
    public struct Result: Sendable {
        /// The exit code, or the negative number of the signal that ended the program.
        public let code: Int32
        /// Standard output.
        public let output: String
        /// Standard error.
        public let errors: String
    }

    /// The project's root.
    public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// The tested program, which is built with the tests.
    public static let path = Bundle.main.bundleURL.appendingPathComponent("amber").path

    /// Starts the program in the project's root, with additions to the environment.
    public static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Running {
        try Running(path, arguments, environment: environment)
    }

    /// Runs the program to its end.
    public static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Result {
        try await start(arguments, environment: environment).wait()
    }
}

/// A running program. It is killed when it is released.
public final class Running: @unchecked Sendable {
    // Unchecked: Process is not Sendable, but it can be started, signalled and waited for on any thread.
    private let process = Process()
    private let output = Pipe()
    private let errors: URL

    /// Starts an executable.
    public init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        errors = URL(fileURLWithPath: NSTemporaryDirectory() + "amber-errors-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: errors.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: Program.root)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        // A file that cannot be removed stays in the temporary folder.
        try? FileManager.default.removeItem(at: errors)
    }

    /// Waits for the first line of standard output.
    public func firstLine() -> String {
        var line = Data()
        while let byte = output.fileHandleForReading.readData(ofLength: 1).first, byte != 10 { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// The text on standard error so far; empty if it cannot be read.
    public var errorsSoFar: String {
        // A test that waits for a text fails if the file cannot be read.
        String(decoding: (try? Data(contentsOf: errors)) ?? Data(), as: UTF8.self)
    }

    /// Whether the program is still running.
    public var isRunning: Bool { process.isRunning }

    /// Waits until the program handles SIGTERM. Before that, the signal would kill it.
    public func waitUntilSignalsAreHandled() throws {
        while process.isRunning {
            let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let blocked = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last
            if let blocked, let set = UInt64(blocked, radix: 16), set & 1 << UInt64(SIGTERM - 1) != 0 { return }
            usleep(1_000)
        }
    }

    /// Sends a signal.
    public func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits for the end on a new thread, because the tests have few threads.
    public func wait() async throws -> Program.Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [self] in continuation.resume(with: Swift.Result { try waitHere() }) }
        }
    }

    /// Waits for the end on this thread.
    public func waitHere() throws -> Program.Result {
        let output = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let code = process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
        return Program.Result(
            code: code, output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}
