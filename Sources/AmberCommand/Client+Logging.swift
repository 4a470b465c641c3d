import HTTP

extension Client {
    /// The same client, each request told with what came of it, also those that are sent again.
    func logging(to console: Console) -> Client {
        Client(executor: executor) { [send] (request) async throws(HTTPError) in
            let isConditional = request.headers.contains { $0.name.lowercased() == "if-none-match" }
            let asked = "GET \(request.url.target)\(isConditional ? " (if changed)" : "")"
            let start = ContinuousClock.now
            func spent() -> String { "\(Int((start.duration(to: .now) / .milliseconds(1)).rounded())) ms" }
            do throws(HTTPError) {
                let response = try await send(request)
                let waits = response.retryAfter > 0 ? ", Retry-After \(response.retryAfter) s" : ""
                console.detail("\(asked) \(response.status) \(response.body.size) bytes \(spent())\(waits)")
                return response
            } catch {
                console.detail("\(asked) failed: \(error.reason) \(spent())")
                throw error
            }
        }
    }
}
