"""The former name of `pbem.matches.exchange.ending`, until every caller uses the new one."""

from __future__ import annotations

from pbem.matches.exchange.ending import *  # noqa: F403
