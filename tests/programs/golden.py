"""Golden matches: exports that must verify and replay, whatever is changed in the code.

    ambush, panzer, advanced, tanks   one match for each way a match can end
    scenarios                         one for each packaged scenario, edition and value of `reactions`

`cd tests && python -m programs.golden` writes missing exports, and with `tanks` after it only those of TANKS. It
leaves the others unchanged: a change of the rules that alters their result needs a switch, or it breaks matches that
are being played. Until release 1.0 there are no such matches: delete the file of a match that a corrected rule
changes, record it again, and name the rule in the changelog.

Matches of large scenarios, and most of those that ask at every reaction, end after a few turns by an agreed draw;
`TURNS` says after how many. This keeps the files small. All others are played to the end that the rules give them.
"""

from __future__ import annotations

import lzma
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from support.playing import a_match, a_server, play

from pbem.engine.play.bots import Bot, Choice
from pbem.matches import unit_of_work
from pbem.matches.exchange import advancing, creating, sealing
from pbem.matches.history.export import export
from pbem.matches.history.replay import load, record_of
from pbem.matches.players import endings
from pbem.matches.server import Server
from pbem.titles.panzer.bots import bot as advanced_bots
from pbem.titles.panzer.bots.bot import reckless_bot, steady_bot
from pbem.titles.panzer.title import Panzer
from pbem.titles.registry import TITLES
from pbem.titles.tanks.bots import players as tanks_bots
from pbem.tools.simulate import bots_of

FOLDER = Path(__file__).parents[1] / "golden"


def ambush() -> Iterator[tuple[str, bytes]]:
    """Yield matches won by either side and drawn, by elimination and on the last turn, and with every reaction
    asked."""
    for seed in range(60):
        reactions, scenario = ("ask" if seed % 2 else "plan"), ("small" if seed % 3 else "close")
        server = a_server(Path(tempfile.mkdtemp()), seed)
        match = a_match(server, scenario=scenario, reactions=reactions)
        end = play(server, match, seed)
        outcome = end.run.state.outcome
        how = "elimination" if end.run.state.turn < end.run.state.turns else "last-turn"
        yield f"{outcome.winner or 'draw'}-{how}-{reactions}", export(server, match, "public")


def panzer() -> Iterator[tuple[str, bytes]]:
    """Yield the duel in both editions, won by either side and drawn."""
    for seed in range(48):
        edition = ("2024", "2016")[seed % 2]
        server = a_server(Path(tempfile.mkdtemp()), seed, titles=TITLES)
        seats = {"german": "ann", "british": "bob"}
        match = creating.create(server, "panzer", "duel", options={"edition": edition}, seats=seats)
        bots = {
            "german": (steady_bot if seed % 3 else reckless_bot)(str(seed)),
            "british": (steady_bot if seed % 4 else reckless_bot)(f"{seed}b"),
        }
        outcome = _play(server, match, bots)
        yield f"duel-{edition}-{outcome}", export(server, match, "public")


class Skirmishes(Panzer):
    """The title with random set-ups; the data of a match is in its export, so anyone can replay it."""

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        return dict(self.vary(super().freeze(scenario, options), Choice("golden", options["edition"])))


OPTIONAL = ("morale", "turrets", "variable_penetration", "minefields", "fires", "malfunction")


def advanced() -> Iterator[tuple[str, bytes]]:
    """Yield two turns of the advanced game by each rulebook; the 2016 match uses optional rules."""
    seats = {"axis": "ann", "allied": "bob"}
    for edition, rules in (("2024", ()), ("2016", OPTIONAL)):
        server = a_server(Path(tempfile.mkdtemp()), 1, titles={**TITLES, "panzer": Skirmishes()})
        options = {"edition": edition, "rules": list(rules)}
        match = creating.create(server, "panzer", "desert", options=options, seats=seats)
        bots = {"axis": advanced_bots.steady_bot("a"), "allied": advanced_bots.curious_bot("b")}
        outcome = _play(server, match, bots)
        yield f"skirmish-{edition}-{outcome}", export(server, match, "public")


HOW = {"gone": "both-gone", "left": "elimination", "held": "objective", "time": "objective-in-time", "lost": "points"}
"""The ways in which a match of TANKS ends, by a word of the reason."""


SETS = (
    ("bridgehead", {}, "plan"),
    ("village", {"points": 30}, "plan"),
    ("village", {"points": 20, "pace": "tank"}, "plan"),
    ("village", {"points": 20}, "ask"),
)


def tanks() -> Iterator[tuple[str, bytes]]:
    """Yield matches won by elimination, by an objective, on time and on points.

    Some are played by whole forms, some tank by tank, and some with a question at every reaction window.
    """
    seats = {"alpha": "ann", "bravo": "bob"}
    for seed in (*range(32), 60):  # with seed 60 an objective is not taken in time
        scenario, options, reactions = SETS[seed % 4]
        server = a_server(Path(tempfile.mkdtemp()), seed, titles=TITLES)
        match = creating.create(server, "tanks", scenario, options=options, seats=seats, reactions=reactions)
        make = tanks_bots.steady_bot if seed % 3 else tanks_bots.reckless_bot
        _play(server, match, {seat: make(f"{seed}/{seat}") for seat in seats})
        outcome = load(server, match).run.state.outcome
        how = next(how for word, how in HOW.items() if word in outcome.why)
        yield f"{how}-{outcome.winner or 'draw'}", export(server, match, "public")


REACTIONS = ("plan", "ask")

TURNS = {
    ("aslsk", "first-light", "ask"): 1,
    ("aslsk", "noon-in-the-orchards", "ask"): 1,
    ("aslsk", "long-fields", "plan"): 3,
    ("aslsk", "long-fields", "ask"): 1,
    **{("aslsk", name, "plan"): 2 for name in ("two-roads", "river-1-fields", "river-2-village", "river-3-bridge")},
    **{
        ("aslsk", name, "ask"): 1
        for name in ("two-roads", "river-1-fields", "river-2-village", "river-3-bridge", "wittenau", "wolf-trap")
    },
    ("panzer", "combined", "plan"): 2,
    ("panzer", "combined", "ask"): 1,
    ("panzer", "battalion", "plan"): 4,
    ("panzer", "battalion", "ask"): 1,
    ("panzer", "breach", "ask"): 2,
    ("panzer", "collision", "ask"): 2,
    ("panzer", "crossroads", "ask"): 4,
    ("panzer", "darkness", "ask"): 2,
    ("panzer", "delay", "ask"): 3,
    ("panzer", "desert", "ask"): 2,
    ("tanks", "bridgehead", "ask"): 2,
    ("tanks", "crossroads", "ask"): 2,
    ("tanks", "open-battle", "ask"): 2,
    ("tanks", "village", "ask"): 2,
    ("nato", "baltap", "plan"): 3,
    ("nato", "baltap", "ask"): 1,
    ("nato", "northag", "plan"): 2,
    ("nato", "northag", "ask"): 1,
    ("nato", "nerves", "plan"): 0.5,
    ("nato", "nerves", "ask"): 0.5,
    ("nato", "theatre", "plan"): 1,
    ("nato", "theatre", "ask"): 0.5,
    ("nato", "theatre_1988", "plan"): 0.5,
    ("nato", "theatre_1988", "ask"): 0.5,
}
"""The matches that are cut short, by title, scenario and reactions: how many turns are played before the draw.

Half a turn means turn 0 alone.
"""


def packaged_matches(title: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield every packaged scenario with each edition and each value of `reactions`.

    TANKS has paces instead of editions; a match that goes tank by tank is only played with plans, because it asks
    often enough anyway.
    """
    option = {"panzer": "edition", "tanks": "pace"}.get(title)
    if option is None:
        yield from ((scenario, {}, reactions) for scenario, reactions in product(TITLES[title].scenarios, REACTIONS))
        return
    for scenario, value, reactions in product(TITLES[title].scenarios, TITLES[title].choices[option], REACTIONS):
        if (value, reactions) != ("tank", "ask"):
            yield scenario, {option: value}, reactions


def name_of(scenario: str, options: Mapping[str, Any], reactions: str) -> str:
    return "-".join((scenario, *options.values(), reactions))


def scenarios(title: str) -> Iterator[tuple[str, bytes]]:
    """Yield one match for each packaged scenario, edition and value of `reactions` whose file does not exist yet."""
    for scenario, options, reactions in packaged_matches(title):
        name = name_of(scenario, options, reactions)
        if not file_of(title, name).exists():
            yield name, packaged_match(title, scenario, options, reactions)


def packaged_match(title: str, scenario: str, options: Mapping[str, Any], reactions: str) -> bytes:
    """Return the export of a match between a careful and a curious bot, played to the end or to the draw listed in
    `TURNS`."""
    with tempfile.TemporaryDirectory() as folder:
        server = a_server(Path(folder), name_of(scenario, options, reactions), titles=TITLES)
        rules = TITLES[title].rules(TITLES[title].freeze(scenario, options))
        kinds = bots_of(rules)
        second = kinds.get("curious") or kinds["reckless"]
        makers = dict(zip(rules.seats, (kinds["steady"], second), strict=True))
        seats = dict(zip(rules.seats, ("ann", "bob"), strict=True))
        match = creating.create(server, title, scenario, options=options, seats=seats, reactions=reactions)
        bots = {seat: make(f"{scenario}/{seat}") for seat, make in makers.items()}
        _play(server, match, bots, turns=TURNS.get((title, scenario, reactions), 0))
        content = export(server, match, "public")
        server.close()
    return content


def _play(server: Server, match: str, bots: dict[str, Bot], turns: float = 0) -> str:
    """Play to the end, or for this many turns and then agree to a draw; return how the match ended."""
    while not (here := load(server, match)).record.ended:
        if turns and here.run.state.turn > turns:
            return _draw(server, match)
        for ask in here.run.asks:
            given = bots[ask.seat](here.rules, here.run.view(ask.seat), ask)
            sealing.seal(server, match, ask.seat, here.record.open_exchange, given, final=True)
        advancing.advance(server, match)
    return str(here.run.state.outcome.winner or "draw")


def _draw(server: Server, match: str) -> str:
    for seat in load(server, match).rules.seats:
        record = record_of(server, match)
        unit_of_work.append(server, record, endings.draw_offered(server, record, seat), "draw")
    assert record_of(server, match).ended
    return "draw"


GOLDEN = (
    ("ambush", ambush()),
    ("panzer", panzer()),
    ("panzer", advanced()),
    ("tanks", tanks()),
    ("panzer", scenarios("panzer")),
    ("tanks", scenarios("tanks")),
    ("nato", scenarios("nato")),
    ("aslsk", scenarios("aslsk")),
)


def file_of(title: str, name: str) -> Path:
    return FOLDER / title / f"{name}.jsonl.xz"


def write(titles: Sequence[str] = ()) -> None:
    """Write the missing exports of these titles, or of all titles."""
    for title, matches in GOLDEN:
        if titles and title not in titles:
            continue
        (FOLDER / title).mkdir(parents=True, exist_ok=True)
        for name, content in matches:
            file = file_of(title, name)
            if not file.exists():
                file.write_bytes(lzma.compress(content, preset=9))
                print(file.relative_to(FOLDER), len(content))


if __name__ == "__main__":
    write(sys.argv[1:])
