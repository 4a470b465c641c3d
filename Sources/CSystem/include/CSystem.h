// What Swift's Glibc module lacks or cannot import: GNU extensions, variadic calls, global variables.
#ifndef CSYSTEM_H
#define CSYSTEM_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <getopt.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

// Exchanges two paths in one step (renameat2(2), RENAME_EXCHANGE).
static inline int csystem_exchange(const char *first, const char *second) {
    return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}

// Opens a file: open(2) is variadic.
static inline int csystem_openat(int folder, const char *path, int flags, mode_t mode) { return openat(folder, path, flags, mode); }

// Modification time in nanoseconds since 1970.
static inline long long csystem_modified(const struct stat *status) {
    return (long long)status->st_mtim.tv_sec * 1000000000LL + status->st_mtim.tv_nsec;
}

// Time of the last change of status in nanoseconds since 1970.
static inline long long csystem_changed(const struct stat *status) {
    return (long long)status->st_ctim.tv_sec * 1000000000LL + status->st_ctim.tv_nsec;
}

// Large blocks get mappings of their own and go back when they are freed: glibc raises the threshold with each that is freed
// (mallopt(3), M_MMAP_THRESHOLD), and tables that grow leave holes then. Elsewhere there is no such threshold.
static inline void csystem_return_large_blocks(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

// Tells of changes in folders (inotify(7)), without waiting for them.
static inline int csystem_watch_open(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

// Watches a folder for files that come, go, or were written and closed; once for each folder, however often it is called.
static inline int csystem_watch_folder(int watch, const char *folder) {
    return inotify_add_watch(watch, folder, IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR);
}

// getopt_long's globals, which Swift 6 does not let through.
static inline char *csystem_optarg(void) { return optarg; }
static inline int csystem_optind(void) { return optind; }
static inline int csystem_optopt(void) { return optopt; }
static inline void csystem_reset_options(void) { optind = 0; opterr = 0; }

#endif
