/* find_profiles.c - lists the profiles of a run.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/find_profiles.h"

#include "base/message.h"
#include "base/messages.h"

bool find_profiles(struct run *run)
{
    const struct input_options *options = &run->options->inputs;
    if (run->has_inputs)
        return true;
    run->has_inputs = true;
    run->inputs = (struct profile_list){.diagnostics = run->diagnostics,
                                        .sum_path = run->plan->sum_path,
                                        .recurses = options->recurses,
                                        .skips_bad = options->skip_bad};
    for (size_t i = 0; i < options->profile_count; i++)
        if (!profile_list_add(&run->inputs, options->profiles[i]))
            return false;
    return (options->list == NULL ||
            profile_list_add_from(&run->inputs, options->list, options->is_null_separated)) &&
           (run->inputs.count > 0 || run->inputs.stacks == NULL ||
            problem(MSG_STACKS_AS_PROFILE, run->inputs.stacks));
}
