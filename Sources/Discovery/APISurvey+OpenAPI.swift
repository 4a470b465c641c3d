import Catalogue
import CatalogueEngine
import HTTP
import Platform

/// OpenAPI documents (https://spec.openapis.org/oas/v3.1.0), also of version 2, which is called Swagger.
extension APISurvey {
    private static let usualPlaces = ["openapi.json", "swagger.json", "v3/api-docs", "api/schema/?format=json"]
    /// The maximum number of paths that are read.
    private static let maximumPaths = 10_000

    /// Adds the paths of the API's OpenAPI document that can be lists.
    /// - Parameter root: the answer at the API's address, which can be the document.
    func addDocumentedLists(to lists: inout [(name: String, url: String)], _ root: Answer?) async {
        guard let document = await document(root) else { return }
        setTitle(document.json)
        sources.insert(Self.withoutQuery(document.url))
        guard let server = server(of: document) else { return }
        if document.url == root?.url { api = server }
        let paths = Self.listPaths(document.json)
        // A path with records below it is certainly a list, so it comes first.
        let folders = Set(paths.filter { $0.contains("/{") }.map { $0.prefix { $0 != "{" } })
        for path in paths {
            guard let match = path.wholeMatch(of: /([^{]*)\/{([^{}]+)}\/?/) else { continue }
            for end in ["", "/"] { parameters["\(server)\(match.1)\(end)"] = String(match.2) }
        }
        func isFolder(_ path: String) -> Bool { folders.contains(path.hasSuffix("/") ? path[...] : "\(path)/") }
        let plain = paths.filter { !$0.contains("{") }
        for path in plain.filter(isFolder) + plain.filter({ !isFolder($0) }) {
            let url = server + path
            func isSame(_ other: String) -> Bool { [url, "\(url)/"].contains(other) || "\(other)/" == url }
            guard absolute(url) == url, DeclaredCatalogue.isPlain(String(url.dropFirst(api.count + 1))),
                !lists.contains(where: { isSame($0.url) }), !sources.contains(url)
            else { continue }
            let long = path.split(separator: "/").joined(separator: "-")
            let name = [Self.name(of: url), long].first { name in !lists.contains { $0.name == name } }
            lists.append((name ?? "\(long)-\(lists.count)", url))
            documented.insert(url)
            guard lists.count <= Self.maximumLists else { break }
        }
    }

    /// The document at the API's address, where the API says it is (RFC 8631), or at a usual place; nil for none.
    private func document(_ root: Answer?) async -> Answer? {
        func isDocument(_ json: JSON) -> Bool {
            (json["openapi"] ?? json["swagger"])?.scalar != nil && json["paths"]?.members != nil
        }
        if let root, isDocument(root.json) { return root }
        let links = root?.json["links"]?.elements?.first { $0["rel"]?.text == "service-desc" }?["href"]?.text
        let header = WebLinks.target(of: "service-desc", in: root?.headers.list("Link").joined(separator: ", ") ?? "")
        let folders = [api] + (WebLinks.origin(of: api) == api ? [] : [WebLinks.origin(of: api)])
        let usual = folders.flatMap { folder in Self.usualPlaces.map { "\(folder)/\($0)" } }
        let earlier = problems.count
        defer {
            doubts += problems[earlier...].map { "OpenAPI: \($0.url) \($0.value)" }
            problems.removeSubrange(earlier...)
        }
        for place in [header, links].compactMap({ $0.map(onHost) }) + usual {
            if let answer = await get(place, isOptional: true), isDocument(answer.json) { return answer }
        }
        return nil
    }

    /// The address before the document's paths. Nil if it is not on the requested host.
    private func server(of document: Answer) -> String? {
        let json = document.json
        // Version 2 has a host and a path.
        let scheme = api.prefix { $0 != ":" }
        let old = (json["host"]?.text.map { "\(scheme)://\($0)" } ?? "") + (json["basePath"]?.text ?? "/")
        let text = json["swagger"] == nil ? json["servers"]?.elements?.first?["url"]?.text ?? "/" : old
        let url = WebURL(onHost(text))
        guard let url, url.origin == WebURL(api)?.origin, !url.target.contains("?"), !url.target.contains("{") else {
            doubts.append("OpenAPI: \(document.url) describes another server, \(text); its paths were not read")
            return nil
        }
        return WebLinks.origin(of: api) + (url.target.hasSuffix("/") ? String(url.target.dropLast()) : url.target)
    }

    /// The paths of a document that can be requested with GET and without parameters, and those that have placeholders.
    private static func listPaths(_ json: JSON) -> [String] {
        /// Whether a parameter has to be in a query. References to references are not followed.
        func isRequired(_ parameter: JSON) -> Bool {
            parameter["in"]?.text == "query" && parameter["required"]?.scalar == "true"
                || parameter["$ref"]?.text.map(shared.contains) ?? false
        }
        var shared: Set<String> = []
        for folder in ["components.parameters", "parameters"] {
            for (name, value) in json.value(folder)?.members ?? [] where isRequired(value) {
                shared.insert("#/\(folder.replacing(".", with: "/"))/\(name)")
            }
        }
        return (json["paths"]?.members ?? []).prefix(maximumPaths).compactMap { path, item in
            guard path.hasPrefix("/"), let get = item["get"], get.members != nil else { return nil }
            let parameters = [item["parameters"], get["parameters"]].flatMap { $0?.elements ?? [] }
            return parameters.contains(where: isRequired) ? nil : path
        }
    }
}
