#!/usr/bin/env python3
"""The files for GitHub Actions and GitLab CI: jobs for pushes and proposed changes, in real repositories, by the driver in
lib/ci_services.py; the commands of doc/CI in a repository.  They build a small source that installs the program under test and the
stand-in for regmon; with CHECK_LONG=1 they build this source, and regmon measures.
"""

import sys

sys.dont_write_bytecode = True

import os
import re
import shlex
import shutil

from lib import ci_project, harness
from lib.ci_project import CI, Project, doc_commands, pattern, said, words_of
from lib.harness import read, write

try:
    from lib import ci_services
except ImportError:
    ci_services = None

VERSION = re.search(r'#define PACKAGE_VERSION "(.*)"', read(os.path.join(harness.BUILDDIR, "config.h")).decode()).group(1)
CONFIGURE = r"""#!/bin/sh
[ $# = 2 ] && [ "$2" = --disable-nls ] || exit 1
echo "install:; mkdir -p '${1#--prefix=}/bin' && cp gprof regmon '${1#--prefix=}/bin'" >Makefile
"""
NOTICE = "There is no baseline, so the program was not compared."
TABLE = "\n| before | after | change |"


def make_source(project):
    """The URL of a repository that can be built and installed as regprof."""
    path = os.path.join(harness.TEMP, "regprof.git")
    if harness.IS_LONG and os.path.exists(os.path.join(harness.SRCDIR, ".git")):
        harness.must_run(["git", "clone", "-q", "--bare", harness.SRCDIR, path])
    else:
        os.makedirs(os.path.join(path, "contrib", "ci"))
        shutil.copy(os.path.join(CI, "gprof-gate"), os.path.join(path, "contrib", "ci"))
        shutil.copy(os.path.join(project.commands, "regmon"), path)
        write(os.path.join(path, "gprof"), b'#!/bin/sh\nexec %s "$@"\n' % shlex.quote(harness.GPROF).encode())
        write(os.path.join(path, "configure.ac"), CONFIGURE.encode())
        write(os.path.join(path, "bootstrap"), b"#!/bin/sh\ncp configure.ac configure && chmod +x configure\n")
        project.must("cd %s && chmod +x bootstrap gprof && git init -q && git add . && git commit -q -m source" % shlex.quote(path))
    project.must("cd %s && git tag -f v%s" % (shlex.quote(path), VERSION))
    return "file://" + path


class User(Project):
    """Somebody who has a clone of the repository of a service, with the program in its main branch."""

    def __init__(self, service):
        super().__init__(os.path.basename(service.path))
        self.service = service
        self.must("git init -q && git remote add origin %s" % shlex.quote(service.remote))
        write(self.file(".git/info/exclude"), b"contrib\nprogram\n*.md\nbase.json\n")
        self.must("git add . && git commit -q -m 'Count words' && git push -q origin main")

    def env(self, **variables):
        return super().env(STORE=self.service.store, **variables)

    def head(self):
        """The commit of the main branch in the repository of the service."""
        return self.must("git ls-remote origin main").split()[0]

    def branch(self, name, command):
        """Pushes a branch from main with one commit."""
        self.must("git checkout -q -b %s main && { %s; } && git add . && git commit -q -m 'change' && git push -q origin %s" % (name, command, name))

    def merge(self, name):
        self.must("git checkout -q main && git merge -q %s && git push -q origin main" % name)


def passes_with_notice(job, summary):
    return job.status == 0 and NOTICE in job.log and NOTICE in summary and TABLE not in summary


def is_green(job, summary):
    return job.status == 0 and re.search("prof: no regression above 10 %", summary) and TABLE in summary


def is_red(job, summary):
    return job.status == 3 and re.search("prof: regression: hash: ", summary) and TABLE in summary


def check_github(tap, url):
    service = ci_services.GitHub("github")
    user = User(service)
    user.branch("gate", "mkdir -p .github/workflows && sed 's|SET-THIS-URL|%s|' contrib/ci/github.yml >.github/workflows/gprof-gate.yml" % url)
    job = service.pull("gate")
    tap.ok(passes_with_notice(job, job.summary) and "::notice title=gprof-gate::" + NOTICE in job.log, "GitHub: the first pull request passes with a notice", job.said())
    user.merge("gate")
    job = service.push()
    tap.ok(job.status == 0 and "Build regprof" in job.steps and not job.summary, "GitHub: a push keeps the baseline; its cache is its own", job.said())
    user.branch("green", "echo '/* the same */' >>program.c")
    job = service.pull("green")
    tap.ok(is_green(job, job.summary), "GitHub: a pull request that is as fast passes", job.said())
    tap.ok("Build regprof" not in job.steps, "GitHub: regprof comes from the cache of main", str(job.steps))
    user.branch("red", "sed -i 's/ROUNDS = 40/ROUNDS = 48/' program.c")
    job = service.pull("red")
    tap.ok(is_red(job, job.summary), "GitHub: one that is slower fails with the table in its summary", job.said())

    for branch, is_fork in (("main", True), ("red", False)):
        service.add_artifact("gprof-base", 4711, branch, is_fork)
    job = service.pull("red")
    tap.ok(job.status == 3, "GitHub: artefacts of forks and other branches are no baseline", job.said())
    write(os.path.join(service.store, "broken"), b"")
    job = service.pull("green")
    tap.ok(job.status not in (0, 3) and NOTICE not in job.log, "GitHub: without a connection a pull request fails", job.said())
    os.unlink(os.path.join(service.store, "broken"))
    for row in service.artifacts:
        row["expired"] = True
    service.list_artifacts()
    job = service.pull("red")
    tap.ok(passes_with_notice(job, job.summary), "GitHub: a baseline that has expired is none", job.said())


def check_gitlab(tap, url):
    service = ci_services.GitLab("gitlab")
    user = User(service)
    user.branch("gate", "sed 's|SET-THIS-URL|%s|' contrib/ci/gitlab.yml >.gitlab-ci.yml" % url)
    job = service.merge("gate")
    tap.ok(passes_with_notice(job, job.summary) and "Cloning into" in job.log, "GitLab: the first merge request passes with a notice", job.said())
    user.merge("gate")
    job = service.push()
    tap.ok(job.status == 0 and "Cloning into" not in job.log, "GitLab: a push keeps the baseline; regprof comes from the cache", job.said())
    user.branch("green", "echo '/* the same */' >>program.c")
    job = service.merge("green")
    tap.ok(is_green(job, job.summary), "GitLab: a merge request that is as fast passes", job.said())
    user.branch("red", "sed -i 's/ROUNDS = 40/ROUNDS = 48/' program.c")
    job = service.merge("red")
    tap.ok(is_red(job, job.summary), "GitLab: one that is slower fails and keeps the table", job.said())
    service.answers.append(500)
    job = service.merge("green")
    tap.ok(job.status == 1 and not job.summary, "GitLab: an error of the server is no pass", job.said())
    service.close()


def check_document(tap, url):
    """The ten commands of doc/CI, with the jobs that they start, and the search for the commit."""
    service = ci_services.GitHub("document")
    user = User(service)
    shutil.copy(os.path.join(service.commands, "gh"), user.commands)
    steps, main, pulls = doc_commands()["From nothing to a red pull request"], user.head(), os.path.join(service.store, "pulls")
    failed, jobs = [], []
    for command, _ in steps:
        result = user.sh(command, url=url)
        failed += [command + ": " + said(result)] if result[0] != 0 else []
        if user.head() != main:
            main = user.head()
            jobs.append(service.push())
        if os.path.exists(pulls):
            jobs.append(service.pull(read(pulls).decode().strip()))
            os.unlink(pulls)
    tap.ok(len(steps) == 10 and not failed, "doc/CI: ten commands", "\n".join(failed))
    good = len(jobs) == 2 and jobs[0].status == 0 and is_red(jobs[1], jobs[1].summary)
    tap.ok(good and re.search(pattern(steps[-1][1]), jobs[1].log), "doc/CI: they lead to a red pull request", "\n".join(job.said() for job in jobs))
    ((command, lines),) = doc_commands()["Which commit it was"]
    result = user.sh(command)
    good = result[0] == 0 and re.fullmatch(pattern(lines), result[1]) and TABLE in user.text("bisect.md")
    tap.ok(good, "doc/CI: " + words_of(command), said(result))


def check_files(tap):
    """Both install the same version, and all that a checkout needs."""
    texts = [read(os.path.join(CI, name)).decode() for name in ("github.yml", "gitlab.yml")]
    tags = [re.findall("REGPROF_TAG: (.*)", text) for text in texts]
    tap.ok(tags == [["v" + VERSION]] * 2, "the files build this version", str(tags))
    needs = re.search(r"^need_for_building\(\) \{\n(.*?)^}", read(os.path.join(harness.SRCDIR, "scripts", "lib.sh")).decode(), re.M | re.S).group(1)
    packages = set(re.findall(r"^    need (\S+) ", needs, re.M))
    installed = set(re.search("--no-install-recommends (.*)", texts[0].replace("\\\n", "")).group(1).split())
    tap.ok(packages and installed == packages, "GitHub: the packages are those of the build", "%s" % (packages ^ installed))


def main():
    project = ci_project.need("git", "make", "bash", "curl", "jq", "readelf")
    if ci_services is None:
        harness.skip_all("no yaml module")
    tap, url = harness.Tap(), make_source(project)
    check_files(tap)
    check_github(tap, url)
    check_gitlab(tap, url)
    check_document(tap, url)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
