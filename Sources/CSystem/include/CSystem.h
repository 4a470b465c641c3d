// Functions that are missing in Swift's Glibc module: GNU extensions and variadic functions.
#ifndef CSYSTEM_H
#define CSYSTEM_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Exchanges two paths atomically (renameat2(2), RENAME_EXCHANGE).
static inline int csystem_exchange(int folder, const char *first, int other, const char *second) {
    return renameat2(folder, first, other, second, RENAME_EXCHANGE);
}

// Opens a path below a folder. The kernel refuses a path that leaves the folder, with EXDEV (openat2(2)). Symbolic links are refused with
// ELOOP, or followed if they stay below the folder. Glibc has no wrapper. The system call number is the same on all architectures.
static inline int csystem_open_beneath(int folder, const char *path, int flags, int follows_links) {
    struct { uint64_t flags, mode, resolve; } how = { (uint64_t)flags, 0, 0 };
    // RESOLVE_BENEATH, RESOLVE_NO_MAGICLINKS and RESOLVE_NO_SYMLINKS of linux/openat2.h, which is missing on older systems.
    how.resolve = 0x08 | 0x02 | (follows_links ? 0 : 0x04);
    long opened;
    int tries = 100;
    // EAGAIN means that something was renamed during the call.
    do opened = syscall(437, folder, path, &how, sizeof how); while (opened < 0 && errno == EAGAIN && --tries > 0);
    return (int)opened;
}

// Opens a file. openat(2) is variadic.
static inline int csystem_openat(int folder, const char *path, int flags, mode_t mode) { return openat(folder, path, flags, mode); }

// Modification time in nanoseconds since 1970.
static inline long long csystem_modified(const struct stat *status) {
    return (long long)status->st_mtim.tv_sec * 1000000000LL + status->st_mtim.tv_nsec;
}

// Time of the last change of status in nanoseconds since 1970.
static inline long long csystem_changed(const struct stat *status) {
    return (long long)status->st_ctim.tv_sec * 1000000000LL + status->st_ctim.tv_nsec;
}

// Makes malloc return large blocks to the system when they are freed. By default glibc raises the threshold for separate mappings with
// each freed block (mallopt(3), M_MMAP_THRESHOLD), and growing tables leave holes. Other C libraries have no such threshold.
static inline void csystem_return_large_blocks(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

// Creates a non-blocking descriptor for changes in folders (inotify(7)).
static inline int csystem_watch_open(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

// Watches a folder for files that are added, removed, or written and closed. Repeated calls for a folder add no second watch.
static inline int csystem_watch_folder(int watch, const char *folder) {
    return inotify_add_watch(watch, folder, IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR);
}

// The first position of the wanted bytes from an offset on (memmem(3)); -1 if they do not occur.
static inline long csystem_find(const void *bytes, size_t start, size_t count, const void *wanted, size_t wanted_count) {
    const char *from = (const char *)bytes + start;
    const void *found = memmem(from, count - start, wanted, wanted_count);
    return found ? (const char *)found - (const char *)bytes : -1;
}

#endif
