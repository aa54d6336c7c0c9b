"""Campaigns played by bots without a server, for balance and for tests.

play            plays one campaign from a seed, by bots, with battles resolved by `fast` or `real`
fast            decides a battle by the strength of both sides and two dice
real            plays a battle as a match of its title, by the title's own bot
ending, tally   play many campaigns and count how often each side wins, with an interval
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from pbem.campaigns.battles import battle_data, report_from
from pbem.campaigns.rules.file import DRAW
from pbem.campaigns.rules.state import Call, CampaignState, Report
from pbem.campaigns.rules.title import CampaignRules
from pbem.engine.play import resolve as engine
from pbem.engine.play.bots import own_bot
from pbem.engine.play.choice import Choice
from pbem.engine.play.dice import Dice
from pbem.engine.play.resolve import Mind, by_minds
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Awaited
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.title import Rules, Title

Resolver: TypeAlias = Callable[[CampaignRules, CampaignState, str, Call, str], Report]


def dice_from(*seed: object) -> Dice:
    """Return throw-away dice made from a seed."""
    rungs = [hashlib.sha256(f"{what}|{seed}".encode()).digest() for what in ("open", "secret")]
    return Dice(rungs[0], rungs[1], "simulated")


class Played(msgspec.Struct):
    """A campaign that has been played: its rules, its last state, its findings, and the reports of its battles."""

    rules: CampaignRules
    state: CampaignState
    findings: list[Finding]
    reports: dict[str, Report]
    exchanges: int


def play(
    rules: CampaignRules,
    seed: str,
    resolver: Resolver,
    *,
    bots: Mapping[str, Any] | None = None,
    look: Callable[[Run], None] | None = None,
) -> Played:
    """Play one campaign with bots."""
    run, number = Run(rules, rules.setup(())), 0
    findings = list(engine.resolve(run, {}, dice_from(seed, 0), by_minds({})).findings)
    reports: dict[str, Report] = {}
    while run.asks:
        number += 1
        answers: dict[str, Any] = {}
        for ask in run.asks:
            if isinstance(ask, Awaited):
                call = run.state.battles[ask.subject]
                report = resolver(rules, run.state, ask.subject, call, f"{seed}/{ask.subject}")
                answers[ask.seat], reports[ask.subject] = msgspec.to_builtins(report), report
            else:
                bot = (bots or {}).get(ask.seat, rules.bot)(f"{seed}/{number}/{ask.seat}")
                view = run.view(ask.seat)
                answers[ask.seat] = rules.check(view, ask, bot(rules, view, ask).answer)
        findings += engine.resolve(run, answers, dice_from(seed, number), by_minds({})).findings
        if look is not None:
            look(run)
    return Played(rules, run.state, findings, reports, number)


# --- battles -------------------------------------------------------------------------------------------------


def fast(rules: CampaignRules, state: CampaignState, battle: str, call: Call, seed: str) -> Report:
    """Resolve a battle by strength: the stronger side wins more often, and dice decide the losses of both.

    The value of the ground and of the scenario's own units is in the campaign's file (`advantage`).
    """
    book, choice = rules.data, Choice(seed)
    ground = book.ground(call.place).advantage
    strength = {}
    for side, ids in call.units.items():
        units = [state.sides[side].units[id] for id in ids]
        worth = sum(
            book.cost(side, unit) * (10 + min(unit.experience, 12)) // (10 + 5 * unit.damage) for unit in units
        )
        strength[side] = max(1, worth) * (100 + ground.get(side, 0)) * (6 + choice.below(9))
    winner = max(strength, key=lambda side: (strength[side], side))
    total = sum(strength.values())
    score = {side: 40 * strength[side] // total for side in strength}
    if len(set(score.values())) == 1:
        winner = ""
    fates: dict[str, dict[str, dict[str, int | str]]] = {}
    kills: dict[str, int] = {}
    for side, ids in call.units.items():
        enemy = book.other(side)
        percent = min(70, 20 + 40 * strength[enemy] // total)
        fates[side] = {id: _fate(choice, percent, side == winner) for id in ids}
    for side, ids in call.units.items():
        for row in fates[book.other(side)].values():
            if row["fate"] == "lost":
                by = choice.one_of(ids)
                kills[by] = kills.get(by, 0) + 1
    return Report(winner or None, score, fates, kills)


def _fate(choice: Choice, percent: int, won: bool) -> dict[str, int | str]:
    drawn = choice.below(100)
    if drawn >= percent:
        return {"fate": "fit"}
    if drawn % 3:
        return {"fate": "lost"}
    if drawn % 2:
        return {"fate": "damaged", "damage": 1}
    return {"fate": "damaged", "damage": 2} if won else {"fate": ("captured", "missing")[choice.below(2)]}


def real(titles: Mapping[str, Title]) -> Resolver:
    """Resolve battles as matches of their title, played by its own bot on both sides."""

    def resolve(rules: CampaignRules, state: CampaignState, battle: str, call: Call, seed: str) -> Report:
        title = titles[rules.data.campaign.title]
        bound = title.rules(battle_data(title, rules.data, state, call))
        run, findings = play_match(bound, seed, title.switches)
        return report_from(bound, run.state, findings)

    return resolve


def play_match(rules: Rules, seed: str, switches: tuple[str, ...]) -> tuple[Run, list[Finding]]:
    """Play a match of any title with its own bots, without a server."""
    run, number = Run(rules, rules.setup(switches)), 0
    findings = list(engine.resolve(run, {}, dice_from(seed, 0), by_minds({})).findings)
    while run.asks:
        number += 1
        answers, minds = {}, {}
        for ask in run.asks:
            view = run.view(ask.seat)
            said = own_bot(rules)(f"{seed}/{number}/{ask.seat}")(rules, view, ask)
            answers[ask.seat], minds[ask.seat] = rules.check(view, ask, said.answer), Mind(said.plan)
        findings += engine.resolve(run, answers, dice_from(seed, number), by_minds(minds)).findings
    return run, findings


# --- balance -------------------------------------------------------------------------------------------------


class Ending(msgspec.Struct, omit_defaults=True):
    """How one simulated campaign ended: its winner, who won each battle and where, and the units that were left."""

    winner: str | None
    battles: list[tuple[str, str | None]]
    left: dict[str, int]


class Balance(msgspec.Struct):
    """How often each side won campaigns and battles, and how many units it had left."""

    wins: dict[str, int]
    draws: int
    campaigns: int
    battles: int
    battle_wins: dict[str, int]
    places: dict[str, dict[str, int]]
    """Battles won by each side and battles drawn, by place."""
    left: dict[str, int]
    """The average number of units left at the end, in tenths."""

    def interval(self, side: str) -> tuple[int, int]:
        """The 95% Wilson interval of a side's share of decided campaigns, in percent."""
        return wilson(self.wins[side], sum(self.wins.values()))


def wilson(wins: int, games: int) -> tuple[int, int]:
    """The 95% Wilson interval of a share, in percent."""
    if not games:
        return 0, 100
    z, share = 1.96, wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * ((share * (1 - share) / games + z * z / (4 * games * games)) ** 0.5) / (1 + z * z / games)
    return round(100 * (middle - half)), round(100 * (middle + half))


def ending(rules: CampaignRules, resolver: Resolver, seed: str) -> Ending:
    """Play one campaign with bots and return how it ended."""
    places = dict[str, str]()

    def noting(rules: CampaignRules, state: CampaignState, battle: str, call: Call, seed: str) -> Report:
        places[battle] = call.place
        return resolver(rules, state, battle, call, seed)

    played = play(rules, seed, noting)
    outcome = played.state.outcome
    assert outcome is not None
    battles = [(places[battle], report.winner) for battle, report in played.reports.items()]
    return Ending(outcome.winner, battles, {side: len(has.units) for side, has in played.state.sides.items()})


def tally(sides: Iterable[str], endings: Sequence[Ending]) -> Balance:
    """Count how campaigns ended."""
    none = dict.fromkeys(sides, 0)
    found = Balance(dict(none), 0, len(endings), 0, dict(none), {}, dict(none))
    for one in endings:
        if one.winner:
            found.wins[one.winner] += 1
        else:
            found.draws += 1
        found.battles += len(one.battles)
        for place, winner in one.battles:
            found.places.setdefault(place, {**none, DRAW: 0})[winner or DRAW] += 1
            if winner:
                found.battle_wins[winner] += 1
        for side, count in one.left.items():
            found.left[side] += 10 * count
    found.left = {side: total // max(1, len(endings)) for side, total in found.left.items()}
    return found
