"""Several processes on one database file, and processes that die in the middle of a commit."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from contract import fill

from eventstore import EventStore

APPEND = """
import sys
from eventstore import Conflict, EventStore, NewEvent

path, writer = sys.argv[1:]
store = EventStore(path)
conflicts = 0
for number in range(60):
    while True:
        try:
            event = NewEvent("thing.counted", {"writer": writer, "number": number})
            store.append("race", [event], expected=store.version("race"))
            break
        except Conflict:
            conflicts += 1
print(conflicts)
"""

DIE = """
import os, signal, sys
from eventstore import EventStore, NewEvent, NewPart

path, moment = sys.argv[1:]

def die(name):
    if name == moment:
        os.kill(os.getpid(), signal.SIGKILL)

store = EventStore(path, failpoint=die)
with store.transaction(label="seal") as transaction:
    part = NewPart("orders", "axis", b"secret", bytes(32))
    transaction.append("a", [NewEvent("order.sealed", {}, (part,))], expected=1)
    transaction.append("b", [NewEvent("receipt.sent", {})], expected=0)
    transaction.database.table("outbox").insert({"id": 1})
"""


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_three_processes_append_to_one_stream(tmp_path: Path):
    """Three processes that also create the file append to one stream; every append succeeds, without an SQLite
    error."""
    path = tmp_path / "store.db"
    writers = {name: start(APPEND, path, name) for name in ("one", "two", "three")}

    for writer in writers.values():
        _, errors = writer.communicate(timeout=60)
        assert (writer.returncode, errors) == (0, "")

    store = EventStore(path)
    events = store.read("race")
    assert [event.version for event in events] == list(range(1, 181))
    for name in writers:
        written = [event.payload["number"] for event in events if event.payload["writer"] == name]
        assert written == list(range(60))
    assert store.verify("race") is None
    store.close()


@pytest.mark.parametrize(("moment", "survives"), [("seal:before-commit", False), ("seal:after-commit", True)])
def test_a_killed_process_leaves_all_or_nothing(tmp_path: Path, moment: str, survives: bool):
    path = tmp_path / "store.db"
    store = EventStore(path)
    fill(store, "a", 1)
    store.database.table("outbox").create({"id": int}, pk="id")
    store.close()

    process = start(DIE, path, moment)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (-signal.SIGKILL, "")

    store = EventStore(path)
    found = (
        store.version("a"),
        store.version("b"),
        store.database.table("outbox").count,
        store.database.table("parts").count,
    )
    assert found == ((2, 1, 1, 1) if survives else (1, 0, 0, 0))
    assert store.verify("a") is store.verify("b") is None
    store.append("a", [], expected=found[0])  # no lock is left behind
    store.close()
