"""Nothing leaks outside the rules: emails and headers, maps, exports, reports and refusals of an advanced match.

Two worlds are played on whole servers. The British hide the same number of counters in the same hexes, but with
other units under them; they also register, plan, mine, command and instruct differently, but use none of it in two
turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.playing import NOON, entropy
from support.worlds import masked
from titles.panzer.advanced.secrets import ME, OTHER, blobs_of
from titles.panzer.secrets.test_leaks_panzer import fixed_chance, part_of

from pbem.engine.play.bots import random_bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Submission
from pbem.mail.outbound import compose as outbound
from pbem.mail.settings import Settings
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.exchange import advancing, creating, resolving, sealing
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import Position, load, record_of
from pbem.matches.installation import open_server
from pbem.matches.post import outbox
from pbem.matches.server import Server
from pbem.titles.panzer.title import Panzer

FIXED = {"ch1": "T6", "dr1": "T7", "dr5": "T9", "dr7": "T10", "dr9": "T12", "dr11": "T5"}
"""Hidden units that are in the same place in every world."""
PLACES = ("R2", "R9", "S4", "S7", "T2", "T3")
"""The hexes of the other counters, real ones and dummies."""
PROBES = (
    *("dr2 hold", "h12 hold", "be4 move Q8", "be4 fire dr2", "be4 fire dr8", "be4 assault dr2", "ih1 overrun dr3"),
    *("be1 call ib1 at S7 closed", "ih1 fire ch2", "cr1 fly A5 face 3 slow low strafe dr2", "be4 demolish x1"),
    *("h1 sneak C5", "hide be4 at Q8", "dummy S7", "rest move S7"),
)
"""Orders with refusals that might reveal what the server knows."""


class Secret(msgspec.Struct, frozen=True):
    """The secrets of the British in one world."""

    under: dict[str, str]
    plot: dict[str, Any]
    command: str
    doctrine: list[str]


ONE = Secret(
    under={"dr2": "R2", "dr3": "R9", "dr6": "S4", "dr10": "S7"},
    plot={"registered": {"bg1": ["C6"]}},
    command="overwatch",
    doctrine=["overwatch: never", "missions: never", "anti-aircraft: never"],
)
TWO = Secret(
    under={"dr2": "S7", "dr3": "S7", "dr6": "T2", "dr10": "T3"},
    plot={"planned": [{"battery": "bg1", "turn": 6, "legs": [["C6", "gp", "closed", 0]]}]},
    command="no-command",
    doctrine=["overwatch: range <= 1 hit >= 99", "missions: never", "anti-aircraft: never", "pivot: never"],
)


class Hidden(Panzer):
    """The title, reduced to the one match that is played here."""

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        return blobs_of("2016")


class World:
    """A match on its own server, and everything the Italians could obtain, event by event."""

    def __init__(self, folder: Path, secret: Secret, *, looking: bool = True) -> None:
        self.secret, self.seen, self.looking = secret, list[Any](), looking
        self.server = open_server(folder / "pbem.db", {"panzer": Hidden()}, entropy=entropy(0), clock=lambda: NOON)
        self.match = creating.new_match(self.server, "panzer", "desert", name="Bir Hasan", cadence=48)
        for seat in (ME, OTHER):
            account = accounts.open_account(self.server, f"{seat}@example.org", seat)
            take_seat(self.server, self.match, seat, account.id)
        sealing.set_doctrine(self.server, self.match, OTHER, secret.doctrine)
        self.look()

    def play(self, turns: int) -> list[Any]:
        while (position := load(self.server, self.match)).run.state.turn <= turns:
            for ask in position.run.asks:
                said = self.british(position, ask) if ask.seat == OTHER else self.italian(position, ask)
                sealing.seal(self.server, self.match, ask.seat, position.record.open_exchange, said, final=True)
                if self.looking:
                    self.seen.append(waiting(self.server, self.match))
            advancing.close_if_final(self.server, self.match)
            resolving.resolve(self.server, self.match)
            self.look()
        assert record_of(self.server, self.match).halted is None
        lying = load(self.server, self.match).run.state.hidden_counters.values()
        still = sum(counter.side == OTHER for counter in lying)
        assert still == len(FIXED) + len(PLACES), "a counter was found: the worlds may differ"
        return self.seen

    def italian(self, position: Position, ask: Ask) -> Submission:
        """Answer for the Italians with random choices that are based only on their view."""
        return random_bot("i", most=6)(position.rules, position.run.view(ME), ask)

    def british(self, position: Position, ask: Ask) -> Submission:
        """Answer for the British, who act the same in every world and never use the secret."""
        hidden = FIXED | self.secret.under
        match ask.kind:
            case "plot":
                return Submission(self.secret.plot)
            case "deploy":
                return Submission({unit: [hex, 6] for unit, hex in hidden.items()})
            case "hide":
                return Submission({"dummies": [hex for hex in PLACES if hex not in hidden.values()]})
            case "commands":
                return Submission(dict.fromkeys(self.secret.under, self.secret.command))
        return Submission(position.rules.default(lambda: position.run.view(OTHER), ask))

    def look(self) -> None:
        if self.looking:
            self.seen.append(outlets(self.server, self.match))


def waiting(server: Server, match: str) -> dict[str, Any]:
    """Return everything that changes when a player seals orders."""
    return {
        "waited for": load(server, match).awaited_seats,
        "status": [views.status(server, match, viewer) for viewer in (ME, PUBLIC)],
        "mails": [told for owed in outbox.waiting(server) if (told := mail(server, owed)) is not None],
    }


def outlets(server: Server, match: str) -> dict[str, Any]:
    """Return everything the Italians, or the public, can read or provoke now."""
    position = load(server, match)
    run, rules, last = position.run, position.rules, position.record.resolved
    seen, ask = run.view(ME), run.ask_of(ME)
    content = export(server, match, ME)
    parts = read_export(content).parts.values()
    return waiting(server, match) | {
        "view": seen,
        "options": list(islice(rules.options(seen, ask), 10)) if ask else None,
        "refusals": [refusal(position, ask, probe) for probe in PROBES] if ask else None,
        "form": rules.form(seen, ask) if ask else None,
        "picture": rules.picture(seen, ME),  # type: ignore[attr-defined]
        "report": views.report(server, match, ME, last[-1].exchange) if last else None,
        "exports": [content.decode(), export(server, match, PUBLIC).decode()],
        "sizes": sorted(len(part.content) for part in parts),
    }


def refusal(position: Position, ask: Ask, text: str) -> str:
    """Return the reply to an email with this line."""
    view = position.run.view(ME)
    try:
        said = position.rules.read(view, ask, text)
        return repr((position.rules.check(view, ask, said.answer), said.plan))
    except Refusal as refused:
        return str(refused)


def mail(server: Server, owed: outbox.Owed) -> Any:
    """Return an email to the Italians as sent; every email is examined once."""
    outbox.mark_sent(server, owed.id, NOON)
    me = accounts.by_address(server, f"{ME}@example.org")
    if me is None or owed.account != me.id:
        return None
    message = outbound.compose(server, Settings(domain="pbem.test"), owed)
    return None if message is None else [[*map(str, message.items())], *map(part_of, message.walk())]


def test_no_leak_by_mail_map_report_or_export(folders: Callable[[], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """7.2, 7.31, 6.5.1.4, 6.5.1.11, 4.2.1: nothing leaks during the set-up and two turns."""
    fixed_chance(monkeypatch)
    one, two = (masked(World(folders(), secret).play(2)) for secret in (ONE, TWO))
    assert len(one) == len(two) > 15
    different = [number for number, outlets in enumerate(zip(one, two, strict=True)) if len(set(outlets)) > 1]
    assert not different, first_difference(one[different[0]], two[different[0]])


def first_difference(a: str, b: str) -> str:
    at = next((place for place, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]), 0)
    return f"…{a[max(0, at - 150) : at + 80]}… against …{b[max(0, at - 150) : at + 80]}…"


def test_the_worlds_do_differ(folders: Callable[[], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: the British themselves see different worlds."""
    fixed_chance(monkeypatch)
    worlds = World(folders(), ONE, looking=False), World(folders(), TWO, looking=False)
    for world in worlds:
        world.play(1)
    positions = [load(world.server, world.match) for world in worlds]
    assert positions[0].run.view(OTHER) != positions[1].run.view(OTHER)
    maps = {rules.picture(run.view(OTHER), OTHER) for rules, run in ((one.rules, one.run) for one in positions)}
    assert len(maps) == len(worlds)
