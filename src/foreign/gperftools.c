/* gperftools.c - reads the processor profile that libprofiler of gperftools writes.

   Words of 4 or 8 bytes, in the byte order of the machine:

       0 3 0 PERIOD 0            a header: the number of words behind the second; microseconds
       COUNT N PC1 .. PCN        samples of one stack, innermost first; any number of these
       0 1 0                     the end

   then, as text, /proc/self/maps of the program.  PC1 is where the program was, the others are
   addresses that calls return to.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/interval_map.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "foreign/formats.h"

/* Frames that libprofiler records; words of a header; bytes.  */
enum { MOST_FRAMES = 253, MOST_WORDS = 1024, LONGEST_LINE = 1 << 14 };

/* ---- Words ---- */

struct words {
    const unsigned char *bytes;
    size_t count;
    unsigned size; /* of a word, in bytes */
    bool is_big_endian;
};

static uint64_t word(const struct words *words, size_t number)
{
    return number_of_bytes(words->bytes + number * words->size, words->size, words->is_big_endian);
}

/* Finds the layout of the SIZE bytes at BYTES by their header.  False if they have none.  */
static bool find_layout(struct words *words, const unsigned char *bytes, size_t size)
{
    for (unsigned layout = 0; layout < 4; layout++) {
        unsigned word_size = layout < 2 ? 8 : 4;
        *words = (struct words){bytes, size / word_size, word_size, layout % 2 != 0};
        if (words->count >= 5 && word(words, 0) == 0 && word(words, 1) >= 3 &&
            word(words, 1) <= MOST_WORDS && word(words, 2) == 0 && word(words, 3) > 0 &&
            word(words, 3) <= UINT32_MAX && word(words, 4) == 0)
            return true;
    }
    return false;
}

bool gperftools_recognise(const char *bytes, size_t size)
{
    struct words words;
    return find_layout(&words, (const unsigned char *)bytes, size);
}

/* ---- Records ---- */

/* A range of memory with code.  */
struct mapping {
    const char *path; /* empty: no file */
    uint64_t start, end, offset;
    bool is_program;
};

struct gperftools {
    struct foreign_reader *reader;
    struct words words;
    size_t first, end; /* words: of the records, and behind the last one */
    struct mapping *mappings;
    size_t mapping_count, mapping_capacity, place_capacity;
    struct interval_map by_address;
    struct arena arena;        /* owns paths */
    struct pair_map addresses; /* of frames: (address, 0) */
    uint32_t *places;          /* by address; NO_ID: nothing is known */
};

static bool bad_byte(const struct gperftools *profile, size_t offset, const char *reason)
{
    return problem(MSG_BAD_BYTE, profile->reader->stream->path, (unsigned long long)offset, reason);
}

/* Checks all records, and finds their end.  False after a message.  */
static bool check_records(struct gperftools *profile)
{
    const struct words *words = &profile->words;
    uint64_t samples = 0;
    for (size_t at = profile->first;;) {
        size_t rest = words->count > at ? words->count - at : 0;
        if (rest < 3 || word(words, at + 1) > rest - 2)
            return bad_byte(profile, at * words->size, _(ENDS_IN_RECORD));
        uint64_t count = word(words, at), depth = word(words, at + 1);
        if (count == 0 && depth == 1 && word(words, at + 2) == 0) {
            profile->end = at + 3;
            return true;
        }
        if (count == 0 || depth == 0)
            return bad_byte(profile, at * words->size, _(RECORD_OF_NOTHING));
        if (count > (1ULL << 53) - samples) /* doubles count up to here */
            return bad_byte(profile, at * words->size, _(SAMPLES_TOO_MANY));
        samples += count;
        at += 2 + (size_t)depth;
    }
}

/* ---- Mappings ---- */

/* Reads a hexadecimal number that the character END follows, and steps over both.  */
static bool take_number(const char **at, char end, uint64_t *number)
{
    const char *start = *at;
    size_t digits = strspn(start, "0123456789abcdef");
    *number = strtoull(start, NULL, 16);
    *at = start + digits + 1;
    return digits > 0 && digits <= 16 && start[digits] == end;
}

/* Steps over a word and the blanks behind it.  */
static bool skip_word(const char **at)
{
    size_t size = strcspn(*at, " ");
    *at += size;
    *at += strspn(*at, " ");
    return size > 0;
}

/* Adds the mapping in LINE, `START-END r-xp OFFSET DEVICE INODE PATH', if it has code.  False if
   LINE is none.  */
static bool add_mapping(struct gperftools *profile, const char *line)
{
    struct mapping mapping = {.path = NULL};
    const char *at = line;
    if (!take_number(&at, '-', &mapping.start) || !take_number(&at, ' ', &mapping.end) ||
        mapping.end <= mapping.start || strspn(at, "rwxps-") != 4)
        return false;
    bool has_code = at[2] == 'x';
    if (!skip_word(&at) || !take_number(&at, ' ', &mapping.offset) || !skip_word(&at) ||
        !skip_word(&at))
        return false;
    if (!has_code)
        return true;
    mapping.path = arena_copy(&profile->arena, at, strlen(at));
    profile->mappings = mem_grow(profile->mappings, &profile->mapping_capacity,
                                 profile->mapping_count + 1, sizeof *profile->mappings);
    profile->mappings[profile->mapping_count++] = mapping;
    return true;
}

/* Finds the program among the mappings: the file that is called like the executable in front of the
   profile, else the first one.  */
static void find_program(struct gperftools *profile)
{
    const char *path = NULL;
    bool is_named = false;
    for (size_t i = 0; i < profile->mapping_count && !is_named; i++) {
        const char *file = profile->mappings[i].path;
        is_named = *file == '/' && foreign_is_of_image(profile->reader, file);
        if (*file == '/' && (path == NULL || is_named))
            path = file;
    }
    for (size_t i = 0; i < profile->mapping_count && path != NULL; i++)
        profile->mappings[i].is_program = strcmp(profile->mappings[i].path, path) == 0;
    if (path != NULL && !is_named)
        foreign_warn_of_image(profile->reader, path);
}

/* Makes the map of the mappings.  */
static void map_addresses(struct gperftools *profile)
{
    struct interval *ranges = mem_array(profile->mapping_count, sizeof *ranges);
    for (size_t i = 0; i < profile->mapping_count; i++)
        ranges[i] = (struct interval){profile->mappings[i].start, profile->mappings[i].end};
    interval_map_build(&profile->by_address, ranges, profile->mapping_count);
    free(ranges);
}

/* Reads the text behind the records.  False after a message.  */
static bool read_mappings(struct gperftools *profile)
{
    struct stream *stream = profile->reader->stream;
    size_t start = stream->start, length;
    char *line;
    stream->start += profile->end * profile->words.size;
    if (stream->start == stream->end || stream->bytes[stream->end - 1] != '\n')
        return bad_byte(profile, stream->end - start, _(NO_MAPPINGS));
    for (size_t at = stream->start; (line = stream_line(stream, &length)) != NULL;
         at = stream->start) {
        bool is_other = *line == '\0' || strncmp(line, "build=", 6) == 0;
        if (strlen(line) != length || length > LONGEST_LINE ||
            (!is_other && !add_mapping(profile, line)))
            return bad_byte(profile, at - start, _(NO_MAPPING));
    }
    if (profile->mapping_count == 0)
        return bad_byte(profile, stream->end - start, _(NO_MAPPINGS));
    map_addresses(profile);
    find_program(profile);
    return true;
}

/* ---- Samples ---- */

/* Sets *PLACE to that of an address that is new.  False after a message.  */
static bool name_address(struct gperftools *profile, uint64_t address, uint32_t *place)
{
    uint32_t number = interval_map_find(&profile->by_address, address);
    *place = NO_ID;
    if (number == NO_INTERVAL || *profile->mappings[number].path == '\0')
        return true;
    const struct mapping *mapping = &profile->mappings[number];
    const struct code_address code = {mapping->path, mapping->is_program, true,
                                      address - mapping->start + mapping->offset};
    if (*mapping->path == '/' && !foreign_name_address(profile->reader, &code, place))
        return false;
    if (*place == NO_ID)
        *place = builder_object(profile->reader->builder, mapping->path);
    return true;
}

/* Sets *PLACE to that of frame NUMBER of the record at AT.  A call stands before the address that
   it returns to.  */
static bool find_place(struct gperftools *profile, size_t at, uint64_t number, uint32_t *place)
{
    size_t known = profile->addresses.count;
    uint64_t address = word(&profile->words, at + 2 + (size_t)number);
    address -= number > 0 && address > 0;
    uint32_t id = pair_map_number(&profile->addresses, address, 0);
    profile->places =
        mem_grow(profile->places, &profile->place_capacity, id + 1, sizeof *profile->places);
    bool ok = id < known || name_address(profile, address, &profile->places[id]);
    *place = ok ? profile->places[id] : NO_ID;
    return ok;
}

/* Adds the record at AT.  Outermost frames that are not known are one, and a frame that was
   recorded twice, as the place of the program and by the walk of the stack, is one as well.  */
static bool add_record(struct gperftools *profile, size_t at, uint64_t period)
{
    struct foreign_builder *builder = profile->reader->builder;
    const struct words *words = &profile->words;
    uint64_t depth = word(words, at + 1);
    double count = (double)word(words, at);
    bool is_twice = depth > 1 && word(words, at + 2) == word(words, at + 3);
    bool is_cut = depth >= MOST_FRAMES;
    uint32_t above = 0, place = NO_ID;
    for (uint64_t i = depth; i-- > 0;) {
        if (i == 1 && is_twice)
            continue;
        if (!find_place(profile, at, i, &place))
            return false;
        is_cut |= place == NO_ID && above == 0;
        if (place == NO_ID && above == 0)
            continue;
        if (above == 0 && is_cut)
            above = builder_cut(builder) + 1;
        if (place == NO_ID)
            place = builder_place(builder, "[unknown]", (struct function_home){0}, NULL, 0);
        above = builder_frame(builder, above, place) + 1;
    }
    builder_add(builder, above > 0 ? above - 1 : builder_cut(builder), count * (double)period,
                count);
    return foreign_has_room(profile->reader);
}

static bool add_records(struct gperftools *profile)
{
    for (size_t at = profile->first; at + 3 < profile->end;
         at += 2 + (size_t)word(&profile->words, at + 1))
        if (!add_record(profile, at, word(&profile->words, 3)))
            return false;
    return true;
}

bool gperftools_read(struct foreign_reader *reader)
{
    struct stream *stream = reader->stream;
    struct gperftools profile = {.reader = reader};
    if (!stream_read_all(stream))
        return false;
    if (!find_layout(&profile.words, (const unsigned char *)stream->bytes + stream->start,
                     stream->end - stream->start))
        return bad_byte(&profile, 0, _(NO_HEADER_OF_GPERFTOOLS));
    profile.first = 2 + (size_t)word(&profile.words, 1);
    bool ok = check_records(&profile) && read_mappings(&profile) &&
              foreign_set_event(reader, "microseconds") && add_records(&profile);
    interval_map_free(&profile.by_address);
    pair_map_free(&profile.addresses);
    arena_free(&profile.arena);
    free(profile.mappings);
    free(profile.places);
    return ok;
}
