"""The crosstable of all rounds: pairing, standings and exports start from it."""

from __future__ import annotations

import msgspec

from pbem.tournaments.model import ByeKind, Entrant, Pairing, Result, Round, Verdict
from pbem.tournaments.pairing.field import Field, Game, Player
from pbem.tournaments.record import Record


class Line(msgspec.Struct, frozen=True):
    """One round of one entrant. `kind` is the result's kind, `bye`, or `open` for a match in progress."""

    round: int
    kind: str
    points: int = 0
    pairing: int = 0
    opponents: tuple[int, ...] = ()
    side: int | None = None
    verdict: Verdict | None = None
    bye: ByeKind | None = None
    score: int = 0
    against: int = 0
    boards: int = 0

    @property
    def played(self) -> bool:
        return self.kind not in ("forfeit", "bye", "open")


Lines = dict[int, tuple[Line, ...]]


def lines(record: Record, upto: int | None = None) -> Lines:
    """Return every entrant's lines up to the given round, in order."""
    found: dict[int, dict[int, Line]] = {number: {} for number in record.entrants}
    last = max(record.rounds, default=0) if upto is None else upto
    numbers = [number for number in sorted(record.rounds) if number <= last]
    for number in numbers:
        round = record.rounds[number]
        for pairing in round.pairings:
            for place, entrant in enumerate(pairing.entrants):
                found[entrant][number] = _line(round, pairing, place)
        for bye in round.byes:
            found[bye.entrant].setdefault(number, _bye(record, number, bye.kind))
    return {
        entrant: tuple(own.get(number) or _missing(record, record.entrants[entrant], number) for number in numbers)
        for entrant, own in found.items()
    }


def _line(round: Round, pairing: Pairing, place: int) -> Line:
    others = tuple(number for at, number in enumerate(pairing.entrants) if at != place)
    result = round.results.get(pairing.number)
    if result is None:
        return Line(round.number, "open", 0, pairing.number, others, place)
    return Line(
        round.number,
        result.kind,
        result.points[place],
        pairing.number,
        others,
        place,
        result.verdicts[place],
        None,
        result.scores[place] if result.scores else 0,
        _against(result, place),
        result.boards[place] if result.boards else 0,
    )


def _against(result: Result, place: int) -> int:
    """The best score among the other entrants."""
    return max((score for at, score in enumerate(result.scores) if at != place), default=0)


def _bye(record: Record, round: int, kind: ByeKind) -> Line:
    return Line(round, "bye", record.settings.points.bye(kind), bye=kind)


def _missing(record: Record, entrant: Entrant, round: int) -> Line:
    """The line for a round before a late entry or after a withdrawal."""
    kind = entrant.late_bye if round < entrant.from_round and entrant.gone_after is None else "zero"
    return _bye(record, round, kind)


# The field of the next round ---------------------------------------------------------------------------------


def seed_order(record: Record) -> list[int]:
    """Return entrants in seed order. Seeds of a paired round are kept; newcomers follow by rating, then by entry."""
    known = {number: place for place, number in enumerate(record.seeds)}
    newcomers = [entrant for entrant in record.entrants.values() if _was_in(record, entrant)]
    newcomers.sort(key=lambda e: (known.get(e.number, len(known)), -e.rating, _lot(record, e.number), e.number))
    return [entrant.number for entrant in newcomers]


def _was_in(record: Record, entrant: Entrant) -> bool:
    return entrant.state == "confirmed" or (entrant.state == "withdrawn" and entrant.number in record.seeds)


def _lot(record: Record, number: int) -> int:
    return record.lots.index(number) if number in record.lots else len(record.lots)


def field(record: Record, number: int) -> Field:
    """Return everything that the pairing of a round depends on. An open match counts as a draw, for pairing only."""
    table = lines(record, number - 1)
    draw = record.settings.points.draw
    seeds = seed_order(record)
    boost = _boosts(record, seeds, number)
    players = tuple(
        Player(
            entrant,
            seed,
            tuple(_game(line, draw) for line in table[entrant]),
            _absence(record.entrants[entrant], number),
            boost.get(entrant, 0),
            record.entrants[entrant].name,
        )
        for seed, entrant in enumerate(seeds, 1)
    )
    sided = record.settings.sides == "alternate" and record.settings.boards == 1
    return Field(number, record.settings.rounds, players, tuple(sorted(record.forbidden)), sided, record.first_side)


def _game(line: Line, draw: int) -> Game:
    if line.kind == "open":
        return Game(line.round, line.opponents, line.side, draw, "played")
    side = line.side if line.played else None
    return Game(line.round, line.opponents, side, line.points, line.kind, line.bye)


def _absence(entrant: Entrant, number: int) -> ByeKind | None:
    if entrant.state != "confirmed":
        return "zero"
    if number < entrant.from_round:
        return entrant.late_bye
    return entrant.byes.get(number)


def _boosts(record: Record, seeds: list[int], number: int) -> dict[int, int]:
    """Return the upper half's acceleration points: a win in the first quarter of the rounds, a draw in the next."""
    if not record.settings.accelerated or record.settings.format != "swiss":
        return {}
    half = 2 * -(-len(seeds) // 4)
    accelerated = -(-record.settings.rounds // 2)
    full = -(-accelerated // 2)
    if number > accelerated:
        return {}
    points = record.settings.points
    return dict.fromkeys(seeds[:half], points.win if number <= full else points.draw)
