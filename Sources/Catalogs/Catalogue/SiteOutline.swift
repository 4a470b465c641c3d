/// What the pages that every site has need to know of a catalogue's site: its name, its sections, what it counts.
public struct SiteOutline: Sendable {
    /// A part of the site that every page's navigation leads to.
    public struct Section: Sendable {
        /// What pages name to say that they belong to it.
        package let name: String
        /// Its first page, in each edition.
        package let path: SitePath
        /// What it is called.
        package let label: TextNeed

        /// A section.
        package init(_ name: String, at path: SitePath, _ label: TextNeed) {
            self.name = name
            self.path = path
            self.label = label
        }
    }

    /// A kind of record, with how many there are.
    public struct Count: Sendable {
        /// A plural text: "{count} characters".
        package let label: TextNeed
        /// How many.
        package let count: Int

        /// A count with its text.
        package init(_ label: TextNeed, _ count: Int) {
            self.label = label
            self.count = count
        }
    }

    /// What the site is called.
    package let title: TextNeed
    /// The language of served names and texts: "en".
    package let language: String
    /// Its sections in the order of the navigation.
    package let sections: [Section]
    /// What it has.
    package let counts: [Count]
    /// The picture that stands for pages without one of their own where they are shared.
    package let picture: SitePath?
    /// What the search's field is called: what can be found.
    package let searchLabel: TextNeed
    /// The same in a sentence about the search's page.
    package let searchDescription: TextNeed
    /// What a capture without gaps is: as much as the API lets anyone prove.
    package let complete: TextNeed

    /// An outline with its parts.
    /// - Parameter language: empty where served texts are in any language.
    package init(
        title: TextNeed, language: String, sections: [Section], counts: [Count], picture: SitePath?,
        searchLabel: TextNeed,
        searchDescription: TextNeed, complete: TextNeed = TextNeed("complete")
    ) {
        self.title = title
        self.language = language
        self.sections = sections
        self.counts = counts
        self.picture = picture
        self.searchLabel = searchLabel
        self.searchDescription = searchDescription
        self.complete = complete
    }
}
