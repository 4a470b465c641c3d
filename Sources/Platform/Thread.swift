import Glibc

/// Starts a detached thread for work that would block the cooperative pool.
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
    precondition(code == 0, "no thread can be started: \(String(cString: strerror(code)))")
    pthread_detach(thread)
}

/// How many processors this process may use at once.
public var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// This process's number, which no other has meanwhile.
public var processNumber: Int32 { getpid() }
