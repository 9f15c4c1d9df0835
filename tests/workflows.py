#!/usr/bin/env python3
"""The workflow files of the CI service: valid YAML, and each command is a script of ours with steps
that it has."""

import sys

sys.dont_write_bytecode = True

import glob
import os
import re

from lib import harness

try:
    import yaml
except ImportError:
    yaml = None

SYSTEM = ("apt-get ", "git config ")


def known_steps():
    """The steps and options of scripts/check."""
    text = harness.read(os.path.join(harness.SRCDIR, "scripts", "check")).decode()
    return set(re.search(r"^all_steps='(.*)'$", text, re.M).group(1).split()) | set(
        re.findall(r"^    (--[a-z]+)\)", text, re.M)
    )


def complaint(command, steps):
    """What is wrong with a command of a workflow."""
    if command.startswith(SYSTEM):
        return ""
    script, *words = command.split()
    if not os.access(os.path.join(harness.SRCDIR, script), os.X_OK) or not script.startswith(
        "scripts/"
    ):
        return "%s: not a script" % script
    unknown = set(words) - steps if script == "scripts/check" else set()
    return "%s: unknown: %s" % (command, " ".join(sorted(unknown))) if unknown else ""


def commands(workflow):
    """The commands of all jobs; each job has its steps, a machine and a limit of time."""
    for job in workflow["jobs"].values():
        assert job["runs-on"] and job["timeout-minutes"] > 0
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            if "run" in step:
                yield from step["run"].strip().splitlines()


def main():
    paths = sorted(glob.glob(os.path.join(harness.SRCDIR, ".github", "workflows", "*.yml")))
    if not paths:
        harness.skip_all("no workflow files: not in a git checkout")
    if yaml is None:
        harness.skip_all("no yaml module")
    tap, steps, used = harness.Tap(), known_steps(), []
    for path in paths:
        try:
            found = list(commands(yaml.safe_load(harness.read(path))))
            wrong = [what for what in (complaint(command, steps) for command in found) if what]
        except (yaml.YAMLError, AssertionError, KeyError, TypeError) as error:
            found, wrong = [], [repr(error)]
        used += [command for command in found if command.startswith("scripts/check")]
        tap.ok(found and not wrong, os.path.basename(path), wrong)
    missing = (
        steps - set(" ".join(used).split()) - {"gcc", "machines", "--all", "--list", "--help"}
    )  # machines needs cross compilers
    tap.ok(
        "scripts/check" in used and not missing,
        "every step is done by a workflow",
        "missing: %s" % " ".join(sorted(missing)),
    )
    others = glob.glob(os.path.join(harness.SRCDIR, "contrib", "ci", "*.yml"))
    once = [
        path
        for path in paths + others
        for call in re.findall(rb"apt-get (.*?)(?:update|install)", harness.read(path))
        if call != b"-o Acquire::Retries=3 "
    ]
    tap.ok(
        others and not once,
        "packages are asked for again if a server does not answer",
        " ".join(once),
    )
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
