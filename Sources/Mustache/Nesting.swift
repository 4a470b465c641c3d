/// Finds for each opening tag the one that closes it.
struct Nesting {
    private let source: Source
    private let tags: [Tag]

    init(_ tags: [Tag], of source: Source) {
        self.tags = tags
        self.source = source
    }
}

extension Nesting {
    /// How deep tags of one template may be nested. Names are looked up in every section around them.
    static let depthLimit = 64

    /// - Returns: for each tag the index of its partner, or -1 for a tag that has none.
    /// - Throws: for a tag that is never closed, closed by another name, or closes nothing.
    func partners() throws(TemplateError) -> [Int] {
        var partners = Array(repeating: -1, count: tags.count)
        var open: [Int] = []

        for (index, tag) in tags.enumerated() {
            if tag.opens {
                guard open.count < Self.depthLimit else {
                    throw source.error(
                        at: tag.extent.lowerBound, "tags are nested more than \(Self.depthLimit) deep here")
                }
                open.append(index)
            } else if tag.kind == .close {
                guard let opener = open.popLast() else {
                    throw source.error(
                        at: tag.name.lowerBound, "\"\(name(of: tag))\" is closed here, but nothing is open")
                }

                try require(tag, closes: tags[opener])
                partners[index] = opener
                partners[opener] = index
            }
        }

        if let opener = open.last {
            let tag = tags[opener]
            throw source.error(at: tag.name.lowerBound, "\"\(name(of: tag))\" is opened here and never closed")
        }

        return partners
    }

    private func require(_ tag: Tag, closes opener: Tag) throws(TemplateError) {
        guard tag.isDynamic == opener.isDynamic, source.bytes[tag.name].elementsEqual(source.bytes[opener.name]) else {
            let line = source.line(at: opener.extent.lowerBound)
            throw source.error(
                at: tag.name.lowerBound,
                "\"\(name(of: tag))\" is closed here, but \"\(name(of: opener))\" is open since line \(line)")
        }
    }

    private func name(of tag: Tag) -> String {
        (tag.isDynamic ? "*" : "") + source.text(tag.name)
    }
}
