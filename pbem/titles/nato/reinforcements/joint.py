"""7.1.3, 7.2 I.B.3 The choices of the Joint Reinforcement Phase, made by both sides at once and in secret.

33.3.1   the Reforger sites that are activated
13.6     the box in which each rail reinforcement waits
29.8     the city in which each headquarters is reconstituted
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec

from pbem.engine.rules.ask import Ask, Step, Together
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import is_hex
from pbem.titles.nato.player.deciding import Choosing
from pbem.titles.nato.player.standing_orders import Clause, StandingOrders
from pbem.titles.nato.reinforcements.arrivals import due_by_rail, hq_places, rail_boxes
from pbem.titles.nato.reinforcements.reforger import default_sites, site_objections, waiting_sites
from pbem.titles.nato.state import SRB, NatoState

TOPICS = ("reforger", "box", "return")


class JointOrders(msgspec.Struct, frozen=True, omit_defaults=True):
    """7.2 I.B.3 One side's choices: the sites, a box for each unit and a city for each headquarters."""

    reforger: tuple[str, ...] = ()
    boxes: dict[str, str] = {}
    places: dict[str, str] = {}


class JointAbout(msgspec.Struct, frozen=True, omit_defaults=True):
    """7.2 I.B.3 The number of Reforger steps, and the units and headquarters to choose places for."""

    steps: int = 0
    arriving: tuple[str, ...] = ()
    returning: tuple[str, ...] = ()


class JointChoice(Choosing[JointOrders], kind="joint", rule="7.1.3"):
    """7.1.3 The choices of one side in the Joint Reinforcement Phase."""

    Answer = JointOrders
    About = JointAbout
    nothing = JointOrders()
    grade = "detail"

    @cached_property
    def boxes(self) -> list[str]:
        return rail_boxes(self.board, self.side)

    def places(self, hq: str) -> list[str]:
        return hq_places(self.board, self.data.units[hq])

    def default(self) -> JointOrders:
        return self.choose_targets({})

    def choose_targets(self, wishes: Mapping[str, Clause]) -> JointOrders:
        """Return the choices that the clauses ask for, where possible, and the default choices for the rest."""
        wanted = {topic: [word.lower() for word in wishes[topic].units] for topic in wishes}
        sites = default_sites(self.board, self.about.steps, wanted.get("reforger", ()))
        box = next((one for one in wanted.get("box", ()) if one in self.boxes), next(iter(self.boxes), SRB))
        places: dict[str, str] = {}
        for hq in self.about.returning:
            free = [hex for hex in self.places(hq) if hex not in places.values()]
            named = [hex for hex in wanted.get("return", ()) if hex in free]
            if named or free:
                places[hq] = (named or free)[0]
        return JointOrders(sites, dict.fromkeys(self.about.arriving, box), places)

    def options(self) -> Iterator[JointOrders]:
        usual = self.default()
        yield usual
        for site in waiting_sites(self.board):
            found = msgspec.structs.replace(usual, reforger=(site,))
            if found != usual and not any(self.objections(found)):
                yield found
        for box in self.boxes[1:] if self.about.arriving else ():
            yield msgspec.structs.replace(usual, boxes=dict.fromkeys(self.about.arriving, box))
        for hq in self.about.returning:
            for hex in self.places(hq)[1:4]:
                found = msgspec.structs.replace(usual, places={**usual.places, hq: hex})
                if not any(self.objections(found)):
                    yield found

    def objections(self, answer: JointOrders) -> Iterator[Objection]:
        yield from site_objections(self.board, self.about.steps, answer.reforger)
        for id, box in answer.boxes.items():
            if id not in self.about.arriving or box not in (self.boxes or [SRB]):
                yield Objection(
                    "13.6", say("{id} cannot use {box}: it is not the box of a friendly sector", box=box, id=id)
                )
        for hq, hex in answer.places.items():
            if hq not in self.about.returning or hex not in self.places(hq):
                yield Objection(
                    "29.8",
                    say(
                        "{hq} cannot return to {hex}: name a supplied free city away from enemies and other HQs",
                        hex=hex,
                        hq=hq,
                    ),
                )
        if len(set(answer.places.values())) < len(answer.places):
            yield Objection("29.1", say("two headquarters cannot return to the same hex"))

    def words_of(self, answer: JointOrders) -> list[str]:
        placed = [word for pair in (*answer.boxes.items(), *answer.places.items()) for word in pair]
        return [*answer.reforger, *placed]

    def from_words(self, words: list[str]) -> Any:
        """Read choices such as `3ACR 1/2A POF sector4 LJ 1015`: sites, then units with their box or hex."""
        known = {id.lower(): id for id in (*self.view.sites, *self.about.arriving, *self.about.returning)}
        said = [known.get(word.lower(), word) for word in words]
        found: dict[str, Any] = {"reforger": [], "boxes": {}, "places": {}}
        for word, after in zip(said, [*said[1:], ""], strict=True):
            if word in self.about.arriving and after:
                found["boxes"][word] = after.lower()
            elif word in self.about.returning and after:
                found["places"][word] = after
            elif word in self.view.sites or not (is_hex(word) or word.lower().startswith("sector")):
                found["reforger"].append(word)
        return found

    def from_standing_orders(self, orders: StandingOrders) -> Iterator[tuple[JointOrders, str]]:
        """Yield the answer that combines the first clause on each of these topics."""
        wishes: dict[str, Clause] = {}
        for clause in orders.clauses:
            if clause.topic in TOPICS:
                wishes.setdefault(clause.topic, clause)
        if wishes:
            yield self.choose_targets(wishes), "; ".join(clause.text for clause in wishes.values())


def joint_asks(board: Board) -> Iterator[tuple[Side, Ask]]:
    """7.1.3 Yield an ask for each side that has something to choose."""
    state, scenario = board.state, board.data.scenario
    for side in Side:
        steps = scenario.reforger_steps.get(state.turn, 0) if side is Side.NATO and state.sites else 0
        back = [id for id, turn in sorted(state.returning.items()) if turn <= state.turn]
        back = [id for id in back if board.data.units[id].side is side and hq_places(board, board.data.units[id])]
        arriving = due_by_rail(board, side)
        if steps or back or arriving:
            about = JointAbout(steps, tuple(arriving), tuple(back))
            yield side, JointChoice.make_ask(board.data.seat_of(side), subject=str(state.turn), about=about)


def joint_choices(table: Table[NatoState], board: Board) -> Step:
    """7.1.3 Ask both sides at once; neither sees the other's choice before making its own."""
    asks = dict(joint_asks(board))
    if not asks:
        return {}
    given = yield Together(tuple(asks.values()))
    found = dict(zip(asks, given, strict=True))
    told = {
        str(side): {"reforger": list(one.reforger), "boxes": one.boxes, "places": one.places}
        for side, one in found.items()
    }
    table.find("7.1.3", inputs={"turn": table.state.turn}, result=told)
    return found
