/* dwarf.c - reads DWARF by libdw: finds the unit that has the code at an address.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/common.h"
#include "base/files.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "debug/dwarf_symbols.h"
#include "debug/dwarf_unit.h"

/* A unit of compilation; its lines and functions are read when they are first needed.  */
struct unit {
    Dwarf_Die entry;
    bool is_skeleton;              /* most of the unit is in a file of its own (-gsplit-dwarf) */
    bool has_folded;               /* two of its functions have one address */
    bool has_lines, has_functions; /* `lines', `functions' are read */
    struct dw_lines lines;
    struct dw_functions functions;
};

/* [low, high) is code of a unit.  */
struct claim {
    struct interval range;
    uint32_t unit;
    bool is_stated;  /* the unit's entry states the range; else its lines cover it */
    bool is_settled; /* no other unit has a function there that reports show instead */
};

struct dw_info {
    char *path;
    int fd;
    Dwarf *dwarf;
    struct unit *units;
    size_t unit_count, unit_capacity;
    struct claim *claims;
    size_t claim_count, claim_capacity;
    struct claim *starts; /* those that the units make, by start */
    size_t start_count;
    struct interval_map claimed; /* the owners are claims */
    bool has_all_claims;         /* including what lines cover beyond what units state */
    struct dw_symbols symbols;
    struct dw_context context;
};

/* ---- Other files ---- */

/* The size of SECTION, called NAME, when it is expanded.  The old way of compression has a header
   of `ZLIB' and eight bytes.  */
static uint64_t expanded_size(Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
    static const char magic[] = "ZLIB";
    enum { HEADER = 12 };
    GElf_Chdr compression;
    if ((header->sh_flags & SHF_COMPRESSED) != 0)
        return gelf_getchdr(section, &compression) != NULL ? compression.ch_size : UINT64_MAX;
    Elf_Data *data =
        name != NULL && name[0] == '.' && name[1] == 'z' ? elf_rawdata(section, NULL) : NULL;
    if (data == NULL || data->d_size < HEADER || memcmp(data->d_buf, magic, strlen(magic)) != 0)
        return 0;
    uint64_t size = 0;
    for (size_t i = strlen(magic); i < HEADER; i++)
        size = size << 8 | ((const unsigned char *)data->d_buf)[i];
    return size;
}

/* Whether the compressed sections of ELF, a file of SIZE bytes, are not much larger than a compiler
   would make them: libdw expands all that have DWARF.  Debug information shrinks to a quarter; some
   bytes can stand for terabytes.  */
static bool has_sane_sections(Elf *elf, uint64_t size)
{
    const uint64_t harmless = 64 << 20, most_ratio = 32;
    uint64_t sum = 0;
    size_t names;
    GElf_Shdr header;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return true;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;)
        if (gelf_getshdr(section, &header) != NULL && header.sh_type != SHT_NOBITS)
            sum = sum_u64(sum,
                          expanded_size(section, &header, elf_strptr(elf, names, header.sh_name)));
    return sum <= harmless || sum / most_ratio <= size;
}

/* Opens the file at PATH, which is open as KEPT unless that is -1; negative if that fails, but not
   for want of files: then debug information would be missing for no reason of its own.  */
static int open_debug(const char *path, int kept)
{
    int fd =
        kept >= 0 ? fcntl(kept, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE))
        die(MSG_READ_FAILED, path, _(READING_DEBUG), strerror(errno));
    return fd;
}

/* Whether libdw can read the file at PATH, which is open as FD, without waiting, and in memory that
   its size allows.  */
static bool may_read(const char *path, int fd)
{
    struct stat status;
    if (fd < 0 || !is_plain_file(path))
        return false;
    (void)elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    bool may_read = elf == NULL ||
                    (fstat(fd, &status) == 0 && has_sane_sections(elf, (uint64_t)status.st_size));
    elf_end(elf);
    return may_read;
}

/* Whether there is a file at PATH that must not be read.  */
static bool is_odd(const char *path)
{
    if (access(path, F_OK) != 0)
        return false;
    int fd = is_plain_file(path) ? open_debug(path, -1) : -1;
    bool is_odd = !may_read(path, fd);
    if (fd >= 0)
        close(fd);
    return is_odd;
}

/* The path, on the heap, of NAME, perhaps absolute, in DIRECTORY, whose name has LENGTH bytes.  */
static char *path_join(const char *directory, size_t length, const char *name)
{
    size_t before = name[0] != '/' ? length : 0, size = strlen(name) + 1;
    char *whole = mem_uninitialised(before + 1 + size, 1);
    memcpy(whole, directory, before);
    whole[before] = '/';
    memcpy(whole + before + (before > 0), name, size);
    return whole;
}

/* The path, on the heap, of NAME, which is relative to the directory of the file at PATH.  */
static char *path_beside(const char *path, const char *name)
{
    char *real = realpath(path, NULL);
    const char *start = real != NULL ? real : "";
    char *whole = path_join(start, (size_t)(path_base(start) - start), name);
    free(real);
    return whole;
}

/* ---- Units ---- */

static const char *string_of(Dwarf_Die *entry, unsigned attribute)
{
    Dwarf_Attribute found;
    return dwarf_formstring(dwarf_attr(entry, attribute, &found));
}

/* Whether the file of a unit that is split can be opened where libdw looks for it: beside the
   image, and in the directory of compilation.  */
static bool may_open_split(const struct dw_info *info, struct unit *unit)
{
    const char *directory = string_of(&unit->entry, DW_AT_comp_dir);
    const char *name = string_of(&unit->entry, DW_AT_dwo_name);
    if (name == NULL)
        name = string_of(&unit->entry, DW_AT_GNU_dwo_name);
    if (name == NULL)
        return false;
    char *beside = path_beside(info->path, name);
    char *from = path_beside(info->path, directory != NULL ? directory : "");
    char *compiled = path_join(from, strlen(from), name);
    bool may_open = !is_odd(beside) && !is_odd(compiled);
    free(beside);
    free(from);
    free(compiled);
    return may_open;
}

/* The entry that has the functions of UNIT below it.  */
static Dwarf_Die functions_entry(const struct dw_info *info, struct unit *unit)
{
    Dwarf_Die whole;
    uint8_t kind = 0;
    if (unit->is_skeleton && may_open_split(info, unit) &&
        dwarf_cu_info(unit->entry.cu, NULL, &kind, NULL, &whole, NULL, NULL, NULL) == 0 &&
        whole.addr != NULL)
        return whole;
    return unit->entry;
}

static void read_functions(struct dw_info *info, struct unit *unit)
{
    if (unit->has_functions)
        return;
    Dwarf_Die entry = functions_entry(info, unit);
    dw_functions_read(&unit->functions, &entry, &info->context);
    unit->has_functions = true;
}

static void read_lines(struct dw_info *info, struct unit *unit)
{
    if (unit->has_lines)
        return;
    if (unit->has_folded)
        read_functions(info, unit);
    dw_lines_read(&unit->lines, &unit->entry, unit->has_functions ? &unit->functions : NULL,
                  &info->context);
    unit->has_lines = true;
}

static void add_claim(struct dw_info *info, vma low, vma high, size_t unit, bool is_stated)
{
    if (low >= high)
        return;
    info->claims =
        mem_grow(info->claims, &info->claim_capacity, info->claim_count + 1, sizeof *info->claims);
    info->claims[info->claim_count++] =
        (struct claim){{low, high}, (uint32_t)unit, is_stated, false};
}

/* Claims what the lines of a unit cover.  */
static void claim_lines(struct dw_info *info, size_t number)
{
    struct unit *unit = &info->units[number];
    read_lines(info, unit);
    const struct dw_row *rows = unit->lines.rows;
    for (size_t i = 0, first = 0; i < unit->lines.count; i++)
        if (rows[i].line == 0) {
            add_claim(info, rows[first].addr, rows[i].addr, number, false);
            first = i + 1;
        }
}

static void add_unit(struct dw_info *info, const Dwarf_Die *entry, bool is_skeleton)
{
    Dwarf_Addr base, low, high;
    size_t number = info->unit_count++, before = info->claim_count;
    info->units =
        mem_grow(info->units, &info->unit_capacity, info->unit_count, sizeof *info->units);
    struct unit *unit = &info->units[number];
    *unit = (struct unit){.entry = *entry, .is_skeleton = is_skeleton};
    for (ptrdiff_t next = 0; (next = dwarf_ranges(&unit->entry, next, &base, &low, &high)) > 0 &&
                             dw_spend(&info->context, 1);)
        add_claim(info, low, high, number, true);
    if (info->claim_count == before) /* the unit does not state where its code is */
        claim_lines(info, number);
}

/* Reads the units, except those of types: these have no code, and line tables of other units.  */
static void read_units(struct dw_info *info)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die entry;
    uint8_t kind = 0;
    while (dwarf_get_units(info->dwarf, unit, &unit, NULL, &kind, &entry, NULL) == 0)
        if (kind == DW_UT_compile || kind == DW_UT_skeleton)
            add_unit(info, &entry, kind == DW_UT_skeleton);
}

/* Sorts the weaker claim first.  Two units state the same range if the linker kept one of two
   copies of a function, or one of two functions with equal code: the first has it, unless
   shown_unit finds another.  */
static int compare_claims(const void *a, const void *b)
{
    const struct claim *left = a, *right = b;
    if (left->is_stated != right->is_stated)
        return left->is_stated ? 1 : -1;
    if (left->unit != right->unit)
        return left->unit > right->unit ? -1 : 1;
    return left->range.low < right->range.low ? -1 : left->range.low > right->range.low;
}

static void map_claims(struct dw_info *info)
{
    size_t n = info->claim_count;
    struct interval *ranges = mem_array(n, sizeof *ranges);
    if (n > 0)
        qsort(info->claims, n, sizeof *info->claims, compare_claims);
    for (size_t i = 0; i < n; i++)
        ranges[i] = info->claims[i].range;
    interval_map_build(&info->claimed, ranges, n);
    free(ranges);
}

/* ---- Functions of one address ---- */

static int compare_starts(const void *a, const void *b)
{
    const struct claim *left = a, *right = b;
    if (left->range.low != right->range.low)
        return left->range.low < right->range.low ? -1 : 1;
    return compare_claims(right, left); /* the stronger first */
}

/* Whether reports show one of several functions that begin at ADDR.  */
static bool is_folded(struct dw_info *info, vma addr)
{
    return text_symbols_shown(&info->context.image->symbols, addr) != NULL;
}

/* Sorts the claims by their starts, and finds the units of which two functions have one address:
   their lines there depend on which of these reports show.  */
static void list_starts(struct dw_info *info)
{
    info->start_count = info->claim_count;
    info->starts = mem_array(info->start_count, sizeof *info->starts);
    if (info->start_count == 0)
        return;
    memcpy(info->starts, info->claims, info->start_count * sizeof *info->starts);
    qsort(info->starts, info->start_count, sizeof *info->starts, compare_starts);
    for (const struct claim *claim = info->starts + 1; claim < info->starts + info->start_count;
         claim++)
        if (claim->range.low == claim[-1].range.low && claim->unit == claim[-1].unit &&
            is_folded(info, claim->range.low))
            info->units[claim->unit].has_folded = true;
}

/* Of several units with a function at the start of CLAIM, the one that has ADDR and the function
   that reports show; the claim's own if there is none.  Reads the functions of these units.  */
static uint32_t shown_unit(struct dw_info *info, struct claim *claim, vma addr)
{
    vma low = claim->range.low;
    size_t first = 0, end = info->start_count;
    if (claim->is_settled)
        return claim->unit;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (info->starts[middle].range.low < low)
            first = middle + 1;
        else
            end = middle;
    }
    for (end = first; end < info->start_count && info->starts[end].range.low == low;)
        end++;
    bool has_several = end - first > 1 && is_folded(info, low);
    claim->is_settled = true;
    for (size_t i = first; i < end && has_several; i++) {
        const struct claim *other = &info->starts[i];
        read_functions(info, &info->units[other->unit]);
        if (dw_functions_shown(&info->units[other->unit].functions, low) == NULL)
            continue;
        if (other->range.high == claim->range.high)
            return claim->unit = other->unit;
        claim->is_settled = false;
        if (addr < other->range.high)
            return other->unit;
    }
    return claim->unit;
}

static struct unit *find_unit(struct dw_info *info, vma addr)
{
    uint32_t claim = interval_map_find(&info->claimed, addr);
    return claim != NO_INTERVAL ? &info->units[shown_unit(info, &info->claims[claim], addr)] : NULL;
}

/* Adds the claims of lines, which may cover code that no unit states as its own.  */
static void claim_all_lines(struct dw_info *info)
{
    for (size_t u = 0; u < info->unit_count; u++)
        claim_lines(info, u);
    map_claims(info);
    info->has_all_claims = true;
    info->context.work.claims++;
}

static struct unit *unit_at(struct dw_info *info, vma addr)
{
    struct unit *unit = find_unit(info, addr);
    if (unit == NULL && !info->has_all_claims) {
        claim_all_lines(info);
        unit = find_unit(info, addr);
    }
    return unit;
}

/* ---- Answers ---- */

static void report_damage(const struct dw_info *info)
{
    if (info->context.is_damaged)
        debug_image_warn(info->context.image, MSG_DAMAGED_DEBUG);
}

/* The name of the function around ADDR in UNIT.  NULL if none is known: units of an assembler may
   have lines and no functions.  */
static const char *function_name(struct dw_info *info, struct unit *unit, vma addr)
{
    read_functions(info, unit);
    uint32_t name = interval_map_find(&unit->functions.names, addr);
    return name != NO_INTERVAL ? info->context.strings.strings[name]
                               : dw_symbols_name(&info->symbols, dwarf_getelf(info->dwarf), addr,
                                                 &info->context.work);
}

static bool position(void *opaque, vma addr, enum position_parts parts, struct source_pos *pos)
{
    struct dw_info *info = opaque;
    struct unit *unit = unit_at(info, addr);
    if (unit == NULL)
        return false;
    read_lines(info, unit);
    const struct dw_row *row = dw_lines_find(&unit->lines, addr, &info->context.work);
    bool has_line = row != NULL && row->line != 0;
    const char *function = NULL;
    if (has_line && parts == POSITION_FUNCTION)
        function = function_name(info, unit, addr);
    report_damage(info);
    if (!has_line || (parts == POSITION_FUNCTION && function == NULL))
        return false;
    *pos = (struct source_pos){info->context.strings.strings[row->file], function, row->line};
    return true;
}

/* The line table of a split unit, which numbers the files of its sites, too, is in the image.  */
static bool inline_site(void *opaque, vma addr, struct source_pos *pos)
{
    struct dw_info *info = opaque;
    struct unit *unit = unit_at(info, addr);
    if (unit == NULL)
        return false;
    read_functions(info, unit);
    if (!unit->functions.has_site_paths)
        dw_sites_locate(&unit->functions, &unit->entry, &info->context);
    const struct dw_site *site = dw_functions_site(&unit->functions, addr);
    if (site == NULL || site->path == NO_ID)
        return false;
    *pos =
        (struct source_pos){info->context.strings.strings[site->path], NULL, (unsigned)site->line};
    return true;
}

/* By unit: whether it has code in [LOW, HIGH).  Free with free.  */
static bool *units_between(struct dw_info *info, vma low, vma high)
{
    bool *has_code = mem_array(info->unit_count, sizeof *has_code);
    unit_at(info, low); /* claims what lines cover if no unit states that it has the code */
    for (size_t i = 0; i < info->claim_count; i++)
        if (info->claims[i].range.low < high && info->claims[i].range.high > low)
            has_code[info->claims[i].unit] = true;
    return has_code;
}

static void boundaries(void *opaque, vma low, vma high, struct vma_list *list)
{
    struct dw_info *info = opaque;
    bool *has_code = units_between(info, low, high);
    for (size_t i = 0; i < info->claimed.count; i++)
        vma_list_add(list, info->claimed.spans[i].start, low, high);
    for (size_t u = 0; u < info->unit_count; u++) {
        struct unit *unit = &info->units[u];
        if (!has_code[u])
            continue;
        read_lines(info, unit);
        read_functions(info, unit);
        for (size_t i = 0; i < unit->lines.count; i++)
            vma_list_add(list, unit->lines.rows[i].addr, low, high);
        for (size_t i = 0; i < unit->functions.names.count; i++)
            vma_list_add(list, unit->functions.names.spans[i].start, low, high);
    }
    free(has_code);
    report_damage(info);
}

struct dwarf_work dwarf_work_done(const void *opaque)
{
    const struct dw_info *info = opaque;
    struct dwarf_work work = info->context.work;
    work.units = info->unit_count;
    return work;
}

/* ---- Opening ---- */

/* An attribute, since clang does not count _Noreturn as part of the type.  */
__attribute__((noreturn)) static void die_of_memory(void)
{
    die(MSG_NO_MEMORY_IN, "libdw", _(READING_DEBUG));
}

/* Whether the companion file, which holds what several files share (dwz), is odd.  */
static bool has_odd_companion(const struct dw_info *info)
{
    const char *name = NULL;
    const void *build_id;
    if (dwelf_dwarf_gnu_debugaltlink(info->dwarf, &name, &build_id) <= 0 || name == NULL)
        return false;
    char *whole = path_beside(info->path, name);
    bool has_odd = is_odd(whole);
    free(whole);
    return has_odd;
}

/* The section that NAME stands for, or ZNAME if it is compressed in the old way.  libdw has
   expanded what is compressed.  */
static struct line_section find_section(Elf *elf, const char *name, const char *zname)
{
    size_t names;
    GElf_Shdr header;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return (struct line_section){NULL, 0};
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        const char *found = NULL;
        if (gelf_getshdr(section, &header) != NULL && header.sh_type != SHT_NOBITS)
            found = elf_strptr(elf, names, header.sh_name);
        if (found == NULL || (strcmp(found, name) != 0 && strcmp(found, zname) != 0))
            continue;
        Elf_Data *data = elf_rawdata(section, NULL);
        if (data != NULL && data->d_buf != NULL)
            return (struct line_section){data->d_buf, data->d_size};
    }
    return (struct line_section){NULL, 0};
}

static void find_sections(struct dw_info *info)
{
    struct line_sections *sections = &info->context.sections;
    Elf *elf = dwarf_getelf(info->dwarf);
    const char *ident = elf_getident(elf, NULL);
    sections->line = find_section(elf, ".debug_line", ".zdebug_line");
    sections->line_str = find_section(elf, ".debug_line_str", ".zdebug_line_str");
    sections->str = find_section(elf, ".debug_str", ".zdebug_str");
    sections->is_big_endian = ident != NULL && ident[EI_DATA] == ELFDATA2MSB;
}

/* The budget of dw_spend for a file of SIZE bytes on disk: how many bytes, rows and ranges may be
   read or kept.  */
static uint64_t budget_of(uint64_t size)
{
    const uint64_t least = 1 << 16, times = 4;
    return least + times * size;
}

static bool open_dwarf(struct dw_info *info)
{
    struct stat status;
    const struct debug_image *image = info->context.image;
    bool is_image = strcmp(info->path, image->path) == 0;
    info->fd = open_debug(info->path, is_image ? image->fd : -1);
    if (info->fd < 0 || fstat(info->fd, &status) != 0)
        return false;
    if (!may_read(info->path, info->fd)) {
        debug_image_warn(info->context.image, MSG_DEBUG_TOO_LARGE);
        return false;
    }
    errno = 0;
    info->dwarf = dwarf_begin(info->fd, DWARF_C_READ); /* reads all sections that have DWARF */
    if (info->dwarf != NULL)
        find_sections(info);
    if (errno == EIO)
        die(MSG_READ_FAILED, info->path, _(READING_DEBUG), strerror(EIO));
    if (info->dwarf == NULL)
        return false;
    (void)dwarf_new_oom_handler(info->dwarf, die_of_memory);
    info->context.budget = budget_of((uint64_t)status.st_size);
    return !has_odd_companion(info);
}

static void close_info(void *opaque)
{
    struct dw_info *info = opaque;
    for (size_t u = 0; u < info->unit_count; u++) {
        dw_lines_free(&info->units[u].lines);
        dw_functions_free(&info->units[u].functions);
    }
    string_map_free(&info->context.strings);
    line_table_free(&info->context.table);
    dw_symbols_free(&info->symbols);
    dwarf_end(info->dwarf);
    if (info->fd >= 0)
        close(info->fd);
    free(info->path);
    free(info->units);
    free(info->claims);
    free(info->starts);
    interval_map_free(&info->claimed);
    free(info);
}

static void *open_info(struct debug_image *image)
{
    const char *path = image->is_linked_elf ? image->debug_path : NULL;
    if (path == NULL)
        return NULL;
    struct dw_info *info = mem_array(1, sizeof *info);
    info->context.image = image;
    info->path = mem_copy(path, strlen(path));
    if (!open_dwarf(info)) {
        close_info(info);
        return NULL;
    }
    read_units(info);
    map_claims(info);
    list_starts(info);
    return info;
}

const struct debug_reader dwarf_reader = {open_info, position, inline_site, boundaries, close_info};

#endif
