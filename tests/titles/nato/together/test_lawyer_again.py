"""More questions of a rules lawyer; the answers were worked out from the rulebook first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from titles.nato.builders import a_battle, a_board, a_data, an_ask, unit

from pbem.engine.rules.refusals import Refusal
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.eligibility import attacker_objections, response_objections
from pbem.titles.nato.combat.retreat import legal_ways
from pbem.titles.nato.movement.moves import walk
from pbem.titles.nato.movement.orders import MovePhase
from pbem.titles.nato.movement.segments import order_objections
from pbem.titles.nato.nuclear.atomic import nuclear_objections
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.supply.cities import free_cities_in_supply
from pbem.titles.nato.supply.headquarters import hq_traces
from pbem.titles.nato.supply.units import combat_source, movement_source
from pbem.titles.nato.title import NatoRules

ALL = a_data("rail", "ferry", "lift", "helicopters", "nuclear", "chemical", year=1983)
READY: dict[str, Any] = {"lift_ready": {side: {"air": 3, "helicopter": 2, "sea": 3} for side in Side}}
GAS = {"first_use": 2, "chemical": {"3020": {Side.WP: False}}}
HELD = {"3117": Side.WP, "3115": Side.WP}


def legal(board: Board, id: str, path: str, mode: str, **more: bool) -> bool:
    """Return whether an order to move over these hexes is accepted."""
    return not list(order_objections(board, unit(board, id), Move(id, tuple(path.split()), mode), **more))


def walks(board: Board, id: str, path: str, mode: str, **more: bool) -> bool:
    return not walk(board, unit(board, id), path.split(), mode, **more).objections


def in_reserve(board: Board, id: str) -> Board:
    unit(board, id).piece.reserve = True
    board.refresh(unit(board, id))
    return board


def marked(board: Board, id: str, **marks: Any) -> Board:
    for name, value in marks.items():
        setattr(unit(board, id).piece, name, value)
    board.refresh(unit(board, id))
    return board


def responds(board: Board, id: str, objective: str, attacker: str) -> bool:
    battle = a_battle(board, objective, attacker)
    return not list(response_objections(board, unit(board, id), battle))


def ways(board: Board, id: str, hexes: int) -> set[str]:
    """Return the hexes into or through which a unit may retreat."""
    return {hex for way in legal_ways(board, [unit(board, id)], hexes) for hex in way.path}


FIGHT = {"3019": "16GT", "3020": "22/1A", "3021": "7/1A"}

QUESTIONS: dict[str, tuple[Callable[[], object], object]] = {
    # 21.1.3 a nuclear strike hex, with everything that moves
    "hard enters a struck hex by tactical movement": (
        lambda: walks(a_board({"3019": "16GT"}, ALL, nuclear=["3020"]), "16GT", "3020", "tactical"),
        True,
    ),
    "and by a minimum move": (
        lambda: walks(a_board({"3019": "16GT"}, ALL, nuclear=["3020"]), "16GT", "3020", "minimum"),
        True,
    ),
    "but not by march": (
        lambda: walks(a_board({"3019": "16GT"}, ALL, nuclear=["3020"]), "16GT", "3020", "march"),
        False,
    ),
    "soft units do not enter, not even by a minimum move": (
        lambda: walks(a_board({"3019": "37"}, ALL, nuclear=["3020"]), "37", "3020", "minimum"),
        False,
    ),
    "a unit that starts in one goes one hex and no more": (
        lambda: (
            walks(a_board({"3020": "16GT"}, ALL, nuclear=["3020"]), "16GT", "3021", "minimum"),
            walks(a_board({"3020": "16GT"}, ALL, nuclear=["3020"]), "16GT", "3021", "tactical"),
        ),
        (True, False),
    ),
    "in the Reserve Phase too": (
        lambda: walks(
            in_reserve(a_board({"3020": "16GT"}, ALL, nuclear=["3020"]), "16GT"),
            "16GT",
            "3021",
            "tactical",
            reserve=True,
        ),
        False,
    ),
    "nobody entrains in one": (
        lambda: legal(
            a_board({"3116": "16GT", "3114": "NEGF"}, ALL, nuclear=["3116"], conquered=HELD), "16GT", "", "entrain"
        ),
        False,
    ),
    "an airborne unit does not drop into one": (
        lambda: legal(a_board({"srb": "97"}, ALL, nuclear=["3020"], **READY), "97", "3020", "drop"),
        False,
    ),
    "nobody responds into one": (
        lambda: responds(a_board(FIGHT, ALL, nuclear=["3020"]), "7/1A", "3020", "16GT"),
        False,
    ),
    "nor out of one": (lambda: responds(a_board(FIGHT, ALL, nuclear=["3021"]), "7/1A", "3020", "16GT"), False),
    "without any it may": (lambda: responds(a_board(FIGHT, ALL), "7/1A", "3020", "16GT"), True),
    "attackers may stand in one": (
        lambda: (
            not list(
                attacker_objections(b := a_board(FIGHT, ALL, nuclear=["3019"]), unit(b, "16GT"), "3020", Side.WP)
            )
        ),
        True,
    ),
    "a hex is not struck twice in a segment": (
        lambda: bool(list(nuclear_objections(a_board(FIGHT, ALL), Side.WP, "3020", ["3020"]))),
        True,
    ),
    "but again in a later one": (
        lambda: bool(list(nuclear_objections(a_board(FIGHT, ALL, nuclear=["3020"]), Side.WP, "3020", []))),
        False,
    ),
    "the Vistula is not for the Warsaw Pact": (
        lambda: bool(list(nuclear_objections(a_board({}, ALL), Side.WP, "vistula", []))),
        True,
    ),
    "nor twice for NATO": (
        lambda: bool(
            list(nuclear_objections(a_board({}, ALL, vistula=True, side=Side.NATO), Side.NATO, "vistula", []))
        ),
        True,
    ),
    "no airfield after the segment of the first strike": (
        lambda: bool(
            list(
                nuclear_objections(
                    a_board({}, ALL, first_nuclear=1, nuclear_count={Side.WP: 1}), Side.WP, "airfield", []
                )
            )
        ),
        True,
    ),
    # 25.7 with 21 and 22: retreats
    "a retreat avoids a struck hex while there is another way": (
        lambda: ways(a_board({"3019": "16GT", "3020": "22/1A"}, ALL, nuclear=["3021"]), "22/1A", 1),
        {"2921", "3121"},
    ),
    "and takes one if the others are next to an enemy": (
        lambda: ways(
            a_board({"3019": "16GT 21", "2920": "94G", "3120": "P5T", "3020": "22/1A"}, ALL, nuclear=["3021"]),
            "22/1A",
            1,
        ),
        {"3021"},
    ),
    # 10 supply with nuclear, surrender, cities, zones
    "a link runs through a struck hex": (
        lambda: bool(movement_source(b := a_board({"3220": "1/1PZ"}, ALL, nuclear=["3120"]), unit(b, "1/1PZ"))),
        True,
    ),
    "a British brigade in Germany moves by German cities": (
        lambda: bool(movement_source(b := a_board({"3220": "22/1A"}, ALL), unit(b, "22/1A"))),
        True,
    ),
    "but fights by its headquarters only": (
        lambda: bool(combat_source(b := a_board({"3220": "22/1A"}, ALL), unit(b, "22/1A"))),
        False,
    ),
    "which is near": (
        lambda: bool(combat_source(b := a_board({"3220": "22/1A", "3222": "BR-I"}, ALL), unit(b, "22/1A"))),
        True,
    ),
    "a suppressed one supplies": (
        lambda: bool(combat_source(b := a_board({"3220": "22/1A", "3222": "BR-I!"}, ALL), unit(b, "22/1A"))),
        True,
    ),
    "an unsupplied one does not": (
        lambda: bool(
            combat_source(
                b := marked(a_board({"3220": "22/1A", "3222": "BR-I"}, ALL), "BR-I", supplied=False), unit(b, "22/1A")
            )
        ),
        False,
    ),
    "another nation's does not": (
        lambda: bool(combat_source(b := a_board({"3220": "22/1A", "3222": "BE-I"}, ALL), unit(b, "22/1A"))),
        False,
    ),
    "a German brigade fights by its own cities": (
        lambda: bool(combat_source(b := a_board({"3220": "1/1PZ"}, ALL), unit(b, "1/1PZ"))),
        True,
    ),
    "the Warsaw Pact in Germany needs its front": (
        lambda: bool(movement_source(b := a_board({"3220": "16GT"}, ALL, conquered=HELD), unit(b, "16GT"))),
        False,
    ),
    "a division is not supplied by another front": (
        lambda: bool(
            movement_source(b := a_board({"3117": "16GT", "3116": "SEGF"}, ALL, conquered=HELD), unit(b, "16GT"))
        ),
        False,
    ),
    "Hamburg supplies itself, alone in the world": (
        lambda: (
            {"2416", "2417"}
            <= set(
                free_cities_in_supply(
                    a_board({"2415": "16GT", "2516": "21", "2418": "94G", "2315": "P5T", "2317": "P6"}, ALL),
                    Side.NATO,
                )
            )
        ),
        True,
    ),
    "West Berlin supplies its garrison": (
        lambda: bool(combat_source(b := a_board({"3007": "US-Berlin"}, ALL), unit(b, "US-Berlin"))),
        True,
    ),
    "and nobody else": (
        lambda: bool(
            movement_source(b := a_board({"3007": "1/1PZ", "3006": "16GT", "3008": "21"}, ALL), unit(b, "1/1PZ"))
        ),
        False,
    ),
    "a British headquarters traces to a port": (
        lambda: hq_traces(b := a_board({"3222": "BR-I"}, ALL), unit(b, "BR-I")),
        True,
    ),
    # 28.1 what keeps a unit out of reserve, in combination
    "in gas nobody is placed in reserve": (
        lambda: placed(a_board({"3020": "16GT"}, ALL, conquered=HELD, **GAS), "16GT"),
        False,
    ),
    "in a struck hex neither": (
        lambda: placed(a_board({"3020": "16GT"}, ALL, conquered=HELD, nuclear=["3020"]), "16GT"),
        False,
    ),
    "nor without movement supply": (
        lambda: placed(marked(a_board({"3116": "16GT"}, ALL, conquered=HELD), "16GT", ms_out=True), "16GT"),
        False,
    ),
    "nor beside an enemy without a zone of control": (
        lambda: placed(
            marked(
                a_board({"3116": "16GT", "3117": "7/1A"}, ALL, conquered={"3115": Side.WP}), "7/1A", train="entrained"
            ),
            "16GT",
        ),
        False,
    ),
    "nor disrupted": (lambda: placed(a_board({"3114": "16GT!"}, ALL, conquered=HELD), "16GT"), False),
    "behind the front it is": (lambda: placed(a_board({"3112": "16GT"}, ALL, conquered=HELD), "16GT"), True),
    # 32 surrender with supply
    "a West German brigade in the Netherlands moves by Dutch cities": (
        lambda: bool(movement_source(b := a_board({"3128": "1/1PZ"}, ALL), unit(b, "1/1PZ"))),
        True,
    ),
    "not after the Netherlands have surrendered, though Germany is near": (
        lambda: bool(movement_source(b := a_board({"3128": "1/1PZ"}, ALL, surrendered=["NL"]), unit(b, "1/1PZ"))),
        False,
    ),
    # 28.2 in the Reserve Phase
    "reserves cannot march": (
        lambda: legal(
            in_reserve(a_board({"3112": "16GT"}, ALL, conquered=HELD), "16GT"), "16GT", "3113", "march", reserve=True
        ),
        False,
    ),
    "and units without the marker do not move": (
        lambda: legal(a_board({"3112": "16GT"}, ALL, conquered=HELD), "16GT", "3113", "tactical", reserve=True),
        False,
    ),
}


def placed(board: Board, id: str) -> bool:
    """28.1 Return whether a unit that has not moved may be placed in reserve."""
    orders = {"moves": [{"unit": id, "reserve": True}]}
    try:
        NatoRules(ALL).check(board.state, an_ask(MovePhase, "wp"), orders)
    except Refusal as refusal:
        assert any(rule in str(refusal) for rule in ("28.1", "12.6", "12.5.1")), refusal
        return False
    return True


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_of_the_lawyer(question: str) -> None:
    ask, answer = QUESTIONS[question]
    assert ask() == answer
