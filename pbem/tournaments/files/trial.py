"""A trial run of a whole tournament in memory, with made-up results: no store, no matches.

    Stream        the events of a tournament, kept in memory
    simulate      open, enter, pair, record and close, round by round

Results come from the entrants' strength and a seeded generator, so that a trial can be repeated.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Sequence

import msgspec

from eventstore import Event, PartRef, canonical
from pbem.tournaments import events as said
from pbem.tournaments.model import Pairing, Settings, Verdict
from pbem.tournaments.pairing.formats import draw, pair_draw, rounds_of
from pbem.tournaments.ranking.standings import Standing, standings
from pbem.tournaments.record import Named, Paired, Record, further

DAY = 24 * 3600 * 1000
SIDES = ("first", "second")


class Stream:
    """A tournament's events in memory, with the record folded from them."""

    def __init__(self, settings: Settings, name: str = "trial", director: str = "director") -> None:
        self.record = Record()
        self.events: list[Event] = []
        self.parts: dict[str, bytes] = {}
        self.name = f"tournament/{name}"
        self.now = 0
        self.say(said.Opened(settings, director, {}))

    def say(self, payload: msgspec.Struct, public: bytes | None = None, part: str = "pairings") -> Event:
        """Append the event for this payload, with a public part if there is one."""
        parts: tuple[PartRef, ...] = ()
        if public is not None:
            commitment = hashlib.sha256(public).hexdigest()
            self.parts[commitment] = public
            parts = (PartRef(part, "public", commitment),)
        new = said.new(payload)
        version = len(self.events) + 1
        event = Event(self.name, version, new.type, 1, new.payload, parts, self.now, "", str(version))
        self.events.append(event)
        further(self.record, [event], self.parts.__getitem__)
        return event

    def enter(self, names: Sequence[str], ratings: Sequence[int] = ()) -> None:
        """Enter these players in order."""
        start = len(self.record.entrants)
        for at, name in enumerate(names):
            rating = ratings[at] if at < len(ratings) else 0
            self.enter_one(said.EntryMade(start + at + 1, account=name.lower(), rating=rating), name)

    def enter_one(self, entry: said.EntryMade, name: str) -> None:
        self.say(entry, canonical(Named(name)), "name")

    def pair(self, number: int, listed: Sequence[tuple[int, ...]] = ()) -> Paired:
        """Pair and start a round."""
        drawn, there = draw(self.record, number, listed)
        scenario = self.record.settings.scenarios[0] if self.record.settings.scenarios else "scenario"
        sides = SIDES if self.record.settings.table_size <= 2 else _many(self.record.settings.table_size)
        content = pair_draw(self.record, drawn, scenario, sides)
        made = said.RoundPaired(
            number, drawn.engine, drawn.version, there.hash(), len(content.pairings), len(content.byes)
        )
        self.say(made, canonical(content))
        self.say(said.RoundStarted(number, self.now + self.record.settings.round_days * DAY))
        return content

    def result(self, number: int, pairing: int, verdicts: tuple[Verdict, ...], scores: tuple[int, ...] = ()) -> None:
        """Record the result of a pairing."""
        points = tuple(self.record.settings.points.of(verdict) for verdict in verdicts)
        self.say(said.ResultRecorded(number, pairing, "played", verdicts, points, scores))

    def close(self, number: int) -> None:
        self.say(said.RoundClosed(number))


def _many(size: int) -> tuple[str, ...]:
    return tuple(f"side {at}" for at in range(1, size + 1))


class Trial(msgspec.Struct, frozen=True):
    """The results of a trial run."""

    rounds: int
    seconds: tuple[float, ...]
    """Processor time for pairing each round."""
    standings_seconds: float
    rematches: int
    worst_balance: int
    second_byes: int
    places: tuple[Standing, ...]
    record: Record


def simulate(settings: Settings, entrants: int, seed: int) -> Trial:
    """Run a whole tournament with made-up results and return its figures."""
    chance = random.Random(seed)
    stream = Stream(settings)
    stream.enter([f"Player {n}" for n in range(1, entrants + 1)], [2400 - 2 * n for n in range(entrants)])
    total = rounds_of(stream.record)
    seconds = []
    for number in range(1, total + 1):
        began = time.process_time()
        made = stream.pair(number)
        seconds.append(time.process_time() - began)
        for pairing in made.pairings:
            verdicts, scores = chances(stream.record, pairing, chance.random)
            stream.result(number, pairing.number, verdicts, scores)
        stream.close(number)
    began = time.process_time()
    places = standings(stream.record)
    spent = time.process_time() - began
    return Trial(
        total,
        tuple(seconds),
        spent,
        *_faults(stream.record),
        tuple(places),
        stream.record,
    )


def chances(
    record: Record, pairing: Pairing, chance: Callable[[], float]
) -> tuple[tuple[Verdict, ...], tuple[int, ...]]:
    """Make up a result: the stronger entrant wins more often, and one pairing in six is drawn."""
    drift = {n: record.entrants[n].rating + int(400 * (chance() + chance() - 1)) for n in pairing.entrants}
    if record.settings.format != "knock_out" and chance() < 1 / 6:
        return tuple("drawn" for _ in pairing.entrants), (5,) * len(pairing.entrants)
    best = max(pairing.entrants, key=lambda n: drift[n])
    verdicts: tuple[Verdict, ...] = tuple("won" if n == best else "lost" for n in pairing.entrants)
    low = min(drift.values())
    return verdicts, tuple((drift[n] - low) // 20 for n in pairing.entrants)


def _faults(record: Record) -> tuple[int, int, int]:
    """Return the number of rematches, the worst balance of sides, and how many entrants had two pairing byes."""
    met: set[frozenset[int]] = set()
    rematches, balance, byes = 0, dict.fromkeys(record.entrants, 0), dict.fromkeys(record.entrants, 0)
    for round in record.rounds.values():
        for pairing in round.pairings:
            if len(pairing.entrants) == 2:
                pair = frozenset(pairing.entrants)
                rematches += pair in met
                met.add(pair)
                balance[pairing.entrants[0]] += 1
                balance[pairing.entrants[1]] -= 1
        for bye in round.byes:
            byes[bye.entrant] += bye.kind == "pairing"
    worst = max(map(abs, balance.values()), default=0)
    return rematches, worst, sum(count > 1 for count in byes.values())
