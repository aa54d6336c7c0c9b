"""No visitor can block the site for others, either by silent connections or by very many connections."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection

import pytest

from pbem.web.http import connections
from pbem.web.http.connections import serve_site


def hello(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "5")])
    return [b"hello"]


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(connections, "MOST", 40)
    monkeypatch.setattr(connections, "MOST_WAITING", 10)
    site = serve_site(hello, largest=1000, proxies=0, host="127.0.0.1", port=0, threads=2)
    thread = threading.Thread(target=run, args=(site,))
    thread.start()
    yield site.effective_port
    site.close()
    thread.join()


def run(site) -> None:
    with suppress(OSError, ValueError):
        site.run()


def asked(port: int, **more) -> int:
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as caller:
        caller.request("POST" if more else "GET", "/", **more)
        return caller.getresponse().status


def test_silent_connections_of_one_source_keep_nobody_out(port: int) -> None:
    """Sixty silent connections from one source do not block other visitors; a hundred once blocked the site for two
    minutes."""
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
    for one in silent:
        with suppress(OSError):
            one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX")
    assert asked(port) == 200
    for one in silent:
        one.close()


def test_a_request_larger_than_any_form_is_not_taken_in(port: int) -> None:
    """A request larger than any form is refused before its body is written to disk."""
    assert asked(port, body=b"x" * 900) == 200
    assert asked(port, body=b"x" * 1001) == 413


class Channel(connections.Guest):
    """A fake connection without a socket."""

    def __init__(self, *, request: object, begun: float | None, last_activity: float) -> None:
        self.requests, self.request, self.begun, self.last_activity = [], request, begun, last_activity
        self.will_close = False

    total_outbufs_len = 0


@pytest.mark.parametrize(
    ("request_", "begun", "heard", "closed"),
    [
        (object(), 1000.0, 1059.0, True),  # it drips in too slowly
        (object(), 1030.0, 1059.0, False),
        (None, None, 1020.0, True),  # idle
        (None, 1000.0, 1059.0, False),  # an old connection that asks again and again
    ],
)
def test_a_request_has_a_time_to_come_in(request_, begun, heard, closed) -> None:
    channel = Channel(request=request_, begun=begun, last_activity=heard)
    channel.look(1060.0)
    assert channel.will_close is closed


@pytest.mark.parametrize(
    "path", ["/?shelf=open&before={}.zz", "/?reliable={}", "/matches/x/turns/{}", "/api/v1/matches/x/views/{}"]
)
def test_a_number_that_is_too_large_is_no_fault_of_the_server(nobody, path: str) -> None:
    assert nobody.get(path.format("9" * 400)).status_code < 500
