/* debug_file.c - finds separate files with symbols and debug information.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/bfd_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/messages.h"
#include "base/stderr_capture.h"
#include "input/image.h"
#include "model/model.h"

/* Searched after the image's own directory.  */
static const char global_directory[] = "/usr/lib/debug";

/* ---- Build ids ---- */

/* The description of the note at DATA, of type 3 and with the name `GNU', in hexadecimal.  */
static char *parse_build_id(bfd *file, const bfd_byte *data, size_t size)
{
    enum { HEAD = 12, NAME = 4, TYPE = 3 };
    static const char digits[] = "0123456789abcdef";
    if (size < HEAD + NAME || bfd_get_32(file, data) != NAME ||
        bfd_get_32(file, data + 8) != TYPE || memcmp(data + HEAD, "GNU", NAME) != 0)
        return NULL;
    size_t length = bfd_get_32(file, data + 4);
    if (length == 0 || length > size - HEAD - NAME)
        return NULL;
    char *text = mem_array(2 * length + 1, 1);
    for (size_t i = 0; i < length; i++) {
        text[2 * i] = digits[data[HEAD + NAME + i] >> 4];
        text[2 * i + 1] = digits[data[HEAD + NAME + i] & 15];
    }
    return text;
}

static char *read_build_id(const struct image *image, bfd *file)
{
    enum { MOST = 4096 }; /* bytes of a section; more is damage */
    bfd_byte data[MOST];
    asection *section = bfd_get_section_by_name(file, ".note.gnu.build-id");
    if (section == NULL || bfd_section_size(section) > MOST)
        return NULL;
    size_t size = bfd_section_size(section);
    bfd_call_begin();
    bool ok = bfd_get_section_contents(file, section, data, 0, size);
    bfd_call_end(image, READING_DEBUG);
    return ok ? parse_build_id(file, data, size) : NULL;
}

char *image_build_id(struct image *image)
{
    return read_build_id(image, image->bfd);
}

/* ---- The file beside the image ---- */

bfd *debug_file_open(const struct image *image, const char *path)
{
    struct stderr_capture capture;
    struct stat status;
    char said[200]; /* libbfd writes some messages here past its error handler */
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return NULL;
    bfd_call_begin();
    bfd *file = bfd_file_open(path, bfd_get_target(image->bfd));
    bfd_call_end(image, READING_DEBUG);
    if (file == NULL)
        return NULL;
    file->flags |= BFD_DECOMPRESS;
    stderr_capture_begin(&capture, said, sizeof said);
    bool is_known = bfd_check_format(file, bfd_object);
    stderr_capture_end(&capture, said);
    bfd_call_end(image, READING_DEBUG);
    if (is_known)
        return file;
    bfd_close(file);
    return NULL;
}

asection *debug_file_text(const struct image *image, bfd *file)
{
    asection *text = bfd_get_section_by_name(file, bfd_section_name(image->text));
    bool is_same = text != NULL && bfd_section_vma(text) == bfd_section_vma(image->text) &&
                   bfd_section_size(text) == bfd_section_size(image->text);
    return is_same ? text : NULL;
}

/* The path of NAME.debug, on the heap.  */
static char *path_beside(const struct image *image)
{
    static const char suffix[] = ".debug";
    size_t size = strlen(image->path);
    char *path = mem_array(size + sizeof suffix, 1);
    memcpy(path, image->path, size);
    memcpy(path + size, suffix, sizeof suffix);
    return path;
}

static bool belongs(struct image *image, bfd *file)
{
    char *own = image_build_id(image), *other = read_build_id(image, file);
    bool is_same = own == NULL || other == NULL ? own == other : strcmp(own, other) == 0;
    free(own);
    free(other);
    return is_same && debug_file_text(image, file) != NULL;
}

static char *find_beside(struct image *image)
{
    char *path = path_beside(image);
    bfd *file = debug_file_open(image, path);
    bool is_found = file != NULL && belongs(image, file);
    if (file != NULL)
        bfd_close(file);
    if (is_found)
        return path;
    free(path);
    return NULL;
}

/* ---- All places ---- */

char *debug_file_find(struct image *image)
{
    bfd_call_begin();
    char *path = bfd_follow_build_id_debuglink(image->bfd, global_directory);
    if (path == NULL)
        path = bfd_follow_gnu_debuglink(image->bfd, global_directory);
    bfd_call_end(image, READING_DEBUG);
    if (path != NULL)
        return path;
    path = find_beside(image);
    image->is_debug_beside = path != NULL;
    return path;
}

/* The name in .gnu_debuglink, on the heap, or NULL.  */
static char *linked_name(const struct image *image)
{
    unsigned long checksum;
    bfd_call_begin();
    char *name = bfd_get_debug_link_info(image->bfd, &checksum);
    bfd_call_end(image, READING_DEBUG);
    return name;
}

char *image_debug_places(struct image *image)
{
    char *beside = path_beside(image), *name = linked_name(image), *id = image_build_id(image);
    int length = (int)(path_base(image->path) - image->path);
    size_t size = 2 * strlen(beside) + (name != NULL ? strlen(name) : 0) +
                  (id != NULL ? strlen(id) : 0) + sizeof global_directory + 40;
    char *places = mem_array(size, 1);
    int used = name != NULL ? snprintf(places, size, "%.*s%s", length, image->path, name)
                            : snprintf(places, size, "%s", beside);
    if (id != NULL && strlen(id) > 2)
        snprintf(places + used, size - (size_t)used, ", %s/.build-id/%.2s/%s.debug",
                 global_directory, id, id + 2);
    free(beside);
    free(name);
    free(id);
    return places;
}
