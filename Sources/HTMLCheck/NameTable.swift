internal import CLibXML2

/// The grammar's names as libxml2's dictionary interns them: an address is looked up instead of letters.
///
/// The addresses hold as long as the dictionary does, which is as long as the parser context that owns it.
struct NameTable {
    private let slots: UnsafeMutableBufferPointer<Slot>
    private let shift: UInt64

    private struct Slot {
        var name: UnsafePointer<xmlChar>?
        var number: Int16
    }

    init(_ names: [String], in dictionary: xmlDictPtr?) {
        var bits: UInt64 = 6
        while 1 << bits < names.count * 4 { bits += 1 }
        shift = 64 - bits
        slots = .allocate(capacity: 1 << Int(bits))
        slots.initialize(repeating: Slot(name: nil, number: -1))
        for (number, name) in names.enumerated() {
            guard let address = xmlDictLookup(dictionary, name, -1) else { continue }
            var slot = start(address)
            while slots[slot].name != nil { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Slot(name: address, number: Int16(number))
        }
    }

    func deallocate() {
        slots.deallocate()
    }

    /// The name's number in the grammar, or -1.
    func number(of name: UnsafePointer<xmlChar>) -> Int {
        var slot = start(name)
        while let known = slots[slot].name {
            if known == name { return Int(slots[slot].number) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return -1
    }

    private func start(_ name: UnsafePointer<xmlChar>) -> Int {
        Int(truncatingIfNeeded: (UInt64(UInt(bitPattern: name)) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }
}
