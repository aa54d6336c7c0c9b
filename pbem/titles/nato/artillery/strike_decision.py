"""24.1 The window of the Artillery Strike Segment: one strike at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.title import Plan as EnginePlan
from pbem.engine.text.messages import say
from pbem.titles.nato.artillery.fire import fire_objections, targets_near
from pbem.titles.nato.commands.powers import fights_with
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.player.deciding import Choosing
from pbem.titles.nato.player.orders import OVER, Gun, Plan, read_plan, write_gun_strike


class GunAbout(msgspec.Struct, frozen=True):
    """24.1.3 The strikes made so far, and the units that they hit."""

    fired: tuple[tuple[str, HexId], ...] = ()
    struck: tuple[str, ...] = ()


class NextGun(Choosing[Gun | None], kind="gun", rule="24.1"):
    """24.1.1 The choice of the next artillery strike, or of no further strike."""

    Answer = Gun | None
    About = GunAbout
    grade = "detail"

    def options(self) -> Iterator[Gun | None]:
        yield None
        fired = [id for id, _ in self.about.fired]
        for unit in self.board.on_map(self.side):
            if unit.card.artillery and unit.id not in fired:
                yield from (
                    Gun(unit.id, hex)
                    for hex in targets_near(self.board, unit)
                    if not any(self.objections(Gun(unit.id, hex)))
                )

    def words_of(self, answer: Gun | None) -> list[str]:
        return [] if answer is None else [answer.unit, answer.hex, *answer.targets]

    def from_words(self, words: list[str]) -> Any:
        """Read a strike: a unit, a hex, and targets if any are named."""
        names = {id.lower(): id for id in (*self.view.pieces, *self.view.sites)}
        unit, hex, *targets = [names.get(word.lower(), word) for word in [*words, ""][:2]] + [
            names.get(word.lower(), word) for word in words[2:]
        ]
        return {"unit": unit, "hex": hex, "targets": targets}

    def default(self) -> None:
        return None

    def objections(self, answer: Gun | None) -> Iterator[Objection]:
        if answer is None:
            return
        unit = self.board.units.get(answer.unit)
        if unit is None or unit.side is not self.side:
            yield Objection("24.1", say("you have no such unit in play"))
        elif not fights_with(self.board, self.seat, unit.card):
            yield Objection("35.8", say("another seat commands {unit}", unit=unit.id))
        else:
            yield from fire_objections(self.board, unit, answer.hex, self.about.fired, self.about.struck)

    def from_plan(self, plan: EnginePlan) -> Iterator[tuple[Gun | None, str]]:
        done = [id for id, _ in self.about.fired]
        for gun in read_plan(plan).guns:
            if gun.unit not in done:
                yield gun, write_gun_strike(gun)

    def unfulfilled_orders(self, plan: Plan) -> Iterator[Fail]:
        """24.1 Report why planned strikes were not made, once artillery fire is over."""
        done = [id for id, _ in self.about.fired]
        for gun in plan.guns if self.ask.grade == "note" else ():
            if gun.unit not in done:
                over = [OVER] if self.view.outcome is not None else []
                found = (*over, *self.objections(gun), Objection("24.1", say("no target is left in that hex")))
                against = found[0]
                yield Fail(gun.unit, write_gun_strike(gun), against.why, against.rule)
