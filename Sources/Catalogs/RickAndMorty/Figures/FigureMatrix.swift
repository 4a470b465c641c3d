import Catalogue
import Mustache

/// The matrix of shared episodes: square cells of 20 units, rows and columns numbered from 1.
struct FigureMatrix {
    let people: [FigureData.Person]
    let shared: SharedEpisodes

    private static let cell = 20

    init(_ people: [FigureData.Person]) {
        self.people = people
        shared = SharedEpisodes(people.map(\.episodes))
    }
}

extension FigureMatrix {
    /// Nothing where there are fewer than two who are in episodes.
    func value(_ texts: some FigureTexts) -> Value {
        guard people.count > 1 else { return .null }
        let size = (people.count + 1) * Self.cell
        return Models.matrix.value([
            "caption": .text(texts.text("figureShared")), "note": .text(texts.text("figureSharedNote")),
            "alternative": .text(alternative(texts)), "size": .integer(size),
            "ground": .text(
                people.indices.map { row in people.indices.map { Self.square(row, $0) }.joined() }.joined()),
            "shades": .list(shared.shades.indices.map { shade($0) }), "own": shade(nil),
            "people": .list(people.indices.map { person($0, texts) }),
        ])
    }

    /// The cells of a shade, or those of the diagonal.
    private func shade(_ place: Int?) -> Value {
        let cells = people.indices.flatMap { row in
            people.indices.filter { column in
                row == column ? place == nil : place.map { shared.shade(shared.counts[row][column]) == $0 + 1 } ?? false
            }.map { (row, $0) }
        }
        return Models.matrixShade.value([
            "number": .integer((place ?? -1) + 1), "label": .text(place.map(label) ?? ""),
            "path": .text(cells.map(Self.square).joined()),
            "cells": .list(
                cells.map { row, column in
                    Models.matrixCell.value([
                        "x": .integer(Self.middle(column)), "y": .integer(Self.middle(row)),
                        "count": .integer(shared.counts[row][column]),
                    ])
                }),
        ])
    }

    private func label(_ place: Int) -> String {
        let low = place == 0 ? 1 : shared.shades[place - 1] + 1
        let high = shared.shades[place]
        return low == high ? "\(low)" : "\(low)–\(high)"
    }

    private func person(_ place: Int, _ texts: some FigureTexts) -> Value {
        let person = people[place]
        let partners = shared.partners(of: place).map { other in
            Models.matrixPartner.value([
                "number": .integer(other + 1), "name": .text(texts.shown(people[other].name)),
                "count": .integer(shared.counts[place][other]),
            ])
        }
        return Models.matrixPerson.value([
            "number": .integer(place + 1), "name": .text(texts.shown(person.name)), "served": .flag(true),
            "path": person.path.map(Value.text) ?? .null, "count": .integer(shared.counts[place][place]),
            "at": .integer(Self.middle(place)), "fifth": .flag(place == 0 || (place + 1).isMultiple(of: 5)),
            "partners": .list(partners),
        ])
    }

    /// A cell as a part of a path, a unit apart from its neighbours; the first row and column are for the numbers.
    private static func square(_ row: Int, _ column: Int) -> String {
        "M\((column + 1) * cell) \((row + 1) * cell)h19v19h-19z"
    }

    private static func middle(_ place: Int) -> Int { (place + 1) * cell + cell / 2 }

    private func alternative(_ texts: some FigureTexts) -> String {
        guard let closest = shared.closest else { return texts.text("figureSharedNone") }
        return texts.text(
            "figureSharedAlternative",
            [
                "name": texts.shown(people[closest.one].name), "other": texts.shown(people[closest.other].name),
                "episodes": texts.plural("figureEpisodeCount", closest.count), "pairs": String(shared.pairs),
                "none": String(shared.pairsWithout),
            ])
    }
}
