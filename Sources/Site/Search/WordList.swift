/// Distinct words and names as UTF-8 in one buffer, found again by a hash table of numbers, so that a million words
/// stay small.
struct WordList {
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    /// Numbers of words, plus one; 0 where free. A power of two, at most half full.
    private(set) var slots = [UInt32](repeating: 0, count: 1 << 10)

    var count: Int { ends.count }

    func word(_ number: Int) -> ArraySlice<UInt8> {
        bytes[(number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])]
    }

    /// The words' numbers in the order of their bytes.
    func sorted() -> [UInt32] {
        bytes.withUnsafeBufferPointer { bytes in
            ends.withUnsafeBufferPointer { ends in
                (0..<UInt32(ends.count)).sorted { first, second in
                    var one = first == 0 ? 0 : Int(ends[Int(first) - 1])
                    var other = second == 0 ? 0 : Int(ends[Int(second) - 1])
                    let otherEnd = Int(ends[Int(second)])
                    let oneEnd = Int(ends[Int(first)])
                    while one < oneEnd, other < otherEnd {
                        if bytes[one] != bytes[other] { return bytes[one] < bytes[other] }
                        one += 1
                        other += 1
                    }
                    return other < otherEnd
                }
            }
        }
    }

    /// - Returns: the word's number, which it is given where it has none.
    mutating func number(of word: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var slot = Self.hash(word) & (slots.count - 1)
        while slots[slot] != 0 {
            if self.word(Int(slots[slot] - 1)).elementsEqual(word) { return slots[slot] - 1 }
            slot = (slot + 1) & (slots.count - 1)
        }
        bytes += word
        ends.append(UInt32(bytes.count))
        slots[slot] = UInt32(ends.count)
        if ends.count * 2 > slots.count { grow() }
        return UInt32(ends.count - 1)
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for number in 0..<count {
            var slot = word(number).withUnsafeBufferPointer(Self.hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    /// With a random key for each process. Otherwise an API could choose words that all have the same slot.
    private static func hash(_ word: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(word))
        return hasher.finalize()
    }
}

/// What a word is to a row that has it: the beginning of its name, another word there, or one of its values; and how
/// many words the name has.
struct WordRole {
    enum Place: UInt8 { case start, name, value }

    private let bits: UInt8

    init(_ place: Place, of count: Int) {
        bits = place.rawValue << 4 | UInt8(min(count, 15))
    }

    /// - Returns: a lower one the more the word tells where it, or its beginning, is asked for.
    func rank(isWhole: Bool, isExact: Bool) -> UInt8 {
        switch bits >> 4 {
        case Place.start.rawValue where isWhole: bits & 15
        case Place.value.rawValue: (isExact ? 5 : 6) << 4 | bits & 15
        case let place: ((isExact ? 1 : 3) + place) << 4 | bits & 15
        }
    }
}
