import CSystem

extension [UInt8] {
    /// Where other bytes begin in these, from an offset on; nil where they do not occur there (memmem(3)).
    public func offset(of wanted: [UInt8], from start: Int = 0) -> Int? {
        guard (0...count).contains(start) else { return nil }
        let found = withUnsafeBytes { bytes in
            wanted.withUnsafeBytes { csystem_find(bytes.baseAddress, start, bytes.count, $0.baseAddress, $0.count) }
        }
        return found < 0 ? nil : found
    }
}
