"""Bot matches in memory: what the rules do in bulk, and how often a person would have to wait.

Nothing is stored. `soak` does the same through a real house, with restarts, and checks what it kept.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import msgspec

from pbem.engine.bots import Bot, random_bot
from pbem.engine.dice import Dice
from pbem.engine.resolve import Mind, always_asked, as_the_rules_say, by_minds, resolve
from pbem.engine.run import Run
from pbem.engine.title import Rules, Submission, Title
from pbem.matches import accounts, acts, deadlines, desk
from pbem.matches.export import export, read_export
from pbem.matches.house import House
from pbem.matches.position import replay
from pbem.matches.verify import verify_export

MOST_EXCHANGES = 2000
"""A match of bots that has not ended by then never will."""


class Played(msgspec.Struct, frozen=True):
    """How a match went. `waits` counts, for each turn, the exchanges in which somebody was waited for."""

    winner: str | None
    rule: str
    why: str
    turns: int
    exchanges: int
    waits: list[int]
    flaws: list[str]


def play(
    title: Title, scenario: str, seed: object, *, options: Mapping[str, Any] | None = None, reactions: str = "plan"
) -> Played:
    """One match of bots, each answering from its own view."""
    rules = title.rules(title.freeze(scenario, options or {}))
    run = Run(rules, rules.setup(tuple(title.switches)))
    bots = {seat: bot_of(rules, f"{seed}/{seat}") for seat in rules.seats}
    waits: Counter[int] = Counter()
    plans: dict[str, dict[str, Any]] = {}
    given: dict[str, Submission] = {}
    exchange, flaws = 1, list[str]()
    while exchange <= MOST_EXCHANGES:
        turn = run.state.turn
        minds = {seat: Mind(plans.get(seat, {})) for seat in rules.seats}
        answers = {seat: submission.answer for seat, submission in given.items()}
        asked = always_asked if reactions == "ask" else as_the_rules_say
        resolve(run, answers, dice(seed, exchange), by_minds(minds), asked)
        flaws += rules.flaws(run.state)
        if run.over:
            break
        exchange += 1
        waits[run.state.turn] += 1
        given = {ask.seat: checked(rules, run, bots[ask.seat], ask.seat) for ask in run.asks}
        if run.state.turn != turn:
            plans = {}
        plans.update({seat: submission.plan for seat, submission in given.items() if submission.plan})
    outcome = run.state.outcome
    return Played(
        winner=outcome.winner if outcome else None,
        rule=outcome.rule if outcome else "",
        why=outcome.why if outcome else "no end",
        turns=run.state.turn,
        exchanges=exchange,
        waits=[count for _, count in sorted(waits.items())],
        flaws=flaws,
    )


def bot_of(rules: Rules, seed: str) -> Bot:
    own: Callable[[object], Bot] = getattr(rules, "bot", random_bot)
    return own(seed)


def checked(rules: Rules, run: Run, bot: Bot, seat: str) -> Submission:
    """What the bot decides, through the same checks as a player's orders."""
    ask, view = run.ask_of(seat), run.view(seat)
    assert ask is not None
    said = bot(rules, view, ask)
    return Submission(rules.check(view, ask, said.answer), rules.check_plan(view, ask, said.plan))


def dice(seed: object, exchange: int) -> Dice:
    shown, secret = (hashlib.sha256(f"{seed}/{exchange}/{what}".encode()).digest() for what in ("open", "secret"))
    return Dice(shown, secret, f"{seed}/{exchange}")


# Many matches ------------------------------------------------------------------------------------------------


def summary(played: list[Played]) -> dict[str, Any]:
    """Results, lengths, and how many exchanges of a turn make a person wait."""
    waits = sorted(count for match in played for count in match.waits)
    return {
        "matches": len(played),
        "won": dict(sorted(Counter(match.winner or "draw" for match in played).items())),
        "ended_by": dict(sorted(Counter(match.rule or "no end" for match in played).items())),
        "turns_median": median(match.turns for match in played),
        "exchanges_median": median(match.exchanges for match in played),
        "waits_per_turn": {"median": median(waits), "p90": ninetieth(waits), "most": max(waits)},
        "flaws": sum(len(match.flaws) for match in played),
    }


def ninetieth(values: list[int]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]


def simulate(
    title: Title, scenario: str, matches: int, seed: object, progress: Callable[[str], None], **more: Any
) -> dict[str, Any]:
    played = []
    for number in range(1, matches + 1):
        played.append(play(title, scenario, f"{seed}/{number}", **more))
        progress(f"{number} of {matches} matches played")
    return {"title": title.name, "scenario": scenario, "seed": str(seed), **summary(played)}


# Soaking -----------------------------------------------------------------------------------------------------


def soak(
    titles: Mapping[str, Title], title: str, scenario: str, matches: int, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Bot matches through a real house that is closed and opened again after every tick; then all is checked."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pbem.db"
        house = desk.open_house(path, titles)
        started = [bot_match(house, title, scenario) for _ in range(matches)]
        restarts = 0
        while (left := going_on(house, started)) and restarts < MOST_EXCHANGES:
            progress(f"{len(left)} of {matches} matches still running")
            desk.tick(house, deadlines.now(house))
            house.close()
            house = desk.open_house(path, titles)
            desk.recover(house)
            restarts += 1
        try:
            return {"matches": matches, "restarts": restarts, **checks(house, started)}
        finally:
            house.close()


def bot_match(house: House, title: str, scenario: str) -> str:
    """A match in which every window asks: as many exchanges as there can be."""
    match = desk.new_match(house, title, scenario, reactions="ask")
    bot = accounts.open_bot(house, title)
    for seat in acts.read(house, match).seats:
        desk.take_seat(house, match, seat, bot.id)
    return match


def going_on(house: House, matches: list[str]) -> list[str]:
    records = {match: acts.read(house, match) for match in matches}
    return [match for match, record in records.items() if not record.ended and not record.halted]


def checks(house: House, matches: list[str]) -> dict[str, Any]:
    records = [acts.read(house, match) for match in matches]
    problems: list[str] = []
    for match in matches:
        replay(house, match)
        report = verify_export(read_export(export(house, match, "public")), house.titles)
        problems += [f"{match}: {problem}" for problem in report.problems]
    return {
        "over": sum(record.ended is not None for record in records),
        "halted": sum(record.halted is not None for record in records),
        "events": sum(record.version for record in records),
        "problems": problems,
    }
