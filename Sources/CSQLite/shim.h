#include <sqlite3.h>
#include <stddef.h>

// Tells SQLite to copy the bytes before the call returns. The macro is a cast, which Swift cannot import.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

// Disables SQLite's memory statistics. The function is variadic.
static inline int csqlite_keep_no_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Switches a setting of a connection on or off. The function is variadic.
static inline int csqlite_set(sqlite3 *db, int setting, int value) { return sqlite3_db_config(db, setting, value, (int *)0); }

// <string.h> declares this only with _GNU_SOURCE, which may be defined too late here.
extern void *memmem(const void *bytes, size_t count, const void *wanted, size_t wanted_count);

// place_of(bytes, others, offset, length): the position in `bytes` of a part of `others`, counted from 1, or 0 if it does not occur, like
// instr(). The time of instr() grows with the product of both lengths, in one step of a statement. SQLite loads both values completely, so
// the sizes of both count towards the limit.
static inline void csqlite_place_of(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    sqlite3_int64 *left = sqlite3_user_data(context);
    const char *bytes = sqlite3_value_blob(values[0]);
    const char *others = sqlite3_value_blob(values[1]);
    sqlite3_int64 size = sqlite3_value_bytes(values[0]), others_size = sqlite3_value_bytes(values[1]);
    sqlite3_int64 offset = sqlite3_value_int64(values[2]), length = sqlite3_value_int64(values[3]);
    *left -= size + others_size;
    if (*left < 0) {
        sqlite3_result_error(context, "its records are at too many different positions to search for them", -1);
        return;
    }
    const char *found = 0;
    if (bytes && others && offset >= 0 && length > 0 && offset <= others_size && length <= others_size - offset)
        found = memmem(bytes, (size_t)size, others + offset, (size_t)length);
    sqlite3_result_int64(context, found ? found - bytes + 1 : 0);
}

// Adds place_of() to a connection. The limit is the total number of bytes that it may search.
static inline int csqlite_add_place_of(sqlite3 *db, sqlite3_int64 limit) {
    sqlite3_int64 *left = sqlite3_malloc(sizeof *left);
    if (!left) return SQLITE_NOMEM;
    *left = limit;
    return sqlite3_create_function_v2(
        db, "place_of", 4, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, left, csqlite_place_of, 0, 0, sqlite3_free);
}
