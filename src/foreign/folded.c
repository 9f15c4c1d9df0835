/* folded.c - reads folded stacks: `outermost;caller;leaf COUNT', one stack per line.

   Made by the stackcollapse scripts of flame graphs, inferno, py-spy, async-profiler, bpftrace and
   others.  Names may hold blanks and anything else but `;'.  Endings mark the kernel's functions
   (_[k]), inlined functions (_[i]) and those compiled at run time (_[j]).  Lines `# key: value' say
   how the profile was made.  A line of two counts is
   of two profiles that are to be compared.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "foreign/formats.h"
#include "model/stack_tree.h"

/* The count at the end of the LENGTH bytes of LINE: sets *SIZE to the bytes before it and before
   blanks.  NaN if there is none.  */
static double count_of(const char *line, size_t length, size_t *size)
{
    size_t start = length;
    while (start > 0 && strchr("0123456789.", line[start - 1]) != NULL)
        start--;
    if (start == length || start == 0 || (line[start - 1] != ' ' && line[start - 1] != '\t'))
        return NAN;
    char *end;
    double count = strtod(line + start, &end);
    if (end != line + length)
        return NAN;
    *size = start;
    while (*size > 0 && (line[*size - 1] == ' ' || line[*size - 1] == '\t'))
        --*size;
    return count;
}

/* Whether LINE is one of `# key: value'.  */
static bool is_comment(const char *line)
{
    size_t key = strncmp(line, "# ", 2) == 0 ? strcspn(line + 2, " :;") : 0;
    return key > 0 && strncmp(line + 2 + key, ": ", 2) == 0;
}

bool folded_recognise(const char *bytes, size_t size)
{
    enum { LONG = 8192 }; /* bytes: a line that does not end here is a long stack */
    size_t start = 0, stack;
    while (start < size &&
           (bytes[start] == '\n' || bytes[start] == '\r' || is_comment(bytes + start)))
        start += bytes[start] == '#' ? strcspn(bytes + start, "\r\n") : 1;
    size_t length = strcspn(bytes + start, "\r\n");
    for (size_t i = start; i < start + length; i++)
        if ((unsigned char)bytes[i] < ' ' && bytes[i] != '\t')
            return false;
    if (start + length == size && size >= LONG)
        return memchr(bytes, ';', size) != NULL;
    char *line = mem_copy(bytes + start, length);
    bool is_folded = !isnan(count_of(line, length, &stack)) && stack > 0;
    free(line);
    return is_folded;
}

/* Removes the mark at the end of a name.  Returns the object that it stands for, or NULL.  */
static const char *take_mark(char *name)
{
    size_t length = strlen(name);
    if (length < 5 || name[length - 4] != '_' || name[length - 3] != '[' ||
        name[length - 1] != ']' || strchr("kij", name[length - 2]) == NULL)
        return NULL;
    bool is_kernel = name[length - 2] == 'k';
    name[length - 4] = '\0';
    return is_kernel ? "[kernel]" : NULL;
}

/* ---- Numbers of processes ---- */

/* What the lines that were read have in common.  */
struct lines {
    bool have_two;     /* counts: a name may end in a number, too */
    bool have_numbers; /* of processes */
};

/* The length of the number that TEXT begins with, decimal or `0x7F12'; 0: none.  */
static size_t number_length(const char *text)
{
    static const char digits[] = "0123456789", hexadecimal[] = "0123456789abcdefABCDEF";
    bool is_hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    size_t length = strspn(text + 2 * is_hexadecimal, is_hexadecimal ? hexadecimal : digits);
    return length > 0 ? length + 2 * is_hexadecimal : 0;
}

/* Removes the numbers of processes and threads, which differ in every run, from NAME if it is one
   of py-spy: `process 4711:"srv"' becomes `process "srv"', and `thread (0x7F12): pool' `thread:
   pool'.  */
static void drop_numbers(char *name)
{
    static const char process[] = "process ", thread[] = "thread (";
    size_t start = sizeof process - 1;
    if (strncmp(name, process, start) == 0) {
        size_t length = number_length(name + start);
        if (length > 0 && strncmp(name + start + length, ":\"", 2) == 0)
            memmove(name + start, name + start + length + 1, strlen(name + start + length));
    }
    start = sizeof thread - 1;
    if (strncmp(name, thread, start) == 0) {
        size_t length = number_length(name + start);
        const char *rest = name + start + length;
        if (length > 0 && *rest == ')' && (rest[1] == '\0' || rest[1] == ':'))
            memmove(name + start - 2, rest + 1, strlen(rest));
    }
}

/* Whether TEXT, up to the next frame, is WORD with a number, perhaps one of a thread `0:4711'.  */
static bool is_numbered(const char *text, const char *word)
{
    size_t start = strlen(word), length = 0;
    if (strncmp(text, word, start) == 0)
        length = number_length(text + start);
    const char *rest = text + start + length;
    if (length > 0 && *rest == ':')
        rest += 1 + number_length(rest + 1);
    return length > 0 && (*rest == ';' || *rest == '\0');
}

/* If the LENGTH bytes at ROOT are the name of a thread and the number of its process, `srv-4711',
   perhaps with that of the thread, `srv-4711/4712': sets *NAME to the length of the name, and
   returns the number of digits, else 0.  */
static size_t find_process(const char *root, size_t length, size_t *name)
{
    enum { LONGEST_NAME = 15 };
    size_t start = length;
    while (start > 0 && isdigit((unsigned char)root[start - 1]))
        start--;
    size_t end = start > 0 && start < length && root[start - 1] == '/' ? start - 1 : length;
    for (start = end; start > 0 && isdigit((unsigned char)root[start - 1]);)
        start--;
    *name = start > 0 ? start - 1 : 0;
    return *name > 0 && *name <= LONGEST_NAME && root[*name] == '-' ? end - start : 0;
}

/* Whether all stacks in the SIZE bytes at TEXT, as far as lines are whole, begin with the numbers
   of processes, as those of `stackcollapse-perf.pl --pid' do.  Small ones alone could as well be
   those of the threads of a pool.  */
static bool have_processes(const char *text, size_t size)
{
    enum { MANY_DIGITS = 3 };
    size_t most = 0, name;
    const char *end = text + size, *line_end;
    for (; text < end && (line_end = memchr(text, '\n', (size_t)(end - text))) != NULL;
         text = line_end + 1) {
        const char *root = memchr(text, ';', (size_t)(line_end - text));
        size_t digits = root != NULL ? find_process(text, (size_t)(root - text), &name) : 0;
        if (*text != '#' && digits == 0)
            return false;
        most = digits > most ? digits : most;
    }
    return most >= MANY_DIGITS;
}

/* Removes the numbers of the process and the thread that LINE begins with as austin writes them,
   `P4711;T0:4711;', or stackcollapse-perf, as LINES have them.  */
static void drop_first_numbers(char *line, const struct lines *lines)
{
    static const struct {
        const char *process, *thread, *shown;
    } words[] = {{"P", "T", "P;T"}, {"Process ", "Thread ", "Process;Thread"}};
    char *end = line + strcspn(line, ";");
    size_t name;
    if (*end != ';')
        return;
    for (size_t i = 0; i < ARRAY_LENGTH(words); i++)
        if (is_numbered(line, words[i].process) && is_numbered(end + 1, words[i].thread)) {
            char *behind = end + 1 + strcspn(end + 1, ";");
            size_t size = strlen(words[i].shown);
            memcpy(line, words[i].shown, size);
            memmove(line + size, behind, strlen(behind) + 1);
            return;
        }
    if (find_process(line, (size_t)(end - line), &name) > 0 &&
        (lines->have_numbers || memchr(line, '/', (size_t)(end - line)) != NULL))
        memmove(line + name, end, strlen(end) + 1);
}

/* ---- Stacks ---- */

/* Turns what our own files have in place of semicolons and some backslashes into these.  */
static void unescape(char *name)
{
    char *to = name;
    for (const char *from = name; *from != '\0';) {
        bool is_semicolon = strncmp(from, "\\x3b", 4) == 0;
        bool is_backslash = strncmp(from, "\\x5c", 4) == 0;
        *to++ = is_semicolon ? ';' : is_backslash ? '\\' : *from;
        from += is_semicolon || is_backslash ? 4 : 1;
    }
    *to = '\0';
}

static uint32_t frame_of(struct foreign_builder *builder, uint32_t above, char *name)
{
    const char *object = take_mark(name);
    if (*name == '[')
        foreign_drop_process(name);
    drop_numbers(name);
    if (strcmp(name, CUT_SHOWN) == 0 && (above == 0 || above - 1 == builder_cut(builder)))
        return builder_cut(builder);
    const struct function_home home = {.object = object};
    return builder_frame(builder, above, builder_place(builder, name, home, NULL, 0));
}

/* What the counts of our own files are, as the root of each stack says; "samples", 1 without it. */
struct counted {
    char unit[64];
    double sample; /* what one weighs */
};

/* Whether NAME is the root that our own folded stacks have: `[sampled stacks]', or with weights
   `[sampled stacks: 524288 bytes each]'.  Then sets COUNTED.  */
static bool is_own_root(const char *name, struct counted *counted)
{
    static const char *const starts[] = {"[" STACK_TREE_RECORDED, "[" STACK_TREE_ESTIMATED,
                                         "[" STACK_TREE_OF_TIMES};
    struct counted found = {0};
    const char *rest = NULL;
    char *end;
    for (size_t i = 0; i < ARRAY_LENGTH(starts); i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            rest = name + strlen(starts[i]);
    if (rest == NULL || strcmp(rest, "]") == 0)
        return rest != NULL;
    if (strncmp(rest, ": ", 2) != 0)
        return false;
    found.sample = strtod(rest + 2, &end);
    const char *unit = end + (*end == ' ');
    size_t size = strcspn(unit, " ");
    if (unit == end || size == 0 || size >= sizeof found.unit ||
        strcmp(unit + size, " each]") != 0 || !(found.sample > 0) || !isfinite(found.sample))
        return false;
    memcpy(found.unit, unit, size);
    *counted = found;
    return true;
}

/* Adds the stack in LINE.  False after a message.  */
static bool read_stack(struct foreign_reader *reader, char *line, size_t length,
                       struct lines *lines)
{
    struct foreign_builder *builder = reader->builder;
    struct counted counted = {"samples", 1};
    uint32_t above = 0;
    bool is_own = false;
    size_t size = 0, unused;
    double count = count_of(line, length, &size);
    if (isnan(count) || size == 0)
        return foreign_bad_line(reader, _(LINE_WITHOUT_COUNT));
    lines->have_two &= !isnan(count_of(line, size, &unused));
    line[size] = '\0';
    drop_first_numbers(line, lines);
    for (char *name = line, *next; name != NULL; name = next) {
        next = strchr(name, ';');
        if (next != NULL)
            *next++ = '\0';
        if (name == line && next != NULL && is_own_root(name, &counted)) {
            is_own = true;
            continue;
        }
        if (is_own)
            unescape(name);
        above = frame_of(builder, above, name) + 1;
    }
    if (!foreign_set_event(reader, counted.unit))
        return false;
    builder_add(builder, above - 1, count, count / counted.sample);
    return foreign_has_room(reader);
}

bool folded_read(struct foreign_reader *reader)
{
    size_t length;
    char *line;
    const struct stream *stream = reader->stream;
    struct lines lines = {
        .have_two = true,
        .have_numbers = have_processes(stream->bytes + stream->start, stream->end - stream->start)};
    while ((line = stream_line(reader->stream, &length)) != NULL) {
        if (strlen(line) != length)
            return foreign_bad_line(reader, _(LINE_WITH_NUL));
        if (length > 0 && !is_comment(line) && !read_stack(reader, line, length, &lines))
            return false;
    }
    bool are_samples =
        reader->builder->event.name == NULL || strcmp(reader->builder->event.name, "samples") == 0;
    if (are_samples && !reader->rules->counts_weights && reader->builder->inputs.count == 0)
        note(reader->diagnostics, MSG_TAKEN_AS_SAMPLES, reader->stream->path);
    return !lines.have_two || builder_is_empty(reader->builder) ||
           problem(MSG_TWO_PROFILES, reader->stream->path);
}
