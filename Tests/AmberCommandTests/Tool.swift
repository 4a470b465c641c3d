import Foundation
import TestSupport
import Testing

enum Tool {
    static func isInstalled(_ name: String) -> Bool {
        ["/usr/bin", "/bin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    /// Copies a folder with its times, symbolic links and hard links.
    static func copy(_ folder: String, to place: String) async throws {
        let copied = try await Running("/bin/cp", ["-a", folder, place]).wait()
        guard copied.code == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["errors": copied.errors]) }
    }

    static func bash(_ script: String, _ arguments: String..., environment: [String: String] = [:]) async throws
        -> Program.Result
    {
        try await Running("/bin/bash", ["-c", script, "bash"] + arguments, environment: environment).wait()
    }
}

extension Program.Result {
    /// Expects that the program succeeded.
    @discardableResult
    func succeeded(_ location: SourceLocation = #_sourceLocation) -> Program.Result {
        #expect(code == 0, "\(errors)\(output)", sourceLocation: location)
        return self
    }

    /// Expects that the program failed.
    /// - Parameters:
    ///   - parts: texts that are on standard error.
    ///   - sentence: the only line on standard error, without the program's name; nil if not checked.
    ///   - printed: a text that is on standard output.
    func failed(
        _ code: Int32, _ parts: String..., saying sentence: String? = nil, printing printed: String = "",
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(self.code == code, "\(errors)\(output)", sourceLocation: location)
        for part in parts { #expect(errors.contains(part), "\(errors)", sourceLocation: location) }
        if let sentence { #expect(errors == "amber: \(sentence)\n", sourceLocation: location) }
        #expect(printed.isEmpty || output.contains(printed), "\(output)", sourceLocation: location)
    }
}

extension Running {
    /// Waits until the program has printed a text to standard error, or until it ends.
    func wait(for text: String) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while isRunning, !errorsSoFar.contains(text) {
            try #require(ContinuousClock.now < end, "\(text) is not printed")
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Waits until the program is a server, and returns its address.
    func address() async throws -> String {
        try await wait(for: "(end with Ctrl-C)")
        return String(try #require(errorsSoFar.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+[^ ,;]*/)?.0))
    }
}
