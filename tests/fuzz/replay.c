/* replay.c - calls a fuzz target with the contents of the files named on the command line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    size_t capacity = 0, got;
    *size = 0;
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    do {
        capacity += 65536;
        bytes = realloc(bytes, capacity);
        if (bytes == NULL)
            exit(2);
        got = fread(bytes + *size, 1, capacity - *size, file);
        *size += got;
    } while (got > 0);
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t size;
        unsigned char *bytes = read_file(argv[i], &size);
        unsigned char *exact = malloc(size > 0 ? size : 1); /* for sanitizers */
        if (exact == NULL)
            return 2;
        for (size_t b = 0; b < size; b++)
            exact[b] = bytes[b];
        free(bytes);
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
        fprintf(stderr, "replayed %s\n", argv[i]);
    }
    return 0;
}
