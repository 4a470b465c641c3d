import Archive
import Catalogue

/// A file within a WACZ, as its list of files has it.
struct WACZResource {
    let path: String
    let size: Int64
    let sha256: SHA256
}

extension WACZWriter.About {
    /// What the record that tells of the web archive says: a line each.
    var fields: [(name: String, value: String)] {
        [
            ("software", software), ("format", "WARC File Format 1.1"),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
            ("description", description),
        ].map { ($0.0, String($0.1.map { $0.isNewline ? " " : $0 })) }
    }

    /// datapackage.json (Frictionless Data Package 1, with what WACZ adds).
    func package(of resources: [WACZResource], mainPage: WACZWriter.Page?) -> [UInt8] {
        var facts: [(key: String, value: JSON)] = [
            ("profile", .text("data-package")), ("wacz_version", .text("1.1.1")), ("title", .text(title)),
            ("description", .text(description)), ("created", .text(PackageTime(milliseconds: created).seconds)),
            ("software", .text(software)),
        ]
        if let mainPage {
            facts.append(("mainPageUrl", .text(mainPage.uri)))
            facts.append(("mainPageDate", .text(PackageTime(milliseconds: mainPage.received).seconds)))
        }
        let files = resources.map { resource -> JSON in
            let name = resource.path.split(separator: "/").last.map(String.init) ?? resource.path
            return .object([
                ("name", .text(name)), ("path", .text(resource.path)), ("hash", .text("sha256:\(resource.sha256.hex)")),
                ("bytes", .integer(Int(resource.size))),
            ])
        }
        facts.append(("resources", .list(files)))
        return JSON.object(facts).bytes + [UInt8(ascii: "\n")]
    }

    /// datapackage-digest.json.
    func digest(of package: [UInt8]) -> [UInt8] {
        let facts: [(key: String, value: JSON)] = [
            ("path", .text("datapackage.json")), ("hash", .text("sha256:\(SHA256(of: package).hex)")),
        ]
        return JSON.object(facts).bytes + [UInt8(ascii: "\n")]
    }
}
