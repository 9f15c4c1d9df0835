"""GitHub Actions and GitLab CI, as far as the files in contrib/ci use them: jobs run in new directories, from a bare
repository, with caches and artefacts that are kept between jobs.  What these do not use is an error.
"""

import http.server
import json
import os
import re
import shutil
import sys
import threading
import urllib.parse

import yaml

from lib import harness
from lib.harness import TEMP, read, write

PATH = harness.ENV["PATH"]

# gh, as the steps and doc/CI use it.  The artefacts of the repository are in $STORE.
GH = """#!%s
import json, os, shutil, subprocess, sys, urllib.parse
store, words = os.environ["STORE"], sys.argv[1:]
listed = json.load(open(os.path.join(store, "artifacts.json")))
if words[:2] == ["pr", "create"] and words[2:4] == ["--fill", "--head"] and len(words) == 5:
    open(os.path.join(store, "pulls"), "a").write(words[4] + "\\n")
elif not os.environ.get("GH_TOKEN") or os.path.exists(os.path.join(store, "broken")):
    sys.exit("gh: not connected")
elif words[0] == "api" and words[2] == "--jq" and len(words) == 4:
    url = urllib.parse.urlsplit(words[1])
    query = dict(urllib.parse.parse_qsl(url.query))
    if url.path != "repos/owner/project/actions/artifacts" or set(query) - {"name", "per_page"}:
        sys.exit("gh: not found: " + words[1])
    found = [row for row in listed if row["name"] == query["name"]][:int(query.get("per_page", 30))]
    text = json.dumps({"total_count": len(found), "artifacts": found})
    sys.exit(subprocess.run(["jq", "-r", words[3]], input=text, text=True).returncode)
elif words[:2] == ["run", "download"] and words[3] == "--name" and words[5] == "--dir" and len(words) == 7:
    rows = [r for r in listed if str(r["workflow_run"]["id"]) == words[2] and r["name"] == words[4] and not r["expired"]]
    if not rows:
        sys.exit("no valid artifacts found to download")
    shutil.copytree(os.path.join(store, words[2], words[4]), words[6])
else:
    sys.exit("gh: unknown: " + " ".join(words))
"""


class Job:
    """The result of a job: its status, output and summary, and the names of the steps that ran."""

    def __init__(self):
        self.status, self.log, self.summary, self.steps = 0, "", "", []

    def said(self):
        return "status %d, after %s\n%s\nsummary:\n%s" % (self.status, self.steps, self.log[-3000:], self.summary)


class Service:
    """A bare repository, and directories for the jobs, none of whose names has a blank."""

    def __init__(self, name):
        self.path = os.path.join(TEMP, name)
        self.commands, self.store = self.file("commands"), self.file("store")
        for directory in (self.commands, self.store):
            os.makedirs(directory)
        self.remote = self.file("project.git")
        harness.must_run(["git", "init", "-q", "--bare", self.remote])
        self.count = 0

    def file(self, *names):
        return os.path.join(self.path, *names)

    def add_command(self, name, text):
        path = write(os.path.join(self.commands, name), text.encode())
        os.chmod(path, 0o755)

    def place(self, name):
        """A new directory."""
        self.count += 1
        path = self.file("%s-%d" % (name, self.count))
        os.mkdir(path)
        return path

    def clone(self, revision):
        path = self.place("work")
        harness.must_run(["git", "clone", "-q", self.remote, path])
        harness.must_run(["git", "checkout", "-q", revision], path)
        return path

    def shell(self, job, words, cwd, env):
        """Whether the shell WORDS ends with status 0."""
        job.status, out, err = harness.run(["bash", "-c", 'exec 2>&1; exec "$@"', "bash", *words], cwd, env, timeout=1200)
        job.log += (out + err).decode(errors="replace")
        return job.status == 0


def move(source, target):
    """A copy of a file or directory, as an archive of it would be."""
    if os.path.isdir(source):
        shutil.copytree(source, target, symlinks=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(source, target)


class GitHub(Service):
    def __init__(self, name):
        super().__init__(name)
        self.caches = {}
        self.add_command("gh", GH % sys.executable)
        self.add_command("sudo", '#!/bin/sh\necho "sudo $*"\n')
        self.artifacts = []
        self.list_artifacts()

    def list_artifacts(self):
        write(os.path.join(self.store, "artifacts.json"), json.dumps(self.artifacts[::-1]).encode())

    def add_artifact(self, name, run, branch, is_fork):
        row = {"name": name, "expired": False, "workflow_run": {"id": run, "repository_id": 1, "head_repository_id": 2 if is_fork else 1, "head_branch": branch}}
        self.artifacts.append(row)
        self.list_artifacts()

    def push(self):
        """The job of a push to the main branch."""
        return self.run("push", "main", "refs/heads/main", self.clone("main"))

    def pull(self, branch):
        """The job of a pull request, which has the merge of the branch."""
        work = self.clone("main")
        harness.must_run(["git", "merge", "-q", "-m", "merge", "origin/" + branch], work)
        return self.run("pull_request", branch, "refs/pull/%s/merge" % branch, work)

    def run(self, event, branch, ref, work):
        workflow = yaml.safe_load(read(os.path.join(work, ".github/workflows/gprof-gate.yml")))
        triggers = workflow[True]  # `on' is a truth value in YAML
        if event not in triggers or event == "push" and branch not in triggers["push"]["branches"]:
            raise RuntimeError("the workflow does not run for %s of %s" % (event, branch))
        (body,) = workflow["jobs"].values()
        if not body["runs-on"] or body["timeout-minutes"] <= 0 or workflow["permissions"] != {"actions": "read", "contents": "read"}:
            raise RuntimeError("incomplete job")
        home, extra = self.place("home"), self.place("files")
        env = dict(harness.ENV, HOME=home, RUNNER_TEMP=self.place("temp"), TMPDIR=extra, STORE=self.store, PATH=self.commands + os.pathsep + PATH, GITHUB_REPOSITORY="owner/project")
        for name in ("GITHUB_PATH", "GITHUB_STEP_SUMMARY"):
            env[name] = write(os.path.join(extra, name), b"")
        env.update(workflow["env"])
        self.count += 1
        context = {"github.event_name": event, "github.token": "TOKEN", "run": str(self.count), "branch": branch, "ref": ref}
        context.update({"env." + name: value for name, value in workflow["env"].items()})
        job, posts = Job(), []
        for step in body["steps"]:
            if not self.holds(step.get("if"), context):
                continue
            job.steps.append(step.get("name", step.get("uses")))
            if not self.step(job, step, context, dict(env), work, posts):
                break
            added = read(env["GITHUB_PATH"]).decode().split("\n")[:-1]
            env["PATH"] = os.pathsep.join(added[::-1] + [self.commands, PATH])
        for post in posts if job.status == 0 else []:
            post()
        job.summary = read(env["GITHUB_STEP_SUMMARY"]).decode()
        return job

    def value(self, text, context):
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: context[match.group(1)], text)

    def holds(self, condition, context):
        if condition is None:
            return True
        name, relation, value = re.fullmatch(r"([\w.-]+) (==|!=) '([^']*)'", condition).groups()
        return (context[name] == value) == (relation == "==")

    def step(self, job, step, context, env, work, posts):
        if "run" in step:
            env.update({name: self.value(value, context) for name, value in step.get("env", {}).items()})
            script = write(os.path.join(env["TMPDIR"], "script"), self.value(step["run"], context).encode())
            return self.shell(job, ["bash", "-e", script], work, env)
        action = step["uses"].split("@v4")[0]
        options = {name: self.value(str(value), context) for name, value in step.get("with", {}).items()}
        {"actions/checkout": self.checkout, "actions/cache": self.cache, "actions/upload-artifact": self.upload}[action](step, options, context, env, work, posts)
        return True

    def checkout(self, step, options, context, env, work, posts):
        if options:
            raise RuntimeError("unknown options: %s" % options)

    def cache(self, step, options, context, env, work, posts):
        """A cache that a pull request keeps is for that only; it may have one of the main branch."""
        path = os.path.join(env["HOME"], options.pop("path").replace("~/", ""))
        key = options.pop("key")
        saved = self.caches.get((context["ref"], key)) or self.caches.get(("refs/heads/main", key))
        if options:
            raise RuntimeError("unknown options: %s" % options)
        if saved:
            move(saved, path)
        else:
            copy = os.path.join(self.place("cache"), "saved")
            posts.append(lambda: (move(path, copy), self.caches.update({(context["ref"], key): copy})))
        context["steps.%s.outputs.cache-hit" % step["id"]] = "true" if saved else ""

    def upload(self, step, options, context, env, work, posts):
        if options["if-no-files-found"] != "error" or not 0 < int(options["retention-days"]) <= 90:
            raise RuntimeError("an artefact has to exist, and its time to be limited: %s" % options)
        name, path = options["name"], os.path.join(work, options["path"])
        kept = os.path.join(self.store, context["run"], name, os.path.basename(path))
        move(path, kept)
        os.chmod(kept, 0o644)  # archives of artefacts do not have modes
        self.add_artifact(name, int(context["run"]), context["branch"], False)


class GitLab(Service):
    """The server of artefacts listens on the loopback interface."""

    def __init__(self, name):
        super().__init__(name)
        self.artifacts, self.answers = {}, []
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                data = service.artifacts.get(self.path, b"") if self.headers["JOB-TOKEN"] == "TOKEN" else b""
                self.send_response(service.answers.pop() if service.answers else 200 if data else 404)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def push(self):
        return self.run("push", "main", self.clone("main"))

    def merge(self, branch):
        return self.run("merge_request_event", branch, self.clone("origin/" + branch))

    def run(self, source, branch, work):
        """The only job whose rules hold."""
        jobs = yaml.safe_load(read(os.path.join(work, ".gitlab-ci.yml")))
        predefined = {"CI_PIPELINE_SOURCE": source, "CI_DEFAULT_BRANCH": "main", "CI_PROJECT_ID": "7", "CI_JOB_TOKEN": "TOKEN"}
        predefined.update(CI_API_V4_URL="http://127.0.0.1:%d/api/v4" % self.server.server_address[1], CI_PROJECT_DIR=work)
        if source == "push":
            predefined["CI_COMMIT_BRANCH"] = branch
        bodies = {name: dict(jobs[body["extends"]], **body) for name, body in jobs.items() if not name.startswith(".")}
        ((name, body),) = [(n, b) for n, b in bodies.items() if any(self.holds(rule["if"], predefined) for rule in b["rules"])]
        if body["stage"] != "test" or not body["tags"] or not body["timeout"]:
            raise RuntimeError("incomplete job")
        env = dict(harness.ENV, PATH=self.commands + os.pathsep + PATH, HOME=self.place("home"), TMPDIR=self.place("temp"), **predefined)
        env.update(body["variables"])
        job = Job()
        job.steps.append(name)
        self.restore(body["cache"], env, work)
        script = "set -eo pipefail\n" + "\n".join(body["before_script"] + body["script"])
        if self.shell(job, ["bash", "-c", script], work, env) or body["cache"].get("when") == "always":
            self.save(body["cache"], env, work)
        if job.status == 0 or body["artifacts"].get("when") == "always":
            self.upload(name, branch, body["artifacts"]["paths"], work)
        job.summary = read(os.path.join(work, "summary.md")).decode() if "summary.md" in body["artifacts"]["paths"] else ""
        return job

    def holds(self, condition, variables):
        left, right = re.fullmatch(r'(\$\w+) == (\$\w+|"\w+")', condition).groups()
        values = [variables.get(word[1:]) if word[0] == "$" else word[1:-1] for word in (left, right)]
        return values[0] == values[1]

    def cached(self, cache, env, path):
        key = re.sub(r"\$(\w+)", lambda match: env[match.group(1)], cache["key"])
        return self.file("cache", key, path)

    def restore(self, cache, env, work):
        for path in cache["paths"]:
            if os.path.exists(self.cached(cache, env, path)):
                move(self.cached(cache, env, path), os.path.join(work, path))

    def save(self, cache, env, work):
        for path in cache["paths"]:
            shutil.rmtree(self.cached(cache, env, path), ignore_errors=True)
            if os.path.exists(os.path.join(work, path)):
                move(os.path.join(work, path), self.cached(cache, env, path))

    def upload(self, name, branch, paths, work):
        for path in paths:
            url = "/api/v4/projects/7/jobs/artifacts/%s/raw/%s?job=%s" % (branch, path, urllib.parse.quote(name))
            self.artifacts[url] = read(os.path.join(work, path))
