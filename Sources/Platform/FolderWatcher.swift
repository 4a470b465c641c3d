import CSystem
import Glibc

/// Reports that a file below some folders may have been saved, added or removed (inotify(7)). One thread may wait.
///
/// If a folder is replaced by another one with the same name, or is missing for a while, the new folder is watched.
public final class FolderWatcher: Sendable {
    /// The result of a wait: a change, no change within the time limit, or a call of `end`.
    package enum Event: Sendable { case change, silence, end }

    private let folders: [String]
    private let events: Int32
    /// A descriptor that is readable after `end` was called (eventfd(2)).
    private let ending: Int32
    private let isFolderMissing = Locked(false)

    /// Editors save in several steps. Changes within this many milliseconds count as one.
    private static let pause = 10
    /// The milliseconds between two look-ups of a missing folder, which cannot be watched.
    private static let lookupInterval = 100

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

    /// Whether to ignore a file, because it is hidden, or is an editor's copy or temporary file, such as "sedJ4k1aB".
    /// - Parameter path: relative to the folder.
    package static func ignores(_ path: String) -> Bool {
        let names = path.split(separator: "/")
        guard let name = names.last, !names.contains(where: { $0.hasPrefix(".") }) else { return true }
        return name.hasPrefix("#") || ["~", ".bak", ".tmp"].contains(where: name.hasSuffix)
            || name.utf8.count == 9 && name.hasPrefix("sed") && name.utf8.allSatisfy { $0.isLetter || $0.isDigit }
    }

    /// Sleeps until there is a change.
    /// - Parameter milliseconds: the time limit; nil for none.
    package func wait(milliseconds: Int? = nil) throws -> Event {
        var remaining = milliseconds ?? .max
        while true {
            let isMissing = isFolderMissing.withLock { $0 }
            let step = isMissing ? min(remaining, Self.lookupInterval) : remaining
            switch readable(within: step) {
            case events:
                var buffer = [UInt8](repeating: 0, count: 16_384)
                repeat {
                    while read(events, &buffer, buffer.count) > 0 {}
                } while readable(within: Self.pause) == events
                try watchFolders()
                return .change
            case ending: return .end
            default:
                if isMissing {
                    try watchFolders()
                    if !isFolderMissing.withLock({ $0 }) { return .change }
                }
                remaining -= step
                if remaining <= 0 { return .silence }
            }
        }
    }

    /// Whether a file was saved or `end` was called since the last wait. Any thread may call this.
    package var hasEvent: Bool { readable(within: 0) != nil }

    /// Ends the current wait and all later ones.
    package func end() {
        // This fails only after 2^64 calls.
        _ = eventfd_write(ending, 1)
    }

    /// Watches all folders, also new ones. A second watch of a folder has no effect.
    private func watchFolders() throws {
        let changes =
            IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF
        var isMissing = false
        for folder in folders {
            var paths = try Folder.folders(from: folder)
            if paths.isEmpty { isMissing = true }
            // If a link gets another target, only the folder that contains the link reports a change.
            if FileStatus(folder)?.isLink == true {
                paths.append(folder.lastIndex(of: "/").map { String(folder[...$0]) } ?? ".")
            }
            for path in paths where inotify_add_watch(events, path, UInt32(changes | IN_ONLYDIR)) < 0 {
                // The folder was removed, or replaced by a file, after it was listed.
                guard errno == ENOENT || errno == ENOTDIR else { throw SystemError("watch", path) }
                isMissing = isMissing || path == folder
            }
        }
        isFolderMissing.withLock { $0 = isMissing }
    }

    /// The descriptor that is readable; nil after the time limit. If both are readable, the end has precedence.
    private func readable(within milliseconds: Int) -> Int32? {
        var polled = [events, ending].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // A negative time limit has no end.
        let timeout = milliseconds == .max ? -1 : Int32(clamping: milliseconds)
        var count: Int32
        repeat { count = poll(&polled, nfds_t(polled.count), timeout) } while count < 0 && errno == EINTR
        return count > 0 ? polled.last { $0.revents != 0 }?.fd : nil
    }
}
