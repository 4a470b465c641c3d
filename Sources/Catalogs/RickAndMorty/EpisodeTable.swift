import Catalogue

/// All episodes in columns; each is put together when it is asked for.
struct EpisodeTable: RandomAccessCollection, Sendable {
    private var ids: [Int64] = []
    private var names = TextColumn()
    private var airDates = TextColumn()
    private var machineDates = TextColumn()
    private var codes = TextColumn()
    private var casts = CastColumn()

    var startIndex: Int { 0 }
    var endIndex: Int { ids.count }

    mutating func append(_ entry: EpisodeEntry) {
        ids.append(entry.id)
        names.append(entry.name)
        airDates.append(entry.airDate)
        machineDates.append(entry.machineDate)
        codes.append(entry.code)
        casts.append(entry.cast)
    }

    subscript(row: Int) -> EpisodeEntry {
        EpisodeEntry(
            id: ids[row], name: names[row], airDate: airDates[row], machineDate: machineDates[row], code: codes[row],
            cast: casts[row])
    }

    /// The number of the one in a row.
    func id(_ row: Int) -> Int64 { ids[row] }

    /// The cast of the one in a row.
    func cast(_ row: Int) -> Cast { casts[row] }

    /// Gives back the room that is left.
    mutating func finish() {
        names.finish()
        airDates.finish()
        machineDates.finish()
        codes.finish()
        casts.finish()
    }
}
