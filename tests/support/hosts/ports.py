"""Ports for the servers that tests start.

They are below the range from which the system takes the ports of outgoing connections, and no port is given out
twice. So a port that is free when a test asks for it is still free when the test's server opens it.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from itertools import count

FIRST, LAST = 12_000, 32_000
STRIDE = 5_000


def candidates() -> Iterator[int]:
    """Yield the ports of this process; each worker of the test run has its own range."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw") or 0)
    start = worker * STRIDE + os.getpid() * 7 % STRIDE
    return (FIRST + (start + step) % (LAST - FIRST) for step in count())


_candidates = candidates()


def free_port() -> int:
    """Return a port on which nothing listens on this machine, and which this process has not returned before."""
    for port in _candidates:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("the candidates never end")
