"""Bot matches in memory: their course, how often a person would have to wait, and the winners.

    play       one match
    simulate   many: results and tempo
    versus     the same bot on both sides: one plans everything in advance, the other is asked

Nothing is stored.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from math import sqrt
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any, TypeAlias

import msgspec

from pbem.engine.play.bots import Bot, Choice, own_bot, random_bot
from pbem.engine.play.dice import Dice
from pbem.engine.play.resolve import Mind, Resolution, as_the_rules_say, by_minds, resolve, waits_for
from pbem.engine.play.run import Mark, Run
from pbem.engine.rules.ask import GRADES, Answer, Ask, Grade
from pbem.engine.rules.findings import PUBLIC, Finding, seen_by
from pbem.engine.rules.state import copy, from_bytes
from pbem.engine.rules.title import Rules, Submission, Title
from pbem.tools.film_checks import Films, Lines, fates

MOST_EXCHANGES = 20_000
"""The most exchanges of a bot match; one that has not ended by then never will."""

QUESTIONS = 3
"""How many questions a curious seat asks after each exchange."""

Progress: TypeAlias = Callable[[str], None]
Waits: TypeAlias = Callable[[Ask], bool]


class Played(msgspec.Struct, frozen=True):
    """The course of a match.

    `waits` counts the exchanges of each turn that waited for a player, and `player_waits` those of each player turn
    (of each turn in a title without player turns). `mails` counts, for each turn and seat, the exchanges that waited
    for this seat, and `set_up` the exchanges before the first turn.
    """

    winner: str | None
    rule: str
    why: str
    turns: int
    exchanges: int
    set_up: int
    waits: list[int]
    mails: list[int]
    asks: dict[str, int]
    rules: list[str]
    flaws: list[str]
    player_waits: list[int] = []

    @property
    def ended(self) -> bool:
        return bool(self.rule)


class Playing:
    """A match in progress, with its counts."""

    def __init__(
        self, rules: Rules, switches: tuple[str, ...], seed: object, waits_for: Waits, *, curious: bool = False
    ) -> None:
        self.rules, self.seed, self.waits_for = rules, seed, waits_for
        self.curious = rules.seats if curious else ()
        self.run = Run(rules, rules.setup(switches))
        self.exchange, self.period = 0, ""
        self.plans: dict[str, dict[str, Any]] = {}
        self.used: dict[str, Counter[str]] = {}
        self.waits: Counter[int] = Counter()
        self.player_waits: Counter[str] = Counter()
        self.mails: Counter[tuple[int, str]] = Counter()
        self.asks: Counter[str] = Counter()
        self.cited: set[str] = set()
        self.flaws: list[str] = []
        self.untold: dict[str, set[str]] = {}
        self.films = Films(rules)
        self.lines = {seat: Lines(rules, seat) for seat in self.curious}

    def go_on(self, given: Mapping[str, Submission]) -> None:
        """Resolve with the given answers, until the next ask for a player, and check what happened."""
        asks, before = self.run.asks, self.known()
        resolution, marks = self.resolved(given)
        self.count(resolution, marks)
        if before:
            after = self.known()
            self.flaws += self.films.flaws(before, after, resolution.findings, between_turns=self.between_turns)
            self.follow(asks, {seat: submission.answer for seat, submission in given.items()}, resolution)
            self.follow_lines({ask.seat: ask for ask in asks}, given, (before, after), resolution)

    def resolved(self, given: Mapping[str, Submission]) -> tuple[Resolution, list[Mark]]:
        """Resolve with the given answers, until the next ask for a player; return the result and the marks set."""
        self.exchange += 1
        minds = {
            seat: Mind(self.plans.get(seat, {}), used=dict(self.used.get(seat, {}))) for seat in self.rules.seats
        }
        answers = {seat: submission.answer for seat, submission in given.items()}
        thrown = dice(self.seed, self.exchange)
        marks: list[Mark] = []
        resolution = resolve(
            self.run,
            answers,
            thrown,
            by_minds(minds),
            self.waits_for,
            on_mark=marks.append,
            told=bool(self.curious),
            marked=bool(self.curious),
        )
        for seat, reply in (answer for replies in resolution.autos for answer in replies.items()):
            self.used.setdefault(seat, Counter())[reply.clause] += bool(reply.clause)
        return resolution, marks

    def follow(self, asks: Sequence[Ask], answers: Mapping[str, Answer], resolution: Resolution) -> None:
        """Track the units that were ordered until their fate is reported, at the latest in the same turn."""
        for ask in asks:
            self.untold.setdefault(ask.seat, set()).update(self.rules.ordered_units(ask, answers[ask.seat]))
        for seat, units in self.untold.items():
            units -= fates(seen_by(resolution.findings, seat))
            if self.between_turns:
                self.flaws += [f"the order of {unit} has no fate" for unit in sorted(units)]
                units.clear()

    def follow_lines(
        self,
        asks: Mapping[str, Ask],
        given: Mapping[str, Submission],
        views: Sequence[Mapping[str, Any]],
        resolution: Resolution,
    ) -> None:
        """Check at the end of a turn that the summary reports the fate of every line."""
        for seat, lines in self.lines.items():
            lines.take(asks.get(seat), given.get(seat), [known[seat] for known in views], resolution.findings)
            if self.between_turns:
                self.flaws += lines.flaws()

    @property
    def between_turns(self) -> bool:
        """Whether a turn or the match has just ended."""
        return self.run.over or self.rules.plan_period(self.run.state) != self.period

    def known(self) -> dict[str, Any]:
        """Every viewer's present knowledge, for titles with checked replays."""
        if not (self.curious and self.rules.tells_happenings):
            return {}
        state = copy(self.run.state)
        return {viewer: self.rules.view(state, viewer) for viewer in (*self.curious, PUBLIC)}

    def count(self, resolution: Resolution, marks: Sequence[Mark]) -> None:
        self.asks.update(reply.ask.split()[0] for replies in resolution.autos for reply in replies.values())
        self.asks.update(ask.kind for ask in self.run.asks)
        self.cited.update(rule for finding in every(resolution.findings) for rule in cited_rules(finding))
        self.cited.update(
            rule for seat in self.curious for found in every(self.questions(seat)) for rule in cited_rules(found)
        )
        self.flaws += self.rules.find_unexplained(resolution.findings)
        states = (from_bytes(mark.state, self.rules.state_type) for mark in marks)
        self.flaws += [flaw for state in (*states, self.run.state) for flaw in self.rules.flaws(state)]
        if self.run.asks:
            turn = self.present_turn()
            self.waits[turn] += 1
            self.player_waits[self.rules.plan_period(self.run.state)] += bool(turn)
            self.mails.update((turn, ask.seat) for ask in self.run.asks)

    def present_turn(self) -> int:
        """The current turn; 0 before the first one, or while the match is still being set up."""
        return 0 if self.rules.in_preparation(self.run.state) else int(self.run.state.turn)

    def questions(self, seat: str) -> Iterator[Finding]:
        """The questions that the seat could ask now: judgements that its players can request at any time."""
        for number in range(QUESTIONS):
            choice = Choice(self.seed, self.exchange, seat, number)
            yield from self.rules.questions(self.run.view(seat), seat, choice)

    def answered(self, bots: Mapping[str, Bot]) -> dict[str, Submission]:
        """The bots' answers to the open asks; a plan applies to the turn in which it was made."""
        given = {ask.seat: checked_decision(self.rules, self.run, bots[ask.seat], ask.seat) for ask in self.run.asks}
        if (period := self.rules.plan_period(self.run.state)) != self.period:
            self.period, self.plans, self.used = period, {}, {}
        for seat, submission in given.items():
            if submission.plan:
                self.plans[seat] = self.rules.merge_plan(self.plans.get(seat, {}), submission.plan)
        return given

    def result(self) -> Played:
        outcome = self.run.state.outcome
        return Played(
            winner=outcome.winner if outcome else None,
            rule=outcome.rule if outcome else "",
            why=outcome.why if outcome else "no end",
            turns=self.run.state.turn,
            exchanges=self.exchange,
            set_up=self.waits[0],
            waits=[count for turn, count in sorted(self.waits.items()) if turn],
            mails=[count for (turn, _), count in sorted(self.mails.items()) if turn],
            asks=dict(sorted(self.asks.items())),
            rules=sorted(self.cited),
            flaws=self.flaws,
            player_waits=[count for count in self.player_waits.values() if count],
        )


def play(
    title: Title,
    scenario: str,
    seed: object,
    *,
    options: Mapping[str, Any] | None = None,
    waits_for: Waits = as_the_rules_say,
    bots: Mapping[str, str] | None = None,
    curious: bool = False,
    varied: bool = False,
    handicap: str = "",
) -> Played:
    """One match of bots, each answering from its own view.

    `bots` names the kind of bot in each seat; `curious` ones ask about the situation after each exchange. A `varied`
    match changes the set-up at random, if the title can; the bots change seats in order.
    """
    blobs = title.freeze_with(scenario, options or {}, handicap)
    rules = title.rules(title.vary(blobs, Choice(seed, "set-up")) if varied else blobs)
    kinds = bots_of(rules)
    in_order = dict(zip(rules.seats, cycle((bots or {}).values()), strict=False))
    named = {**in_order, **(bots or {})}
    makers = {seat: kinds[named[seat]] if bots else own_bot(rules) for seat in rules.seats}
    players = {seat: make(f"{seed}/{seat}") for seat, make in makers.items()}
    match = Playing(rules, tuple(title.switches), seed, waits_for, curious=curious)
    match.go_on({})
    while not match.run.over and match.exchange < MOST_EXCHANGES:
        match.go_on(match.answered(players))
    return match.result()


def bots_of(rules: Rules) -> dict[str, Callable[[object], Bot]]:
    """The kinds of bots that can play a title: its own, and one that picks random legal orders."""
    return {**(rules.bots or {"own": own_bot(rules)}), "random": random_bot}


def checked_decision(rules: Rules, run: Run, bot: Bot, seat: str) -> Submission:
    """The bot's decision, after the same checks as a player's orders."""
    ask, view = run.ask_of(seat), run.view(seat)
    assert ask is not None
    said = bot(rules, view, ask)
    return Submission(rules.check(view, ask, said.answer), rules.check_plan(view, ask, said.plan))


def dice(seed: object, exchange: int) -> Dice:
    shown, secret = (hashlib.sha256(f"{seed}/{exchange}/{what}".encode()).digest() for what in ("open", "secret"))
    return Dice(shown, secret, f"{seed}/{exchange}")


def every(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings and all their descendants."""
    for finding in findings:
        yield finding
        yield from every(finding.children)


def cited_rules(finding: Finding) -> Iterator[str]:
    """The rule of a finding, the rules of its modifiers, and those of the factors of each share in it."""
    yield finding.rule
    yield from (row["rule"] for row in finding.modifiers if "rule" in row)
    shares = finding.inputs.get("shares")
    for share in shares.values() if isinstance(shares, dict) else ():
        yield from share.get("rules", ()) if isinstance(share, dict) else ()


# Many matches ------------------------------------------------------------------------------------------------


def simulate(
    title: Title,
    scenario: str,
    matches: int,
    seed: object,
    progress: Progress,
    *,
    reactions: str = "plan",
    options: Mapping[str, Any] | None = None,
    handicap: str = "",
    kept: Path | None = None,
) -> dict[str, Any]:
    """Results, lengths and tempo of many matches between the title's own bots.

    The matches are kept in a file, if one is named; a run that finds it plays only the missing ones.
    """
    played = earlier_matches(kept)[:matches]
    waits = waits_for(title.rules(title.freeze(scenario, {})).modes[reactions])
    for number in range(len(played) + 1, matches + 1):
        match = play(title, scenario, f"{seed}/{number}", options=options, waits_for=waits, handicap=handicap)
        played.append(match)
        if kept is not None:
            with kept.open("ab") as file:
                file.write(msgspec.json.encode(played[-1]) + b"\n")
        progress(f"{number} of {matches} matches played")
    return {"title": title.name, "scenario": scenario, "seed": str(seed), **summary(played)}


def earlier_matches(kept: Path | None) -> list[Played]:
    """Read the matches of an earlier run; a last line that was cut off is dropped."""
    if kept is None or not kept.exists():
        return []
    whole, _, _ = kept.read_bytes().rpartition(b"\n")
    kept.write_bytes(whole + b"\n" if whole else b"")
    return [msgspec.json.decode(line, type=Played) for line in whole.splitlines()]


def write_card(file: Path, scenario: str, matches: int, won: Mapping[str, int]) -> None:
    """Enter results in a balance file: the first two lines of the scenario's table; everything else stays."""
    head, found, rest = file.read_text("utf-8").partition(f"\n[{scenario}]\n")
    if not found:
        raise LookupError(scenario)
    seats = tomllib.loads(f"{found}{rest}")[scenario]["won"]
    shares = ", ".join(f"{seat} = {won.get(seat, 0)}" for seat in seats)
    _, _, after = rest.split("\n", 2)
    file.write_text(f"{head}{found}matches = {matches}\nwon = {{{shares}}}\n{after}", "utf-8")


def summary(played: list[Played]) -> dict[str, Any]:
    return {
        "matches": len(played),
        "won": dict(sorted(Counter(match.winner or "draw" for match in played).items())),
        "ended_by": dict(sorted(Counter(match.rule or "no end" for match in played).items())),
        "turns_median": median(match.turns for match in played),
        "exchanges_median": median(match.exchanges for match in played),
        "set_up": spread([match.set_up for match in played]),
        "waits_per_turn": spread([count for match in played for count in match.waits]),
        "waits_per_player_turn": spread([count for match in played for count in match.player_waits or match.waits]),
        "mails_per_player_and_turn": mails([count for match in played for count in match.mails]),
        "flaws": sum(len(match.flaws) for match in played),
    }


def spread(counts: list[int]) -> dict[str, float]:
    return {"median": median(counts), "p90": ninetieth(counts), "most": max(counts)}


def mails(counts: list[int]) -> dict[str, Any]:
    """Emails per player and turn: the first ask is for the orders, and all others are additional."""
    beyond = [count - 1 for count in counts]
    return {"main": 1, "beyond": {"mean": round(fmean(beyond), 2), **spread(beyond)}}


def ninetieth(values: list[int]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]


# Strength ----------------------------------------------------------------------------------------------------


def versus(
    title: Title,
    scenario: str,
    matches: int,
    seed: object,
    progress: Progress,
    *,
    reactions: str = "ask",
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Play the same bot on both sides: one plans everything ahead, the other is asked as the mode says.

    The sides are swapped from match to match, under the same seed. On a side with several seats, all are asked.
    """
    rules = title.rules(title.freeze(scenario, options or {}))
    sides = list(dict.fromkeys(rules.sides[seat] for seat in rules.seats))
    points: list[float] = []
    played = []
    for number in range(matches):
        asked = sides[number % len(sides)]
        seats = [seat for seat in rules.seats if rules.sides[seat] == asked]
        how = asked_of(*seats, grades=rules.modes[reactions])
        match = play(title, scenario, f"{seed}/{number // len(sides)}", options=options, waits_for=how)
        points.append(0.5 if match.winner is None else float(match.winner not in (asked, *seats)))
        played.append(match)
        progress(f"{number + 1} of {matches} matches played, doctrine has {sum(points):g} points")
    return {
        "title": title.name,
        "scenario": scenario,
        "seed": str(seed),
        "doctrine": {
            "won": points.count(1),
            "drawn": points.count(0.5),
            "lost": points.count(0),
            "share": round(fmean(points), 3),
            "interval_95": [round(bound, 3) for bound in wilson(sum(points), matches)],
        },
        **summary(played),
    }


def asked_of(*seats: str, grades: frozenset[Grade] = GRADES) -> Waits:
    """Return when to wait: for these seats at asks of these grades, and for others where the rules always wait."""
    return lambda ask: ask.grade == "order" or (ask.seat in seats and ask.grade in grades)


def wilson(points: float, matches: int) -> tuple[float, float]:
    """The interval that contains the true share in 95 of 100 cases (Wilson's score)."""
    z, share = 1.96, points / matches
    middle = share + z * z / (2 * matches)
    half = z * sqrt(share * (1 - share) / matches + z * z / (4 * matches * matches))
    return (middle - half) / (1 + z * z / matches), (middle + half) / (1 + z * z / matches)
