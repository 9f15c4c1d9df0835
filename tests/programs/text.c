/* Words, counted in a hash table and a tree: small functions that optimisers clone, split and
 * inline.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 257, WORDS = 150000 };

struct word {
    struct word *next, *left, *right;
    unsigned count;
    char text[16];
};

static struct word *table[BUCKETS];
static struct word *root;
static unsigned state = 42;

static unsigned next_random(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 10) % below;
}

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}

static void make_word(char *out)
{
    unsigned n = 2 + next_random(4);
    for (unsigned i = 0; i < n; i++)
        out[i] = "etaoinshrdlu"[next_random(12)];
    out[n] = 0;
}

static struct word *new_word(const char *text)
{
    struct word *w = calloc(1, sizeof *w);
    if (!w) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    strcpy(w->text, text);
    return w;
}

static struct word *lookup(const char *text)
{
    struct word **slot = &table[hash(text) % BUCKETS];
    for (struct word *w = *slot; w; w = w->next) {
        if (strcmp(w->text, text) == 0)
            return w;
    }
    struct word *w = new_word(text);
    w->next = *slot;
    return *slot = w;
}

static void insert(struct word **at, struct word *w)
{
    if (!*at)
        *at = w;
    else
        insert(strcmp(w->text, (*at)->text) < 0 ? &(*at)->left : &(*at)->right, w);
}

static unsigned depth(const struct word *w)
{
    if (!w)
        return 0;
    unsigned l = depth(w->left), r = depth(w->right);
    return 1 + (l > r ? l : r);
}

static unsigned long walk(const struct word *w, void (*visit)(const struct word *, unsigned long *))
{
    unsigned long sum = 0;
    if (w) {
        sum += walk(w->left, visit);
        visit(w, &sum);
        sum += walk(w->right, visit);
    }
    return sum;
}

static void add_count(const struct word *w, unsigned long *sum)
{
    *sum += w->count;
}

static void add_letters(const struct word *w, unsigned long *sum)
{
    *sum += strlen(w->text) * w->count;
}

static int by_count(const void *a, const void *b)
{
    const struct word *x = *(struct word *const *)a, *y = *(struct word *const *)b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->text, y->text);
}

static void report(void)
{
    static struct word *all[WORDS];
    size_t n = 0;
    for (unsigned i = 0; i < BUCKETS; i++) {
        for (struct word *w = table[i]; w; w = w->next)
            all[n++] = w;
    }
    qsort(all, n, sizeof all[0], by_count);
    for (size_t i = 0; i < 3 && i < n; i++)
        printf("%s %u\n", all[i]->text, all[i]->count);
}

int main(void)
{
    char text[16];
    for (unsigned i = 0; i < WORDS; i++) {
        make_word(text);
        struct word *w = lookup(text);
        if (w->count++ == 0)
            insert(&root, w);
    }
    for (int i = 0; i < 20; i++)
        printf("%lu %lu %u\n", walk(root, add_count), walk(root, add_letters), depth(root));
    report();
    return 0;
}
