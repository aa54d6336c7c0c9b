"""Worker processes, as the server sees them.

    pool = Pool(server, 1)
    pool.do("advance", match)      # returns when the job is done; other threads serve pages in the meantime

Python runs one thread at a time. A battalion's turn, a bot that thinks or a replay would slow down every page if it
ran in a thread of the server; in a process of its own it takes another core.
"""

from __future__ import annotations

import logging
import multiprocessing
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec

from pbem.engine.rules.title import Title
from pbem.matches.server import Server
from pbem.matches.workers import deaths
from pbem.matches.workers.child import Order, Reply, fingerprints, run

log = logging.getLogger("pbem.workers")

PATIENCE = 600.0
"""Seconds that one exchange may take. A process that is still busy then counts as dead."""


class Stopped(Exception):
    """The pool was stopped; the job will be done after the next start."""


class Died(Exception):
    """The process ended, or was ended, before it had done its job."""


class Worker:
    """One process, started when first needed and restarted after it has died."""

    def __init__(self, path: Path, titles: Mapping[str, Title], patience: float, database: str = "") -> None:
        self._path, self._database, self._titles, self._patience = path, database, titles, patience
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._greeted = self._stopped = False
        self._starting = threading.Lock()

    def start(self) -> None:
        """Start the process without waiting until it is ready."""
        with self._starting:
            if self._stopped:
                raise Stopped
            if self._process is not None:
                return
            context = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads hold
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(
                target=run, args=(theirs, self._path, self._database, self._titles), name="pbem-worker", daemon=True
            )
            self._process.start()
            theirs.close()
            self._greeted = False

    def do(self, order: Order) -> None:
        """Have a job done; raise `Died` if the process did not survive it, `OSError` after a system failure."""
        self.start()
        self._greet()
        reply = msgspec.json.decode(self._exchange(msgspec.json.encode(order)), type=Reply)
        if reply.trouble:
            raise OSError(reply.trouble)

    def _greet(self) -> None:
        """Learn which rules a new process runs, because a different release on the disk must not play our matches."""
        if self._greeted:
            return
        try:
            theirs = msgspec.json.decode(self._exchange(None), type=dict[str, str])
        except Died as problem:
            raise OSError(f"a worker process could not be started: it {problem}") from problem
        if trouble := theirs.get(""):
            self.end()
            raise OSError(trouble)
        if theirs != fingerprints(self._titles):
            self.end()
            raise OSError("the program on the disk is another release than the one that runs: restart the server")
        self._greeted = True

    def _exchange(self, content: bytes | None) -> bytes:
        pipe, process = self._pipe, self._process
        assert pipe is not None and process is not None
        try:
            if content is not None:
                pipe.send_bytes(content)
            if pipe.poll(self._patience):
                return pipe.recv_bytes()
            why = f"took longer than {self._patience:.0f} seconds"
        except (EOFError, OSError):
            process.join()  # the pipe ends with the process
            code = process.exitcode or 0
            why = f"was killed by signal {-code}" if code < 0 else f"ended with status {code}"
        self.end()
        if self._stopped:
            raise Stopped
        raise Died(why)

    def end(self) -> None:
        """End the process, whatever it is doing. Uncommitted work is done again."""
        with self._starting:
            process, pipe = self._process, self._pipe
            self._process = self._pipe = None
        if process is not None and pipe is not None:
            process.kill()
            process.join()
            pipe.close()

    def stop(self) -> None:
        """End the process and never start another. A thread waiting for it gets `Stopped`."""
        self._stopped = True
        with self._starting:
            process = self._process
        if process is not None:
            process.kill()


class Pool:
    """Workers that wait for jobs. Thread-safe; if all workers are busy, a job waits for its turn."""

    def __init__(self, server: Server, size: int = 1, *, patience: float = PATIENCE) -> None:
        self._server = server
        self._workers = [
            Worker(server.store.path, server.titles, patience, server.store.address) for _ in range(size)
        ]
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)

    def start(self) -> None:
        """Start all workers now, so that the first turn does not wait for one."""
        for worker in self._workers:
            worker.start()

    def do(self, job: str, match: str) -> None:
        """Have a worker do a job. If the job kills its worker, try again; after the third death, halt the match."""
        worker = self._idle.get()
        try:
            self._do(worker, job, match)
        finally:
            self._idle.put(worker)

    def _do(self, worker: Worker, job: str, match: str) -> None:
        while True:
            try:
                worker.do(Order(job, match))
                return deaths.forget(self._server, job, match)
            except Died as problem:
                log.error("match %s: the worker that had to %s it %s", match, job, problem)
                if deaths.note(self._server, job, match) >= deaths.MOST_DEATHS:
                    return deaths.give_up(self._server, job, match, str(problem))

    def each(self, act: Callable[[str], None], matches: Sequence[str]) -> None:
        """Do something for each match, as many at a time as there are workers."""
        if len(self._workers) == 1 or len(matches) < 2:
            for match in matches:
                act(match)
            return
        with ThreadPoolExecutor(len(self._workers), "pbem-work") as threads:
            for done in [threads.submit(act, match) for match in matches]:
                done.result()

    def rest(self) -> None:
        """End idle processes; the next job starts one again."""
        for worker in self._workers:
            worker.end()

    def stop(self) -> None:
        """End the processes permanently, and return when no thread is waiting for one."""
        for worker in self._workers:
            worker.stop()
        ended = [self._idle.get() for _ in self._workers]
        for worker in ended:
            worker.end()
            self._idle.put(worker)
