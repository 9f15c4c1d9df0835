/* fuzz_pipeline.c - all stages, on the image that FUZZ_IMAGE names and a generated profile.  The
   first byte selects the options.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/free_profile.h"
#include "base/common.h"
#include "base/memory.h"
#include "foreign/foreign.h"
#include "fuzz.h"
#include "options/parse_options.h"
#include "program/find_record.h"
#include "program/modes.h"
#include "program/read_profiles.h"

enum { MOST_WORDS = 8 };

static const char *const command_lines[][MOST_WORDS] = {
    {"-b"},
    {"-b", "-z", "-T"},
    {"-b", "-p", "-q", "-c", "-z"},
    {"-l", "-b"},
    {"-b", "-l", "-C", "-z"},
    {"-b", "-l", "-A", "-x", "-z"},
    {"-b", "-r", "-qmain"},
    {"-b", "-p", "-Omagic", "-Pmain"},
    {"-b", "-q", "-Obsd", "-kmain/left"},
    {"-b", "-q", "-O4.4bsd", "-nleft"},
    {"-b", "-i", "--per-file", "-p"},
    {"--inline-file-names", "-L", "-w1", "-q", "-Nmain"},
    {"-s", "-o-"},
};

/* The image, opened once.  */
static struct image *open_image(struct diagnostics *diagnostics)
{
    static struct image *image;
    const char *path = getenv("FUZZ_IMAGE");
    if (image == NULL && path != NULL)
        image = image_open(path, diagnostics);
    if (image == NULL) {
        fputs("FUZZ_IMAGE names no image\n", stderr);
        exit(2);
    }
    return image;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    char *words[MOST_WORDS + 4] = {mem_copy("gprof", 5)};
    int count = 1;
    const char *const *line = command_lines[input_byte(&input) % ARRAY_LENGTH(command_lines)];
    for (; line[count - 1] != NULL; count++)
        words[count] = mem_copy(line[count - 1], strlen(line[count - 1]));
    words[count++] = mem_copy("image", 5);
    const char *profile_path = fuzz_file(input.at, input.left);
    words[count++] = mem_copy(profile_path, strlen(profile_path));

    struct options options;
    struct plan plan;
    const struct terminal terminal = {.is_one = false};
    static struct diagnostics diagnostics = {.is_quiet = true};
    FILE *out = fopen("/dev/null", "w");
    optind = 0;
    FUZZ_CHECK(out != NULL && parse_options(&options, count, words) == OPTIONS_RUN);
    FUZZ_CHECK(plan_make(&plan, &options, &terminal, NULL));
    options.inputs.is_quiet = true;
    struct profile_list inputs;
    const struct found_run none = {0};
    struct foreign others = {0};
    const struct request request = {.options = &options,
                                    .run = &none,
                                    .foreign = &others,
                                    .plan = &plan,
                                    .image = open_image(&diagnostics),
                                    .diagnostics = &diagnostics,
                                    .out = out,
                                    .inputs = &inputs,
                                    .stacks = &plan.stacks};
    if (list_profiles(&inputs, &request,
                      &(struct operands){.paths = options.inputs.profiles,
                                         .count = options.inputs.profile_count,
                                         .sum_path = plan.sum_path}))
        (void)(plan.mode == MODE_SUM ? mode_sum : mode_report)(&request);
    profile_list_free(&inputs);
    fclose(out);
    plan_free(&plan);
    free_options(&options);
    for (int i = 0; i < count; i++)
        free(words[i]);
    return 0;
}
