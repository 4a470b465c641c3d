import Mustache

extension CharacterModels {
    static let figureBar = Shape(
        "bar of a figure",
        [
            .init("name", .text, "what is counted"),
            .init("label", .text, "the same, shortened to fit above the bar"),
            .init("served", .flag, "whether the name is the API's, and so in English"),
            .init("path", .optional(.text), "its page, relative to the language's root"),
            .init("count", .number, "how many"),
            .init("share", .text, "the part of all in per cent; empty where it is no part"),
            .init("kind", .text, "a class for the colour: alive, dead, unknown or plain"),
            .init("width", .number, "the bar's width in per cent"),
            .init("labelAt", .number, "the label's base line in em"),
            .init("barAt", .number, "the bar's upper edge in em"),
        ])
    static let figure = Shape(
        "figure",
        [
            .init("id", .text, "a name for ids: status, gender, species, people or places"),
            .init("caption", .text, "what the figure shows"),
            .init("note", .text, "of how many, or by what"),
            .init("alternative", .text, "the main facts in words"),
            .init("nameHead", .text, "the head of the table's names"),
            .init("countHead", .text, "the head of its numbers"),
            .init("hasShares", .flag, "whether the bars are parts of a whole"),
            .init("height", .number, "the drawing's height in em"),
            .init("bars", .list(.object(figureBar)), "the bars, the longest first"),
        ])
    static let figureLine = Shape(
        "line of a figure",
        [
            .init("number", .number, "what the line stands for"),
            .init("at", .number, "its height in em from above"),
        ])
    static let figureEpisode = Shape(
        "column of a figure",
        [
            .init("code", .text, "the episode's number, as S01E01"),
            .init("name", .text, "its name"),
            .init("served", .flag, "whether the name is the API's: always"),
            .init("path", .optional(.text), "its page, relative to the language's root"),
            .init("count", .number, "how many characters are in it"),
            .init("left", .number, "the column's left edge in per cent"),
            .init("width", .number, "its width in per cent"),
            .init("middle", .number, "its middle in per cent"),
            .init("top", .number, "its upper edge in em"),
            .init("height", .number, "its height in em"),
            .init("countAt", .number, "the base line of the number above it in em"),
        ])
    static let figureSeason = Shape(
        "season of a figure",
        [
            .init("name", .text, "the season's name"),
            .init("short", .text, "its number alone; empty where it would cover its neighbour's"),
            .init("middle", .number, "the middle of its columns in per cent"),
            .init("episodes", .list(.object(figureEpisode)), "its episodes"),
        ])
    static let seasonFigure = Shape(
        "figure of seasons",
        [
            .init("caption", .text, "what the figure shows"),
            .init("note", .text, "how many episodes"),
            .init("alternative", .text, "the main facts in words"),
            .init("height", .number, "the drawing's height in em"),
            .init("labelAt", .number, "the base line of the seasons' names in em"),
            .init("roomy", .flag, "whether there is room for a number above each column on a desk"),
            .init("fewSeasons", .flag, "whether there is room for the seasons' names on a desk"),
            .init("lines", .list(.object(figureLine)), "the lines behind the columns"),
            .init("seasons", .list(.object(figureSeason)), "the seasons in order"),
        ])
    static let matrixCell = Shape(
        "cell of the matrix",
        [
            .init("x", .number, "its middle across, in units of the drawing"),
            .init("y", .number, "its middle down"),
            .init("count", .number, "in how many episodes both are"),
        ])
    static let matrixShade = Shape(
        "shade of the matrix",
        [
            .init("number", .number, "1 for the fewest to 5 for the most; 0 for the diagonal"),
            .init("label", .text, "the counts it stands for, as 3–4"),
            .init("path", .text, "its cells as data of an SVG path"),
            .init("cells", .list(.object(matrixCell)), "its cells"),
        ])
    static let matrixPartner = Shape(
        "partner in the matrix",
        [
            .init("number", .number, "the row's number"),
            .init("name", .text, "the character's name"),
            .init("count", .number, "how many episodes are shared"),
        ])
    static let matrixPerson = Shape(
        "row of the matrix",
        [
            .init("number", .number, "the row's and column's number"),
            .init("name", .text, "the character's name"),
            .init("served", .flag, "whether the name is the API's: always"),
            .init("path", .optional(.text), "its page, relative to the language's root"),
            .init("count", .number, "how many episodes it is in"),
            .init("at", .number, "the middle of its row and column in units of the drawing"),
            .init("fifth", .flag, "whether its number is shown where there is little room"),
            .init("partners", .list(.object(matrixPartner)), "the three with whom it shares most"),
        ])
    static let matrix = Shape(
        "matrix",
        [
            .init("caption", .text, "what the figure shows"),
            .init("note", .text, "how to read it"),
            .init("alternative", .text, "the main facts in words"),
            .init("size", .number, "the drawing's width and height in its units"),
            .init("ground", .text, "all cells as data of an SVG path"),
            .init("shades", .list(.object(matrixShade)), "the shades in use, the fewest first"),
            .init("own", .object(matrixShade), "the diagonal: how many episodes each is in"),
            .init("people", .list(.object(matrixPerson)), "the rows"),
        ])

    static let figuresOwn: [Shape.Field] = [
        .init("status", .optional(.object(figure)), "characters by status"),
        .init("gender", .optional(.object(figure)), "characters by gender"),
        .init("species", .optional(.object(figure)), "characters by species"),
        .init("episodes", .optional(.object(seasonFigure)), "characters in each episode, by season"),
        .init("people", .optional(.object(figure)), "who is in most episodes"),
        .init("places", .optional(.object(figure)), "the locations with most residents"),
        .init("shared", .optional(.object(matrix)), "how characters share episodes"),
        .init("empty", .flag, "whether there is nothing to show"),
    ]
}
