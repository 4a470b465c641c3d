public import Archive
public import Mustache
import Platform

/// Where a record's own bytes came from, as its page says it. It changes only where they do.
public struct Provenance: Sendable {
    private let context: SiteContext
    /// An imported state has no answers, so the site has no files of them.
    private let hasAnswers: Bool

    /// What pages of a site say.
    public init(_ context: SiteContext) {
        self.context = context
        hasAnswers = context.history?.revisions.last?.imported == nil
    }
}

extension Provenance {
    private static let sample = TextNeed("provenanceSample", filling: ["name"])
    private static let imported = TextNeed("provenanceImported", filling: ["day"])

    /// The texts that it asks for.
    public static let texts = [sample, imported]

    /// The value for `HistoryShapes.provenance`.
    public func value(_ origin: RecordOrigin, _ texts: Texts) -> Value {
        switch origin.way {
        case .answer(let path, let received):
            let moment = timestamp(milliseconds: received)
            return HistoryShapes.provenance.value([
                "answered": .flag(true),
                "source": .text((context.isSample ? path : "\(context.api)/\(path)").showable.shortened),
                "note": .text(context.isSample ? texts.filled(Self.sample, ["name": context.api]) : ""),
                "datetime": .text(moment),
                "shown": .text("\(moment.prefix(10)) \(moment.dropFirst(11).prefix(8)) UTC"),
                "sha256": .text(origin.sha256.hex),
                "raw": hasAnswers ? .text(TwinPath.record(origin.key).text) : .null,
            ])
        case .imported(let date):
            let day = String(timestamp(milliseconds: date).prefix(10))
            return HistoryShapes.provenance.value([
                "answered": .flag(false), "source": .text(""), "note": .text(texts.filled(Self.imported, ["day": day])),
                "datetime": .text(day), "shown": .text(day), "sha256": .text(origin.sha256.hex), "raw": .null,
            ])
        }
    }
}
