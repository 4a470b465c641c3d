import CCurl
import Platform

/// One request in flight: its libcurl handle, the received data, and the waiting task.
///
/// `@unchecked Sendable` is safe, because the sending task passes the object to the loop's thread, and does not use it.
final class Transfer: @unchecked Sendable {
    /// An error without its URL.
    typealias Fault = (cause: HTTPError.Cause, reason: String)

    let request: Request
    private(set) var easy: UnsafeMutableRawPointer?
    private let loop: CurlLoop
    private var url: WebURL
    private var redirects = 0
    private var sink: BodySink
    private var headers: HeaderBlock
    /// The reason why bytes of the answer were refused.
    private var fault: Fault?
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var started = ContinuousClock.now
    /// The waiting task; nil before the start and after the end.
    var continuation: CheckedContinuation<Result<Response, HTTPError>, Never>?

    init(_ request: Request, of loop: CurlLoop) {
        self.request = request
        self.loop = loop
        url = request.url
        sink = BodySink(memorySize: loop.limits.memorySize, maximumSize: request.maximumSize, folder: loop.spillFolder)
        headers = HeaderBlock(maximumSize: loop.limits.headersSize, maximumBody: request.maximumSize)
    }

    deinit {
        release()
        errorBuffer.deallocate()
    }

    var size: Int { sink.size }

    /// Whether the deadline has passed, including the extra time for the received bytes.
    var isOverdue: Bool {
        started.duration(to: .now) / .seconds(1) > loop.limits.deadline + Double(sink.size) / loop.limits.deadlineSpeed
    }

    func resume(_ result: Result<Response, HTTPError>) {
        if case .failure = result { sink.discard() }
        continuation?.resume(returning: result)
        continuation = nil
    }

    /// Creates the handle and sets its options; nil if libcurl has no memory.
    func prepare() -> UnsafeMutableRawPointer? {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        if redirects == 0 { started = .now }
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_string(easy, CURLOPT_URL, url.text)
        ccurl_set_string(easy, CURLOPT_USERAGENT, loop.agent)
        ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        // The authorities are used in addition to the system's folder, as with SSL_CERT_FILE in curl and OpenSSL.
        if let authorities = loop.authorities { ccurl_set_string(easy, CURLOPT_CAINFO, authorities) }
        // Without this option, the headers of a proxy would be part of the header block.
        ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorBuffer)
        ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Over TLS, the handshake shows whether requests can share a connection. Without TLS, only the first answer
        // shows it, and all other requests would wait for that answer
        // (https://curl.se/libcurl/c/CURLOPT_PIPEWAIT.html).
        ccurl_set_long(easy, CURLOPT_PIPEWAIT, url.origin.hasPrefix("https:") ? 1 : 0)
        ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(loop.limits.connectTimeout * 1_000))
        ccurl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, loop.limits.stallSpeed)
        ccurl_set_long(easy, CURLOPT_LOW_SPEED_TIME, Int(loop.limits.stallTime.rounded(.up)))
        // The archive stores the bytes unchanged, so no encoding is requested or decoded.
        for line in ["Accept-Encoding: identity"] + request.headers.map({ "\($0.name): \($0.value)" }) {
            headerLines = curl_slist_append(headerLines, line)
        }
        ccurl_set_list(easy, CURLOPT_HTTPHEADER, headerLines)
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        ccurl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            transfer.fault = transfer.sink.append(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return transfer.fault == nil ? size * count : 0
        }
        ccurl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            transfer.fault = transfer.headers.append(line, status: transfer.status)
            return transfer.fault == nil ? size * count : 0
        }
        return easy
    }

    func release() {
        if let easy { curl_easy_cleanup(easy) }
        curl_slist_free_all(headerLines)
        easy = nil
        headerLines = nil
    }

    private var status: Int { easy.map { ccurl_get_long($0, CURLINFO_RESPONSE_CODE) } ?? 0 }

    /// The answer after libcurl has finished the transfer; nil if it must be started again, to follow a redirect.
    func response(_ result: CURLcode) throws(HTTPError) -> Response? {
        if let fault = fault ?? (result == CURLE_OK ? nil : libcurlFault(result)) {
            throw request.error(fault.cause, fault.reason)
        }
        guard headers.isComplete else {
            throw request.error(.truncated, "the answer is incomplete: it ended within its headers")
        }
        let status = status
        if [301, 302, 303, 307, 308].contains(status) {
            try followRedirect(status)
            return nil
        }
        do {
            let body = try sink.finish()
            var response = Response(
                status: status, rawHeaders: headers.bytes, body: body, url: url, received: millisecondsSince1970())
            response.held = loop.hold(body.size + headers.bytes.count)
            return response
        } catch {
            throw request.error(.disk, "\(error)")
        }
    }

    private func followRedirect(_ status: Int) throws(HTTPError) {
        guard let easy, let location = ccurl_get_string(easy, CURLINFO_REDIRECT_URL).map({ String(cString: $0) }) else {
            throw request.error(.refused, "answered status \(status) without a Location header")
        }
        guard let next = WebURL(location), next.origin == request.url.origin else {
            throw request.error(.refused, "redirects to \(location.safeText), which is not on the API's host")
        }
        guard redirects < loop.limits.redirects else {
            throw request.error(
                .refused, "redirected more than \(loop.limits.redirects) times, last to \(location.safeText)")
        }
        url = next
        redirects += 1
        sink.discard()
        headers = HeaderBlock(maximumSize: loop.limits.headersSize, maximumBody: request.maximumSize)
    }

    /// Converts libcurl's error codes (https://curl.se/libcurl/c/libcurl-errors.html).
    private func libcurlFault(_ code: CURLcode) -> Fault {
        let text = String(cString: errorBuffer)
        let message = (text.isEmpty ? String(cString: curl_easy_strerror(code)) : text).safeText
        // libcurl reports a lack of descriptors as one of these codes. Resolving a name needs five descriptors.
        let needsDescriptors = [
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CONNECT_ERROR,
            CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT,
        ]
        if needsDescriptors.contains(code), !Descriptors.canOpen(5) {
            return (
                .descriptors,
                "cannot be requested, because this process has reached its limit of \(Descriptors.limit) open files; "
                    + "raise the limit (ulimit -n), or lower --connections"
            )
        }
        return switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            (.name, "the host's name cannot be resolved: \(message)")
        case CURLE_COULDNT_CONNECT: (.connect, "no connection: \(message)")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_INVALIDCERTSTATUS:
            (.tls, "TLS failed: \(message)")
        case CURLE_OPERATION_TIMEDOUT: (.timeout, "timed out: \(message)")
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2_STREAM, CURLE_HTTP2:
            (.truncated, "the answer is incomplete: \(message)")
        // libcurl returns this code for a header line of more than 100 KiB.
        case CURLE_OUT_OF_MEMORY where !headers.isComplete && !headers.bytes.isEmpty:
            (.refused, "a header line is longer than 100 KiB")
        default: (.protocolFault, "\(message) (libcurl code \(code.rawValue))")
        }
    }
}
