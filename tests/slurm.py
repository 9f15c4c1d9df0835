#!/usr/bin/env python3
"""The recipes for Slurm, of doc/CLUSTERS and the manual, run by a real slurmctld and slurmd on this machine.

Usage: CHECK_CLUSTER=1 slurm.py

Without CHECK_CLUSTER in the environment nothing is started.  (recipes.py runs the same script with the variables
that Slurm would set.)
"""

import sys

sys.dont_write_bytecode = True

import os
import time

from lib import harness, slurm
from lib.harness import read, said, write
from recipes import SLURM, Site, spoil

LIST = "find runs -name 'gmon.*' | sort >list"
ADD = 'IMAGE=program LIST=list sbatch --parsable --array=0-15 "$SCRIPT"'
LAST = 'IMAGE=program LAST=$FIRST sbatch --parsable --dependency=afterok:$FIRST --array=0 "$SCRIPT"'


def shell(cluster, site, command, **variables):
    variables.update(GPROF=harness.GPROF, SCRIPT=SLURM)
    result = cluster.run(["/bin/sh", "-c", command], site.path, **variables)
    if result[0] != 0:
        raise RuntimeError(command + ": " + said(result))
    return result[1].decode().strip()


def outputs(site):
    """What the tasks of all jobs said; removes it."""
    text = ""
    for name in sorted(os.listdir(site.path)):
        if name.startswith("slurm-"):
            text += "%s: %s" % (name, read(os.path.join(site.path, name)).decode(errors="replace")[:500])
            os.unlink(os.path.join(site.path, name))
    return text


def remove_sum(site):
    if os.path.exists(os.path.join(site.path, "gmon.sum")):
        os.unlink(os.path.join(site.path, "gmon.sum"))


def check_array(tap, cluster, site):
    """An array of sixteen tasks, then one job that depends on it."""
    shell(cluster, site, LIST)
    first = shell(cluster, site, ADD)
    last = shell(cluster, site, LAST, FIRST=first)
    ended = cluster.wait_for_end(last)
    text = outputs(site)
    left = sorted(set(os.listdir(site.path)) - {"runs", "program", "list", "expected", "gmon.sum"})
    tap.ok(ended and not left and site.sum() == site.expected, "an array of 16 tasks, and a job for their sums", repr(left) + text)
    tap.ok(text.count(": ") >= 17 and "gprof: " not in text, "every task ran, without a message", text)
    remove_sum(site)


def check_failure(tap, cluster, site):
    """One bad profile: its task fails, the last job never starts, and the old sum stays."""
    data = spoil(site)
    write(os.path.join(site.path, "gmon.sum"), b"old")
    first = shell(cluster, site, ADD)
    last = shell(cluster, site, LAST, FIRST=first)
    cluster.wait_for_end(first)
    end = time.monotonic() + 60
    while "DependencyNeverSatisfied" not in cluster.state_of(last) and time.monotonic() < end:
        time.sleep(0.5)
    state = cluster.state_of(last)
    tap.ok(state == "PENDING (DependencyNeverSatisfied)", "a bad profile: the last job does not start", state)
    text = outputs(site)
    tap.ok(text.count("gprof: ") == 1 and site.names[70] in text, "its task says why", text)
    shares = os.listdir(os.path.join(site.path, "gprof-sums", first))
    tap.ok(len(shares) == 15 and site.sum() == b"old", "the other shares and the old sum are there", repr(shares))
    cluster.run(["scancel", last])
    write(os.path.join(site.path, site.names[70]), data)
    remove_sum(site)
    first = shell(cluster, site, ADD)
    ended = cluster.wait_for_end(shell(cluster, site, LAST, FIRST=first))
    tap.ok(ended and site.sum() == site.expected, "the next run ignores what the failed one left", outputs(site))


def check_nodes(tap, cluster, site):
    """A sum on each node, from its own disk."""
    os.mkdir(os.path.join(site.path, "sums"))
    shell(cluster, site, "srun --ntasks-per-node=1 sh -c '\"$GPROF\" -s -o sums/$SLURM_NODEID program runs'")
    shell(cluster, site, '"$GPROF" -s -o total program sums')
    tap.ok(os.listdir(os.path.join(site.path, "sums")) == ["0"], "srun: a sum for each node")
    tap.ok(read(os.path.join(site.path, "total")) == site.expected, "and the sum of these")


def check_ranks(tap, cluster, site):
    """Profiles in a file for each process, by GMON_OUT_PREFIX and the rank that Slurm sets."""
    compiler = harness.tool("CC", "cc")
    if not compiler:
        return tap.skip("a profile for each rank", "no compiler")
    write(os.path.join(site.path, "ranks.c"), b"int work(int n) { return n * 2; }\nint main(void) { return work(0); }\n")
    harness.must_run(compiler + ["-pg", "-o", "ranks", "ranks.c"], site.path)
    shell(cluster, site, "mkdir ranks.d && srun -n 3 sh -c 'GMON_OUT_PREFIX=ranks.d/gmon.$SLURM_PROCID exec ./ranks'")
    names = sorted(name.rsplit(".", 1)[0] for name in os.listdir(os.path.join(site.path, "ranks.d")))
    tap.ok(names == ["gmon.0", "gmon.1", "gmon.2"], "a profile for each rank", repr(names))
    flat = shell(cluster, site, '"$GPROF" -b --top --columns=calls,name ranks ranks.d')
    tap.ok("    3  work" in flat, "and their sum", flat)


def main():
    if not os.environ.get("CHECK_CLUSTER"):
        harness.skip_all("starts daemons; CHECK_CLUSTER=1")
    if slurm.missing():
        harness.skip_all("%s is not installed" % slurm.missing())
    tap = harness.Tap()
    with slurm.Cluster() as cluster:
        site = Site()
        for check in (check_array, check_failure, check_nodes, check_ranks):
            check(tap, cluster, site)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
