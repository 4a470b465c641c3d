/// The words of the Lantern Archipelago: islands that drift among the stars, and the people who keep their lights.
enum Words {
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
    /// Names that trip careless programs: accents, Greek, Cyrillic, ampersands, quotes, a less-than sign.
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
    /// The type of each of `places`.
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
    static let months = "January|February|March|April|May|June|July|August|September|October|November|December".items
}

extension String {
    /// The parts between vertical bars and line breaks.
    var items: [String] { split { $0 == "|" || $0 == "\n" }.map(String.init) }
}
