import Platform
import Testing

struct BlockingQueueTests {
    @Test func `The queue returns all elements in the order of the pushes`() {
        let queue = BlockingQueue<Int>()
        for number in 1...3 { queue.push(number) }
        #expect(queue.popAll() == [1, 2, 3])
        queue.push(4)
        #expect(queue.popAll() == [4])
    }

    @Test func `Elements from several threads are neither lost nor repeated, and keep their order`() {
        let (threads, each) = (4, 5_000)
        let queue = BlockingQueue<(thread: Int, number: Int)>()
        for thread in 0..<threads {
            startThread { for number in 0..<each { queue.push((thread, number)) } }
        }
        var received = [[Int]](repeating: [], count: threads)
        var count = 0
        while count < threads * each {
            for element in queue.popAll() {
                received[element.thread].append(element.number)
                count += 1
            }
        }
        #expect(received == [[Int]](repeating: Array(0..<each), count: threads))
    }

    @Test func `The reader sleeps until an element arrives`() {
        let (questions, answers) = (BlockingQueue<Int>(), BlockingQueue<Int>())
        startThread { for _ in 0..<100 { for question in questions.popAll() { answers.push(question * 2) } } }
        for number in 0..<100 {
            questions.push(number)
            #expect(answers.popAll() == [number * 2])
        }
    }

    @Test func `The reader waits at most for its time limit, and receives the elements that arrive`() {
        let queue = BlockingQueue<Int>()
        let start = ContinuousClock.now
        #expect(queue.popAll(within: 30) == [])
        #expect(start.duration(to: .now) >= .milliseconds(30))
        queue.push(1)
        queue.push(2)
        #expect(queue.popAll(within: 60_000) == [1, 2])
        startThread { queue.push(3) }
        #expect(queue.popAll(within: 60_000) == [3])
    }
}
