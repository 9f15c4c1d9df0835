/* program.c - the small project of doc/CI: counts the words of a text that it makes up.  With
   -DSLOWER, hash () takes a fifth longer.  The argument is the number of texts.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SLOWER
enum { ROUNDS = 48 };
#else
enum { ROUNDS = 40 };
#endif

#define FUNCTION __attribute__((noinline))

enum { TEXT = 60000, BUCKETS = 4096, WORDS = 2000 };

static char text[TEXT + 1];
static unsigned buckets[BUCKETS];

/* Words of two to eight letters; the same ones for the same SEED.  */
static FUNCTION void make_text(unsigned seed)
{
    unsigned left = 0;
    for (int i = 0; i < TEXT; i++) {
        seed = seed * 1664525 + 1013904223;
        if (left == 0) {
            text[i] = ' ';
            left = 2 + (seed >> 16) % 7;
        } else {
            text[i] = (char)('a' + (seed >> 20) % 16);
            left--;
        }
    }
}

static FUNCTION unsigned hash(const char *word, size_t length)
{
    unsigned value = 2166136261;
    for (size_t i = 0; i < length; i++)
        for (int round = 0; round < ROUNDS; round++)
            value = (value ^ (unsigned char)word[i]) * 16777619;
    return value;
}

static FUNCTION void count_words(void)
{
    for (const char *word = text; *word != '\0';) {
        size_t length = strcspn(word, " ");
        buckets[hash(word, length) % BUCKETS]++;
        word += length + (word[length] == ' ');
    }
}

/* The number of pairs of neighbours that are out of order.  */
static FUNCTION unsigned check_order(void)
{
    unsigned wrong = 0;
    for (int pass = 0; pass < 40; pass++)
        for (int i = 1; i < BUCKETS; i++)
            wrong += (buckets[i - 1] * 7u) % 13u > (buckets[i] + (unsigned)pass) % 11u;
    return wrong;
}

int main(int argc, char **argv)
{
    unsigned wrong = 0;
    int texts = argc > 1 ? atoi(argv[1]) : 100;
    for (int i = 0; i < texts; i++) {
        make_text((unsigned)i);
        count_words();
        wrong += check_order();
    }
    printf("%u\n", wrong);
    return 0;
}
