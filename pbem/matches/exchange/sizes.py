"""The former name of `pbem.matches.players.sizes`, until every caller uses the new one."""

from __future__ import annotations

from pbem.matches.players.sizes import *  # noqa: F403
