"""The review before orders are sealed: units that would hold, and commands left over."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import takewhile

from pbem.engine.text.messages import Message, say, say_n, several
from pbem.matches.accounts.names import BOT
from pbem.matches.film.summary import IDLE
from pbem.web.http.viewer import Look
from pbem.web.pages.match.formations import formations_of, verbs_of
from pbem.web.pages.match.planning import able_to_act, roll_call

MANY = 10
"""From this many idle units on, they are named without checking which of them could act: that takes too long."""
SHOWN = 30
"""How many units without an order are listed by name."""
JOINTS = frozenset({"with", "and"})
"""Words between the units at the start of a line."""


def review_of(found: Look, reading: str, spent: Mapping[str, int]) -> list[Message]:
    """Return the review that a player reads before sealing these orders; nothing if they need none.

    Orders are reviewed if a unit that could act holds. In a phase in which most units need no order, such as a fire
    phase, only a form without any order is reviewed.
    """
    verbs, units = verbs_of(found), ordered_units(found)
    quiet = "move" not in verbs
    idle = idle_units(reading, units, carriers_of(found))
    if not units or (quiet and len(idle) < len(units)):
        return []
    if quiet or len(idle) < MANY:
        idle = able_to_act(found, idle)
    if not idle:
        return []
    return [idle_message(idle, len(units), quiet), *left_over(found, spent)]


def ordered_units(found: Look) -> Sequence[str]:
    """The units that can be given an order now. Passengers, for instance, cannot, because others carry them."""
    listed = tuple(roll_call(found))
    return listed or tuple(unit for formation in formations_of(found) for unit in formation.units)


def carriers_of(found: Look) -> Mapping[str, str]:
    """The names in orders that stand for a unit, such as a weapon for the vehicle that carries it."""
    return found.position.rules.carriers(found.view)


def idle_units(reading: str, units: Collection[str], carriers: Mapping[str, str] | None = None) -> list[str]:
    """The units that do nothing under these orders: no line names them, or only one that tells them to hold.

    A line that names a weapon orders the unit that carries it.
    """
    known = {name.lower(): unit for name, unit in (carriers or {}).items() if unit in units}
    known |= {unit.lower(): unit for unit in units}
    acting: set[str] = set()
    for line in reading.lower().splitlines():
        words = [word for word in re.split(r"[\s,+:]+", line.split("#")[0]) if word and word not in JOINTS]
        first = list(takewhile(known.__contains__, words))
        if words[len(first) :] and not set(words[len(first) :]) <= IDLE:
            acting |= {known[word] for word in first or words if word in known}
    return [unit for unit in units if unit not in acting]


def idle_message(idle: Sequence[str], able: int, quiet: bool) -> Message:
    """Say which units have no order."""
    names = several([*idle[:SHOWN], *(["…"] if len(idle) > SHOWN else [])], "unit")
    if quiet:
        return say(
            "You have given no orders; {n} of {able} units could act: {names}", n=len(idle), able=able, names=names
        )
    if able == 1:
        return say("Your unit holds: {names}", names=names)
    if len(idle) == able:
        return say("All {n} of your units hold; none of them would act: {names}", n=able, names=names)
    return say_n(
        "{n} of {able} units holds: {names}", "{n} of {able} units hold: {names}", n=len(idle), able=able, names=names
    )


def last_word(found: Look) -> Iterator[Message]:
    """Say that no other orders are awaited, so final orders will be played at once and cannot be changed."""
    record = found.position.record
    awaited = [seat for seat in found.position.asked if seat != found.seat and seat not in record.final]
    if all(record.occupants.get(seat, {}).get("account", "").startswith(BOT) for seat in awaited):
        yield say("No other player's orders are awaited: if you seal these as final, they are played at once.")


def left_over(found: Look, spent: Mapping[str, int]) -> Iterator[Message]:
    """Name the formations that could still give commands."""
    for formation in formations_of(found):
        if formation.limit is not None and (left := formation.limit - spent.get(formation.id, formation.limit)) > 0:
            name = formation.name
            yield say_n("{name} has {n} command left.", "{name} has {n} commands left.", n=left, name=name)
