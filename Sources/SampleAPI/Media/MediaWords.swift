/// The words of what is played, shown and read on the Lantern Archipelago. All of it is invented.
enum MediaWords {
    /// What titles are about, but for those about the words of their kind (`MediaTitles`).
    static let nouns = [
        "Moon", "Lantern", "Harbour", "Rain", "River", "Window", "Winter", "Island", "Tide", "Light", "Garden",
        "Letter", "Compass",
        "Thunder",
        "Kite", "Morning", "Umbrella", "Comet", "Home",
    ]
    static let bands = [
        "The Foghorn Tuners", "The Low Tide Choir", "Kettle & Compass", "The Borrowed Umbrellas", "Saltlight Orchestra",
        "The Lampmoth Parade", "Pilchard Brothers", "Half-Past Lighthouse", "The Unsent Letters", "Nine Bells Quartet",
        "Copperpot & the Almanacs", "The Outer Drift Ensemble",
    ]
    static let russianBands = [
        "Фонарщики с Тихой", "Причал № 7", "Смотрители тумана", "Бумажный маяк", "Оркестр «Прилив»",
    ]
    /// Names that trip careless programs.
    static let awkwardArtists = [
        "Zoë Émeraude", "Tilly <3 Lantern", "Wick & Daughter", "Mr. \"It's Only Tuesday\"", "Λυδία Φάρου",
        "100% Barnacle",
        "Søren Håkansson-Vik", "Tea + Toast?",
    ]
    static let russianGiven = [
        "Марта", "Павел", "Агния", "Лука", "Ульяна", "Тихон", "Вера", "Матвей", "Зоя", "Прохор", "Фёкла", "Ярослав",
    ]
    /// Surnames that are the same for women and men.
    static let russianSurnames = [
        "Фонаренко", "Прибойных", "Маячук", "Чайко", "Волнистых", "Заречных", "Туманюк", "Лодейко", "Причалко",
        "Штильных",
    ]

    static let albumPatterns = [
        "Songs for *", "Music for *", "The Book of *", "An Evening of *", "Lullabies for *", "Waltzes about *",
    ]
    static let albumTails = ["Sessions", "Tapes", "Waltzes", "Nocturnes", "Postcards", "Variations"]
    static let russianAlbums = [
        "Песни для чаек", "Музыка маяка", "Тихий час", "Письма с причала", "Острова и фонари", "Девятый колокол",
        "Чай на одиннадцать",
        "Карта тумана",
        "Вальсы о погоде", "Запасной компас", "Колыбельные для лодок", "Бумажный флот",
    ]

    static let studios = [
        "Bellhouse Pictures", "Candlemere Film Cooperative", "Outer Reef Studios", "Lampmoth & Sons",
        "Saltlight Features",
        "Night Postman Films", "Киностудия «Маяк»", "Paper Boat Entertainment",
    ]
    static let publishers = [
        "Low Tide Records", "Bellhouse Sound", "Foghorn & Sons", "The Candlemere Label", "«Прибой»",
    ]
    static let ratings = ["G", "PG", "PG-13", "R", "NR", "Unrated"]
    static let russianRatings = ["0+", "6+", "12+", "16+", "18+"]
}
