"""Connections to the site: no client can keep others out by opening many idle ones.

A request must be complete within a time limit; a connection without a request may stay idle only briefly; and each
source may have only a limited number of unfinished requests at the same time.

    serve_site    a server for the site that keeps to these limits
"""

from __future__ import annotations

import time
from typing import Any

import waitress  # type: ignore[import-untyped]
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]

MOST = 900
"""The most simultaneous connections; a process may usually open 1,024 files."""

MOST_WAITING = 100
"""The most connections from one source without a complete request."""

LONGEST_REQUEST = 40
"""The most seconds from the first byte of a request to the last."""

IDLE = 30
EVERY = 5
"""Seconds between two checks of all connections."""


class Guest(HTTPChannel):  # type: ignore[misc]
    """A connection; if one source has too many silent ones, the oldest of them is closed."""

    limited = True
    begun: float | None = None

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        super().__init__(server, sock, addr, adj, map)
        if self.limited:
            others = [
                guest for guest in server.active_channels.values() if guest.is_silent and guest.addr[0] == addr[0]
            ]
            if len(others) > MOST_WAITING:
                min(others, key=lambda guest: guest.creation_time).will_close = True

    @property
    def is_silent(self) -> bool:
        """Whether no response is due on this connection."""
        return not self.requests and not self.will_close and not self.total_outbufs_len

    def received(self, data: bytes) -> bool:
        if self.begun is None:
            self.begun = time.time()
        return bool(super().received(data))

    def look(self, now: float) -> None:
        """Close this connection if its request takes too long or it has been silent for too long."""
        if self.requests or self.request is None:
            self.begun = None
        late = self.begun is not None and now - self.begun > LONGEST_REQUEST
        if self.is_silent and (late or now - self.last_activity > IDLE):
            self.will_close = True


class ProxiedGuest(Guest):
    """A connection from a proxy, which forwards the requests of many visitors."""

    limited = False


def serve_site(app: Any, *, largest: int, proxies: int, **listening: Any) -> Any:
    """Return a server for the site; `largest` is the maximum size of a request in bytes."""
    site = waitress.create_server(
        app,
        connection_limit=MOST,
        cleanup_interval=EVERY,
        asyncore_use_poll=True,
        max_request_body_size=largest,
        max_request_header_size=64 * 1024,
        # Forwarded headers pass only if there are proxies: `create_app` trusts that many of the last ones.
        clear_untrusted_proxy_headers=not proxies,
        **listening,
    )
    for listener in listeners(site):
        listener.channel_class = ProxiedGuest if proxies else Guest
        listener.maintenance = lambda now, listener=listener: look_at_all(listener, now)
    return site


def listeners(site: Any) -> list[Any]:
    """Return the site's listeners: one for each of its addresses."""
    several = [one for one in getattr(site, "map", {}).values() if hasattr(one, "channel_class")]
    return several or [site]


def look_at_all(listener: Any, now: float) -> None:
    for guest in list(listener.active_channels.values()):
        guest.look(now)
