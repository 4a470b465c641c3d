#include <sqlite3.h>

// The macro is a cast that Swift cannot import: SQLite copies the bytes before the call returns.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

// Tells SQLite to keep no statistics of its memory; the call is variadic.
static inline int csqlite_keep_no_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Switches a setting of a connection on or off; the call is variadic.
static inline int csqlite_set(sqlite3 *db, int setting, int value) { return sqlite3_db_config(db, setting, value, (int *)0); }
