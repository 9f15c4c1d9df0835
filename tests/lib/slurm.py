"""A Slurm cluster of one node on the loopback interface, with its own munged, slurmctld and slurmd.  Debian:
slurmctld slurmd slurm-client munge."""

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import time

from lib import harness

PATH = harness.ENV["PATH"] + ":/usr/sbin:/sbin"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "sinfo", "scontrol")

CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={work}/munge.socket
CredType=cred/munge
StateSaveLocation={work}/state
SlurmdSpoolDir={work}/spool
SlurmctldPidFile={work}/slurmctld.pid
SlurmdPidFile={work}/slurmd.pid
SlurmctldLogFile={work}/slurmctld.log
SlurmdLogFile={work}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
MinJobAge=300
InactiveLimit=0
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=60 State=UP
"""


def missing():
    """The first program that is not installed, or None."""
    return next((name for name in PROGRAMS if not shutil.which(name, path=PATH)), None)


def _free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """Use in a `with' statement; raises RuntimeError, with the logs, if the cluster does not start."""

    def __init__(self):
        self.work = tempfile.mkdtemp(prefix="regprof-slurm-", dir="/tmp")  # a short path, for the socket
        self.env = dict(harness.ENV, PATH=PATH, SLURM_CONF=os.path.join(self.work, "slurm.conf"))
        self.daemons = []

    def __enter__(self):
        try:
            self._configure()
            key = ["--key-file", self._path("munge.key"), "--socket", self._path("munge.socket")]
            files = ["--pid-file", self._path("munge.pid"), "--log-file", self._path("munge.log"), "--seed-file", self._path("munge.seed")]
            self._start(["munged", "--foreground", "--force", *key, *files])
            self._wait_for("munged", lambda: os.path.exists(self._path("munge.socket")))
            self._start(["slurmctld", "-D", "-c", "-i"])
            self._start(["slurmd", "-D"])
            self._wait_for("the node", lambda: self.run(["sinfo", "-h", "-o", "%t"])[1].strip() == b"idle")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.work, ignore_errors=True)

    def _path(self, name):
        return os.path.join(self.work, name)

    def _configure(self):
        os.chmod(self.work, 0o755)
        host, user = socket.gethostname().split(".")[0], pwd.getpwuid(os.geteuid()).pw_name
        for name in ("state", "spool"):
            os.mkdir(self._path(name))
        text = CONFIGURATION.format(host=host, user=user, ports=_free_ports(2), work=self.work)
        harness.write(self._path("slurm.conf"), text.encode())
        harness.write(self._path("munge.key"), secrets.token_bytes(128))
        os.chmod(self._path("munge.key"), 0o400)

    def _start(self, command):
        with open(self._path(command[0] + ".out"), "wb") as out:
            path = shutil.which(command[0], path=PATH)
            self.daemons.append(subprocess.Popen([path] + command[1:], env=self.env, stdin=subprocess.DEVNULL, stdout=out, stderr=out))

    def _logs(self):
        names = ("munge.log", "munged.out", "slurmctld.out", "slurmctld.log", "slurmd.out", "slurmd.log")
        return "".join("%s:\n%s\n" % (name, harness.read(self._path(name)).decode(errors="replace")[-1500:]) for name in names)

    def _wait_for(self, what, has_happened, seconds=60):
        end = time.monotonic() + seconds
        while not has_happened():
            dead = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if dead or time.monotonic() > end:
                raise RuntimeError("%s does not work: %s has ended\n%s" % (what, dead or "nothing", self._logs()))
            time.sleep(0.2)

    def run(self, command, cwd=None, **variables):
        return harness.run(command, cwd, dict(self.env, **variables), timeout=300)

    def state_of(self, job):
        """State and reason of a job, such as `PENDING (Dependency)'; of a finished one, `COMPLETED'."""
        text = self.run(["scontrol", "-o", "show", "job", job])[1].decode()
        words = dict(word.partition("=")[::2] for word in text.split())
        state, reason = words.get("JobState", "gone"), words.get("Reason", "None")
        return state if reason == "None" else "%s (%s)" % (state, reason)

    def wait_for_end(self, job, seconds=180):
        """Waits until no task of JOB is queued or runs."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.run(["squeue", "-h", "-j", job, "-t", "PENDING,RUNNING,COMPLETING"])[1].strip():
                return True
            time.sleep(0.3)
        return False
