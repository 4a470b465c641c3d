/// Escapes text for a terminal. Records, archives, servers, templates and file names can hold characters that move the
/// cursor, change colors or reverse the direction of a line. `Console` applies this to everything that it prints.
enum TerminalText {
    /// One line: what would act on the terminal, a line feed included, is shown as `\u{1b}`. A tab stays.
    static func line(_ text: String) -> String {
        escape(text) { $0 == 9 ? "\t" : "\\u{\(String($0, radix: 16))}" }
    }

    /// JSON with the same value and without such characters. Valid JSON has them within texts only, where they can be
    /// escaped, but for line feeds, carriage returns and tabs, which are white space between values.
    static func json(_ text: String) -> String {
        escape(text) { value in
            if value == 9 || value == 10 || value == 13 { return " " }
            let digits = String(value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private static func escape(_ text: String, _ escaped: (UInt32) -> String) -> String {
        guard text.utf8.contains(where: { isSuspect[Int($0)] }) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if acts(scalar.value) {
                shown.append(contentsOf: escaped(scalar.value).unicodeScalars)
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// C0 and C1 controls, DEL, line and paragraph separators, and the characters that set a direction (UAX #9, section
    /// 2).
    private static func acts(_ value: UInt32) -> Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x206F: true
        default: false
        }
    }

    /// The bytes that these characters begin with in UTF-8.
    private static let isSuspect: [Bool] = (0..<256).map { $0 < 0x20 || [0x7F, 0xC2, 0xD8, 0xE2].contains($0) }
}
