// The system's headers with GNU extensions, which are missing in Swift's Glibc module, and functions that Swift cannot call.
#ifndef CSYSTEM_H
#define CSYSTEM_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

// Opens a file. openat(2) is variadic.
static inline int csystem_openat(int folder, const char *path, int flags, mode_t mode) { return openat(folder, path, flags, mode); }

// The environment variables of this process. Swift does not import the variable.
static inline char **csystem_environment(void) { return environ; }

// Makes malloc return large blocks to the system when they are freed. By default glibc raises the threshold for separate mappings with
// each freed block (mallopt(3), M_MMAP_THRESHOLD), and growing tables leave holes. Other C libraries have no such threshold.
static inline void csystem_return_large_blocks(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

#endif
