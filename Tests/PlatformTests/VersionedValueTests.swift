import Platform
import Testing

struct VersionedValueTests {
    @Test func `Threads wait for each new version`() {
        let (questions, answers) = (VersionedValue(0, number: 0), VersionedValue(0, number: 0))
        startThread {
            for number in 0..<100 as Range<Int64> {
                questions.wait(after: number)
                answers.set(questions.current.value * 2)
            }
        }
        for number in 0..<100 {
            questions.set(number)
            #expect(answers.wait(after: Int64(number)) == Int64(number) + 1)
            #expect(answers.current.value == number * 2)
        }
    }

    @Test func `A thread waits at most for its time limit`() {
        let value = VersionedValue("old", number: 0)
        let start = ContinuousClock.now
        #expect(value.wait(after: 0, milliseconds: 30) == 0)
        #expect(start.duration(to: .now) >= .milliseconds(30))
        startThread { value.set("new") }
        #expect(value.wait(after: 0, milliseconds: 60_000) == 1)
        #expect(value.current.value == "new")
    }
}
