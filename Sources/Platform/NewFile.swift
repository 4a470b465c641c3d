import Glibc

/// A new file held open and written at any place, by any thread; closes itself.
public final class NewFile: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Makes a file that is not there yet.
    public init(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        descriptor = try OpenedDescriptor.writingNew(path, in: folder)
        self.path = folder.shown(path)
    }

    deinit { close(descriptor) }

    /// Writes bytes at an offset.
    public func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        try OpenedDescriptor.write(bytes, to: descriptor, at: offset, path)
    }
}
