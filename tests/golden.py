"""Golden matches: exports that must verify and replay for ever, one for each way a match can end.

`python tests/golden.py` writes those that are missing. Existing ones are never written anew: a change of the rules
that alters their result needs a switch, or it breaks matches that are being played.
"""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from playing import a_house, a_match, play

from pbem.engine.bots import Bot, Choice
from pbem.matches import acts
from pbem.matches.export import export
from pbem.matches.house import House
from pbem.matches.position import load
from pbem.titles.panzer.advanced import bot as advanced_bots
from pbem.titles.panzer.bot import reckless_bot, steady_bot
from pbem.titles.panzer.title import Panzer
from pbem.titles.registry import TITLES
from pbem.titles.tanks import bot as tanks_bots

FOLDER = Path(__file__).parent / "golden"


def ambush() -> Iterator[tuple[str, bytes]]:
    """Won by either side, drawn; by elimination and on the last turn; with every reaction asked."""
    for seed in range(60):
        reactions, scenario = ("ask" if seed % 2 else "plan"), ("small" if seed % 3 else "close")
        house = a_house(Path(tempfile.mkdtemp()), seed)
        match = a_match(house, scenario=scenario, reactions=reactions)
        end = play(house, match, seed)
        outcome = end.run.state.outcome
        how = "elimination" if end.run.state.turn < end.run.state.turns else "last-turn"
        yield f"{outcome.winner or 'draw'}-{how}-{reactions}", export(house, match, "public")


def panzer() -> Iterator[tuple[str, bytes]]:
    """The duel in both editions, won by either side and drawn."""
    for seed in range(24):
        edition = ("2024", "2016")[seed % 2]
        house = a_house(Path(tempfile.mkdtemp()), seed, titles=TITLES)
        seats = {"german": "ann", "british": "bob"}
        match = acts.create(house, "panzer", "duel", options={"edition": edition}, seats=seats)
        bots = {
            "german": (steady_bot if seed % 3 else reckless_bot)(str(seed)),
            "british": (steady_bot if seed % 4 else reckless_bot)(f"{seed}b"),
        }
        outcome = _play(house, match, bots)
        yield f"duel-{edition}-{outcome}", export(house, match, "public")


class Skirmishes(Panzer):
    """The title with set-ups by chance. What a match is played with is in its export, so anybody can replay it."""

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        return dict(self.varied(super().freeze(scenario, options), Choice("golden", options["edition"])))


OPTIONAL = ("morale", "turrets", "variable_penetration", "minefields", "fires", "malfunction")


def advanced() -> Iterator[tuple[str, bytes]]:
    """Two turns of the advanced game by each book, by that of 2016 with optional rules."""
    seats = {"axis": "ann", "allied": "bob"}
    for edition, rules in (("2024", ()), ("2016", OPTIONAL)):
        house = a_house(Path(tempfile.mkdtemp()), 1, titles={**TITLES, "panzer": Skirmishes()})
        options = {"edition": edition, "rules": list(rules)}
        match = acts.create(house, "panzer", "desert", options=options, seats=seats)
        bots = {"axis": advanced_bots.steady_bot("a"), "allied": advanced_bots.curious_bot("b")}
        outcome = _play(house, match, bots)
        yield f"skirmish-{edition}-{outcome}", export(house, match, "public")


HOW = {"gone": "both-gone", "left": "elimination", "held": "objective", "time": "objective-in-time", "lost": "points"}
"""The ways in which a match of TANKS ends, by a word of the reason."""


SETS = (
    ("bridgehead", {}, "plan"),
    ("village", {"points": 30}, "plan"),
    ("village", {"points": 20, "pace": "tank"}, "plan"),
    ("village", {"points": 20}, "ask"),
)


def tanks() -> Iterator[tuple[str, bytes]]:
    """Won by elimination, by an objective, in time, by points; by forms, tank by tank, and asked at every window."""
    seats = {"alpha": "ann", "bravo": "bob"}
    for seed in range(32):
        scenario, options, reactions = SETS[seed % 4]
        house = a_house(Path(tempfile.mkdtemp()), seed, titles=TITLES)
        match = acts.create(house, "tanks", scenario, options=options, seats=seats, reactions=reactions)
        make = tanks_bots.steady_bot if seed % 3 else tanks_bots.reckless_bot
        _play(house, match, {seat: make(f"{seed}/{seat}") for seat in seats})
        outcome = load(house, match).run.state.outcome
        how = next(how for word, how in HOW.items() if word in outcome.why)
        yield f"{how}-{outcome.winner or 'draw'}", export(house, match, "public")


def _play(house: House, match: str, bots: dict[str, Bot]) -> str:
    while not (here := load(house, match)).record.ended:
        for ask in here.run.asks:
            given = bots[ask.seat](here.rules, here.run.view(ask.seat), ask)
            acts.seal(house, match, ask.seat, here.record.open_exchange, given, final=True)
        acts.close_if_final(house, match)
    return str(here.run.state.outcome.winner or "draw")


GOLDEN = (("ambush", ambush()), ("panzer", panzer()), ("panzer", advanced()), ("tanks", tanks()))


def write() -> None:
    for title, matches in GOLDEN:
        (FOLDER / title).mkdir(parents=True, exist_ok=True)
        for name, content in matches:
            file = FOLDER / title / f"{name}.jsonl.gz"
            if not file.exists():
                file.write_bytes(gzip.compress(content, mtime=0))
                print(file.relative_to(FOLDER), len(content))


if __name__ == "__main__":
    write()
