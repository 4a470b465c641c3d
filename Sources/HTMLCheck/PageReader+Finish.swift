/// The end of the page.
extension PageReader {
    /// What can be said only when everything has been read.
    mutating func finish() {
        if !hasStopped, bodyLine > 0 {
            if firstHeadings == 0 {
                report(Fault(line: bodyLine, element: "body", rule: .heading, message: "<body> has no <h1>"))
            }
            checkNavs()
        }
        if !hasStopped { checkReferences() }
        depth = 0
    }

    private mutating func checkReferences() {
        for reference in references {
            let position = text.withUnsafeBufferPointer {
                ids.position(of: UnsafeBufferPointer(rebasing: $0[reference.id.bounds]), in: text)
            }
            let name = grammar.names[reference.name]
            let element = tables.elements[reference.element].name
            let what: String
            if let position {
                guard let wrong = mismatch(ids.notes[position], reference, attribute: name, on: element) else {
                    continue
                }
                what = "is no \(wrong)"
            } else {
                what = "no element of the page has"
            }
            let id = String(decoding: text[reference.id.bounds], as: UTF8.self)
            report(
                Fault(
                    line: reference.line, element: element, attribute: name, rule: .unknownID,
                    message: "<\(element)> refers by \(name) to the id \"\(id)\", which \(what)"))
        }
    }

    /// - Returns: what a reference asks for and the element of that id is not; nil where it fits.
    private func mismatch(_ note: IDTable.Note, _ reference: Reference, attribute: String, on element: String)
        -> String?
    {
        if reference.needsControl { return note.isControl ? nil : "form control" }
        let expected = ["form": "form", "list": "datalist", "headers": "th"][attribute]
        return expected == nil || expected == grammar.names[note.name] ? nil : expected.map { "<\($0)>" }
    }

    private mutating func checkNavs() {
        guard navs.count > 1 else { return }
        var labels: [String] = []
        for nav in navs {
            guard let range = nav.label else {
                report(
                    Fault(
                        line: nav.line, element: "nav", attribute: "aria-label", rule: .landmarkLabel,
                        message: "<nav> has no aria-label, though the page has more than one <nav>"))
                continue
            }
            let label = String(decoding: text[range.bounds], as: UTF8.self)
            if labels.contains(label) {
                report(
                    Fault(
                        line: nav.line, element: "nav", attribute: "aria-label", rule: .landmarkLabel,
                        message: "<nav> has the label \"\(label)\", which another <nav> already has"))
            }
            labels.append(label)
        }
    }

    /// Hands over what was found and makes ready for the next page.
    mutating func takeReport() -> PageReport {
        var found = faults
        if found.count > 1 {
            let order = found.indices.sorted { (found[$0].line, $0) < (found[$1].line, $1) }
            found = order.map { found[$0] }
        }
        let (links, text) = (links, text)
        let report = PageReport(
            faults: found, links: LinkList(records: links, text: text, grammar: grammar), idRecords: ids.take())
        reset(links: links.count, text: text.count)
        return report
    }

    private mutating func reset(links linkCount: Int, text textCount: Int) {
        faults = []
        links = []
        links.reserveCapacity(linkCount)
        text = []
        text.reserveCapacity(textCount)
        references.removeAll(keepingCapacity: true)
        navs.removeAll(keepingCapacity: true)
        frames.initialize(to: Frame(element: -1, line: 1, takes: .document, forbids: [], notes: []))
        depth = 0
        lastLine = 1
        hasStopped = false
        isSuspect = true
        headingLevel = 0
        firstHeadings = 0
        mains = 0
        descriptions = 0
        bodyLine = 0
    }
}
