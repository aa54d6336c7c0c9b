"""Which accounts run the server."""

from __future__ import annotations

from pbem.matches.clock.deadlines import SERVER_STREAM
from pbem.matches.events import OperatorDismissed, OperatorNamed, each
from pbem.matches.server import Server


def operators(server: Server) -> list[str]:
    """The accounts of the server's operators."""
    found: dict[str, None] = {}
    for _, what in each(server.store.read(SERVER_STREAM), OperatorNamed, OperatorDismissed):
        if isinstance(what, OperatorNamed):
            found[what.account] = None
        elif isinstance(what, OperatorDismissed):
            found.pop(what.account, None)
    return list(found)
