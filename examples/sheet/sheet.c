/* sheet.c - the cells, in a hash table by name.  */

#include "sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 16

enum state { UNKNOWN, RUNNING, KNOWN };

struct cell {
    char name[NAME_LENGTH];
    char *text;
    double value;
    enum state state;
    struct cell *next_in_bucket;
    struct cell *next; /* in the order of definition */
};

struct sheet {
    struct cell *buckets[BUCKETS];
    struct cell *first, **end;
};

static void *allocate(size_t size)
{
    void *p = calloc(1, size);
    if (!p)
        complain("no memory for", "a cell");
    return p;
}

static unsigned hash(const char *name)
{
    unsigned h = 0;
    while (*name)
        h = h * 31 + (unsigned char)*name++;
    return h % BUCKETS;
}

static int is_same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static struct cell *find(const struct sheet *sheet, const char *name)
{
    struct cell *cell = sheet->buckets[hash(name)];
    while (cell && !is_same(cell->name, name))
        cell = cell->next_in_bucket;
    return cell;
}

static struct cell *add(struct sheet *sheet, const char *name)
{
    struct cell *cell = allocate(sizeof *cell);
    struct cell **bucket = &sheet->buckets[hash(name)];

    if (strlen(name) >= NAME_LENGTH)
        complain("name is too long", name);
    strcpy(cell->name, name);
    cell->next_in_bucket = *bucket;
    *bucket = cell;
    *sheet->end = cell;
    sheet->end = &cell->next;
    return cell;
}

static void compute(struct sheet *sheet, struct cell *cell)
{
    if (cell->state == RUNNING)
        complain("cell depends on itself", cell->name);
    cell->state = RUNNING;
    cell->value = formula_value(sheet, cell->text);
    cell->state = KNOWN;
}

struct sheet *sheet_new(void)
{
    struct sheet *sheet = allocate(sizeof *sheet);
    sheet->end = &sheet->first;
    return sheet;
}

void sheet_free(struct sheet *sheet)
{
    struct cell *next;
    for (struct cell *cell = sheet->first; cell; cell = next) {
        next = cell->next;
        free(cell->text);
        free(cell);
    }
    free(sheet);
}

void sheet_set(struct sheet *sheet, const char *name, const char *text)
{
    struct cell *cell = find(sheet, name);
    if (!cell)
        cell = add(sheet, name);
    free(cell->text);
    cell->text = allocate(strlen(text) + 1);
    strcpy(cell->text, text);
    cell->state = UNKNOWN;
}

void sheet_recalculate(struct sheet *sheet)
{
    struct cell *cell;
    for (cell = sheet->first; cell; cell = cell->next)
        cell->state = UNKNOWN;
    for (cell = sheet->first; cell; cell = cell->next)
        if (cell->state == UNKNOWN)
            compute(sheet, cell);
}

double sheet_value(struct sheet *sheet, const char *name)
{
    struct cell *cell = find(sheet, name);
    if (!cell)
        complain("no such cell", name);
    if (cell->state != KNOWN)
        compute(sheet, cell);
    return cell->value;
}

void complain(const char *what, const char *where)
{
    fprintf(stderr, "sheet: %s: %s\n", where, what);
    exit(1);
}
