"""Blue's secrets change nothing that red can see, and ten planted leaks are all found."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import toy
from support.worlds import Secret, leaks

from eventstore import NewEvent, NewPart, canonical
from eventstore.store import take_everything
from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.state import to_bytes
from pbem.matches import unit_of_work
from pbem.matches.exchange import closing, resolving
from pbem.matches.history import replay

TURNS = 2
red_orders = st.tuples(
    *[st.fixed_dictionaries({unit: st.sampled_from(["hold", "go2", "go3"]) for unit in ("r1", "r2", "r3")})] * TURNS
)
quiet = st.fixed_dictionaries({unit: st.sampled_from(["hold", "ambush"]) for unit in ("b1", "b2", "b3")})
plans = st.sampled_from([{}, {"card": 9}, {"ambush": {"r1": "r2"}}, {"ambush": {"r1": "b9", "r2": "b9"}, "card": 8}])
secrets = st.builds(
    Secret,
    orders=st.tuples(*[quiet] * TURNS),
    plans=st.tuples(*[plans] * TURNS),
    doctrine=st.just([]),
    cards=st.integers(0, 3),
)


@pytest.fixture(autouse=True)
def store_that_takes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the store accept any event, as an attacker who runs the server could."""
    monkeypatch.setattr("pbem.matches.server.check_new", take_everything)


@given(one=secrets, two=secrets, red=red_orders, reactions=st.sampled_from(["plan", "ask"]))
@settings(max_examples=6)
def test_red_cannot_tell_two_worlds_apart(
    folders: Callable[[], Path], one: Secret, two: Secret, red: Any, reactions: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        found = leaks(folders, patch, one, two, red, reactions)
    assert found is None, found


# Planted leaks -----------------------------------------------------------------------------------------------


def unsalted_state_hash(patch: pytest.MonkeyPatch) -> None:
    def bare(source: Any, match: str, entry: Any, version: int, run: Any) -> str:
        return hashlib.sha256(to_bytes(run.state)).hexdigest()

    patch.setattr(resolving, "state_commitment", bare)


def asked_only_if_able(patch: pytest.MonkeyPatch) -> None:
    def move(table: Any, name: str, unit: toy.Unit) -> Any:
        enemy = toy.OTHER[unit.seat]
        unit.shown, unit.hex = True, toy.neighbour(unit.hex, int(unit.order[2]))
        if any(other.order == "ambush" for other in toy.units_of(table.state.units, enemy).values()):
            yield Ask(enemy, "ambush", "4.2", subject=name)

    patch.setattr(toy, "move", move)


def finding_without_audience(patch: pytest.MonkeyPatch) -> None:
    real = replay.seen_by
    patch.setattr(replay, "seen_by", lambda findings, viewer: real(findings, "blue"))


def orders_in_the_view(patch: pytest.MonkeyPatch) -> None:
    real = toy.AmbushRules.view
    patch.setattr(toy.AmbushRules, "view", lambda self, state, viewer: real(self, state, "master"))


def parts_only_where_there_is_something(patch: pytest.MonkeyPatch) -> None:
    """Plant a leak: blue's private notes get a part only if there are any, which happens when a plan fails."""
    real = resolving.resolved_event

    def more_parts(server: Any, here: Any, entry: Any, version: int, resolution: Any, *more: Any) -> NewEvent:
        event = real(server, here, entry, version, resolution, *more)
        notes = [finding for finding in resolution.findings if finding.rule == ANSWERED]
        told = (NewPart("notes", "blue", canonical(notes), bytes(32)),) if notes else ()
        return msgspec.structs.replace(event, parts=(*event.parts, *told))

    patch.setattr(resolving, "resolved_event", more_parts)


def public_automatic_answers(patch: pytest.MonkeyPatch) -> None:
    real = resolving.resolved_event

    def open_autos(server: Any, here: Any, entry: Any, version: int, resolution: Any, *more: Any) -> NewEvent:
        event = real(server, here, entry, version, resolution, *more)
        told = NewPart("answers", PUBLIC, canonical(resolution.autos), bytes(32))
        return msgspec.structs.replace(event, parts=(*event.parts, told))

    patch.setattr(resolving, "resolved_event", open_autos)


def secret_rolls_in_the_open(patch: pytest.MonkeyPatch) -> None:
    real = toy.Table.roll
    patch.setattr(toy.Table, "roll", lambda self, sides, rule, *names, secret=False: real(self, sides, rule, *names))


def refusal_from_the_state(patch: pytest.MonkeyPatch) -> None:
    """Plant a leak: a check of red's orders looks at a hidden unit, which the view still contains."""
    real_view, real_check = toy.AmbushRules.view, toy.AmbushRules.check

    def view(self: Any, state: Any, viewer: str) -> Any:
        seen = real_view(self, state, viewer)
        lying = any(unit.order == "ambush" for unit in toy.units_of(state.units, "blue").values())
        return LookingPast(seen, lying)

    def check(self: Any, seen: Any, ask: Ask, answer: Any) -> Any:
        if ask.seat == "red" and isinstance(answer, dict) and seen.lying:
            raise Illegal("r1", [Objection("1", "somebody lies in wait there")])
        return real_check(self, seen, ask, answer)

    patch.setattr(toy.AmbushRules, "view", view)
    patch.setattr(toy.AmbushRules, "check", check)


class LookingPast(dict[str, Any]):
    def __init__(self, seen: dict[str, Any], lying: bool) -> None:
        super().__init__(seen)
        self.lying = lying


def size_of_an_order(patch: pytest.MonkeyPatch) -> None:
    """Plant a leak: an event gives the length of the sealed content."""
    real = unit_of_work.part

    def telling(server: Any, match: str, version: int, name: str, audience: str, content: Any) -> NewPart:
        kept = real(server, match, version, name, audience, content)
        return msgspec.structs.replace(kept, name=f"{name}-{len(kept.content)}")

    patch.setattr(unit_of_work, "part", telling)


def hand_sizes_by_card(patch: pytest.MonkeyPatch) -> None:
    real = toy.AmbushRules.view

    def view(self: Any, state: Any, viewer: str) -> Any:
        return {**real(self, state, viewer), "decks": sum(state.decks["blue"])}

    patch.setattr(toy.AmbushRules, "view", view)


def answers_for_all_to_read(patch: pytest.MonkeyPatch) -> None:
    """Plant a leak: closing publishes an unsalted hash of each valid answer."""
    real = closing.answer_parts

    def answer_parts(*given: Any) -> Any:
        for part in real(*given):
            yield msgspec.structs.replace(part, name=f"{part.name}/{hashlib.sha256(part.content).hexdigest()}")

    patch.setattr(closing, "answer_parts", answer_parts)


LEAKS = [
    unsalted_state_hash,
    asked_only_if_able,
    finding_without_audience,
    orders_in_the_view,
    parts_only_where_there_is_something,
    public_automatic_answers,
    secret_rolls_in_the_open,
    refusal_from_the_state,
    size_of_an_order,
    hand_sizes_by_card,
    answers_for_all_to_read,
]

ONE = Secret(({"b1": "ambush"},) * 2, ({"card": 9},) * 2, [], 0)
TWO = Secret(({"b2": "hold", "b3": "hold"},) * 2, ({},) * 2, [], 1)
RED = ({"r1": "go2", "r2": "go3", "r3": "hold"},) * 2


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_found(
    folders: Callable[[], Path], monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    leak(monkeypatch)
    assert any(leaks(folders, monkeypatch, ONE, TWO, RED, reactions) for reactions in ("plan", "ask"))


def test_without_a_planted_leak_nothing_is_found(
    folders: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for reactions in ("plan", "ask"):
        assert leaks(folders, monkeypatch, ONE, TWO, RED, reactions) is None
