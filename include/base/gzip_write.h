/* gzip_write.h - compresses bytes as a gzip file.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_GZIP_WRITE_H
#define REGPROF_BASE_GZIP_WRITE_H

#include <stddef.h>

/* The SIZE bytes at BYTES as a gzip file without a name and a date, so that the same bytes give the
   same file; sets *PACKED_SIZE.  Free with free.  */
void *gzip_pack(const void *bytes, size_t size, size_t *packed_size);

#endif
