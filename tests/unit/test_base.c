/* test_base.c - sorting, hash maps, memory.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/sort.h"
#include "base/text.h"
#include "tap.h"

enum { MANY = 5000 };

/* ---- Text that is no UTF-8 ---- */

/* Whether the text FROM becomes TO in UTF-8.  */
static void becomes(struct arena *arena, const char *from, const char *to, const char *what)
{
    const char *found = arena_utf8(arena, from);
    is_true(strcmp(found, to) == 0, what);
    if (strcmp(found, to) != 0)
        printf("# %s\n", found);
}

static void test_utf8(void)
{
    struct arena arena = {0};
    const char *valid = "caf\xc3\xa9 \xc2\x85";
    is_true(arena_utf8(&arena, valid) == valid, "UTF-8 stays what it is");
    becomes(&arena, "caf\xe9", "caf\xc3\xa9", "a byte of Latin-1 becomes its character");
    becomes(&arena, "\x7f\x80\x8a\x9f\xa0", "\x7f\\x80\\x8a\\x9f\xc2\xa0",
            "control characters of Latin-1 become their numbers, and no others");
    becomes(&arena, "\xe9\xc2\x85", "\xc3\xa9\\x85", "so do those in UTF-8 beside them");
    arena_free(&arena);
}

/* ---- Sorting ---- */

static int by_key(const void *context, uint32_t a, uint32_t b)
{
    const int *keys = context;
    return (keys[a] > keys[b]) - (keys[a] < keys[b]);
}

/* As in rock, paper, scissors: b beats a if it is one more, modulo three; equal ones tie.  Not
   transitive.  */
static int by_game(const void *context, uint32_t a, uint32_t b)
{
    const int *keys = context;
    static const int results[] = {0, -1, 1};
    return results[(keys[b] - keys[a] + 3) % 3];
}

/* The definition of the sort: the first half has n/2 elements and wins ties.  */
static void sort_plainly(uint32_t *ids, size_t n, compare_ids *compare, const void *context)
{
    if (n < 2)
        return;
    size_t half = n / 2, left = 0, right = half;
    sort_plainly(ids, half, compare, context);
    sort_plainly(ids + half, n - half, compare, context);
    uint32_t *merged = mem_array(n, sizeof *merged);
    for (size_t i = 0; i < n; i++) {
        bool take_right =
            left == half || (right < n && compare(context, ids[left], ids[right]) > 0);
        merged[i] = ids[take_right ? right++ : left++];
    }
    memcpy(ids, merged, n * sizeof *ids);
    free(merged);
}

static bool sorts_as_defined(size_t n, compare_ids *compare, const int *keys)
{
    uint32_t *ids = identity_ids(n), *quick = identity_ids(n), *plain = identity_ids(n);
    sort_ids_by_merging(ids, n, compare, keys);
    sort_ids(quick, n, compare, keys);
    sort_plainly(plain, n, compare, keys);
    bool is_same = n == 0 || memcmp(ids, plain, n * sizeof *ids) == 0;
    if (compare == by_key && n > 0) /* here the stable order is unique */
        is_same = is_same && memcmp(quick, plain, n * sizeof *quick) == 0;
    free(ids);
    free(quick);
    free(plain);
    return is_same;
}

static bool is_stable(const uint32_t *ids, size_t n, const int *keys)
{
    for (size_t i = 1; i < n; i++) {
        int before = keys[ids[i - 1]], after = keys[ids[i]];
        if (before > after || (before == after && ids[i - 1] > ids[i]))
            return false;
    }
    return true;
}

static void test_sorting(void)
{
    int keys[MANY];
    uint64_t state = 1;
    for (size_t i = 0; i < MANY; i++)
        keys[i] = (int)(next_random(&state) % 50);
    uint32_t *ids = identity_ids(MANY), *scratch = mem_array(MANY, sizeof *scratch);
    sort_ids_in(ids, MANY, scratch, by_key, keys);
    is_true(is_stable(ids, MANY, keys), "sorting is stable");
    free(ids);
    free(scratch);
    bool ok = true, is_fine_too = true;
    for (size_t n = 0; n < 300; n++) {
        ok = ok && sorts_as_defined(n, by_key, keys);
        for (size_t i = 0; i < n; i++)
            keys[i] %= 3;
        is_fine_too = is_fine_too && sorts_as_defined(n, by_game, keys);
        for (size_t i = 0; i < n; i++)
            keys[i] = (int)(next_random(&state) % 50);
    }
    is_true(ok, "sorting is a top-down merge sort at every length");
    is_true(is_fine_too, "so it is where the comparison is not transitive");
}

/* Elements to sort by a key, and by a second key if the first is equal.  */
struct thing {
    uint64_t key;
    int second;
};

static uint64_t key_of_thing(const void *context, uint32_t id, unsigned level)
{
    const struct thing *thing = &((const struct thing *)context)[id];
    return level == 0 ? thing->key : (uint64_t)thing->second;
}

static int compare_keys(const void *context, uint32_t a, uint32_t b)
{
    const struct thing *things = context;
    return things[a].key < things[b].key ? -1 : things[a].key > things[b].key;
}

static int compare_things(const void *context, uint32_t a, uint32_t b)
{
    const struct thing *things = context;
    int order = compare_keys(context, a, b);
    return order != 0 ? order : things[a].second - things[b].second;
}

static int compare_seconds(const void *context, uint32_t a, uint32_t b)
{
    const struct thing *things = context;
    return things[a].second - things[b].second;
}

/* Whether N elements with keys of BITS bits, shifted by SHIFT, are sorted by ORDER as with COMPARE
   only.  */
static bool sorts_by_order(size_t n, unsigned bits, unsigned shift, const struct id_order *order,
                           compare_ids *compare)
{
    uint64_t state = n + bits;
    struct thing *things = mem_array(n, sizeof *things);
    for (size_t i = 0; i < n; i++)
        things[i] = (struct thing){~(next_random_64(&state) >> (64 - bits)) << shift,
                                   (int)(next_random(&state) % 3)};
    uint32_t *ids = identity_ids(n), *plain = identity_ids(n);
    sort_by_order(ids, n, order, things);
    sort_ids(plain, n, compare, things);
    bool ok = n == 0 || memcmp(ids, plain, n * sizeof *ids) == 0;
    for (size_t i = 1; i < n && ok; i++) {
        uint32_t a = plain[i], b = plain[i - 1];
        ok = compare_by_order(order, things, a, b) == compare(things, a, b) ||
             compare_by_order(order, things, a, b) * compare(things, a, b) > 0;
    }
    free(things);
    free(ids);
    free(plain);
    return ok;
}

static void test_sorting_by_order(void)
{
    static const size_t sizes[] = {0, 1, 128, 129, 1000, 5000};
    static const struct {
        struct id_order order;
        compare_ids *compare;
        const char *name;
    } orders[] = {
        {{.key = key_of_thing, .levels = 1},
         compare_keys,
         "sorting by keys: ties keep their order"},
        {{.key = key_of_thing, .levels = 2}, compare_things, "by keys on two levels"},
        {{.key = key_of_thing, .levels = 1, .compare_rest = compare_seconds},
         compare_things,
         "by keys, then by comparing"},
        {{.key = key_of_thing, .levels = 1, .hints = 1, .compare_rest = compare_seconds},
         compare_things,
         "and with hints for comparing"},
        {{.key = key_of_thing, .hints = 1, .compare_rest = compare_things},
         compare_things,
         "with hints alone"},
    };
    for (size_t o = 0; o < ARRAY_LENGTH(orders); o++) {
        bool ok = true;
        for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++)
            for (unsigned bits = 1; bits <= 61; bits += 6)
                for (unsigned shift = 0; shift + bits <= 64; shift += 16)
                    ok = ok &&
                         sorts_by_order(sizes[i], bits, shift, &orders[o].order, orders[o].compare);
        is_true(ok, orders[o].name);
    }
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

static void test_sorting_numbers(void)
{
    static const size_t sizes[] = {0, 1, 2, 1000};
    bool ok = true;
    for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++)
        for (unsigned bits = 1; bits <= 64; bits += 9) {
            uint64_t numbers[1000], plain[1000], state = bits;
            for (size_t n = 0; n < sizes[i]; n++)
                numbers[n] = plain[n] = next_random_64(&state) >> (64 - bits);
            sort_numbers(numbers, sizes[i]);
            qsort(plain, sizes[i], sizeof *plain, compare_numbers);
            ok = ok && (sizes[i] == 0 || memcmp(numbers, plain, sizes[i] * 8) == 0);
        }
    is_true(ok, "numbers are sorted");
}

static void test_keys(void)
{
    static const double numbers[] = {1e300, 5, 4.999, 1e-300, 0, -1e-300, -5, -1e300};
    static const char *const texts[] = {"", "a", "aa", "abcdefgh", "abcdefgi", "b", "\xe4", "\xff"};
    bool is_falling = true, is_rising = true;
    for (size_t i = 1; i < ARRAY_LENGTH(numbers); i++)
        is_falling = is_falling && key_descending(numbers[i - 1]) < key_descending(numbers[i]);
    is_true(is_falling, "the largest number has the smallest key");
    is_true(key_descending(0.0) == key_descending(-0.0), "both zeros have one");
    for (size_t i = 1; i < ARRAY_LENGTH(texts); i++)
        is_rising = is_rising && key_of_text(texts[i - 1]) < key_of_text(texts[i]);
    is_true(is_rising, "keys of texts are in the order of strcmp");
    is_true(key_of_text("abcdefgh") == key_of_text("abcdefghi"), "as far as eight bytes go");
}

/* ---- Pairs ---- */

static void test_pairs(void)
{
    struct pair_map map = {0};
    is_equal(pair_map_number(&map, 5, 6), 0, "the first pair has number 0");
    is_equal(pair_map_number(&map, 6, 5), 1, "order within a pair counts");
    is_equal(pair_map_number(&map, 5, 6), 0, "a pair keeps its number");
    is_equal(pair_map_number(&map, UINT64_MAX, 0), 2, "large values are values like others");
    is_equal(pair_map_number(&map, 0, 0), 3, "and so is zero");
    is_equal(map.count, 4, "pairs are counted once");
    pair_map_free(&map);
}

/* Paths of drawn nodes in a tree, and the same by pair_map_number.  */
static void test_tree_of_pairs(void)
{
    struct pair_map tree = {0}, known = {0};
    bool is_same = true;
    uint64_t drawn = 1;
    for (int i = 0; i < 20000; i++) {
        uint64_t above = 0;
        for (int depth = 0; depth < 12; depth++) {
            drawn = drawn * 6364136223846793005u + 1442695040888963407u;
            uint64_t a = (drawn >> 40 & 1) << 32 | above, b = drawn >> 60;
            uint32_t number = pair_map_node(&tree, a, b);
            is_same = is_same && number == pair_map_number(&known, a, b);
            above = (uint64_t)number + 1;
        }
    }
    is_true(is_same && tree.count > 100000, "nodes of a tree have the numbers of their pairs");
    is_true(tree.index.used < tree.count / 2, "most need no slot");
    pair_map_close(&tree);
    is_true(memcmp(tree.pairs, known.pairs, tree.count * sizeof *tree.pairs) == 0,
            "the pairs outlive the slots");
    pair_map_free(&tree);
    pair_map_free(&known);
}

static void test_many_pairs(void)
{
    struct pair_map map = {0};
    bool ok = true;
    for (uint64_t round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < 200000; i++)
            ok = ok && pair_map_number(&map, i << 32, i % 7) == i;
    }
    is_true(ok && map.count == 200000, "many pairs, alike in their low bits, keep their numbers");
    is_true(map.pairs[1234].a == (uint64_t)1234 << 32 && map.pairs[1234].b == 1234 % 7,
            "pairs are found by number");
    pair_map_free(&map);
}

static void test_pair_counts(void)
{
    enum { PAIRS = 100000 };
    struct pair_counts counts = {0};
    bool ok = true;
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t i = 0; i < PAIRS; i++)
            pair_counts_add(&counts, i % 7, UINT32_MAX - i, i);
    pair_counts_add(&counts, 0, UINT32_MAX, UINT64_MAX);
    pair_counts_add(&counts, 0, UINT32_MAX, 1);
    is_equal(counts.count, PAIRS, "each pair has one count");
    pair_counts_close(&counts);
    for (uint32_t i = 1; i < PAIRS; i++)
        ok = ok && counts.pairs[i].a == i % 7 && counts.pairs[i].b == UINT32_MAX - i &&
             counts.pairs[i].count == 3 * (uint64_t)i;
    is_true(ok, "the sum of what was added, in order of first appearance");
    is_equal(counts.pairs[0].count, UINT64_MAX, "a sum that does not fit stays largest");
    pair_counts_free(&counts);
}

static void test_pair_sums(void)
{
    enum { PAIRS = 1000 };
    struct pair_sums sums = {0};
    bool ok = true;
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t i = 0; i < PAIRS; i++) {
            uint32_t root = pair_sums_node(&sums, (uint64_t)i << 32, i % 7);
            sums.sums[root] += i;
        }
    pair_sums_scale(&sums, 2, 3);
    for (uint32_t i = 0; i < PAIRS; i++)
        ok = ok && sums.map.pairs[i].a >> 32 == i && sums.sums[i] == 2.0 * i;
    is_true(ok && sums.map.count == PAIRS, "sums of nodes that have none above them, multiplied");
    pair_sums_free(&sums);
    uint32_t root = pair_sums_node(&sums, 0, 1), below = pair_sums_node(&sums, root + 1, 2);
    sums.sums[below] = 3;
    is_equal(pair_sums_node(&sums, root + 1, 2), below, "a node that is known");
    is_same_double(sums.sums[below], 3, "keeps its sum");
    is_same_double(sums.sums[root], 0, "and none of the one above it");
    pair_sums_free(&sums);
}

static size_t longest_run(const struct hash_index *index)
{
    size_t longest = 0, run = 0;
    for (size_t at = 0; at < (size_t)1 << index->bits; at++) {
        run = index->slots[at].number != 0 ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    return longest;
}

/* Adds N pairs (0, SECONDS[i]) with the same hash to MAP.  They are found by inverting the hash,
   whose multiplications and shifts all have inverses.  */
static void number_colliding(struct pair_map *map, uint64_t *seconds, size_t n)
{
    const uint64_t second = 0xBF58476D1CE4E5B9u, third = 0x94D049BB133111EBu;
    uint64_t inverse_second = 1, inverse_third = 1;
    for (int i = 0; i < 6; i++) {
        inverse_second *= 2 - second * inverse_second;
        inverse_third *= 2 - third * inverse_third;
    }
    uint64_t first = map->index.key * 0x9E3779B97F4A7C15u; /* of the pairs' first half, 0 */
    first ^= first >> 32;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t hash = UINT64_C(17) << 32 | i;
        hash = (hash ^ hash >> 32) * inverse_third;
        hash = (hash ^ hash >> 29 ^ hash >> 58) * inverse_second;
        seconds[i] = hash - first;
        pair_map_number(map, 0, seconds[i]);
    }
}

static void test_prepared_pairs(void)
{
    enum { COUNT = 2000 };
    uint64_t seconds[COUNT];
    struct pair_map known = {.index.key = 12345}, other = {0};
    number_colliding(&known, seconds, COUNT);
    is_true(longest_run(&known.index) == COUNT,
            "pairs can be made that collide where the key is known");
    for (size_t i = 0; i < COUNT; i++)
        pair_map_number(&other, 0, seconds[i]);
    is_true(other.index.key != 0 && longest_run(&other.index) < COUNT / 4, "elsewhere they do not");
    pair_map_free(&known);
    pair_map_free(&other);
    struct string_map one = {0}, two = {0};
    string_map_number(&one, "a");
    string_map_number(&two, "a");
    is_true(one.index.key != 0 && two.index.key != 0 && one.index.key != two.index.key,
            "each map draws a key of its own");
    string_map_free(&one);
    string_map_free(&two);
}

/* ---- Memory ---- */

static void test_reordering(void)
{
    enum { COUNT = 5 };
    struct odd {
        char bytes[3];
    } *things = mem_array(COUNT, sizeof *things);
    uint32_t *order = identity_ids(COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        things[i].bytes[0] = things[i].bytes[2] = (char)('a' + i);
        order[i] = (i * 3 + 1) % COUNT;
    }
    things = mem_reorder(things, order, COUNT, sizeof *things);
    is_true(memcmp(things, "b\0be\0ec\0ca\0ad\0d", COUNT * sizeof *things) == 0,
            "objects stand in the order that was asked for");
    free(things);
    free(mem_reorder(NULL, identity_ids(0), 0, sizeof *things));
}

static void test_memory(void)
{
    size_t capacity = 0, moves = 0;
    uint32_t *numbers = NULL;
    for (uint32_t i = 0; i < 100000; i++) {
        size_t before = capacity;
        numbers = mem_grow(numbers, &capacity, i + 1, sizeof *numbers);
        moves += capacity != before;
        numbers[i] = i;
    }
    is_true(numbers[0] == 0 && numbers[99999] == 99999, "growing keeps what is there");
    is_true(moves < 60, "growing one by one is linear");
    free(numbers);
    char *nothing = mem_array(0, 8);
    is_true(nothing != NULL, "an array of nothing is not NULL");
    free(nothing);
    char *copy = mem_copy("abcdef", 3);
    is_same_text(copy, "abc", "a copy ends in NUL");
    free(copy);
}

static void test_arena(void)
{
    struct arena arena = {0};
    char *kept = arena_copy(&arena, "kept for long", 4);
    bool ok = true;
    for (size_t i = 1; i < 3000; i++) {
        char *p = arena_alloc(&arena, i);
        ok = ok && (uintptr_t)p % _Alignof(max_align_t) == 0;
        memset(p, 'x', i);
    }
    is_true(ok, "what an arena gives is aligned");
    is_same_text(kept, "kept", "what an arena gave stays as it is");
    arena_free(&arena);
}

static void test_sums(void)
{
    is_equal(sum_u64(3, 4), 7, "sums");
    is_equal(sum_u64(UINT64_MAX - 1, 1), UINT64_MAX, "a sum that just fits");
    is_equal(sum_u64(UINT64_MAX, 1), UINT64_MAX,
             "a sum that does not fit stays at the largest value");
    is_equal(sum_u64(UINT64_MAX, UINT64_MAX), UINT64_MAX, "whatever is added");
}

/* Every earlier name comes before every later one.  */
static void test_natural_order(void)
{
    static const char *const names[] = {
        "",
        "0",
        "00",
        "01",
        "1",
        "1a",
        "2",
        "010",
        "10",
        "10.1",
        "10.9",
        "10.10",
        "a",
        "a-1",
        "a/2",
        "a1",
        "a1b2",
        "a1b10",
        "a2",
        "a10",
        "b",
        "b9999",
        "b99999999999999999999998",
        "b99999999999999999999999",
        "\xC3",
    };
    bool is_ordered = true;
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        for (size_t j = 0; j < ARRAY_LENGTH(names); j++) {
            int order = compare_natural(names[i], names[j]);
            is_ordered = is_ordered && (i < j ? order < 0 : i > j ? order > 0 : order == 0);
        }
    is_true(is_ordered, "numbers in names are ordered by value");
}

static void test_visible(void)
{
    static const char *const fine[] = {"",
                                       " plain ~",
                                       "f\xC3\xBCr",
                                       "\xC3\xBC",
                                       "a\xE2\x82\xAC z",
                                       "\xE2\x80\x90",
                                       "\xE2\x81\xA5",
                                       "\xD8\x9D"};
    static const char *const controls[] = {"\t",           "a\x1F",         "a\x7Fz",
                                           "\xC3\xBC\x01", "a\xC2\x85",     "\x9B",
                                           "\xE2\x80\x8E", "a\xE2\x80\xAE", "a\xD8\x9C",
                                           "\xE2\x81\xA6", "\xE2\x81\xA9z", "\xE2\x80\xAA"};
    bool are_visible = true, is_any_visible = false;
    for (size_t i = 0; i < ARRAY_LENGTH(fine); i++)
        are_visible = are_visible && is_printable(fine[i]);
    for (size_t i = 0; i < ARRAY_LENGTH(controls); i++)
        is_any_visible = is_any_visible || is_printable(controls[i]);
    is_true(are_visible, "letters of any language are visible");
    is_true(!is_any_visible, "control characters are not, wherever they stand");
}

static void test_id_lists(void)
{
    static const uint32_t keys[] = {2, 0, 2, 9, 0, UINT32_MAX}, ids[] = {5, 6, 7, 8, 9, 10};
    static const uint32_t start[] = {0, 2, 2, 4, 4}, named[] = {6, 9, 5, 7}, plain[] = {1, 4, 0, 2};
    struct id_lists lists = id_lists_make(keys, ids, ARRAY_LENGTH(keys), 4);
    is_true(memcmp(lists.start, start, sizeof start) == 0, "lists begin where those before end");
    is_true(memcmp(lists.ids, named, sizeof named) == 0, "ids of one key keep their order");
    id_lists_free(&lists);
    lists = id_lists_make(keys, NULL, ARRAY_LENGTH(keys), 4);
    is_true(memcmp(lists.start, start, sizeof start) == 0 &&
                memcmp(lists.ids, plain, sizeof plain) == 0,
            "and without ids they are indexes");
    id_lists_free(&lists);
    lists = id_lists_make(NULL, NULL, 0, 2);
    is_true(lists.start[0] == 0 && lists.start[2] == 0, "nothing makes empty lists");
    id_lists_free(&lists);
}

int main(void)
{
    test_visible();
    test_natural_order();
    test_utf8();
    test_sorting();
    test_sorting_by_order();
    test_sorting_numbers();
    test_keys();
    test_id_lists();
    test_pairs();
    test_many_pairs();
    test_tree_of_pairs();
    test_pair_counts();
    test_pair_sums();
    test_prepared_pairs();
    test_memory();
    test_reordering();
    test_arena();
    test_sums();
    return tap_done();
}
