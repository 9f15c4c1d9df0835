#!/usr/bin/env python3
"""The files for GitHub Actions and GitLab CI, and the commands of doc/CI that lead to a red pull
request, in a real
repository: the steps of the jobs run one after the other, in new clones; what services do besides
is a few lines here.
They build a small source that installs the program under test and the stand-in for regmon; with
CHECK_LONG=1 they build
this source, and regmon measures.
"""

import sys

sys.dont_write_bytecode = True

import http.server
import json
import os
import re
import shlex
import shutil
import threading

from lib import ci_project, harness
from lib.ci_project import CI, Project, doc_commands, pattern, said, words_of
from lib.harness import TEMP, read, write

try:
    import yaml
except ImportError:
    yaml = None

VERSION = re.search(
    r'#define PACKAGE_VERSION "(.*)"', read(os.path.join(harness.BUILDDIR, "config.h")).decode()
).group(1)
CONFIGURE = r"""#!/bin/sh
[ $# = 2 ] && [ "$2" = --disable-nls ] || exit 1
echo "install:; mkdir -p '${1#--prefix=}/bin' && cp gprof regmon '${1#--prefix=}/bin'" >Makefile
"""
# gh, as the steps and doc/CI use it.
GH = """#!/bin/sh
[ "$1 $2 $3 $4" != "pr create --fill --head" ] || exec sh -c 'echo "$1" >"$STORE/pull"' - "$5"
[ -n "$GH_TOKEN" ] && [ ! -e "$STORE/broken" ] || exit 1
case $* in
"api repos/owner/project/actions/artifacts?name=gprof-base&per_page=100 --jq "*) exec jq -r "$4" "$STORE/artifacts.json" ;;
"run download "*" --name gprof-base --dir "*) mkdir "$7" && cp "$STORE/$3" "$7/program" ;;
*) exit 2 ;;
esac
"""
NOTICE = "There is no baseline, so the program was not compared."
TABLE = "\n| before | after | change |"
SLOWER = "sed -i 's/ROUNDS = 40/ROUNDS = 48/' program.c"


def make_source(project):
    """The URL of a repository that can be built and installed as regprof."""
    path = os.path.join(TEMP, "regprof.git")
    if harness.IS_LONG and os.path.exists(os.path.join(harness.SRCDIR, ".git")):
        harness.must_run(["git", "clone", "-q", "--bare", harness.SRCDIR, path])
    else:
        os.makedirs(os.path.join(path, "contrib", "ci"))
        shutil.copy(os.path.join(CI, "gprof-gate"), os.path.join(path, "contrib", "ci"))
        shutil.copy(os.path.join(project.commands, "regmon"), path)
        write(
            os.path.join(path, "gprof"),
            b'#!/bin/sh\nexec %s "$@"\n' % shlex.quote(harness.GPROF).encode(),
        )
        write(os.path.join(path, "configure.ac"), CONFIGURE.encode())
        write(
            os.path.join(path, "bootstrap"),
            b"#!/bin/sh\ncp configure.ac configure && chmod +x configure\n",
        )
        project.must(
            "cd %s && chmod +x bootstrap gprof && git init -q && git add . && git commit -q -m"
            " source"
            % shlex.quote(path)
        )
    project.must("cd %s && git tag -f v%s" % (shlex.quote(path), VERSION))
    return "file://" + path


class Service:
    """A bare repository, a user's clone of it, and jobs in other clones.  regprof is kept between
    them."""

    def __init__(self, name):
        self.path, self.count = os.path.join(TEMP, name), 0
        self.store, self.commands = os.path.join(self.path, "store"), os.path.join(
            self.path, "commands"
        )
        for directory in (self.store, self.commands):
            os.makedirs(directory)
        harness.must_run(["git", "init", "-q", "--bare", os.path.join(self.path, "project.git")])
        self.user = Project(name)
        self.must("git init -q && git remote add origin %s/project.git" % shlex.quote(self.path))
        write(self.user.file(".git/info/exclude"), b"contrib\nprogram\n*.md\nbase.json\n")
        self.must("git add . && git commit -q -m 'Count words' && git push -q origin main")

    def must(self, text):
        return self.user.must("export STORE=%s\n%s" % (shlex.quote(self.store), text))

    def place(self, name):
        self.count += 1
        path = os.path.join(self.path, "%s-%d" % (name, self.count))
        os.mkdir(path)
        return path

    def clone(self, change):
        """A clone of main in which a command has made a change."""
        work = self.place("work")
        harness.must_run(["sh", "-c", "git clone -q ../project.git . && { %s; }" % change], work)
        return work

    def env(self, **variables):
        path = self.commands + os.pathsep + harness.ENV["PATH"]
        return dict(
            harness.ENV,
            PATH=path,
            HOME=self.place("home"),
            TMPDIR=self.place("temp"),
            STORE=self.store,
            **variables
        )

    def restore(self, path):
        """Whether regprof was kept; then it is put there."""
        if os.path.exists(os.path.join(self.store, "regprof")):
            shutil.copytree(os.path.join(self.store, "regprof"), path)
        return os.path.exists(path)

    def keep(self, path):
        if os.path.exists(path) and not os.path.exists(os.path.join(self.store, "regprof")):
            shutil.copytree(path, os.path.join(self.store, "regprof"))


def shell(words, work, env):
    """(status, output) of a script of a job."""
    status, out, err = harness.run(
        ["bash", "-c", 'exec 2>&1; exec "$@"', "bash", *words], work, env, timeout=1200
    )
    return status, (out + err).decode(errors="replace")


class GitHub(Service):
    def __init__(self, name):
        super().__init__(name)
        self.artifacts = []
        for command, text in (("gh", GH), ("sudo", "#!/bin/sh\n")):
            os.chmod(write(os.path.join(self.commands, command), text.encode()), 0o755)
        self.list_artifacts()

    def list_artifacts(self):
        write(
            os.path.join(self.store, "artifacts.json"),
            json.dumps({"artifacts": self.artifacts[::-1]}).encode(),
        )

    def add_artifact(self, program, branch="main", repository=1):
        run = len(self.artifacts) + 1
        shutil.copyfile(
            program, os.path.join(self.store, str(run))
        )  # archives of artefacts do not have modes
        row = {
            "id": run,
            "repository_id": 1,
            "head_repository_id": repository,
            "head_branch": branch,
        }
        self.artifacts.append({"name": "gprof-base", "expired": False, "workflow_run": row})
        self.list_artifacts()

    def job(self, event, change="true"):
        """(status, output, summary, whether regprof was built) of the job for an event."""
        work = self.clone(change)
        workflow = yaml.safe_load(read(os.path.join(work, ".github/workflows/gprof-gate.yml")))
        env, log, is_built = (
            self.env(
                GITHUB_REPOSITORY="owner/project",
                RUNNER_TEMP=self.place("runner"),
                **workflow["env"]
            ),
            "",
            False,
        )
        for name in ("GITHUB_PATH", "GITHUB_STEP_SUMMARY"):
            env[name] = write(os.path.join(env["TMPDIR"], name), b"")
        kept = os.path.join(env["HOME"], "regprof")
        for step in workflow["jobs"]["gate"]["steps"]:
            holds = {
                None: True,
                "steps.regprof.outputs.cache-hit != 'true'": not os.path.exists(kept),
                "github.event_name == 'pull_request'": event == "pull",
                "github.event_name == 'push'": event == "push",
            }[step.get("if")]
            if not holds:
                continue
            if "run" not in step:
                action = step["uses"]
                if action == "actions/cache@v4":
                    assert step["with"]["path"] == "~/regprof"
                    self.restore(kept)
                elif action == "actions/upload-artifact@v4":
                    self.add_artifact(os.path.join(work, step["with"]["path"]))
                else:
                    assert action == "actions/checkout@v4"
                continue
            is_built = is_built or step["name"] == "Build regprof"
            more = (
                {"GH_TOKEN": "TOKEN"}
                if step.get("env") == {"GH_TOKEN": "${{ github.token }}"}
                else {}
            )
            status, out = shell(
                ["bash", "-e", write(os.path.join(env["TMPDIR"], "script"), step["run"].encode())],
                work,
                dict(env, **more),
            )
            log += out
            if status != 0:
                break
            env["PATH"] = os.pathsep.join(
                read(env["GITHUB_PATH"]).decode().split() + [self.commands, harness.ENV["PATH"]]
            )
        self.keep(kept)
        return status, log, read(env["GITHUB_STEP_SUMMARY"]).decode(), is_built


class GitLab(Service):
    """The server of artefacts listens on the loopback interface."""

    def __init__(self, name):
        super().__init__(name)
        self.status, service = None, self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                is_asked = (
                    self.path
                    == "/api/v4/projects/7/jobs/artifacts/main/raw/base.json?job=gprof-base"
                    and self.headers["JOB-TOKEN"] == "TOKEN"
                )
                data = read(os.path.join(service.store, "base.json")) if is_asked else b""
                self.send_response(service.status or (200 if data else 404))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def job(self, name, change="true"):
        """As of GitHub, of the job with this name."""
        work = self.clone(change)
        jobs = yaml.safe_load(read(os.path.join(work, ".gitlab-ci.yml")))
        body = dict(jobs[jobs[name]["extends"]], **jobs[name])
        rule = {
            "gprof-base": "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH",
            "gprof-gate": '$CI_PIPELINE_SOURCE == "merge_request_event"',
        }[name]
        assert body["rules"] == [{"if": rule}] and body["cache"]["paths"] == ["regprof"]
        env = self.env(
            CI_DEFAULT_BRANCH="main",
            CI_PROJECT_ID="7",
            CI_JOB_TOKEN="TOKEN",
            CI_PROJECT_DIR=work,
            **body["variables"]
        )
        env["CI_API_V4_URL"] = "http://127.0.0.1:%d/api/v4" % self.server.server_address[1]
        is_kept = self.restore(os.path.join(work, "regprof"))
        status, log = shell(
            [
                "bash",
                "-c",
                "set -eo pipefail\n" + "\n".join(body["before_script"] + body["script"]),
            ],
            work,
            env,
        )
        self.keep(os.path.join(work, "regprof"))
        if name == "gprof-base" and status == 0:
            shutil.copy(os.path.join(work, body["artifacts"]["paths"][0]), self.store)
        summary = (
            read(os.path.join(work, "summary.md"))
            if body["artifacts"]["paths"] == ["summary.md"]
            else b""
        )
        return status, log, summary.decode(), not is_kept


def shown(job):
    return "status %d\n%s\nsummary:\n%s" % (job[0], job[1][-3000:], job[2])


def passes_with_notice(job):
    return job[0] == 0 and NOTICE in job[1] and NOTICE in job[2] and TABLE not in job[2]


def is_green(job):
    return job[0] == 0 and "prof: no regression above 10 %" in job[2] and TABLE in job[2]


def is_red(job):
    return job[0] == 3 and "prof: regression: hash: " in job[2] and TABLE in job[2]


def check_github(tap, url):
    """The ten commands of doc/CI, with the jobs that they start, and the search for the commit."""
    service = GitHub("github")
    user, steps = service.user, doc_commands()["From nothing to a red pull request"]
    shutil.copy(os.path.join(service.commands, "gh"), user.commands)
    results = [user.sh(command, url=url, STORE=service.store) for command, _ in steps]
    failed = [
        step[0] + ": " + said(result) for step, result in zip(steps, results) if result[0] != 0
    ]
    pulled = read(os.path.join(service.store, "pull")).decode().strip()
    tap.ok(len(steps) == 10 and not failed and pulled == "slower", "doc/CI: ten commands", failed)
    job = service.job("pull")
    tap.ok(
        passes_with_notice(job) and "::notice title=gprof-gate::" + NOTICE in job[1] and job[3],
        "GitHub: without a baseline a pull request passes with a notice",
        shown(job),
    )
    job = service.job("push")
    tap.ok(
        job[0] == 0 and not job[2] and len(service.artifacts) == 1 and not job[3],
        "GitHub: a push keeps the baseline; regprof comes from the cache",
        shown(job),
    )
    job = service.job("pull", "git merge -q origin/" + pulled)
    tap.ok(
        is_red(job) and re.search(pattern(steps[-1][1]), job[1]),
        "doc/CI: they lead to a red pull request",
        shown(job),
    )
    job = service.job("pull")
    tap.ok(is_green(job), "GitHub: a pull request that is as fast passes", shown(job))
    service.add_artifact(user.file("program.c"), repository=2)
    service.add_artifact(user.file("program.c"), branch=pulled)
    job = service.job("pull", SLOWER)
    tap.ok(is_red(job), "GitHub: artefacts of forks and other branches are no baseline", shown(job))
    write(os.path.join(service.store, "broken"), b"")
    job = service.job("pull")
    tap.ok(
        job[0] not in (0, 3) and NOTICE not in job[1],
        "GitHub: without a connection a pull request fails",
        shown(job),
    )
    os.unlink(os.path.join(service.store, "broken"))
    service.artifacts[0]["expired"] = True
    service.list_artifacts()
    job = service.job("pull", SLOWER)
    tap.ok(passes_with_notice(job), "GitHub: a baseline that has expired is none", shown(job))
    ((command, lines),) = doc_commands()["Which commit it was"]
    result = user.sh(command)
    good = (
        result[0] == 0
        and re.fullmatch(pattern(lines), result[1])
        and TABLE in user.text("bisect.md")
    )
    tap.ok(good, "doc/CI: " + words_of(command), result)


def check_gitlab(tap, url):
    service = GitLab("gitlab")
    service.must(
        "sed 's|SET-THIS-URL|%s|' contrib/ci/gitlab.yml >.gitlab-ci.yml && git add . && git commit"
        " -q -m gate && git push -q origin main" % url
    )
    job = service.job("gprof-gate")
    tap.ok(
        passes_with_notice(job) and job[3],
        "GitLab: without a baseline a merge request passes with a notice",
        shown(job),
    )
    job = service.job("gprof-base")
    tap.ok(
        job[0] == 0 and not job[3],
        "GitLab: a push keeps the baseline; regprof comes from the cache",
        shown(job),
    )
    job = service.job("gprof-gate")
    tap.ok(is_green(job), "GitLab: a merge request that is as fast passes", shown(job))
    job = service.job("gprof-gate", SLOWER)
    tap.ok(is_red(job), "GitLab: one that is slower fails and keeps the table", shown(job))
    service.status = 500
    job = service.job("gprof-gate")
    tap.ok(job[0] == 1 and not job[2], "GitLab: an error of the server is no pass", shown(job))


def check_files(tap):
    """Both install the same version, and all that a checkout needs; they ask for little, and for a
    limited time."""
    texts = [read(os.path.join(CI, name)).decode() for name in ("github.yml", "gitlab.yml")]
    tags = [re.findall("REGPROF_TAG: (.*)", text) for text in texts]
    tap.ok(tags == [["v" + VERSION]] * 2, "the files build this version", tags)
    needs = re.search(
        r"^need_for_building\(\) \{\n(.*?)^}",
        read(os.path.join(harness.SRCDIR, "scripts", "lib.sh")).decode(),
        re.M | re.S,
    ).group(1)
    packages = set(re.findall(r"^ +need (\S+) ", needs, re.M))
    installed = set(
        re.search("--no-install-recommends (.*)", texts[0].replace("\\\n", "")).group(1).split()
    )
    tap.ok(
        packages and installed == packages,
        "GitHub: the packages are those of the build",
        "%s" % (packages ^ installed),
    )
    github, gitlab = (yaml.safe_load(text) for text in texts)
    gate, upload = github["jobs"]["gate"], github["jobs"]["gate"]["steps"][-1]["with"]
    good = (
        github["permissions"] == {"actions": "read", "contents": "read"}
        and gate["timeout-minutes"] > 0
        and gitlab[".gprof"]["timeout"]
    )
    good = good and github[True] == {
        "push": {"branches": ["main"]},
        "pull_request": None,
    }  # `on' is a truth value in YAML
    tap.ok(
        good and upload["if-no-files-found"] == "error" and 0 < upload["retention-days"] <= 90,
        "limits of rights and times",
        texts[0],
    )


def main():
    project = ci_project.need("git", "make", "bash", "curl", "jq", "readelf")
    if yaml is None:
        harness.skip_all("no yaml module")
    tap, url = harness.Tap(), make_source(project)
    check_files(tap)
    check_github(tap, url)
    check_gitlab(tap, url)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
