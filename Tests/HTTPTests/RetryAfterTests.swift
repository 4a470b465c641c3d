import HTTP
import Platform
import Testing

struct RetryAfterTests {
    /// The example of the RFC, Sun, 06 Nov 1994 08:49:37 GMT, plus half a second.
    private let received: Int64 = 784_111_777_500

    private func seconds(_ value: String, date: String? = nil) -> Int {
        RetryAfter.seconds(
            in: (date.map { [Header("Date", $0)] } ?? []) + [Header("retry-after", value)], received: received)
    }

    @Test(
        arguments: [
            ("0", 0), ("7", 7), ("007", 7), ("120", 120), ("2147483647", 2_147_483_647), ("2147483648", 2_147_483_647),
            ("9223372036854775808", 2_147_483_647), (String(repeating: "9", count: 10_000), 2_147_483_647),
            ("-5", 0), ("+5", 0), ("5.5", 0), ("5s", 0), ("5 5", 0), ("5,5", 0), ("0x10", 0), ("1e3", 0), ("٥", 0),
            ("", 0), ("soon", 0),
        ])
    func `Seconds must consist of digits only`(value: String, expected: Int) {
        #expect(seconds(value) == expected)
    }

    @Test func `White space around the value is ignored, and a missing field is 0`() {
        let block = "HTTP/1.1 503 No\r\nRETRY-AFTER: \t 12 \t\r\n\r\n"
        #expect(RetryAfter.seconds(in: [Header](parsing: Array(block.utf8)), received: received) == 12)
        #expect(RetryAfter.seconds(in: [Header("Date", "Sun, 06 Nov 1994 08:49:37 GMT")], received: received) == 0)
        #expect(RetryAfter.seconds(in: [], received: received) == 0)
    }

    @Test(
        arguments: [
            "Sun, 06 Nov 1994 08:51:17 GMT", "Sunday, 06-Nov-94 08:51:17 GMT", "Sun Nov  6 08:51:17 1994",
            "Sun Nov 06 08:51:17 1994",
        ])
    func `A date is read in all three forms`(value: String) {
        #expect(seconds(value) == 100)
        #expect(seconds(value, date: "Sun, 06 Nov 1994 08:50:00 GMT") == 77)
    }

    @Test(
        arguments: [
            ("Sat, 20 Jun 2026 10:00:30 GMT", "Sat, 20 Jun 2026 10:00:00 GMT", 30),
            ("Saturday, 20-Jun-26 10:00:30 GMT", "Sat Jun 20 10:00:00 2026", 30),
            ("Thu, 01 Jan 1970 00:01:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", 60),
            ("Sat, 20 Jun 2026 10:00:00 GMT", "Sat, 20 Jun 2026 10:00:00 GMT", 0),
            ("Sat, 20 Jun 2026 09:59:59 GMT", "Sat, 20 Jun 2026 10:00:00 GMT", 0),
            ("Fri, 01 Mar 2024 00:00:00 GMT", "Wed, 28 Feb 2024 00:00:00 GMT", 172_800),
        ])
    func `A date is relative to the server's own clock`(value: String, date: String, expected: Int) {
        #expect(seconds(value, date: date) == expected)
    }

    @Test(
        arguments: ["", "now", "0", "Sun, 06 Noc 1994 08:50:00 GMT"])
    func `A date is relative to the local clock if the server's date is invalid`(date: String) {
        #expect(seconds("Sun, 06 Nov 1994 08:51:17 GMT", date: date) == 100)
        #expect(seconds("30", date: date) == 30)
    }

    @Test(
        arguments: [
            "Sun, 06 Nov 1994 08:49:36 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Sun, 06 Nov 1994 08:51:17 MSK",
            "Sun, 06 Nov 1994 08:51:17 +0300", "Son, 06 Nov 1994 08:51:17 GMT", "Sun, 00 Nov 1994 08:51:17 GMT",
            "Sun, 06 Noc 1994 08:51:17 GMT", "Sun, 06 Nov 1994 24:51:17 GMT", "Sun, 06 Nov 1994 08:60:17 GMT",
            "Sun, 06 Nov 1994 08:51:61 GMT", "Sun, 06 Nov -994 08:51:17 GMT", ", - ,", "Sun",
        ])
    func `A past or invalid date is 0`(value: String) {
        #expect(seconds(value) == 0)
    }

    @Test func `A two-digit year means a year from 1971 to 2070`() {
        #expect(seconds("Sunday, 06-Nov-44 08:49:37 GMT") == 1_577_923_200)
        #expect(seconds("Friday, 06-Nov-99 08:49:37 GMT") == 157_766_400)
        #expect(seconds("Saturday, 06-Nov-93 08:49:37 GMT") == 0)
    }

    @Test(
        arguments: [Int64.min, -1, 0, Int64.max])
    func `A date far in the future results in the maximum, independent of the local clock`(received: Int64) {
        let far = [
            Header("Date", "Thu, 01 Jan 1970 00:00:00 GMT"), Header("Retry-After", "Fri, 31 Dec 9999 23:59:60 GMT"),
        ]
        #expect(RetryAfter.seconds(in: far, received: received) == RetryAfter.maximum)
        #expect((0...RetryAfter.maximum).contains(RetryAfter.seconds(in: [far[1]], received: received)))
        #expect(
            (0...RetryAfter.maximum).contains(
                RetryAfter.seconds(in: [Header("Retry-After", "Sun, 06-Nov-94 08:49:37 GMT")], received: received)))
    }
}
