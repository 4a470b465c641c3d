import Glibc
import Platform

extension JSONSlices {
    /// Checks that the bytes are one JSON value.
    /// - Parameter members: the maximum number of members of an object.
    /// - Throws: `ContentFault` if they are not, or if the value is nested too deeply, has too many members, or has a
    ///   text with too many combining marks.
    package static func check(_ bytes: [UInt8], members: Int = maximumMembers) throws {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw ContentFault("", "is not valid UTF-8") }
        var slices = JSONSlices(bytes, .grammar)
        slices.memberLimit = members
        try slices.checkDocument()
    }

    /// The first fault in JSON text that a person wrote, with advice; nil if the text is valid.
    package static func firstFault(in bytes: [UInt8]) -> (offset: Int, reason: String)? {
        var slices = JSONSlices(bytes, .grammar)
        do {
            try slices.checkDocument()
            return nil
        } catch {
            let offset = min(slices.position, max(0, bytes.count - 1))
            guard "\(error)".hasPrefix("is not valid JSON") else { return (offset, "\(error)") }
            let before = bytes[..<offset].last { !$0.isSpace }
            let byte = offset < bytes.count ? bytes[offset] : 0
            var reason = "is not valid JSON from here on"
            if before == ",", byte == "}" || byte == "]" {
                reason += "; remove the comma before it"
            } else if byte == "\"", before != ",", before != "{" {
                reason += "; a comma or colon is missing before it"
            }
            return (offset, reason)
        }
    }

    /// The offset of a member's name or an array's element, or of its innermost enclosing value that exists.
    /// - Parameter keyPath: such as "texts.loading" or "searches[2].term".
    package static func offset(of keyPath: String, in bytes: [UInt8]) -> Int {
        var slices = JSONSlices(bytes, .grammar)
        slices.wanted = Array(keyPath.utf8)
        // Ignore a fault, because the value may be before the invalid text.
        try? slices.checkDocument()
        return slices.match.offset
    }

    private mutating func checkDocument() throws {
        try checkValue(wanted.isEmpty ? nil : 0)
        try end()
    }

    /// - Parameter path: the length of the value's key path; nil if the wanted key path does not begin with it.
    private mutating func checkValue(_ path: Int?) throws {
        let first = try next()
        switch first {
        case "{", "[":
            depth += 1
            guard depth <= Self.maximumDepth else { throw tooDeep }
            let isObject = first == "{"
            var index = 0
            try forEachItem(ofObject: isObject, limit: isObject ? memberLimit : .max) {
                slices, name in
                try slices.checkValue(path.flatMap { slices.storeMatch($0, isObject ? name : nil, index) })
                index += 1
                return true
            }
            depth -= 1
        case "\"": try skipString()
        case "t": try require("true")
        case "f": try require("false")
        case "n": try require("null")
        default: try checkNumber()
        }
    }

    /// Stores the offset of an item if the wanted key path is that of the item or of a value in it. No key path is
    /// created as a text, because a file can have a long name with many elements.
    /// - Parameter path: the length of the key path of the array or object.
    /// - Returns: the length of the item's key path; nil if the wanted key path leads elsewhere.
    private mutating func storeMatch(_ path: Int, _ name: Range<Int>?, _ index: Int) -> Int? {
        let rest = wanted[path...]
        let dot = name == nil || path == 0 ? 0 : 1
        let step = name.map { bytes[$0] } ?? Array("[\(index)]".utf8)[...]
        let own = path + dot + step.count
        guard dot == 0 || rest.first == ".", rest.dropFirst(dot).starts(with: step),
            own == wanted.count || wanted[own] == "." || wanted[own] == "["
        else { return nil }
        if own > match.length { match = (name.map { $0.lowerBound - 1 } ?? position, own) }
        return own
    }

    /// Reads the rest of a string after its first quote.
    mutating func checkString() throws {
        while true {
            let byte = try current()
            guard byte >= 0x20 else { throw fault("") }
            position += 1
            if byte == "\"" { return }
            guard byte == "\\" else { continue }
            let letter = try current()
            guard "\"\\/bfnrtu".utf8.contains(letter) else { throw fault("") }
            position += 1
            guard letter == "u" else { continue }
            for _ in 0..<4 {
                guard try current().hexValue != nil else { throw fault("") }
                position += 1
            }
        }
    }

    private mutating func checkNumber() throws {
        _ = skip("-")
        // A leading zero must not be followed by a digit.
        if !skip("0") { try checkDigits() }
        if skip(".") { try checkDigits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try checkDigits()
        }
    }

    private mutating func checkDigits() throws {
        let start = position
        while position < bytes.count, bytes[position].isDigit { position += 1 }
        guard position > start else { throw fault("") }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func require(_ word: String) throws {
        for byte in word.utf8 where !skip(byte) { throw fault("") }
    }

    /// The position of the quote that ends the string at the current position, or the end of the bytes.
    func endOfString() -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            var end = position
            // `position` follows a quote, and `end` a found one, so neither is after the end of the bytes.
            while let quote = memchr(start + end, Int32("\"" as UInt8), bytes.count - end) {
                end = UnsafeRawPointer(quote) - UnsafeRawPointer(start)
                // An odd number of backslashes escapes the quote.
                var first = end
                while first > position, bytes[first - 1] == "\\" { first -= 1 }
                if (end - first) % 2 == 0 { return end }
                end += 1
            }
            return bytes.count
        }
    }

    func checkMarks(_ range: Range<Int>) throws {
        // A mark has at least two bytes. Invalid text is never compared; the code that decodes it reports the error.
        guard range.count > 2 * String.maximumMarks, let text = JSONText.decodedString(bytes[range]),
            text.hasTooManyMarks
        else { return }
        let most = String.maximumMarks
        throw ContentFault(
            "", "has a text with more than the \(most) combining marks in a row allowed (at byte \(position))")
    }
}
