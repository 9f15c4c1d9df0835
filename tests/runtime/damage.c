/* damage SEED CHANGES PATH: calls leaf 1,000 times, gives up the rights of root, and then changes
   its own pool in so many places, which are drawn: words anywhere, words of the header and of the
   objects, and texts, which become PATH or a part of it.
   damage count: makes the count of the arc to leaf larger than any process can reach. */
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "objects.h"
#include "pool.h"
#include "table.h"

#define PLAIN __attribute__((no_instrument_function))

__attribute__((noinline)) void leaf(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) void other(void)
{
    __asm__ volatile("");
}

PLAIN static struct pool_header *find_pool(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    struct pool_header *header = NULL;
    char line[8192];

    while (maps && !header && fgets(line, sizeof line, maps))
        if (strstr(line, "/regmon-"))
            header = (struct pool_header *)strtoul(line, NULL, 16);
    if (!header || header->magic != POOL_MAGIC) {
        fputs("no pool is mapped\n", stderr);
        exit(2);
    }
    return header;
}

/* ---- One count ---- */

PLAIN static void change_count(struct pool_header *header)
{
    uint64_t *words = (uint64_t *)header;

    for (uint64_t i = 0; i < header->used / sizeof *words; i++)
        if (words[i] == 1000)
            words[i] = (uint64_t)1 << 63;
}

/* ---- Draws ---- */

static uint64_t state;

PLAIN static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % below;
}

PLAIN static uint64_t draw_value(void)
{
    static const uint64_t values[] = {0, 1, 2, 1000, 4096, UINT32_MAX, INT64_MAX, UINT64_MAX};

    if (draw(3) == 0)
        return draw(UINT32_MAX) << draw(33);
    return values[draw(sizeof values / sizeof *values)];
}

PLAIN static void change_text(char *text, size_t bytes, const char *path)
{
    const char *const texts[] = {path, path + 1, "%n",   "../../x", "..",
                                 ".",  "",       "a\nb", "/",       "x/y/z"};

    strncpy(text, texts[draw(sizeof texts / sizeof *texts)], bytes);
}

PLAIN static void change_object(struct pool_header *header, const char *path)
{
    char *base = (char *)header;
    struct pool_object *o = NULL;

    for (uint64_t i = draw(20) + 1, at = header->objects; i > 0 && at > 0 && at < header->used;
         i--) {
        o = (struct pool_object *)(base + at);
        at = o->next;
    }
    if (!o)
        return;
    if (draw(2))
        change_text(o->object.name, sizeof o->object.name, path);
    else
        ((uint64_t *)o)[draw(offsetof(struct pool_object, object.name) / 8)] = draw_value();
}

PLAIN static void change(struct pool_header *header, const char *path)
{
    uint64_t *words = (uint64_t *)header;

    switch (draw(6)) {
    case 0:
        words[draw(header->used < 1 << 20 ? header->used / 8 : 1 << 17)] = draw_value();
        break;
    case 1:
        words[1 + draw(offsetof(struct pool_header, config) / 8 - 1)] = draw_value();
        break;
    case 2:
        change_text(header->config.prefix, sizeof header->config.prefix, path);
        header->config.is_pattern = draw(2);
        header->config.names_process = draw(2);
        break;
    case 3:
        change_text(header->config.program, sizeof header->config.program, path);
        change_text(header->config.host, sizeof header->config.host, path);
        break;
    case 4:
        change_text(header->directory, sizeof header->directory, path);
        header->program_start = header->process_start = INT64_MAX;
        break;
    default:
        change_object(header, path);
    }
}

int main(int count, char **words)
{
    struct pool_header *header = find_pool();

    for (int i = 0; i < 1000; i++)
        leaf();
    for (int i = 0; i < 10; i++)
        other();
    if (count == 2) {
        change_count(header);
        return 0;
    }
    if (geteuid() == 0 && (setgroups(0, NULL) || setgid(65534) || setuid(65534)))
        return 3;
    state = strtoul(words[1], NULL, 10);
    for (int i = atoi(words[2]); i > 0; i--)
        change(header, words[3]);
    return 0;
}
