import CSystem
import Glibc

/// Reports that a file in some folders or their subfolders may have been saved, added or removed (inotify(7)). Only one
/// thread may wait.
///
/// If a folder is replaced by another one with the same name, the new folder is watched. So the parents of the folders
/// are watched too, and changes of other files there are also reported.
public final class FolderWatcher: Sendable {
    /// The result of a wait: a change, no change within the time limit, or a call of `end`.
    package enum Event: Sendable {
        case change, silence, end
    }

    private let folders: [String]
    private let events: Int32
    /// A descriptor that is readable after `end` was called (eventfd(2)).
    private let ending: Int32

    /// Editors save in several steps. Changes within this many milliseconds count as one.
    private static let pause = 10

    /// Starts watching.
    package init(_ folders: String...) throws {
        self.folders = folders
        events = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        ending = eventfd(0, Int32(EFD_CLOEXEC))
        guard events >= 0, ending >= 0 else { throw SystemError("watch", folders.first ?? "") }
        try watchFolders()
    }

    deinit {
        close(events)
        close(ending)
    }

    /// Whether to ignore a file, because it is hidden or is an editor's temporary file.
    /// - Parameter path: relative to the folder.
    package static func ignores(_ path: String) -> Bool {
        path.split(separator: "/").contains { $0.hasPrefix(".") || $0.hasPrefix("#") || $0.hasSuffix("~") }
    }

    /// Sleeps until there is a change.
    /// - Parameter milliseconds: the time limit; nil for none.
    package func wait(milliseconds: Int? = nil) throws -> Event {
        switch readable(within: milliseconds) {
        case events:
            var buffer = [UInt8](repeating: 0, count: 16_384)
            repeat {
                while read(events, &buffer, buffer.count) > 0 {}
            } while readable(within: Self.pause) == events
            try watchFolders()
            return .change
        case ending: return .end
        default: return .silence
        }
    }

    /// Ends the current wait and all later ones.
    package func end() {
        // This fails only after 2^64 calls.
        _ = eventfd_write(ending, 1)
    }

    /// Watches all folders, also new ones. A second watch of a folder has no effect.
    private func watchFolders() throws {
        let changes = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
        for folder in folders {
            for path in ["\(folder)/.."] + (try Folder.folders(from: folder)) {
                guard inotify_add_watch(events, path, UInt32(changes)) < 0 else { continue }
                // The folder was removed, or replaced by a file, after it was listed.
                guard errno == ENOENT || errno == ENOTDIR else { throw SystemError("watch", path) }
            }
        }
    }

    /// The descriptor that is readable; nil after the time limit. If both are readable, the end has precedence.
    private func readable(within milliseconds: Int?) -> Int32? {
        var polled = [events, ending].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let timeout = milliseconds.map { Int32(clamping: $0) } ?? -1
        var count: Int32
        repeat { count = poll(&polled, nfds_t(polled.count), timeout) } while count < 0 && errno == EINTR
        return count > 0 ? polled.last { $0.revents != 0 }?.fd : nil
    }
}
