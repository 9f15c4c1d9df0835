/* image_traits.c - what the names of an image's symbols tell about the program.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/image_traits.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"

enum trait {
    TRAIT_START,
    TRAIT_COUNTER,
    TRAIT_INSTRUMENTED,
    TRAIT_THREADS,
    TRAIT_GMON_START,
    TRAIT_WRITER,
    TRAIT_GNU_WRITER,
    TRAIT_MUSL
};

/* Known names; a star matches any end.  */
static const struct {
    const char *name;
    enum trait trait;
} known[] = {
    {"_start", TRAIT_START},
    {"__start", TRAIT_START}, /* MIPS, Alpha */
    {"mcount", TRAIT_COUNTER},
    {"_mcount", TRAIT_COUNTER},
    {"__mcount", TRAIT_COUNTER},
    {"__gnu_mcount_nc", TRAIT_COUNTER}, /* ARM */
    {"__fentry__", TRAIT_COUNTER},
    {"__cyg_profile_func_enter", TRAIT_INSTRUMENTED},
    {"__gmon_start__", TRAIT_GMON_START}, /* of GNU's start-up code for -pg */
    {"monstartup", TRAIT_WRITER},
    {"_monstartup", TRAIT_WRITER},
    {"__monstartup", TRAIT_GNU_WRITER},
    {"_mcleanup", TRAIT_WRITER},
    {"regmon_*", TRAIT_GMON_START}, /* libregmon */
    {"__init_libc", TRAIT_MUSL},    /* statically linked */
    {"pthread_create", TRAIT_THREADS},
    {"thrd_create", TRAIT_THREADS},
    {"_ZNSt6thread15_M_start_thread*", TRAIT_THREADS}, /* std::thread, std::async */
    {"GOMP_parallel*", TRAIT_THREADS},
    {"__kmpc_fork_call*", TRAIT_THREADS},
};

/* Whether NAME, which may have a version behind an `@', is KNOWN_NAME.  */
static bool is_named(const char *name, const char *known_name)
{
    size_t length = strcspn(known_name, "*");
    if (strncmp(name, known_name, length) != 0)
        return false;
    return known_name[length] == '*' || name[length] == '\0' || name[length] == '@';
}

static void note_trait(struct image_traits *traits, enum trait trait, enum symbol_kind kind)
{
    switch (trait) {
    case TRAIT_START:
        traits->is_program |= kind == SYMBOL_DEFINED;
        break;
    case TRAIT_COUNTER:
        traits->has_counter |= kind == SYMBOL_DEFINED;
        traits->imports_counter |= kind == SYMBOL_IMPORTED;
        break;
    case TRAIT_INSTRUMENTED:
        traits->is_instrumented |= kind != SYMBOL_OPTIONAL;
        break;
    case TRAIT_GMON_START:
        traits->writes_profiles |= kind == SYMBOL_DEFINED;
        break;
    case TRAIT_GNU_WRITER:
        traits->has_gnu_writer |= kind == SYMBOL_DEFINED;
        traits->writes_profiles |= kind == SYMBOL_IMPORTED;
        break;
    case TRAIT_WRITER:
        traits->has_writer |= kind == SYMBOL_DEFINED;
        traits->writes_profiles |= kind == SYMBOL_IMPORTED;
        break;
    case TRAIT_MUSL:
        traits->is_for_musl |= kind == SYMBOL_DEFINED;
        break;
    case TRAIT_THREADS:
        traits->can_start_threads |= kind != SYMBOL_OPTIONAL;
        break;
    }
}

/* Whether a section has the text.  */
static bool section_has(struct image *image, const char *section, const char *text)
{
    const size_t length = strlen(text);
    bool found = false;
    size_t size;
    vma addr;
    char *bytes = image_section(image, section, &size, &addr);
    for (size_t i = 0; bytes != NULL && !found && i + length <= size; i++)
        found = memcmp(bytes + i, text, length) == 0;
    free(bytes);
    return found;
}

struct image_traits image_traits(struct image *image)
{
    struct image_traits traits = {0};
    enum symbol_kind kind;
    const char *name;
    bool has_imports = false;
    bool is_first[UCHAR_MAX + 1] = {false}; /* characters of known names */
    for (size_t k = 0; k < ARRAY_LENGTH(known); k++)
        is_first[(unsigned char)known[k].name[0]] = true;
    for (size_t i = 0; (name = image_symbol_name(image, i, &kind)) != NULL; i++) {
        traits.has_symbols = true;
        has_imports |= kind == SYMBOL_IMPORTED;
        if (!is_first[(unsigned char)name[0]]) /* most names */
            continue;
        for (size_t k = 0; k < ARRAY_LENGTH(known); k++)
            if (is_named(name, known[k].name))
                note_trait(&traits, known[k].trait, kind);
    }
    bool is_list = strcmp(image_arch_name(image), LISTED_ARCH) == 0; /* has all that was sampled */
    traits.is_static = is_list || (traits.is_program && !has_imports);
    traits.writes_profiles |= traits.has_writer && !traits.has_gnu_writer;
    traits.writes_profiles |= section_has(image, ".dynstr", "libregmon.so");
    traits.is_for_musl |= section_has(image, ".interp", "ld-musl");
    return traits;
}

bool image_mentions_profiling(struct image *image)
{
    enum symbol_kind kind;
    const char *name;
    for (size_t i = 0; (name = image_symbol_name(image, i, &kind)) != NULL; i++)
        if (strstr(name, "mcount") != NULL || strstr(name, "monstartup") != NULL ||
            strstr(name, "__fentry__") != NULL || strstr(name, "__cyg_profile") != NULL)
            return true;
    return false;
}

enum profiling_gap image_profiling_gap(const struct image_traits *traits)
{
    bool has_calls = traits->imports_counter || traits->has_counter;
    if (!traits->is_program || traits->is_instrumented)
        return GAP_NONE;
    if (has_calls)
        return traits->writes_profiles ? GAP_NONE : GAP_LINKING;
    return traits->writes_profiles ? GAP_COMPILING : GAP_BOTH;
}

enum image_profiling image_profiling(const struct image_traits *traits)
{
    if (traits->imports_counter || traits->is_instrumented ||
        (traits->has_counter && traits->is_program))
        return PROFILING_ON;
    return traits->is_program && !traits->has_counter ? PROFILING_OFF : PROFILING_UNKNOWN;
}

bool image_counts_no_calls(struct image *image)
{
    /* A stripped program that counts calls imports the function that does.  */
    struct image_traits traits = image_traits(image);
    enum image_profiling profiling = image_profiling(&traits);
    return profiling == PROFILING_OFF ||
           (profiling == PROFILING_UNKNOWN && image_lacks_symbols(image));
}
