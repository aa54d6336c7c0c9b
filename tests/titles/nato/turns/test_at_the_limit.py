"""A seventh set of questions, with written orders, on the limits between two rules.

The answers come from the rulebook.
"""

from __future__ import annotations

from typing import Any

import pytest
from titles.nato.builders import a_board, a_data, a_table, board_on, on, played, unit
from titles.nato.together.test_lawyer_fourth import ALL, DANISH, LIFTS
from titles.nato.turns.at_the_table import Game, a_game

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.player.orders import Advance, Commit
from pbem.titles.nato.supply.phases import hq_supply
from pbem.titles.nato.supply.units import movement_source
from pbem.titles.nato.zones.airspace import airspace

WP, NATO = Side.WP, Side.NATO
BERLIN, BREMEN, EMDEN, SZCZECIN = "3007", "2720", "2525", "2504"
THROUGH, CAUGHT = [6, 6], [1, 1]
"""17.1.2 Two dice that no interception survives, and two that are always intercepted."""
RING = {"2908": "16GT", "3107": "E8"}
"""Two divisions that cut West Berlin off from every side."""


def fighting(units: dict[str, str], side: Side = WP, **more: Any) -> Game:
    """Return a game that waits for the battle orders of both sides."""
    return a_game(units, more.pop("data", ALL), side=side, step="fighting", **more)


# --- 10, 31 supply and West Berlin ----------------------------------------------------------------------------


def test_10_3_3_4_a_german_staff_in_encircled_berlin_relieves_nobody() -> None:
    """West Berlin supplies its own three brigades and no other unit, so no line of the corps ends there."""
    units = {BERLIN: "WG-I US-Berlin"}
    cut_off = a_game({**units, **RING}, ALL, side=NATO, step="turn_end")
    assert cut_off.state.outcome is None
    cut_off.say(wp="none").say(wp="none", nato="none")
    assert not cut_off.piece("WG-I").supplied and not cut_off.piece("US-Berlin").ms_out

    relieved = a_game(units, ALL, side=NATO, step="turn_end")
    assert relieved.state.outcome is not None and relieved.state.outcome.winner == NATO


def test_10_3_3_4_a_brigade_outside_the_ruins_of_berlin_is_cut_off_from_them() -> None:
    """A struck city does not negate zones of control, so a link cannot enter it; the link can enter the
    intact city."""
    units = {"2907": "US-Berlin", "3008": "16GT"}
    intact, struck = a_board(units, ALL), a_board(units, ALL, nuclear=[BERLIN])
    assert movement_source(intact, unit(intact, "US-Berlin")) == "West Berlin"
    assert movement_source(struck, unit(struck, "US-Berlin")) == ""


def test_11_6_2_airspace_follows_the_markers_of_the_hq_supply_phase() -> None:
    """NEGF is cut off in front of Osnabrück; until its marker is turned over, the adjacent 16GT
    contests the airspace.
    """
    units = {"3019": "NEGF", "3020": "16GT", "3018": "1/1PZ", "3120": "2/1PZ", "2920": "3/1PZ", "3021": "22/1A"}
    table = a_table(units, (), ALL)
    board = board_on(table)
    before = airspace(board, "3021", NATO)
    hq_supply(table, board, WP)
    assert not unit(board, "NEGF").piece.supplied
    assert (before, airspace(board, "3021", NATO)) == ("contested", airspace(Board(ALL, table.state), "3021", NATO))


# --- 16 by sea ------------------------------------------------------------------------------------------------


def test_16_2_1_1_no_lift_into_bremen_past_a_division_on_the_weser() -> None:
    """The other end of the trip, Emden, is an open port, but that does not open the river to Bremen."""
    watched = a_game({EMDEN: "9Mar", "2519": "16GT"}, ALL, side=NATO, turn=3, **LIFTS)
    assert watched.refused("nato", f"9Mar {BREMEN} lift") == {"16.2.1.1"}
    assert watched.refused("nato", "9Mar 2422 lift") == set()
    free = a_game({EMDEN: "9Mar", "2313": "16GT"}, ALL, side=NATO, turn=3, **LIFTS)
    assert free.refused("nato", f"9Mar {BREMEN} lift") == set()


def test_16_2_4_the_baltic_corps_is_supplied_for_sailing_from_a_port_and_not_from_a_beach() -> None:
    """The corps' ships are intercepted on Lolland, so the corps is unsupplied.

    It can only withdraw to Szczecin, and stays unsupplied.
    """
    beach = a_game({"1711": "BC"}, ALL, turn=3, dice={"10.9.2": CAUGHT, "17.1.2": THROUGH}, **LIFTS)
    assert not beach.piece("BC").supplied
    assert beach.refused("wp", f"BC {SZCZECIN} lift") == {"10.5.3", "16.2.1"}
    beach.say(wp=f"BC {SZCZECIN} withdraw").over()
    assert beach.at("BC") == SZCZECIN and not beach.piece("BC").supplied


# --- 25 battles -----------------------------------------------------------------------------------------------


def test_25_8_2_1_a_hex_that_one_division_leaves_is_free_for_another_that_exploits() -> None:
    """16GT advances from 3019 into the objective, and 21 through it into 3019: two steps in each hex."""
    table = a_table({"3019": "16GT", "3121": "21", "3020": "22/1A"}, [6], conquered={"3120": WP, "3122": WP})
    order = Advance({"16GT": ("3020",), "21": ("3020", "3019")})
    played(table, battle_cycle(table, Commit("3020", ("16GT", "21"))), advance=order)
    assert [table.state.pieces[id].at for id in ("16GT", "21")] == ["3020", "3019"]


# --- 33, 39 arrivals from outside -----------------------------------------------------------------------------


def test_20_0_a_second_battery_cannot_finish_off_a_site_in_the_same_segment() -> None:
    """29.5.3: both count as Baltic Front and may strike one hex, but a site is struck only once in a segment."""
    units = {"2315": "149G 16GT", "2317": "34N 21"}
    game = fighting(units, sites={"3ACR": "2316"}, dice={"33.3.3.1": [3]})
    game.say(wp="fire 149G at 2316\nfire 34N at 2316", nato="none").over()
    assert game.state.damaged == ["3ACR"] and game.state.reduced_sites == []


def test_4_5_3_reinforcements_called_too_late_for_their_earlier_turn_come_at_once() -> None:
    """1G is due on turn 13 of the Soviet clock, or six turns earlier with reinforcements for Eastern Europe.

    The clock already shows 9 when they are called up, so it comes on the next turn.
    """
    data = a_data("nerves", arrivals=(Arrival(turn=13, unit="1G", code="RR"),))
    game = a_game(
        {"3110": "16GT"}, data, step="peace_turn", turn=0, peace=3, alert=1, clocks={"soviet": 9}, awaited=["1G"],
        dice={"39.4": [1]}, marks={"16GT": {"active": False}},
    )  # fmt: skip
    game.say(wp="eastern")
    assert game.at("1G").startswith("sector") and game.state.awaited == []


def test_36_a_staff_that_the_scenario_holds_in_place_takes_no_train() -> None:
    fixed = a_game({"3302": "NEGF"}, on(ALL, fixed=("NEGF",)))
    assert [fixed.refused("wp", f"NEGF {order}") for order in ("3303", "entrain")] == [{"36"}, {"36"}]
    assert a_game({"3302": "NEGF"}, ALL).refused("wp", "NEGF entrain") == set()


# --- 27 assaults ----------------------------------------------------------------------------------------------


def test_16_2_4_the_corps_stays_in_harbour_if_its_marines_are_sunk() -> None:
    """No marine is left to land beside, so the order of the corps is dropped, but only the
    marines' Sealift is lost.
    """
    units = {"srb": "336G BC", "2114": "1/1PZ"}
    game = a_game(units, ALL, turn=3, dice={"17.1.2": CAUGHT}, **LIFTS)
    game.say(wp="336G 2114 land\nBC 2114 land").over()
    assert game.places("336G BC") == "lost srb" and game.why_not("BC")
    assert game.state.lift_ready[WP]["sea"] == 2 and not game.state.lift_used.get(WP, {}).get("sea")
    assert game.state.battles == [] and game.state.assaults == []


def test_27_3_2_a_lone_brigade_beside_a_drop_zone_is_free_to_respond() -> None:
    """A brigade next to a drop zone may respond, as paratroops inside have no zone; 2 x 2 to 3 + 3 is 1:2."""
    units = {"srb": "97", "3020": "22/1A", "3121": "7/1A"}
    game = a_game(units, ALL, turn=4, dice={"17.1.2": THROUGH, "25.5.2": [1]}, **LIFTS)
    game.say(wp="97 3020 drop").say(wp="none", nato="respond: 7/1A into 3020").over()
    assert game.told("25.1.2") == ["3020"] and game.places("97 7/1A") == "lost 3020"
    assert next(found.cell for found in game.findings if found.rule == "25.5.2") == ["1:2", 1]


def test_27_3_paratroops_outlive_defenders_who_let_nobody_pass() -> None:
    """10 + 2 x 2 + 2 x 2 to 4 is 4:1, and a 1 gives A1/R1, a loss that falls on the paratroops first.

    The brigade stands and is lost, so the hex is empty: the other regiment stays, the division does not follow, and
    there is no breakthrough.
    """
    units = {"srb": "97 108", "3019": "16GT", "3018": "NEGF", "3020": "1/3A"}
    dice = {"17.1.2": THROUGH * 2, "25.5.2": [1]}
    game = a_game(units, ALL, turn=4, dice=dice, **LIFTS)
    game.say(wp="97 3020 drop\n108 3020 drop")
    game.say(wp="attack 3020 with 97, 108, 16GT", nato="stand: 3020\nrespond: never").over()
    assert sorted(game.places("97 108").split()) == ["3020", "lost"]
    assert game.places("1/3A 16GT") == "lost 3019"
    assert game.told("25.9.2") == [] and game.told("27.3/they-shall-not-pass") != []


# --- 13 trains ------------------------------------------------------------------------------------------------


def test_13_4_4_a_train_in_a_city_outlives_a_retreat_that_the_walls_absorb() -> None:
    """Minden alone has 1, so 10 x 1/2 x 3/4 is 3:1, and 2:1 after one column for the city.

    A 4 is A1/R1, which a small city ignores; a 5 adds a loss, and the only step there is the one on the train.
    """
    units = {"3119": "16GT", "3118": "NEGF", "3120": "7/1A"}
    for die, place in ((4, "3120"), (5, "lost")):
        game = fighting(units, marks={"7/1A": {"train": "entrained"}}, dice={"25.5.2": [die]})
        game.say(wp="attack 3120 with 16GT\nadvance: never", nato="respond: never\ntrade: never").over()
        assert next(found.cell for found in game.findings if found.rule == "25.5.2") == ["2:1", die]
        assert game.at("7/1A") == place


def test_22_3_1_a_train_leaves_the_gas_and_a_unit_that_gets_off_crawls() -> None:
    clouds: dict[str, Any] = {"first_use": 1, "chemical": {"3302": {NATO: True}, "3305": {NATO: True}}}
    game = a_game({"3302": "16GT"}, ALL, marks={"16GT": {"train": "entrained"}}, **clouds)
    assert game.refused("wp", "16GT 3307 rail") == set()
    assert game.refused("wp", "16GT detrain\n16GT 3303 3304 tactical") == {"12.5.1"}
    assert game.refused("wp", "16GT detrain\n16GT 3303 minimum") == set()
    assert game.refused("wp", "16GT detrain\n16GT entrain") == {"13.1"}


def test_29_8_1_a_staff_overrun_on_its_train_leaves_its_helicopters_grounded() -> None:
    """A headquarters alone on a train is eliminated without a die and returns two turns later.

    If its brigade has been flown out, the helicopters cannot return to it and go into the Recovery box.
    """
    units = {"3019": "16GT", "3018": "NEGF", "3020": "US-V", "4020": "1/3A"}
    for order, flak, box in (("never", [], "ready"), ("always", [2], "recovery")):
        train = {"US-V": {"train": "entraining"}}
        game = fighting(units, turn=3, marks=train, brigades={"US-V": "ready"}, dice={"19.1": flak})
        game.say(wp="attack 3020 with 16GT", nato=f"helicopters: {order}").over()
        assert game.places("US-V 16GT") == "lost 3020"
        assert game.state.returning == {"US-V": 5} and game.state.brigades == {"US-V": box}


# --- 18, 28 reserves and helicopters --------------------------------------------------------------------------


def test_28_2_2_a_reserve_flies_and_drives_once_each() -> None:
    """The reserve flies five hexes by helicopter and has three ground points, in either order.

    A second flight is refused.
    """
    start = {"3110": "37", "3109": "BAF"}
    game = a_game(start, ALL, **LIFTS).say(wp="37 reserve").say(wp="none", nato="none")
    assert game.refused("wp", "37 3105 fly\n37 3106 fly") == {"7.2"}
    assert game.refused("wp", "37 3104 fly") == {"18.1.5"}
    assert game.refused("wp", "37 3109 3108 3107\n37 3105 fly") == set()
    game.say(wp="37 3105 fly\n37 3106")
    assert game.at("37") == "3106" and not game.piece("37").reserve


def test_28_2_1_interdiction_holds_up_reserves_in_a_breakthrough_that_no_zone_holds_up() -> None:
    """16GT has 3 points: 3019 and 3020 cost 1 + 1 each, and the zone in 3020 costs nothing. E8 is too far away."""
    units = {"3018": "16GT", "3016": "NEGF", "3021": "22/1A", "3118": "E8"}
    state: dict[str, Any] = {"interdiction": {NATO: ["3020"]}, "breakthrough": ["3020"]}
    game = a_game(units, ALL, step="reserves", marks={"16GT": {"reserve": True}}, **state)
    assert game.refused("wp", "16GT 3019 3020") == {"12.2"}
    assert game.refused("wp", "16GT 3019") == set()
    clear = a_game(units, ALL, step="reserves", marks={"16GT": {"reserve": True}}, breakthrough=["3020"])
    assert clear.refused("wp", "16GT 3019 3020") == set()


def test_8_5_friends_cover_helicopters_and_neither_ferries_nor_lifts() -> None:
    """The city and a brigade negate the zone of control for helicopters, but nothing does for aircraft (8.5)."""
    units = {"3122": "26LL 22/1A", "3121": "16GT", "3018": "NEGF"}
    game = a_game(units, ALL, side=NATO, conquered={"3120": WP}, turn=5, **LIFTS)
    assert game.refused("nato", "26LL 3424 ferry") >= {"14.1.1"}
    assert game.refused("nato", "26LL 3424 lift") >= {"16.1.1"}
    assert game.refused("nato", "26LL 3424 fly") == set()


def test_18_1_3_the_last_of_two_brigades_has_nobody_to_cover_its_start() -> None:
    """In the open the second brigade covers the first; the second cannot start, but it can be picked up."""
    units = {"3121": "26LL 27LL", "3120": "16GT", "3119": "NEGF"}
    game = a_game(units, ALL, side=NATO, conquered={"3120": WP}, **LIFTS)
    assert game.refused("nato", "26LL 3424 fly") == set()
    assert game.refused("nato", "26LL 3424 fly\n27LL 3424 fly") == {"18.1.3"}
    assert game.refused("nato", "26LL 3424 fly\n27LL 3424 extract") == set()


# --- 22, 25 gas and battles -----------------------------------------------------------------------------------


def test_22_3_2_the_unit_that_responds_into_gas_is_struck_and_those_inside_are_not_struck_again() -> None:
    """On the second turn of chemical warfare 22/1A survives a 1, and 7/1A is disrupted by a 3.

    10 / 2 to 3 / 2 + 3 / 4 is 5 to 3, which is 1:1.
    """
    units = {"3019": "16GT", "3018": "NEGF", "3020": "22/1A", "3121": "7/1A"}
    gas: dict[str, Any] = {"first_use": 1, "chemical_points": {WP: 1}}
    game = fighting(units, dice={"22.2.3": [1, 3], "25.5.2": [3]}, **gas)
    game.say(wp="chemical 3020\nattack 3020 with 16GT", nato="respond: 7/1A into 3020").over()
    assert next(found.cell for found in game.findings if found.rule == "25.5.2") == ["1:1", 3]
    assert game.piece("7/1A").disrupted and not game.piece("22/1A").disrupted


def test_26_2_7_the_berlin_garrison_breaks_out_without_using_up_its_nations() -> None:
    """Three nations attack from one hex, and Britain may still join West Germany elsewhere.

    With a fourth unit beside the garrison it is an ordinary attack by four units, which is refused.
    """
    units = {BERLIN: "US-Berlin UK-Berlin FR-Berlin", "3008": "145T", "3019": "22/1A", "3120": "1/1PZ", "3020": "E8*"}
    game = fighting(units, side=NATO, dice={"25.5.2": [6, 4]})
    orders = "attack 3008 with US-Berlin, UK-Berlin, FR-Berlin\nattack 3020 with 22/1A, 1/1PZ"
    assert game.refused("nato", orders) == set()
    game.say(nato=orders, wp="none").over()
    assert [sorted(units) for units in game.told("25.1.1")][-1] == ["1/1PZ", "22/1A"]
    mixed = fighting({BERLIN: "US-Berlin UK-Berlin FR-Berlin 1/1PZ", "3008": "145T"}, side=NATO)
    assert "26.2.1" in mixed.refused("nato", "attack 3008 with US-Berlin, UK-Berlin, FR-Berlin, 1/1PZ")


@pytest.mark.rule("8.2.4", effect=True)
def test_25_3_4_3_a_train_closes_the_ring_only_where_it_stands() -> None:
    """16GT and 21 hold or control five of the six hexes around 3020, and a train in 3021 closes the ring."""
    ring = {"3020": "22/1A", "2920": "16GT", "3120": "21"}
    for place, shift in (("3021", "concentric"), ("3022", "")):
        units, train = {**ring, place: "145T", "2918": "NEGF"}, {"145T": {"train": "entrained"}}
        game = fighting(units, conquered={"3120": WP, "3122": WP}, marks=train, dice={"25.5.2": [6]})
        game.say(wp="attack 3020 with 16GT\nadvance: never", nato="respond: never").over()
        shifts = [child.result for found in game.findings for child in walk_over(found) if child.rule == "25.3.4.3"]
        assert bool(shifts) is bool(shift)


def walk_over(finding: Any) -> list[Any]:
    """Return a finding with everything below it."""
    return [finding, *(below for child in finding.children for below in walk_over(child))]


# --- 32 surrender ---------------------------------------------------------------------------------------------


def test_32_2_1_denmark_falls_with_a_german_brigade_in_esbjerg() -> None:
    """Cities worth four points are taken, so in the next Joint Status Phase the Danish units are gone.

    Esbjerg is a city conquered by NATO, and the ferry carries the Warsaw Pact. The brigade has no headquarters in
    range, so it is out of movement supply.
    """
    units = {"1420": "1/1PZ", "0616": "1ZBG", "1513": "336G", "3302": "POF"}
    game = a_game(units, ALL, side=NATO, step="turn_end", turn=4, conquered=dict(DANISH))
    assert game.at("1ZBG") == "lost" and game.state.surrendered == ["DK"]
    assert game.state.conquered["1420"] is NATO and game.state.conquered["0616"] is WP
    assert game.refused("wp", "336G 1514") == set()
    game.say(wp="336G 1514")
    while game.run.ask_of("wp"):
        game.say(wp="none", nato="none") if game.run.ask_of("nato") else game.say(wp="none")
    assert game.at("336G") == "1514" and game.piece("1/1PZ").ms_out


# --- 10.8 supply points ---------------------------------------------------------------------------------------


def test_10_8_an_unpaid_front_crawls_and_still_contests_the_air() -> None:
    """On turn 8 there is one Supply Point, and NEGF, which has more strength, gets it.

    C1T in Bavaria is out of movement supply only for lack of a point, so it still contests the airspace there, but
    its front can neither support nor fly.
    """
    data = on(ALL, rules=frozenset({*ALL.scenario.rules, "supply_points"}))
    units = {"3116": "16GT 21", "3115": "NEGF", "4610": "C1T", "4608": "CZF"}
    game = a_game(units, data, turn=8, supply_points=1, conquered={"3115": WP})
    assert game.piece("NEGF").supplied and not game.piece("CZF").supplied and game.state.supply_points == 0
    assert not game.piece("16GT").ms_out
    outside = str(game.board.atlas.places["4610"].country) == "WG"
    assert game.piece("C1T").ms_out is outside
    assert airspace(game.board, "4610", NATO) != "friendly"


# --- 21 nuclear -----------------------------------------------------------------------------------------------


def test_21_1_3_a_struck_city_loses_its_walls_for_its_owner_and_for_its_conqueror() -> None:
    """Minden is struck: a 3 eliminates the brigade in it, and a 5 on the Armageddon roll is safe.

    The hex has a Battle marker, so a breakthrough opens: 16GT, which is hard, consolidates without a die and conquers
    the city. The war crime gives NATO one point.
    """
    units = {"3119": "16GT", "3118": "NEGF", "3120": "22/1A"}
    game = fighting(units, dice={"21.1.1": [3], "21.2": [5]})
    game.say(wp="nuke 3120\nattack 3120 with 16GT", nato="respond: never").over()
    assert game.places("22/1A 16GT") == "lost 3120" and game.state.conquered == {"3120": WP}
    assert game.state.points == {NATO: 1} and game.told("25.9.1/breakthrough-battle") == ["R2"]


def test_21_1_3_riflemen_do_not_walk_into_the_crater_that_opened_the_way() -> None:
    """37 is soft: it may be committed to attack the emptied hex, but may not advance into it."""
    units = {"3019": "37", "3018": "BAF", "3020": "22/1A"}
    game = fighting(units, dice={"21.1.1": [3], "21.2": [5]})
    game.say(wp="nuke 3020\nattack 3020 with 37", nato="none").over()
    assert game.places("22/1A 37") == "lost 3019"
