/* recorded_tree.h - recorded call stacks (--stacks) as a tree.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_RECORDED_TREE_H
#define REGPROF_MODEL_RECORDED_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stack: a frame below those of its parents.  */
struct recorded_node {
    uint32_t parent; /* node id, lower than its own; UINT32_MAX: a root */
    bool is_named;   /* what follows is an index into the names, else a function id */
    uint32_t id;
    double self; /* samples of exactly this stack */
};

struct recorded_tree {
    struct recorded_node *nodes;
    size_t count;
    const char **names; /* of frames that are no functions of the snapshot: `[libc.so.6]' */
    size_t name_count;
    double sample_time; /* of one sample, in seconds */
};

#endif
