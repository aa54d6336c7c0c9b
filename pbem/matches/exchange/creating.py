"""Create a match with everything it is played with frozen."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.title import Rules, Title
from pbem.engine.text.messages import say
from pbem.matches.clock.deadline_rules import read_timing
from pbem.matches.events import MatchCreated
from pbem.matches.exchange import ladder_starts
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history import beacons, ladders
from pbem.matches.history.replay import (
    OPERATOR,
    SERVER,
    stream_of,
)
from pbem.matches.server import Server, keep_blob

RESERVED = {PUBLIC, MASTER, SERVER, OPERATOR}
"""Viewers and audiences that no seat may be named after."""


def create(
    server: Server,
    title: str,
    scenario: str,
    *,
    name: str = "",
    options: Mapping[str, Any] | None = None,
    reactions: str = "plan",
    master: str = "",
    seats: Mapping[str, str] | None = None,
    match: str = "",
    switches: Sequence[str] | None = None,
    blobs: Mapping[str, bytes] | None = None,
    more: Mapping[str, Any] | None = None,
) -> str:
    """Create a match and freeze all the data it is played with; it starts once every seat is taken.

    A given id makes creation idempotent: a second call raises `Conflict`. `switches` pins the rules' corrections and
    `blobs` the data, which a tournament freezes once for all its matches and a campaign musters from its rosters.
    """
    game = title_of(server, title, scenario if blobs is None else "")
    frozen = game.freeze(scenario, options or {}) if blobs is None else blobs
    rules = game.rules(frozen)
    check_agreed(title, game, rules, reactions, switches or ())
    match = match or base64.b32encode(server.entropy("match"))[:8].decode().lower()
    ladder = ladder_starts.draw_ladder(server, match, 0)
    with server.store.transaction("create") as transaction:
        created = MatchCreated(
            title=title,
            scenario=scenario,
            name=name or f"{title} {scenario}",
            options=dict(options or {}),
            reactions=reactions,
            master=master,
            seats=list(rules.seats),
            switches=list(game.switches if switches is None else switches),
            blobs={blob: keep_blob(transaction.database, content) for blob, content in sorted(frozen.items())},
            ladder=ladder.published_values(),
            server=server.id,
            **shared_sides(rules),
            **open_ends(rules),
            **(more or {}),
        )
        transaction.append(stream_of(match), [created.new()], expected=0)
        ladders.keep(transaction.database, server.store.vault, match, ladder)
    for seat, account in sorted((seats or {}).items()):
        take_seat(server, match, seat, account)
    return match


def title_of(server: Server, title: str, scenario: str = "") -> Title:
    """Return the title with this name; refuse an unknown scenario, but not an empty one (for other data)."""
    game = server.titles.get(title)
    if game is None:
        raise Unreadable(title, [Objection("pbem/create", say("no title has that name"))], sorted(server.titles))
    if scenario and scenario not in game.scenarios:
        raise Unreadable(scenario, [Objection("pbem/create", say("no scenario has that name"))], game.scenarios)
    return game


def check_agreed(title: str, game: Title, rules: Rules, reactions: str, switches: Sequence[str]) -> None:
    """Refuse unknown reactions and switches, and seats with reserved names."""
    if reactions not in rules.modes:
        why = say("choose {modes} for reactions", modes=" or ".join(rules.modes))
        raise Unreadable(reactions, [Objection("pbem/create", why)], list(rules.modes))
    if taken := sorted(set(rules.seats) & RESERVED):
        raise Illegal(
            title, [Objection("pbem/create", say("a seat cannot be called {taken}", taken=", ".join(taken)))]
        )
    if unknown := sorted(set(switches) - set(game.switches)):
        raise Unreadable(unknown[0], [Objection("pbem/switch", say("no rules switch has that name"))], game.switches)


def open_ends(rules: Rules) -> dict[str, Any]:
    """The seats that may stay empty, how long the match waits for battles, how many turns letters take."""
    found: dict[str, Any] = {"optional": list(rules.optional), "battle_hours": rules.battle_hours}
    found["letters"] = rules.letter_turns
    return {name: value for name, value in found.items() if value}


def shared_sides(rules: Rules) -> dict[str, Any]:
    """The side of each seat, if a side has several seats, and whether its seats read each other's orders."""
    if len(set(rules.sides.values())) == len(rules.seats):
        return {}
    return {"sides": {seat: rules.sides[seat] for seat in rules.seats}, "shares_orders": rules.shares_orders}


MOST_NAME = 80


def new_match(
    server: Server,
    title: str,
    scenario: str,
    *,
    name: str = "",
    cadence: int = 0,
    timing: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    reactions: str = "plan",
    master: str = "",
    handicap: str = "",
    beacon: str = "",
    sealed: bool = False,
) -> str:
    """Create a match with a cadence in hours (0 for no deadline); `timing` holds the other fields of `Timing`.

    A handicap, such as `german 1`, is a provision of the scenario that makes the task of a side harder.
    `beacon` names a public beacon that this server offers; the dice depend on it then. The secrets of a
    `sealed` match are not opened at its end.
    """
    terms = beacons.beacon_named(server.database, beacon).terms if beacon else None
    agreed = read_timing({**(timing or {}), "hours": cadence})
    game = server.titles.get(title)
    has_handicap = handicap and game is not None and scenario in game.scenarios
    return create(
        server,
        title,
        scenario,
        name=one_line(name),
        options=options,
        reactions=reactions,
        master=master,
        blobs=game.freeze_with(scenario, options or {}, handicap) if game and has_handicap else None,
        more={
            "cadence": cadence,
            "timing": msgspec.to_builtins(msgspec.structs.replace(agreed, hours=0)),
            **({"handicap": handicap} if has_handicap else {}),
            **({"beacon": msgspec.to_builtins(terms)} if terms else {}),
            **({"opens": "never"} if sealed else {}),
        },
    )


def one_line(name: str) -> str:
    """Return the name on one line, short enough for a subject line and a list."""
    return " ".join(name.split())[:MOST_NAME]
