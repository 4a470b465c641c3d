// The entry point of libFuzzer for programs with their own main (https://llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library").
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *data, size_t size));
