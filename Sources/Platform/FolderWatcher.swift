import CSystem
import Glibc

/// Reports when a file in some folders or their subfolders is saved, added or removed (inotify(7)). Only one thread may
/// wait.
///
/// If a folder is replaced by another one with the same name, the new folder is watched.
public final class FolderWatcher: Sendable {
    /// The result of a wait: a change, no change within the time limit, or a call of `end`.
    package enum Event: Sendable {
        case change, silence, end
    }

    private let folders: [String]
    /// The parents of folders whose paths end in a name. They are watched for a replacement of the folder.
    private let parents: [(watch: Int32, name: String)]
    private let events: Int32
    private let endPipe: (read: Int32, write: Int32)

    /// Editors save in several steps. Changes within this many milliseconds count as one.
    private static let pause = 10

    /// Starts watching.
    package init(_ folders: String...) throws(SystemError) {
        self.folders = folders
        let folder = folders.first ?? ""
        events = csystem_watch_open()
        guard events >= 0 else { throw SystemError("watch", folder) }
        var pipe: [Int32] = [-1, -1]
        guard pipe2(&pipe, O_CLOEXEC) == 0 else {
            let error = SystemError("watch", folder)
            close(events)
            throw error
        }
        endPipe = (pipe[0], pipe[1])
        parents = folders.compactMap { [events] in Self.watchParent($0, events) }
        try watchFolders()
    }

    deinit {
        for descriptor in [events, endPipe.read, endPipe.write] { close(descriptor) }
    }

    /// Whether to ignore a file, because it is hidden or is an editor's temporary file.
    /// - Parameter path: relative to the folder.
    package static func ignores(_ path: String) -> Bool {
        path.split(separator: "/").contains { $0.hasPrefix(".") || $0.hasPrefix("#") || $0.hasSuffix("~") }
    }

    /// Sleeps until there is a change.
    /// - Parameter milliseconds: the time limit; nil for none.
    package func wait(milliseconds: Int? = nil) throws(SystemError) -> Event {
        while true {
            switch readable(within: milliseconds) {
            case events:
                guard try readEvents() else { continue }
                while readable(within: Self.pause) == events { _ = try readEvents() }
                return .change
            case endPipe.read: return .end
            default: if milliseconds != nil { return .silence }
            }
        }
    }

    /// Ends the current wait and all later ones.
    package func end() {
        var byte: UInt8 = 1
        _ = write(endPipe.write, &byte, 1)
    }
}

extension FolderWatcher {
    /// Watches the parent folder.
    /// - Returns: the watch, and the folder's name in its parent.
    private static func watchParent(_ folder: String, _ events: Int32) -> (watch: Int32, name: String)? {
        let trimmed = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        guard let name = trimmed.split(separator: "/").last, name != ".", name != ".." else { return nil }
        let parentPath = trimmed.dropLast(name.count)
        let watch = csystem_watch_folder(events, parentPath.isEmpty ? "." : String(parentPath))
        return watch < 0 ? nil : (watch, String(name))
    }

    private func watchFolders() throws(SystemError) {
        for folder in folders {
            for path in try Folder.folders(from: folder) where csystem_watch_folder(events, path) < 0 {
                // The folder was removed, or replaced by a file, after it was listed.
                guard errno == ENOENT || errno == ENOTDIR else { throw SystemError("watch", path) }
            }
        }
    }

    /// Reads all pending events. If one of them is a relevant change, all folders are watched again, so that new
    /// folders are included.
    /// - Returns: whether one of the events is a relevant change.
    private func readEvents() throws(SystemError) -> Bool {
        var isRelevant = false
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(events, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno != EAGAIN { throw SystemError("watch", folders.first ?? "") }
            guard count > 0 else { break }
            var start = 0
            // struct inotify_event: four 32-bit numbers, then the name. The first number is the watch, the last is the
            // length of the name.
            while start + 16 <= count {
                let (watch, length) = buffer.withUnsafeBytes {
                    (
                        $0.loadUnaligned(fromByteOffset: start, as: Int32.self),
                        Int($0.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
                    )
                }
                let name = String(decoding: buffer[start + 16..<start + 16 + length].prefix { $0 != 0 }, as: UTF8.self)
                // An event without a name means that events were lost, or that the folder itself was removed.
                let watched = parents.filter { $0.watch == watch }.map(\.name)
                if name.isEmpty || (watched.isEmpty ? !Self.ignores(name) : watched.contains(name)) {
                    isRelevant = true
                }
                start += 16 + length
            }
        }
        if isRelevant { try watchFolders() }
        return isRelevant
    }

    /// The descriptor that is readable; nil after the time limit. If both are readable, the end has precedence.
    private func readable(within milliseconds: Int?) -> Int32? {
        var polled = [events, endPipe.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let timeout = milliseconds.map { Int32(clamping: $0) } ?? -1
        guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return nil }
        return polled.last { $0.revents != 0 }?.fd
    }
}
