/// Words for names in the Lantern Archipelago, the invented universe.
enum NameWords {
    static let given = """
        Ottoline|Tamsin|Corwen|Ilsabet|Fenwick|Marisol|Jorun|Pell|Odalys|Bram|Sunniva|Caspian|Wren|Thessaly|Alder|Imre
        Liesel|Quill|Rosamund|Silas|Yarrow|Nerys|Hollis|Evander|Juniper|Mabry|Osric|Petra|Linnet|Darrow|Sorrel|Anselm
        Briony|Cosmo|Delphine|Elowen|Florian|Greta|Hester|Ignace|Jessamy|Kestrel|Lorcan|Merrin|Nico|Oriel|Peregrine|Rue
        Saffron|Tobias|Ursula|Vesper|Winifred|Xanthe|Ysolde|Zephyr|Amadou|Keiko|Ravi|Salome|Tariq|Noor|Ebele|Mateo
        """.items
    static let surnames = """
        Marrow|Brindle|Halyard|Lanternwright|Tidewell|Ashgrove|Quillfeather|Saltmarsh|Underhay|Wickham-Starr|Fathom
        Larkspur|Moonie|Ferryman|Gullscote|Ottershaw|Pennyroyal|Thistlewood|Vane|Drift|Emberly|Foxglove|Harrowgate
        Inkpen|Juniper-Lowe|Kettlewick|Lowtide|Mistral|Nightingale|Orrery|Pilchard|Quayle|Rookwood|Sextant|Tallow|Umber
        Verdigris|Wetherby|Yonder|Zenith|O'Tarn|D'Arrow|O'Merrow|Plumb|Candlish|Barnacle|Farthing|Greywater|Hush|Ivory
        Copperpot|Dovetail|Almanac
        """.items
    static let titles = """
        Captain|Doctor|Professor|Old|Young|Admiral|Sister|Brother|Warden|Madam|Mister|Little|Grandmother|Cousin
        First Mate|Astronomer|Postmaster|Pilot|Auntie|Judge
        """.items
    static let trades = """
        Lamplighter|Ferrykeeper|Bell-ringer|Mapmaker|Clockmender|Lighthouse Keeper|Net-mender|Stargazer|Baker
        Tidewatcher|Librarian|Kite-maker|Harbourmaster|Glassblower|Moth-keeper|Telescope Polisher|Cloud-shepherd
        Tuner of Foghorns|Night Postman|Gardener of Reefs
        """.items
    static let relations = "Aunt|Nephew|Apprentice|Twin|Shadow|Godmother|Rival|Landlady|Understudy|Grandfather".items
    static let nicknames = """
        Knots|Biscuit|Low Tide|the Kettle|Two Moons|Button|Foghorn|Half-Past|Marmalade|Compass|Soup|Ballast
        """.items
    static let machines = "Porridge|Tick|Pendulum|Rivet|Sprocket|Abacus|Teapot|Gimbal|Ratchet|Windlass|Bobbin".items
    static let jellies = "Bloop|Murmur|Ooloo|Lumen|Wobble|Hum|Plash|Gloam|Sway|Ripple|Shimmer|Nimbus".items
    static let epithets = """
        the Lucent|the Patient|the Unhurried|of the Outer Reef|the Seventh|of Small Hours|the Almost Blue|the Damp
        of the Long Pier|the Wakeful|the Kind|who Hums
        """.items
    /// Names that reveal encoding errors: accents, Greek, Cyrillic, ampersands, quotes, a less-than sign.
    static let awkward = #"""
        Zoë Émeraude|Søren Håkansson-Vik|Λυδία Φάρου|Марта Звездочётова|Tilly <3 Lantern|Wick & Daughter|Ánxela Maré
        Ωρίων ο Μικρός|Павел "Прилив" Окский|Fergal "Fog" O'Dusk|Salt & Pepper (Twins)|Łucja Żółw|Jürgen Weiß
        Ferry No. 9 & 1/2|Bjørg <the Quiet> Ness|Ñusta Colibrí|Αστέρω|Ёлка|Mr. "It's Only Tuesday"|Chloë & Noël
        100% Barnacle|D'Artagnan O'Dell-D'Ys|Ağça Yıldız|Back\slash Pete|#7 Buoy|Tea + Toast?
        """#.items
    static let places = """
        Quay|Isle|Observatory|Lighthouse|Reef|Orchard|Harbour|Market|Landing|Archive|Stair|Garden|Dome|Lagoon|Terrace
        Pier|Foundry|Library|Cloister|Tearoom|Shoal|Bellhouse|Sandbar|Greenhouse
        """.items
    static let placeTypes = """
        Harbour|Island|Observatory|Lighthouse|Reef|Garden|Harbour|Town|Harbour|Library|Town|Garden|Observatory|Reef
        Town|Harbour|Workshop|Library|Town|Tearoom|Reef|Lighthouse|Island|Garden
        """.items
    static let placeWords = """
        Saltlight|Moonwash|Candlemere|Fogbound|Lanternfall|Gullsong|Emberwick|Tidemark|Starling|Pearlgrey|Windfall
        Marrowstone|Inkwater|Hushaby|Comet|Halfmoon|Driftwood|Amber|Bluebell|Copper|Farewell|Longshadow|Nine Bells
        Ottershell|Penumbra|Quicksilver|Rainward|Slowwater|Thimble|Umberlee|Verity|Wanderers'|Yesterday's|Zodiac|Böreas
        Saint-Élan|Φάρος|Keeper's|Milk & Honey|Lull
        """.items
    static let placeOf = """
        the Seventh Hour|Slow Clocks|Lost Kites|the Low Moon|Small Hours|Paper Boats|the Patient Sea|Second Thoughts
        Borrowed Umbrellas|Folded Maps|the Quiet Engine|Unsent Letters|the Last Ferry|Warm Bread|Distant Thunder
        """.items
    static let dimensions = """
        Evening Current|Morning Current|Ninth Tide|Mirror Sea|Outer Drift|Inner Drift|Upside Bay|Leeward Sky
        Windward Sky|Quiet Dimension
        """.items
    static let episodeNouns = """
        Lantern|Ferry|Map|Kite|Telescope|Moth|Bell|Umbrella|Compass|Letter|Lighthouse|Star|Clock|Tide|Teapot|Whale
        Comet|Choir|Key|Ladder|Jar of Fog|Regatta|Almanac|Piano
        """.items
    static let episodeDeeds = """
        Stayed In|Would Not Land|Knew Everyone|Came Back Twice|Forgot the Sea|Kept a Secret|Waited|Learned to Swim
        Rang at Noon|Lost Its Shadow|Grew a Garden|Said "No"
        """.items
    static let episodeTitles = """
        Low Tide at the Observatory|A Map of Small Hours|Tea for Eleven & a Half|The Moon Is Somebody's Window
        I <3 the Night Ferry|"Come In", Said the Fog|How to Fold an Island|Nobody's Birthday|The Long Quiet|Σιωπή
        What the Gulls Knew|Postcards from the Keeper's Aunt|Eleven Ways to Lose a Kite|Été sans fin
        The Second-Best Lighthouse|Soup, Again
        """.items
}

extension String {
    /// The parts between vertical bars and line breaks.
    var items: [String] { split { $0 == "|" || $0 == "\n" }.map(String.init) }
}

enum MediaWords {
    /// Nouns for titles of all kinds. `MediaTitles.words` has the nouns of single kinds.
    static let nouns = """
        Moon|Lantern|Harbour|Rain|River|Window|Winter|Island|Tide|Light|Garden|Letter|Compass|Thunder|Kite|Morning
        Umbrella|Comet|Home
        """.items
    static let bands = """
        The Foghorn Tuners|The Low Tide Choir|Kettle & Compass|The Borrowed Umbrellas|Saltlight Orchestra
        The Lampmoth Parade|Pilchard Brothers|Half-Past Lighthouse|The Unsent Letters|Nine Bells Quartet
        Copperpot & the Almanacs|The Outer Drift Ensemble
        """.items
    static let russianBands = "Фонарщики с Тихой|Причал № 7|Смотрители тумана|Бумажный маяк|Оркестр «Прилив»".items
    /// Names that reveal encoding errors.
    static let awkwardArtists = """
        Zoë Émeraude|Tilly <3 Lantern|Wick & Daughter|Mr. "It's Only Tuesday"|Λυδία Φάρου|100% Barnacle
        Søren Håkansson-Vik|Tea + Toast?
        """.items
    static let russianGiven = "Марта|Павел|Агния|Лука|Ульяна|Тихон|Вера|Матвей|Зоя|Прохор|Фёкла|Ярослав".items
    /// Surnames that are the same for women and men.
    static let russianSurnames = """
        Фонаренко|Прибойных|Маячук|Чайко|Волнистых|Заречных|Туманюк|Лодейко|Причалко|Штильных
        """.items
    static let albumPatterns = """
        Songs for *|Music for *|The Book of *|An Evening of *|Lullabies for *|Waltzes about *
        """.items
    static let albumTails = "Sessions|Tapes|Waltzes|Nocturnes|Postcards|Variations".items
    static let russianAlbums = """
        Песни для чаек|Музыка маяка|Тихий час|Письма с причала|Острова и фонари|Девятый колокол|Чай на одиннадцать
        Карта тумана|Вальсы о погоде|Запасной компас|Колыбельные для лодок|Бумажный флот
        """.items
    static let studios = """
        Bellhouse Pictures|Candlemere Film Cooperative|Outer Reef Studios|Lampmoth & Sons|Saltlight Features
        Night Postman Films|Киностудия «Маяк»|Paper Boat Entertainment
        """.items
    static let publishers = "Low Tide Records|Bellhouse Sound|Foghorn & Sons|The Candlemere Label|«Прибой»".items
    static let ratings = "G|PG|PG-13|R|NR|Unrated".items
    static let russianRatings = "0+|6+|12+|16+|18+".items
    /// Sentences for descriptions of films and books.
    static let sentences = """
        When the ferry stops running on a Tuesday, nobody on the pier is surprised but the ferry.
        A lamplighter finds a letter addressed to the fog, and decides to deliver it.
        Eleven people come to tea; there are cups for ten and a half.
        The island has moved again, and this time it has taken the post office with it.
        She has one kite, two maps and no intention of going home before the bells.
        What begins as a quarrel over an umbrella ends at the edge of the known weather.
        He mends clocks for people who would rather not know what time it is.
        Every night someone moves the lighthouse a step to the left.
        “Nobody drowns in a sea as patient as this one,” says the harbourmaster, and rows out.
        The gulls know; the gulls have always known; the gulls are not telling.
        A warm and unhurried story about small hours, wet coats & second thoughts.
        It was a good winter for soup and a bad one for secrets.
        """.items
    static let russianSentences = """
        Паром не ходит по вторникам, и удивляется этому один паром.
        Фонарщик находит письмо, адресованное туману, и решает его доставить.
        К чаю ждут одиннадцать гостей, а чашек — десять с половиной.
        Остров снова сдвинулся и на этот раз увёз с собой почту.
        У неё один змей, две карты и никакого желания вернуться до колоколов.
        Каждую ночь кто-то переставляет маяк на шаг левее.
        «В таком терпеливом море не тонут», — говорит смотритель и садится на вёсла.
        Тёплая и неторопливая история о мокрых пальто и вторых мыслях.
        """.items
    /// A noun that ends in "е" is neuter. All others are feminine.
    static let russianNouns = "Луна|Гавань|Река|Весна|Лодка|Погода|Карта|Зима".items
    static let russianStems = "Бумажн|Запасн|Старинн|Колокольн|Фонарн|Туманн|Забыт|Медн|Перелётн|Солён".items
    static let russianTails = """
        на причале|за маяком|без расписания|под зонтом|после чая|для одиннадцати|у старого пирса|и фонарь|по вторникам
        в конверте|с мармеладом|на карте тумана
        """.items
}

/// Creates titles of one kind.
struct MediaTitles {
    /// Words that many titles contain, so that a search for such a word has many results.
    let words: [String]
    let russianWords: [String]
    /// Each of the words is in one of `interval` titles.
    let interval: Int
    /// An asterisk marks the position of the word.
    let patterns: [String]
    let tails: [String]

    static let song = MediaTitles(
        words: ["Love", "Dream"], russianWords: ["Любовь", "Мечта"], interval: 10,
        patterns: """
            Second-Hand *|Foghorn *|Tuesday's *|* and the Kettle|* Without an Umbrella|* Kept in a Jar
            * on the Seventh Pier|A Pocketful of Wet *|*, with Marmalade|The Gulls Took My *|Nine Bells for *
            What the * Forgot|Half-Past *|* in a Borrowed Coat|Ferry-Slip *|Dear *, Yours, the Postman|Saltlight *
            * for Eleven & a Half|No * Without a Harbourmaster|* at the Bottom of the Teapot|I <3 Your *
            Who Put "*" on the Map?
            """.items, tails: " (Low Tide Mix)| (Live at the Bellhouse)| [feat. the Gulls]|, Reprise".items)
    static let movie = MediaTitles(
        words: ["Star", "Night"], russianWords: ["Звезда", "Ночь"], interval: 5,
        patterns: """
            The * over Candlemere|* Above the Outer Reef|The Ninth * of Fenwick Quayle|A * for the Postmaster
            * of the Lamplighters|The * That Stayed In|The Mapmaker's *|* at the Bellhouse|Eleven Ways to Fold a *
            The Last Ferry to *|One * Too Many|* at Half-Past|The Clockmender's *|* Without a Harbour
            The * & the Net-mender|"*", Said the Fog|Été sans *|Seven Gulls and a *
            """.items, tails: ": The Other Half| II| (Director's Teatime)|: Low Water".items)
    static let book = MediaTitles(
        words: ["Sea", "Life"], russianWords: ["Море", "Жизнь"], interval: 5,
        patterns: """
            The * Almanac|A Gull's Guide to *|* for Beginners & Barnacles|My * as a Lighthouse|The Quiet * of Foghorns
            Notes from a Borrowed *|The * Behind the Bellhouse|*: A History in Nine Bells|How to Fold a *
            The Postmaster's *|Letters to an Unhurried *|A * in the Tearoom|* and Other Weather|The Lamplighter's *
            Who Owns the *?|The "*" Question|A Teaspoon of *|The Second-Best *
            """.items, tails: ": A Novel|, Volume Two| (Illustrated)|: & Other Excuses".items)

    /// Creates a title, which may not be unique.
    func title(_ index: Int, isRussian: Bool, _ random: inout SeededRandom) -> String {
        let choice = index % interval
        guard isRussian else {
            let pattern = random.one(of: patterns)
            let title = pattern.filled(choice < 2 ? words[choice] : random.one(of: MediaWords.nouns))
            return random.chance(0.2) ? title + random.one(of: tails) : title
        }
        let noun = choice < 4 ? russianWords[choice % 2] : random.one(of: MediaWords.russianNouns)
        let adjective = random.one(of: MediaWords.russianStems) + (noun.hasSuffix("е") ? "ое" : "ая")
        let tail = random.one(of: MediaWords.russianTails)
        return ["\(adjective) \(noun.lowercased())", "\(noun) \(tail)", "\(adjective) \(noun.lowercased()) \(tail)"][
            random.integer(below: 3)]
    }
}

extension String {
    /// The pattern with its asterisk replaced.
    func filled(_ word: String) -> String { replacing("*", with: word, maxReplacements: 1) }
}
