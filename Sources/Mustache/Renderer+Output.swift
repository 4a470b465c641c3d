/// Values as bytes.
extension Renderer {
    /// `{{name}}`: text is escaped, markup is not.
    func show(_ value: Value, _ path: Operation.Path, at operation: Int, _ output: inout [UInt8]) throws(TemplateError)
    {
        if case .text(let text) = value {
            escaping.append(text, to: &output)
        } else {
            try showRaw(value, path, at: operation, &output)
        }
    }

    /// `{{{name}}}` and `{{&name}}`.
    func showRaw(_ value: Value, _ path: Operation.Path, at operation: Int, _ output: inout [UInt8])
        throws(TemplateError)
    {
        switch value {
        case .null: break
        case .flag(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let number): append(number, to: &output)
        case .decimal(let number): append(number, to: &output)
        case .text(let text): output.append(contentsOf: text.utf8)
        case .html(let bytes): output.append(contentsOf: bytes)
        case .list, .object:
            if program.mode == .strict {
                throw program.misused(path, value.noun, "be shown", at: operation)
            }
        }
    }

    private func append(_ number: Int, to output: inout [UInt8]) {
        // The magnitude of Int.min has 19 digits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = number.magnitude
            var first = digits.count
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0

            if number < 0 {
                first -= 1
                digits[first] = UInt8(ascii: "-")
            }

            output.append(contentsOf: digits[first...])
        }
    }

    private func append(_ number: Double, to output: inout [UInt8]) {
        let digits = number.description
        output.append(contentsOf: (digits.hasSuffix(".0") ? digits.dropLast(2) : digits[...]).utf8)
    }
}
