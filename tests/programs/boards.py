"""Boards: 200 bot matches, replayed with their recorded orders and dice, give the same board after each turn.

    cd tests
    python -m programs.boards                   play and write the groups whose files are missing
    python -m programs.boards --check [WHICH]   replay all matches, or those whose names begin with WHICH
    python -m programs.boards --accept [WHICH]  record those that differ again, with the same orders and dice

A recorded match holds its options, the orders of each exchange as the lines that a player would send, the board that
the first ask of each turn finds, and the board at the end. Dice are a plain sequence for each exchange: the n-th roll
is the n-th number, whatever rule it is rolled for. So a rule may get another number, a module another name and a
state another layout (`board_adapters`), and the boards still agree.

Half of these matches have no like among the golden exports: random set-ups, optional rules, rules left out. Matches
of large scenarios end after one to five turns (`GROUPS`). The test command replays some of each (`everyday`); run
`--check` before and after you move rules.

When a corrected rule changes boards, look at the output of `--check`, accept it, and name the rule in the changelog.
"""

from __future__ import annotations

import hashlib
import lzma
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from support.board_adapters import BOARDS, Board

from pbem.engine.play.bots import Bot, Choice
from pbem.engine.play.dice import Dice
from pbem.engine.play.resolve import Mind, always_asked, as_the_rules_say, by_minds, name_of, resolve
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Rules, Submission
from pbem.titles.registry import TITLES

FOLDER = Path(__file__).parents[1] / "golden" / "boards"
WAITS = {"plan": as_the_rules_say, "ask": always_asked}
MOST_EXCHANGES = 600
"""The limit on the exchanges of a match; no recorded match reaches it."""
SHOWN = 12
"""How many differences of the first differing turn are shown."""

Lines: TypeAlias = str | dict[str, Any]
"""The lines of an order, or its answer and plan as data where the lines cannot be read back."""


# Choosing the matches ----------------------------------------------------------------------------------------


class Group(msgspec.Struct, frozen=True):
    """A group of matches stored in one file; `turns` limits matches played by plans, and `asked` limits those that
    ask at every reaction."""

    title: str
    scenario: str
    matches: int
    turns: int = 99
    asked: int = 3
    varied: bool = False
    large: bool = False

    @property
    def name(self) -> str:
        return f"{self.title}-{'skirmish-' if self.varied else ''}{self.scenario}"

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.json.xz"


GROUPS = (
    Group("panzer", "duel", 32, asked=99),
    Group("panzer", "crossroads", 12),
    Group("panzer", "battalion", 6, turns=2, asked=1, large=True),
    Group("panzer", "desert", 16),
    Group("panzer", "collision", 8, turns=4, asked=2, large=True),
    Group("panzer", "darkness", 8, turns=4, asked=2, large=True),
    Group("panzer", "delay", 8, turns=5, asked=3, large=True),
    Group("panzer", "breach", 8, turns=4, asked=2, large=True),
    Group("panzer", "combined", 6, turns=1, asked=1, large=True),
    Group("panzer", "desert", 20, turns=4, varied=True),
    Group("panzer", "collision", 12, varied=True),
    Group("panzer", "darkness", 12, varied=True),
    Group("panzer", "breach", 12, varied=True),
    Group("tanks", "bridgehead", 10),
    Group("tanks", "crossroads", 10),
    Group("tanks", "village", 10),
    Group("tanks", "open-battle", 10),
)

PAIRS = (("steady", "curious"), ("reckless", "steady"), ("steady", "steady"), ("curious", "reckless"))
"""The kinds of bots that play each other; a title without curious bots takes reckless ones."""


class Match(msgspec.Struct, omit_defaults=True):
    """One recorded match; `setup` is its scenario if that was drawn at random."""

    name: str
    title: str
    scenario: str
    options: dict[str, Any]
    reactions: str
    turns: int
    setup: str = ""
    orders: list[dict[str, tuple[str, Lines]]] = []
    """For each exchange and seat: what was asked and what was ordered."""
    rolls: list[int] = []
    """How many dice each exchange needed: a hint where to look, not a part of the comparison."""
    boards: list[tuple[int, Board]] = []
    """The boards, each with the exchange before which it was seen."""

    def rules(self) -> Rules:
        blobs = TITLES[self.title].freeze(self.scenario, self.options)
        return TITLES[self.title].rules({**blobs, "scenario": self.setup.encode()} if self.setup else blobs)


def names() -> list[str]:
    return [f"{group.name}/{number}" for group in GROUPS for number in range(group.matches)]


def everyday() -> list[str]:
    """Return the matches that the test command replays: two in five of the small scenarios and one in
    five of the large ones."""
    return [
        f"{group.name}/{number}"
        for group in GROUPS
        for number in range(group.matches)
        if number % 5 < (1 if group.large else 2)
    ]


def planned(group: Group, number: int, attempt: int = 0) -> Match:
    """Return a match that has not been played yet, with rotating options; one match in three asks at
    every reaction."""
    title, chance = TITLES[group.title], Choice("boards", group.name, number, attempt)
    asks = number // 2 % 3 == 2
    if group.title == "tanks":
        options: dict[str, Any] = {"pace": ("forms", "tank")[number % 2]}
    else:
        options = {"edition": ("2024", "2016")[number % 2]}
        if group.varied or number % 5 == 4:
            options |= title.any_choice(group.scenario, options, chance)  # type: ignore[attr-defined]
    setup = b""
    if group.varied:
        setup = title.vary(title.freeze(group.scenario, options), chance)["scenario"]  # type: ignore[attr-defined]
    return Match(
        name=f"{group.name}/{number}",
        title=group.title,
        scenario=group.scenario,
        options=options,
        reactions="ask" if asks else "plan",
        turns=group.asked if asks else group.turns,
        setup=setup.decode(),
    )


# Playing -----------------------------------------------------------------------------------------------------


class InOrder(Dice):
    """Dice without names: the n-th roll of an exchange has the n-th number, whatever rule rolls it."""

    def __init__(self, match: str, exchange: int) -> None:
        super().__init__(b"", b"", "")
        self.seed, self.thrown = f"{match}/{exchange}", 0

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        self.thrown += 1
        value = hashlib.sha256(f"{self.seed}/{self.thrown}".encode()).digest()
        return int.from_bytes(value[:8], "big") % sides + 1


Orders: TypeAlias = Callable[[Run, int, Ask], Submission]


def play(match: Match, rules: Rules, orders: Orders) -> Iterator[tuple[int, Board, list[int]]]:
    """Play with these orders; at the start of each turn and at the end, yield the exchange, the board and the dice
    rolled so far."""
    run = Run(rules, rules.setup(tuple(TITLES[match.title].switches)))
    plans: dict[str, dict[str, Any]] = {}
    given: dict[str, Submission] = {}
    thrown: list[int] = []
    turn = None
    while True:
        dice = InOrder(match.name, len(thrown))
        minds = {seat: Mind(plans.get(seat, {})) for seat in rules.seats}
        answers = {seat: submission.answer for seat, submission in given.items()}
        resolve(run, answers, dice, by_minds(minds), WAITS[match.reactions])
        thrown.append(dice.thrown)
        if run.over or run.state.turn != turn:
            turn, plans = run.state.turn, {}
            yield len(thrown), BOARDS[match.title](rules.data, run.state), thrown
        if run.over or turn > match.turns or len(thrown) > MOST_EXCHANGES:
            return
        given = {ask.seat: orders(run, len(thrown), ask) for ask in run.asks}
        for seat, submission in given.items():
            plans[seat] = rules.merge_plan(plans.get(seat, {}), submission.plan)


def record(match: Match) -> Match:
    """Play a match with its recorded orders; where these end or are refused, bots play on.

    Return the match with the orders given and the resulting boards.
    """
    rules, before = match.rules(), match.orders
    players = bots(match, rules)
    match.orders, match.boards = [], []

    def orders(run: Run, exchange: int, ask: Ask) -> Submission:
        asked, lines = before[exchange - 1].get(ask.seat, ("", "")) if exchange <= len(before) else ("", "")
        try:
            submission = ordered(run, ask, lines) if asked == name_of(ask) else None
        except Refusal:
            submission = None
        if submission is None:
            said = players[ask.seat](rules, run.view(ask.seat), ask)
            lines, submission = written(run, ask, checked(run, ask, said))
        if len(match.orders) < exchange:
            match.orders.append({})
        match.orders[-1][ask.seat] = (name_of(ask), lines)
        return submission

    for exchange, board, thrown in play(match, rules, orders):
        match.boards.append((exchange, board))
        match.rolls = thrown
    return match


def bots(match: Match, rules: Rules) -> dict[str, Bot]:
    """Return the bots that play a match; the match's number selects their kinds."""
    known: Mapping[str, Callable[[object], Bot]] = rules.bots  # type: ignore[attr-defined]
    pair = PAIRS[int(match.name.partition("/")[2]) // 2 % len(PAIRS)]
    makers = [known.get(kind, known["reckless"]) for kind in pair]
    return {seat: make(f"{match.name}/{seat}") for seat, make in zip(rules.seats, makers, strict=True)}


def checked(run: Run, ask: Ask, said: Submission) -> Submission:
    """Return the submission as the rules check and seal it."""
    view = run.view(ask.seat)
    return Submission(run.rules.check(view, ask, said.answer), run.rules.check_plan(view, ask, said.plan))


def written(run: Run, ask: Ask, said: Submission) -> tuple[Lines, Submission]:
    """Return the orders as lines and as read back from them, or as data if the lines would not mean the same."""
    lines = run.rules.restate(ask, said)  # type: ignore[attr-defined]
    try:
        meant = ordered(run, ask, lines)
    except Refusal:
        meant = None
    if meant and meant.answer == said.answer:
        return lines, meant
    data = msgspec.json.decode(msgspec.json.encode(said, order="deterministic"))  # in the order of the file
    return data, ordered(run, ask, data)


def ordered(run: Run, ask: Ask, lines: Lines) -> Submission:
    """Return what recorded orders mean in the current position."""
    if isinstance(lines, dict):
        return checked(run, ask, msgspec.convert(lines, Submission))
    return checked(run, ask, run.rules.read(run.view(ask.seat), ask, lines))


# Comparing ---------------------------------------------------------------------------------------------------


class Different(Exception):
    """Raised when a replayed match differs from its record."""


def check(match: Match) -> None:
    """Replay a match; if it differs from its record, raise `Different` with every difference of the
    first turn that differs."""

    def orders(run: Run, exchange: int, ask: Ask) -> Submission:
        where = f"{match.name}, turn {run.state.turn}, exchange {exchange}"
        recorded = match.orders[exchange - 1] if exchange <= len(match.orders) else {}
        asked, lines = recorded.get(ask.seat, ("nothing", ""))
        if asked != name_of(ask):
            raise Different(f"{where}: the rules ask {ask.seat} for '{name_of(ask)}', the record answers '{asked}'")
        try:
            return ordered(run, ask, lines)
        except Refusal as refusal:
            raise Different(f"{where}: the orders of {ask.seat} are refused: {refusal}\n{lines}") from refusal

    boards = iter(match.boards)
    for exchange, board, thrown in play(match, match.rules(), orders):
        was = next(boards, (exchange, {}))
        if was != (exchange, board):
            raise Different("\n".join(told(match, was, (exchange, board), thrown)))
    if left := next(boards, None):
        raise Different(f"{match.name}: the match is over; the record goes on with turn {left[1]['turn']}")


def told(match: Match, was: tuple[int, Board], now: tuple[int, Board], thrown: list[int]) -> Iterator[str]:
    """Yield a report whose first lines name match and turn; the other lines name the unit, the field
    and both values."""
    begun = was[1].get("turn") == now[1]["turn"] and "outcome" not in now[1]
    yield f"{match.name} ({match.scenario}, {match.options}, {match.reactions}),"
    yield f"board {'when turn' if begun else 'at the end, turn'} {now[1]['turn']}{' begins' if begun else ''}:"
    found = list(differences(was[1], now[1]))
    yield from (f"  {line}" for line in found[:SHOWN])
    if len(found) > SHOWN:
        yield f"  and {len(found) - SHOWN} more"
    if was[0] != now[0]:
        yield f"  reached after exchange {now[0]}, recorded after {was[0]}"
    pairs = zip(match.rolls, thrown, strict=False)
    if odd := next(((number, *pair) for number, pair in enumerate(pairs) if pair[0] != pair[1]), None):
        yield f"  exchange {odd[0]} throws {odd[2]} dice, it threw {odd[1]} when recorded"


def differences(was: Any, now: Any, path: str = "") -> Iterator[str]:
    """Return every difference between two boards."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in sorted({*was, *now}):
            yield from differences(was.get(name), now.get(name), f"{path} {name}".strip())
    elif isinstance(was, list) and isinstance(now, list):
        yield from (f"{path}: no longer {item}" for item in was if item not in now)
        yield from (f"{path}: now {item}" for item in now if item not in was)
        if sorted(map(str, was)) == sorted(map(str, now)) and was != now:
            yield f"{path}: in another order"
    elif was != now:
        yield f"{path}: was {was!r}, is {now!r}"


# Files -------------------------------------------------------------------------------------------------------


@cache
def recorded(group: Group) -> tuple[Match, ...]:
    return tuple(msgspec.json.decode(lzma.decompress(group.file.read_bytes()), type=list[Match]))


def match_of(name: str) -> Match:
    """Return the recorded match with this name."""
    group = next(group for group in GROUPS if group.name == name.partition("/")[0])
    return next(match for match in recorded(group) if match.name == name)


def record_one(group: Group, number: int) -> Match:
    """Record the match with this number; if it never stops asking, draw another one in its place."""
    for attempt in count():
        match = record(planned(group, number, attempt))
        if len(match.orders) < MOST_EXCHANGES:
            break
        print(f"{match.name}: attempt {attempt} has no end", flush=True)
    return match


def write(group: Group, matches: list[Match]) -> None:
    """Write the file that stores a group's matches."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    group.file.write_bytes(lzma.compress(msgspec.json.encode(matches, order="deterministic"), preset=9))
    print(f"{group.name}: {len(matches)} matches, {group.file.stat().st_size} bytes", flush=True)


def main(words: list[str]) -> int:
    if not words:
        for group in GROUPS:
            if not group.file.exists():
                write(group, [record_one(group, number) for number in range(group.matches)])
        return 0
    chosen = [name for name in names() if name.startswith(tuple(words[1:] or [""]))]
    wrong = [name for name in chosen if differs(match_of(name))]
    print(f"{len(chosen) - len(wrong)} of {len(chosen)} matches give the recorded boards")
    if words[0] == "--accept":
        for group in GROUPS:
            if any(match.name in wrong for match in recorded(group)):
                write(group, [record(match) if match.name in wrong else match for match in recorded(group)])
    return 1 if wrong and words[0] == "--check" else 0


def differs(match: Match) -> bool:
    """Replay a match; print how it differs from its record, and return whether it does."""
    try:
        check(match)
    except Different as difference:
        print(difference, flush=True)
        return True
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
