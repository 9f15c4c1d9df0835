/* pprof.c - reads profile.proto, the format of pprof: of Go, Rust, gperftools, async-profiler.

   The order of the fields (model/profile_proto.h) is free, so tables are read before samples.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "foreign/formats.h"
#include "foreign/name_pattern.h"
#include "foreign/protobuf.h"
#include "model/profile_proto.h"

/* ---- Tables ---- */

struct value_type {
    uint64_t name, unit; /* strings */
};

/* Messages with an id, by number.  */
struct table {
    struct pair_map ids; /* (id, 0) */
    struct message *items;
    size_t capacity;
};

/* The functions whose frames are dropped: those that match `drop', but not `keep'.  */
struct dropping {
    uint64_t drop_text, keep_text; /* strings */
    struct name_pattern drop, keep;
    unsigned char *found; /* by function: 0: not matched yet; 1: it stays; 2: it is dropped */
    size_t capacity;
    bool is_last; /* the function that was read last is dropped */
};

struct pprof {
    struct foreign_reader *reader;
    struct message all;
    struct {
        struct message *messages;
        size_t count, capacity;
        char **texts; /* copies that end in a NUL; NULL until needed */
    } strings;
    struct value_type *types;
    size_t type_count, type_capacity;
    struct table mappings, locations, functions;
    struct value_type period_type;
    uint64_t period, default_type;
    struct dropping dropping;
    bool has_kept;         /* the sample that is read: a frame that is not dropped */
    size_t value, counter; /* of each sample: the value that is read, and its number of samples */
    size_t location_count; /* in the profile */
    bool has_failed;       /* after a message */
    bool has_program;      /* `program' is set */
    uint32_t program;      /* number of its mapping; NO_ID: there is none */
    /* By location: the number of its places, that of the innermost ones that are dropped, and the
       places, innermost first; or NULL.  */
    uint32_t **frames;
    uint64_t *numbers; /* of a sample */
    size_t number_capacity;
};

static bool damaged(const struct pprof *pprof, const unsigned char *at)
{
    return problem(MSG_BAD_FIELD, pprof->reader->stream->path,
                   (unsigned long long)(at - (const unsigned char *)pprof->reader->stream->bytes));
}

/* Reads the numbers of FIELD, which may be one or several, behind the COUNT that are there.  */
static bool add_numbers(struct pprof *pprof, const struct field *field, size_t *count)
{
    struct message rest = field->bytes;
    bool is_one = field->type == WIRE_VARINT;
    if (!is_one && field->type != WIRE_BYTES)
        return false;
    while (is_one || rest.at < rest.end) {
        uint64_t value = field->value;
        if (!is_one && !protobuf_number(&rest, &value))
            return false;
        pprof->numbers =
            mem_grow(pprof->numbers, &pprof->number_capacity, *count + 1, sizeof *pprof->numbers);
        pprof->numbers[(*count)++] = value;
        if (is_one)
            break;
    }
    return true;
}

/* The number of field NUMBER in MESSAGE: the last one, or 0.  False if MESSAGE is damaged.  */
static bool find_number(struct message message, unsigned number, uint64_t *value)
{
    struct field field;
    *value = 0;
    while (message.at < message.end) {
        if (!protobuf_field(&message, &field))
            return false;
        if (field.number == number && field.type == WIRE_VARINT)
            *value = field.value;
    }
    return true;
}

static bool add_item(struct table *table, struct message item, unsigned id_field)
{
    uint64_t id;
    if (!find_number(item, id_field, &id))
        return false;
    uint32_t number = pair_map_number(&table->ids, id, 0);
    table->items = mem_grow(table->items, &table->capacity, number + 1, sizeof *table->items);
    table->items[number] = item;
    return true;
}

/* The item with ID, or NULL.  */
static const struct message *find_item(struct table *table, uint64_t id, uint32_t *number)
{
    size_t known = table->ids.count;
    *number = pair_map_number(&table->ids, id, 0);
    if (*number < known)
        return table->items[*number].at != NULL ? &table->items[*number] : NULL;
    table->items = mem_grow(table->items, &table->capacity, *number + 1, sizeof *table->items);
    table->items[*number] = (struct message){0};
    return NULL;
}

static bool read_type(struct value_type *type, struct message message)
{
    return find_number(message, TYPE_NAME, &type->name) &&
           find_number(message, TYPE_UNIT, &type->unit);
}

/* Adds what is no sample to the tables.  */
static bool read_item(struct pprof *pprof, const struct field *field)
{
    if (field->type == WIRE_VARINT) {
        if (field->number == PROFILE_PERIOD)
            pprof->period = field->value;
        if (field->number == PROFILE_DEFAULT_TYPE)
            pprof->default_type = field->value;
        if (field->number == PROFILE_DROP)
            pprof->dropping.drop_text = field->value;
        if (field->number == PROFILE_KEEP)
            pprof->dropping.keep_text = field->value;
        return true;
    }
    if (field->type != WIRE_BYTES)
        return true;
    switch (field->number) {
    case PROFILE_TYPES:
        pprof->types = mem_grow(pprof->types, &pprof->type_capacity, pprof->type_count + 1,
                                sizeof *pprof->types);
        return read_type(&pprof->types[pprof->type_count++], field->bytes);
    case PROFILE_MAPPINGS:
        return add_item(&pprof->mappings, field->bytes, MAPPING_ID);
    case PROFILE_LOCATIONS:
        return add_item(&pprof->locations, field->bytes, LOCATION_ID);
    case PROFILE_FUNCTIONS:
        return add_item(&pprof->functions, field->bytes, FUNCTION_ID);
    case PROFILE_STRINGS:
        pprof->strings.messages =
            mem_grow(pprof->strings.messages, &pprof->strings.capacity, pprof->strings.count + 1,
                     sizeof *pprof->strings.messages);
        pprof->strings.messages[pprof->strings.count++] = field->bytes;
        return true;
    case PROFILE_PERIOD_TYPE:
        return read_type(&pprof->period_type, field->bytes);
    default:
        return true;
    }
}

static bool read_tables(struct pprof *pprof)
{
    struct message rest = pprof->all;
    struct field field;
    while (rest.at < rest.end) {
        const unsigned char *at = rest.at;
        if (!protobuf_field(&rest, &field) || !read_item(pprof, &field))
            return damaged(pprof, at);
    }
    pprof->strings.texts = mem_array(pprof->strings.count + 1, sizeof *pprof->strings.texts);
    pprof->location_count = pprof->locations.ids.count;
    pprof->frames = mem_array(pprof->location_count + 1, sizeof *pprof->frames);
    return true;
}

/* String NUMBER; empty if there is none.  */
static const char *text_of(struct pprof *pprof, uint64_t number)
{
    if (number >= pprof->strings.count)
        return "";
    char **text = &pprof->strings.texts[number];
    const struct message *bytes = &pprof->strings.messages[number];
    if (*text == NULL)
        *text = mem_copy((const char *)bytes->at, (size_t)(bytes->end - bytes->at));
    return *text;
}

static const char *known_text(struct pprof *pprof, uint64_t number)
{
    const char *text = text_of(pprof, number);
    return *text != '\0' ? text : NULL;
}

/* ---- Which value ---- */

static bool is_type(struct pprof *pprof, size_t type, const char *name)
{
    return strcmp(text_of(pprof, pprof->types[type].name), name) == 0;
}

/* Whether type TYPE is time of the processor or of a clock.  */
static bool is_time(struct pprof *pprof, size_t type)
{
    const char *unit = text_of(pprof, pprof->types[type].unit);
    size_t length = strlen(unit);
    return length >= 7 && strcmp(unit + length - 7, "seconds") == 0;
}

/* Chooses the value: that of --value, else the profile's own, else a time, else the last.  False
   after a message.  */
static bool choose_value(struct pprof *pprof)
{
    const struct foreign_reader *reader = pprof->reader;
    const char *wanted = reader->rules->value;
    struct name_list names = {0};
    if (wanted == NULL && pprof->default_type != 0)
        wanted = text_of(pprof, pprof->default_type);
    size_t found = pprof->type_count;
    for (size_t i = 0; i < pprof->type_count; i++) {
        name_list_add(&names, text_of(pprof, pprof->types[i].name));
        if (wanted != NULL ? is_type(pprof, i, wanted)
                           : found == pprof->type_count && is_time(pprof, i))
            found = i;
    }
    if (found == pprof->type_count && wanted == NULL && found > 0)
        found--;
    if (found == pprof->type_count)
        return wanted == NULL ? damaged(pprof, pprof->all.at)
                              : problem(MSG_NO_VALUE, reader->stream->path, wanted, names.text);
    const char *name = text_of(pprof, pprof->types[found].name); /* empty: this is no profile */
    if (pprof->type_count > 1 && reader->rules->value == NULL && *name != '\0' &&
        reader->builder->event.name == NULL)
        note(reader->diagnostics, MSG_VALUE_CHOSEN, reader->stream->path, name, names.text);
    pprof->value = pprof->counter = found;
    for (size_t i = 0; i < pprof->type_count; i++)
        if (i != found && strcmp(text_of(pprof, pprof->types[i].unit), "count") == 0 &&
            (pprof->counter == found || i + 1 == found))
            pprof->counter = i;
    return true;
}

/* ---- Dropped frames ---- */

/* Reads the pattern that is string NUMBER, which matches whole names.  False after a warning if it
   cannot be used.  */
static bool read_pattern(struct pprof *pprof, struct name_pattern *pattern, uint64_t number)
{
    const char *text = text_of(pprof, number);
    bool ok = *text == '\0' || name_pattern_make(pattern, text);
    if (!ok)
        warning(pprof->reader->diagnostics, MSG_BAD_PATTERN, pprof->reader->stream->path, text);
    return ok;
}

/* Reads both patterns.  Without the one of what is kept, too much would be dropped.  */
static void read_patterns(struct pprof *pprof)
{
    struct dropping *d = &pprof->dropping;
    if (read_pattern(pprof, &d->drop, d->drop_text) && !read_pattern(pprof, &d->keep, d->keep_text))
        name_pattern_free(&d->drop);
}

/* The size of NAME without its arguments: up to a parenthesis that is no part of a name.  */
static size_t size_without_arguments(const char *name)
{
    static const char space[] = "(anonymous namespace)", call[] = "operator()";
    size_t i = strncmp(name, space, sizeof space - 1) == 0 ? sizeof space - 1 : 0;
    while (name[i] != '\0' && name[i] != '(') {
        i += strncmp(name + i, call, sizeof call - 1) == 0 ? sizeof call - 1 : 1;
        if (strncmp(name + i, space, sizeof space - 1) == 0)
            i += sizeof space - 1;
    }
    return i;
}

/* Whether the profile wants the function NAME dropped.  */
static bool is_dropped(struct dropping *dropping, const char *name)
{
    name += *name == '.';
    char *text = mem_copy(name, size_without_arguments(name));
    bool is_it = name_pattern_matches(&dropping->drop, text);
    is_it = is_it && !name_pattern_matches(&dropping->keep, text);
    free(text);
    return is_it;
}

/* The same of function NUMBER, which is called NAME.  */
static bool is_function_dropped(struct dropping *dropping, uint32_t number, const char *name)
{
    dropping->found = mem_grow_zeroed(dropping->found, &dropping->capacity, (size_t)number + 1, 1);
    if (dropping->found[number] == 0)
        dropping->found[number] = is_dropped(dropping, name) ? 2 : 1;
    return dropping->found[number] == 2;
}

/* ---- Samples ---- */

/* The place of a line of a location.  */
static bool read_line(struct pprof *pprof, struct message line, const char *object, uint32_t *place)
{
    uint64_t id, number, name = 0, file = 0;
    uint32_t index;
    if (!find_number(line, LINE_FUNCTION, &id) || !find_number(line, LINE_NUMBER, &number))
        return false;
    const struct message *function = find_item(&pprof->functions, id, &index);
    if (function != NULL && (!find_number(*function, FUNCTION_NAME, &name) ||
                             !find_number(*function, FUNCTION_FILE, &file)))
        return false;
    const char *known = known_text(pprof, name);
    pprof->dropping.is_last = known != NULL && is_function_dropped(&pprof->dropping, index, known);
    const struct function_home home = {object != NULL ? path_base(object) : NULL,
                                       known_text(pprof, file)};
    *place = builder_place(pprof->reader->builder, known != NULL ? known : "[unknown]", home,
                           home.file, number <= INT32_MAX ? (uint32_t)number : 0);
    return true;
}

/* A mapping.  */
struct range {
    uint64_t start, limit, offset;
    const char *object; /* path of the file; NULL: not known */
};

static bool read_mapping(struct pprof *pprof, const struct message *mapping, struct range *range)
{
    enum { LONGEST_PATH = 1 << 14 }; /* bytes */
    uint64_t file = 0;
    *range = (struct range){0};
    if (mapping != NULL && (!find_number(*mapping, MAPPING_START, &range->start) ||
                            !find_number(*mapping, MAPPING_LIMIT, &range->limit) ||
                            !find_number(*mapping, MAPPING_OFFSET, &range->offset) ||
                            !find_number(*mapping, MAPPING_FILE, &file)))
        return false;
    const struct message *text =
        file < pprof->strings.count ? &pprof->strings.messages[file] : NULL;
    if (text != NULL && text->end - text->at <= LONGEST_PATH)
        range->object = known_text(pprof, file);
    return true;
}

/* Finds the mapping of the program: the first one whose file is called like the executable in front
   of the profile, else the first one.  */
static bool find_program(struct pprof *pprof)
{
    struct range range = {0};
    const char *path = NULL;
    bool is_named = false;
    pprof->has_program = true;
    pprof->program = NO_ID;
    for (uint32_t i = 0; i < pprof->mappings.ids.count && !is_named; i++) {
        const struct message *item = &pprof->mappings.items[i];
        if (item->at == NULL)
            continue;
        if (!read_mapping(pprof, item, &range))
            return false;
        is_named = range.object != NULL && foreign_is_of_image(pprof->reader, range.object);
        if (pprof->program == NO_ID || is_named) {
            pprof->program = i;
            path = range.object;
        }
    }
    if (path != NULL && !is_named)
        foreign_warn_of_image(pprof->reader, path);
    return true;
}

/* Has the executable in front of the profile, if there is one, name ADDRESS in RANGE, which is
   mapping NUMBER (NO_ID: not known).  *PLACE is NO_ID if it does not.  */
static bool name_address(struct pprof *pprof, uint64_t address, uint32_t number,
                         const struct range *range, uint32_t *place)
{
    const struct address_names *names = pprof->reader->rules->names;
    *place = NO_ID;
    if (names == NULL || names->image == NULL)
        return true;
    if (!pprof->has_program && !find_program(pprof))
        return false;
    struct code_address code = {range->object, number == NO_ID || number == pprof->program, false,
                                address};
    if (!code.is_program && (code.path == NULL || *code.path != '/'))
        return true;
    if (range->limit > range->start) {
        if (address < range->start || address >= range->limit)
            return true;
        code.is_offset = true;
        code.at = address - range->start + range->offset;
    }
    pprof->has_failed = !foreign_name_address(pprof->reader, &code, place);
    return !pprof->has_failed;
}

/* The place of a location without lines and without a name: its object, and where ADDRESS is in
   that, which is the same in every run.  Code made at run time is not.  */
static uint32_t address_place(struct pprof *pprof, uint64_t address, const struct range *range)
{
    char name[100];
    const char *path = range->object != NULL ? range->object : "";
    char *copy = mem_copy(path, strlen(path));
    const char *object = foreign_object_name(copy);
    struct foreign_builder *builder = pprof->reader->builder;
    uint32_t place;
    if (object != NULL && strcmp(object, path_base(path)) != 0) { /* made at run time */
        place = builder_object(builder, object);
    } else if (object == NULL) { /* addresses are others in each run */
        place = builder_place(builder, "[unknown]", (struct function_home){0}, NULL, 0);
    } else {
        if (address >= range->start && address < range->limit)
            address = address - range->start + range->offset;
        snprintf(name, sizeof name, "%.60s+0x%llx", object, (unsigned long long)address);
        place = builder_place(builder, name, (struct function_home){.object = object}, NULL, 0);
    }
    free(copy);
    return place;
}

/* Reads the places of LOCATION into the list FRAMES.  */
static bool read_location(struct pprof *pprof, struct message location, uint32_t **frames)
{
    uint64_t mapping, address;
    uint32_t index;
    size_t capacity = 0, count = 0, dropped = 0;
    struct field field;
    struct range range;
    if (!find_number(location, LOCATION_MAPPING, &mapping) ||
        !find_number(location, LOCATION_ADDRESS, &address))
        return false;
    const struct message *map = find_item(&pprof->mappings, mapping, &index);
    if (!read_mapping(pprof, map, &range))
        return false;
    *frames = mem_grow(NULL, &capacity, 3, sizeof **frames);
    while (location.at < location.end && protobuf_field(&location, &field)) {
        if (field.number != LOCATION_LINE || field.type != WIRE_BYTES)
            continue;
        *frames = mem_grow(*frames, &capacity, count + 3, sizeof **frames);
        if (!read_line(pprof, field.bytes, range.object, &(*frames)[2 + count++]))
            return false;
        if (pprof->dropping.is_last)
            dropped = count;
    }
    if (count == 0) {
        if (!name_address(pprof, address, map != NULL ? index : NO_ID, &range, &(*frames)[2]))
            return false;
        if ((*frames)[2] == NO_ID)
            (*frames)[2] = address_place(pprof, address, &range);
        count = 1;
    }
    (*frames)[0] = (uint32_t)count;
    (*frames)[1] = (uint32_t)dropped;
    return true;
}

/* Adds the frames of the location ID below ABOVE.  Below a frame that is not dropped, the first one
   that is, and what it calls, are left out: sets *ENDS.  False if there is no such location.  */
static bool add_location(struct pprof *pprof, uint64_t id, uint32_t *above, bool *ends)
{
    uint32_t number;
    const struct message *location = find_item(&pprof->locations, id, &number);
    if (location == NULL || number >= pprof->location_count)
        return false;
    uint32_t **frames = &pprof->frames[number];
    if (*frames == NULL && !read_location(pprof, *location, frames))
        return false;
    uint32_t count = (*frames)[0], dropped = (*frames)[1];
    *ends = dropped > 0 && *above > 0 && pprof->has_kept;
    pprof->has_kept |= dropped == 0;
    if (dropped == count && !*ends)
        dropped = 0;
    for (uint32_t i = count; i > dropped; i--)
        *above = builder_frame(pprof->reader->builder, *above, (*frames)[i + 1]) + 1;
    return true;
}

/* How many samples of the profiler the value WEIGHT of a sample is: as many as it says, but of a
   profile that says how much one is, not more than that.  */
static double samples_of(struct pprof *pprof, double weight, const uint64_t *values)
{
    const struct value_type *type = &pprof->types[pprof->value];
    bool has_period = pprof->period > 0 && pprof->period_type.unit == type->unit;
    bool is_count = strcmp(text_of(pprof, type->unit), "count") == 0;
    double periods = has_period ? weight / (double)pprof->period : (double)INFINITY;
    double count = pprof->counter != pprof->value ? fabs((double)(int64_t)values[pprof->counter])
                   : has_period                   ? periods
                   : is_count                     ? weight
                                                  : 1;
    return fmax(1, fmin(count, periods));
}

/* Whether a sample with the label is to be read.  False, too, if it is damaged.  */
static bool is_label(struct pprof *pprof, struct message label)
{
    uint64_t key, text, number;
    char digits[24];
    if (!find_number(label, LABEL_KEY, &key) || !find_number(label, LABEL_TEXT, &text) ||
        !find_number(label, LABEL_NUMBER, &number))
        return false;
    const char *name = text_of(pprof, key), *value = text != 0 ? text_of(pprof, text) : digits;
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    if (strcmp(name, "thread") == 0)
        pprof->reader->builder->threads.current =
            builder_thread(pprof->reader->builder, value, 0, number);
    return foreign_is_label(pprof->reader, name, value);
}

static bool read_sample(struct pprof *pprof, struct message sample)
{
    size_t count = 0, location_count;
    uint32_t above = 0;
    bool is_wanted = foreign_label(pprof->reader->rules) == NULL;
    struct field field;
    pprof->reader->builder->threads.current = 0;
    for (struct message rest = sample; rest.at < rest.end;)
        if (!protobuf_field(&rest, &field) ||
            (field.number == SAMPLE_LOCATIONS && !add_numbers(pprof, &field, &count)))
            return false;
    location_count = count;
    for (struct message rest = sample; rest.at < rest.end;) {
        if (!protobuf_field(&rest, &field) ||
            (field.number == SAMPLE_VALUES && !add_numbers(pprof, &field, &count)))
            return false;
        if (field.number == SAMPLE_LABEL && field.type == WIRE_BYTES)
            is_wanted |= is_label(pprof, field.bytes);
    }
    if (count - location_count != pprof->type_count)
        return false;
    if (!is_wanted)
        return true;
    bool ends = false;
    pprof->has_kept = false;
    for (size_t i = location_count; i-- > 0 && !ends;)
        if (!add_location(pprof, pprof->numbers[i], &above, &ends))
            return false;
    if (location_count == 0)
        above = builder_cut(pprof->reader->builder) + 1;
    const uint64_t *values = pprof->numbers + location_count;
    double weight = (double)(int64_t)values[pprof->value];
    builder_add(pprof->reader->builder, above - 1, weight, samples_of(pprof, fabs(weight), values));
    return true;
}

static bool read_samples(struct pprof *pprof)
{
    struct message rest = pprof->all;
    struct field field;
    while (rest.at < rest.end && protobuf_field(&rest, &field)) {
        if (field.number == PROFILE_SAMPLES && field.type == WIRE_BYTES &&
            !read_sample(pprof, field.bytes))
            return !pprof->has_failed && damaged(pprof, field.bytes.at);
        if (!foreign_has_room(pprof->reader))
            return false;
    }
    return true;
}

/* ---- The format ---- */

/* A profile begins with its types of values, or other fields of a profile.  The first field must be
   one of those, and the ones that follow it, as far as they are there.  */
bool pprof_recognise(const char *bytes, size_t size)
{
    struct message rest = {(const unsigned char *)bytes, (const unsigned char *)bytes + size};
    struct field field;
    size_t found = 0;
    while (rest.at < rest.end && protobuf_field(&rest, &field) && field.number <= 16) {
        bool is_message = field.number <= PROFILE_STRINGS || field.number == PROFILE_PERIOD_TYPE;
        if (field.number != PROFILE_COMMENTS && is_message != (field.type == WIRE_BYTES))
            return false;
        found += field.number == PROFILE_TYPES || field.number == PROFILE_SAMPLES ||
                 field.number == PROFILE_STRINGS;
        if (found == 3)
            return true;
    }
    return false;
}

static void free_pprof(struct pprof *pprof)
{
    for (size_t i = 0; pprof->strings.texts != NULL && i < pprof->strings.count; i++)
        free(pprof->strings.texts[i]);
    for (size_t i = 0; pprof->frames != NULL && i < pprof->location_count; i++)
        free(pprof->frames[i]);
    pair_map_free(&pprof->mappings.ids);
    pair_map_free(&pprof->locations.ids);
    pair_map_free(&pprof->functions.ids);
    free(pprof->mappings.items);
    free(pprof->locations.items);
    free(pprof->functions.items);
    free(pprof->strings.messages);
    free(pprof->types);
    free(pprof->strings.texts);
    free(pprof->frames);
    free(pprof->numbers);
    free(pprof->dropping.found);
    name_pattern_free(&pprof->dropping.drop);
    name_pattern_free(&pprof->dropping.keep);
}

/* How the weights of the value came about.  Go counts all goroutines and threads: the only value
   has the type of the period, which is one of them.  Delays at locks are those of all, or of
   samples, of which the profile says nothing.  */
static enum figures figures_of(struct pprof *pprof)
{
    const struct value_type *type = &pprof->types[pprof->value], *period = &pprof->period_type;
    const char *name = text_of(pprof, period->name);
    if (pprof->period != 1 || strcmp(text_of(pprof, period->unit), "count") != 0)
        return FIGURES_SAMPLED;
    if (strcmp(name, "contentions") == 0)
        return FIGURES_STATED;
    return pprof->type_count == 1 && type->name == period->name && type->unit == period->unit &&
                   strcmp(name, "samples") != 0
               ? FIGURES_COUNTED
               : FIGURES_SAMPLED;
}

/* Sets the event that weights are of: the name of a count, as `inuse_objects', or else a unit.  The
   name of a value then tells it from others in this unit: `alloc_space'.  */
static bool set_value(struct pprof *pprof)
{
    const char *unit = text_of(pprof, pprof->types[pprof->value].unit);
    const char *name = text_of(pprof, pprof->types[pprof->value].name);
    bool are_samples = strcmp(name, "samples") == 0;
    if (*unit == '\0' || (strcmp(unit, "count") == 0 && !are_samples))
        return foreign_set_kind(pprof->reader, name, FOREIGN_STACKS, figures_of(pprof)) &&
               foreign_set_value(pprof->reader, name);
    return foreign_set_kind(pprof->reader, unit, FOREIGN_STACKS, figures_of(pprof)) &&
           (are_samples || strcmp(name, PROFILE_SPACE) == 0 ||
            foreign_set_value(pprof->reader, name));
}

bool pprof_read(struct foreign_reader *reader)
{
    struct stream *stream = reader->stream;
    struct pprof pprof = {.reader = reader};
    if (!stream_read_all(stream))
        return false;
    pprof.all.at = (const unsigned char *)stream->bytes + stream->start;
    pprof.all.end = (const unsigned char *)stream->bytes + stream->end;
    bool ok = read_tables(&pprof) && choose_value(&pprof) && pprof.types != NULL;
    if (ok)
        read_patterns(&pprof);
    ok = ok && set_value(&pprof) && read_samples(&pprof);
    free_pprof(&pprof);
    return ok;
}
