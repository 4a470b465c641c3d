import Catalogue
import CatalogueEngine

/// The choice of the member with the ids of records.
extension KindDescription {
    static let idNames = ["id", "ID", "Id", "_id", "uuid", "guid", "slug", "key", "code", "url"]

    /// Whether a member with this name has the id of its record: "id" or "work_id" of works. The values of another one,
    /// such as an index, can be equal to the ids of the first records only.
    static func repeatsID(_ name: String, of list: ListDescription) -> Bool {
        ["id", "uid", "guid", "uuid", "\(list.singular)_id"].contains(name)
    }

    /// The path of the member with the id of each record; nil if there is none.
    /// - Parameters:
    ///   - list: the name of the list: "exhibitions" can have "exhibitionID" or "exhibitionid".
    ///   - names: the names of the members of an object with the records. A member with the same values is the best id.
    ///   - parameter: the name of the parameter of a record's address, as an OpenAPI document has it.
    ///   - word: the last word of an address below that of the list; nil for other texts.
    /// - Returns: also a member such as "uid", if the id is another text, which may be a short name.
    static func id(
        of records: [JSON], named list: String, _ names: Set<String> = [], parameter: String? = nil,
        _ word: (String) -> String? = { _ in nil }
    ) -> (path: String, other: String?)? {
        let members = members(of: records).filter { member in
            let values = records.compactMap { $0.value(member.path)?.scalar }.map(JSONFields.id)
            return values.count == records.count && Set(values).count == values.count
        }
        func path(_ isID: (Member) -> Bool) -> String? { members.first(where: isID)?.path }
        let singular = fieldName(list).singularised
        let own = ["\(singular)_id", "\(singular)id"]
        let other = path { ["uid", "uuid", "guid"].contains($0.name.lowercased()) }
        let words = members.map { member in records.map { $0.value(member.path)?.text.flatMap(word) } }
            .first { !$0.contains(nil) }
        let addressed = path { member in records.map { $0.value(member.path)?.scalar } == words }
        let named = path { member in records.allSatisfy { $0.value(member.path)?.scalar.map(names.contains) ?? false } }
        /// Codes are better ids than other texts, and these are better than numbers and times, which can change.
        func rank(_ member: Member) -> Int {
            if fieldName(member.name).contains(/(^|_)(id|key|code|no|nr|num|number|index)$/) { return 0 }
            let texts = records.compactMap { $0.value(member.path)?.text }
            let isText = texts.count == records.count && !texts.contains { $0.contains(/^\d{4}-\d\d|:\/\//) }
            return isText ? (texts.contains { $0.contains(" ") } ? 1 : 0) : 2
        }
        let documented = path { fieldName($0.name) == parameter.map(fieldName) }
        let known = addressed ?? named ?? documented ?? idNames.first { name in members.contains { $0.path == name } }
        let id =
            known ?? path { own.contains(fieldName($0.name)) } ?? other
            ?? members.filter { records.count > 1 || rank($0) == 0 }.min { rank($0) < rank($1) }?.path
        return id.map { ($0, $0 != other && records[0].value($0)?.text.flatMap(Int.init) == nil ? other : nil) }
    }
}
