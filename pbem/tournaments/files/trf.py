"""TRF, the tournament report files of chess: write TRF16 and TRF26, read both, and common deviations from them.

Starting numbers are seeds. Points are written as the tournament counts them, even if a win is worth three. In
TRF26, lines `240` list absences, `250` acceleration and `260` forbidden pairs; TRF16 uses the extensions `XXR`, `XXZ`
and `XXP`. Bare carriage returns, a missing name of the tournament and unknown letters for sex are accepted.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.tournaments.files.entry_list import Mistake
from pbem.tournaments.model import ByeKind
from pbem.tournaments.ranking.crosstable import Line, lines, seed_order
from pbem.tournaments.ranking.standings import standings
from pbem.tournaments.record import Record

BYES: dict[str, ByeKind] = {"U": "pairing", "F": "full", "H": "half", "Z": "zero"}
LETTERS = {kind: letter for letter, kind in BYES.items()}
VERDICTS = {"1": "won", "=": "drawn", "0": "lost", "W": "won", "D": "drawn", "L": "lost", "+": "won", "-": "lost"}


class Cell(msgspec.Struct, frozen=True):
    """One round of one player, as it is in the file."""

    opponent: int
    side: int | None
    letter: str


class TrfPlayer(msgspec.Struct, frozen=True):
    """One player line (`001`)."""

    number: int
    name: str
    rating: int
    points: int
    rank: int
    cells: tuple[Cell, ...]
    line: int = 0


class Trf(msgspec.Struct, frozen=True):
    """A whole TRF file."""

    name: str = ""
    rounds: int = 0
    players: tuple[TrfPlayer, ...] = ()
    forbidden: tuple[tuple[int, int], ...] = ()
    absences: tuple[tuple[int, int, ByeKind], ...] = ()
    """The byes requested: round, player and kind."""
    first_side: int = 0
    mistakes: tuple[Mistake, ...] = ()


# Writing -----------------------------------------------------------------------------------------------------


def write(record: Record, edition: str = "trf16") -> str:
    """Return the tournament as a report file, as of the last round."""
    seeds = {number: seed for seed, number in enumerate(seed_order(record), 1)}
    settings = record.settings
    head = [
        f"012 {settings.name}",
        f"062 {len(seeds)}",
        f"072 {sum(record.entrants[number].rating > 0 for number in seeds)}",
        f"092 {settings.format.replace('_', ' ')}",
    ]
    table = lines(record)
    ranks = {standing.entrant: standing.place for standing in standings(record)}
    body = [_player(record, seeds, number, table[number], ranks.get(number, 0)) for number in seeds]
    tail = _tail26(record, seeds) if edition == "trf26" else _tail16(record, seeds)
    return "\n".join([*head, *tail, *body]) + "\n"


def _tail16(record: Record, seeds: dict[int, int]) -> list[str]:
    found = [f"XXR {record.settings.rounds}", "XXC white1"]
    found += [f"XXP {seeds[one]} {seeds[other]}" for one, other in sorted(record.forbidden) if one in seeds]
    gone = [seeds[n] for n in seeds if record.entrants[n].state == "withdrawn"]
    return found + ([f"XXZ {' '.join(map(str, sorted(gone)))}"] if gone else [])


def _tail26(record: Record, seeds: dict[int, int]) -> list[str]:
    settings, points = record.settings, record.settings.points
    found = [
        f"142 {settings.rounds}",
        "152 W",
        f"162 W {_tenths(points.win):>4} D {_tenths(points.draw):>4} L {_tenths(points.loss):>4}",
    ]
    asked: dict[tuple[str, int], list[int]] = {}
    for number, seed in seeds.items():
        for round, kind in record.entrants[number].byes.items():
            asked.setdefault((LETTERS[kind], round), []).append(seed)
    for (letter, round), who in sorted(asked.items()):
        found.append(f"240 {letter} {round:03} {' '.join(f'{seed:04}' for seed in sorted(who))}")
    if settings.accelerated:
        found += _acceleration(record, len(seeds))
    for one, other in sorted(record.forbidden):
        if one in seeds and other in seeds:
            found.append(f"260 001 {settings.rounds:03} {seeds[one]:04} {seeds[other]:04}")
    return found


def _acceleration(record: Record, count: int) -> list[str]:
    half = 2 * -(-count // 4)
    accelerated = -(-record.settings.rounds // 2)
    full = -(-accelerated // 2)
    win, draw = _tenths(record.settings.points.win), _tenths(record.settings.points.draw)
    found = [f"250  0.0 {win:>4} 001 {full:03} 0001 {half:04}"]
    if full < accelerated:
        found.append(f"250  0.0 {draw:>4} {full + 1:03} {accelerated:03} 0001 {half:04}")
    return found


def _player(record: Record, seeds: dict[int, int], number: int, own: tuple[Line, ...], rank: int) -> str:
    entrant = record.entrants[number]
    points = sum(line.points for line in own)
    name = entrant.name.encode("ascii", "replace").decode()[:33]
    line = (
        f"001 {seeds[number]:>4} {'':1}{'':3} {name:<33} {entrant.rating or '':>4} {'':3} {'':>11} {'':10} "
        f"{_tenths(points):>4} {rank:>4}"
    )
    return line + "".join(_cell(seeds, line_) for line_ in own)


def _cell(seeds: dict[int, int], line: Line) -> str:
    if line.bye is not None or not line.opponents:
        return f"  0000 - {LETTERS[line.bye or 'zero']}"
    opponent = seeds.get(line.opponents[0], 0)
    side = "w" if line.side == 0 else "b"
    if line.kind == "open":
        return f"  {opponent:>4} {side}  "
    if line.kind in ("forfeit", "double_loss"):
        return f"  {opponent:>4} {side} {'+' if line.verdict == 'won' else '-'}"
    letter = {"won": "1", "drawn": "=", "lost": "0"}[line.verdict or "lost"]
    return f"  {opponent:>4} {side} {letter}"


def _tenths(points: int) -> str:
    return f"{points // 10}.{points % 10}"


# Reading -----------------------------------------------------------------------------------------------------


def read(content: bytes) -> Trf:
    """Read a report file. Unreadable lines are listed as mistakes; everything else is returned."""
    text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    reader = _Reader()
    for at, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("###"):
            reader.line(at, line.rstrip())
    return reader.finish()


class _Reader:
    def __init__(self) -> None:
        self.name, self.rounds, self.first_side = "", 0, 0
        self.players: list[TrfPlayer] = []
        self.forbidden: list[tuple[int, int]] = []
        self.absences: list[tuple[int, int, ByeKind]] = []
        self.mistakes: list[Mistake] = []

    def line(self, at: int, line: str) -> None:
        code, rest = line[:3], line[4:].strip()
        try:
            if code == "001":
                self.players.append(_read_player(at, line))
            elif code == "012":
                self.name = rest
            elif code in ("142", "XXR"):
                self.rounds = int(rest)
            elif code in ("152", "XXC"):
                self.first_side = 1 if rest.lower() in ("b", "black1", "black") else 0
            elif code == "240":
                letter, round, *who = rest.split()
                self.absences += [(int(round), int(number), BYES[letter]) for number in who]
            elif code in ("260", "XXP"):
                self._forbidden([int(word) for word in rest.split()][2 if code == "260" else 0 :])
        except (ValueError, KeyError) as problem:
            self.mistakes.append(Mistake(at, f"line {code}", f"{line[:40]!r} cannot be read: {problem}"))

    def _forbidden(self, numbers: list[int]) -> None:
        self.forbidden += [
            (one, other) for place, one in enumerate(numbers) for other in numbers[place + 1 :] if one != other
        ]

    def finish(self) -> Trf:
        self.mistakes += _contradictions(self.players)
        if not self.players:
            self.mistakes.append(Mistake(0, "no players", "the file has no line 001"))
        rounds = self.rounds or max((len(player.cells) for player in self.players), default=0)
        return Trf(
            self.name,
            rounds,
            tuple(self.players),
            tuple(self.forbidden),
            tuple(self.absences),
            self.first_side,
            tuple(self.mistakes),
        )


def _read_player(at: int, line: str) -> TrfPlayer:
    padded = line.ljust(91)
    cells = [_read_cell(line[start : start + 8]) for start in range(91, len(line), 10)]
    return TrfPlayer(
        int(padded[4:8]),
        padded[14:47].strip(),
        int(padded[48:52].strip() or 0),
        _read_tenths(padded[80:84].strip() or "0"),
        int(padded[85:89].strip() or 0),
        tuple(cells),
        at,
    )


def _read_cell(text: str) -> Cell:
    padded = text.ljust(8)
    opponent = int(padded[:4].strip() or 0)
    side = {"w": 0, "b": 1}.get(padded[5].lower())
    letter = padded[7].upper().strip() or ("Z" if not opponent else "")
    if letter and letter not in VERDICTS and letter not in BYES:
        raise ValueError(f"{letter!r} is not a result")
    return Cell(opponent, side, letter)


def _read_tenths(text: str) -> int:
    whole, _, rest = text.replace(",", ".").partition(".")
    return 10 * int(whole or 0) + int((rest or "0")[:1])


def _contradictions(players: list[TrfPlayer]) -> Iterator[Mistake]:
    """Yield the cells that contradict those of the opponent."""
    by_number = {player.number: player for player in players}
    for player in players:
        if by_number[player.number] is not player:
            yield Mistake(player.line, "number twice", f"starting number {player.number} appears twice")
        for round, cell in enumerate(player.cells, 1):
            if not cell.opponent:
                continue
            other = by_number.get(cell.opponent)
            if other is None:
                what = f"round {round}: there is no player {cell.opponent}"
                yield Mistake(player.line, "unknown opponent", what)
            elif round > len(other.cells) or other.cells[round - 1].opponent != player.number:
                what = f"round {round}: player {cell.opponent} does not name player {player.number}"
                yield Mistake(player.line, "one-sided", what)
