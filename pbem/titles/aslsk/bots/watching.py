"""How a bot that is asked at every First Fire window decides: it weighs each possible attack against waiting."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from pbem.titles.aslsk.bots.eyes import looks_clear
from pbem.titles.aslsk.fire.components import Attack, component, firing
from pbem.titles.aslsk.fire.firepower import shares, total
from pbem.titles.aslsk.movement.first_fire_window import Window
from pbem.titles.aslsk.ordnance.to_hit import is_ordnance
from pbem.titles.aslsk.sheets.odds import distribution
from pbem.titles.aslsk.vehicles.prospects import hit_chance, kill_chance
from pbem.titles.aslsk.vehicles.reactions import REACTIONS

WORTH: Final = {"kia": 6, "k": 5, "mc": 3, "ptc": 1, "none": 0}
"""The value of each kind of result to the firer."""
LEAST: Final = {"": 27, "first": 36, "final": 72}
"""The minimum value, summed over 36 rolls, for unmarked fire, Subsequent First Fire and Final Protective Fire."""
FAIR_KILL: Final = 3
FAIR_HIT: Final = 20


def best_attack(window: Window) -> Attack | None:
    """The attack with the highest value, or None if no attack is worth a fire marker."""
    best: tuple[Fraction, Attack] | None = None
    for attack in window.options():
        if attack is None or not in_view(window, attack):
            continue
        worth = worth_of(window, attack)
        if worth and (best is None or worth > best[0]):
            best = worth, attack
    return best[1] if best is not None else None


def in_view(window: Window, attack: Attack) -> bool:
    """Whether every firer seems to see the target."""
    firers = [component(window.situation, id) for id in attack.components]
    return all(one is not None and looks_clear(window.situation, one.hex, attack.at) for one in firers)


def worth_of(window: Window, attack: Attack) -> Fraction:
    """The value of an attack, summed over the 36 possible rolls; 0 if it is not worth a fire marker."""
    situation = window.situation
    if attack.how in REACTIONS:
        return Fraction(100 if attack.how == "reaction" else 0)
    if attack.how == "pf":
        return Fraction(40)
    firers = firing(situation, attack)
    if attack.target and firers:
        kill = kill_chance(situation, firers[0], attack)
        return Fraction(3 * kill) if kill >= FAIR_KILL else Fraction(0)
    if any(is_ordnance(situation, one) for one in firers):
        hit = hit_chance(situation, firers[0], attack)
        return Fraction(hit) if hit >= FAIR_HIT else Fraction(0)
    column = window.data.fire_table.column_of(total(shares(situation, attack)))
    if not column or not firers:
        return Fraction(0)
    rolls = distribution(window.data.fire_table, column, window.best_drm(attack), 0 if attack.leaders else 1)
    worth = Fraction(sum(WORTH[kind] * count for kind, count in rolls.items()))
    least = max(LEAST.get(one.marker, LEAST["final"]) for one in firers)
    return worth if worth >= least else Fraction(0)
