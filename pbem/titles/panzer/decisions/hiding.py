"""7.2, 7.7.2 Decisions about hidden units and about which targets are noticed.

7.2.2      Hide      which units go under which counters, and dummies
7.2.2.2    Sneak     how counters move, or are revealed
7.2.2.1    Unveil    the positions of revealed units
7.7.2      Keep      which of its spotted targets a unit keeps
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.title import Submission
from pbem.engine.text.forms import FormLine
from pbem.engine.text.messages import say, several
from pbem.titles.panzer.decisions.base import PanzerDecision
from pbem.titles.panzer.decisions.setup import read_placing, write_placing
from pbem.titles.panzer.player.fates import failure, objections_of
from pbem.titles.panzer.player.forms import sort_key
from pbem.titles.panzer.player.plan import AdvancedPlan, hiding_of
from pbem.titles.panzer.player.restating import write_hiding
from pbem.titles.panzer.reading.naming import raise_all
from pbem.titles.panzer.reading.remarks import remark
from pbem.titles.panzer.sighting.hidden_orders import (
    by_hex,
    check_hide,
    check_sneak,
    hide_options,
    limit_of,
    sneak_options,
    to_hide,
)
from pbem.titles.panzer.sighting.hidden_units import check_unveil, counters_of, unveil_options
from pbem.titles.panzer.sighting.limited_spotting import check_keep, keep_options


def hiding_parts(said: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """7.2.2, 7.2.2.2 Split orders for hidden counters into one part for each counter."""
    for name, value in said.items():
        if isinstance(value, dict):
            yield from ({name: {id: path}} for id, path in value.items())
        else:
            yield from ({name: [one]} for one in value)


def merge_orders(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """7.2.2, 7.2.2.2 Merge two orders for hidden counters."""
    found = dict(one)
    for name, said in other.items():
        before = found.get(name, {} if isinstance(said, dict) else [])
        found[name] = {**before, **said} if isinstance(said, dict) else [*before, *said]
    return found


class Counters(PanzerDecision):
    """7.2.2, 7.2.2.2 Actions with hidden unit counters."""

    def take(self, text: str) -> Submission:
        reader = self.reader()
        reader.take_all(text)
        raise_all(reader.refusals)
        return Submission(hiding_of(self.kind, reader.plan()))

    def sentence(self, answer: Any) -> Iterator[str]:
        yield from write_hiding(answer) or ["done"]

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """7.2.2.2, 7.2.3 The part of the orders that is possible: a revealed counter does not stop the others."""
        whole: dict[str, Any] = {}
        for part in hiding_parts(hiding_of(self.kind, plan)):
            tried = merge_orders(whole, part)
            whole = whole if objections_of(self.check, tried) else tried
        if hiding_of(self.kind, plan):
            yield whole, f"{self.kind} as ordered"

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        """7.2.2.2, 7.2.3 Counters that do not do as ordered."""
        done = list(hiding_parts(self.check(answer)))
        for part in hiding_parts(hiding_of(self.kind, plan)):
            if self.check_shape(part) not in done:
                [said] = write_hiding(part)
                who = next(word for word in said.split() if word not in ("hide", "dummy"))
                gone = [
                    one for one in part.get("move", part.get("reveal", ())) if one not in self.view.hidden_counters
                ]
                why = [Objection("7.2.2.3", say("the unit is no longer on the map"))] if gone else []
                found = why or objections_of(self.check, merge_orders(answer, part))
                yield failure(who, said.removeprefix(f"{who} "), found)

    def check_shape(self, part: dict[str, Any]) -> dict[str, Any]:
        """Return the part in the form that answers use: units sorted."""
        return {
            name: [[hex, sorted(ids)] for hex, ids in said] if name == "counters" else said
            for name, said in part.items()
        }


class Hide(Counters, kind="hide", rule="7.2.2"):
    """7.2.2, 7.2.3 The choice of the units that go under counters: `hide g1 g2 at C4`, `dummy D5`."""

    def options(self) -> Iterator[Any]:
        return hide_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_hide(self.situation, self.ask, given)

    def may_say(self) -> Iterator[FormLine]:
        """7.2.2, 7.2.3 How units go under counters; those that start hidden do so automatically."""
        limit = limit_of(self.data, self.seat)
        if not self.ask.about.get("start"):
            yield from remark(say("counters left: {number}", number=limit - len(counters_of(self.view, self.seat))))
            yield from ("# hide UNITS at HEX", "# dummy HEX")
            yield from self.sentence(self.ask.silence)
            return
        due = by_hex(to_hide(self.view, self.seat))
        if due:
            yield from remark(
                say("One counter for each hex that contains hidden units of a formation: {number}", number=len(due))
            )
        for hex, units in due:
            yield from remark(f"{hex_name(hex)}: {' '.join(sorted(units, key=sort_key))}")
        free = max(0, limit - len(due))
        yield from remark(
            f"{free} more for dummies: dummy HEX HEX. One counter for several hexes: hide UNITS at HEX."
        )
        yield "# dummy HEX"
        yield from self.sentence(self.ask.silence)


class Sneak(Counters, kind="sneak", rule="7.2.2.2"):
    """7.2.2.2 The choice of how counters move: `h2 sneak C5 C6`, `h1 reveal`."""

    def options(self) -> Iterator[Any]:
        return sneak_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_sneak(self.situation, self.ask, given)

    def may_say(self) -> Iterator[FormLine]:
        """7.2.2.2 The seat's counters and the units under them."""
        for counter in counters_of(self.view, self.seat):
            yield from remark(f"{counter.id} {hex_name(counter.hex)}: {', '.join(counter.units) or 'a dummy'}")
            yield f"# {counter.id} sneak HEX HEX"
        yield from self.sentence(self.ask.silence)


class Unveil(PanzerDecision, kind="unveil", rule="7.2.2.1"):
    """7.2.2.1 The choice of places for the units under a counter that is found."""

    def options(self) -> Iterator[Any]:
        return unveil_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_unveil(self.situation, self.ask, given)

    def take(self, text: str) -> Submission:
        return read_placing(self.reader(), text)

    def sentence(self, answer: Any) -> Iterator[str]:
        yield from (write_placing(unit, place) for unit, place in sorted(answer.items()))

    def may_say(self) -> Iterator[str]:
        """7.2.2.1 The revealed units, at the counter's hex."""
        for id in self.ask.about["units"]:
            yield f"{id} {self.ask.about['hex']} face {self.view.vehicles[id].facing}"


class Keep(PanzerDecision, kind="keep", rule="7.7.2"):
    """7.7.2 The choice of the targets that a unit keeps if it has spotted too many: `g1 keep b2 b3`."""

    def options(self) -> Iterator[Any]:
        return keep_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_keep(self.situation, self.ask, given)

    def take(self, text: str) -> Submission:
        reader = self.reader()
        reader.take_all(text)
        raise_all(reader.refusals)
        return Submission(reader.keeps or self.ask.silence)

    def sentence(self, answer: Any) -> Iterator[str]:
        yield from [f"{unit} keep {' '.join(targets)}" for unit, targets in answer.items() if targets] or ["done"]

    def may_say(self) -> Iterator[FormLine]:
        """7.7.2 Units that have spotted more than they can hold, and the targets they keep by default."""
        for unit, targets in self.ask.about["targets"].items():
            yield from remark(
                say(
                    "{unit} can keep {most} of {units} in sight",
                    unit=unit,
                    most=self.ask.about["most"][unit],
                    units=several(targets, "unit"),
                )
            )
        yield from self.sentence(self.ask.silence)
