/* image_files.h - libbfd's files of an image, for what else of the library reads them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_IMAGE_FILES_H
#define REGPROF_INPUT_IMAGE_FILES_H

#include "debug/libbfd_files.h"
#include "input/image.h"

/* NULL if IMAGE is a list of functions.  Owned by IMAGE.  */
struct libbfd_files *image_files(struct image *image);

#endif
