/* callgrind.c - reads what callgrind writes: costs of lines, and of calls with all they call. Those
   of valgrind are exact; other programs write times, of which nobody knows how they were measured.

   https://valgrind.org/docs/manual/cl-format.html describes the format.  Names are numbered:
   `fn=(7) parse', then `fn=(7)'.  Positions can be differences from the last ones: `+3', `-1', `*'.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "foreign/formats.h"
#include "model/stack_tree.h"

enum { MOST_POSITIONS = 3 }; /* instr, bb, line */

/* Names by their numbers.  */
struct names {
    struct pair_map numbers; /* (number in the file, 0) */
    const char **texts;      /* by number of `numbers'; NULL: not defined */
    size_t capacity;
};

struct callgrind {
    struct foreign_reader *reader;
    struct names functions, files, objects;
    struct string_map texts;              /* owns the names, which can be defined anew */
    const char *object, *file, *function; /* of the lines that are read; function NULL: none */
    const char *function_file;            /* where the function is; inlined lines have others */
    struct {
        const char *object, *file, *function; /* NULL: the same, the same, none */
        uint64_t count;
        bool is_uncounted;              /* of our own files: the number is 0 */
    } call;                             /* the next one */
    bool is_call;                       /* the next line has the cost of a call */
    bool is_jump;                       /* the next line is about a jump */
    size_t position_count, line_column; /* of positions */
    uint64_t positions[MOST_POSITIONS]; /* the last ones */
    size_t event;        /* which of the costs of a line is read; SIZE_MAX: not known */
    bool is_of_valgrind; /* the profile, which has counts */
    bool is_estimated;   /* of our own files: the costs of calls are */
    double sample;       /* of our own files: the cost of a sample; 0: not known */
};

/* ---- Numbers and names ---- */

/* Reads the number at *AT, decimal or hexadecimal, and moves *AT behind it.  */
static bool read_number(char **at, uint64_t *number)
{
    const char *start = *at;
    if (*start < '0' || *start > '9')
        return false;
    *number = strtoull(start, at, start[1] == 'x' ? 16 : 10);
    return true;
}

static void skip_blanks(char **at)
{
    while (**at == ' ' || **at == '\t')
        ++*at;
}

/* The name that TEXT defines, `(7) parse', or refers to, `(7)'; or NULL.  */
static const char *name_of(struct callgrind *file, struct names *names, char *text)
{
    uint64_t id;
    char *at = text + 1;
    if (text[0] == '\0') /* some programs write what they do not know so */
        return "???";
    if (text[0] != '(' || !read_number(&at, &id) || *at != ')') {
        id = UINT64_MAX; /* not numbered */
        at = text;
    } else {
        at++;
        skip_blanks(&at);
    }
    uint32_t number = pair_map_number(&names->numbers, id, 0);
    names->texts =
        mem_grow_zeroed(names->texts, &names->capacity, number + 1, sizeof *names->texts);
    if (*at != '\0') {
        uint32_t text_number = string_map_number(&file->texts, at);
        names->texts[number] = file->texts.strings[text_number];
    }
    return names->texts[number];
}

static void free_names(struct names *names)
{
    free(names->texts);
    pair_map_free(&names->numbers);
}

/* ---- The head ---- */

/* Chooses the event of --value, or the first one, of the names in TEXT.  False after a message.  */
static bool choose_event(struct callgrind *file, char *text)
{
    struct foreign_reader *reader = file->reader;
    const char *wanted = reader->rules->value, *chosen = NULL;
    struct name_list names = {0};
    size_t count = 0;
    char *next;
    for (char *name = strtok_r(text, " \t", &next); name != NULL;
         name = strtok_r(NULL, " \t", &next)) {
        name_list_add(&names, name);
        if (chosen == NULL && (wanted == NULL || strcmp(name, wanted) == 0)) {
            chosen = name;
            file->event = count;
        }
        count++;
    }
    if (chosen == NULL)
        return problem(MSG_NO_VALUE, reader->stream->path, wanted != NULL ? wanted : "",
                       names.text);
    if (count > 1 && wanted == NULL && reader->builder->event.name == NULL)
        note(reader->diagnostics, MSG_VALUE_CHOSEN, reader->stream->path, chosen, names.text);
    bool is_named = strcmp(chosen, "Samples") != 0 && !builder_is_unit(chosen);
    bool are_samples = file->sample > 0 || strcmp(chosen, "Samples") == 0;
    bool is_count = file->is_of_valgrind || builder_is_of_valgrind(chosen);
    return foreign_set_kind(reader, chosen, file->is_estimated ? FOREIGN_ESTIMATED : FOREIGN_STATED,
                            are_samples                            ? FIGURES_SAMPLED
                            : is_count && !builder_is_time(chosen) ? FIGURES_COUNTED
                                                                   : FIGURES_STATED) &&
           (!is_named || foreign_set_value(reader, chosen));
}

/* Reads which columns are positions: `instr line'.  */
static bool read_positions(struct callgrind *file, char *text)
{
    char *next;
    file->position_count = 0;
    file->line_column = MOST_POSITIONS;
    for (char *name = strtok_r(text, " ", &next); name != NULL; name = strtok_r(NULL, " ", &next)) {
        if (file->position_count == MOST_POSITIONS)
            return foreign_bad_line(file->reader, _(LINE_OF_CALLGRIND));
        if (strcmp(name, "line") == 0)
            file->line_column = file->position_count;
        file->position_count++;
    }
    return true;
}

/* Reads the line KEY: TEXT.  */
static bool read_head(struct callgrind *file, const char *key, char *text)
{
    if (strcmp(key, "events") == 0)
        return choose_event(file, text);
    if (strcmp(key, "positions") == 0)
        return read_positions(file, text);
    if (strcmp(key, "creator") == 0)
        file->is_of_valgrind =
            strncmp(text, "callgrind", 9) == 0 || strncmp(text, "cachegrind", 10) == 0;
    static const char estimated[] = "Inclusive times: " STACK_TREE_ESTIMATED;
    if (strcmp(key, "desc") == 0) {
        file->sample = strncmp(text, "Sample: ", 8) == 0 ? strtod(text + 8, NULL) : file->sample;
        file->is_estimated |= strcmp(text, estimated) == 0;
        if (strncmp(text, "Value: ", 7) == 0)
            return foreign_set_value(file->reader, text + 7);
    }
    return true;
}

/* ---- Costs ---- */

/* Reads the positions of a line at *AT.  */
static bool skip_positions(struct callgrind *file, char **at)
{
    for (size_t i = 0; i < file->position_count; i++) {
        uint64_t *position = &file->positions[i], number = 0;
        char sign = **at;
        bool is_difference = sign == '+' || sign == '-';
        *at += is_difference || sign == '*';
        if (sign != '*' && !read_number(at, &number))
            return false;
        *position = sign == '*' || sign == '+' ? *position + number
                    : sign == '-'              ? *position - number
                                               : number;
        if (**at != '\0' && **at != ' ' && **at != '\t')
            return false;
        skip_blanks(at);
    }
    return true;
}

/* The cost of the event that is read, among those at AT; 0 if it is missing.  */
static bool read_cost(const struct callgrind *file, char *at, double *cost)
{
    uint64_t number = 0;
    *cost = 0;
    for (size_t i = 0; i < file->event && *at != '\0'; i++) {
        at += strcspn(at, " \t");
        skip_blanks(&at);
    }
    bool is_missing = *at == '\0', is_negative = *at == '-';
    at += is_negative;
    bool is_read = read_number(&at, &number);
    *cost = is_negative ? -(double)number : (double)number;
    return is_missing || (is_read && (*at == '\0' || *at == ' ' || *at == '\t'));
}

/* The place of LINE of SOURCE in the function NAME, which is in FILE of OBJECT.  */
static uint32_t place_of(struct callgrind *callgrind, const char *name, const char *object,
                         const char *file, const char *source, uint64_t line)
{
    static const char unknown[] = "???";
    const struct function_home home = {strcmp(object, unknown) != 0 ? path_base(object) : NULL,
                                       strcmp(file, unknown) != 0 ? file : NULL};
    return builder_place(callgrind->reader->builder, name, home,
                         strcmp(source, unknown) != 0 ? source : NULL,
                         line <= INT32_MAX ? (uint32_t)line : 0);
}

/* Adds the COST of the last call, made at PLACE.  */
static void add_call(struct callgrind *file, uint32_t place, double cost)
{
    const char *object = file->call.object != NULL ? file->call.object : file->object;
    const char *source = file->call.file != NULL ? file->call.file : file->file;
    uint32_t callee = place_of(file, file->call.function, object, source, source, 0);
    builder_call(file->reader->builder, place, callee, file->call.count, NAN, cost);
    file->call.function = file->call.object = file->call.file = NULL;
}

/* Reads a line of costs: of code, or of a call.  */
static bool read_costs(struct callgrind *file, char *line)
{
    struct foreign_builder *builder = file->reader->builder;
    uint64_t number;
    double cost;
    bool is_call = file->is_call;
    file->is_call = false;
    if (file->event == SIZE_MAX || file->function == NULL || !skip_positions(file, &line) ||
        !read_cost(file, line, &cost))
        return foreign_bad_line(file->reader, _(LINE_OF_CALLGRIND));
    if (!is_call && cost == 0)
        return true;
    number = file->line_column < MOST_POSITIONS ? file->positions[file->line_column] : 0;
    uint32_t place =
        place_of(file, file->function, file->object, file->function_file, file->file, number);
    double samples = file->sample > 0 ? cost / file->sample : fabs(cost);
    if (is_call)
        add_call(file, place, cost);
    else
        builder_add(builder, builder_frame(builder, 0, place), cost, samples);
    return foreign_has_room(file->reader);
}

/* ---- Lines ---- */

/* Whether KEY, between blanks, is one of KEYS.  */
static bool is_one_of(const char *key, const char *keys)
{
    const char *found = strstr(keys, key);
    return found > keys && found[-1] == ' ' && found[strlen(key)] == ' ';
}

/* Reads the line KEY=TEXT.  */
static bool read_entry(struct callgrind *file, const char *key, char *text)
{
    const char *unused;
    const struct entry {
        const char *keys;
        struct names *names;
        const char **name;
    } entries[] = {{" fn ", &file->functions, &file->function},
                   {" cfn ", &file->functions, &file->call.function},
                   {" fl fi fe ", &file->files, &file->file},
                   {" cfl cfi ", &file->files, &file->call.file},
                   {" ob ", &file->objects, &file->object},
                   {" cob ", &file->objects, &file->call.object},
                   {" jfi ", &file->files, &unused},
                   {" jfn ", &file->functions, &unused}};
    if (strcmp(key, "calls") == 0 && file->call.function != NULL &&
        read_number(&text, &file->call.count)) {
        if (file->call.is_uncounted)
            file->call.count = 0;
        file->call.is_uncounted = false;
        return file->is_call = true;
    }
    file->is_jump = is_one_of(key, " jump jcnd ");
    bool is_known = is_one_of(key, " jump jcnd ");
    for (size_t i = 0; i < ARRAY_LENGTH(entries); i++)
        if (is_one_of(key, entries[i].keys)) {
            *entries[i].name = name_of(file, entries[i].names, text);
            is_known = *entries[i].name != NULL;
        }
    if (strcmp(key, "fn") == 0)
        file->function_file = file->file;
    return is_known || foreign_bad_line(file->reader, _(LINE_OF_CALLGRIND));
}

static bool read_line(struct callgrind *file, char *line)
{
    if (line[0] == '\0' || line[0] == '#') {
        file->call.is_uncounted |= strcmp(line, "# not counted") == 0;
        return true;
    }
    if (strchr("0123456789+-*", line[0]) != NULL) {
        bool is_jump = file->is_jump;
        file->is_jump = false;
        return is_jump || read_costs(file, line);
    }
    size_t length = strcspn(line, ":=");
    char separator = line[length], *text = line + length + (separator != '\0');
    line[length] = '\0';
    skip_blanks(&text);
    if (file->is_call || separator == '\0') /* the costs of a call must follow it */
        return foreign_bad_line(file->reader, _(LINE_OF_CALLGRIND));
    return separator == ':' ? read_head(file, line, text) : read_entry(file, line, text);
}

/* ---- The format ---- */

bool callgrind_recognise(const char *bytes, size_t size)
{
    (void)size; /* a NUL follows */
    if (strncmp(bytes, "# callgrind format", 18) == 0)
        return true;
    /* Older files, and those of other tools.  */
    const char *events = strncmp(bytes, "events:", 7) == 0 ? bytes : strstr(bytes, "\nevents:");
    return events != NULL && (strstr(events, "\nfn=") != NULL || strstr(events, "\nfl=") != NULL ||
                              strstr(bytes, "\npositions:") != NULL);
}

bool callgrind_read(struct foreign_reader *reader)
{
    struct callgrind file = {.reader = reader,
                             .object = "???",
                             .file = "???",
                             .function_file = "???",
                             .position_count = 1,
                             .event = SIZE_MAX};
    size_t length;
    char *line;
    bool ok = true;
    while (ok && (line = stream_line(reader->stream, &length)) != NULL)
        ok = strlen(line) == length ? read_line(&file, line)
                                    : foreign_bad_line(reader, _(LINE_WITH_NUL));
    free_names(&file.functions);
    free_names(&file.files);
    free_names(&file.objects);
    string_map_free(&file.texts);
    return ok;
}
