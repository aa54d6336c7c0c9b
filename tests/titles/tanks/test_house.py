"""TANKS on a real server: a whole match verifies and replays, and hidden cards remain hidden."""

from __future__ import annotations

import csv
import hashlib
import lzma
import re
from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from programs.golden import FOLDER, HOW, _play, name_of, packaged_matches
from support.playing import a_server

import pbem.engine.play.dice
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.state import to_bytes
from pbem.engine.rules.title import Submission
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import advancing, creating, sealing
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import load, record_of, replay
from pbem.matches.server import Server
from pbem.titles.tanks.bots.players import steady_bot
from pbem.titles.tanks.data_set import Fielded, Platoon
from pbem.titles.tanks.setup.platoon import answer_of
from pbem.titles.tanks.title import Tanks

TITLES = {"tanks": Tanks()}
SEATS = {"alpha": "ann", "bravo": "bob"}
OPAQUE = re.compile(r"[0-9a-f]{32,}")


def test_a_match_of_bots_through_a_server_verifies_and_replays(tmp_path: Path) -> None:
    server = a_server(tmp_path, "golden", titles=TITLES)
    match = creating.create(server, "tanks", "village", options={"points": 30}, seats=SEATS)
    _play(server, match, {seat: steady_bot(seat) for seat in SEATS})
    assert record_of(server, match).halted is None
    for viewer in ("public", "alpha", "master"):
        report = verify_export(read_export(export(server, match, viewer)), TITLES)
        assert report.problems == []
        assert "replayed from the first event with the same result" in report.facts
    assert to_bytes(replay(server, match).run.state) == to_bytes(load(server, match).run.state)


def test_T8_2_there_is_a_golden_match_for_each_way_to_end() -> None:
    """Each golden match still verifies and replays to the same events; together they show nearly every rule."""
    packaged = {name_of(*case) for case in packaged_matches("tanks")}
    files = [
        file for file in sorted((FOLDER / "tanks").glob("*.jsonl.xz")) if file.name.split(".")[0] not in packaged
    ]
    assert {file.name.split(".")[0].rpartition("-")[0] for file in files} == set(HOW.values())
    seen: set[str] = set()
    for file in files:
        exported = read_export(lzma.decompress(file.read_bytes()))
        assert verify_export(exported, TITLES).problems == []
        for part in exported.parts.values():
            seen |= set(re.findall(r'"(T\d\.\d+)"', part.content.decode()))
    rows = csv.DictReader(resources.files("pbem.titles.tanks").joinpath("ledger.csv").read_text("utf-8").splitlines())
    assert {row["id"] for row in rows if row["reason"] != "refusal only"} - seen <= {"T9.6", "T9.4", "T9.3", "T9.5"}


# Two worlds --------------------------------------------------------------------------------------------------

HANDS = (("superb-commander", "sandbags"), ("supercharger", "dead-eye-gunner"))
"""T2.4 Two hands with the same points on their backs."""
EXCHANGES = {"plan": 5, "ask": 16}
"""Set-up and the first turn; if every window asks, only up to its first shots."""


def bravo(hand: Sequence[str]) -> Platoon:
    return Platoon(country="us", tanks=(Fielded(tank="sherman-76", cards=tuple(hand)), Fielded(tank="sherman-75")))


def fixed_chance(patch: pytest.MonkeyPatch) -> None:
    """Make dice depend only on their name, so that the same play gives the same dice."""

    def die(rung: bytes, context: str, rule: str, subjects: Sequence[str], ordinal: int, sides: int) -> int:
        name = f"{rule}|{subjects}|{ordinal}".encode()
        return int.from_bytes(hashlib.sha256(name).digest()[:4], "big") % sides + 1

    patch.setattr(pbem.engine.play.dice, "die", die)


def world(folder: Path, hand: Sequence[str], reactions: str, viewer: str) -> Iterator[dict[str, str]]:
    """Play a match in which bravo keeps its cards face down, and record what a viewer can read after every event."""
    server = a_server(folder, titles=TITLES)
    match = creating.create(server, "tanks", "village", seats=SEATS, reactions=reactions)
    for seat in SEATS:
        sealing.set_doctrine(server, match, seat, ["cards: never"])
    bots = {seat: steady_bot(seat) for seat in SEATS}
    for _ in range(EXCHANGES[reactions]):
        here = load(server, match)
        for ask in here.run.asks:
            given = bots[ask.seat](here.rules, here.run.view("public"), ask)  # whatever its own hand is
            if ask.kind == "platoon":
                given = Submission(answer_of(bravo(hand if ask.seat == "bravo" else HANDS[0])))
            elif ask.kind in ("movement", "shooting") and ask.seat == "bravo":
                given = Submission(given.answer, {"keep": {"b1": list(hand)}})
            elif ask.kind not in ("terrain", "role", "deploy", "movement", "move", "shooting", "shoot"):
                given = Submission(ask.default)
            sealing.seal(server, match, ask.seat, here.record.open_exchange, given, final=True)
            yield outlets(server, match, viewer)
        advancing.advance(server, match)
        yield outlets(server, match, viewer)
    assert record_of(server, match).halted is None
    assert all(not held.up for tank in load(server, match).run.state.tanks.values() for held in tank.cards)


def outlets(server: Server, match: str, viewer: str) -> dict[str, str]:
    """Return everything that a viewer can read or provoke now, except opaque values."""
    here = load(server, match)
    rules, view, ask = here.rules, here.run.view(viewer), here.run.ask_of(viewer)
    parts = read_export(export(server, match, viewer)).parts.values()
    told: dict[str, Any] = {
        "view": view,
        "public": here.run.view("public"),
        "picture": [rules.picture(view, viewer), rules.picture(here.run.view("public"), "public")],
        "options": list(islice(rules.options(view, ask), 10)) if ask else None,
        "form": rules.form(view, ask) if ask else None,
        "refusal": refused(rules, view, ask) if ask else None,
        "asked": [here.asked, here.awaited_seats],
        "parts": sorted(part.content.decode() for part in parts),
        "exports": sorted(export(server, match, "public").decode().splitlines(), key=masked),
        "own export": sorted(export(server, match, viewer).decode().splitlines(), key=masked),
    }
    return {name: masked(msgspec.json.encode(what, order="deterministic").decode()) for name, what in told.items()}


def masked(text: str) -> str:
    return OPAQUE.sub("#", text)


def refused(rules: Any, view: Any, ask: Any) -> str:
    """Return the refusal of a wild guess at bravo's cards."""
    try:
        rules.read(view, ask, "b1: use sandbags\nb1: use camouflage\na1: shoot b9")
    except Refusal as refusal:
        return str(refusal)
    return "accepted"


def both_worlds(folder: Path, reactions: str, viewer: str) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    folders = [folder / hand[0] for hand in HANDS]
    for own in folders:
        own.mkdir()
    worlds = [world(own, hand, reactions, viewer) for own, hand in zip(folders, HANDS, strict=True)]
    return zip(*worlds, strict=True)


@pytest.mark.parametrize("reactions", ["plan", "ask"])
def test_T2_4_alpha_cannot_tell_two_hands_of_bravo_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reactions: str
) -> None:
    fixed_chance(monkeypatch)
    for moment, (one, two) in enumerate(both_worlds(tmp_path, reactions, "alpha")):
        for name in one:
            assert one[name] == two[name], f"{name} at moment {moment}"


def test_T2_4_bravo_itself_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison above can fail: for the owner, every outlet that shows a hand tells the two hands apart."""
    fixed_chance(monkeypatch)
    found = {name for one, two in both_worlds(tmp_path, "plan", "bravo") for name in one if one[name] != two[name]}
    assert found >= {"view", "picture", "form", "parts", "own export"}
    assert not found & {"public", "exports", "asked"}
