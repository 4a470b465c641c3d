/// A genre, with the name that a storefront has for it.
struct MediaGenre: Sendable {
    let id: Int
    let english: String
    let russian: String

    private init(_ id: Int, _ english: String, _ russian: String) {
        self.id = id
        self.english = english
        self.russian = russian
    }

    static let music = [
        MediaGenre(14, "Pop", "Поп"), MediaGenre(21, "Rock", "Рок"), MediaGenre(20, "Alternative", "Альтернатива"),
        MediaGenre(10, "Singer/Songwriter", "Авторская песня"), MediaGenre(7, "Electronic", "Электронная музыка"),
        MediaGenre(11, "Jazz", "Джаз"), MediaGenre(15, "R&B/Soul", "R&B/соул"),
        MediaGenre(19, "Worldwide", "Музыка мира"),
    ]
    static let movies = [
        MediaGenre(4406, "Drama", "Драма"), MediaGenre(4404, "Comedy", "Комедия"),
        MediaGenre(4410, "Kids & Family", "Детям и всей семье"),
        MediaGenre(4413, "Sci-Fi & Fantasy", "Фантастика"), MediaGenre(4405, "Documentary", "Документальные"),
        MediaGenre(4412, "Romance", "Мелодрамы"), MediaGenre(4401, "Action & Adventure", "Боевики и приключения"),
    ]
    static let books = [
        MediaGenre(9031, "Fiction & Literature", "Художественная литература"),
        MediaGenre(9004, "Travel & Adventure", "Путешествия и приключения"),
        MediaGenre(9019, "Science & Nature", "Наука и природа"),
        MediaGenre(9008, "Biographies & Memoirs", "Биографии и мемуары"),
        MediaGenre(9028, "Cookbooks, Food & Wine", "Кулинария"),
        MediaGenre(9032, "Mysteries & Thrillers", "Детективы и триллеры"), MediaGenre(9012, "Humor", "Юмор"),
        MediaGenre(9010, "Kids", "Детям"),
    ]
    /// What all books belong to: always named, and says nothing.
    static let allBooks = MediaGenre(38, "Books", "Книги")

    func name(in store: MediaStore) -> String { store.isRussian ? russian : english }
}
