/* diagnostics.c - keeps messages, captures standard error, shows the progress line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/diagnostics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"

/* ---- Messages of a run ---- */

static void keep(void *keeper, bool is_warning, const char *text)
{
    struct message_list *list = keeper;
    list->messages =
        mem_grow(list->messages, &list->capacity, list->count + 1, sizeof *list->messages);
    list->messages[list->count++] =
        (struct kept_message){.is_warning = is_warning, .text = mem_copy(text, strlen(text))};
}

void message_list_attach(struct message_list *list, struct diagnostics *diagnostics)
{
    diagnostics->keep = keep;
    diagnostics->keeper = list;
}

void message_list_free(struct message_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->messages[i].text);
    free(list->messages);
    *list = (struct message_list){0};
}

/* ---- Captured standard error ---- */

#ifdef HAVE_ASSIGNABLE_STDERR

void stderr_capture_begin(struct stderr_capture *capture, char *text, size_t size)
{
    memset(text, '\0', size);
    *capture = (struct stderr_capture){stderr, fmemopen(text, size - 1, "w")};
    if (capture->captured != NULL)
        stderr = capture->captured;
}

void stderr_capture_end(struct stderr_capture *capture, char *text)
{
    int reason = errno;
    stderr = capture->real;
    if (capture->captured != NULL)
        fclose(capture->captured);
    text[strcspn(text, "\n")] = '\0';
    errno = reason;
}

#else

void stderr_capture_begin(struct stderr_capture *capture, char *text, size_t size)
{
    (void)size;
    *capture = (struct stderr_capture){NULL, NULL};
    text[0] = '\0';
}

void stderr_capture_end(struct stderr_capture *capture, char *text)
{
    (void)capture, (void)text;
}

#endif

/* ---- Progress line ---- */

static const double first_after = 1.0, interval = 0.2; /* seconds */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_begin(struct progress *progress, size_t total, bool is_quiet)
{
    *progress = (struct progress){
        .total = total, .is_shown = !is_quiet && isatty(STDERR_FILENO), .started = now()};
}

void progress_step(struct progress *progress, size_t done)
{
    if (progress == NULL || !progress->is_shown)
        return;
    double time = now(), elapsed = time - progress->started;
    if (elapsed < first_after || time - progress->printed < interval)
        return;
    double rate = (double)done / elapsed;
    double left = (double)(progress->total - done) / rate;
    fprintf(stderr, _("%zu of %zu files, %.0f/s, %.0f s left"), done, progress->total, rate, left);
    fputs("\033[K\r", stderr);
    fflush(stderr);
    progress->printed = time;
    progress->is_on_screen = true;
}

void progress_end(struct progress *progress)
{
    if (progress->is_on_screen)
        fputs("\033[K", stderr);
    progress->is_on_screen = false;
}
