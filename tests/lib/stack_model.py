"""What samples of stacks say, from these alone.  A sample is a pair of a stack and its weight; a
stack has functions, or anything else that can be a key, outermost first."""

import collections


def own_and_total(samples):
    """The weights of the stacks that end in each key, and of those that it is in, each once."""
    own, total = collections.Counter(), collections.Counter()
    for stack, weight in samples:
        own[stack[-1]] += weight
        for key in set(stack):
            total[key] += weight
    return own, total


def figures(samples, size=1):
    """{key: (own, total)}, in units of SIZE."""
    own, total = own_and_total(samples)
    return {key: (own[key] / size, total[key] / size) for key in total}


def inner_arcs(samples):
    """{(caller, callee): the weight of the stacks in which the innermost CALLER calls CALLEE}."""
    arcs = collections.Counter()
    for stack, weight in samples:
        for caller, callee in dict(zip(stack, stack[1:])).items():
            if stack[-1] != caller:
                arcs[(caller, callee)] += weight
    return arcs


def tree(samples):
    """{path from the root: (own, total)}: the nodes of the tree of calls."""
    return figures([([stack[:n] for n in range(1, len(stack) + 1)], w) for stack, w in samples])


def read_folded(text):
    """[(stack without its root, samples)] of folded stacks."""
    rows = [line.rsplit(" ", 1) for line in text.splitlines()]
    return [(tuple(stack.split(";")[1:]), int(samples)) for stack, samples in rows]
