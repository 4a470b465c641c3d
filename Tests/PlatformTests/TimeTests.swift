import Glibc
import Platform
import Testing

struct TimeTests {
    // The test runs in its own process, because setenv(3) is unsafe while other threads read the environment.
    @Test func `A timestamp is in UTC to the second in every time zone`() async {
        await #expect(processExitsWith: .success) {
            for zone in ["UTC", "Asia/Kolkata", "<+03:30>-3:30", "XYZ12", ":bad"] {
                setenv("TZ", zone, 1)
                tzset()
                #expect(timestamp(milliseconds: 0) == "1970-01-01T00:00:00Z", "\(zone)")
                #expect(timestamp(milliseconds: 1_795_256_430_999) == "2026-11-21T10:20:30Z", "\(zone)")
                #expect(timestamp(milliseconds: 951_782_400_000) == "2000-02-29T00:00:00Z", "\(zone)")
                #expect(timestamp(milliseconds: 4_102_444_799_000) == "2099-12-31T23:59:59Z", "\(zone)")
            }
        }
    }

    @Test func `The current time agrees with time(2)`() {
        let before = Int64(time(nil))
        let now = millisecondsSince1970() / 1_000
        // time(2) may lag behind clock_gettime(2) by a tick of the kernel.
        #expect((before...Int64(time(nil)) + 1).contains(now))
    }
}
