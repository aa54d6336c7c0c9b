"""A private PostgreSQL cluster for each test run, with an empty schema for each store.

PostgreSQL does not run as root, so root starts it as `nobody`. The cluster and its only socket are in one folder, in
memory if the system has room. It stops with the tests.
"""

from __future__ import annotations

import atexit
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path

import psycopg

VERSIONS = ("18", "17", "16", "15")
SETTINGS = {
    "listen_addresses": "''",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "autovacuum": "off",
    "timezone": "UTC",
}
_schemas = itertools.count(1)


def programs() -> Path | None:
    """Return the folder of the newest installed PostgreSQL, if it is new enough."""
    found = (Path(f"/usr/lib/postgresql/{version}/bin") for version in VERSIONS)
    return next((folder for folder in found if (folder / "initdb").exists()), None)


def missing() -> str:
    """Return why PostgreSQL cannot be started, or an empty text if it can."""
    return "" if programs() else "PostgreSQL 15 or newer is not installed (Debian: apt-get install postgresql)"


class Cluster:
    """A private PostgreSQL server."""

    def __init__(self, *, disk: Path | None = None, **settings: str) -> None:
        room = Path("/dev/shm")
        place = disk or (room if room.is_dir() and shutil.disk_usage(room).free > 2**29 else None)
        self.folder = Path(tempfile.mkdtemp(prefix="pbem-pg-", dir=place))
        self.data, self.settings = self.folder / "data", {**SETTINGS, **settings}
        if os.geteuid() == 0:
            user = pwd.getpwnam("nobody")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        folder = programs()
        assert folder is not None, missing()
        self.programs = folder
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, program: str, *words: object) -> None:
        command = [*as_nobody(), str(self.programs / program), *map(str, words)]
        done = subprocess.run(command, capture_output=True, timeout=120, cwd="/")
        assert done.returncode == 0, done.stderr.decode()

    def create(self) -> None:
        self.run("initdb", "-D", self.data, "-U", "pbem", "--auth=trust", "--no-sync", "--locale=C", "-E", "UTF8")

    def start(self) -> None:
        options = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value.strip(chr(39))}")]
        command = [str(self.programs / "postgres"), "-D", str(self.data), "-k", str(self.folder), *options]
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen([*as_nobody(), *command], stdout=log, stderr=log, cwd="/")
        self.wait()

    def wait(self) -> None:
        patience = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.address(), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                assert time.monotonic() < patience, (self.folder / "log").read_text()[-2000:]
                time.sleep(0.05)

    def kill(self) -> None:
        """End the cluster at once, as a power failure would."""
        assert self._process is not None
        head = int((self.data / "postmaster.pid").read_text().split()[0])
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(head)], capture_output=True, text=True)
        for pid in (head, *map(int, children.stdout.split())):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait(30)
        self._process = None

    def halt(self, how: signal.Signals = signal.SIGINT) -> None:
        """Shut the cluster down cleanly, so that it can be started again."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(30)
        self._process = None

    def stop(self) -> None:
        if self._process is not None:
            self.halt(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    # Replicas

    def replica(self, name: str, **settings: str) -> Cluster:
        """Start a copy that follows this cluster and confirms the cluster's commits under a name."""
        made = Cluster(**settings)
        self.run("pg_basebackup", "-D", made.data, "-h", self.folder, "-U", "pbem", "--no-sync", "-X", "stream", "-R")
        made.settings["primary_conninfo"] = f"host={self.folder} user=pbem application_name={name}"
        made.settings["hot_standby"] = "on"
        made.start()
        return made

    def promote(self) -> None:
        """Make a replica the primary."""
        with psycopg.connect(self.address(), autocommit=True) as connection:
            assert connection.execute("SELECT pg_promote(true, 30)").fetchone() == (True,)

    def ask_for_quorum(self, names: str) -> None:
        """Make every later commit wait until one of these replicas, which must be following, confirms it."""
        self.configure(synchronous_standby_names=f"ANY 1 ({names})")

    def configure(self, **settings: str) -> None:
        with psycopg.connect(self.address(), autocommit=True) as connection:
            for name, value in settings.items():
                connection.execute(f"ALTER SYSTEM SET {name} = '{value}'".encode())
            connection.execute("SELECT pg_reload_conf()")
        patience = time.monotonic() + 20
        while not all(self.setting(name) == value for name, value in settings.items()):
            assert time.monotonic() < patience
            time.sleep(0.05)

    def setting(self, name: str) -> str:
        with psycopg.connect(self.address(), autocommit=True) as connection:
            row = connection.execute("SELECT current_setting(%s)", (name,)).fetchone()
        return "" if row is None else str(row[0])

    def give(self, file: Path) -> None:
        """Make the user who runs the cluster the owner of a file."""
        if os.geteuid() == 0:
            user = pwd.getpwnam("nobody")
            os.chown(file, user.pw_uid, user.pw_gid)

    def settle_recovery(self) -> None:
        """Wait until the cluster accepts writes."""
        patience = time.monotonic() + 30
        while self.setting("transaction_read_only") == "on":
            assert time.monotonic() < patience, (self.folder / "log").read_text()[-2000:]
            time.sleep(0.05)

    def address(self, schema: str = "") -> str:
        path = f"&options=-csearch_path%3D{schema}" if schema else ""
        port = f"&port={self.settings['port']}" if "port" in self.settings else ""
        return f"postgresql://pbem@/postgres?host={self.folder}{port}{path}"

    def empty(self) -> str:
        """Return the address of a new empty store."""
        schema = f"store{next(_schemas)}"
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}".encode())
        return self.address(schema)


def as_nobody() -> list[str]:
    """Return the first words of a command that root runs as `nobody`; for other users there are no such words."""
    if os.geteuid() != 0:
        return []
    user = pwd.getpwnam("nobody")
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "--"]


@cache
def cluster() -> Cluster:
    """Return the cluster of this test run, started when a test first needs it."""
    made = Cluster()
    atexit.register(made.stop)
    made.create()
    made.start()
    return made
