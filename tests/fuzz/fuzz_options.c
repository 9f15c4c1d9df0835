/* fuzz_options.c - the command line, each argument ended by a NUL.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fuzz.h"
#include "options/parse_options.h"
#include "options/plan.h"

enum { MOST_ARGUMENTS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char name[] = "gprof";
    char *arguments[MOST_ARGUMENTS + 2] = {name};
    char *text = mem_copy((const char *)data, size);
    int count = 1;
    for (size_t at = 0; at < size && count <= MOST_ARGUMENTS; at += strlen(text + at) + 1) {
        if (text[at] == '@') /* do not read files of this machine */
            text[at] = '-';
        arguments[count++] = text + at;
    }
    struct options options;
    struct profile profile = {0};
    struct plan plan;
    const struct terminal terminal = {.is_one = false};
    optind = 0;
    if (parse_options(&options, count, arguments) == OPTIONS_RUN) {
        FUZZ_CHECK(options.inputs.image != NULL && options.style.width >= 1);
        FUZZ_CHECK(options.inputs.profile_count > 0 || options.inputs.list != NULL);
        if (plan_make(&plan, &options, &terminal, NULL)) {
            unsigned reports = plan.reports, needs;
            plan_settle_reports(&plan, &options, &profile, &reports, &needs);
        }
        plan_free(&plan);
    }
    free_options(&options);
    free(text);
    return 0;
}
