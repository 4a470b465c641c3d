internal import CLibXML2

/// The elements and attributes that pages may use, at fixed addresses, so that no references are counted.
/// `@unchecked Sendable` is safe, because the process has only one grammar, which is never changed or freed.
struct Grammar: @unchecked Sendable {
    static let site = Grammar()

    /// All names of elements and attributes, without duplicates. A name's number is its index.
    let names: [String]
    let elements: UnsafeMutableBufferPointer<Element>
    /// For each element, the rules of all names; nil for attributes that are not allowed.
    let rules: UnsafeMutableBufferPointer<AttributeRule?>

    private init() {
        var elements = ElementTable.all.flatMap { rule in rule.name.words.map { rule.named($0) } }
        let tables = [AttributeTable.global, AttributeTable.presentation] + elements.map(\.attributes)
        let attributes = tables.flatMap { $0.flatMap { $0.key.replacing("!", with: "").words } }
        let names = Set(attributes + elements.map(\.name)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(names, 0...))

        func numbered(_ words: String) -> [Int] { words.words.compactMap { numbers[$0] } }
        // Splitting texts takes most of the time, so tables for all elements are split once.
        let roles = AttributeTable.roles.map { ($0.key.words, $0.value) }
        let effects = AttributeTable.effects.map { (numbered($0.key), $0.value) }
        let roleBound = AttributeTable.roleBound.map { (numbered($0.key), $0.value.words) }
        func common(_ table: KeyValuePairs<String, ValueRule>) -> [AttributeRule?] {
            var rules = [AttributeRule?](repeating: nil, count: names.count)
            for (key, value) in table { for number in numbered(key) { rules[number] = AttributeRule(value: value) } }
            return rules
        }
        let (html, svg) = (common(AttributeTable.global), common(AttributeTable.presentation))

        var rules: [AttributeRule?] = []
        for index in elements.indices {
            let element = elements[index]
            var own = element.isSVG ? svg : html
            for (key, value) in element.attributes {
                for word in key.words {
                    var rule = AttributeRule(value: value)
                    let name = word.replacing("!", with: "")
                    if name != word {
                        rule.required = 1 << elements[index].required.count
                        elements[index].required.append(name)
                    }
                    if let number = numbers[name] { own[number] = rule }
                }
            }
            elements[index].firstRule = rules.count
            if !element.isSVG {
                if let role = numbers["role"], let allowed = roles.first(where: { $0.0.contains(element.name) })?.1 {
                    own[role] = allowed.utf8CodeUnitCount == 0 ? nil : AttributeRule(value: .tokens(allowed))
                }
                for (numbers, effect) in effects { for number in numbers { own[number]?.effect = effect } }
                for (numbers, free) in roleBound where !free.contains(element.name) {
                    for number in numbers { own[number]?.effect = .requires("role") }
                }
            }
            rules += own
        }
        self.names = names
        self.elements = .allocate(capacity: elements.count)
        _ = self.elements.initialize(from: elements)
        self.rules = .allocate(capacity: rules.count)
        _ = self.rules.initialize(from: rules)
    }
}

/// A hash table of the grammar's names. libxml2 stores each name once, so the address of a name is its key.
/// The addresses are valid until the parser context that owns the dictionary is freed.
struct NameTable {
    private let slots: UnsafeMutableBufferPointer<Name>
    private let shift: UInt64

    struct Name {
        var address: XMLName?
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
            slots[slot(of: address)][keyPath: pointer.pointee.isSVG ? \Name.svg : \Name.html] = pointer
        }
    }

    func deallocate() { slots.deallocate() }

    /// The grammar's entry for a name. Its number is -1 if the name is unknown.
    subscript(name: XMLName) -> Name { slots[slot(of: name)] }

    /// The slot of this name, or the empty slot for it.
    private func slot(of name: XMLName) -> Int {
        let hash = (UInt64(UInt(bitPattern: name)) &* 0x9E37_79B9_7F4A_7C15) >> shift
        var slot = Int(truncatingIfNeeded: hash)
        while let known = slots[slot].address, known != name { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }
}
