/* generated.c - names of code that the program has made while it ran.
   SPDX-License-Identifier: MIT

   Programs that translate code while they run say where it is in a file, /tmp/perf-PID.map.  Its
   lines have address and size, in hexadecimal, and a name.  Where they overlap, the later one
   counts: the memory was used again.  So lines are read from the last to the first, and an address
   that has a name is passed over from then on: `number' leads to the next one without. */
#include "generated.h"

#include <errno.h>
#include <sys/stat.h>

#include "entries.h"
#include "sys.h"
#include "table.h"
#include "text.h"

#define MOST_BYTES ((int64_t)256 << 20) /* of the file */
#define LONGEST_NAME 1000
#define SECOND 1000000000

/* ---- Addresses ---- */

static size_t bytes_of(const struct generated *generated)
{
    return generated->count * sizeof *generated->codes;
}

static void add(struct entries *found, const struct objects *objects, uintptr_t address)
{
    if (objects_find(objects, address) == objects->count)
        (void)entries_add(found, &(struct entry){0, 0, address, 0}, NULL);
}

/* Lists those in no object.  A slot is that of a caller, whose call is before its address, or of
   where samples were taken, or both. */
static void add_all(struct entries *found, const struct pool *pool, const struct objects *objects)
{
    struct table_walk walk = table_walk_begin(pool);
    struct table *t;

    while ((t = table_walk_next(&walk)))
        for (uint64_t i = 0; i < walk.slots && t->is_of_stacks; i++) {
            const uintptr_t self = __atomic_load_n(&t->slots[i].self, __ATOMIC_ACQUIRE);

            if (self <= UNKNOWN_CALLER || self & UNLOADED)
                continue;
            add(found, objects, self - 1);
            if (slot_calls(&t->slots[i]))
                add(found, objects, self);
        }
}

/* Each of them once. */
static void read_addresses(struct generated *generated, const struct pool *pool,
                           const struct objects *objects)
{
    struct entries found;

    clear_bytes(&found, sizeof found);
    add_all(&found, pool, objects);
    entries_sum(&found);
    generated->count = found.count;
    if (found.count)
        generated->codes = sys_map(bytes_of(generated));
    if (!generated->codes)
        generated->count = 0;
    for (size_t i = 0; i < generated->count; i++)
        generated->codes[i].address = found.list[i].self;
    entries_close(&found);
}

/* The place of the first address from here on. */
static size_t place_of(const struct generated *generated, uintptr_t address)
{
    size_t low = 0, high = generated->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (generated->codes[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- The file ---- */

/* Of this process, not of one that had its number before, also below the same regmon. */
static bool is_new(const struct pool_header *header, const struct stat *status)
{
    return (int64_t)status->st_mtim.tv_sec * SECOND + status->st_mtim.tv_nsec >= header->opened;
}

/* Reads the open file into memory, which may shrink or grow meanwhile. */
static void read_text(struct generated *generated, long fd, size_t bytes)
{
    long got;

    generated->text = sys_map(bytes);
    if (!generated->text)
        return;
    generated->bytes = bytes;
    bytes = 0;
    while (bytes < generated->bytes &&
           ((got = sys_read(fd, generated->text + bytes, generated->bytes - bytes)) > 0 ||
            got == -EINTR))
        bytes += got > 0 ? (size_t)got : 0;
    clear_bytes(generated->text + bytes, generated->bytes - bytes);
}

/* The directory is everybody's: others may have put anything there. */
static void open_text(struct generated *generated, const struct pool_header *header)
{
    char path[64];
    struct text name = text_in(path, sizeof path);
    struct stat status;
    long fd;

    text_add(&name, "/tmp/perf-");
    text_add_number(&name, (uint64_t)header->pid);
    text_add(&name, ".map");
    fd = sys_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd < 0)
        return;
    clear_bytes(&status, sizeof status);
    if (SYS4(__NR_newfstatat, fd, "", &status, AT_EMPTY_PATH) == 0 && S_ISREG(status.st_mode) &&
        status.st_nlink == 1 && (long)status.st_uid == SYS0(__NR_geteuid) &&
        is_new(header, &status) && status.st_size > 0) {
        if (status.st_size <= MOST_BYTES)
            read_text(generated, fd, (size_t)status.st_size);
        else
            message("generated code has no names: more than 256 MB in", path, 0);
    }
    sys_close(fd);
}

/* 16 if the character is no hexadecimal digit. */
static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 16;
}

/* Reads a number up to a blank; moves *AT behind that.  False if there is none. */
static bool read_number(const char **at, const char *end, uintptr_t *number)
{
    const char *start;

    if (end - *at > 2 && (*at)[0] == '0' && (*at)[1] == 'x')
        *at += 2;
    start = *at;
    for (*number = 0; *at < end && **at != ' '; ++*at) {
        const unsigned digit = digit_value(**at);

        if (digit == 16 || *number >> (8 * sizeof *number - 4))
            return false;
        *number = *number << 4 | digit;
    }
    return *at > start && *at < end && ++*at < end;
}

/* The first address from PLACE on that has no name; there may be none. */
static size_t next_without_name(struct generated *generated, size_t place)
{
    struct generated_code *codes = generated->codes;

    while (place < generated->count && codes[place].name) {
        const size_t next = codes[place].number;

        if (next < generated->count && codes[next].name)
            codes[place].number = codes[next].number; /* halves the way */
        place = next;
    }
    return place;
}

/* Gives the name of a line to the addresses in its range. */
static void read_line(struct generated *generated, const char *at, const char *end)
{
    uintptr_t start, size;
    size_t place;

    if (!read_number(&at, end, &start) || !read_number(&at, end, &size))
        return;
    place = place_of(generated, start);
    while ((place = next_without_name(generated, place)) < generated->count &&
           generated->codes[place].address - start < size) {
        generated->codes[place].name = (size_t)(at - generated->text);
        generated->codes[place].number = place + 1;
    }
}

static void read_lines(struct generated *generated)
{
    const char *end = generated->text + generated->bytes;

    while (end > generated->text) {
        const char *start = end;

        while (start > generated->text && start[-1] != '\n')
            start--;
        read_line(generated, start, end);
        end = start - (start > generated->text);
    }
}

/* Neighbours of one name are a function. */
static void number_functions(struct generated *generated)
{
    struct generated_code *codes = generated->codes;

    for (size_t i = 0; i < generated->count; i++)
        codes[i].number = !codes[i].name                                ? 0
                          : i > 0 && codes[i - 1].name == codes[i].name ? codes[i - 1].number
                                                                        : i + 1;
}

/* ---- All of it ---- */

void generated_read(struct generated *generated, const struct pool *pool,
                    const struct objects *objects)
{
    clear_bytes(generated, sizeof *generated);
    read_addresses(generated, pool, objects);
    if (!generated->codes)
        return;
    open_text(generated, pool->header);
    if (generated->text)
        read_lines(generated);
    number_functions(generated);
}

void generated_close(struct generated *generated)
{
    if (generated->codes)
        sys_unmap(generated->codes, bytes_of(generated));
    if (generated->text)
        sys_unmap(generated->text, generated->bytes);
}

size_t generated_find(const struct generated *generated, uintptr_t address)
{
    const size_t place = place_of(generated, address);

    return place < generated->count && generated->codes[place].address == address
               ? generated->codes[place].number
               : 0;
}

size_t generated_name_length(const struct generated *generated, size_t place)
{
    const size_t start = generated->codes[place].name;
    size_t end = start;

    while (start && end < generated->bytes && end - start < LONGEST_NAME && generated->text[end] &&
           generated->text[end] != '\n')
        end++;
    return end - start;
}
