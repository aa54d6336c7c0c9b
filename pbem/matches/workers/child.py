"""The worker process: it opens the same database, takes jobs from a pipe and answers each.

The process ends when the pipe does, so it never outlives a server that was killed. Ctrl-C is for the server alone.
"""

from __future__ import annotations

import gc
import logging
import os
import queue
import signal
import sys
import threading
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from eventstore import StoreTrouble
from pbem.engine.rules.title import Title
from pbem.matches.installation import open_server
from pbem.matches.server import Server, file_trouble, fingerprint, storage_trouble
from pbem.matches.workers.jobs import JOBS


class Order(msgspec.Struct, frozen=True):
    """A job for a match."""

    job: str
    match: str


class Reply(msgspec.Struct, frozen=True):
    """The answer to a job; `trouble` describes the disk or database failure that prevented it, if any."""

    trouble: str = ""


def fingerprints(titles: Mapping[str, Title]) -> dict[str, str]:
    """The versions of the rules' code, which must be the same in server and worker."""
    return {name: fingerprint(type(title).__module__) for name, title in titles.items()}


def run(pipe: Connection, path: Path, database: str, titles: Mapping[str, Title]) -> None:
    """Do jobs until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s", stream=sys.stderr)
    orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
    threading.Thread(target=receive, args=(pipe, orders), daemon=True).start()
    try:
        server = open_server(path, titles, database=database)
    except (StoreTrouble, OSError) as problem:
        pipe.send_bytes(msgspec.json.encode({"": trouble_of(problem)}))
        return
    pipe.send_bytes(msgspec.json.encode(fingerprints(titles)))
    gc.freeze()  # everything loaded so far stays: garbage collection need not examine it again
    while True:
        order = orders.get()
        pipe.send_bytes(msgspec.json.encode(Reply(outcome(server, order))))


def outcome(server: Server, order: Order) -> str:
    """Do a job; return the disk or database failure that prevented it, or nothing."""
    try:
        JOBS[order.job](server, order.match)
    except (StoreTrouble, OSError) as problem:
        return trouble_of(problem)
    return ""


def trouble_of(problem: StoreTrouble | OSError) -> str:
    return storage_trouble(problem) if isinstance(problem, StoreTrouble) else file_trouble(problem)


def receive(pipe: Connection, orders: queue.SimpleQueue[Order]) -> None:
    """Pass jobs on; end the process, whatever it is doing, when the server is gone."""
    try:
        while True:
            orders.put(msgspec.json.decode(pipe.recv_bytes(), type=Order))
    except (EOFError, OSError):
        os._exit(0)
