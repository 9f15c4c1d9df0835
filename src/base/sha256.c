/* sha256.c - SHA-256, as FIPS 180-4 describes it.

   Plain, since it hashes the script and the style of a page, 100 kB once in a run.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/sha256.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes.  */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static void expand(uint32_t schedule[ROUNDS], const unsigned char *block)
{
    for (int i = 0; i < 16; i++)
        schedule[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                      (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < ROUNDS; i++) {
        uint32_t a = schedule[i - 15], b = schedule[i - 2];
        schedule[i] = schedule[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + schedule[i - 7] +
                      (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t schedule[ROUNDS], s[8];
    expand(schedule, block);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        uint32_t first = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + choice +
                         constants[i] + schedule[i];
        uint32_t second = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + majority;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

/* Adds the last REST bytes of SIZE, a one bit, zeros and the number of bits.  */
static void add_end(uint32_t state[8], const unsigned char *rest, size_t size)
{
    unsigned char blocks[2 * BLOCK] = {0};
    size_t left = size % BLOCK, end = left + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    if (left > 0)
        memcpy(blocks, rest, left);
    blocks[left] = 0x80;
    for (size_t i = 0; i < 8; i++)
        blocks[end - 1 - i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
    for (size_t at = 0; at < end; at += BLOCK)
        add_block(state, blocks + at);
}

void sha256(const void *data, size_t size, unsigned char digest[SHA256_SIZE])
{
    const unsigned char *bytes = data;
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t whole = size - size % BLOCK;
    for (size_t at = 0; at < whole; at += BLOCK)
        add_block(state, bytes + at);
    add_end(state, bytes + whole, size);
    for (int i = 0; i < SHA256_SIZE; i++)
        digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_base64(const void *data, size_t size, char text[SHA256_BASE64_SIZE])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char digest[SHA256_SIZE + 1] = {0}; /* a multiple of three */
    sha256(data, size, digest);
    for (size_t i = 0; i < sizeof digest / 3; i++) {
        uint32_t bits =
            (uint32_t)digest[3 * i] << 16 | (uint32_t)digest[3 * i + 1] << 8 | digest[3 * i + 2];
        for (size_t d = 0; d < 4; d++)
            text[4 * i + d] = digits[bits >> (18 - 6 * d) & 63];
    }
    strcpy(text + SHA256_BASE64_SIZE - 2, "=");
}
