import Glibc

extension Folder {
    /// The bytes that the user may still write to a folder's file system; nil where the system does not say.
    public static func freeSpace(_ path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isHuge ? Int.max : Int(clamping: bytes)
    }
}
