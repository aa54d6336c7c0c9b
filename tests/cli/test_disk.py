"""§15 A disk that is really full, read-only or damaged leads to one clear line and an exit status.

Each test mounts its own small file system, in a namespace that ends with the command.
"""

from __future__ import annotations

import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.playing import a_match, a_server, play

from pbem.cli import TROUBLE, main

PROGRAM = """
import sys
from pbem.cli import main
from support.toy import AmbushTitle
sys.exit(main(sys.argv[1:], {"ambush": AmbushTitle()}))
"""
HERE = os.pathsep.join([str(Path(__file__).parents[2]), str(Path(__file__).parents[1])])


def pbem(*words: str) -> str:
    """Return a shell command that runs `pbem` with one small title."""
    return shlex.join([sys.executable, "-c", PROGRAM, *words])


def namespace() -> list[str]:
    return ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]


def can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    tried = subprocess.run([*namespace(), "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False)
    return tried.returncode == 0


mounting = pytest.mark.skipif(not can_mount(), reason="no namespace of one's own to mount a file system in")


def on_a_disk(folder: Path, size: str, *steps: str) -> tuple[int, str, str]:
    """Run shell commands on a new file system of this size; return the exit status and the last output."""
    mount = f"mount -t tmpfs -o size={size} tmpfs {folder}"
    script = " && ".join([mount, *steps])
    more = {**os.environ, "PYTHONPATH": HERE}
    done = subprocess.run([*namespace(), "sh", "-c", script], capture_output=True, text=True, check=False, env=more)
    return done.returncode, done.stdout, done.stderr


def one_line(said: str) -> str:
    """Return the only line of output, after checking that it is not a traceback."""
    assert "Traceback" not in said and said.startswith("pbem: ") and said.count("\n") == 1, said
    return said


@mounting
@pytest.mark.parametrize("size", ["40k", "256k"])
def test_a_disk_that_fills_up_at_the_first_start(tmp_path: Path, size: str) -> None:
    """If the key, the tables or a page of a table do not fit on the disk, `pbem` reports that in one line."""
    status, _, said = on_a_disk(tmp_path, size, pbem("show", "--data", str(tmp_path)))
    assert status == TROUBLE
    assert re.search("disk is full|No space left", one_line(said))


@mounting
def test_a_disk_without_room_for_the_key(tmp_path: Path) -> None:
    """If a new data folder has no room at all, `pbem` says what to do, and leaves no empty key behind."""
    fill = f"dd if=/dev/zero of={tmp_path}/rest bs=4k count=1 2>/dev/null"
    show = f"{{ {pbem('show', '--data', str(tmp_path))}; echo status $?; }}"
    _, shown, said = on_a_disk(tmp_path, "4k", fill, show, f"ls {tmp_path}")
    assert shown.split("\n") == [f"status {TROUBLE}", "rest", ""]
    assert "the disk is full: make room and try again" in one_line(said)


@mounting
def test_a_disk_that_fills_up_under_a_server_keeps_what_was_there(tmp_path: Path) -> None:
    show, new = pbem("show", "--data", str(tmp_path)), pbem("new", "ambush", "tiny", "--data", str(tmp_path))
    fill = f"dd if=/dev/zero of={tmp_path}/rest bs=4k >/dev/null 2>&1"
    again = f"{{ {new} >/dev/null; echo status $?; }}"
    steps = [f"{new} >/dev/null", f"{{ {fill}; true; }}", again, f"rm {tmp_path}/rest", show]
    status, shown, said = on_a_disk(tmp_path, "6m", *steps)
    assert f"status {TROUBLE}" in shown and re.search("is full", one_line(said))
    assert status == 0 and shown.count("free seats") == 1, "the first match is there, the second never was"


@mounting
def test_a_folder_that_can_only_be_read(tmp_path: Path) -> None:
    show = pbem("show", "--data", str(tmp_path))
    status, _, said = on_a_disk(tmp_path, "6m", f"{show} >/dev/null", f"mount -o remount,ro {tmp_path}", show)
    assert status == TROUBLE
    assert re.search("permissions|Read-only", one_line(said))


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """If a file reaches a size limit, such as a quota, `pbem` reports that in one line."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "show", "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
        env={**os.environ, "PYTHONPATH": HERE},
    )
    assert done.returncode == TROUBLE
    assert re.search("cannot be read or written: check whether it is full|too large", one_line(done.stderr))


def test_every_page_with_content_that_is_damaged_is_named_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = a_server(tmp_path)
    play(server, a_match(server), 1)
    server.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    pages = server.database.execute("SELECT pageno FROM dbstat WHERE payload > 0 ORDER BY pageno").fetchall()
    [[size]] = server.database.execute("PRAGMA page_size").fetchall()
    server.close()
    path = tmp_path / "pbem.db"
    sound = path.read_bytes()
    for (number,) in pages:
        start = (number - 1) * size
        path.write_bytes(sound[: start + 100] + os.urandom(size - 100) + sound[start + size :])
        for journal in tmp_path.glob("pbem.db-*"):
            journal.unlink()
        status = main(["check", "--data", str(tmp_path)], {})
        said = capsys.readouterr()
        assert status != 0 and "Traceback" not in said.err + said.out, number
        assert said.err.count("\n") <= 1, number
    assert len(pages) > 20
