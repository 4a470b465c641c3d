import Platform

/// Where templates are looked for that nobody named.
enum StandingTemplates {
    /// In the working folder: those of a project.
    private static let own = "Templates"

    /// Those that came with the program: of PREFIX/bin/amber, PREFIX/share/amber/Templates. Nil where the system does
    /// not tell where the program is.
    private static var installed: String? {
        guard let program = Folder.realPath("/proc/self/exe") else { return nil }
        let parts = program.split(separator: "/").dropLast(2)
        return (parts.map { "/\($0)" } + ["/share/amber/Templates"]).joined()
    }

    /// The first place that is there; nil where none is.
    static var path: String? { [own, installed].compactMap(\.self).first { FileStatus($0) != nil } }

    /// What is said where none is.
    static var missing: Failure {
        Failure(
            .pageFails,
            "there are no templates in \(own)\(installed.map { ", nor in \($0)" } ?? ""); name their folder with "
                + "--templates"
        )
    }
}

extension Run {
    /// The folder of templates, named or standing.
    func templatesFolder() throws(Failure) -> String {
        guard let folder = settings.templates else { throw StandingTemplates.missing }
        return folder
    }
}
