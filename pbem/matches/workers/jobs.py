"""The jobs a worker process can do. Each of them can be repeated after a crash with the same result.

advance   resolve the closed exchange and let bots answer; one exchange at a time, so that matches take turns
check     replay the past of a match under changed rules
keep      store the pages of a match that has ended
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pbem.matches.clock import tick
from pbem.matches.server import Server
from pbem.matches.workers import ADVANCE, CHECK, KEEP

Job: TypeAlias = Callable[[Server, str], None]


def advance(server: Server, match: str) -> None:
    """Play one exchange; if the match can then continue, the next round of work picks it up again."""
    tick.advance_safely(server, match, exchanges=1)


JOBS: Mapping[str, Job] = {ADVANCE: advance, CHECK: tick.check_match, KEEP: tick.keep_match}
