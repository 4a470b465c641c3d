import Catalogue
import Mustache
import Pages

/// The shapes of the charts.
enum FigureShapes {
    static let path = SitePath(fixed: "figures.html")

    static let figureBar = Shape(
        "bar of a figure",
        .init("name", .text, "what is counted"),
        .init("served", .flag, "whether the name is the API's, and so in English"),
        .init("path", .optional(.text), "its page, relative to the language's root"),
        .init("count", .number, "how many"),
        .init("share", .text, "the share of the total in per cent; empty if it is not a share"),
        .init("kind", .text, "a class for the colour: alive, dead, unknown or plain"),
        .init("width", .number, "the bar's width in per cent"))
    static let figure = Shape(
        "figure",
        .init("id", .text, "the figure's name in ids and classes"),
        .init("caption", .text, "what the figure shows"),
        .init("note", .text, "the total, or the meaning of the numbers"),
        .init("bars", .list(.object(figureBar)), "the bars, the longest first"))
    static let figureLine = Shape(
        "line of a figure",
        .init("number", .number, "the value of the line"),
        .init("at", .number, "its height in em from above"))
    static let column = Shape(
        "column of a figure",
        .init("code", .text, "the record's code"),
        .init("name", .text, "its name"),
        .init("served", .flag, "whether the name is the API's: always"),
        .init("path", .optional(.text), "its page, relative to the language's root"),
        .init("count", .number, "the number of records that it refers to"),
        .init("left", .number, "the column's left edge in per cent"),
        .init("width", .number, "its width in per cent"),
        .init("middle", .number, "its middle in per cent"),
        .init("top", .number, "its upper edge in em"),
        .init("height", .number, "its height in em"),
        .init("countAt", .number, "the base line of the number above it in em"))
    static let columnGroup = Shape(
        "group of columns",
        .init("name", .text, "the group's name"),
        .init("short", .text, "its number alone; empty where it would cover its neighbour's"),
        .init("middle", .number, "the middle of its columns in per cent"),
        .init("columns", .list(.object(column)), "its columns"))
    static let columns = Shape(
        "figure of columns",
        .init("id", .text, "the figure's name in ids and classes"),
        .init("caption", .text, "what the figure shows"),
        .init("note", .text, "the number of records"),
        .init("alternative", .text, "the main facts in words"),
        .init("nameHead", .text, "the head of the table's names"),
        .init("countHead", .text, "the head of its numbers"),
        .init("height", .number, "the drawing's height in em"),
        .init("labelAt", .number, "the base line of the groups' names in em"),
        .init("roomy", .flag, "whether there is room for a number above each column on a wide screen"),
        .init("fewGroups", .flag, "whether there is room for the groups' names on a wide screen"),
        .init("lines", .list(.object(figureLine)), "the lines behind the columns"),
        .init("groups", .list(.object(columnGroup)), "the groups in order"))
    static let matrixCell = Shape(
        "cell of the matrix",
        .init("x", .number, "its middle from the left, in units of the drawing"),
        .init("y", .number, "its middle, from above"),
        .init("count", .number, "the number of shared records"))
    static let matrixShade = Shape(
        "shade of the matrix",
        .init("number", .number, "1 for the fewest to 5 for the most; 0 for the diagonal"),
        .init("label", .text, "the range of its counts, such as 3–4"),
        .init("path", .text, "its cells as data of an SVG path"),
        .init("cells", .list(.object(matrixCell)), "its cells"))
    static let matrixPartner = Shape(
        "partner in the matrix",
        .init("number", .number, "the row's number"),
        .init("name", .text, "the record's name"),
        .init("count", .number, "the number of shared records"))
    static let matrixRow = Shape(
        "row of the matrix",
        .init("number", .number, "the row's and column's number"),
        .init("name", .text, "the record's name"),
        .init("served", .flag, "whether the name is the API's: always"),
        .init("path", .optional(.text), "its page, relative to the language's root"),
        .init("count", .number, "the number of its references"),
        .init("note", .text, "the same in words if another row has the same name; else empty"),
        .init("at", .number, "the middle of its row and column in units of the drawing"),
        .init("fifth", .flag, "whether its number is shown where there is little room"),
        .init("partners", .list(.object(matrixPartner)), "the three records with which it shares the most"))
    static let matrix = Shape(
        "matrix",
        .init("id", .text, "the figure's name in ids and classes"),
        .init("caption", .text, "what the figure shows"),
        .init("note", .text, "how to read it"),
        .init("alternative", .text, "the main facts in words"),
        .init("size", .number, "the drawing's width and height in its units"),
        .init("ground", .text, "all cells as data of an SVG path"),
        .init("shades", .list(.object(matrixShade)), "the shades in use, the fewest first"),
        .init("own", .object(matrixShade), "the diagonal: the number of references of each record"),
        .init("rows", .list(.object(matrixRow)), "the rows"),
        .init("nameHead", .text, "the head of the table's names"),
        .init("countHead", .text, "the head of its numbers"),
        .init("partnersHead", .text, "the head of its partners"),
        .init("legend", .text, "what the shades mean"),
        .init("legendNone", .text, "the label of cells without a shade"),
        .init("legendOwn", .text, "the label of the diagonal"))

    /// A chart of one of the three types.
    static let chart = Shape(
        "chart",
        .init("bars", .optional(.object(figure)), "a chart with bars"),
        .init("columns", .optional(.object(columns)), "a chart with columns"),
        .init("matrix", .optional(.object(matrix)), "a matrix"))
    static let page = Shape(
        page: "figures",
        .init("charts", .list(.object(chart)), "the charts that have data"),
        .init("empty", .flag, "whether there is nothing to show"))
}
