/* files.h - reads files, and replaces them as a whole or not at all.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_FILES_H
#define REGPROF_BASE_FILES_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

/* ---- Reading ---- */

/* Whether PATH, which comes from a file, names one that can be read to its end and holds nothing of
   the system: a regular file, not below /proc, /sys or /dev (except /dev/shm), and not one of more
   than a gigabyte that is mostly holes.  False if there is none.  Leaves errno alone.  */
bool is_plain_file(const char *path);

/* Whether PATH is a symbolic link.  */
bool is_link(const char *path);

/* Whether the file at PATH is the one of STATUS.  */
bool is_file(const struct stat *status, const char *path);

/* The type of the ELF file whose first SIZE bytes are at BYTES; 0: it is none.  */
enum { ELF_OBJECT = 1, ELF_CORE = 4 };
unsigned elf_type_of(const unsigned char *bytes, size_t size);

/* Reads up to SIZE bytes from the start of the file at PATH; returns how many, 0 if it cannot be
   read.  Does not wait.  */
size_t file_start(const char *path, unsigned char *bytes, size_t size);

/* Whether PATH names a plain file that can be read and begins like one of ELF.  */
bool file_is_elf(const char *path);

/* A buffer for the bytes of a file, reusable for the next file.  Start with a zeroed struct.  */
struct file_buffer {
    unsigned char *bytes; /* of the file: in `memory' or `mapping' */
    size_t size;
    unsigned char *memory; /* on the heap, kept for the next file */
    size_t capacity;
    unsigned char *mapping;     /* of a large file, read-only; else NULL */
    struct file_buffer *packed; /* the file before decompression; NULL if none was compressed */
};

/* Reads the file at PATH ("-" is standard input) to its end into BUFFER, whose previous bytes
   become invalid; maps it if it is large.  Decompresses files of gzip and zstd, which are
   recognised by their contents.  Memory grows with the bytes read, not with sizes stated in the
   file.  False after a message if that fails, or if the file is a directory or a device.  */
bool read_file(struct file_buffer *buffer, const char *path);
void file_buffer_free(struct file_buffer *buffer);

/* Reads the file at PATH, which is open as FD and at its beginning, in the same way, and closes FD.
 */
bool read_open_file(struct file_buffer *buffer, int fd, const char *path);

/* Files that were opened to see what they are, for who reads them.  Zeroed = none.  */
struct open_files {
    struct {
        const char *path; /* not owned; NULL: it was taken */
        int fd;
    } files[2];
    size_t count;
};

/* Keeps a copy of FD, which is open at PATH, if there is room.  */
void open_files_keep(struct open_files *files, const char *path, int fd);

/* What is open at PATH, at its beginning, which the caller closes; -1: nothing.  */
int open_files_take(struct open_files *files, const char *path);
void open_files_close(struct open_files *files);

/* The path of the file beside PATH whose name differs from its own by the fewest typing errors, if
   that is few enough: a program if IS_PROGRAM, else a file that cannot be run.  NULL if there is
   none; the caller frees it.  */
char *similar_file(const char *path, bool is_program);

/* Gives back the memory of a mapped file, for one that is read from its beginning to its end: bytes
   that are used later are read again.  */
void file_buffer_give_back(struct file_buffer *buffer);

/* ---- Atomic replacement ---- */

/* The new file is written under a temporary name in the same directory, synced, and renamed when it
   is complete.  If anything fails, the old file is unchanged and the temporary file is removed.
   What killed runs have left in the directory is removed when it is a day old.
   Signals that would end the program are blocked meanwhile.  */

struct atomic_file {
    const char *path;                  /* the caller's path, not copied */
    char *target;                      /* the path with links followed */
    char *temporary;                   /* the path of the temporary file */
    FILE *file;                        /* the temporary file: write to it */
    sigset_t signals;                  /* signal mask before */
    struct sigaction file_size_action; /* action for SIGXFSZ before */
};

/* Opens the temporary file for PATH, which must be a regular file or not exist.  False after a
   message.  */
bool atomic_file_begin(struct atomic_file *atomic, const char *path);

/* Closes the temporary file and renames it to the target.  False after a message, with the old file
   unchanged, if writing failed, also before this call (errno must still have the reason), or if a
   signal is pending; without one if writing to standard output failed, which the end of the program
   reports.  Unblocks the signals, so a pending one takes effect here.  */
bool atomic_file_end(struct atomic_file *atomic);

/* Removes the temporary file that is being written, if there is one: the end of the program does,
   and the handler of a signal that ends it must.  */
void atomic_file_abandon(void);

#endif
