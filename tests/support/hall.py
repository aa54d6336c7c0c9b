"""A server with a tournament, its accounts, a director, and a clock that the test sets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.playing import entropy
from support.toy import AmbushTitle

from pbem.matches import unit_of_work
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick as clock
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.players import endings
from pbem.matches.post import notifications
from pbem.matches.server import Server
from pbem.tournaments import entries, rounds, stream, tick
from pbem.tournaments.model import Settings
from pbem.tournaments.record import Record

START = 1_900_000_000_000
DAY = 24 * 3600 * 1000


def nothing(name: str) -> None:
    """Do nothing at a fail point."""


class Hall:
    """A server, its director Max, and one tournament."""

    def __init__(self, folder: Path, seed: object = 0, failpoint: Callable[[str], None] = nothing) -> None:
        self.folder, self.now = folder, START
        self.server: Server = open_server(
            folder / "pbem.db",
            {"ambush": AmbushTitle()},
            entropy=_counted(seed),
            clock=lambda: self.now,
            failpoint=failpoint,
        )
        self.max = accounts.open_account(self.server, "max@example.org", "Max").id
        self.id = ""

    def open(self, entrants: int = 4, **settings: Any) -> Record:
        """Open a tournament and enter players P1, P2 and so on, with falling ratings."""
        settings.setdefault("name", "Autumn Cup")
        settings.setdefault("scenarios", ("tiny",))
        self.id = stream.open_tournament(self.server, Settings(title="ambush", **settings), self.max).id
        if entrants:
            lines = [f"P{n},{self.player(n)},{2000 - n}" for n in range(1, entrants + 1)]
            content = "\n".join(["name,account,rating", *lines]).encode()
            assert not entries.import_list(self.server, self.id, content, by=self.max).mistakes
        return self.record

    def player(self, number: int) -> str:
        return accounts.open_account(self.server, f"p{number}@example.org", f"P{number}").id

    @property
    def record(self) -> Record:
        return stream.read(self.server, self.id)

    def round(self) -> Record:
        """Pair and start the next round; the tick creates its matches."""
        rounds.pair(self.server, self.id, by=self.max)
        rounds.start(self.server, self.id, by=self.max)
        return self.tick()

    def tick(self, days: float = 0) -> Record:
        self.now += int(days * DAY)
        clock.tick(self.server, self.now)
        while tick.tick(self.server, self.now) and self._busy():
            pass
        return self.record

    def _busy(self) -> bool:
        rows = self.server.database.execute("SELECT 1 FROM tournaments WHERE touched = 1").fetchall()
        return bool(rows)

    def match(self, pairing: int, leg: int = 1, round: int | None = None) -> str:
        number = round or max(self.record.rounds)
        return stream.match_id(self.server, self.record, number, pairing, leg)

    def concede(self, pairing: int, loser: str, leg: int = 1) -> None:
        """Let one side concede the match of a pairing."""
        match = self.match(pairing, leg)
        record = record_of(self.server, match)
        unit_of_work.append(self.server, record, endings.concede(self.server, record, loser), "concede")
        notifications.catch_up(self.server)

    def finish_round(self, loser: str = "blue") -> Record:
        """Let this side concede every match of the round."""
        round = self.record.last_round
        assert round is not None
        for pairing in round.open_pairings():
            for leg in pairing.legs:
                self.concede(pairing.number, loser, leg.number)
        return self.tick()

    def close(self) -> Record:
        record = rounds.close(self.server, self.id, by=self.max, anyway=True)
        self.tick()
        return record


def _counted(seed: object) -> Callable[[str], bytes]:
    """Return random-looking bytes that are the same for the same seed; each call with a label gives new ones."""
    draw, times = entropy(seed), dict[str, int]()

    def drawn(label: str) -> bytes:
        times[label] = times.get(label, 0) + 1
        return draw(f"{label}/{times[label]}")

    return drawn
