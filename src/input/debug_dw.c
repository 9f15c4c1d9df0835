/* debug_dw.c - line tables and functions of an ELF file, read by libdw.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/debug_dw.h"

#include "base/memory.h"
#include "base/sort.h"

void vma_list_add(struct vma_list *list, vma addr)
{
    list->addrs = mem_grow(list->addrs, &list->capacity, list->count + 1, sizeof *list->addrs);
    list->addrs[list->count++] = addr;
}

void vma_list_tidy(struct vma_list *list, vma start, vma end, unsigned step)
{
    size_t kept = 0;
    sort_numbers(list->addrs, list->count);
    for (size_t i = 0; i < list->count; i++) {
        vma addr = start + (list->addrs[i] - start + step - 1) / step * step;
        if (addr >= start && addr < end && (kept == 0 || list->addrs[kept - 1] != addr))
            list->addrs[kept++] = addr;
    }
    list->count = kept;
}

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/interval_map.h"
#include "base/message.h"
#include "base/messages.h"
#include "input/debug_dw_functions.h"

/* A row of a line table, as it is told to others.  */
struct row {
    vma addr;
    const char *file; /* NULL when libbfd has to be asked */
    unsigned line;    /* 0 where no line is */
};

enum { MARK_DISTANCE = 8 };

/* A unit of compilation; its lines and functions are read when they are first asked for.  */
struct unit {
    Dwarf_Die entry;
    bool is_known;                 /* its producer's ways are: see is_known_producer */
    bool has_lines, has_functions; /* read */
    Dwarf_Lines *lines;            /* ascending by address; NULL if there are none */
    size_t line_count;
    vma *marks;          /* the address of every MARK_DISTANCE-th line */
    struct row *rows;    /* for all lines, if all have been asked for; else NULL */
    size_t last_row;     /* where the next look-up begins */
    const char **joined; /* paths of files by number, of those that were joined; NULL if none was */
    const char *last_path; /* of the file that was asked for last, as file_of tells it; */
    size_t last_file;      /* its number, at first 0: what has no file is for libbfd to tell */
    struct dwarf_functions functions;
};

/* [low, high) belongs to a unit.  */
struct unit_range {
    vma low, high;
    uint32_t unit;
};

struct dwarf_lines {
    int fd;
    Dwarf *dwarf;
    struct unit *units;
    size_t unit_count, unit_capacity;
    struct unit_range *ranges;
    size_t range_count, range_capacity;
    struct interval_map spans; /* of the ranges */
    bool has_sequences;        /* the ranges include what the rows cover */
    bool has_unsure;           /* for some rows libbfd has to be asked; known when all rows are */
    struct dwarf_limits limits;
    struct arena arena; /* for marks and paths */
};

/* ---- Units ---- */

static vma line_addr(const struct unit *unit, size_t i)
{
    Dwarf_Addr addr = 0;
    dwarf_lineaddr(dwarf_onesrcline(unit->lines, i), &addr);
    return addr;
}

/* Notes the marks, which are all that most steps of a search look at: libdw's lines are large, and
   by the time of the search they have left the processor's cache.  */
static void mark_lines(struct dwarf_lines *lines, struct unit *unit)
{
    size_t count = unit->line_count / MARK_DISTANCE + 1;
    unit->marks = arena_alloc(&lines->arena, count * sizeof *unit->marks);
    for (size_t i = 0; i < unit->line_count; i += MARK_DISTANCE)
        unit->marks[i / MARK_DISTANCE] = line_addr(unit, i);
}

static void read_lines(struct dwarf_lines *lines, struct unit *unit)
{
    if (unit->has_lines)
        return;
    unit->has_lines = true;
    bool is_read = dwarf_getsrclines(&unit->entry, &unit->lines, &unit->line_count) == 0;
    if (is_read && dwarf_spend(&lines->limits, unit->line_count)) {
        mark_lines(lines, unit);
        return;
    }
    unit->lines = NULL;
    unit->line_count = 0;
    if (is_read || dwarf_hasattr(&unit->entry, DW_AT_stmt_list)) {
        lines->limits.is_damaged = true;
        unit->is_known = false; /* let libbfd try */
    }
}

static void add_range(struct dwarf_lines *lines, vma low, vma high, size_t unit)
{
    if (low >= high)
        return;
    lines->ranges = mem_grow(lines->ranges, &lines->range_capacity, lines->range_count + 1,
                             sizeof *lines->ranges);
    lines->ranges[lines->range_count++] = (struct unit_range){low, high, (uint32_t)unit};
}

/* libbfd's answers are the ones that count, and where a producer uses what libbfd reads in a way of
   its own (clang's indirect addresses, the units that link-time optimisation makes up), it has to
   be asked.  GCC's and the assembler's output both libraries read alike.  */
static bool is_known_producer(Dwarf_Die *entry)
{
    Dwarf_Attribute attribute;
    const char *producer = dwarf_formstring(dwarf_attr(entry, DW_AT_producer, &attribute));
    return producer != NULL && strncmp(producer, "GNU ", 4) == 0 &&
           strncmp(producer, "GNU GIMPLE", 10) != 0;
}

static void add_unit(struct dwarf_lines *lines, const Dwarf_Die *entry)
{
    Dwarf_Addr base, low, high;
    size_t number = lines->unit_count++;
    lines->units =
        mem_grow(lines->units, &lines->unit_capacity, lines->unit_count, sizeof *lines->units);
    struct unit *unit = &lines->units[number];
    *unit = (struct unit){.entry = *entry};
    unit->is_known = is_known_producer(&unit->entry);
    size_t before = lines->range_count;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(&unit->entry, next, &base, &low, &high)) > 0 &&
                             dwarf_spend(&lines->limits, 1);)
        add_range(lines, low, high, number);
    if (lines->range_count > before)
        return;
    read_lines(lines, unit); /* the unit does not say where it is */
    if (unit->line_count > 0)
        add_range(lines, line_addr(unit, 0), line_addr(unit, unit->line_count - 1), number);
}

static int compare_ranges(const void *a, const void *b)
{
    const struct unit_range *left = a, *right = b;
    if (left->low != right->low)
        return left->low < right->low ? -1 : 1;
    return left->unit < right->unit ? -1 : left->unit > right->unit;
}

static void sort_ranges(struct dwarf_lines *lines)
{
    size_t n = lines->range_count;
    struct interval *ranges = mem_array(n, sizeof *ranges);
    if (n > 0)
        qsort(lines->ranges, n, sizeof *lines->ranges, compare_ranges);
    for (size_t i = 0; i < n; i++)
        ranges[i] = (struct interval){lines->ranges[i].low, lines->ranges[i].high};
    interval_map_build(&lines->spans, ranges, n);
    free(ranges);
}

static struct unit *unit_in_ranges(struct dwarf_lines *lines, vma addr)
{
    uint32_t range = interval_map_find(&lines->spans, addr);
    return range != NO_INTERVAL ? &lines->units[lines->ranges[range].unit] : NULL;
}

/* Adds what the rows of all units cover, which can be more than the units say of themselves.  */
static void add_sequences(struct dwarf_lines *lines)
{
    for (size_t u = 0; u < lines->unit_count; u++) {
        struct unit *unit = &lines->units[u];
        size_t first = 0;
        read_lines(lines, unit);
        for (size_t i = 0; i < unit->line_count; i++) {
            bool is_end = false;
            if (dwarf_lineendsequence(dwarf_onesrcline(unit->lines, i), &is_end) != 0 || !is_end)
                continue;
            add_range(lines, line_addr(unit, first), line_addr(unit, i), u);
            first = i + 1;
        }
    }
    sort_ranges(lines);
    lines->has_sequences = true;
}

static struct unit *unit_at(struct dwarf_lines *lines, vma addr)
{
    struct unit *unit = unit_in_ranges(lines, addr);
    if (unit == NULL && !lines->has_sequences) {
        add_sequences(lines);
        unit = unit_in_ranges(lines, addr);
    }
    return unit;
}

/* ---- Lines ---- */

/* The directory of compilation, NULL if nothing says what it was.  */
static const char *directory_of(struct unit *unit)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr(&unit->entry, DW_AT_comp_dir, &attribute));
}

/* The whole path of file NUMBER, which FILE is from the directory of compilation on; NULL when
   libbfd has to be asked.  */
static const char *join_path(struct dwarf_lines *lines, struct unit *unit, const char *file,
                             size_t number)
{
    Dwarf_Files *files;
    size_t count;
    if (dwarf_getsrcfiles(&unit->entry, &files, &count) != 0 || number >= count)
        return NULL;
    if (unit->joined == NULL)
        unit->joined = mem_array(count, sizeof *unit->joined);
    if (unit->joined[number] != NULL)
        return unit->joined[number];
    const char *directory = directory_of(unit);
    if (directory == NULL || directory[0] != '/')
        return NULL;
    size_t length = strlen(directory), size = length + 1 + strlen(file) + 1;
    char *path = arena_alloc(&lines->arena, size);
    memcpy(path, directory, length);
    path[length] = '/';
    memcpy(path + length + 1, file, size - length - 1);
    return unit->joined[number] = path;
}

/* The file of a row.  In the tables of DWARF 5 files count from 0, the main one standing at 0 and
   at 1. Releases of libbfd differ in how they count there; in the main file they cannot differ.
   NULL when libbfd has to be asked.  */
static const char *file_of(struct dwarf_lines *lines, struct unit *unit, Dwarf_Line *row)
{
    Dwarf_Files *files;
    size_t number;
    if (dwarf_line_file(row, &files, &number) != 0)
        return NULL;
    if (number == unit->last_file)
        return unit->last_path;
    unit->last_file = number;
    unit->last_path = NULL;
    const char *zeroth = dwarf_filesrc(files, 0, NULL, NULL);
    const char *file = dwarf_filesrc(files, number, NULL, NULL);
    if (zeroth == NULL || file == NULL)
        return NULL;
    bool has_zeroth = strcmp(zeroth, "???") != 0; /* before DWARF 5 there was no file 0 */
    if (has_zeroth && (number != 1 || strcmp(zeroth, file) != 0))
        return NULL;
    if (file[0] != '/')
        return unit->last_path = join_path(lines, unit, file, number);
    const char *directory = directory_of(unit);
    if (directory != NULL && directory[0] == '\0') /* the slash may come from joining */
        return NULL;
    return unit->last_path = file;
}

static struct row describe_row(struct dwarf_lines *lines, struct unit *unit, size_t i)
{
    Dwarf_Line *line = dwarf_onesrcline(unit->lines, i);
    struct row row = {.addr = line_addr(unit, i)};
    bool is_end = true;
    int number = 0;
    if (dwarf_lineendsequence(line, &is_end) == 0 && !is_end && dwarf_lineno(line, &number) == 0 &&
        number > 0) {
        row.line = (unsigned)number;
        row.file = file_of(lines, unit, line);
    }
    return row;
}

static vma row_addr(const struct unit *unit, size_t i)
{
    if (i % MARK_DISTANCE == 0)
        return unit->marks[i / MARK_DISTANCE];
    return unit->rows != NULL ? unit->rows[i].addr : line_addr(unit, i);
}

static bool is_row_at(const struct unit *unit, size_t i, vma addr)
{
    return i < unit->line_count && row_addr(unit, i) <= addr &&
           (i + 1 == unit->line_count || row_addr(unit, i + 1) > addr);
}

/* The number of the row that ADDR belongs to, of several at one address the last; line_count if
   there is none.  */
static size_t row_at(struct unit *unit, vma addr)
{
    size_t low = 0, high = unit->line_count;
    if (is_row_at(unit, unit->last_row, addr) || is_row_at(unit, ++unit->last_row, addr))
        return unit->last_row; /* who asks for one address asks for the next */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (high - low > (size_t)2 * MARK_DISTANCE)
            middle -= middle % MARK_DISTANCE;
        if (row_addr(unit, middle) <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    unit->last_row = low > 0 ? low - 1 : 0;
    return low > 0 ? low - 1 : unit->line_count;
}

enum dwarf_status dwarf_lines_find(struct dwarf_lines *lines, vma addr, const char **file,
                                   unsigned *line)
{
    struct unit *unit = unit_at(lines, addr);
    if (unit == NULL)
        return DWARF_NONE;
    if (!unit->is_known)
        return DWARF_UNSURE;
    read_lines(lines, unit);
    size_t i = row_at(unit, addr);
    if (i == unit->line_count)
        return DWARF_NONE;
    struct row row = unit->rows != NULL ? unit->rows[i] : describe_row(lines, unit, i);
    *file = row.file;
    *line = row.line;
    return row.line == 0 ? DWARF_NONE : row.file != NULL ? DWARF_FOUND : DWARF_UNSURE;
}

/* ---- Functions ---- */

static void read_functions(struct dwarf_lines *lines, struct unit *unit)
{
    if (unit->has_functions)
        return;
    unit->has_functions = true;
    dwarf_functions_read(&unit->functions, &unit->entry, &lines->limits);
}

struct dwarf_function *dwarf_lines_function(struct dwarf_lines *lines, vma addr)
{
    struct unit *unit = unit_at(lines, addr);
    if (unit == NULL)
        return NULL;
    read_functions(lines, unit);
    return dwarf_functions_at(&unit->functions, addr);
}

/* ---- All addresses ---- */

void dwarf_lines_addresses(struct dwarf_lines *lines, struct vma_list *list)
{
    for (size_t i = 0; i < lines->range_count; i++) {
        vma_list_add(list, lines->ranges[i].low);
        vma_list_add(list, lines->ranges[i].high);
    }
    for (size_t u = 0; u < lines->unit_count; u++) {
        struct unit *unit = &lines->units[u];
        read_lines(lines, unit);
        read_functions(lines, unit);
        free(unit->rows);
        unit->rows = mem_uninitialised(unit->line_count, sizeof *unit->rows);
        for (size_t i = 0; i < unit->line_count; i++) {
            unit->rows[i] = describe_row(lines, unit, i);
            vma_list_add(list, unit->rows[i].addr);
            lines->has_unsure |= unit->rows[i].line != 0 && unit->rows[i].file == NULL;
        }
        lines->has_unsure |= !unit->is_known;
        for (size_t i = 0; i < unit->functions.count; i++) {
            vma_list_add(list, unit->functions.functions[i].low);
            vma_list_add(list, unit->functions.functions[i].high);
        }
    }
}

bool dwarf_lines_are_sure(const struct dwarf_lines *lines)
{
    return !lines->has_unsure;
}

/* ---- Opening ---- */

static _Noreturn void die_of_memory(void)
{
    die(MSG_NO_MEMORY_IN, "libdw", _(READING_DEBUG));
}

/* Each unit, row and range takes a byte at least, and more where it is not compressed.  */
static uint64_t budget_of(int fd)
{
    const uint64_t least = 4096;
    struct stat status;
    return fstat(fd, &status) == 0 && status.st_size > 0 ? least + (uint64_t)status.st_size : least;
}

/* Whether the file that has part of the debug information is none to be opened without thought: a
   pipe, a device.  */
static bool has_odd_companion(Dwarf *dwarf, const char *path)
{
    const char *name = NULL;
    const void *build_id;
    struct stat status;
    if (dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &build_id) <= 0 || name == NULL)
        return false;
    char *real = realpath(path, NULL);
    size_t directory = real != NULL ? (size_t)(path_base(real) - real) : 0;
    char *whole = mem_array(directory + strlen(name) + 1, 1);
    if (name[0] != '/' && real != NULL)
        memcpy(whole, real, directory);
    strcat(whole, name);
    bool is_odd = stat(whole, &status) == 0 && !S_ISREG(status.st_mode);
    free(real);
    free(whole);
    return is_odd;
}

static void open_dwarf(struct dwarf_lines *lines, const char *path)
{
    lines->dwarf = lines->fd >= 0 ? dwarf_begin(lines->fd, DWARF_C_READ) : NULL;
    lines->limits.budget = budget_of(lines->fd);
    if (lines->dwarf == NULL)
        return;
    (void)dwarf_new_oom_handler(lines->dwarf, die_of_memory);
    if (has_odd_companion(lines->dwarf, path)) {
        dwarf_end(lines->dwarf);
        lines->dwarf = NULL;
    }
}

struct dwarf_lines *dwarf_lines_open(const char *path)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die entry;
    uint8_t kind = 0;
    bool has_types = false;
    struct dwarf_lines *lines = mem_array(1, sizeof *lines);
    lines->fd = open(path, O_RDONLY | O_CLOEXEC);
    open_dwarf(lines, path);
    while (lines->dwarf != NULL &&
           dwarf_get_units(lines->dwarf, unit, &unit, NULL, &kind, &entry, NULL) == 0) {
        has_types |= kind == DW_UT_type; /* libbfd mixes its line table up with the program's */
        add_unit(lines, &entry);
    }
    sort_ranges(lines);
    if (lines->range_count > 0 && !has_types)
        return lines;
    dwarf_lines_close(lines);
    return NULL;
}

bool dwarf_lines_are_damaged(const struct dwarf_lines *lines)
{
    return lines->limits.is_damaged;
}

void dwarf_lines_close(struct dwarf_lines *lines)
{
    if (lines == NULL)
        return;
    for (size_t u = 0; u < lines->unit_count; u++) {
        dwarf_functions_free(&lines->units[u].functions);
        free(lines->units[u].rows);
        free(lines->units[u].joined);
    }
    arena_free(&lines->arena);
    dwarf_end(lines->dwarf);
    if (lines->fd >= 0)
        close(lines->fd);
    free(lines->units);
    free(lines->ranges);
    interval_map_free(&lines->spans);
    free(lines);
}

#endif
