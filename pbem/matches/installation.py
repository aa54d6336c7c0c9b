"""Open an installation: a server with all its tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.engine.rules.title import Title
from pbem.matches import dice_totals, health, summaries
from pbem.matches.accounts import accounts, api_tokens, preferences, rate_limits, reliability, sessions, traces
from pbem.matches.audit import search_index
from pbem.matches.clock import watch
from pbem.matches.exchange import progress
from pbem.matches.film import looks
from pbem.matches.history import final_views
from pbem.matches.players import drafts, moderation
from pbem.matches.post import inbox, notifications, outbox, reply_tokens
from pbem.matches.rulings import precedents
from pbem.matches.server import Server
from pbem.matches.workers import claims, deaths

TABLES = (
    accounts,
    preferences,
    sessions,
    api_tokens,
    reply_tokens,
    outbox,
    inbox,
    rate_limits,
    notifications,
    reliability,
    traces,
    watch,
    progress,
    final_views,
    summaries,
    dice_totals,
    precedents,
    search_index,
    drafts,
    looks,
    moderation,
    health,
    deaths,
    claims,
)


def open_server(path: str | Path, titles: Mapping[str, Title], **more: Any) -> Server:
    """Open a server and create all its tables."""
    server = Server(path, titles, **more)
    server.watched_dice = progress.count_dice
    with server.store.transaction() as transaction:
        for module in TABLES:
            module.create_tables(transaction.database)
    return server
