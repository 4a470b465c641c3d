import CFuzzer
import Glibc

/// The entry point in the linker command of the package manager, instead of `main`. libFuzzer parses the arguments, and
/// its child processes also need the target's name. So the name is in the environment: `FUZZ_TARGET=headers`.
@_cdecl("fuzz_main")
func fuzzMain(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    guard FuzzTarget.chosen != nil else {
        print(
            "FUZZ_TARGET is not the name of a target. Use one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
        return 2
    }
    var count = count
    var arguments = arguments
    return LLVMFuzzerRunDriver(&count, &arguments) { data, size in
        FuzzTarget.chosen?.run(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
    }
}
