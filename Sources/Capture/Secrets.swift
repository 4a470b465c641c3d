import Catalogue
import FoundationEssentials
package import HTTP
package import Platform

/// The values of environment variables that requests contain, such as the token of an API.
///
/// A catalogue has placeholders such as `{env:TOKEN}` in the header of requests and in paths. A value is sent only to
/// the origin of the API. In answers and error messages, its placeholder replaces it before they are read or stored.
public struct Secrets: Sendable {
    /// The fields of the header of each request to the API, with values.
    private let headers: [Header]
    private let values: [(name: String, value: String)]
    /// The forms in which a server can send a value back, each with its placeholder.
    private let forms: [(bytes: [UInt8], placeholder: String)]
    private let origin: String

    /// - Parameters:
    ///   - values: the variables with their values.
    ///   - api: the API's address.
    package init(headers: [Header], values: [(name: String, value: String)], api: String) {
        self.headers = headers.map { Self.filled($0, values) }
        self.values = values
        origin = WebURL(api)?.origin ?? ""
        var forms: [(bytes: [UInt8], placeholder: String)] = []
        for (name, value) in values {
            let json = String("\(JSON.text(value))".dropFirst().dropLast())
            let encoded = [percentEncoded(value), percentEncoded(value).replacing("%2F", with: "/")]
            let lowercased = encoded.map { $0.replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() } }
            // Without the "=" at its end, base64 is also found in texts that leave it out.
            let digits = base64(value).prefix { $0 != "=" }
            let others = [value, json, json.replacing("/", with: "\\/"), String(digits)]
            for form in Set(encoded + lowercased + others) { forms.append((Array(form.utf8), "{env:\(name)}")) }
        }
        for (header, filled) in zip(headers, self.headers) {
            // The credentials can have several values.
            guard let credentials = Self.credentials(header) else { continue }
            forms.append((Array(filled.value.dropFirst("Basic ".count).utf8), credentials))
        }
        // Longer forms first, because they can contain shorter ones.
        self.forms = forms.sorted { ($1.bytes.count, $0.placeholder) < ($0.bytes.count, $1.placeholder) }
    }

    /// A shorter value would be found by chance in answers.
    package static let shortest = 8

    /// The names in the placeholders of a text.
    package static func names(in text: String) -> [String] { text.matches(of: /\{env:([^{}]*)\}/).map { String($0.1) } }

    /// Whether a text is the name of an environment variable.
    package static func isName(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil }

    /// The bytes with placeholders, and whether they had a value.
    func redacted(_ bytes: [UInt8]) -> (bytes: [UInt8], found: Bool) {
        let plain = bytes.withoutASCIIEscapes
        var result = plain
        for (form, placeholder) in forms where result.contains(form) { result.replace(form, with: placeholder.utf8) }
        // Without a value, escapes stay as served.
        let found = result != bytes && result != plain
        return (found ? result : bytes, found)
    }

    /// A message without values. A message can end in the middle of a value, because long ones are shortened.
    func redacted(_ text: String) -> String {
        var bytes = redacted(Array(text.utf8)).bytes
        let ellipsis = Array("…".utf8)
        for (form, placeholder) in forms where text.contains("…") {
            for length in stride(from: form.count - 1, through: 4, by: -1) {
                let part = form.prefix(length) + ellipsis
                if bytes.contains(part) { bytes.replace(Array(part), with: placeholder.utf8 + ellipsis) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text with values in place of placeholders.
    private static func filled(
        _ text: String, _ values: [(name: String, value: String)], _ encode: (String) -> String = { $0 }
    ) -> String {
        values.reduce(text) { text, secret in
            ["{env:\(secret.name)}", percentEncoded("{env:\(secret.name)}")].reduce(text) {
                $0.replacing($1, with: encode(secret.value))
            }
        }
    }

    /// The header field with values in place of placeholders. Basic credentials are then encoded (RFC 7617, section 2).
    private static func filled(_ header: Header, _ values: [(name: String, value: String)]) -> Header {
        let encoded = credentials(header).map { "Basic \(base64(filled($0, values)))" }
        return Header(header.name, encoded ?? filled(header.value, values))
    }

    /// The credentials of the scheme Basic with placeholders; nil for other header fields.
    private static func credentials(_ header: Header) -> String? {
        guard header.value.hasPrefix("Basic "), header.value.contains("{env:") else { return nil }
        return String(header.value.dropFirst("Basic ".count))
    }

    /// The request with the values, if it goes to the API. A declared field replaces one of the same name.
    fileprivate func filled(_ request: Request) throws(HTTPError) -> Request {
        guard request.url.origin == origin else { return request }
        var request = request
        let text = Self.filled(request.url.text, values, percentEncoded)
        guard let url = WebURL(text), url.origin == origin else {
            throw request.error(.refused, "is not a valid URL with its secrets")
        }
        request.url = url
        request.headers.removeAll { headers[$0.name] != nil }
        request.headers += headers
        return request
    }

    fileprivate func redacted(_ response: Response) throws(HTTPError) -> Response {
        // Only the API knows the values.
        guard response.url.origin == origin else { return response }
        do {
            let (headers, isInHeaders) = redacted(response.rawHeaders)
            let (body, isInBody) = redacted(try response.body.read())
            guard isInHeaders || isInBody else { return response }
            // The archive and packages show that the answer is not exactly as served.
            let hasEnd = headers.suffix(4).elementsEqual("\r\n\r\n".utf8)
            try response.body.removeFile()
            var answer = response
            answer.rawHeaders = headers.dropLast(hasEnd ? 2 : 0) + Array("Amber-Redacted: 1\r\n\r\n".utf8)
            answer.body = .bytes(body)
            return answer
        } catch {
            throw HTTPError(.disk, url: redacted(response.url.text), reason: "\(error)")
        }
    }
}

extension Client {
    /// The same client, which adds secrets to requests, and removes them from answers and errors.
    package func adding(_ secrets: Secrets) -> Client {
        Client { [send] (request) async throws(HTTPError) in
            let filled = try secrets.filled(request)
            do throws(HTTPError) {
                return try secrets.redacted(try await send(filled))
            } catch {
                throw HTTPError(error.cause, url: secrets.redacted(error.url), reason: secrets.redacted(error.reason))
            }
        }
    }
}

extension [UInt8] {
    /// JSON in which escapes such as `\u0041` are the characters themselves, if these are in ASCII and need no escape.
    fileprivate var withoutASCIIEscapes: [UInt8] {
        guard contains("\\u00".utf8) else { return self }
        var bytes: [UInt8] = []
        var position = startIndex
        while position < endIndex {
            let code = JSONText.unit(self[...], at: position) ?? 0
            if (0x20..<0x7F).contains(code), code != 0x22, code != 0x5C {
                bytes.append(UInt8(code))
                position += 6
            } else {
                // A backslash before another one escapes it.
                let count = self[position...].starts(with: [0x5C, 0x5C]) ? 2 : 1
                bytes += self[position..<position + count]
                position += count
            }
        }
        return bytes
    }
}

/// Base64 (RFC 4648, section 4).
private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
