"""25.1.1, 25.1.2, 25.2, 25.4 Eligibility for attack, response and support.

25.1.1   objective_objections, commit_objections
25.2     attacker_objections, possible_attackers
25.1.2   response_objections, possible_responses
25.4     support_objections, possible_support
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Nation, Side
from pbem.titles.nato.combat.strength import hexside_keys
from pbem.titles.nato.map.grid import HexId, adjacent, neighbours
from pbem.titles.nato.state import ENEMY, Battle
from pbem.titles.nato.supply.headquarters import front, reach, superior
from pbem.titles.nato.zones.coordination import attack_objections, joins
from pbem.titles.nato.zones.stacking import room

# --- 25.1.1, 25.2 attacking ----------------------------------------------------------------------------------


def attackable(board: Board, hex: HexId, side: Side) -> bool:
    """25.1.1 Whether a hex may be attacked: it holds an enemy unit or a free city, or strikes have emptied it."""
    enemy = ENEMY[side]
    return board.holds(hex, enemy) or board.free_city(hex, enemy) or hex in board.state.cleared


def torn_open(board: Board, hex: HexId, side: Side) -> bool:
    """25.9.1 Whether strikes have emptied a hex and no enemy has retreated into it since."""
    return hex in board.state.cleared and not board.holds(hex, ENEMY[side])


def objective_objections(board: Board, hex: HexId, side: Side) -> Iterator[Objection]:
    """25.1.1, 25.2 Yield the reasons why a hex cannot be the objective of a battle."""
    if hex not in board.atlas.places:
        yield Objection("25.1.1", say("{hex} is not on the map", hex=hex))
        return
    if not attackable(board, hex, side):
        yield Objection("25.1.1", say("there is nothing to attack in {hex}", hex=hex))
    if hex in board.state.fought:
        yield Objection("25.2", say("{hex} has already been attacked in this phase", hex=hex))


def across_objections(board: Board, start: HexId, objective: HexId) -> Iterator[Objection]:
    """25.2.4 Yield an objection if no attack can cross the hexside."""
    hexside = board.atlas.hexside(start, objective)
    if hexside.barrier == "blocked":
        yield Objection(
            "25.2.4", say("the hexside between {start} and {objective} is blocked", start=start, objective=objective)
        )
    elif hexside.no_attack or hexside.ferry or (hexside.barrier == "all_sea" and not hexside.causeway):
        yield Objection(
            "25.2.4", say("{start} and {objective} are separated by the sea", start=start, objective=objective)
        )


def attacker_objections(board: Board, unit: Unit, objective: HexId, side: Side) -> Iterator[Objection]:
    """25.2 Yield the reasons why a unit cannot attack a hex."""
    if unit.side is not side:
        yield Objection("25.2", say("that is not one of your units"))
        return
    if not unit.maneuver:  # 24.2.4, 25.8.4, 29.2.1
        yield Objection("25.2", say("only maneuver units can attack"))
    if unit.piece.fought:
        yield Objection("25.2", say("the unit has already fought in this phase"))
    if unit.piece.train:
        yield Objection("13.4.2", say("the unit is on a train"))
    if not unit.piece.active:
        yield Objection("35.2", say("the unit is not activated"))
    if unit.piece.reserve:
        yield Objection("28.1.1", say("the unit is in reserve"))
    if unit.at == objective:
        return
    if unit.id in board.assaulting:
        yield Objection("27.3.1", say("the unit is assaulting {at} and cannot attack anything else", at=unit.at))
    if unit.at not in board.atlas.places or not adjacent(unit.at, objective):
        yield Objection("25.2", say("the unit is not adjacent to {objective}", objective=objective))
    else:
        yield from across_objections(board, unit.at, objective)


def possible_attackers(board: Board, objective: HexId, side: Side) -> list[Unit]:
    """25.2 The units that may attack a hex, each considered on its own."""
    near = [unit for hex in (objective, *neighbours(objective)) for unit in board.at(hex, side)]
    return [unit for unit in near if not any(attacker_objections(board, unit, objective, side))]


def may_be_marked(board: Board, objective: HexId, side: Side) -> bool:
    """25.0 Whether a hex may bear a Battle marker: there must be something to attack, and an attacker with a
    strength of 1 or more.
    """
    if any(objective_objections(board, objective, side)):
        return False
    return any(unit.attack > 0 for unit in possible_attackers(board, objective, side))


def commit_objections(board: Board, side: Side, objective: HexId, units: Sequence[Unit]) -> Iterator[Objection]:
    """25.1.1 Yield the reasons why these units cannot attack a hex together."""
    yield from objective_objections(board, objective, side)
    if side is Side.WP and objective not in board.state.battles and objective not in board.state.cleared:
        yield Objection("25.1.1", say("{objective} has no Battle marker", objective=objective))
    if not any(unit.attack > 0 for unit in units):
        yield Objection("25.2.2", say("at least one unit with an attack strength of 1 or more must attack"))
    yield from together_objections(board, side, objective, units)
    if {unit.id for unit in assaulting(board, objective, side)} - {unit.id for unit in units}:
        yield Objection("27.3.1", say("all your units that are assaulting the hex must take part in the attack"))


def assaulting(board: Board, objective: HexId, side: Side) -> list[Unit]:
    """27.2, 27.3.1 The maneuver units that assault a hex; once strikes have cleared it, they count as ordinary
    attackers.
    """
    return [unit for unit in board.at(objective, side) if unit.maneuver and unit.id in board.assaulting]


def together_objections(board: Board, side: Side, objective: HexId, units: Sequence[Unit]) -> Iterator[Objection]:
    """25.2, 26, 26.2.8 Yield the reasons why units cannot attack together; a NATO assault must be by one nation."""
    named = [unit.id for unit in units]
    for id in dict.fromkeys(id for id in named if named.count(id) > 1):
        yield Objection("25.2", say("{id} cannot attack twice", id=id))
    yield from attack_objections(board, side, units)
    if assaulting(board, objective, side) and side is Side.NATO and len({unit.card.nation for unit in units}) > 1:
        yield Objection("26.2.8", say("only units of one nation can assault together"))


# --- 25.4 Offensive Support ----------------------------------------------------------------------------------


def why_unsupported(board: Board, hq: str, units: Iterable[str]) -> Objection:
    """25.4 Return the reason why an HQ that was ordered to support these units does not."""
    if hq not in board.units:
        return Objection("25.4", say("the unit is no longer in play"))
    against = support_objections(board, board.units[hq], [board.units[id] for id in units])
    return next(against, Objection("25.4", say("the unit was not committed")))


def support_objections(board: Board, hq: Unit, units: Sequence[Unit]) -> Iterator[Objection]:
    """25.4 Yield the reasons why an HQ cannot give Offensive Support to these units."""
    if hq.id not in board.data.scenario.offensive_support:  # 25.4.2, 29.5.2, 29.6.3
        yield Objection("25.4", say("{hq} cannot give Offensive Support", hq=hq.id))
        return
    if hq.id in board.state.support_used:
        yield Objection("25.4.1", say("{hq} has already supported a battle in this phase", hq=hq.id))
    if hq.piece.disrupted or not hq.piece.supplied or hq.piece.train or not hq.piece.active:
        yield Objection("25.4.3", say("{hq} is suppressed, out of supply, on a train or not activated", hq=hq.id))
    within = reach(board, hq)
    if not any(superior(board, unit, hq.card) and unit.at in within for unit in units):  # 8.4, 29.3
        yield Objection("25.4", say("no subordinate unit in the battle is within range of {hq}", hq=hq.id))
    if hq.side is Side.WP and any(front(board, unit.card) not in ("", hq.id) for unit in units):
        yield Objection("25.4.1", say("{hq} cannot support units of another front", hq=hq.id))
    if board.data.options.integrity == "on":
        yield from integrity_objections(board, hq, units)


def integrity_objections(board: Board, hq: Unit, units: Sequence[Unit]) -> Iterator[Objection]:
    """25.4.5 Object to support for attackers of several armies or, if the HQ is NATO's, for attackers that are not
    US units.
    """
    if hq.side is Side.NATO:
        if any(unit.card.nation is not Nation.US for unit in units):
            yield Objection("25.4.5", say("only US units can attack with the support of a US corps"))
    elif len({unit.card.army for unit in units if unit.card.army and front(board, unit.card)}) > 1:  # 3.2.8.2.1
        yield Objection("25.4.5", say("units of several armies are attacking"))


def possible_support(board: Board, side: Side, units: Sequence[Unit]) -> list[Unit]:
    """25.4 Return the HQs that could support an attack by these units."""
    hqs = [board.units[id] for id in board.data.scenario.offensive_support if id in board.units]
    return [hq for hq in hqs if hq.side is side and not any(support_objections(board, hq, units))]


# --- 25.1.2 response -----------------------------------------------------------------------------------------


def response_objections(board: Board, unit: Unit, battle: Battle) -> Iterator[Objection]:
    """25.1.2 Yield every reason why a unit cannot respond, in printed order."""
    side, objective = ENEMY[battle.side], battle.objective
    if unit.side is not side or not unit.maneuver:
        yield Objection("25.1.2.9", say("only a maneuver unit of the defender can respond"))
        return
    if unit.at not in board.atlas.places or not adjacent(unit.at, objective):  # 25.1.2.8
        yield Objection("25.1.2", say("the unit is not adjacent to {objective}", objective=objective))
        return
    yield from _state_objections(board, unit)
    yield from _way_objections(board, unit, objective)
    yield from _zone_objections(board, unit)
    here = board.at(objective, side)
    if not here:
        country = str(board.atlas.places[objective].country)
        if side is Side.NATO and country != str(unit.card.nation):  # 30.4.5, 30.4.6
            yield Objection("25.1.2.3", say("only a unit of the city's own nation can respond into an empty city"))
    elif not joins(board, unit, here):
        rule = "25.1.2.5" if side is Side.NATO else "25.1.2.4"
        yield Objection(rule, say("the unit cannot coordinate with the units in {objective}", objective=objective))
    if unit.steps > room(board, objective, side):
        yield Objection("25.1.2", say("there is no room for the unit in {objective}", objective=objective))
    if leaves_home(board, unit, objective) and not unit.piece.freed:  # 25.7.8
        yield Objection("3.2.5.1", say("a territorial unit cannot leave its country"))


def leaves_home(board: Board, unit: Unit, hex: HexId) -> bool:
    """3.2.5.1 Return whether a hex is outside the country that a territorial unit is bound to."""
    return unit.card.home_bound and board.atlas.places[hex].country is not unit.card.home


def _state_objections(board: Board, unit: Unit) -> Iterator[Objection]:
    if unit.piece.disrupted:
        yield Objection("25.1.2", say("the unit is disrupted"))
    if unit.piece.ms_out or unit.piece.cs_out:
        yield Objection("25.1.2", say("the unit is out of supply"))
    if unit.piece.engaged:
        yield Objection("25.1.2.7", say("an Engaged unit cannot respond"))
    if board.holds(unit.at, ENEMY[unit.side]):  # 27.3.6
        yield Objection("25.1.2", say("the unit is being assaulted itself"))
    if unit.piece.train:
        yield Objection("4.2.3", say("the unit is on a train"))
    if not unit.piece.active:
        yield Objection("35.2", say("the unit is not activated"))


def _way_objections(board: Board, unit: Unit, objective: HexId) -> Iterator[Objection]:
    """25.1.2.1 Object to a response across a closed hexside, or into or out of a nuclear strike hex."""
    hexside = board.atlas.hexside(unit.at, objective)
    closed = hexside.ferry or (hexside.barrier and not hexside.causeway)
    if closed or not all(board.data.charts.hexside(key).response for key in hexside_keys(hexside)):
        yield Objection(
            "25.1.2.1",
            say("a response cannot cross the hexside between {at} and {objective}", at=unit.at, objective=objective),
        )
    if unit.at in board.state.nuclear or objective in board.state.nuclear:
        yield Objection("25.1.2.1", say("a response cannot enter or leave a nuclear strike hex"))


def _zone_objections(board: Board, unit: Unit) -> Iterator[Objection]:
    """8.2.1, 8.2.2 Yield the objections to a response out of an enemy zone of control."""
    if not board.ezoc(unit.at, unit.side):  # 25.1.2.6
        return
    if unit.side is Side.WP:
        yield Objection("25.1.2.4", say("{at} is in an enemy zone of control", at=unit.at))
    elif len([other for other in board.at(unit.at, unit.side) if other.maneuver]) < 2:
        yield Objection("25.1.2.5", say("the unit is alone in {at}, in an enemy zone of control", at=unit.at))


def possible_responses(board: Board, battle: Battle) -> list[Unit]:
    """25.1.2 The units that may respond."""
    if torn_open(board, battle.objective, battle.side):  # 25.1.2.2
        return []
    near = [unit for hex in neighbours(battle.objective) for unit in board.at(hex, ENEMY[battle.side])]
    return [unit for unit in near if not any(response_objections(board, unit, battle))]
