/* host.c - counts on the host as a program on a board does, and writes the profile in both ways:

       host BITS CALLS FILE LOG

   CALLS of the arcs 1 to 9, the first once, the second twice as often and so on; as many samples.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "regmon_board.h"

#include <stdio.h>
#include <stdlib.h>

enum { LOW = 0x10000, ROOM = 8, ARCS = 9 };

static void put(void *file, const void *data, size_t size)
{
    if (fwrite(data, 1, size, file) != size)
        abort();
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 1;
    unsigned bits = (unsigned)atoi(argv[1]), calls = (unsigned)atoi(argv[2]);
    size_t size = REGMON_BOARD_RAM(0x200, 16, bits, ROOM);
    struct regmon_board b = {LOW, LOW + 0x200, malloc(size), size, 16, bits, 1000};
    if (regmon_board_start(&b) != 0)
        return 2;
    for (unsigned arc = 1; arc <= ARCS; arc++)
        for (unsigned i = 0; i < arc * calls; i++) {
            regmon_board_call(LOW + 4, LOW + 0x20 * arc + 4);
            regmon_board_tick(LOW + 0x20 * arc + 4);
        }
    regmon_board_tick(LOW - 2);
    regmon_board_stop();
    FILE *file = fopen(argv[3], "wb"), *log = fopen(argv[4], "wb");
    if (file == NULL || log == NULL || regmon_board_write(put, file) != 0 ||
        regmon_board_print(put, log) != 0)
        return 3;
    return fclose(file) != 0 || fclose(log) != 0;
}
