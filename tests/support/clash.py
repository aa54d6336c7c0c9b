"""Clash: a toy title whose only scenario has slots for units, for fast tests of campaigns.

Both sides hold or charge at once (1). Then a die is rolled for every unit (2): on 1 it is lost, on 2 damaged, on 3
missing, otherwise fit; a charge rolls one lower and scores one higher. The side with more units left wins (3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import msgspec

from pbem.engine.rules.ask import Ask, Grade, Step, Together
from pbem.engine.rules.decision import Decision, DecisionRules, Said, by_kind
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.rules.state import NextStep, State
from pbem.engine.rules.table import Table
from pbem.engine.rules.title import Rules, Title
from pbem.engine.text.grammar import Language, Words, tokens

LANGUAGE: Final = Language(
    lambda: 'nerve: WORD -> said\nWORD: "hold" | "charge"\n%import common.WS\n%ignore WS\n',
    ("nerve",),
    {"WORD": "hold or charge"},
    ("WORD",),
    "1",
)


class ClashState(State, kw_only=True):
    """The units of each side, with their fates once these are known."""

    units: dict[str, dict[str, str]]


class Nerve(Decision[str], kind="nerve", rule="1"):
    """1 The decision of a side to hold or to charge."""

    grade: ClassVar[Grade] = "order"
    language = LANGUAGE
    Answer, nothing, start = str, "hold", "nerve"

    def options(self) -> Iterator[str]:
        yield from ("hold", "charge")

    def objections(self, answer: str) -> Iterator[Objection]:
        if answer not in ("hold", "charge"):
            yield Objection("1", "hold or charge")

    def read(self, words: Words, said: Said) -> None:
        said.put((), tokens(words, "WORD")[0])

    def form(self) -> Iterator[str]:
        yield "hold"

    def sentence(self, answer: str) -> Iterator[str]:
        yield answer


def clash(table: Table[ClashState]) -> Step:
    """1, 2, 3 Fight the whole battle."""
    sides = list(table.state.units)
    answers = yield Together(tuple(Nerve.make_ask(side) for side in sides))
    for side, answer in zip(sides, answers, strict=True):
        for id in table.state.units[side]:
            die = table.roll(6, "2", id)
            fate = {1: "lost", 2: "damaged", 3: "missing"}.get(max(1, die - (answer == "charge")), "fit")
            table.state.units[side][id] = fate
            foe = next(iter(table.state.units[next(other for other in sides if other != side)]))
            table.find("2", inputs={"firer": foe, "target": id}, dice=[die], result=fate)
    score = scores(table.state, dict(zip(sides, answers, strict=True)))
    best = max(score.values())
    winners = [side for side in sides if score[side] == best]
    table.end("3", winners[0] if len(winners) == 1 else None, str(score), score=score)


def scores(state: ClashState, answers: Mapping[str, str]) -> dict[str, int]:
    left = {side: sum(fate in ("", "fit") for fate in units.values()) for side, units in state.units.items()}
    return {side: 5 * count + (answers.get(side) == "charge") for side, count in left.items()}


class ClashRules(DecisionRules):
    """The rules of Clash, bound to one battle."""

    keeps_order = True
    state_type = ClashState
    steps: ClassVar = {"clash": clash}
    decisions = by_kind(Nerve)
    data: Any = None

    def __init__(self, units: dict[str, list[str]]) -> None:
        self.units = units
        self.seats = tuple(units)
        self.sides = {side: side for side in units}

    def setup(self, switches: tuple[str, ...]) -> ClashState:
        units = {side: dict.fromkeys(ids, "") for side, ids in self.units.items()}
        return ClashState(units=units, switches=switches, next=NextStep("clash"))

    def view(self, state: ClashState, viewer: str) -> ClashState:
        return state

    def check_plan(self, view: Any, ask: Ask, plan: Any) -> dict[str, Any]:
        if plan:
            raise Unreadable("plan", [Objection("1", "there is nothing to plan")])
        return {}

    def check_doctrine(self, doctrine: Any) -> list[Any]:
        return list(doctrine)

    def tell(self, finding: Finding) -> str:
        return f"{finding.rule} {finding.inputs}: {finding.result}"

    def score(self, state: ClashState) -> dict[str, int]:
        return scores(state, {})

    def aftermath(self, state: ClashState) -> dict[str, dict[str, Any]]:
        words = {"": "withdrawn"}
        return {
            side: {id: {"fate": words.get(fate, fate)} for id, fate in units.items()}
            for side, units in state.units.items()
        }

    def deeds(self, findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
        yield from ((row.inputs["firer"], row.inputs["target"]) for row in findings if row.result == "lost")


class ClashTitle(Title):
    """Clash as a title."""

    name = "clash"
    scenarios = ("field",)
    switches = ("clash/one", "clash/two")

    @property
    def battles(self) -> tuple[str, ...]:
        return ("field",)

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        return {"scenario": msgspec.json.encode({"red": ["r1"], "blue": ["b1"]})}

    def battle(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        return {"scenario": b"{}"}

    def cards(self) -> Mapping[str, str]:
        return {"tank": "Tank", "gun": "Gun"}

    def room(self, blobs: Mapping[str, bytes]) -> dict[str, int]:
        return {"red": 12, "blue": 12}

    def muster(self, blobs: Mapping[str, bytes], rosters: Mapping[str, Sequence[Any]]) -> dict[str, bytes]:
        return {
            "scenario": msgspec.json.encode({side: [row["id"] for row in rows] for side, rows in rosters.items()})
        }

    def rules(self, blobs: Mapping[str, bytes]) -> Rules:
        return ClashRules(msgspec.json.decode(blobs["scenario"], type=dict[str, list[str]]))


HEAD: Final = """
name = "A quick campaign"
title = "clash"
shape = "{shape}"
stages = {stages}
room = 4
{more}

[[side]]
id = "red"
name = "Red"
letter = "r"
points = 100
{red}

[[side]]
id = "blue"
name = "Blue"
letter = "b"
points = 100
{blue}

[[grade]]
name = "green"
from = 0

[[grade]]
name = "old"
from = 4

[income]
base = 150
lead = 1
least = 120

[limits]
army = 400
battles = 2
battle_hours = {hours}
appeal_hours = 0
homes = {homes}

[[purchase]]
side = "red"
card = "tank"
cost = 40
most = 3
arrives = 2

[[purchase]]
side = "blue"
card = "tank"
cost = 40
most = 3
arrives = 2
"""


def tree_file(stages: int = 3, hours: int = 0) -> str:
    """Return the file of a campaign that fights one battle after another on the same field."""
    units = 'units = [{card = "tank", count = 6}]'
    battle = """
[[battle]]
id = "field"
name = "The field"
scenario = "field"
decisive = 10
[battle.next]
red = "field"
blue = "field"
draw = "field"
"""
    return (
        HEAD.format(
            shape="tree", stages=stages, more='first = "field"', red=units, blue=units, hours=hours, homes="true"
        )
        + battle
    )


def map_file(stages: int = 6, hours: int = 0, homes: str = "true") -> str:
    """Return the file of a campaign with two roads between two homes, and two battlegroups and two commanders per
    side."""

    def side(letter: str, other: str, home: str) -> str:
        rows = ", ".join(f'{{card = "tank", count = 4, group = "{letter}{n}"}}' for n in (1, 2))
        return f'home = "{home}"\nunits = [{rows}]\nseats = [{{id = "{other}2", name = "Second"}}]'

    places = [
        ("west", "red", ["north", "south"]),
        ("north", "", ["west", "east"]),
        ("south", "", ["west", "east"]),
        ("east", "blue", ["north", "south"]),
    ]
    said = HEAD.format(
        shape="map",
        stages=stages,
        more="",
        red=side("r", "red", "west"),
        blue=side("b", "blue", "east"),
        hours=hours,
        homes=homes,
    )
    for number, (id, holder, to) in enumerate(places):
        ways = ", ".join(f'"{way}"' for way in to)
        said += f'\n[[province]]\nid = "{id}"\nname = "{id.title()}"\nscenario = "field"\nat = [{number}, 0]\n'
        said += f'to = [{ways}]\nside = "{holder}"\n'
    for id, holder, home, seat in (
        ("r1", "red", "west", "red"),
        ("r2", "red", "west", "red2"),
        ("b1", "blue", "east", "blue"),
        ("b2", "blue", "east", "blue2"),
    ):
        said += f'\n[[group]]\nid = "{id}"\nname = "Group {id}"\nside = "{holder}"\n'
        said += f'province = "{home}"\nseat = "{seat}"\n'
    return said
