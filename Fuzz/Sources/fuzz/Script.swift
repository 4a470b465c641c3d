import Glibc

/// Reads a fuzzer's bytes as a sequence of decisions. After the last byte, every decision is 0.
struct Script {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number from 0 to `bound` - 1.
    mutating func number(below bound: Int) -> Int {
        guard bound > 1 else { return 0 }
        return (Int(byte()) << 8 | Int(byte())) % bound
    }

    mutating func chosen<Element>(from list: [Element]) -> Element { list[number(below: list.count)] }

    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// All remaining bytes.
    mutating func remainder() -> [UInt8] { bytes(rest.count) }
}

/// A folder for this process. libFuzzer ends by exit or by a signal, so Scripts/fuzz removes it.
enum Scratch {
    static let folder: String = {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/dev/shm"
        var template = Array("\(parent)/amber-fuzz-XXXXXX".utf8CString)
        guard
            let path = template.withUnsafeMutableBufferPointer({
                $0.baseAddress.flatMap(mkdtemp).map { String(cString: $0) }
            })
        else {
            preconditionFailure("no scratch folder in \(parent): \(String(cString: strerror(errno)))")
        }
        return path
    }()

    /// Writes a file below the folder. An existing file is replaced.
    static func write(_ bytes: [UInt8], to name: String) -> String {
        let path = "\(folder)/\(name)"
        guard let file = fopen(path, "w") else { preconditionFailure("\(path): \(String(cString: strerror(errno)))") }
        defer { fclose(file) }
        require(fwrite(bytes, 1, bytes.count, file) == bytes.count, "\(path) is written")
        return path
    }
}
