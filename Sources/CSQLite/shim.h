#include <sqlite3.h>

// The macro is a cast that Swift cannot import: SQLite copies the bytes before the call returns.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
