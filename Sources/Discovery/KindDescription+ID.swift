import Catalogue
import CatalogueEngine

/// The choice of the member with the ids of records.
extension KindDescription {
    static let idNames = ["id", "ID", "Id", "_id", "uuid", "guid", "slug", "key", "code", "url"]

    /// Whether a member with this name has the id of its record: "id" or "work_id" of works. The values of another one,
    /// such as an index, can be equal to the ids of the first records only.
    static func repeatsID(_ name: String, of list: ListDescription) -> Bool {
        ["id", "uid", "guid", "uuid", "\(list.kind.replacing("-", with: "_").singularised)_id"].contains(name)
    }

    /// The path of the member with the id of each record; nil if there is none.
    /// - Parameters:
    ///   - list: the name of the list: "exhibitions" can have "exhibitionID" or "exhibitionid".
    ///   - names: the names of the members of an object with the records. A member with the same values is the best id.
    ///   - parameter: the name of the parameter of a record's address, as an OpenAPI document has it.
    ///   - word: the last word of an address below that of the list; nil for other texts.
    /// - Returns: also a member such as "uid", if the id is another text, which may be a short name.
    static func id(
        of records: [JSON], named list: String, _ names: Set<String>, parameter: String?, _ word: (String) -> String?
    ) -> (path: String, other: String?)? {
        func isID(_ path: String) -> Bool {
            let values = records.compactMap { $0.value(path)?.scalar }.map(JSONFields.id)
            return values.count == records.count && Set(values).count == values.count
        }
        let members = members(of: records).filter { APISurvey.isPathName($0.name) }
        let singular = fieldName(list).singularised
        let own = ["\(singular)_id", "\(singular)id"]
        let other = members.first { ["uid", "uuid", "guid"].contains($0.name.lowercased()) && isID($0.path) }?.path
        let words =
            members.map { member in records.map { $0.value(member.path)?.text.flatMap(word) } }
            .first { !$0.contains(nil) } ?? []
        let addressed = members.first { member in
            isID(member.path) && records.map { $0.value(member.path)?.scalar } == words
        }?.path
        let named = members.first { member in
            isID(member.path) && records.allSatisfy { $0.value(member.path)?.scalar.map(names.contains) ?? false }
        }?.path
        /// Codes are better ids than other texts, and these are better than numbers and times, which can change.
        func rank(_ member: (name: String, path: String)) -> Int {
            if fieldName(member.name).contains(/(^|_)(id|key|code|no|nr|num|number|index)$/) { return 0 }
            let texts = records.compactMap { $0.value(member.path)?.text }
            let isText = texts.count == records.count && !texts.contains { $0.contains(/^\d{4}-\d\d|:\/\//) }
            return isText ? (texts.contains { $0.contains(" ") } ? 1 : 0) : 2
        }
        let documented = members.first { fieldName($0.name) == parameter.map(fieldName) && isID($0.path) }?.path
        let known = addressed ?? named ?? documented ?? idNames.first(where: isID)
        let id =
            known ?? members.first { own.contains(fieldName($0.name)) && isID($0.path) }?.path ?? other
            ?? members.filter { isID($0.path) && (records.count > 1 || rank($0) == 0) }.min { rank($0) < rank($1) }?
            .path
        return id.map { ($0, $0 != other && records[0].value($0)?.text.flatMap(Int.init) == nil ? other : nil) }
    }
}
