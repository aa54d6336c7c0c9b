"""A fourth set of rules-lawyer questions: the end of the war, gas, nuclear strikes, borders and moving armies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from titles.nato.builders import a_battle, a_board, a_data, a_table, board_on, done, unit

from pbem.engine.rules.refusals import Objection
from pbem.titles.nato.air.helicopters import flak_in
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.eligibility import response_objections, support_objections
from pbem.titles.nato.map.grid import neighbours
from pbem.titles.nato.movement.lift import intercept, section
from pbem.titles.nato.movement.moves import points, walk
from pbem.titles.nato.movement.positions import gdp_objections
from pbem.titles.nato.movement.rail import flip_trains, rail_objections
from pbem.titles.nato.nuclear.atomic import armageddon, modifiers, strike_target, war_crime
from pbem.titles.nato.nuclear.chemicals import chemical_objections, chemical_segment
from pbem.titles.nato.player.orders import Chemical
from pbem.titles.nato.reinforcements.activation import activate_gdp, activate_invaded, activate_nation
from pbem.titles.nato.sequence import points_received, turn_end
from pbem.titles.nato.supply.cities import city_in_supply
from pbem.titles.nato.supply.links import ferry_open, may_pass
from pbem.titles.nato.surrender import apply_surrender, czech_surrender, judge_recovery, judge_surrender
from pbem.titles.nato.victory import forward_defense, nato_points, wp_points
from pbem.titles.nato.zones.coordination import attack_objections, defending_groups

WP, NATO = Side.WP, Side.NATO
ALL = a_data(
    "rail", "ferry", "lift", "helicopters", "chemical", "nuclear", "interdiction", "surrender", "activation",
    "border", "refugees", "reforger",
)  # fmt: skip
LIFTS: dict[str, Any] = {"lift_ready": {side: {"air": 3, "helicopter": 2, "sea": 3} for side in Side}}
BORDER = "3114"
RHINE = ("4626", "4623", "4620", "4421", "4420", "4220", "4416", "4726", "4821", "3618", "3813")
CUT_OFF = {"3216": "16GT", "3217": "21", "3116": "94G", "3118": "E8", "3017": "25T", "3016": "P5T"}
"""Six divisions around Hannover, which cut the city off."""
DANISH = {"1310": WP, "1015": WP, "1415": WP}
"""Copenhagen, Aarhus and Odense in the hands of the Warsaw Pact: four points."""
GAS: dict[str, Any] = {"first_use": 2, "chemical_points": {WP: 5, NATO: 5}, "tactical": {WP: 5, NATO: 5}}


def rules_of(objections: Iterable[Objection]) -> set[str]:
    return {found.rule for found in objections}


def ended(dice: list[int], side: Side, weight: int, counts: Mapping[Side, int]) -> str:
    """21.2 Return the winner by the Armageddon roll after a strike, or an empty text if the war continues."""
    table = a_table({}, dice, ALL, nuclear_count=dict(counts))
    armageddon(table, board_on(table), side, weight)
    assert not table.chance.dice  # type: ignore[attr-defined]
    return str(table.state.outcome.winner) if table.state.outcome else ""


def crimes(*strikes: tuple[Side, str], **state: Any) -> tuple[int, int]:
    """34.4 Return the points of both sides after strikes on cities."""
    table = a_table({}, (), ALL, **state)
    for side, hex in strikes:
        war_crime(table, board_on(table), side, hex)
    return table.state.points.get(WP, 0), table.state.points.get(NATO, 0)


def struck(units: Mapping[str, str], hex: str, dice: list[int], **state: Any) -> set[str]:
    """21.1.1 Return the units left after a Warsaw Pact nuclear strike, when NATO has already struck more often."""
    table = a_table(units, dice, ALL, nuclear_count={NATO: 9}, **state)
    strike_target(table, board_on(table), WP, hex)
    return {piece.id for piece in table.state.pieces.values() if piece.at == hex}


def gas(side: Side, *orders: Chemical, units: Mapping[str, str] | None = None, **state: Any) -> set[str]:
    board = a_board(units or {"3019": "16GT", "3020": "22/1A"}, ALL, **{**GAS, **state})
    return rules_of(chemical_objections(board, side, orders))


def surrender(conquered: Mapping[str, Side], units: Mapping[str, str] | None = None, **state: Any) -> Board:
    """32 Return the board after the end of a turn and the next Joint Status Phase."""
    table = a_table(units or {}, (), ALL, conquered=dict(conquered), **state)
    judge_surrender(table, board_on(table))
    apply_surrender(table, board_on(table))
    return board_on(table)


def outcome(units: Mapping[str, str], **state: Any) -> tuple[str | None, str]:
    """34 Return the winner and the rule at the end of turn 5; the rule is empty if the match continues."""
    data = a_data("surrender")
    table = a_table(units, (), data, **{"turn": 5, **state})
    done(turn_end(table))
    found = table.state.outcome
    return (None, "") if found is None else (found.winner, found.rule)


def first_day(units: Mapping[str, str], **state: Any) -> Board:
    return a_board(units, ALL, turn=1, **state)


def cost(board: Board, id: str, path: str, **more: bool) -> int:
    found = walk(board, unit(board, id), path.split(), "tactical", **more)
    assert not found.objections, found.objections
    return found.spent


def marked(board: Board, id: str, **marks: Any) -> Board:
    for name, value in marks.items():
        setattr(unit(board, id).piece, name, value)
    board.refresh(unit(board, id))
    return board


def asleep(id: str, units: Mapping[str, str], side: Side) -> Board:
    """35.2 Return a board on which a unit is not activated."""
    return marked(a_board(units, ALL, side=side), id, active=False)


def intercepted(dice: list[int], id: str, end: str, mode: str, units: Mapping[str, str], **state: Any) -> int:
    table = a_table(units, dice, ALL, **{"turn": 3, **LIFTS, **state})
    lost = intercept(table, board_on(table), unit(board_on(table), id), end, mode)
    assert not table.chance.dice  # type: ignore[attr-defined]
    return lost


def trains(units: str, side: Side, *first: str) -> list[str]:
    """13.3 Return the units that find room if all of these, in the reserve box, are to be entrained."""
    board = a_board({"srb": units}, ALL, side=side)
    for id in units.split():
        unit(board, id).piece.train = "entraining"
    return flip_trains(board, side, first)


def gdp(id: str, path: str, mode: str, die: int, **more: bool) -> tuple[int, set[str]]:
    board = a_board({"3218": id}, ALL, turn=0, side=NATO, gdp_army=str(a_data().units[id].nation), gdp_limit=die)
    one = unit(board, id)
    return points(board, one, mode), rules_of(gdp_objections(board, one, path.split(), mode, **more))


def active(units: Mapping[str, str], call: Callable[[Any, Board], None], **state: Any) -> set[str]:
    """35.2 Return the units that are active after an event; no unit was active before."""
    table = a_table(units, (), ALL, **state)
    for piece in table.state.pieces.values():
        piece.active = False
    call(table, board_on(table))
    return {piece.id for piece in table.state.pieces.values() if piece.active}


QUESTIONS: dict[str, tuple[Callable[[], object], object]] = {
    # --- 21.2 Armageddon --------------------------------------------------------------------------------------
    "a first strike ends the world on a 1": (lambda: ended([1], WP, 1, {}), "nato"),
    "and not on a 2": (lambda: ended([2], WP, 1, {}), ""),
    "the fifth own strike on a 5, whatever the enemy's four": (lambda: ended([5], NATO, 1, {NATO: 4, WP: 4}), "wp"),
    "an answer in kind is free": (lambda: ended([], NATO, 1, {NATO: 0, WP: 1}), ""),
    "also the second for the second": (lambda: ended([], NATO, 1, {NATO: 1, WP: 2}), ""),
    "the Vistula after one strike loses on a 4": (lambda: ended([4], NATO, 3, {NATO: 1, WP: 3}), "wp"),
    "and is free against four": (lambda: ended([], NATO, 3, {NATO: 1, WP: 4}), ""),
    "the Vistula counts three for the Warsaw Pact's answer too": (lambda: ended([], WP, 1, {WP: 2, NATO: 3}), ""),
    # --- 34.4, 21.6, 22.5 war crimes --------------------------------------------------------------------------
    "Hamburg struck by the Warsaw Pact gives NATO three points": (lambda: crimes((WP, "2417")), (0, 3)),
    "once, though NATO strikes it again": (lambda: crimes((WP, "2417"), (NATO, "2417")), (0, 3)),
    "both hexes of Hamburg count": (lambda: crimes((WP, "2417"), (WP, "2416")), (0, 6)),
    "a conqueror who burns his own city uses the hex up": (
        lambda: crimes((WP, "3117"), (NATO, "3117"), conquered={"3117": WP}),
        (0, 0),
    ),
    "a small city is worth one, an open field nothing": (lambda: crimes((WP, "3120"), (WP, "3020")), (0, 1)),
    # --- 21.1 strikes on hexes --------------------------------------------------------------------------------
    "trains burn without a die": (
        lambda: struck_with_train(),
        {"7/1A"},
    ),
    "a headquarters is suppressed and not lost": (lambda: struck({"3020": "BR-I"}, "3020", [6]), {"BR-I"}),
    "a major city takes one off the die": (
        lambda: sum(value for _, value in modifiers(a_board({}, a_data("nuclear"), turn=1), WP, "3117")),
        -1,
    ),
    "a struck free city still stops an enemy link": (
        lambda: may_pass(a_board({}, ALL, nuclear=["3117"]), "3117", WP),
        False,
    ),
    "and is open to it once it is conquered": (
        lambda: may_pass(a_board({}, ALL, nuclear=["3117"], conquered={"3117": WP}), "3117", WP),
        True,
    ),
    "a struck city covers no helicopter against a division beside it": (
        lambda: flak_in(a_board({"3217": "16GT"}, ALL, nuclear=["3117"]), "3117", NATO),
        1,
    ),
    "an unstruck one does": (lambda: flak_in(a_board({"3217": "16GT"}, ALL), "3117", NATO), 0),
    # --- 22 gas -----------------------------------------------------------------------------------------------
    "NATO does not begin it": (lambda: "22.0" in gas(NATO, Chemical("3019"), first_use=0), True),
    "NATO's tactical strike needs an air point": (
        lambda: gas(NATO, Chemical("3019"), tactical={NATO: 0}) & {"22.2.2"},
        {"22.2.2"},
    ),
    "its artillery needs a US unit beside the target": (
        lambda: "22.2.2" in gas(NATO, Chemical("3019", delivery="artillery")),
        True,
    ),
    "a US brigade will do": (
        lambda: gas(NATO, Chemical("3019", delivery="artillery"), units={"3019": "16GT", "3020": "2/3A"}),
        set(),
    ),
    "a US headquarters will not": (
        lambda: gas(NATO, Chemical("3019", delivery="artillery"), units={"3019": "16GT", "3020": "US-V"}),
        {"22.2.2"},
    ),
    "nor against an empty hex": (
        lambda: gas(NATO, Chemical("3021", delivery="artillery"), units={"3020": "2/3A"}),
        {"22.2.2"},
    ),
    "the Warsaw Pact has one operational strike, airfields included": (
        lambda: gas(WP, Chemical("airfield", delivery="operational"), Chemical("4832", delivery="operational")),
        {"22.2"},
    ),
    "which reaches France, where a tactical one does not": (
        lambda: (gas(WP, Chemical("4832", delivery="operational")), gas(WP, Chemical("4832"))),
        (set(), {"22.2.1"}),
    ),
    "two strikes on one hex are refused": (
        lambda: bool(gas(WP, Chemical("3020"), Chemical("3020"))),
        True,
    ),
    "five points do not pay for six": (
        lambda: "22.1" in gas(WP, *(Chemical(hex) for hex in ("3020", "3021", "3121", "2921", "2920", "3119"))),
        True,
    ),
    "gas over an own persistent cloud leaves it persistent": (
        lambda: clouds([6], Chemical("3020", persistent=False), {"3020": {WP: True}}),
        {"3020": {WP: True}},
    ),
    "a persistent cloud goes on a 1": (lambda: clouds([1], None, {"3020": {WP: True}}), {}),
    "the enemy's cloud stays with the enemy's die": (
        lambda: clouds([], None, {"3020": {NATO: True}}),
        {"3020": {NATO: True}},
    ),
    "a train leaves a cloud or arrives in one, and does not leave a nuclear hex": (
        lambda: (
            rails(chemical={"3609": {NATO: True}}),
            rails(chemical={"3706": {NATO: True}}),
            rails(nuclear=["3609"]),
        ),
        (True, True, False),
    ),
    # --- 35.5, 35.6, 35.7 the first day -----------------------------------------------------------------------
    "on the first day NATO's zones stop at the border": (
        lambda: first_day({BORDER: "1/1PZ"}).ezoc(across(BORDER), WP),
        False,
    ),
    "on the second they do not": (lambda: a_board({BORDER: "1/1PZ"}, ALL, turn=2).ezoc(across(BORDER), WP), True),
    "nor in NATO's own turn of the first day": (
        lambda: first_day({BORDER: "1/1PZ"}, side=NATO).ezoc(across(BORDER), WP),
        True,
    ),
    "so helicopters of the Warsaw Pact meet no flak on their side": (
        lambda: flak_in(first_day({BORDER: "1/1PZ"}), across(BORDER), WP),
        0,
    ),
    "and its links run along the border": (
        lambda: may_pass(first_day({BORDER: "1/1PZ"}), across(BORDER), WP),
        True,
    ),
    # --- 32 surrender -----------------------------------------------------------------------------------------
    "Denmark gives up at four points": (lambda: surrender(DANISH).state.surrendered, ["DK"]),
    "not at three": (lambda: surrender({"1310": WP, "1015": WP}).state.surrendered, []),
    "its cities fall, but for one that a German brigade holds": (
        lambda: [surrender(DANISH, {"1420": "16/6"}).state.conquered[hex] for hex in ("0616", "1420")],
        [WP, NATO],
    ),
    "which has no strength of its own left": (
        lambda: surrender(DANISH, {"1420": "16/6"}).free_city("1420", NATO),
        False,
    ),
    "its troops are gone, also from the sea": (
        lambda: set(surrender(DANISH, {"1420": "16/6", "0616": "1/Jut", "srb": "2/Zee"}).units),
        {"16/6"},
    ),
    "the ferry changes hands": (
        lambda: (ferry_open(surrender(DANISH), WP), ferry_open(surrender(DANISH), NATO)),
        (True, False),
    ),
    "Danish cities may all be won back, and are free again": (
        lambda: restored(dict.fromkeys(("0616", "1015", "1310", "1415", "1420"), NATO)),
        ([], {}),
    ),
    "one still missing keeps the country down": (
        lambda: restored({**dict.fromkeys(("0616", "1015", "1310", "1415"), NATO), "1420": WP})[0],
        ["DK"],
    ),
    "both countries gone cost NATO a point, also after one is free again": (
        lambda: points_received(a_board({}, ALL, surrendered=["NL"], surrendered_ever=["DK", "NL"]), NATO, 7),
        6,
    ),
    "one alone does not": (
        lambda: points_received(a_board({}, ALL, surrendered=["DK"], surrendered_ever=["DK", "DK"]), NATO, 7),
        7,
    ),
    # --- 34 victory -------------------------------------------------------------------------------------------
    "West Berlin conquered scores two and spares forward defense": (
        lambda: (wp_points(b := a_board({}, ALL, conquered={"3007": WP})), forward_defense(b)),
        (2, True),
    ),
    "held, it is worth two to NATO": (lambda: nato_points(a_board({}, ALL)), 2),
    "one city of the Warsaw Pact does not end the war": (
        lambda: outcome({}, conquered={"3212": NATO}),
        (None, ""),
    ),
    "two do": (lambda: outcome({}, conquered={"3212": NATO, "3108": NATO}), ("nato", "34.1.2.1")),
    "a division over the Rhine in supply wins": (
        lambda: outcome({"4826": "16GT", "4824": "NEGF"}, conquered=dict.fromkeys(RHINE, WP)),
        ("wp", "34.1.1"),
    ),
    "airborne troops do not": (
        lambda: outcome({"4826": "97", "4824": "NEGF"}, conquered=dict.fromkeys(RHINE, WP)),
        (None, ""),
    ),
    "nor a division without its front": (
        lambda: outcome({"4826": "16GT"}, conquered=dict.fromkeys(RHINE, WP)),
        (None, ""),
    ),
    "if both sides win at once nobody does": (
        lambda: outcome(
            {"4826": "16GT", "4824": "NEGF"}, conquered={**dict.fromkeys(RHINE, WP), "3212": NATO, "3108": NATO}
        )[0],
        None,
    ),
    "Prague falls to tanks in supply": (
        lambda: czech_surrender(a_board({"4203": "2/3A", "4304": "US-VII"}, ALL, conquered={"4203": NATO})),
        True,
    ),
    "not to a unit cut off from its headquarters": (
        lambda: in_prague({"4203": "2/3A"}),
        False,
    ),
    # --- 35.3 to the battle positions -------------------------------------------------------------------------
    "a die of 4 shortens the way": (lambda: gdp("1/1PZ", "3217", "tactical", 4)[0], 4),
    "a die of 6 does not lengthen it": (lambda: gdp("22/1A", "3217", "tactical", 6)[0], 5),
    "towards the border is allowed, away is not": (
        lambda: (gdp("1/1PZ", "3217", "tactical", 6)[1], gdp("1/1PZ", "3219", "tactical", 6)[1]),
        (set(), {"35.3.6"}),
    ),
    "neither march nor reserve": (
        lambda: gdp("1/1PZ", "3217", "march", 6, reserve=True)[1],
        {"35.3.2"},
    ),
    "the plan calls everybody in Germany but the French and Berlin": (
        lambda: active({"3218": "22/1A", "4623": "FR-12/3", "3007": "US-Berlin", "3128": "NL-11/1"}, activate_gdp),
        {"22/1A"},
    ),
    # --- 35.2.1 activation ------------------------------------------------------------------------------------
    "a blow at the French in Berlin wakes nobody": (
        lambda: active(
            {"3007": "FR-Berlin", "4828": "1DB"}, lambda table, board: activate_nation(table, board, "3007", WP)
        ),
        set(),
    ),
    "a drop into France wakes France at NATO's next turn": (
        lambda: active(
            {"4828": "1DB", "3128": "NL-11/1"},
            lambda table, board: activate_invaded(table, board, NATO),
            invaded=["FR"],
        ),
        {"1DB"},
    ),
    "a strike on Germans in Holland wakes the Dutch": (
        lambda: active(
            {"3126": "1/1PZ", "3128": "NL-11/1"}, lambda table, board: activate_nation(table, board, "3126", WP)
        ),
        {"NL-11/1"},
    ),
    # --- 17 interception --------------------------------------------------------------------------------------
    "a six over enemy country gets through": (
        lambda: intercepted([3, 3], "97", "3323", "drop", {"srb": "97"}),
        0,
    ),
    "beside an enemy brigade a six does not": (
        lambda: intercepted([3, 3], "97", "3323", "drop", {"srb": "97", "3322": "22/1A"}),
        1,
    ),
    "a lift in friendly skies is rolled for as contested": (
        lambda: section(b := a_board({"srb": "5Para"}, ALL, side=NATO, **LIFTS), unit(b, "5Para"), "3232", "lift"),
        "contested",
    ),
    # --- 13.3 railways ----------------------------------------------------------------------------------------
    "four divisions fill the railways of the Warsaw Pact, those first that are to go": (
        lambda: trains("P1 P2 P3 P4 P8", WP, "P8"),
        ["P8", "P1", "P2", "P3"],
    ),
    "two seats share them as one side does": (lambda: len(trains("P1 E1 16GT 10GT 12GT", WP)), 4),
    # --- 26 coordination --------------------------------------------------------------------------------------
    "of three nations two defend": (
        lambda: nations_defending(a_board({"3020": "22/1A 1/1PZ 2/3A"}, ALL)),
        2,
    ),
    "a nation joins one attack of two nations a turn": (
        lambda: bool(
            list(
                attack_objections(
                    b := a_board({"3019": "22/1A", "3119": "1/1PZ"}, ALL, side=NATO, multinational=["UK"]),
                    NATO,
                    [unit(b, "22/1A"), unit(b, "1/1PZ")],
                )
            )
        ),
        True,
    ),
    "two nations do not attack out of one hex": (
        lambda: bool(
            list(
                attack_objections(
                    b := a_board({"3019": "22/1A 1/1PZ"}, ALL, side=NATO), NATO, [unit(b, "22/1A"), unit(b, "1/1PZ")]
                )
            )
        ),
        True,
    ),
    "a Pole and an East German of two fronts do not attack together": (
        lambda: bool(list(together(a_board({"3019": "16GT", "3119": "P5T"}, ALL), "16GT", "P5T"))),
        True,
    ),
    "in the BALTAP zone they do": (
        lambda: bool(list(together(a_board({"1818": "16GT", "1918": "P5T"}, ALL), "16GT", "P5T"))),
        False,
    ),
    # --- 23.8, 12.4, 28 interdiction, marches and reserves -----------------------------------------------------
    "interdiction costs a point in each hex": (
        lambda: (
            cost(a_board({"3212": "16GT"}, ALL, interdiction={NATO: ["3211"]}), "16GT", "3211")
            - cost(a_board({"3212": "16GT"}, ALL), "16GT", "3211")
        ),
        1,
    ),
    "one's own does not": (
        lambda: (
            cost(a_board({"3212": "16GT"}, ALL, interdiction={WP: ["3211"]}), "16GT", "3211")
            - cost(a_board({"3212": "16GT"}, ALL), "16GT", "3211")
        ),
        0,
    ),
    "through a breakthrough a reserve pays for interdiction, not for zones": (
        lambda: reserve_cost(interdiction={NATO: ["3020"]}) - reserve_cost(),
        1,
    ),
    # --- 10, 11 supply and the sky ----------------------------------------------------------------------------
    "a city cut off is out of supply": (lambda: city_in_supply(a_board(CUT_OFF, ALL), "3117"), False),
    "a headquarters not activated supplies but does not support": (
        lambda: bool(
            list(
                support_objections(
                    b := asleep("BR-I", {"3019": "22/1A", "3020": "16GT", "3021": "BR-I"}, NATO),
                    unit(b, "BR-I"),
                    a_battle(b, "3020", "22/1A", side=NATO),
                )
            )
        ),
        True,
    ),
    "a unit not activated does not respond": (
        lambda: bool(
            list(
                response_objections(
                    b := asleep("7/1A", {"3019": "16GT", "3020": "22/1A", "3021": "7/1A"}, WP),
                    unit(b, "7/1A"),
                    a_battle(b, "3020", "16GT"),
                )
            )
        ),
        True,
    ),
}


def struck_with_train() -> set[str]:
    """13.4.3 One brigade is on a train; a die is rolled for the other brigade, and a 1 has no effect."""
    table = a_table({"3020": "22/1A 7/1A"}, [1], ALL, nuclear_count={NATO: 9})
    table.state.pieces["22/1A"].train = "entrained"
    strike_target(table, board_on(table), WP, "3020")
    return {piece.id for piece in table.state.pieces.values()}


def in_prague(units: Mapping[str, str]) -> bool:
    return czech_surrender(a_board(units, ALL, conquered={"4203": NATO}))


def together(board: Board, *ids: str) -> Iterable[Objection]:
    return attack_objections(board, WP, [unit(board, id) for id in ids])


def nations_defending(board: Board) -> int:
    groups = defending_groups(board, NATO, board.at("3020", NATO))
    return max(len({one.card.nation for one in group}) for group in groups)


def clouds(dice: list[int], order: Chemical | None, before: Mapping[str, Any]) -> dict[str, Any]:
    """22.2.5, 22.2.6 Return the markers after a Warsaw Pact Chemical Strike Segment."""
    table = a_table({}, dice, ALL, **{**GAS, "chemical": {hex: dict(sides) for hex, sides in before.items()}})
    chemical_segment(table, board_on(table), WP, [order] if order else [])
    assert not table.chance.dice  # type: ignore[attr-defined]
    return dict(table.state.chemical)


def rails(**state: Any) -> bool:
    """13.2 Return whether a train can get from Leipzig to Dresden."""
    board = marked(a_board({"3609": "16GT"}, ALL, **state), "16GT", train="entrained")
    return not list(rail_objections(board, unit(board, "16GT"), "3706"))


def across(hex: str) -> str:
    """Return the hex across the Iron Curtain from this one."""
    atlas = a_data().atlas
    return next(near for near in neighbours(hex) if near in atlas.places and atlas.hexside(hex, near).iron_curtain)


def restored(conquered: Mapping[str, Side]) -> tuple[list[str], dict[str, Side]]:
    table = a_table({}, (), ALL, conquered=dict(conquered), surrendered=["DK"])
    judge_recovery(table, board_on(table))
    return table.state.surrendered, table.state.conquered


def reserve_cost(**state: Any) -> int:
    board = a_board({"3019": "16GT", "3121": "22/1A"}, ALL, breakthrough=["3020"], **state)
    return cost(marked(board, "16GT", reserve=True), "16GT", "3020", reserve=True)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_of_the_lawyer(question: str) -> None:
    ask, answer = QUESTIONS[question]
    assert ask() == answer
