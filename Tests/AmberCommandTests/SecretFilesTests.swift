import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SecretFilesTests {
    @Test func `No file, package or message of the program has a secret that the server echoes`() async throws {
        let token = "open/sesame+1"
        let forms = [token, "open%2Fsesame%2B1", "open\\/sesame+1", Data(token.utf8).base64EncodedString()]
        let echoes = forms.enumerated().map { "\"echo\($0)\":\"\($1)\"" }.joined(separator: ",")
        let server = try FileServer(books: ["{\"id\":1,\"name\":\"One\",\(echoes)}"], files: [:])
        let scratch = try ScratchFolder()
        let request = #"{"request": {"headers": {"Authorization": "Token {env:AMBER_TEST_TOKEN}"}},"#
        try scratch.write(request + server.declaration(fields: "").dropFirst(), to: "mine/catalogue.json")
        try scratch.write(#"{"catalogue":"./mine","secrets":["AMBER_TEST_TOKEN"]}"#, to: "amber.json")
        var messages = ""
        for verb in [["build"], ["build"], ["snapshot"], ["verify"], ["log"], ["capture", "--json"]] {
            let options = ["--verbose", "--config", scratch["amber.json"], "--output", scratch["out"]]
            let result = try await Program.start(verb + options, environment: ["AMBER_TEST_TOKEN": token]).wait()
            result.succeeded()
            messages += result.output + result.errors
        }
        try await Tool.bash(
            """
            cd '\(scratch["out"])/snapshots' && for file in *.wacz; do python3 -m zipfile -e "$file" "$file.files"; done
            find . -name '*.gz' -exec gunzip --keep --force {} +
            """
        ).succeeded()
        var files = try contents(of: scratch.path)
        #expect(files.keys.contains { $0.hasSuffix(".warc") } && files.keys.contains { $0.hasSuffix(".tar") })
        #expect(try #require(files["out/site/book/1.html"]).range(of: Data("{env:AMBER_TEST_TOKEN}".utf8)) != nil)
        files["messages"] = Data(messages.utf8)
        for (path, bytes) in files {
            for form in forms {
                let isFound = bytes.range(of: Data(form.utf8)) != nil
                #expect(!isFound, "\(path) has \(form)")
            }
        }
    }
}
