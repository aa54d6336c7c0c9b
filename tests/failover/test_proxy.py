"""A TCP proxy delays, cuts and half-closes the connections to the database, and nothing acknowledged is lost.

Run with `pytest -m failover tests/failover`.
"""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.hosts.failover import Table, Writers, settle
from support.hosts.ports import free_port
from support.hosts.postgres import Cluster

from eventstore import EventStore

pytestmark = [pytest.mark.failover, pytest.mark.postgresql]


class Proxy:
    """A proxy that passes bytes on after `delay` seconds and can cut connections or close one direction."""

    def __init__(self, target: int) -> None:
        self.target, self.delay = target, 0.0
        self._lines: list[tuple[socket.socket, socket.socket]] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            self._lines.append((client, server))
            for source, goal in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=(source, goal), daemon=True).start()

    def _pass_on(self, source: socket.socket, goal: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(65536):
                if self.delay:
                    time.sleep(self.delay)
                goal.sendall(piece)
        with suppress(OSError):
            goal.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        """Cut every connection while data is passing."""
        for line in self._taken():
            for end in line:
                with suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    end.shutdown(socket.SHUT_RDWR)
                    end.close()

    def half_close(self, *, answers: bool) -> None:
        """Close one direction of every connection, so that either no answer or no query arrives."""
        for client, server in self._taken():
            with suppress(OSError):
                (client if answers else server).shutdown(socket.SHUT_WR)

    def _taken(self) -> list[tuple[socket.socket, socket.socket]]:
        lines, self._lines = self._lines, []
        return lines

    def close(self) -> None:
        self._listener.close()
        self.cut()


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    port = free_port()
    cluster = Cluster(listen_addresses="127.0.0.1", port=str(port))
    cluster.create()
    cluster.start()
    made = Proxy(port)
    yield made
    made.close()
    cluster.stop()


def address(proxy: Proxy) -> str:
    return f"postgresql://pbem@127.0.0.1:{proxy.port}/postgres"


@pytest.mark.parametrize("fault", ["cut", "no answers", "no questions", "delay"])
def test_a_bad_line_loses_and_doubles_nothing(proxy: Proxy, tmp_path: Path, fault: str) -> None:
    store = EventStore(tmp_path / "store.db", database=address(proxy))
    chance, writers = random.Random(fault), Writers(store, 4)
    for _ in range(6):
        time.sleep(chance.uniform(0.2, 0.7))
        if fault == "cut":
            proxy.cut()
        elif fault == "delay":
            proxy.delay = chance.choice((0.0, 0.02, 0.2))
        else:
            proxy.half_close(answers=fault == "no answers")
    proxy.delay = 0.0
    time.sleep(0.5)
    writers.stop()

    settle(lambda: store.version("stream/0"))
    writers.check(store)
    assert writers.count > 0
    store.close()


def test_a_turn_is_played_once_over_a_line_that_is_cut_again_and_again(proxy: Proxy, tmp_path: Path) -> None:
    table = Table(tmp_path / "data", address(proxy))
    stopped = threading.Event()

    def cut() -> None:
        """Cut connections at growing intervals, so that even on a slow machine a turn gets through in the end."""
        interval = 0.1
        while not stopped.wait(interval):
            proxy.cut()
            interval *= 1.25

    thread = threading.Thread(target=cut, daemon=True)
    thread.start()
    before, receipts = table.open_exchange_when_it_answers(), []
    patience = time.monotonic() + 300
    while not table.has_gone_on(before) and time.monotonic() < patience:
        receipts += table.try_a_turn(before)
    stopped.set()
    thread.join()
    settle(lambda: table.check(*receipts))
    assert table.open_exchange == before + 1
    table.close()
