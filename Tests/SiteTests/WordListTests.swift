import Testing

@testable import Site

struct WordListTests {
    /// FNV-1a, a hash that anyone can compute.
    private func known(_ word: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in word.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return hash ^ (hash >> 32)
    }

    @Test func `Words with chosen hashes are spread over the table`() {
        var list = WordList()
        var count = 0
        for number in 0... where known("word\(number)") & 0x3FFF < 0x400 {
            _ = Array("word\(number)".utf8).withUnsafeBufferPointer { list.number(of: $0) }
            count += 1
            if count == 4_000 { break }
        }
        var run = 0
        var longest = 0
        for slot in list.slots {
            run = slot == 0 ? 0 : run + 1
            longest = max(longest, run)
        }
        #expect(list.count == 4_000)
        // With the plain hash, all words form one run of 4,000.
        #expect(longest < 400, "of \(list.slots.count) slots")
    }
}
