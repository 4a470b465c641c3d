/// A queue: appended at the end, taken from the front, both in constant time on average.
struct Deque<Element> {
    private var incoming: [Element] = []
    private var outgoing: [Element] = []

    mutating func append(_ element: Element) {
        incoming.append(element)
    }

    mutating func popFirst() -> Element? {
        if outgoing.isEmpty {
            outgoing = incoming.reversed()
            incoming = []
        }
        return outgoing.popLast()
    }
}
