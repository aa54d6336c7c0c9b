"""Nothing leaks: unused secrets of the British change nothing that the Germans can see or provoke.

Counters are turned face up at the end of a turn (4.6.1). So worlds with different counters are compared within a
turn, with every window asked; worlds with different plans and standing orders are compared over whole turns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support.playing import NOON, entropy
from support.worlds import masked, told_apart

import pbem.engine.play.dice
from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Submission
from pbem.mail.outbound import compose as outbound
from pbem.mail.outbound import pictures
from pbem.mail.settings import Settings
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.exchange import advancing, creating, resolving, sealing
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history import replay
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import Position, load, record_of
from pbem.matches.installation import open_server
from pbem.matches.post import outbox
from pbem.matches.server import Server
from pbem.titles.panzer import view
from pbem.titles.panzer.bots.bot import steady_bot
from pbem.titles.panzer.fire import overwatch
from pbem.titles.panzer.state import Command
from pbem.titles.panzer.title import Panzer

ME, OTHER = "german", "british"
PROBES: list[Any] = [
    {"br1": "fire"},
    {"ge1": "fly"},
    {"ge1": "fire", "ge2": "overwatch"},
    {"target": "br2", "firers": [["ge1", 0]]},
    {"target": "br3", "firers": [["ge2", 0], ["ge3", 9]]},
    {"unit": "ge1", "steps": ["f", "f", "f"]},
    {"unit": "br4", "steps": []},
    True,
    "first",
    7,
]
"""Answers to try out, most of them wrong for any ask."""


class Secret(msgspec.Struct, frozen=True):
    """The secrets of the British: their counters, this turn's plan and the standing orders."""

    counters: dict[str, str]
    plan: dict[str, Any]
    doctrine: list[str]


# A world -----------------------------------------------------------------------------------------------------


def fixed_chance(patch: pytest.MonkeyPatch) -> None:
    """Make dice depend only on their name, and leave the pictures in emails as they are drawn."""

    def die(rung: bytes, context: str, rule: str, subjects: Sequence[str], ordinal: int, sides: int) -> int:
        return Choice(rule, subjects, ordinal).below(sides) + 1

    patch.setattr(pbem.engine.play.dice, "die", die)
    patch.setattr(pictures, "png", lambda svg: svg.encode())


class World:
    """A duel on its own server, and everything the Germans could obtain, event by event."""

    def __init__(self, folder: Path, secret: Secret, reactions: str, seed: object = 0) -> None:
        self.server = open_server(folder / "pbem.db", {"panzer": Panzer()}, entropy=entropy(seed), clock=lambda: NOON)
        self.secret, self.seen = secret, list[Any]()
        self.match = creating.new_match(
            self.server, "panzer", "duel", name="Bir Hasan", reactions=reactions, cadence=48
        )
        for seat in (ME, OTHER):
            account = accounts.open_account(self.server, f"{seat}@example.org", seat)
            take_seat(self.server, self.match, seat, account.id)
        self.look()
        sealing.set_doctrine(self.server, self.match, OTHER, secret.doctrine)
        self.look()

    def play(self, turns: int, *, to_the_end: bool) -> list[Any]:
        """Play this many turns; if the counters differ, stop before the end of the turn, where all are revealed."""
        while (position := load(self.server, self.match)).run.state.turn <= turns:
            for ask in position.run.asks:
                self.answer(position, ask)
            advancing.close_if_final(self.server, self.match)
            self.look()
            resolving.resolve(self.server, self.match)
            if to_the_end or load(self.server, self.match).run.state.turn <= turns:
                self.look()
        assert record_of(self.server, self.match).halted is None
        return self.seen

    def answer(self, position: Position, ask: Ask) -> None:
        said = self.german(position, ask) if ask.seat == ME else self.british(position, ask)
        exchange = position.record.open_exchange
        receipt = sealing.seal(self.server, self.match, ask.seat, exchange, said, final=True)
        if ask.seat == ME:
            self.seen.append(msgspec.to_builtins(receipt))
        self.look()

    def german(self, position: Position, ask: Ask) -> Submission:
        """Answer for the Germans by what they see."""
        return steady_bot("g")(position.rules, position.run.view(ME), ask)

    def british(self, position: Position, ask: Ask) -> Submission:
        """Answer for the British, who act the same in every world and never use the secret."""
        if ask.kind == "commands":
            alive = [vehicle.id for vehicle in position.run.state.of(OTHER)]
            counters = {unit: counter for unit, counter in self.secret.counters.items() if unit in alive}
            return Submission(counters, self.secret.plan)
        if ask.kind == "move":
            options = list(islice(position.rules.options(position.run.view(OTHER), ask), 9))
            return Submission(options[-1])
        return Submission(position.rules.default(lambda: position.run.view(OTHER), ask))

    def look(self) -> None:
        self.seen.append(outlets(self.server, self.match))


def outlets(server: Server, match: str) -> dict[str, Any]:
    """Return everything the Germans, or the public, can read or provoke now."""
    position = load(server, match)
    run, rules = position.run, position.rules
    seen, ask, last = run.view(ME), run.ask_of(ME), position.record.resolved
    content = export(server, match, ME)
    parts = read_export(content).parts.values()
    return {
        "view": seen,
        "public": run.view("public"),
        "options": list(islice(rules.options(seen, ask), 40)) if ask else None,
        "refusals": [refusal(position, ask, probe) for probe in PROBES] if ask else None,
        "asks": [run.asks[0].kind, run.asks[0].seat, run.asks[0].subject] if run.asks else None,
        "waited for": position.awaited_seats,
        "status": [views.status(server, match, viewer) for viewer in (ME, "public")],
        "form": rules.form(seen, ask) if ask else None,
        "picture": rules.picture(seen, ME),  # type: ignore[attr-defined]
        "report": views.report(server, match, ME, last[-1].exchange) if last else None,
        "mails": [told for owed in outbox.waiting(server) if (told := mail(server, owed)) is not None],
        "exports": [content.decode(), export(server, match, "public").decode()],
        "parts": sorted(part.content.decode() for part in parts),
        "sizes": sorted(len(part.content) for part in parts),
    }


def refusal(position: Position, ask: Ask, answer: Any) -> str:
    try:
        return repr(position.rules.check(position.run.view(ME), ask, answer))
    except Refusal as refused:
        return str(refused)


def mail(server: Server, owed: outbox.Owed) -> Any:
    """Return an email to the Germans as sent; every email is examined once."""
    outbox.mark_sent(server, owed.id, NOON)
    if owed.account != (accounts.by_address(server, f"{ME}@example.org") or owed).id:  # type: ignore[union-attr]
        return None
    message = outbound.compose(server, Settings(domain="pbem.test"), owed)
    return None if message is None else [[*map(str, message.items())], *map(part_of, message.walk())]


def part_of(part: EmailMessage) -> list[str]:  # type: ignore[type-arg]
    content = "" if part.is_multipart() else part.get_payload(decode=True)
    text = content.decode() if isinstance(content, bytes) else str(content)
    return [part.get_content_type(), re.sub(r"\blog [0-9a-f]{12}\b", "log #", text)]


def leaks(
    folders: Callable[[], Path], one: Secret, two: Secret, reactions: str, turns: int = 1, *, to_the_end: bool
) -> str | None:
    """Return the first difference between the worlds that the Germans can see, if any."""
    worlds = (World(folders(), one, reactions), World(folders(), two, reactions), World(folders(), one, reactions, 1))
    return told_apart(*(world.play(turns, to_the_end=to_the_end) for world in worlds))


# Secrets -----------------------------------------------------------------------------------------------------

counters = st.fixed_dictionaries(
    {"br1": st.just("fire"), "br2": st.just("move")}
    | {unit: st.sampled_from(["overwatch", "no-command"]) for unit in ("br3", "br4")}
)
never_met = st.fixed_dictionaries(
    {"hit": st.sampled_from([98, 99, 100])},
    optional={"range": st.integers(1, 3), "only": st.sampled_from([["ge1"], ["ge2", "ge4"]])},
)
"""4.4.2 Conditions of overwatch that no shot meets."""
unused = st.fixed_dictionaries(
    {"initiative": st.just("first"), "overwatch": st.fixed_dictionaries({"br3": never_met, "br4": never_met})},
    optional={
        "show": st.sampled_from([{"br3": "always"}, {"br4": "never", "br1": "matters"}]),
        "order": st.sampled_from([{"move": ["br2"]}, {"fire": ["br1"]}]),
    },
)
"""Plans that differ only in events that do not happen."""
silenced = st.sampled_from([["initiative: second", "overwatch: never"], ["overwatch: range <= 1 hit >= 99"]])
"""Standing orders about matters the plan has settled."""

WATCHING = {"br1": "fire", "br2": "move", "br3": "overwatch", "br4": "overwatch"}
IDLE = {"br1": "fire", "br2": "move", "br3": "no-command", "br4": "no-command"}
CLOSE, SURE = {"hit": 98, "range": 1}, {"hit": 99}
ONE = Secret(WATCHING, {"overwatch": {"br3": CLOSE, "br4": SURE}}, ["overwatch: never"])
TWO = Secret(WATCHING, {}, ["overwatch: never"])
THREE = Secret(IDLE, {}, [])


@given(one=counters, two=counters, plans=st.tuples(unused, unused), doctrine=st.tuples(silenced, silenced))
@settings(max_examples=2, phases=[Phase.generate])
def test_4_2_1_counters_that_never_act_are_not_noticed(
    folders: Callable[[], Path], one: Any, two: Any, plans: Any, doctrine: Any
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        fixed_chance(patch)
        secrets = [Secret(*given) for given in zip((one, two), plans, doctrine, strict=True)]
        found = leaks(folders, *secrets, "ask", to_the_end=False)
    assert found is None, found


@given(plans=st.tuples(unused, unused), doctrine=st.tuples(silenced, silenced))
@settings(max_examples=2, phases=[Phase.generate])
def test_4_2_1_plans_and_standing_orders_that_never_bite_are_not_noticed(
    folders: Callable[[], Path], plans: Any, doctrine: Any
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        fixed_chance(patch)
        secrets = [Secret(WATCHING, *given) for given in zip(plans, doctrine, strict=True)]
        found = leaks(folders, *secrets, "plan", turns=2, to_the_end=True)
    assert found is None, found


# Planted leaks -----------------------------------------------------------------------------------------------


def open_counters(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view, "knows_command", lambda vehicle, viewer: True)


def asked_only_if_able(patch: pytest.MonkeyPatch) -> None:
    real = overwatch.is_window

    def window(situation: Any, side: str, targets: Any) -> bool:
        able = any(vehicle.command is Command.OVERWATCH for vehicle in situation.state.of(side))
        return able and real(situation, side, targets)

    patch.setattr(overwatch, "is_window", window)


def others_findings(patch: pytest.MonkeyPatch) -> None:
    real = replay.seen_by
    patch.setattr(replay, "seen_by", lambda findings, viewer: real(findings, OTHER))


@pytest.mark.parametrize(
    ("leak", "one", "two", "reactions"),
    [
        (open_counters, ONE, THREE, "ask"),
        (asked_only_if_able, ONE, THREE, "ask"),
        (others_findings, ONE, TWO, "plan"),
    ],
)
def test_a_planted_leak_is_found(
    folders: Callable[[], Path], monkeypatch: pytest.MonkeyPatch, leak: Any, one: Secret, two: Secret, reactions: str
) -> None:
    fixed_chance(monkeypatch)
    leak(monkeypatch)
    seen = [World(folders(), secret, reactions).play(1, to_the_end=reactions == "plan") for secret in (one, two)]
    assert masked(seen[0]) != masked(seen[1])
