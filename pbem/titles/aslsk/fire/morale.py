"""3.2.3 The effects of fire on units: checks, breaking, Pin, casualties, wounds, replacement and the loss of leaders.

    3.2.3/nmc, mc, ptc              judge, morale_check, pin_check
    3.2.3/casualty-reduction        reduce_casualties, wound
    5.1                             replace_by_elr
    3.2.3/llmc, lltc                leader_losses, lose_unit
    3.2.3/check-order               in_check_order, leadership_for

An `Aftermath` collects the effects of one attack so far: checks passed and leaders lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from pbem.engine.rules.happenings import Change, Lose
from pbem.titles.aslsk.chance import Dice, roll_one, roll_two
from pbem.titles.aslsk.fire.modifiers import Modifier, rows, total
from pbem.titles.aslsk.ordnance.hidden import HIT, reveal
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.weapons.possession import drop_all, lose_acquisition

Verdict = Literal["passed", "pinned", "failed", "disaster"]
"""3.2.3/nmc `pinned` is a pass with the highest passing roll, `disaster` an Original 12."""


class LostLeader(msgspec.Struct, frozen=True):
    """3.2.3/llmc A leader who was eliminated or broke, with the leader's values before that."""

    id: str
    seat: str
    at: str
    morale: int
    leadership: int
    eliminated: bool


class Aftermath(msgspec.Struct):
    """The effects of one attack so far: units that passed unharmed, units that still have to check, and leaders
    lost.
    """

    steady: list[str] = []
    waiting: list[str] = []
    lost: list[LostLeader] = []
    before: dict[str, tuple[int, int]] = {}  # morale and leadership of leaders before they were hit
    wounded: list[str] = []  # leaders wounded by this attack, who do not help in its checks
    in_close_combat: bool = False


def judge(dice: Dice, drm: int, morale: int) -> Verdict:
    """3.2.3/nmc Compare a morale check with the morale level; an Original 12 always fails."""
    if dice.total == 12:
        return "disaster"
    final = dice.total + drm
    if final > morale:
        return "failed"
    return "pinned" if final == morale else "passed"


def in_check_order(situation: Situation, units: Iterable[Unit]) -> list[Unit]:
    """3.2.3/check-order The units in the order in which they check: leaders first (by morale, then leadership),
    then the others as stacked.
    """

    def key(unit: Unit) -> tuple[int, int, int]:
        if not situation.is_leader(unit):
            return (1, 0, 0)
        return (0, -situation.morale(unit), situation.leadership(unit))

    return sorted(units, key=key)


def leadership_for(situation: Situation, unit: Unit, aftermath: Aftermath) -> list[Modifier]:
    """3.2.3/check-order The best leadership among the leaders who have passed unharmed or have no check to take."""
    able = [
        leader
        for leader in situation.leaders_with(unit)
        if (leader.id in aftermath.steady or leader.id not in aftermath.waiting)
        and leader.id not in aftermath.wounded
    ]
    best = min((situation.leadership(leader) for leader in able), default=0)
    return [Modifier("3.2.3/nmc", "leadership", best)] if best < 0 else []


def morale_check(
    table: AslskTable, unit: Unit, extra: Sequence[Modifier], aftermath: Aftermath, rule: str = "3.2.3/nmc"
) -> Verdict:
    """3.2.3/nmc, 3.2.3/mc Make a unit take a morale check, and apply the result."""
    situation = table.situation
    modifiers = [*extra, *leadership_for(situation, unit, aftermath)]
    dice = roll_two(table, rule, unit.id)
    verdict = judge(dice, total(modifiers), situation.morale(unit))
    margin = dice.total + total(modifiers) - situation.morale(unit)
    table.find(
        rule,
        inputs={
            "unit": unit.id,
            "name": situation.name(unit),
            "morale": situation.morale(unit),
            "broken": unit.broken,
        },
        modifiers=rows(modifiers),
        dice=dice.pair,
        result=verdict,
    )
    suffer(table, unit, verdict, margin, aftermath)
    if unit.id in table.state.units and not unit.broken and not unit.pinned:
        aftermath.steady.append(unit.id)
    return verdict


def suffer(table: AslskTable, unit: Unit, verdict: Verdict, margin: int, aftermath: Aftermath) -> None:
    """3.2.3/nmc Apply the consequences of a morale check to a unit."""
    if verdict == "passed":
        return
    if verdict == "pinned":
        if not unit.broken:
            pin(table, unit)
        return
    if unit.broken:
        if verdict == "disaster":
            eliminate(table, unit, "3.2.3/nmc", aftermath)
        else:
            reduce_casualties(table, unit, aftermath)
        return
    break_unit(table, unit, aftermath)
    if verdict == "disaster":
        reduce_casualties(table, unit, aftermath)
    if unit.id in table.state.units:
        replace_by_elr(table, unit, margin)


def check_firers(table: AslskTable, units: Mapping[str, Unit], leaders: Sequence[str], dice: Dice) -> None:
    """3.3.3/fpf Apply the Original DR of protective fire as an NMC to its firers, leaders first; those among
    `leaders` who pass unharmed lend the others their leadership.
    """
    situation, aftermath = table.situation, Aftermath(before=note_leaders(table.situation, units.values()))
    helping: dict[str, list[Modifier]] = {}
    for unit in in_check_order(situation, units.values()):
        own = [] if situation.is_leader(unit) else helping.get(unit.at, [])
        verdict = judge(dice, total(own), situation.morale(unit))
        table.find(
            "3.3.3/fpf",
            inputs={"unit": unit.id, "name": situation.name(unit), "morale": situation.morale(unit), "nmc": True},
            modifiers=rows(own),
            dice=dice.pair,
            result=verdict,
        )
        suffer(table, unit, verdict, dice.total + total(own) - situation.morale(unit), aftermath)
        if verdict == "passed" and unit.id in leaders and situation.leadership(unit) < 0:
            helping[unit.at] = [Modifier("3.3.3/fpf", "leadership", situation.leadership(unit))]
    leader_losses(table, aftermath)


def pin_check(
    table: AslskTable, unit: Unit, extra: Sequence[Modifier], aftermath: Aftermath, rule: str = "3.2.3/ptc"
) -> bool:
    """3.2.3/ptc Make a unit take a Pin Task Check; return whether it passed."""
    situation = table.situation
    modifiers = [*extra, *leadership_for(situation, unit, aftermath)]
    dice = roll_two(table, rule, unit.id)
    passed = dice.total + total(modifiers) <= situation.morale(unit)
    table.find(
        rule,
        inputs={"unit": unit.id, "name": situation.name(unit), "morale": situation.morale(unit)},
        modifiers=rows(modifiers),
        dice=dice.pair,
        result="passed" if passed else "pinned",
    )
    if passed:
        aftermath.steady.append(unit.id)
    else:
        pin(table, unit)
    return passed


def pin(table: AslskTable, unit: Unit) -> None:
    """3.2.3/pin Pin a unit, which is possible only once in a player turn."""
    if unit.was_pinned or unit.pinned:
        return
    unit.pinned = unit.was_pinned = True
    table.find("3.2.3/pin", inputs={"unit": unit.id}, result="pinned", shows=[Change(unit.id, "pinned")])


def break_unit(table: AslskTable, unit: Unit, aftermath: Aftermath, *, by_table: bool = False) -> None:
    """3.2.3/nmc Break an unbroken unit: it gets DM and loses Pin and CX."""
    situation = table.situation
    if situation.is_leader(unit):
        note_lost_leader(situation, unit, aftermath, eliminated=False)
    lost = [Change(unit.id, what, False) for what in ("pinned", "cx") if getattr(unit, what)]
    unit.broken = unit.dm = True
    unit.pinned = unit.cx = False
    lose_acquisition(situation, unit)
    if unit.going is not None and unit.going.assault:
        unit.going.assault = False
        told = {"unit": unit.id, "at": unit.at}
        table.find("3.3.3/status-during-dff", inputs=told, result="no longer in Assault Movement")
    shown = [Change(unit.id, "broken"), Change(unit.id, "dm"), *lost]
    table.find("3.2.3/kia" if by_table else "3.2.3/nmc", inputs={"unit": unit.id}, result="broken", shows=shown)


def note_lost_leader(situation: Situation, unit: Unit, aftermath: Aftermath, *, eliminated: bool) -> None:
    """3.2.3/llmc Record a leader who breaks or dies, only once, with the leader's previous values."""
    morale, leadership = aftermath.before.get(unit.id, (situation.morale(unit), situation.leadership(unit)))
    aftermath.lost[:] = [leader for leader in aftermath.lost if leader.id != unit.id]  # the list of the whole attack
    aftermath.lost.append(LostLeader(unit.id, unit.seat, unit.at, morale, leadership, eliminated))


def note_leaders(situation: Situation, units: Iterable[Unit]) -> dict[str, tuple[int, int]]:
    """3.2.3/llmc Record the leaders' morale and leadership before an attack."""
    return {one.id: (situation.morale(one), situation.leadership(one)) for one in units if situation.is_leader(one)}


def eliminate(table: AslskTable, unit: Unit, rule: str, aftermath: Aftermath | None = None) -> None:
    """3.2.3/kia Remove a unit from play; its weapons stay in its hex, unpossessed."""
    situation, state = table.situation, table.state
    if aftermath is not None and situation.is_leader(unit):
        note_lost_leader(situation, unit, aftermath, eliminated=True)
    drop_all(table, unit)
    table.find(
        rule,
        inputs={"unit": unit.id, "name": situation.name(unit), "at": unit.at},
        result="eliminated",
        shows=[Lose(unit.id, unit.at, rule)] if unit.at else [],  # no player saw a unit that never entered
    )
    state.lost.append(unit.card + "@" + unit.seat)
    del state.units[unit.id]


def reduce_casualties(table: AslskTable, unit: Unit, aftermath: Aftermath) -> None:
    """3.2.3/casualty-reduction Reduce a squad to a half-squad, wound a leader, or eliminate any other unit."""
    situation = table.situation
    card = situation.card(unit)
    if card.kind == "leader":
        wound(table, unit, aftermath)
    elif card.kind == "squad" and card.half:
        unit.card = card.half
        table.find(
            "3.2.3/casualty-reduction",
            inputs={"unit": unit.id, "name": card.name},
            result=situation.name(unit),
            shows=[Change(unit.id, "name", situation.name(unit))],
        )
        table.state.lost.append(f"{card.half}@{unit.seat}")
    else:
        eliminate(table, unit, "3.2.3/casualty-reduction", aftermath)


def wound(table: AslskTable, unit: Unit, aftermath: Aftermath) -> None:
    """3.2.3/wounds Roll for a wound: a dr of 1-4 wounds the leader, 5-6 eliminates; +1 if already wounded."""
    die = roll_one(table, "3.2.3/wounds", unit.id)
    dies = die + unit.wounded >= 5
    modifiers = rows([Modifier("3.2.3/wounds", "already wounded", 1)] if unit.wounded else [])
    result = "eliminated" if dies else "wounded"
    shown = [] if dies else [Change(unit.id, "wounded")]
    table.find("3.2.3/wounds", inputs={"unit": unit.id}, dice=[die], modifiers=modifiers, result=result, shows=shown)
    if dies:
        eliminate(table, unit, "3.2.3/wounds", aftermath)
    else:
        unit.wounded = True
        aftermath.wounded = [*aftermath.wounded, unit.id]


def replace_by_elr(table: AslskTable, unit: Unit, margin: int) -> None:
    """5.1 Replace a unit that fails by more than its ELR with one of the next lower quality."""
    situation = table.situation
    card = situation.card(unit)
    if margin <= situation.elr(unit) or card.elr_exempt or card.kind == "crew" or not card.lower:
        return
    unit.card = card.lower
    table.find(
        "5.1",
        inputs={"unit": unit.id, "name": card.name, "margin": margin, "elr": situation.elr(unit)},
        result=situation.name(unit),
        shows=[Change(unit.id, "name", situation.name(unit))],
    )


def lose_unit(table: AslskTable, unit: Unit, rule: str) -> None:
    """3.2.3/llmc Eliminate a unit outside an attack; if it is a leader, the stack still checks for the loss."""
    aftermath = Aftermath()
    eliminate(table, unit, rule, aftermath)
    leader_losses(table, aftermath)


def leader_losses(table: AslskTable, aftermath: Aftermath) -> None:
    """3.2.3/llmc, 3.2.3/lltc Check for lost leaders: LLMC first, then LLTC, until no further leader is lost."""
    while aftermath.lost:
        lost = sorted(aftermath.lost, key=lambda leader: not leader.eliminated)[0]
        aftermath.lost.remove(lost)
        check_for_lost_leader(table, lost, aftermath)


def check_for_lost_leader(table: AslskTable, lost: LostLeader, aftermath: Aftermath) -> None:
    """3.2.3/llmc Make Good Order units of lower morale in the stack check, with the lost leader's DRM reversed."""
    situation = table.situation
    if aftermath.in_close_combat or lost.at in table.state.melee:
        return
    drm = -lost.leadership if lost.leadership < 0 else 0
    rule = "3.2.3/llmc" if lost.eliminated else "3.2.3/lltc"
    extra = [Modifier(rule, "leader lost", drm)] if drm else []
    checkers = [
        unit
        for unit in table.state.units.values()
        if (unit.at, unit.seat) == (lost.at, lost.seat)
        and unit.id != lost.id
        and situation.good_order(unit)
        and situation.morale(unit) < lost.morale
    ]
    for unit in checkers:
        reveal(table, unit, HIT)  # 6.4 the check is an effect on a hidden crew
    checks = Aftermath(waiting=[unit.id for unit in checkers], lost=aftermath.lost)
    for unit in in_check_order(situation, checkers):
        if unit.id not in table.state.units or unit.broken:
            continue
        if lost.eliminated:
            morale_check(table, unit, extra, checks, rule)
        elif not unit.pinned:
            pin_check(table, unit, extra, checks, rule)
