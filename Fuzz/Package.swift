// swift-tools-version: 6.2
import PackageDescription

// The fuzzer for all code that reads untrusted bytes. `make fuzz` builds and runs it with the flags in Scripts/fuzz. It
// compiles Amber's sources (Amber is a link to ../Sources), so that Amber's package needs no additional libraries.

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, pkgConfig: String) -> Target {
    .systemLibrary(name: name, path: "Amber/\(name)", pkgConfig: pkgConfig)
}

func module(_ name: String, in folder: String? = nil, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, path: "Amber/\(folder ?? name)", swiftSettings: swiftSettings)
}

let package = Package(
    name: "fuzz",
    targets: [
        library("CCurl", pkgConfig: "libcurl"),
        library("CSQLite", pkgConfig: "sqlite3"),
        library("CCrypto", pkgConfig: "libcrypto"),
        library("CLibXML2", pkgConfig: "libxml-2.0"),
        library("CZlib", pkgConfig: "zlib"),
        .target(name: "CSystem", path: "Amber/CSystem"),
        module("Platform", "CSystem"),
        module("HTTP", "CCurl", "Platform"),
        module("SQLite", "CSQLite"),
        module("Mustache", "Platform"),
        module("HTMLCheck", "CLibXML2", "Platform"),
        module("Archive", "SQLite", "CCrypto", "Platform"),
        module("Catalogue", "Archive", "Platform"),
        module("Pages", "Catalogue", "Archive", "Mustache", "Platform"),
        module("CatalogueEngine", "Pages", "Catalogue", "Archive", "Mustache", "HTMLCheck", "Platform"),
        module("Evidence", "Catalogue", "Archive", "Platform"),
        module("Capture", "Evidence", "Catalogue", "Archive", "HTTP", "Platform"),
        module("Site", "Evidence", "Pages", "Catalogue", "Archive", "Mustache", "HTMLCheck", "Platform", "CSystem"),
        module("Snapshot", "Site", "Evidence", "Catalogue", "Archive", "Platform", "CCrypto", "CZlib"),

        .systemLibrary(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer", "CSQLite", "Archive", "Capture", "Catalogue", "Pages", "CatalogueEngine", "Evidence",
                "HTMLCheck",
                "HTTP", "Mustache", "Platform", "SQLite", "Snapshot",
            ],
            exclude: ["CorpusTests.swift"], swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
