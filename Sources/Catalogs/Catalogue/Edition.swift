/// The site in one language: at the site's root, or in a folder named for the language.
public struct Edition: Sendable {
    /// Its texts.
    package let texts: Texts
    /// The folder that its pages are in, with a slash at the end: "" or "ru/".
    package let folder: String
    /// Its place among the site's editions; that at the root is 0.
    package let index: Int

    /// An edition.
    package init(_ texts: Texts, index: Int) {
        self.texts = texts
        self.index = index
        folder = index == 0 ? "" : "\(texts.language)/"
    }

    /// Where a page of all editions stands in this one.
    package func path(_ path: SitePath) -> SitePath { path.below(folder) }
}
