"""Whims: legal but rare actions, for bots that exercise the rules.

    whim             an answer of this kind to an ask, if one of a few proposals is legal
    fire_whims       4.4.1, 5.14, 7.18   any way of firing, with several weapons, to pin
    smoke_hexes      6.1.4.3.10, 7.22    where smoke may be useful
    mission_whims    6.5.1   adjusted fire, other sheafs and shells, several firers, reconnaissance by fire
    plot_whims       6.5.1.11    fire planned for several turns
    flight_whims     6.7.2   turns, several attacks
    adjust_whims     6.8     a little of everything for every unit
    dismount_attacks 6.6.1.1 passengers who attack as they get off

Proposals may be illegal: each goes through the same check as a player's answer, and the first legal one is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from pbem.engine.geometry.hexes import Hex, hex_name, neighbours
from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Answer, Ask
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.air.air import flight_options
from pbem.titles.panzer.artillery.calls import called_missions
from pbem.titles.panzer.cards.units import can_observe
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.end_of_turn.adjustment import check_adjust
from pbem.titles.panzer.fire.aiming import Entry, legal_shots
from pbem.titles.panzer.fire.declarations import declaration_of, occasion_of
from pbem.titles.panzer.fire.special_fire import PIN
from pbem.titles.panzer.movement.steps.acts import Dismount
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Unit

Check = Callable[[Answer], Answer]
Proposer = Callable[[Situation, Ask, Choice], Iterator[Answer]]

PROPOSALS: Final = 10
"""How many proposals are tried."""
SHEAFS: Final = ("closed", "open", "closed_linear")
SUSPICION: Final = {"do": "recon", "sheaf": "closed", "direction": 0, "type": "gp"}
"""7.37 Fire at a hex in which no enemy has been spotted."""
SHELLS: Final = ("gp", "gp", "smoke", "illumination")


def whim(situation: Situation, ask: Ask, choice: Choice, check: Check) -> Answer | None:
    """The first legal proposal for an ask, or None."""
    proposer = PROPOSERS.get(ask.kind)
    return first_legal(proposer(situation, ask, choice), check) if proposer else None


def first_legal(proposals: Iterable[Answer], check: Check) -> Answer | None:
    for proposal in islice(proposals, PROPOSALS):
        try:
            return check(proposal)
        except Refusal:
            continue
    return None


# --- 4.4.1, 4.4.2 fire -------------------------------------------------------------------------------------------


def fire_whims(situation: Situation, ask: Ask, choice: Choice) -> Iterator[Answer]:
    """4.4.1, 5.14 Fire by some units, each in any way it can, occasionally with two weapons."""
    occasion = occasion_of(situation, ask)
    by_target: dict[str, dict[str, list[Entry]]] = {}
    for unit in situation.state.of(ask.seat):
        if unit.command in (Command.FIRE, Command.SHORT_HALT):
            for shot in legal_shots(occasion, unit):
                by_target.setdefault(shot.target, {}).setdefault(unit.id, []).append(shot)
    for _ in range(PROPOSALS if by_target else 0):
        target = choice.one_of(sorted(by_target))
        firers = by_target[target]
        some = [id for id in sorted(firers) if choice.below(2)] or [choice.one_of(sorted(firers))]
        shots = [shot for id in some for shot in ways_of(firers[id], choice)]
        yield declaration_of(target, pinning(shots) if choice.below(4) == 0 else shots)


def ways_of(shots: Sequence[Entry], choice: Choice) -> list[Entry]:
    """5.14 One way of firing, or one way for each of two weapons."""
    first = choice.one_of(shots)
    others = [shot for shot in shots if shot.weapon != first.weapon]
    return [first, choice.one_of(others)] if others and choice.below(2) else [first]


def pinning(shots: Sequence[Entry]) -> list[Entry]:
    """7.18 The same shots, but GP fire only pins."""
    return [shot._replace(how=PIN) if shot.how == "gp" else shot for shot in shots]


def smoke_hexes(situation: Situation, unit: Unit) -> list[Hex]:
    """6.1.4.3.10, 7.22 Hexes where smoke is likely to be useful: around the unit and around its enemies."""
    data = situation.data
    enemies = [enemy.hex for enemy in situation.state.of(situation.state.enemy(unit.side)) if enemy.hex is not None]
    around = [near(data, hex) for hex in (unit.hex, *enemies) if hex is not None]
    return list(dict.fromkeys(hex for hexes in around for hex in hexes))


# --- 6.5.1 indirect fire -------------------------------------------------------------------------------------------


def mission_whims(situation: Situation, ask: Ask, choice: Choice) -> Iterator[Answer]:
    """6.5.1.6, 6.5.1.7, 6.5.1.8, 7.27, 7.37 Adjusted fire, other shells, several firers, or fire on suspicion."""
    data, view = situation.data, situation.state
    for mission in called_missions(view, ask.seat):
        yield {
            **shells(choice, mission.sheaf),
            "do": "adjust",
            "mission": mission.id,
            "point": hex_name(choice.one_of(near(data, mission.point))),
            "firers": list(mission.firers),
        }
    own = [unit for unit in view.of(ask.seat) if unit.command is Command.OVERWATCH and can_observe(unit)]
    batteries = [id for id, battery in view.batteries.items() if battery.side == ask.seat]
    guns = [unit.id for unit in view.of(ask.seat) if unit.command is Command.FIRE]
    enemies = [unit.hex for unit in view.of(view.enemy(ask.seat)) if unit.hex is not None]
    for _ in range(PROPOSALS if own and enemies and (batteries or guns) else 0):
        off_map = bool(batteries) and (not guns or choice.below(3) > 0)
        some = [choice.one_of(batteries)] if off_map else sorted({choice.one_of(guns) for _ in range(2)})
        observer = choice.one_of(own)
        suspects = off_map and "fo" in observer.labels and choice.below(3) == 0
        yield {
            "do": "call",
            **shells(choice, "" if off_map else "on_map"),
            "observer": observer.id,
            "point": hex_name(choice.one_of(near(data, choice.one_of(enemies)))),
            "firers": some,
            **(SUSPICION if suspects else {}),
        }


def shells(choice: Choice, sheaf: str = "") -> dict[str, Any]:
    """6.5.1.5, 6.5.1.6 A pattern, unless one is given, and a type of shell that can be fired in it."""
    sheaf = sheaf or choice.one_of(SHEAFS)
    type = choice.one_of(SHELLS) if sheaf == "closed" else choice.one_of(("gp", "smoke"))
    return {"sheaf": sheaf, "direction": 1 + choice.below(6) if sheaf == "closed_linear" else 0, "type": type}


def near(data: PanzerData, hex: Hex) -> list[Hex]:
    return [hex, *(other for other in neighbours(hex) if data.board.is_on_map(other))]


def plot_whims(situation: Situation, ask: Ask, choice: Choice) -> Iterator[Answer]:
    """6.5.1.4, 6.5.1.11, 6.7.1 Fire or smoke planned for several turns near known units."""
    data = situation.data
    hexes = [hex for unit in data.scenario.units if unit.hex is not None for hex in near(data, unit.hex)]
    for _ in range(PROPOSALS):
        point = choice.one_of(hexes)
        type = choice.one_of(SHELLS)
        legs = [[hex_name(choice.one_of(near(data, point))), type, "closed", 0] for _ in range(1 + choice.below(2))]
        planned = [{"battery": id, "turn": 1 + choice.below(2), "legs": legs} for id in ask.about.get("planned", {})]
        points = {id: [hex_name(choice.one_of(hexes))] for id in ask.about.get("registered", {})}
        loads = {id: choice.one_of(("bombs", "rockets")) for id in ask.about.get("loads", ())}
        offered = {"planned": planned, "registered": points, "loads": loads}
        yield {key: value for key, value in offered.items() if value}


# --- 6.7 aircraft --------------------------------------------------------------------------------------------------


def flight_whims(situation: Situation, ask: Ask, choice: Choice) -> Iterator[Answer]:
    """6.7.2.3 A flight straight at a target, but with a turn or with more attacks."""
    straight: list[Any] = [flight for flight in islice(flight_options(situation, ask), 200) if flight]
    for _ in range(PROPOSALS if straight else 0):
        flight, other = choice.one_of(straight), choice.one_of(straight)
        turned = {"turn": choice.one_of((-1, 1)), "turn_after": 1 + choice.below(6)}
        more = {"attacks": [*flight["attacks"], *other["attacks"]]}
        yield {**flight, **choice.one_of((turned, more, turned | more))}


# --- 6.8 adjustments -----------------------------------------------------------------------------------------------


def adjust_whims(situation: Situation, ask: Ask, choice: Choice) -> Iterator[Answer]:
    """6.8 A random adjustment for each unit, if that adjustment is legal on its own."""
    view = situation.state
    found: dict[str, dict[str, Any]] = {}
    for unit in view.of(ask.seat):
        part, value = choice.one_of(list(adjustments_of(view, unit, choice)))
        try:
            check_adjust(situation, ask, {part: {unit.id: value}})
        except Refusal:
            continue
        found.setdefault(part, {})[unit.id] = value
    if found:
        yield found


def adjustments_of(view: PanzerState, unit: Unit, choice: Choice) -> Iterator[tuple[str, Any]]:
    yield "pivot", 1 + choice.below(6)
    yield "cover", not unit.full_cover
    yield "dig", True
    yield "turret", choice.below(6)
    yield "hatch", bool(choice.below(2))
    here = [id for id, feature in view.features.items() if feature.hex == unit.hex]
    if here:
        yield "occupy", choice.one_of(here)


# --- 6.6.1 dismount attacks ----------------------------------------------------------------------------------------


def dismount_attacks(situation: Situation, carrier: Unit) -> Iterator[tuple[str, ...]]:
    """6.6.1.1 Attacks by passengers that dismount next to an enemy, as steps of their carrier."""
    data, view = situation.data, situation.state
    if carrier.hex is None:
        return
    for rider in view.passengers(carrier):
        for hex in near(data, carrier.hex):
            for enemy in view.of(view.enemy(carrier.side)):
                if enemy.hex in near(data, hex) and not enemy.aboard:
                    yield (str(Dismount(rider.id, hex_name(hex), carrier.facing, enemy.id)),)


# --- all proposers --------------------------------------------------------------------------------------------------


PROPOSERS: Final[Mapping[str, Proposer]] = {
    "fire": fire_whims,
    "mission": mission_whims,
    "plot": plot_whims,
    "flight": flight_whims,
    "adjust": adjust_whims,
}
