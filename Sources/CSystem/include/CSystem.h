// What Swift's Glibc module lacks or cannot import: GNU extensions, variadic calls, global variables.
#ifndef CSYSTEM_H
#define CSYSTEM_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#endif
