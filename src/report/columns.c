/* columns.c - columns, headings, numbers, names and units.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/columns.h"

#include <math.h>
#include <string.h>

#include "base/common.h"
#include "base/i18n.h"
#include "base/memory.h"
#include "base/message.h"

/* ---- Units ---- */

/* Puts FROM, with its control characters made visible, into the ROOM bytes at TO.  */
static void copy_visible(char *to, size_t capacity, const char *from)
{
    struct arena scratch = {0};
    snprintf(to, capacity, "%s", arena_escape(&scratch, from));
    arena_free(&scratch);
}

static void set_per_call(struct time_unit *unit, char prefix, double factor)
{
    unit->per_call_factor = factor;
    if (unit->abbreviation[0] == '\0') /* a profile's NUL ends the heading as well */
        snprintf(unit->per_call, sizeof unit->per_call, "%c", prefix);
    else
        snprintf(unit->per_call, sizeof unit->per_call, "%c%s/call", prefix, unit->abbreviation);
}

static void set_unit(struct time_unit *unit, const struct hist_set *hist)
{
    const char abbreviation[] = {hist->abbreviation, '\0'};
    unit->is_ticks = hist->rate == 0;
    unit->rate = unit->is_ticks ? 1.0 : (double)hist->rate;
    copy_visible(unit->dimension, sizeof unit->dimension,
                 unit->is_ticks ? "ticks" : hist->dimension);
    copy_visible(unit->abbreviation, sizeof unit->abbreviation,
                 unit->is_ticks ? "t" : abbreviation);
    set_per_call(unit, 'm', 1e3);
}

void format_choose_prefix(struct sheet *sheet, double largest)
{
    static const struct {
        char prefix;
        double factor;
    } prefixes[] = {{'T', 1e-12}, {'G', 1e-9}, {'M', 1e-6}, {'K', 1e-3}, {' ', 1.0}, {'m', 1e3},
                    {'u', 1e6},   {'n', 1e9},  {'p', 1e12}, {'f', 1e15}, {'a', 1e18}};
    size_t best = 0;
    for (size_t i = ARRAY_LENGTH(prefixes); i-- > 0;) {
        double shown = prefixes[i].factor * (largest / sheet->unit.rate);
        if (shown >= 1.0 && shown < 1000.0)
            best = i;
    }
    set_per_call(&sheet->unit, prefixes[best].prefix, prefixes[best].factor);
}

/* ---- The sheet ---- */

void format_begin(struct sheet *sheet, const struct profile *profile, const struct style *style,
                  FILE *out)
{
    sheet->profile = profile;
    sheet->style = style;
    sheet->columns = NULL;
    if (profile != NULL)
        set_unit(&sheet->unit, &profile->hist);
    sheet->out = out;
    sheet->flushed = 0;
    sheet->used = 0;
}

static void flush(struct sheet *sheet)
{
    if (sheet->out != NULL)
        fwrite(sheet->text, 1, sheet->used, sheet->out);
    sheet->flushed += sheet->used;
    sheet->used = 0;
}

void format_end(struct sheet *sheet)
{
    flush(sheet);
}

/* Where the next N bytes go, which are not many; the caller says how many it used.  */
static char *room_for(struct sheet *sheet, size_t n)
{
    if (n > sizeof sheet->text - sheet->used)
        flush(sheet);
    return sheet->text + sheet->used;
}

uint64_t format_position(const struct sheet *sheet)
{
    return sheet->flushed + sheet->used;
}

/* ---- Text ---- */

void format_char(struct sheet *sheet, char c)
{
    if (sheet->used == sizeof sheet->text)
        flush(sheet);
    sheet->text[sheet->used++] = c;
}

void format_much(struct sheet *sheet, const char *p, size_t n)
{
    while (n > sizeof sheet->text - sheet->used) {
        size_t part = sizeof sheet->text - sheet->used;
        memcpy(sheet->text + sheet->used, p, part);
        sheet->used += part;
        p += part;
        n -= part;
        flush(sheet);
    }
    memcpy(sheet->text + sheet->used, p, n);
    sheet->used += n;
}

void format_text(struct sheet *sheet, const char *text)
{
    format_bytes(sheet, text, strlen(text));
}

void format_blurb(struct sheet *sheet, const char *before, const char *const *parts,
                  const char *after)
{
    for (size_t i = 0; parts[i] != NULL; i++) {
        format_text(sheet, i == 0 ? before : "\n");
        format_text(sheet, _(parts[i]));
    }
    format_text(sheet, after);
}

/* Blanks are written in pieces of this many bytes.  */
enum { PIECE = 16 };

/* Puts N blanks at TO, and whatever behind them, up to one piece; returns where they end.  */
static char *put_blanks(char *to, size_t n)
{
    for (size_t i = 0; i < n; i += PIECE)
        memset(to + i, ' ', PIECE);
    return to + n;
}

void format_blanks(struct sheet *sheet, size_t n)
{
    enum { MOST = 64 };
    while (n > 0) {
        size_t part = n < MOST ? n : MOST;
        put_blanks(room_for(sheet, MOST + PIECE), part);
        sheet->used += part;
        n -= part;
    }
}

void format_escaped(struct sheet *sheet, const char *text)
{
    struct arena scratch = {0};
    format_text(sheet, is_printable(text) ? text : arena_escape(&scratch, text));
    arena_free(&scratch);
}

void format_left(struct sheet *sheet, const char *text, size_t width)
{
    size_t length = strnlen(text, width);
    format_bytes(sheet, text, length);
    format_blanks(sheet, width - length);
}

void format_right(struct sheet *sheet, const char *text, size_t width)
{
    size_t length = strnlen(text, width);
    format_blanks(sheet, width - length);
    format_bytes(sheet, text, length);
}

/* ---- Numbers ---- */

static size_t count_digits(uint64_t value)
{
    size_t count = 1;
    for (; value >= 10000; value /= 10000)
        count += 4;
    return count + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* Puts the decimal digits of VALUE before END.  */
static void put_digits(char *end, uint64_t value)
{
    do {
        *--end = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
}

/* Where the LENGTH bytes of a number go, with blanks around it as printf pads for WIDTH.  */
static char *room_for_number(struct sheet *sheet, size_t length, int width)
{
    size_t wanted = (size_t)(width < 0 ? -width : width);
    size_t blanks = wanted > length ? wanted - length : 0;
    char *to = room_for(sheet, length + blanks + PIECE);
    sheet->used += length + blanks;
    if (width >= 0)
        return put_blanks(to, blanks);
    put_blanks(to + length, blanks);
    return to;
}

void format_count(struct sheet *sheet, uint64_t value, int width)
{
    size_t length = count_digits(value);
    put_digits(room_for_number(sheet, length, width) + length, value);
}

/* VALUE times POWER, which is 10 or 100, rounded to an integer as printf rounds: exactly, ties to
   even.  VALUE is a double of 64 bits, at least 0 and below 2^53, so that shifting its 53-bit
   significand does it.  */
static uint64_t round_scaled(double value, unsigned power)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    unsigned shift = 1075 - (unsigned)(bits >> 52);
    uint64_t scaled = ((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52) * power;
    if (shift == 0)
        return scaled;
    if (shift > 62) /* scaled is below 2^60: less than a half */
        return 0;
    uint64_t quotient = scaled >> shift, half = UINT64_C(1) << (shift - 1);
    uint64_t rest = scaled & ((half << 1) - 1);
    return quotient + (rest > half || (rest == half && (quotient & 1) != 0));
}

/* A number as it is printed with one or two decimals.  */
struct decimal {
    uint64_t whole;
    unsigned fraction; /* in tenths or hundredths */
};

/* Whether VALUE is one that this file can print itself; then *DECIMAL is what to print.  */
static bool round_to(double value, int decimals, struct decimal *decimal)
{
    if (!(value >= 0 && value < 0x1p53) || signbit(value))
        return false;
    uint64_t rounded = round_scaled(value, decimals == 1 ? 10 : 100);
    decimal->whole = decimals == 1 ? rounded / 10 : rounded / 100;
    decimal->fraction = (unsigned)(rounded - decimal->whole * (decimals == 1 ? 10 : 100));
    return true;
}

/* Puts DECIMAL before END.  */
static void put_decimal(char *end, const struct decimal *decimal, int decimals)
{
    *--end = (char)('0' + decimal->fraction % 10);
    if (decimals == 2)
        *--end = (char)('0' + decimal->fraction / 10);
    *--end = '.';
    put_digits(end, decimal->whole);
}

void format_fixed(struct sheet *sheet, double value, int width, int decimals)
{
    struct decimal decimal;
    if (!round_to(value, decimals, &decimal)) {
        char text[512];
        size_t length = (size_t)snprintf(text, sizeof text, "%.*f", decimals, value);
        memcpy(room_for_number(sheet, length, width), text, length);
        return;
    }
    size_t length = count_digits(decimal.whole) + 1 + (size_t)decimals;
    put_decimal(room_for_number(sheet, length, width) + length, &decimal, decimals);
}

/* ---- Tables ---- */

static void format_picture(struct sheet *sheet, const char *picture)
{
    while (*picture != '\0') {
        size_t dimension = strspn(picture, "#"), per_call = strspn(picture, "@");
        if (dimension > 0)
            format_right(sheet, sheet->unit.dimension, dimension);
        else if (per_call > 0)
            format_right(sheet, sheet->unit.per_call, per_call);
        else
            format_char(sheet, *picture);
        picture += dimension > 0 ? dimension : per_call > 0 ? per_call : 1;
    }
}

void format_heading(struct sheet *sheet, size_t count)
{
    for (size_t line = 0; line < HEADING_LINES && sheet->columns[0].heading[line] != NULL; line++) {
        for (size_t i = 0; i < count; i++)
            format_picture(sheet, sheet->columns[i].heading[line]);
        format_char(sheet, '\n');
    }
}

/* Whether it is sure that VALUE takes no more than WIDTH digits.  */
static bool has_digits(uint64_t value, int width)
{
    enum { MOST = 7 };
    static const uint64_t powers[MOST + 1] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    return width > 0 && width <= MOST && value < powers[width];
}

/* Blanks for a cell of WIDTH and the one before it; returns where they end.  */
static char *open_cell(struct sheet *sheet, int width)
{
    size_t size = 1 + (size_t)width;
    char *to = room_for(sheet, size + PIECE);
    sheet->used += size;
    return put_blanks(to, size);
}

/* Most numbers fit their cells, and stand at the right.  */
void format_cell_fixed(struct sheet *sheet, int column, double value)
{
    int width = sheet->columns[column].width, decimals = sheet->columns[column].decimals;
    struct decimal decimal;
    if (round_to(value, decimals, &decimal) && has_digits(decimal.whole, width - 1 - decimals)) {
        put_decimal(open_cell(sheet, width), &decimal, decimals);
        return;
    }
    format_char(sheet, ' ');
    format_fixed(sheet, value, width, decimals);
}

void format_cell_time(struct sheet *sheet, int column, double ticks)
{
    format_cell_fixed(sheet, column, ticks / sheet->unit.rate);
}

void format_cell_count(struct sheet *sheet, int column, uint64_t value)
{
    int width = sheet->columns[column].width;
    if (has_digits(value, width)) {
        put_digits(open_cell(sheet, width), value);
        return;
    }
    format_char(sheet, ' ');
    format_count(sheet, value, width);
}

size_t format_cells_width(const struct sheet *sheet, int first, int last)
{
    size_t sum = 0;
    for (int column = first; column <= last; column++) {
        int width = sheet->columns[column].width;
        sum += 1 + (size_t)(width < 0 ? -width : width);
    }
    return sum;
}

void format_cells_blank(struct sheet *sheet, int first, int last)
{
    format_blanks(sheet, format_cells_width(sheet, first, last));
}

void format_cell_blank(struct sheet *sheet, int column)
{
    format_cells_blank(sheet, column, column);
}

double format_percent(double part, double total)
{
    return 100.0 * part / (total > 0 ? total : 1.0);
}

/* ---- Phrases ---- */

void format_granularity(struct sheet *sheet, double total, const char *dimension, const char *fate)
{
    format_text(sheet, "granularity: each sample hit covers ");
    format_count(sheet, (uint64_t)sheet->profile->hist.scale * 2, 0); /* whole units of two bytes */
    format_text(sheet, " byte(s)");
    if (total > 0) {
        format_text(sheet, " for ");
        format_fixed(sheet, format_percent(1, total), 0, 2);
        format_text(sheet, "% of ");
        format_fixed(sheet, total / sheet->unit.rate, 0, 2);
        format_char(sheet, ' ');
        format_text(sheet, dimension);
    } else {
        format_text(sheet, " no time ");
        format_text(sheet, fate);
    }
    format_text(sheet, "\n\n");
}

void format_file(struct sheet *sheet, uint32_t file)
{
    const struct files *files = &sheet->profile->files;
    const char *path = files->labels != NULL ? files->labels[file] : files->paths[file];
    format_text(sheet, sheet->style->print_path ? path : path_base(path));
}

/* The place in the source, ` (file:line)' or ` (file:line @ address)'.  */
static void format_place(struct sheet *sheet, const struct symbol *symbol)
{
    if (symbol->file == NO_ID || !(sheet->style->has_lines || sheet->style->inline_file_names))
        return;
    format_text(sheet, " (");
    format_file(sheet, symbol->file);
    format_char(sheet, ':');
    format_count(sheet, symbol->line, 0);
    if (sheet->style->has_lines) {
        char text[32];
        snprintf(text, sizeof text, " @ %llx", (unsigned long long)symbol->addr);
        format_text(sheet, text);
    }
    format_char(sheet, ')');
}

const char *format_symbol_label(const struct symbol *symbol)
{
    return symbol->label != NULL ? symbol->label : symbol->name;
}

void format_label(struct sheet *sheet, uint32_t symbol)
{
    const struct symbol *s = &sheet->profile->symtab.symbols[symbol];
    if (s->label != NULL)
        format_bytes(sheet, s->label, s->label_size);
    else
        format_text(sheet, s->name);
    format_place(sheet, s);
}

void format_reference(struct sheet *sheet, uint32_t node)
{
    const struct graph *graph = &sheet->profile->graph;
    const struct node *n = &graph->nodes[node];
    bool is_whole = is_cycle(graph, node);
    if (!is_whole)
        format_label(sheet, node);
    if (graph->cycle[node] != 0) {
        format_text(sheet, is_whole ? "<cycle " : " <cycle ");
        format_count(sheet, graph->cycle[node], 0);
        format_text(sheet, is_whole ? " as a whole>" : ">");
    }
    if (n->index != 0) {
        char index[INDEX_ROOM];
        format_index(index, n);
        format_char(sheet, ' ');
        format_text(sheet, index);
    }
}

void format_index(char text[INDEX_ROOM], const struct node *node)
{
    size_t length = count_digits(node->index);
    text[0] = node->is_shown ? '[' : '(';
    put_digits(text + 1 + length, node->index);
    text[1 + length] = node->is_shown ? ']' : ')';
    text[2 + length] = '\0';
}
