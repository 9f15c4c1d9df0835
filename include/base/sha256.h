/* sha256.h - the hash function SHA-256 (FIPS 180-4).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_SHA256_H
#define REGPROF_BASE_SHA256_H

#include <stddef.h>

enum { SHA256_SIZE = 32, SHA256_BASE64_SIZE = 45 };

/* Sets DIGEST to the hash of the SIZE bytes at DATA.  */
void sha256(const void *data, size_t size, unsigned char digest[SHA256_SIZE]);

/* The same as base64 text, with a NUL.  */
void sha256_base64(const void *data, size_t size, char text[SHA256_BASE64_SIZE]);

#endif
