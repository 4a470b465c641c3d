/// The security headers of a site. docs/hosting.md sets the same ones on other servers, which a test compares.
enum SiteHeaders {
    /// The folders of data: files there are the API's, and a browser is to run nothing in them.
    static let dataFolders: Set = ["api", "data", "avatar", "artwork"]

    /// The security policy for files in these folders.
    static let dataPolicy = "sandbox; default-src 'none'"

    /// The policy of all else. Pages have a stricter one of their own, in which this directive has no effect.
    static let pagePolicy = "frame-ancestors 'self'"

    /// Keeps pages of other sites from loading files as scripts or pictures: the search index is a script.
    static let resourcePolicy = "same-origin"

    /// The policy of the API's answers, which other sites may use.
    static let mirrorResourcePolicy = "cross-origin"

    /// The other headers of every answer. No page uses the features that the Permissions-Policy switches off.
    static let everywhere = [
        (name: "X-Content-Type-Options", value: "nosniff"),
        (name: "Referrer-Policy", value: "strict-origin-when-cross-origin"),
        (
            name: "Permissions-Policy",
            value:
                "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), "
                + "microphone=(), "
                + "midi=(), payment=(), usb=()"
        ),
    ]

    /// The headers of an answer.
    /// - Parameter folder: the first segment of its path in the site; nil where it has none.
    static func headers(in folder: String?) -> [(name: String, value: String)] {
        // Some file systems ignore case.
        let isData = folder.map { dataFolders.contains($0.lowercased()) } ?? false
        let isMirror = folder == "api"
        let origin = isMirror ? [(name: "Access-Control-Allow-Origin", value: "*")] : []
        return everywhere + origin + [
            (name: "Content-Security-Policy", value: isData ? dataPolicy : pagePolicy),
            (name: "Cross-Origin-Resource-Policy", value: isMirror ? mirrorResourcePolicy : resourcePolicy),
        ]
    }
}
