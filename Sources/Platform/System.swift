import CSystem
import Dispatch
import Glibc

/// Starts a detached thread for work that would block Swift's cooperative thread pool.
public func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { preconditionFailure("a thread without its body") }
            Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Start(body)).toOpaque())
    precondition(code == 0, "cannot start a thread: \(String(cString: strerror(code)))")
    pthread_detach(thread)
}

/// Calls a function for each element on all cores.
/// - Returns: the results in the order of the elements.
public func resultsOnAllCores<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ body: @Sendable (Input) throws -> Output
) -> [Result<Output, any Error>] {
    let results = Locked([Int: Result<Output, any Error>]())
    DispatchQueue.concurrentPerform(iterations: inputs.count) { index in
        let result = Result { try body(inputs[index]) }
        results.withLock { $0[index] = result }
    }
    return results.withLock { results in inputs.indices.compactMap { results[$0] } }
}

/// Calls two functions at the same time.
public func inParallel<First: Sendable, Second: Sendable>(
    _ first: @Sendable () throws -> First, _ second: @Sendable () throws -> Second
) throws -> (First, Second) {
    let results = resultsOnAllCores([true, false]) { isFirst -> (First?, Second?) in
        try isFirst ? (first(), nil) : (nil, second())
    }
    let values = try results.map { try $0.get() }
    guard let firstValue = values[0].0, let secondValue = values[1].1 else {
        preconditionFailure("a function returned no value and no error")
    }
    return (firstValue, secondValue)
}

package var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// The limit of open files and sockets of this process (getrlimit(2), RLIMIT_NOFILE).
public enum Descriptors {
    package static var limit: Int { Int(clamping: bounds.rlim_cur) }

    /// Raises the limit to the maximum that the system allows.
    /// - Returns: the new limit.
    @discardableResult
    package static func raiseLimit() -> Int {
        var wanted = bounds
        wanted.rlim_cur = wanted.rlim_max
        // If the call fails, the limit is unchanged.
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &wanted)
        return limit
    }

    /// Whether the limit allows this number of additional open files now.
    package static func canOpen(_ count: Int) -> Bool {
        let opened = (0..<count).map { _ in csystem_openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC, 0) }
        let isExhausted = opened.contains(-1) && [EMFILE, ENFILE].contains(errno)
        for descriptor in opened where descriptor >= 0 { close(descriptor) }
        return !isExhausted
    }

    private static var bounds: rlimit {
        var bounds = rlimit()
        // The call cannot fail with a valid resource and pointer.
        _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &bounds)
        return bounds
    }
}

extension [UInt8] {
    /// The offset of the first occurrence of other bytes, at `start` or later; nil if there is none (memmem(3)).
    package func offset(of wanted: [UInt8], from start: Int = 0) -> Int? {
        guard (0...count).contains(start) else { return nil }
        return withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return wanted.isEmpty ? 0 : nil }
            return memmem(base + start, count - start, wanted, wanted.count).map { UnsafeRawPointer($0) - base }
        }
    }
}

package func millisecondsSince1970() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}

/// Formats a time in UTC: "2026-11-21T10:20:30Z".
public func timestamp(milliseconds: Int64) -> String {
    formattedTime(seconds: Int(milliseconds / 1_000), "%Y-%m-%dT%H:%M:%SZ")
}

/// Formats a time in UTC (strftime(3)). Names are English, because the program does not call setlocale(3).
/// - Parameter seconds: since 1970.
package func formattedTime(seconds: Int, _ format: String) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
        let count = strftime(text.baseAddress, text.count, format, &parts)
        return String(decoding: UnsafeRawBufferPointer(text).prefix(count), as: UTF8.self)
    }
}
