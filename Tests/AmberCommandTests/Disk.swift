import Foundation
import TestSupport

/// A small file system in memory. It is mounted in a scratch folder and unmounted at the end.
final class Disk: Sendable {
    let path: String
    private let scratch: ScratchFolder

    /// - Parameter size: in KiB.
    init(_ size: Int) async throws {
        scratch = try ScratchFolder()
        path = try FileManager.default.realPath("\(scratch.path)") + "/disk"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let end = try await Machine.run("mount", "-t", "tmpfs", "-o", "size=\(size)k", "tmpfs", path)
        guard end.code == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit {
        // If this fails, the mount stays until the machine stops.
        _ = try? Running("/usr/bin/umount", ["-l", path]).waitHere()
    }

    /// - Parameter options: such as "size=64m" or "ro".
    func remount(_ options: String) async throws {
        let end = try await Machine.run("mount", "-o", "remount,\(options)", path)
        guard end.code == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func used() throws -> Int {
        let facts = try FileManager.default.attributesOfFileSystem(forPath: path)
        guard let size = facts[.systemSize] as? Int, let free = facts[.systemFreeSize] as? Int else {
            throw CocoaError(.fileReadUnknown)
        }
        return (size - free) / 1_024
    }
}

extension FileManager {
    fileprivate func realPath(_ path: String) throws -> String {
        guard let resolved = realpath(path, nil) else { throw CocoaError(.fileNoSuchFile) }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

enum Machine {
    /// Whether small file systems can be mounted. Containers refuse this even to root.
    static let canMount = {
        let place = NSTemporaryDirectory() + "amber-mount-\(UUID().uuidString)"
        defer { rmdir(place) }
        guard mkdir(place, 0o700) == 0, succeeds("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place) else {
            return false
        }
        return succeeds("umount", place)
    }()

    /// Whether the program can run as another user. This requires root, setpriv and a path that every user can read.
    static let canBecomeNobody = succeeds(asNobody(["--version"]))

    private static func succeeds(_ command: String, _ arguments: String...) -> Bool { succeeds([command] + arguments) }

    private static func succeeds(_ arguments: [String]) -> Bool {
        // A program that cannot be started does not succeed.
        (try? Running("/usr/bin/env", arguments).waitHere().code) == 0
    }

    static func run(_ command: String, _ arguments: String...) async throws -> Program.Result {
        try await Running("/usr/bin/env", [command] + arguments).wait()
    }

    static func runAsNobody(_ arguments: [String]) async throws -> Program.Result {
        try await Running("/usr/bin/env", asNobody(arguments)).wait()
    }

    private static func asNobody(_ arguments: [String]) -> [String] {
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Program.path] + arguments
    }
}
