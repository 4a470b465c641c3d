// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The program and the tests share one release build. In such a build, tests see internal declarations only with
/// -enable-testing.
let moduleSettings = swiftSettings + [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]
/// Tests are not optimised, so that they compile fast. In batch mode, all cores compile the same module.
let supportSettings =
    swiftSettings + [
        .unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
    ]
/// A separate job for the interface of a module expands all macros once more. No other module imports tests.
let testSettings =
    supportSettings + [.unsafeFlags(["-no-emit-module-separately"], .when(configuration: .release))]
/// A release contains Swift's runtime, so that it starts faster and runs without an installed Swift. The option
/// --static-swift-stdlib is not used, because it would also apply to the tests, which cannot be linked this way.
let staticRuntime: [LinkerSetting] = [
    .unsafeFlags(
        ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims"], .when(configuration: .release))
]

/// A C library from a Debian package, found by pkg-config. The Makefile installs missing packages.
func library(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func module(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: moduleSettings)
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, swiftSettings: testSettings)
}

// A target depends only on targets above it in this list, and declares all modules that it imports. DocumentTests
// checks this. docs/architecture.md describes the layers.
let package = Package(
    name: "amber",
    products: [.executable(name: "amber", targets: ["amber"])],
    targets: [
        library("CCurl", pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),
        library("CLibXML2", pkgConfig: "libxml-2.0", package: "libxml2-dev"),
        library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        library("CMicrohttpd", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),
        library("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),
        library("CCrypto", pkgConfig: "libcrypto", package: "libssl-dev"),
        .target(name: "CSystem"),

        module("Platform", "CSystem"),

        module("HTTP", "CCurl", "Platform"),
        module("HTTPServer", "CMicrohttpd", "Platform"),
        module("SQLite", "CSQLite"),
        module("Mustache", "Platform"),
        module("HTMLCheck", "CLibXML2", "Platform"),

        module("Archive", "SQLite", "CCrypto", "Platform"),
        module("Catalogue", "Archive", "Platform"),
        module("Pages", "Catalogue", "Archive", "Mustache", "Platform"),
        module("Evidence", "Catalogue", "Archive", "Platform"),
        module(
            "CatalogueEngine", "Pages", "Catalogue", "Archive", "Mustache", "HTMLCheck", "Platform"),

        module("Capture", "Evidence", "Catalogue", "Archive", "HTTP", "Platform"),
        module("Discovery", "CatalogueEngine", "Catalogue", "HTTP", "HTMLCheck", "Platform"),
        module("Site", "Evidence", "Pages", "Catalogue", "Archive", "Mustache", "HTMLCheck", "Platform"),
        module("Snapshot", "Site", "Evidence", "Catalogue", "Archive", "Platform", "CCrypto", "CZlib"),
        module("SampleAPI", "HTTPServer", "CZlib", "Platform"),

        module(
            "AmberCommand", "Snapshot", "Site", "Discovery", "Capture", "Evidence", "CatalogueEngine",
            "Catalogue", "Archive",
            "Mustache", "SampleAPI",
            "HTTPServer", "HTTP", "Platform", "CSystem"),
        .executableTarget(
            name: "amber", dependencies: ["AmberCommand"], swiftSettings: swiftSettings,
            linkerSettings: staticRuntime),

        .target(
            name: "TestSupport", dependencies: ["HTTP", "HTTPServer", "SampleAPI", "Platform"],
            path: "Tests/TestSupport", swiftSettings: supportSettings),
        // Separate from TestSupport, because libxml2 and Foundation include headers of different versions of ICU.
        .target(
            name: "FeedGrammar", dependencies: ["CLibXML2"], path: "Tests/FeedGrammar", swiftSettings: supportSettings),
        .target(
            name: "KnownCatalogues", dependencies: ["CatalogueEngine", "TestSupport", "Platform"],
            path: "Tests/KnownCatalogues", swiftSettings: supportSettings),
        tests("Platform", "CSystem", "TestSupport"),
        tests("SQLite", "CSQLite", "Platform", "TestSupport"),
        tests("Archive", "SQLite", "Platform", "TestSupport"),
        tests("HTTP", "HTTPServer", "Platform", "TestSupport"),
        tests("Mustache", "Platform"),
        tests("HTMLCheck"),
        tests("SampleAPI", "HTTPServer", "CZlib", "Platform", "TestSupport"),
        tests(
            "Catalogue", "Evidence", "Pages", "CatalogueEngine", "Archive", "Mustache", "HTMLCheck", "SQLite",
            "Platform", "KnownCatalogues", "TestSupport"),
        tests("Evidence", "Catalogue", "Archive", "Platform", "TestSupport"),
        tests("Discovery", "CatalogueEngine", "Catalogue", "HTTP", "Platform"),
        tests(
            "Capture", "Evidence", "Catalogue", "CatalogueEngine", "Archive", "HTTP", "SQLite", "SampleAPI",
            "Platform", "KnownCatalogues", "TestSupport"),
        tests(
            "Site", "Pages", "Catalogue", "Archive", "HTMLCheck", "Mustache", "SQLite", "Platform", "FeedGrammar",
            "TestSupport"),
        tests("Snapshot", "Archive", "Platform", "TestSupport"),
        tests(
            "AmberCommand", "Snapshot", "Site", "Capture", "Evidence", "Archive", "SampleAPI", "HTTPServer",
            "HTTP",
            "SQLite", "Platform",
            "FeedGrammar", "TestSupport"),
        // Runs each fuzz target once on its corpus. Fuzz/Package.swift builds the fuzzer from the same files.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "CSQLite", "Archive", "Capture", "Catalogue", "Evidence", "HTMLCheck", "HTTP", "Mustache",
                "Pages", "Platform", "CatalogueEngine", "SQLite", "Snapshot", "TestSupport",
            ],
            path: "Fuzz/Sources/fuzz", exclude: ["Main.swift"], swiftSettings: testSettings),
        .testTarget(
            name: "DocumentTests",
            dependencies: [
                "Site", "Pages", "CatalogueEngine", "Catalogue", "Mustache", "KnownCatalogues",
                "TestSupport",
            ],
            swiftSettings: testSettings),
    ],
    swiftLanguageModes: [.v6]
)
