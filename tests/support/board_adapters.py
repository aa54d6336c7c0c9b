"""The board of a match for each title; no other module of the tests depends on the layout of a title's state.

    panzer_board   the basic and the advanced game
    tanks_board    TANKS

A board is plain data: units with side, place, facing and condition, other objects on the map, objectives and score.
It lists only values that differ from the default, and nothing that exists for the code alone (names of steps, counted
ids, and which seat was asked for which decision). When the layout of a state changes, change this module and keep the
recorded boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.situation import Situation
from pbem.titles.panzer.end_of_turn.victory import score
from pbem.titles.tanks.command.repairs import points_lost

Board: TypeAlias = dict[str, Any]


def panzer_board(data: Any, state: Any) -> Board:
    """Return everything on the map of a Panzer match; in the basic game the parts of the advanced game are empty."""
    sides = state.sides
    return _listed(
        turn=state.turn,
        first=state.first,
        outcome=_outcome(state),
        score={side: score(Situation(data, state), side).total for side in sides},
        objectives={id: objective.controller for id, objective in state.objectives.items() if objective.controller},
        units={id: panzer_unit(unit, basic=data.basic) for id, unit in sorted(state.vehicles.items())},
        wrecks={place: "brewed up" if wreck.brewed_up else "wreck" for place, wreck in sorted(state.wrecks.items())},
        features=sorted(_feature(feature) for feature in _all(state, "features")),
        clouds=sorted(_cloud(cloud) for cloud in _all(state, "clouds")),
        missions=sorted(_mission(mission) for mission in _all(state, "missions")),
        batteries={battery.id: _battery(battery) for battery in _all(state, "batteries")},
        aircraft={aircraft.id: _aircraft(aircraft) for aircraft in _all(state, "aircraft")},
        hidden=sorted(_hidden(counter) for counter in _all(state, "hidden_counters")),
    )


def panzer_unit(unit: Any, *, basic: bool) -> Board:
    """3.4 Return one unit; in the basic game it has no grades or other data of the advanced game."""
    return _listed(
        side=unit.side,
        at=hex_name(unit.hex) if unit.hex else str(unit.status),
        facing=unit.facing,
        status="" if unit.status == "on-map" else str(unit.status),
        damage=str(unit.damage),
        spot=str(unit.marker),
        **({} if basic else _advanced_condition(unit)),
    )


def _advanced_condition(unit: Any) -> Board:
    return {
        "spotted_by_small_arms": unit.small_arms or unit.pending_small_arms,
        "aboard": unit.aboard,
        "grade": str(unit.grade),
        "suppressed": str(unit.suppression),
        "track_hit": unit.track_hit,
        "bailed_out": unit.bailed_out,
        "full_cover": unit.full_cover,
        "crawling": unit.crawling,
        "hull_down": str(unit.hull_down),
        "turret": unit.turret,
        "inside": str(unit.inside),
        "dug_in": bool(unit.position),
        "loads": dict(sorted({**unit.loads, **{f"found by {finder}": 1 for finder in unit.found_by or ()}}.items())),
        "flags": sorted(unit.flags),
    }


def _feature(feature: Any) -> str:
    words = (feature.type, hex_name(feature.hex), feature.side, feature.holder, feature.of, f"stage {feature.stage}")
    return " ".join((*words, *feature.known))


def _cloud(cloud: Any) -> str:
    return f"{cloud.type} {cloud.marker} {_places(cloud.hexes)}"


def _mission(mission: Any) -> str:
    return f"{mission.side} {mission.type} {hex_name(mission.point)} {mission.sheaf} by {' '.join(mission.firers)}"


def _battery(battery: Any) -> Board:
    return _listed(
        fired_in=battery.fired_in,
        available_from=battery.available_from,
        suppressed=str(battery.suppression),
        damaged=battery.damaged,
        knocked_out=battery.knocked_out,
    )


def _aircraft(aircraft: Any) -> Board:
    return _listed(
        came=aircraft.first_turn,
        last=aircraft.last_turn,
        load=aircraft.load,
        suppressed=str(aircraft.suppression),
        damaged=aircraft.damaged,
        shot_down=aircraft.shot_down,
        spent=dict(sorted(aircraft.spent.items())),
    )


def _hidden(counter: Any) -> str:
    return f"{counter.side} {hex_name(counter.hex)} {' '.join(counter.units) or 'dummy'}"


def tanks_board(data: Any, state: Any) -> Board:
    """T2.5 Return tanks with their tokens and cards, terrain, and objectives."""
    return _listed(
        turn=state.turn,
        attacker=state.attacker,
        edges=dict(sorted(state.edges.items())),
        outcome=_outcome(state),
        score={seat: points_lost(Situation(data, state), seat) for seat in ("alpha", "bravo")},
        objectives={id: f"{held.seat} {held.turns}" for id, held in sorted(state.holdings.items()) if held.seat},
        units={id: tank(one) for id, one in sorted(state.tanks.items())},
        pieces=[f"{piece.kind} {piece.at.x},{piece.at.y}/{piece.heading}" for piece in state.pieces],
    )


def tank(unit: Any) -> Board:
    """T2.5 Return one tank, with the visible side of each card."""
    return _listed(
        side=unit.seat,
        model=unit.model,
        at=f"{unit.at.x},{unit.at.y}",
        facing=unit.heading,
        status=str(unit.status),
        speed=unit.speed,
        damage=unit.damage,
        criticals=sorted(unit.criticals),
        cards=[f"{card.id}{' up' * card.up}{' gone' * card.gone}" for card in unit.cards],
    )


BOARDS: Mapping[str, Callable[[Any, Any], Board]] = {"panzer": panzer_board, "tanks": tanks_board}
"""The board of a match, by title."""


def _all(state: Any, name: str) -> Iterable[Any]:
    """Return the objects that only a state of the advanced game has, in the order of their ids."""
    return dict(sorted(getattr(state, name, {}).items())).values()


def _places(hexes: Iterable[Hex]) -> str:
    return " ".join(sorted(map(hex_name, hexes)))


def _outcome(state: Any) -> str:
    """Return the winner and the reason, without the rule, whose number may change."""
    return f"{state.outcome.winner or 'draw'}: {state.outcome.why}" if state.outcome else ""


def _listed(**fields: Any) -> Board:
    """Return the fields without those that have no value."""
    return {name: value for name, value in fields.items() if value}
