import Foundation
import TestSupport
import Testing

@testable import AmberCommand

/// The configurations in docs/hosting.md. Tests/Judges starts the servers themselves.
struct HostingTests {
    @Test(arguments: ["nginx", "Caddy", "S3 with CloudFront"])
    func `Each configuration sets the headers that amber serve sends`(server: String) throws {
        let text = try String(contentsOfFile: "\(Program.root)/docs/hosting.md", encoding: .utf8)
        let section = try #require(
            text.components(separatedBy: "\n### \(server)\n").dropFirst().first?.components(separatedBy: "\n#").first)
        let values = (SiteHeaders.headers(in: "api") + SiteHeaders.headers(in: nil)).map(\.value)
        for value in values.filter({ $0 != "nosniff" }) + ["Cross-Origin-Resource-Policy"] {
            #expect(section.contains(value), "\(value)")
        }
        for folder in SiteHeaders.dataFolders {
            let isNamed = ["\(folder)|", "|\(folder)", "`\(folder)/*`"].contains { section.contains($0) }
            #expect(isNamed, "\(folder)")
        }
        if server != "S3 with CloudFront" {
            for header in SiteHeaders.common { #expect(section.contains(header.name), "\(header.name)") }
            return
        }
        let lines = section.components(separatedBy: "\n")
        let first = try #require(lines.firstIndex(of: "    {"))
        let last = try #require(lines.firstIndex(of: "    }"))
        let object = try jsonObject(Data(lines[first...last].joined(separator: "\n").utf8))
        let security = try #require(object["SecurityHeadersConfig"] as? [String: [String: Any]])
        #expect(security["ContentTypeOptions"]?["Override"] as? Bool == true)
        #expect(security["ContentSecurityPolicy"]?["ContentSecurityPolicy"] as? String == "frame-ancestors 'self'")
        let custom = try #require(object["CustomHeadersConfig"] as? [String: Any])
        #expect((custom["Items"] as? [Any])?.count == custom["Quantity"] as? Int)
    }

    @Test func `Only the deploy job of the GitHub Pages workflow can publish`() throws {
        let text = try String(contentsOfFile: "\(Program.root)/docs/github-pages.yml", encoding: .utf8)
        let jobs = text.components(separatedBy: "\n  deploy:\n")
        #expect(jobs.count == 2)
        #expect(jobs[0].contains("\npermissions:\n  contents: read\n"))
        for permission in ["pages: write", "id-token: write"] {
            #expect(!jobs[0].contains(permission) && jobs[1].contains("      \(permission)\n"), "\(permission)")
        }
    }
}
