"""Fine distinctions of single rules: cases in which one condition decides."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.artillery.missions import a_table, objections
from titles.panzer.artillery.test_missions import a_plan
from titles.panzer.artillery.test_observers import an_observer, mortar
from titles.panzer.builders import a_board, a_hex, run_step

from pbem.engine.geometry.hexes import parse_hex
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot, hit_modifiers, still_moving
from pbem.titles.panzer.artillery.landing import show_counter
from pbem.titles.panzer.artillery.observers import firer_objections, firer_of, observer_of
from pbem.titles.panzer.artillery.planned_fire import fire_plan, plot_objections
from pbem.titles.panzer.cards.weapons import transported_objections, upstairs_objections, weapons_of
from pbem.titles.panzer.close_combat.overrun import quarry_objections
from pbem.titles.panzer.command.commands import fire_objections, placed_command
from pbem.titles.panzer.end_of_turn.adjustment import mark_unused
from pbem.titles.panzer.fire.aiming import Entry, Occasion, is_hull_down, kind_objections, target_net
from pbem.titles.panzer.fire.declarations import weapons_objections
from pbem.titles.panzer.fire.overwatch import shared_watch_objections
from pbem.titles.panzer.movement.placing import crush_wire
from pbem.titles.panzer.movement.shared_moves import group_objections
from pbem.titles.panzer.movement.steps.unit_steps import mover_of, start, take
from pbem.titles.panzer.setup.scenario import Sun
from pbem.titles.panzer.sighting.line_of_sight import ends_of
from pbem.titles.panzer.sighting.spotting import can_spot, looks_towards, marker_of, spots
from pbem.titles.panzer.sighting.terrain import cover_of, edges_beyond, hull_down_against
from pbem.titles.panzer.sighting.ways import is_met
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Feature, HullDown, Inside, Leg, Marker, Mission, Spot, Unit

SQUAD, SECTION, SOVIET = "german_rifle_squad", "german_section", "soviet_rifle_squad"


def a_shot(firer: Unit, target: Unit, **more: Any) -> Any:
    data = advanced_data(**more)
    state = an_advanced_state(firer, target)
    return an_ap_shot(Situation(data, state), firer, weapons_of(data, firer)[0], "ap", target)


# --- 6.5.2.4 ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.11", effect=True)
def test_5_11_a_clear_line_is_not_explained_by_hindrances():
    shot = a_shot(a_tank("g1", "C10", "pz4h", command=Command.FIRE), a_tank("s1", "C5", "t34_76"))
    assert "5.11" not in {one.rule for one in every(hit_modifiers(shot))}
    assert "smoke" not in hit_modifiers(shot).inputs


@pytest.mark.parametrize(
    ("track", "command", "said"), [(True, Command.SHORT_HALT, 1), (False, Command.SHORT_HALT, 0)]
)
def test_6_5_2_2_1_only_a_track_hit_needs_the_remark_that_it_still_moves(track: bool, command: Command, said: int):
    firer = a_tank("g1", "C10", "pz4h", command=command, track_hit=track)
    assert len(list(still_moving(a_shot(firer, a_tank("s1", "C5", "t34_76"))))) == said


@pytest.mark.rule("6.1.4.3.13", effect=True)
@pytest.mark.parametrize(("edge", "net"), [("north", -1), ("south", 0)])
def test_6_1_4_3_13_the_sun_blinds_towards_its_own_edge_only(edge: str, net: int):
    firer, target = a_tank("g1", "C10", "pz4h", command=Command.FIRE), a_tank("s1", "C5", "t34_76")
    plain, blinded = a_shot(firer, target), a_shot(firer, target, sun=Sun(edge=edge, ap=-1, gp=-5))
    assert blinded.net - plain.net == net


@pytest.mark.rule("6.1.4.3.13", effect=True)
def test_6_1_4_3_13_a_line_leaves_by_the_nearest_edge_and_by_both_at_a_corner():
    """A-86: the map extends half a hex beyond the centres of the outermost hexes on every side."""
    board = a_board(columns=9, rows=9)
    assert edges_beyond(board, a_hex("E5"), a_hex("E4")) == ("north",)
    assert edges_beyond(board, a_hex("E5"), a_hex("E6")) == ("south",)
    assert edges_beyond(board, a_hex("B2"), a_hex("C1")) == ("north",)
    assert edges_beyond(board, a_hex("E5"), a_hex("D5")) == ("west",)


@pytest.mark.rule("4.4.3.2.2", effect=True)
def test_4_4_3_2_2_cover_lessens_what_a_shot_promises():
    """R-05: the estimate uses the modifiers of the chart: light -1, medium -3, heavy -5."""
    found = []
    for sign in (".", "l", "m"):
        data = advanced_data(a_board(signs={"C5": sign}))
        target = a_tank("s1", "C5", "t34_76")
        state = an_advanced_state(a_tank("g1", "C10", "pz4h"), target)
        found.append(target_net(Occasion(Situation(data, state), "german"), target))
    assert [found[0] - one for one in found] == [0, 1, 3]


# --- 5.1, 5.14 weapons -------------------------------------------------------------------------------------------


@pytest.mark.rule("5.1.2", effect=True)
@pytest.mark.parametrize(
    ("card", "marker", "rule", "why"),
    [
        (SECTION, Marker.NONE, "5.1.2", "a section can fire only 1 weapon at a time"),
        (SECTION, Marker.ON, "5.1.2", "a section can fire only 1 weapon at a time"),
        (SQUAD, Marker.ON, "5.1.1", "a suppressed unit can fire only 1 weapon at a time"),
    ],
)
def test_5_1_2_how_many_weapons_a_unit_fires_and_why_no_more(card: str, marker: Marker, rule: str, why: str):
    unit = a_leg("g1", "C5", card, weapons=("german_hmg",), suppression=marker)
    both = [Entry("g1", 0, "gp", "s1"), Entry("g1", 1, "gp", "s1")]
    assert_rule(list(weapons_objections(advanced_data(), unit, both)), rule, why=why)
    assert list(weapons_objections(advanced_data(), unit, both[:1])) == []


@pytest.mark.rule("5.1.3.1", effect=True)
@pytest.mark.parametrize(("desert", "fires"), [(False, False), (True, True)])
def test_5_1_3_1_a_mortar_fires_from_a_desert_roof_and_from_no_other_upper_floor(desert: bool, fires: bool):
    data = advanced_data(desert_buildings=desert)
    unit = a_leg("g1", "C5", SQUAD, weapons=("german_grw34",), inside=Inside.UP)
    small_arms, tube = weapons_of(data, unit)
    assert (not list(upstairs_objections(data, unit, tube))) is fires
    assert not list(upstairs_objections(data, unit, small_arms))


@pytest.mark.rule("5.1.3.3", effect=True)
def test_5_1_3_3_of_attached_weapons_only_anti_tank_rifles_fire_from_vehicles():
    data = advanced_data(sides=("british", "german"))
    rifle = weapons_of(data, a_leg("b1", "C5", "british_section", weapons=("british_boys",)))[1]
    gun = weapons_of(data, a_leg("g1", "C5", SECTION, weapons=("german_hmg",)))[1]
    assert list(transported_objections(rifle)) == []
    assert_rule(list(transported_objections(gun)), "5.1.3.2")


@pytest.mark.rule("5.1.3.4", effect=True)
def test_5_1_3_4_only_a_fixed_gp_factor_is_kept_from_vehicles():
    data = advanced_data()
    squad = a_leg("g1", "C5", SQUAD)
    rifles = weapons_of(data, squad)[0]
    assert not rifles.fixed
    assert list(kind_objections(data, rifles, "gp", a_tank("s1", "C5", "zis5"))) == []


@pytest.mark.rule("5.1.3.1", effect=True)
def test_5_1_3_1_in_2016_only_mounted_mortars_are_silent_inside_a_building():
    """A squad inside a building may fire its mortar indirectly; only a vehicle cannot."""
    data = advanced_data(a_board(signs={"C4": "B"}), edition="2016")
    unit = mortar(data, "g2", "C4", inside=Inside.BUILDING)
    state = an_advanced_state(unit, a_tank("s1", "C10", "t34_76"), spotted={})
    firer = firer_of(Situation(data, state), "g2")
    assert firer is not None and list(firer_objections(Situation(data, state), firer, a_hex("C10"))) == []


# --- 6.1 spotting and cover --------------------------------------------------------------------------------------


def test_6_1_1_guns_and_men_spot_and_so_do_armed_vehicles_alone():
    data = advanced_data()
    assert can_spot(data, a_gun("g1", "C5", "pak38")) and can_spot(data, a_leg("g2", "C5", SQUAD))
    assert can_spot(data, a_tank("g3", "C5", "pz4h")) and not can_spot(data, a_tank("g4", "C5", "opel"))


@pytest.mark.rule("4.1.1", effect=True)
def test_4_1_1_a_unit_that_is_gone_spots_nothing():
    data = advanced_data()
    gone, target = a_tank("g1", "C10", "pz4h"), a_tank("s1", "C5", "t34_76")
    state = an_advanced_state(gone, target)
    assert spots(Situation(data, state), gone, target).result
    gone.status, gone.hex = type(gone.status).ELIMINATED, a_hex("C10")
    assert not spots(Situation(data, state), gone, target).result


def test_6_1_2_a_unit_sees_its_own_hex_wherever_it_looks():
    assert looks_towards(a_hex("C5"), a_hex("C5"), 1)
    assert looks_towards(a_hex("C5"), a_hex("C1"), 1) and not looks_towards(a_hex("C5"), a_hex("C9"), 1)


@pytest.mark.rule("6.1.3", effect=True)
def test_6_1_3_a_marker_of_this_turn_does_not_count_for_what_was_spotted_earlier():
    unit = a_leg("g1", "C5", SQUAD, spot=Spot.MOVE, pending=Spot.FIRE, pending_small_arms=True)
    assert marker_of(unit, "earlier") == (Spot.MOVE, False)
    assert marker_of(unit, "current") == (Spot.FIRE, True)


def test_6_1_4_3_3_a_block_covers_men_and_nobody_else():
    data = advanced_data(a_board(columns=9, rows=9))
    block = {"f1": Feature(id="f1", type="block", hex=a_hex("C5"), known=("german", "soviet"))}
    squad, gun = a_leg("g1", "C5", SQUAD), a_gun("g2", "C5", "pak38")
    state = an_advanced_state(squad, gun, features=block)
    assert (
        cover_of(Situation(data, state), squad, "gp").value,
        cover_of(Situation(data, state), gun, "gp").value,
    ) == ("light", "none")
    rubble = {"f1": Feature(id="f1", type="brick_rubble", hex=a_hex("C5"), known=("german", "soviet"))}
    state = an_advanced_state(squad, gun, features=rubble)
    assert cover_of(Situation(data, state), gun, "spotting").value == "medium"


@pytest.mark.rule("6.1.4.1.3", effect=True)
def test_6_1_4_1_3_whoever_is_above_its_enemy_is_partly_hull_down_when_near():
    data = advanced_data(
        a_board(columns=5, rows=9, levels="\n".join("22222" if r < 5 else "....." for r in range(9)))
    )
    target = a_tank("s1", "C4", "t34_76")
    state = an_advanced_state(target, a_tank("g1", "C6", "pz4h"))
    assert hull_down_against(Situation(data, state), target, a_hex("C6"))[0] is HullDown.PHD
    assert hull_down_against(Situation(data, state), target, a_hex("C7"))[0] is HullDown.NONE
    assert hull_down_against(Situation(data, state), target, a_hex("C6"), 2)[0] is HullDown.NONE, (
        "from the second floor"
    )
    level = a_tank("s2", "C8", "t34_76")
    assert hull_down_against(Situation(data, state), level, a_hex("C8"))[0] is HullDown.NONE


@pytest.mark.rule("6.1.4.1", effect=True)
def test_6_1_4_1_a_vehicle_that_never_searched_has_no_position_in_any_direction():
    data = advanced_data()
    target = a_tank("s1", "C5", "t34_76", facing=4)
    state = an_advanced_state(target, a_tank("g1", "C9", "pz4h"))
    assert hull_down_against(Situation(data, state), target, a_hex("C9"))[0] is HullDown.NONE


@pytest.mark.rule("6.1.4.1.2", effect=True)
def test_6_1_4_1_2_an_improved_position_is_a_hull_down_position_for_limited_weapons():
    position = {"f1": Feature(id="f1", type="improved_position", hex=a_hex("C5"), known=("german", "soviet"))}
    data, tank = advanced_data(), a_tank("g1", "C5", "pz4h", position="f1")
    state = an_advanced_state(tank, features=position)
    assert is_hull_down(Situation(data, state), tank)
    tank.hull_down = HullDown.PHD
    assert not is_hull_down(Situation(data, state), tank)
    assert not is_hull_down(
        Situation(data, an_advanced_state(a_tank("g2", "C6", "pz4h"))), a_tank("g2", "C6", "pz4h")
    )


@pytest.mark.rule("4.1.4.2", effect=True)
def test_4_1_4_2_the_ends_of_a_line_are_the_same_from_both_sides():
    """A floor counts at its own end of the line, so a unit upstairs is upstairs seen from either side."""
    board = a_board(columns=9, rows=9)
    one, two = ends_of(board, a_hex("C3"), a_hex("F7"), (2, 0)), ends_of(board, a_hex("F7"), a_hex("C3"), (0, 2))
    assert one == two
    met = frozenset()
    assert not is_met(met, a_hex("C3"), a_hex("F7")) and not is_met(met, a_hex("F7"), a_hex("C3"))


# --- 4.2, 6.2 commands -------------------------------------------------------------------------------------------


@pytest.mark.rule("4.2", effect=True)
def test_4_2_a_mortar_that_fires_only_indirectly_may_be_told_to_fire():
    """L2063: on-map units need a Fire command to fire indirectly."""
    data = advanced_data()
    unit = mortar(data, "g2", "C4")
    arms = [arm for arm in weapons_of(data, unit) if arm.indirect]
    assert arms
    state = an_advanced_state(unit, a_leg("s1", "C6", SOVIET))
    assert list(fire_objections(Situation(data, state), unit, Command.FIRE)) == []


@pytest.mark.rule("4.2", "4.2/no-command", effect=True)
@pytest.mark.parametrize(
    ("command", "rule"), [(Command.NO_COMMAND, "6.2.1.1.3/nc-commands"), (Command.FIRE, "4.2/fire")]
)
def test_4_2_only_no_command_is_unlimited(command: Command, rule: str):
    assert placed_command(advanced_data(), a_tank("g1", "C5", "pz4h", command=command)).rule == rule


@pytest.mark.rule("6.2.1.1.4", effect=True)
@pytest.mark.parametrize(("shares", "refused"), [("g1", True), ("", False)])
def test_6_2_1_1_4_only_units_that_share_an_overwatch_are_bound_to_one_target(shares: str, refused: bool):
    watching: dict[str, Any] = {"command": Command.OVERWATCH}
    state = an_advanced_state(
        a_tank("g1", "C5", "pz4h", **watching), a_tank("g2", "C5", "pz4h", shares=shares, **watching)
    )
    entries = [Entry("g1", 0, "ap", "s1"), Entry("g2", 0, "ap", "s2")]
    assert bool(list(shared_watch_objections(state, entries))) is refused


@pytest.mark.rule("6.2.1.1.4", "6.2.1.1.4/movement", effect=True)
def test_6_2_1_1_4_a_companion_that_has_yet_to_move_can_still_catch_up():
    """A-87: only the position of a unit that has already moved is fixed."""
    data, move = advanced_data(), {"command": Command.MOVE}
    lead, mate = a_tank("g1", "C9", "pz4h", **move), a_tank("g2", "C10", "pz4h", shares="g1", **move)
    assert list(group_objections(data, [mate], lead, a_hex("C7"))) == []
    mate.moved = True
    assert_rule(list(group_objections(data, [mate], lead, a_hex("C7"))), "6.2.1.1.4/movement")
    assert list(group_objections(data, [mate], lead, a_hex("C9"))) == []


@pytest.mark.rule("4.6.1/unused", effect=True)
def test_4_6_1_an_unused_fire_leaves_a_marker_of_guns():
    unit = a_leg("g1", "C5", SQUAD, command=Command.FIRE, pending=Spot.FIRE, pending_small_arms=True)
    mark_unused("2024", unit)
    assert (unit.pending, unit.pending_small_arms) == (Spot.FIRE, False)


# --- 6.5.1 indirect fire -----------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.1.1.3", effect=True)
@pytest.mark.parametrize(
    ("labels", "found"), [(("chq", "recon"), True), (("recon",), False), (("chq", "fo", "recon"), False)]
)
def test_6_5_1_1_3_a_command_recon_observer_is_both_and_no_fo(labels: tuple[str, ...], found: bool):
    observer = observer_of(advanced_data(), an_observer(advanced_data(), *labels))
    assert observer is not None and observer.command_recon is found


@pytest.mark.rule("6.5.1.11.2", effect=True)
def test_6_5_1_11_2_nobody_calls_the_planned_fire_of_the_enemy():
    table = a_table(planned={"p1": msgspec.structs.replace(a_plan(1), side="soviet")})
    assert_rule(objections(table, {"do": "arrive", "plan": "p1"}), "6.5.1.11.2", why="you have no such plan")


@pytest.mark.rule("6.5.1.11.1", effect=True)
@pytest.mark.parametrize(("sheaf", "direction", "type", "rule"), [
    ("on_map", 0, "gp", "6.5.1.5"), ("closed_linear", 0, "gp", "6.5.1.5"), ("open", 0, "illumination", "6.5.1.6.2"),
    ("closed", 0, "illumination", ""), ("closed_linear", 3, "smoke", ""),
])  # fmt: skip
def test_6_5_1_11_1_a_plot_has_a_pattern_of_its_type(sheaf: str, direction: int, type: str, rule: str):
    data = advanced_data()
    leg = Leg(point=parse_hex("C10"), type=type, sheaf=sheaf, direction=direction)  # type: ignore[arg-type]
    found = [one.rule for one in plot_objections(data, "gb1", 1, [leg])]
    assert (rule in found) if rule else not {"6.5.1.5", "6.5.1.6.2"} & set(found)


def test_6_5_1_11_the_next_turn_of_a_plan_ends_the_fire_of_its_own_battery_only():
    other = Mission(id="m9", side="soviet", planned=True, firers=("sb1",), point=a_hex("K10"), done_in=1)
    own = Mission(id="m8", side="german", planned=True, firers=("gb1",), point=a_hex("K10"), done_in=1)
    plan = a_plan(1)
    plan.arrived = 1
    table = a_table(dice=[50] * 9, missions={"m8": own, "m9": other}, planned={"p1": plan}, turn=2)
    run_step(table, fire_plan(table, plan))
    assert "m9" in table.state.missions and "m8" not in table.state.missions


@pytest.mark.rule("4.2.1", effect=True)
def test_4_2_1_a_counter_that_an_observer_shows_names_those_who_share_it():
    watching: dict[str, Any] = {"command": Command.OVERWATCH}
    alone, pair = a_leg("g1", "C5", SQUAD, **watching), a_leg("g2", "C5", SQUAD, shares="g1", **watching)
    assert "shared" not in show_counter(an_advanced_table(alone), alone).inputs
    assert show_counter(an_advanced_table(alone, pair), alone).inputs["shared"] == ["g1", "g2"]


# --- 6.6 movement ------------------------------------------------------------------------------------------------


def test_6_6_10_a_passenger_is_not_overrun_though_it_has_a_command_of_its_own():
    data = advanced_data()
    tank = a_tank("g1", "C8", "pz4h", command=Command.MOVE)
    rider = a_leg("s2", "C6", SOVIET, aboard="s1", command=Command.OVERWATCH)
    state = an_advanced_state(tank, a_tank("s1", "C6", "zis5"), rider, phase="movement")
    assert any(
        "was not on the ground" in one.english for one in quarry_objections(Situation(data, state), tank, rider)
    )


@pytest.mark.rule("6.1.4.3.11", effect=True)
def test_6_1_4_3_11_a_vehicle_crushes_the_wire_in_its_own_hex_only():
    wires = {
        id: Feature(id=id, type="wire", hex=a_hex(hex), known=("german", "soviet"))
        for id, hex in (("f1", "C5"), ("f2", "C6"))
    }
    tank = a_tank("g1", "C5", "pz4h")
    state = an_advanced_state(tank, features=wires)
    assert [one.inputs["hex"] for one in crush_wire(state, tank)] == ["C5"]
    assert list(state.features) == ["f2"]


@pytest.mark.rule("5.5", effect=True)
def test_5_5_units_on_foot_face_one_of_six_hexsides():
    table = an_advanced_table(a_leg("g1", "C5", SQUAD, command=Command.MOVE))
    mover = mover_of(table, table.state.vehicles["g1"])
    begun = start(mover, "cross")
    for step in ("face:7", "face:0", "face"):
        assert_rule(take(mover, begun, step), "5.5")
    assert take(mover, begun, "face:6").progress.facing == 6  # type: ignore[union-attr]
