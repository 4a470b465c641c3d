public import Archive
public import Catalogue
public import Mustache
public import Platform

/// Why a site cannot be built or published. What is published stays as it is.
public enum SiteError: Error, Sendable, CustomStringConvertible {
    /// A template is wrong.
    case template(TemplateError)
    /// The templates' folder lacks something.
    case templates(String)
    /// Pages that fail their check.
    case pages(FaultTally)
    /// Two pages or files would stand in one place.
    case twice(SitePath)
    /// A file's name comes from data and could leave the site, or is none that every file system accepts.
    case refused(SitePath)
    /// Two paths differ in nothing but capital letters.
    case sameButForCase(SitePath)
    /// The output holds a site that Amber did not make.
    case foreign(String)
    /// The output holds the site of another catalogue.
    case otherCatalogue(String, is: String, wanted: String)
    /// The archive cannot be read.
    case archive(ArchiveError)
    /// What the archive holds cannot be read as what it should be.
    case content(ContentFault)
    /// A file cannot be read or written.
    case system(SystemError)
    /// The disk of the folder is nearly full; `free` is in bytes.
    case diskIsFull(String, free: Int)
    /// The pages together are larger, or take longer, than any site needs.
    case pagesTakeTooMuch(String)
    /// The build was asked to end.
    case cancelled

    /// What is wrong, and where.
    public var description: String { lines.joined(separator: "\n") }

    /// The description's lines: several for templates and pages. What they quote may hold a line feed.
    public var lines: [String] {
        switch self {
        case .template(let error): error.lines
        case .pages(let faults): faults.lines
        default: [sentence]
        }
    }

    private var sentence: String {
        switch self {
        case .template, .pages: ""
        case .templates(let reason): reason
        case .twice(let path): "two pages or files would stand at \(path); nothing is published"
        case .refused(let path):
            "a file of the site would be called \(path), which is not allowed as a path; nothing is published"
        case .sameButForCase(let path):
            "two files of the site differ in capital letters only, at \(path): Windows and macOS take them for one; "
                + "rename one of them"
        case .foreign(let path):
            "\(path) holds files that Amber did not make; move them away, or choose another --output"
        case .otherCatalogue(let path, let standing, let wanted):
            "\(path) holds a site of \(standing), and this one is of \(wanted); choose another --output, or move that "
                + "one away"
        case .archive(let error): "\(error)"
        case .content(let fault): "a record in the archive cannot be read: \(fault)"
        case .system(let error): "\(error)"
        case .diskIsFull(let path, let free):
            "the disk of \(path) has only \(free) bytes left, which are for other programs; make room there and run "
                + "again"
        case .pagesTakeTooMuch(let what):
            "the pages together \(what), far more than pages need; look for a template that repeats too much, or for "
                + "records that do"
        case .cancelled: "the build was interrupted; the site stays as it was, and the next run builds it"
        }
    }

    /// Sorts an error from below into these cases.
    init(_ error: any Error) {
        switch error {
        case let error as SiteError: self = error
        case let error as TemplateError: self = .template(error)
        case let error as ArchiveError: self = error.isInterruption ? .cancelled : .archive(error)
        case let error as ContentFault: self = .content(error)
        case let error as SystemError: self = .system(error)
        default: self = .content(ContentFault("", "\(error)"))
        }
    }
}

/// One fault on one page.
public struct PageFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The page.
    public let page: String
    /// The line in it.
    public let line: Int
    /// What is wrong, with the rule's name.
    public let message: String

    /// "character/5.html:12: <img> has no alt attribute [missing-attribute]"
    public var description: String { "\(page):\(line): \(message)" }
}
