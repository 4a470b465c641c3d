internal import CLibXML2

/// The elements and attributes that pages may use. They have fixed addresses, so that the check of a page does no
/// reference counting.
///
/// `@unchecked Sendable` is safe, because the process has only one grammar, which is never changed or freed.
struct Grammar: @unchecked Sendable {
    static let site = Grammar()

    /// All names of elements and attributes, without duplicates. A name's number is its index.
    let names: [String]
    let elements: UnsafeMutableBufferPointer<Element>
    let cells: UnsafeMutableBufferPointer<Cell>
    let values: UnsafeMutableBufferPointer<ValueRule>

    /// The rule for an attribute on an element.
    struct Cell {
        /// The index of the value rule in `values`; 0 if the attribute is not allowed.
        var value: UInt16 = 0
        /// The attribute's bit among the required attributes of the element; 0 if it is optional.
        var required: UInt8 = 0
        /// Whether the attribute is allowed only on an element with a role.
        var needsRole = false
    }

    private init() {
        var elements: [Element] = ElementTable.all.flatMap { rule in
            rule.name.split(separator: " ").map { name in
                var element = rule
                element.name = String(name)
                element.special = rule.isSVG ? nil : Element.Special(rawValue: element.name)
                return element
            }
        }
        let tables = [AttributeTable.global, AttributeTable.presentation] + elements.map(\.attributes)
        func attributeNames(_ key: String) -> [String] { key.split { $0 == " " || $0 == "!" }.map(String.init) }
        let names = Set(tables.flatMap { $0.flatMap { attributeNames($0.key) } } + elements.map(\.name)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(names, 0...))

        var values: [ValueRule] = [.any]
        func resolved(_ table: KeyValuePairs<String, ValueRule>) -> [(name: Int, value: UInt16)] {
            table.flatMap { key, value in
                values.append(value)
                return attributeNames(key).compactMap { numbers[$0] }.map { ($0, UInt16(values.count - 1)) }
            }
        }
        let global = resolved(AttributeTable.global)
        let presentation = resolved(AttributeTable.presentation)

        var cells = [Cell](repeating: Cell(), count: elements.count * names.count)
        var rows: [String: Int] = [:]
        for number in elements.indices {
            let element = elements[number]
            let row = number * names.count
            elements[number].firstCell = row
            if !element.isSVG { rows[element.name] = row }
            for (name, value) in element.isSVG ? presentation : global { cells[row + name].value = value }
            for (name, value) in resolved(element.attributes) { cells[row + name].value = value }
            for (bit, name) in element.required.enumerated() {
                if let name = numbers[name] { cells[row + name].required = 1 << UInt8(bit) }
            }
        }
        for (elements, roles) in AttributeTable.roles {
            for (name, value) in resolved(["role": .tokens(roles)]) {
                let value = roles.words.isEmpty ? 0 : value
                for row in elements.words.compactMap({ rows[$0] }) { cells[row + name].value = value }
            }
        }
        for (attributes, elements) in AttributeTable.roleBound {
            let free = Set(elements.words)
            for (name, _) in resolved([attributes: .any]) {
                for (element, row) in rows where !free.contains(element) { cells[row + name].needsRole = true }
            }
        }
        self.names = names
        self.elements = .permanent(elements)
        self.cells = .permanent(cells)
        self.values = .permanent(values)
    }
}

/// A hash table of the grammar's names. libxml2's dictionary stores each name once, so the address of a name is its
/// key.
///
/// The addresses are valid until the parser context that owns the dictionary is freed.
struct NameTable {
    private let slots: UnsafeMutableBufferPointer<Name>
    private let shift: UInt64

    struct Name {
        var address: UnsafePointer<xmlChar>?
        var number = -1
        var html: UnsafePointer<Element>?
        var svg: UnsafePointer<Element>?
    }

    init(_ grammar: Grammar, in dictionary: xmlDictPtr?) {
        var bits: UInt64 = 6
        while 1 << bits < grammar.names.count * 4 { bits += 1 }
        shift = 64 - bits
        slots = .allocate(capacity: 1 << Int(bits))
        slots.initialize(repeating: Name())
        for (number, name) in grammar.names.enumerated() {
            guard let address = xmlDictLookup(dictionary, name, -1) else { continue }
            slots[slot(of: address)] = Name(address: address, number: number)
        }
        for element in grammar.elements.indices {
            guard let pointer = grammar.elements.baseAddress.map({ UnsafePointer($0 + element) }),
                let address = xmlDictLookup(dictionary, pointer.pointee.name, -1)
            else { continue }
            if pointer.pointee.isSVG {
                slots[slot(of: address)].svg = pointer
            } else {
                slots[slot(of: address)].html = pointer
            }
        }
    }

    func deallocate() { slots.deallocate() }

    /// The grammar's entry for a name. Its number is -1 if the name is unknown.
    subscript(name: UnsafePointer<xmlChar>) -> Name { slots[slot(of: name)] }

    /// The slot of this name, or the empty slot for it.
    private func slot(of name: UnsafePointer<xmlChar>) -> Int {
        let hash = (UInt64(UInt(bitPattern: name)) &* 0x9E37_79B9_7F4A_7C15) >> shift
        var slot = Int(truncatingIfNeeded: hash)
        while let known = slots[slot].address, known != name { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }
}
