/* fuzz_foreign.c - profiles of other profilers, read and reported.  The first byte selects the
   options. Files of perf, which perf reads, are left out.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "foreign/foreign.h"
#include "fuzz.h"
#include "options/parse_options.h"
#include "program/find_record.h"
#include "program/modes.h"
#include "program/read_profiles.h"

enum { MOST_WORDS = 4 };

static const char *const command_lines[][MOST_WORDS] = {
    {"--top"},           {"-b"},
    {"--tree"},          {"--format=json"},
    {"--format=html"},   {"--by=line", "--top"},
    {"--exact", "-b"},   {"--format=callgrind"},
    {"--format=folded"}, {"--program=a=b", "--top"},
    {"--by=object"},     {"--by=thread"},
};

static void run(const struct request *request, struct foreign *foreign)
{
    struct profile_list inputs = {0};
    const struct found_run none = {0};
    struct request reading = *request;
    const struct operands operands = {.paths = request->options->inputs.operands,
                                      .count = request->options->inputs.operand_count,
                                      .is_foreign = true};
    reading.foreign = foreign;
    reading.run = &none;
    reading.inputs = &inputs;
    reading.image = read_foreign(foreign, &inputs, &reading, &operands);
    if (reading.image != NULL)
        (void)mode_report(&reading);
    image_close(reading.image);
    profile_list_free(&inputs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    char *words[MOST_WORDS + 2] = {mem_copy("gprof", 5)};
    int count = 1;
    const char *const *line = command_lines[input_byte(&input) % ARRAY_LENGTH(command_lines)];
    for (; line[count - 1] != NULL; count++)
        words[count] = mem_copy(line[count - 1], strlen(line[count - 1]));
    const char *path = fuzz_file(input.at, input.left);
    words[count++] = mem_copy(path, strlen(path));
    bool is_of_perf = input.left >= 8 && (memcmp(input.at, "PERFILE2", 8) == 0 ||
                                          memcmp(input.at, "2ELIFREP", 8) == 0);

    struct options options;
    struct plan plan = {.reports = 0};
    struct foreign foreign = {.image = NULL};
    const struct terminal terminal = {.is_one = false};
    static struct diagnostics diagnostics = {.is_quiet = true};
    FILE *out = fopen("/dev/null", "w");
    optind = 0;
    FUZZ_CHECK(out != NULL && parse_options(&options, count, words) == OPTIONS_RUN);
    options.inputs.is_quiet = true;
    if (!is_of_perf &&
        foreign_find(&foreign, NULL, &path, 1, &options.inputs.foreign) == FOREIGN_YES) {
        FUZZ_CHECK(plan_make(&plan, &options, &terminal, path));
        run(&(struct request){.options = &options,
                              .plan = &plan,
                              .diagnostics = &diagnostics,
                              .out = out,
                              .stacks = &plan.stacks},
            &foreign);
    }
    fclose(out);
    plan_free(&plan);
    foreign_free(&foreign);
    free_options(&options);
    for (int i = 0; i < count; i++)
        free(words[i]);
    return 0;
}
