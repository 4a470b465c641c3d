/// The ids of a page: an open-addressing hash table over ranges of the page's text buffer, reused from page to page.
struct IDTable {
    private(set) var ranges: [TextRange] = []
    private(set) var notes: [Note] = []
    /// The element that has an id.
    struct Note {
        let line: Int
        let name: Int
        let isControl: Bool
    }

    private var slots = [Int32](repeating: -1, count: 64)

    /// - Returns: the position of the id of these bytes, or nil.
    func position(of id: UnsafeBufferPointer<UInt8>, in text: [UInt8]) -> Int? {
        let entry = slots[slot(of: id, in: text)]
        return entry < 0 ? nil : Int(entry)
    }

    /// - Precondition: the id is not in the table; its bytes lie at `range` of the text buffer.
    mutating func insert(_ range: TextRange, in text: [UInt8], _ note: Note) {
        if ranges.count * 2 >= slots.count { grow(text) }
        place(Int32(ranges.count), range, text)
        ranges.append(range)
        notes.append(note)
    }

    /// Empties the table and hands over its ranges.
    mutating func take() -> [TextRange] {
        defer {
            ranges = []
            notes.removeAll(keepingCapacity: true)
            for position in slots.indices { slots[position] = -1 }
        }
        return ranges
    }

    private mutating func place(_ entry: Int32, _ range: TextRange, _ text: [UInt8]) {
        let slot = text.withUnsafeBufferPointer {
            self.slot(of: UnsafeBufferPointer(rebasing: $0[range.bounds]), in: text)
        }
        slots[slot] = entry
    }

    private mutating func grow(_ text: [UInt8]) {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for (entry, range) in ranges.enumerated() {
            place(Int32(entry), range, text)
        }
    }

    /// The slot that holds the id, or the empty one where it would go. Hashes have a random key for each process.
    /// Otherwise a page could choose ids that all have the same slot.
    private func slot(of id: UnsafeBufferPointer<UInt8>, in text: [UInt8]) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(id))
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] >= 0 {
            let range = ranges[Int(slots[slot])].bounds
            if range.count == id.count, text[range].elementsEqual(id) { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }
}
