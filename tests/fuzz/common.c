/* common.c - functions for several fuzz targets.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

unsigned input_byte(struct input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

uint64_t input_number(struct input *input, unsigned size)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < size; i++)
        number = number << 8 | input_byte(input);
    return number;
}

static int make_file(void)
{
    static char path[] = "/tmp/fuzz-XXXXXX"; /* if there are no files in memory */
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 && (fd = mkstemp(path)) >= 0)
        unlink(path);
    return fd;
}

const char *fuzz_file(const void *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0)
        fd = make_file();
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size) {
        perror("fuzz_file");
        exit(2);
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

void fuzz_fail(const char *what)
{
    fprintf(stderr, "FUZZ_CHECK failed: %s\n", what);
    abort();
}
