import CZlib
import SampleAPI
import Testing

struct PortraitTests {
    private let universe = Universe()

    private struct Picture {
        var width = 0
        var height = 0
        var inflated = 0
        var colours = 0
    }

    private func read(_ png: [UInt8]) throws -> Picture {
        func number(_ at: Int) -> Int { png[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
        #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        var picture = Picture()
        var place = 8
        var names: [String] = []
        while place < png.count {
            let length = number(place)
            let name = String(decoding: png[(place + 4)..<(place + 8)], as: UTF8.self)
            let checked = Array(png[(place + 4)..<(place + 8 + length)])
            #expect(Int(crc32(0, checked, uInt(checked.count))) == number(place + 8 + length), "checksum of \(name)")
            names.append(name)
            if name == "IHDR" { (picture.width, picture.height) = (number(place + 8), number(place + 12)) }
            if name == "PLTE" { picture.colours = length / 3 }
            if name == "IDAT" {
                var room = [UInt8](repeating: 0, count: 400_000)
                var size = uLong(room.count)
                #expect(uncompress(&room, &size, Array(checked.dropFirst(4)), uLong(length)) == Z_OK)
                picture.inflated = Int(size)
                let stride = picture.width + 1
                #expect((0..<picture.height).allSatisfy { room[$0 * stride] == 0 }, "filters other than 0")
                #expect(room[..<Int(size)].max().map { Int($0) < picture.colours } == true)
            }
            place += length + 12
        }
        #expect(names == ["IHDR", "PLTE", "IDAT", "IEND"])
        return picture
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 8, 12, 13, 15, 20, 31, 35, 826])
    func `A portrait is a valid PNG of 300 by 300`(id: Int) throws {
        let png = universe.portrait(ofCharacter: id)
        let picture = try read(png)
        #expect([picture.width, picture.height] == [300, 300])
        #expect(picture.inflated == 301 * 300)
        #expect((1500...14_000).contains(png.count))
    }

    @Test func `Some portraits have other sizes`() throws {
        #expect(try read(universe.portrait(ofCharacter: 99)).width == 264)
        let odd = try read(universe.portrait(ofCharacter: 410))
        #expect([odd.width, odd.height, odd.inflated] == [299, 295, 300 * 295])
    }

    @Test func `Portraits are unique except for the shared ones`() {
        let portraits = (1...120).map { universe.portrait(ofCharacter: $0) }
        #expect(Set(portraits).count == 119)
        #expect(portraits[30] == portraits[76])
        #expect(universe.portrait(ofCharacter: 640) == universe.portrait(ofCharacter: 641))
        #expect(universe.portraitOwner(ofCharacter: 415) == 31)
    }

    @Test func `A small number of portraits repeats in order`() {
        let few = Universe(characters: 826, portraits: 100)
        let portraits = (1...300).map { few.portrait(ofCharacter: $0) }
        #expect(portraits[..<100] == universe.all(1...100))
        #expect(portraits[100..<200] == portraits[..<100])
        #expect(portraits[200...] == portraits[..<100])
        #expect(few.portraitOwner(ofCharacter: 177) == 31)
        #expect(few.json(.init(.character, 177)) == universe.json(.init(.character, 177)))
    }

    @Test func `A portrait depends only on the seed`() {
        #expect(universe.portrait(ofCharacter: 9) == Universe(seed: 1, characters: 30).portrait(ofCharacter: 9))
        #expect(universe.portrait(ofCharacter: 9) != Universe(seed: 2).portrait(ofCharacter: 9))
    }
}

extension Universe {
    fileprivate func all(_ ids: ClosedRange<Int>) -> ArraySlice<[UInt8]> { ids.map { portrait(ofCharacter: $0) }[...] }
}
