/* common.c - output by serial line and semihosting, the same on all boards.  */
/* SPDX-License-Identifier: MIT */

#include "board.h"

enum { SYS_OPEN = 0x01, SYS_WRITE = 0x05, SYS_EXIT = 0x18 };
enum { MODE_WRITE_BINARY = 5, APPLICATION_EXIT = 0x20026 };

void board_put_on_line(void *unused, const void *data, size_t size)
{
    (void)unused;
    for (const char *at = data; size-- != 0; at++)
        board_put_char(*at);
}

void board_say(const char *text, unsigned number)
{
    char digits[10];
    unsigned count = 0;
    while (*text != 0)
        board_put_char(*text++);
    board_put_char(' ');
    do {
        digits[count++] = (char)('0' + number % 10);
    } while ((number /= 10) != 0);
    while (count != 0)
        board_put_char(digits[--count]);
    board_put_char('\n');
}

void *board_open(const char *name)
{
    size_t length = 0;
    while (name[length] != 0)
        length++;
    return (void *)board_host(SYS_OPEN,
                              (const uintptr_t[]){(uintptr_t)name, MODE_WRITE_BINARY, length});
}

void board_put_in_file(void *file, const void *data, size_t size)
{
    board_host(SYS_WRITE, (const uintptr_t[]){(uintptr_t)file, (uintptr_t)data, size});
}

void board_exit(void)
{
    for (;;)
        board_host(SYS_EXIT, sizeof(void *) == 4 ? (const void *)APPLICATION_EXIT
                                                 : (const uintptr_t[]){APPLICATION_EXIT, 0});
}
