import CSystem
import Glibc

/// Tells when a file in a folder, or in one below it, was saved, came or went (inotify(7)); one thread waits, and
/// sleeps meanwhile.
///
/// Where the folder itself goes and one of its name comes, that one is watched.
public final class FolderWatcher: Sendable {
    /// The end of a wait: something was saved, came or went; nothing did for as long as was waited; the waiting was
    /// ended.
    package enum Event: Sendable {
        case change, silence, end
    }

    private let folder: String
    /// The folder around it, in which it may go and come back under the same name; nil where it has no name there.
    private let around: (watch: Int32, name: String)?
    private let events: Int32
    private let ends: (read: Int32, write: Int32)

    /// Editors write in several steps: what follows within so many milliseconds is one change.
    private static let pause = 10

    /// Watches a folder from now on.
    package init(_ folder: String) throws(SystemError) {
        self.folder = folder
        events = csystem_watch_open()
        guard events >= 0 else { throw SystemError("watch", folder) }
        var pipe: [Int32] = [-1, -1]
        guard pipe2(&pipe, O_CLOEXEC) == 0 else {
            let error = SystemError("watch", folder)
            close(events)
            throw error
        }
        ends = (pipe[0], pipe[1])
        around = Self.watchAround(folder, events)
        try watchFolders()
    }

    deinit {
        for descriptor in [events, ends.read, ends.write] { close(descriptor) }
    }

    /// Whether a file is none of a person's own: hidden, or what an editor keeps beside the one that it is at.
    /// - Parameter path: relative to the folder.
    package static func passesOver(_ path: String) -> Bool {
        path.split(separator: "/").contains { $0.hasPrefix(".") || $0.hasPrefix("#") || $0.hasSuffix("~") }
    }

    /// Sleeps until there is a change, for so many milliseconds at the most; nil for as long as it takes.
    package func wait(milliseconds: Int? = nil) throws(SystemError) -> Event {
        while true {
            switch readable(within: milliseconds) {
            case events:
                guard try readEvents() else { continue }
                while readable(within: Self.pause) == events { _ = try readEvents() }
                return .change
            case ends.read: return .end
            default: if milliseconds != nil { return .silence }
            }
        }
    }

    /// Ends the waiting, also that to come.
    package func end() {
        var byte: UInt8 = 1
        _ = write(ends.write, &byte, 1)
    }
}

extension FolderWatcher {
    /// Watches the folder around one, whose name there it tells.
    private static func watchAround(_ folder: String, _ events: Int32) -> (watch: Int32, name: String)? {
        let trimmed = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        guard let name = trimmed.split(separator: "/").last, name != ".", name != ".." else { return nil }
        let parent = trimmed.dropLast(name.count)
        let watch = csystem_watch_folder(events, parent.isEmpty ? "." : String(parent))
        return watch < 0 ? nil : (watch, String(name))
    }

    private func watchFolders() throws(SystemError) {
        for path in try Folder.folders(from: folder) where csystem_watch_folder(events, path) < 0 {
            // It was removed, or replaced by a file, after it was listed.
            guard errno == ENOENT || errno == ENOTDIR else { throw SystemError("watch", path) }
        }
    }

    /// Takes all events that there are, and watches folders that came.
    /// - Returns: whether one of the events is of concern.
    private func readEvents() throws(SystemError) -> Bool {
        var isOfConcern = false
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(events, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno != EAGAIN { throw SystemError("watch", folder) }
            guard count > 0 else { break }
            var start = 0
            // struct inotify_event: four numbers of 32 bits, the first the watch, the last the length of the name
            // behind them.
            while start + 16 <= count {
                let (watch, length) = buffer.withUnsafeBytes {
                    (
                        $0.loadUnaligned(fromByteOffset: start, as: Int32.self),
                        Int($0.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
                    )
                }
                let name = String(decoding: buffer[start + 16..<start + 16 + length].prefix { $0 != 0 }, as: UTF8.self)
                // What has no name tells that events were lost, or that the folder itself is gone.
                if name.isEmpty || (watch == around?.watch ? name == around?.name : !Self.passesOver(name)) {
                    isOfConcern = true
                }
                start += 16 + length
            }
        }
        if isOfConcern { try watchFolders() }
        return isOfConcern
    }

    /// The descriptor that can be read, the end before a change; nil where the time is over.
    private func readable(within milliseconds: Int?) -> Int32? {
        var polled = [events, ends.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let timeout = milliseconds.map { Int32(clamping: $0) } ?? -1
        guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return nil }
        return polled.last { $0.revents != 0 }?.fd
    }
}
