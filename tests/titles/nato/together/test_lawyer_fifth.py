"""A fifth set of rules-lawyer questions, on rules that meet in one hex; answers worked out from the rulebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from titles.nato.builders import a_battle, a_board, a_data, a_table, board_on, done, played, unit
from titles.nato.together.test_lawyer_fourth import ALL, LIFTS, NATO, WP, gas, marked, rules_of, surrender

from pbem.titles.nato.air.helicopters import flak_in, flight
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.advance import advance_objections, second_hexes, stacking_objections
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.combat.eligibility import attacker_objections, commit_objections, response_objections
from pbem.titles.nato.combat.losses import disrupt
from pbem.titles.nato.combat.odds import envelopment
from pbem.titles.nato.combat.retreat import legal_ways
from pbem.titles.nato.map.grid import neighbours
from pbem.titles.nato.movement.lift import air_ferry_objections, intercept
from pbem.titles.nato.movement.moves import walk
from pbem.titles.nato.movement.phase import make_moves
from pbem.titles.nato.movement.segments import order_objections
from pbem.titles.nato.nuclear.chemicals import chemical_segment
from pbem.titles.nato.player.orders import Chemical, Commit, Move, Retreat
from pbem.titles.nato.reinforcements.arrivals import bring_in, hq_places
from pbem.titles.nato.reinforcements.reforger import call_up, overrun_sites, waiting_sites
from pbem.titles.nato.sequence import end_markers, mark_cleared_hex, turn_end
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.supply.headquarters import hq_traces
from pbem.titles.nato.supply.links import distances, may_pass
from pbem.titles.nato.supply.phases import movement_supply
from pbem.titles.nato.supply.units import combat_source, movement_source
from pbem.titles.nato.victory import relieves
from pbem.titles.nato.zones.airspace import airspace
from pbem.titles.nato.zones.coordination import attack_objections, multinational

SURPRISE = a_data("surprise", "border")
DANISH_CITIES = ("0616", "1015", "1310", "1415", "1420")
ON_TRAIN = {"train": "entrained"}


def on_map(units: Mapping[str, str], side: Side = WP, **state: Any) -> Board:
    return a_board(units, ALL, side=side, **state)


def objections_to_move(board: Board, id: str, mode: str, *path: str, reserve: bool = False) -> set[str]:
    return rules_of(order_objections(board, unit(board, id), Move(id, path, mode), reserve=reserve))


def walked(board: Board, id: str, *path: str, mode: str = "tactical") -> tuple[int, set[str]]:
    """28.2.1 Return the cost of a reserve's path and the rules that forbid it."""
    found = walk(marked(board, id, reserve=True), unit(board, id), path, mode, reserve=True)
    return found.spent, rules_of(found.objections)


def landed(dice: list[int], *moves: Move, units: Mapping[str, str], **state: Any) -> NatoState:
    """15 to 17 Return the state after a Warsaw Pact Movement Phase with these moves."""
    table = a_table(units, dice, ALL, **{"turn": 3, **LIFTS, **state})
    make_moves(table, board_on(table), moves)
    assert not table.chance.dice  # type: ignore[attr-defined]
    return table.state


def fought(
    units: Mapping[str, str],
    objective: str,
    attackers: str,
    dice: list[int],
    state: Mapping[str, Any],
    **answers: Any,
) -> NatoState:
    """25.1 Return the state after one battle of the Warsaw Pact."""
    table = a_table(units, dice, battles=[objective], **state)
    played(table, battle_cycle(table, Commit(objective, tuple(attackers.split()))), **answers)
    return table.state


def cleared(side: Side, units: Mapping[str, str], hex: str, *inside: str) -> Board:
    """27.2 Return the board after strikes have killed the last enemy in an assaulted hex."""
    table = a_table(units, (), ALL, side=side, assaults=list(inside), battles=[hex])
    mark_cleared_hex(table, board_on(table), hex)
    return board_on(table)


def joining(board: Board, side: Side, objective: str, *ids: str) -> set[str]:
    return rules_of(commit_objections(board, side, objective, [unit(board, id) for id in ids]))


def arrived(id: str, code: Arrival, **state: Any) -> tuple[bool, bool]:
    """33.2 Return whether a reinforcement is in play, and whether it is lost."""
    table = a_table({}, (), ALL, side=NATO, awaited=[id], **state)
    bring_in(table, board_on(table), code, {})
    return id in table.state.pieces, id in table.state.lost


def reserve_site() -> tuple[str, Arrival]:
    return "1ZBG", Arrival(turn=2, unit="1ZBG", code="RS1210")


def ring(hex: str, names: str) -> dict[str, str]:
    """Put units in every second hex around a hex."""
    return dict(zip(neighbours(hex)[::2], names.split(), strict=True))


def clouds_after(side: Side, dice: list[int]) -> dict[Side, bool]:
    """22.2.6 Return what remains of both sides' markers in one hex."""
    both = {"3020": {WP: True, NATO: True}}
    table = a_table({}, dice, ALL, side=side, first_use=1, chemical=both)
    chemical_segment(table, board_on(table), side, [])
    return table.state.chemical.get("3020", {})


def at_the_end(**state: Any) -> tuple[str | None, int, int]:
    """34.0 Return the winner and both scores when the last turn is over."""
    table = a_table({}, (), a_data("surrender"), turn=a_data().scenario.turns, side=NATO, **state)
    done(turn_end(table))
    assert table.state.outcome is not None
    score = table.state.outcome.score
    return table.state.outcome.winner, score["wp"], score["nato"]


def trained(board: Board, *ids: str) -> Board:
    for id in ids:
        marked(board, id, **ON_TRAIN)
    return board


def back(board: Board, id: str, length: int) -> list[tuple[str, ...]]:
    """25.7.4 Return the retreat paths of one unit."""
    return [way.path for way in legal_ways(board, [unit(board, id)], length)]


def onward(board: Board, id: str, objective: str) -> list[str]:
    """25.8.2 Return the hexes into which a unit that attacked alone could exploit."""
    return second_hexes(board, unit(board, id), a_battle(board, objective, id))


def responds(board: Board, id: str, objective: str, attacker: str) -> set[str]:
    """25.1.2 Return the rules that forbid a response."""
    return rules_of(response_objections(board, unit(board, id), a_battle(board, objective, attacker)))


def together(board: Board, *ids: str) -> tuple[list[str], set[str]]:
    """26.2 Return the nations in a multinational attack by these units, and the rules that forbid it."""
    units = [unit(board, id) for id in ids]
    return [str(one) for one in multinational(units)], rules_of(attack_objections(board, NATO, units))


def returns(hq: str, conquered: Mapping[str, Side]) -> tuple[bool, set[str]]:
    """29.8 Return whether a headquarters can return after a surrender, and where outside the BALTAP zone."""
    board = surrender(conquered)
    places = hq_places(board, board.data.units[hq])
    return bool(places), set(places) - set(board.atlas.baltap)


def supplied_by(board: Board, id: str) -> tuple[str, str]:
    """10.1.1 Return the sources of movement and combat supply."""
    return movement_source(board, unit(board, id)), combat_source(board, unit(board, id))


def after_supply(units: Mapping[str, str], id: str, **marks: Any) -> tuple[str, bool, int]:
    """10.5.1, 13.5 Return the Train and MS-out markers and the tactical allowance after a Movement Supply Segment."""
    table = a_table(units, (), ALL, side=NATO)
    board = marked(board_on(table), id, **marks)
    movement_supply(table, board, NATO)
    piece = table.state.pieces[id]
    return piece.train, piece.ms_out, walk(board, unit(board, id), (), "tactical").spent


def marked_after(**state: Any) -> tuple[dict[Side, list[str]], list[str]]:
    """23.8.2, 25.9.4 Return the Interdiction and Breakthrough markers after NATO's Reserve Phase."""
    table = a_table({}, (), ALL, side=NATO, **state)
    end_markers(table, NATO)
    return table.state.interdiction, table.state.breakthrough


def tired_reserve() -> bool:
    """25.6.4 Return whether a unit is still in reserve after being disrupted."""
    table = a_table({"3020": "16GT"}, (), ALL)
    board = marked(board_on(table), "16GT", reserve=True)
    disrupt(table, board, [unit(board, "16GT")], "25.6.4")
    return table.state.pieces["16GT"].reserve


def called_up(**state: Any) -> tuple[list[str], list[str]]:
    """33.3 Return the waiting sites and the units in play after NATO has called up both of two sites."""
    table = a_table(state.pop("units", {}), (), ALL, side=NATO, sites={"3/2A": "2928", "194A": "3128"}, **state)
    board = board_on(table)
    overrun_sites(table, board)
    call_up(table, board, [id for id in ("3/2A", "194A") if id in waiting_sites(board)])
    return sorted(table.state.sites), sorted(set(table.state.pieces) & {"3/2A", "194A"})


def drop_beside(enemy: str, side: Side, id: str, hex: str, dice: Sequence[int]) -> int:
    """17.1.2 Return the steps lost by a drop next to an enemy unit."""
    table = a_table({"srb": id, "3014": enemy}, dice, ALL, **{"turn": 3, "side": side, **LIFTS})
    return intercept(table, board_on(table), unit(board_on(table), id), hex, "drop")


def city_route() -> tuple[str, ...]:
    """25.1.8 Return the default path of helicopters: one roll over Hannover, or one on either of two longer paths."""
    board = on_map({"2918": "1/1PZ", "3318": "2/1PZ"})
    assert [flak_in(board, hex, WP) for hex in ("3117", "3118", "3016", "3017", "3216", "3217")] == [2, 0, 0, 1, 0, 1]
    return flight(board, WP, "3116", "3118", 3) or ()


def caught_on_train() -> tuple[bool, int, list[str]]:
    table = a_table({"3019": "16GT", "3020": "BR-I"}, (), battles=["3020"])
    trained(board_on(table), "BR-I")
    played(table, battle_cycle(table, Commit("3020", ("16GT",))), advance={"paths": {}})
    return "BR-I" in table.state.pieces, table.state.returning["BR-I"], table.state.breakthrough


def stood_in_assault() -> tuple[set[str], str, list[str]]:
    """A 1 at 4:1 gives A1/R1: the only brigade is given up to hold the hex, and one of the two
    regiments inside is lost."""
    units = {"3020": "22/1A 97 108", "3019": "16GT*"}
    state = fought(units, "3020", "97 108 16GT", [1], {"assaults": ["97", "108"]}, retreat=Retreat(trade=("22/1A",)))
    inside = {piece.id for piece in state.pieces.values() if piece.at == "3020"}
    return inside, state.pieces["16GT"].at, state.breakthrough


QUESTIONS: dict[str, tuple[Callable[[], object], object]] = {
    # --- 8, 10, 11 supply, zones, rivers and the sky ----------------------------------------------------------
    "8.5 a unit on a train has no zone of its own but opens its hex to a link": (
        lambda: may_pass(trained(on_map({"3020": "16GT", "3019": "22/1A"}, NATO), "22/1A"), "3019", NATO),
        True,
    ),
    "10.2.3 an enemy on a train stops a link": (
        lambda: may_pass(trained(on_map({"3020": "16GT"}, NATO), "16GT"), "3020", NATO),
        False,
    ),
    "13.4.1 and not in the hexes around it": (
        lambda: may_pass(trained(on_map({"3020": "16GT"}, NATO), "16GT"), "3019", NATO),
        True,
    ),
    "8.0 a border regiment without attack strength closes its own hex alone": (
        lambda: [may_pass(on_map({"3014": "Gr1"}, NATO), hex, NATO) for hex in ("3014", "3015")],
        [False, True],
    ),
    "10.2.3 a major river does not lengthen a link": (
        lambda: distances(on_map({}), WP, ["2918"], 1).get("2919"),
        1,
    ),
    "10.2.5 nor do gas and fire stop it": (
        lambda: distances(on_map({}, nuclear=["2918"], chemical={"2919": {NATO: True}}), WP, ["2918"], 1)["2919"],
        1,
    ),
    "10.3.3.4 beside a fallen West Berlin its brigade has nothing": (
        lambda: supplied_by(on_map({"3008": "US-Berlin"}, NATO, conquered={"3007": WP}), "US-Berlin"),
        ("", ""),
    ),
    "10.3.3.4 beside a free one it has both": (
        lambda: supplied_by(on_map({"3008": "US-Berlin"}, NATO), "US-Berlin"),
        ("West Berlin", "West Berlin"),
    ),
    "35.7 on the first day only inside the city": (
        lambda: [
            combat_source(b := a_board({hex: "US-Berlin"}, SURPRISE, turn=1), unit(b, "US-Berlin"))
            for hex in ("3007", "3008")
        ],
        ["West Berlin", ""],
    ),
    "10.1.8 a German brigade in East Germany lives on its headquarters alone": (
        lambda: [
            supplied_by(on_map(units, NATO), "1/1PZ")
            for units in ({"3112": "1/1PZ"}, {"3112": "1/1PZ", "3114": "WG-I"})
        ],
        [("", ""), ("WG-I", "WG-I")],
    ),
    "13.5 a train that is out of supply is left, and the unit may still walk": (
        lambda: after_supply({"3012": "1/1PZ", "3011": "16GT", "3013": "21"}, "1/1PZ", **ON_TRAIN),
        ("", True, 0),
    ),
    "11.5 a British brigade in supply near Berlin contests the sky over it": (
        lambda: [
            airspace(on_map({"3007": "US-Berlin", **more}, NATO), "3007", NATO)
            for more in ({}, {"3011": "22/1A", "3012": "BR-I"})
        ],
        ["enemy", "contested"],
    ),
    # --- 13 to 19 by rail, sea and air ------------------------------------------------------------------------
    "14.1.1 a friend in the city does not open it to an air ferry under enemy zones": (
        lambda: (
            "14.1.1"
            in rules_of(
                air_ferry_objections(
                    b := on_map({"3117": "27LL 1/1PZ", "3116": "16GT"}, NATO), unit(b, "27LL"), "3232"
                )
            )
        ),
        True,
    ),
    "21.1.3 nobody is lifted out of a nuclear strike hex": (
        lambda: (
            "16.1.1"
            in objections_to_move(on_map({"3117": "27LL"}, NATO, nuclear=["3117"], **LIFTS), "27LL", "lift", "3119")
        ),
        True,
    ),
    "16.1.3 beside a regiment without attack strength a drop is rolled for without the -1": (
        lambda: drop_beside("Gr1", NATO, "5Para", "3015", [3, 3]),
        0,
    ),
    "16.1.3 beside a division it is not": (lambda: drop_beside("16GT", NATO, "5Para", "3015", [3, 3]), 1),
    "16.2.4 the Baltic Corps stays, with its ships, if the marines are lost before it": (
        lambda: (
            (
                state := landed(
                    [1, 1], Move("336G", ("1314",), "land"), Move("BC", ("1314",), "land"), units={"srb": "336G BC"}
                )
            )
            .pieces["BC"]
            .at,
            state.lift_ready[WP]["sea"],
            "336G" in state.lost,
        ),
        ("srb", 2, True),
    ),
    "16.2.4 and follows them if they are not": (
        lambda: (
            landed(
                [6, 6, 6, 6],
                Move("336G", ("1314",), "land"),
                Move("BC", ("1314",), "land"),
                units={"srb": "336G BC"},
            )
            .pieces["BC"]
            .at
        ),
        "1314",
    ),
    "19.1.5 over its own assaulted hex NATO meets flak too": (
        lambda: [flak_in(on_map({"3020": "22/1A 97"}, assaults=landing), "3020", NATO) for landing in ([], ["97"])],
        [0, 1],
    ),
    "18.1.7 of ways with one roll of flak each the shortest is flown, though it leads over a city": (
        city_route,
        ("3117", "3118"),
    ),
    "28.2.2 reserves fly five hexes and not six": (
        lambda: [
            "18.1.5"
            in objections_to_move(
                marked(on_map({"3120": "27LL"}, NATO, **LIFTS), "27LL", reserve=True),
                "27LL",
                "fly",
                hex,
                reserve=True,
            )
            for hex in ("3125", "3126")
        ],
        [False, True],
    ),
    "18.2.2 a disrupted unit is brought out, and one in gas is not": (
        lambda: [
            "18.2.1"
            in objections_to_move(
                marked(on_map({"3120": "27LL"}, NATO, **LIFTS, **more), "27LL", disrupted=True),
                "27LL",
                "extract",
                "3123",
            )
            for more in ({}, {"chemical": {"3120": {WP: True}}})
        ],
        [False, True],
    ),
    # --- 25 battle --------------------------------------------------------------------------------------------
    "27.2 those who landed may attack elsewhere once strikes have cleared their hex": (
        lambda: rules_of(
            attacker_objections(
                b := cleared(WP, {"3020": "97", "3021": "22/1A", "3019": "16GT"}, "3020", "97"),
                unit(b, "97"),
                "3021",
                WP,
            )
        ),
        set(),
    ),
    "27.2 and others run the breakthrough without them": (
        lambda: joining(
            cleared(WP, {"3020": "97", "3021": "22/1A", "3019": "16GT"}, "3020", "97"), WP, "3020", "16GT"
        ),
        set(),
    ),
    "27.2 also others of a second nation": (
        lambda: joining(
            cleared(NATO, {"3020": "27LL", "3021": "22/1A", "3019": "1/1PZ"}, "3020", "27LL"),
            NATO,
            "3020",
            "1/1PZ",
            "22/1A",
        ),
        set(),
    ),
    "27.3.1 before that nobody inside is held back": (
        lambda: joining(
            on_map({"3020": "97 22/1A", "3019": "16GT"}, battles=["3020"], assaults=["97"]), WP, "3020", "16GT"
        ),
        {"27.3.1"},
    ),
    "27.3.2 an assault closes the ring around a neighbour by standing there": (
        lambda: [
            envelopment(
                on_map(
                    {
                        "3020": "1/1PZ",
                        "3019": "7/1A 97",
                        **{hex: id for hex, id in ring("3020", "16GT 21 94G").items() if hex != "3019"},
                    },
                    assaults=["97"],
                ),
                "3020",
                WP,
            )
        ],
        ["flank"],
    ),
    "25.7.4 nobody retreats into an empty city that the enemy has conquered": (
        lambda: ("3120",) in back(on_map({"3119": "22/1A"}, conquered={"3120": WP}), "22/1A", 1),
        False,
    ),
    "25.7.3 a retreat of two ends in the first city": (
        lambda: {len(path) for path in back(on_map({"3119": "22/1A"}), "22/1A", 2) if path[0] == "3120"} <= {1},
        True,
    ),
    "25.8.3 exploitation goes on into a zone of control": (
        lambda: "3121" in onward(on_map({"3019": "16GT", "3122": "22/1A"}), "16GT", "3020"),
        True,
    ),
    "25.8.2.1 but not onto a headquarters": (
        lambda: rules_of(
            stacking_objections(
                b := on_map({"3019": "16GT", "3121": "NEGF"}), a_battle(b, "3020", "16GT"), {"16GT": ("3020", "3121")}
            )
        ),
        {"25.8.2.1"},
    ),
    "21.1.3 a soft unit does not advance into fire, a hard one does and stops": (
        lambda: (
            rules_of(
                advance_objections(
                    b := on_map({"3019": "16GT 38G"}, nuclear=["3020"]),
                    unit(b, "38G"),
                    a_battle(b, "3020", "16GT", "38G"),
                    ["3020"],
                )
            ),
            second_hexes(b, unit(b, "16GT"), a_battle(b, "3020", "16GT", "38G")),
        ),
        ({"25.8.1"}, []),
    ),
    "13.4.3 a staff caught on a train dies without a die, and the hex is torn open": (
        caught_on_train,
        (False, 4, ["3020"]),
    ),
    "25.1.2.5 NATO leaves a zone of control though the other unit in its hex is on a train": (
        lambda: responds(
            trained(on_map({"3020": "22/1A", "3021": "7/1A 12/1A", "3019": "16GT", "3121": "21"}), "12/1A"),
            "7/1A",
            "3020",
            "16GT",
        ),
        set(),
    ),
    # --- 27, 25.7.1 They Shall Not Pass! over an assault ---------------------------------------------------------
    "25.7.1 stood in an assault: those inside live, those outside stay, no breakthrough": (
        stood_in_assault,
        ({"97"}, "3019", []),
    ),
    # --- 28 reserves ------------------------------------------------------------------------------------------
    "25.6.4 a reserve that is disrupted is no reserve": (tired_reserve, False),
    "28.2.1 leaving a zone outside the breakthrough costs, entering it inside does not": (
        lambda: walked(
            on_map({"3019": "16GT", "3018": "1/1PZ", "3121": "22/1A"}, breakthrough=["3121"]), "16GT", "3020"
        )[0],
        2,
    ),
    "25.9.3 infantry pays in the breakthrough": (
        lambda: (
            walked(on_map({"3018": "38G", "3020": "1/1PZ"}, breakthrough=["3019"]), "38G", "3019")[0]
            - walked(on_map({"3018": "16GT", "3020": "1/1PZ"}, breakthrough=["3019"]), "16GT", "3019")[0]
        ),
        1,
    ),
    "12.5 infantry in reserve goes from zone to zone only onto friends": (
        lambda: [
            walked(on_map({"3018": "38G", "2918": "1/1PZ", "3020": "2/1PZ", **more}), "38G", "3019", mode="minimum")[
                1
            ]
            for more in ({}, {"3019": "21"})
        ],
        [{"12.3.2"}, set()],
    ),
    "23.8.2 the enemy's interdiction and one's own breakthroughs end with the Reserve Phase": (
        lambda: marked_after(interdiction={WP: ["3020"], NATO: ["3010"]}, breakthrough=["3116"]),
        ({NATO: ["3010"]}, []),
    ),
    # --- 22, 26 gas and coordination --------------------------------------------------------------------------
    "26.2.6 a Canadian brigade brings US gas": (
        lambda: gas(NATO, Chemical("3019", delivery="artillery"), units={"3019": "16GT", "3020": "4CMBG"}),
        set(),
    ),
    "22.2.6 two clouds in a hex, and each side rolls for its own": (
        lambda: (clouds_after(WP, [1]), clouds_after(NATO, [2])),
        ({NATO: True}, {WP: True, NATO: True}),
    ),
    "22.3.2 a unit responds out of gas, and not into fire": (
        lambda: [
            responds(on_map({"3020": "22/1A", "3021": "7/1A", "3019": "16GT"}, **more), "7/1A", "3020", "16GT")
            for more in ({"chemical": {"3021": {WP: True}}}, {"nuclear": ["3020"]})
        ],
        [set(), {"25.1.2.1"}],
    ),
    "26.2.7 two Berlin brigades are no multinational attack": (
        lambda: together(on_map({"3007": "US-Berlin FR-Berlin"}, NATO), "US-Berlin", "FR-Berlin"),
        ([], set()),
    ),
    "26.2.7 with a German brigade they are one, and of too many nations": (
        lambda: together(
            on_map({"3007": "US-Berlin FR-Berlin", "3009": "1/1PZ"}, NATO), "US-Berlin", "FR-Berlin", "1/1PZ"
        ),
        (["FR", "US", "WG"], {"26.2.1"}),
    ),
    "26.2.7 with a US brigade from outside they attack together, out of one hex": (
        lambda: together(
            on_map({"3007": "US-Berlin FR-Berlin", "3009": "2/3A"}, NATO), "US-Berlin", "FR-Berlin", "2/3A"
        ),
        (["FR", "US"], set()),
    ),
    "26.2.3 and not beside a British brigade in the city": (
        lambda: together(on_map({"3007": "US-Berlin 22/1A"}, NATO), "US-Berlin", "22/1A")[1],
        {"26.2.3"},
    ),
    # --- 31 to 34 Berlin, surrender, reinforcements -------------------------------------------------------------
    "34.1.2.2 a garrison in reach of a British staff that can trace is relieved": (
        lambda: [
            relieves(b := on_map({"3007": "FR-Berlin", **units}, NATO), unit(b, "FR-Berlin"))
            for units in ({}, {"3010": "BR-I"})
        ],
        [False, True],
    ),
    "32.2.2 a US brigade in beaten Holland eats from its own kitchen": (
        lambda: [
            supplied_by(on_map({"2928": "2/3A", **units}, NATO, surrendered=["NL"]), "2/3A")
            for units in ({}, {"2927": "US-III"})
        ],
        [("", ""), ("US-III", "US-III")],
    ),
    "32.2.1 a surrender leaves the equipment of the Americans where it is": (
        lambda: called_up(surrendered=["NL"]),
        ([], ["194A", "3/2A"]),
    ),
    "33.3.2 an enemy on a site takes it before the crews come": (
        lambda: called_up(units={"2928": "16GT"}),
        ([], ["194A"]),
    ),
    "10.2.4 a staff on Zealand cannot trace once Denmark has surrendered and the ferry is the enemy's": (
        lambda: [
            hq_traces(board := on_map({"1310": "LZ"}, NATO, **more), unit(board, "LZ"))
            for more in ({}, {"surrendered": ["DK"], "conquered": dict.fromkeys(DANISH_CITIES, NATO)})
        ],
        [True, False],
    ),
    "29.8 the staff of Zealand does not come back in Hannover": (
        lambda: returns("LZ", {"1310": WP, "1015": WP, "1415": WP}),
        (True, set()),
    ),
    "33.2.1 reserves appear in gas, and not in fire": (
        lambda: [
            arrived(*reserve_site(), **more) for more in ({"chemical": {"1210": {WP: True}}}, {"nuclear": ["1210"]})
        ],
        [(True, False), (False, True)],
    ),
    "32.1 who gives up on the last day gives only what was conquered": (
        lambda: at_the_end(conquered={"1310": WP, "1015": WP, "1415": WP})[1] - at_the_end()[1],
        4,
    ),
    "34.3.2 and West Berlin still counts for its holder": (
        lambda: at_the_end()[2] - at_the_end(conquered={"3007": WP})[2],
        2,
    ),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_of_the_lawyer(question: str) -> None:
    ask, answer = QUESTIONS[question]
    assert ask() == answer
