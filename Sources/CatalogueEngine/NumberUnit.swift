/// The unit in the name of a number: " mm" in "height_mm" and in "heightMm".
package struct NumberUnit {
    /// The name without the unit, in words.
    package let name: String
    /// The unit, with a space before it if it needs one. Empty for milliseconds, because a duration has its own unit.
    package let text: String

    /// - Returns: nil if the name has no known unit.
    package init?(_ name: String) {
        let words = name.inWords.split(separator: " ")
        guard words.count > 1, let last = words.last?.lowercased() else { return nil }
        let (letter, quantities) = Self.letters[last] ?? ("", [])
        let isLetter = quantities.contains(words[words.count - 2].lowercased())
        guard let text = Self.units[last] ?? (isLetter ? letter : nil) else { return nil }
        (self.name, self.text) = (words.dropLast().joined(separator: " "), text)
    }

    private static let units = [
        "mm": " mm", "cm": " cm", "km": " km", "m2": " m²", "km2": " km²", "ha": " ha", "m3": " m³", "kg": " kg",
        "ml": " ml", "percent": "%", "pct": "%", "usd": " USD", "eur": " EUR", "kmh": " km/h", "kw": " kW",
        "kwh": " kWh", "hpa": " hPa", "celsius": " °C", "ms": "", "millis": "",
    ]
    private static let lengths: Set = [
        "elevation", "altitude", "height", "width", "length", "depth", "distance", "radius", "diameter", "accuracy",
    ]
    /// Letters, and the words before which they are a unit: "size_m" can be the medium size.
    private static let letters: [String: (text: String, quantities: Set<String>)] = [
        "m": (" m", lengths), "g": (" g", ["mass", "weight"]), "c": (" °C", ["temperature", "temp"]),
    ]
}
