import CFuzzer
import Glibc

/// What the package manager's linker line calls instead of `main`. libFuzzer reads the arguments, so the target's name,
/// which its child processes need as well, comes from the environment: `FUZZ_TARGET=headers`.
@_cdecl("fuzz_main")
func fuzzMain(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    guard FuzzTarget.chosen != nil else {
        print("FUZZ_TARGET names no target. There are: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
        return 2
    }
    var count = count
    var arguments = arguments
    return LLVMFuzzerRunDriver(&count, &arguments) { data, size in
        FuzzTarget.chosen?.run(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
    }
}
