"""6.5.4.4.3-6.5.4.5 GP fire: leg units, terrain, bail-out, smoke, and the rulings."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.builders import a_hex, run_step
from titles.panzer.fire.gp_attacks import (
    GERMAN,
    S_TYPE,
    SOVIET,
    TRUCK,
    a_scene,
    change,
    fire,
    ground,
    net,
    small_arms,
)

from pbem.engine.geometry.hexes import Hex
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.fire.direct_smoke import lay_smoke, smoke_objections
from pbem.titles.panzer.fire.gp_defence import gp_defence, vulnerable_terrain
from pbem.titles.panzer.fire.gp_fire import pattern_of, resolve_gp
from pbem.titles.panzer.fire.gp_modifiers import GpAttack
from pbem.titles.panzer.sighting.terrain import settle
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    Command,
    Feature,
    Marker,
    PanzerState,
)

SAPPER = "german_pioneer_squad"


# --- 6.5.4.4.3 leg and towed units -----------------------------------------------------------------------------


@pytest.mark.rule("6.5.4.4.3")
@pytest.mark.parametrize(
    ("edition", "suppressed", "effective"),
    [
        pytest.param(
            "2024", "6.5.4.4.3/suppressed", "6.5.4.4.3/effective-units",
            marks=pytest.mark.rule("6.5.4.4.3/suppressed", "6.5.4.4.3/effective-units", editions=("2024",)),
        ),
        pytest.param(
            "2016", "6.5.4.4.3/leg-towed-suppressed", "6.5.4.4.3/leg-towed-effective",
            marks=pytest.mark.rule(
                "6.5.4.4.3/leg-towed-suppressed", "6.5.4.4.3/leg-towed-effective", editions=("2016",)
            ),
        ),
    ],
)  # fmt: skip
def test_6_5_4_4_3_leg_and_towed_units(edition: Edition, suppressed: str, effective: str) -> None:
    """L3077-3081: a squad becomes a suppressed half-squad and keeps its weapons; other units are eliminated."""
    weapon = next(iter(advanced_data(edition=edition).book.attached))
    squad = a_leg("s1", "C5", GERMAN, weapons=(weapon,))
    gun = a_gun("s2", "D5", "pak38")
    table = an_advanced_table(squad, gun, a_leg("g1", "C8", SOVIET), edition=edition, dice=[50, 100, 90, 100])

    assert_rule(fire(table, firer="g1", target="s1").result, suppressed, result="suppressed")
    assert squad.suppression is Marker.ON and squad.card == GERMAN
    assert_rule(fire(table, firer="g1", target="s1").result, effective, result="reduced")
    assert (squad.card, squad.weapons, squad.suppression) == ("german_rifle_half_squad", (weapon,), Marker.ON)
    assert_rule(fire(table, firer="g1", target="s1", **small_arms("E")).result, effective, result="eliminated")
    found = fire(table, firer="g1", target="s2").result
    assert_rule(found, "6.5.4.4.3", result="eliminated")
    assert not squad.alive and not gun.alive and not table.state.wrecks


@pytest.mark.rule("6.5.4.4/separate-rolls", editions=("2024",))
def test_6_5_4_4_a_pattern_attacks_friend_and_foe_hex_by_hex_units_before_terrain() -> None:
    """L2729, L2983-2987: the attack goes from the target point outwards, with vehicles and their passengers first."""
    board = ground(C5="brick_building")
    table = an_advanced_table(
        a_leg("g1", "D5", GERMAN),
        a_tank("s1", "C5", TRUCK),
        a_leg("s2", "C5", SOVIET, aboard="s1"),
        a_leg("s0", "C5", SOVIET),
        a_leg("s3", "C4", SOVIET),
        board=board,
        dice=[1] * 6,
    )
    hexes = tuple(a_hex(name) for name in ("C4", "D5", "C5"))
    attack = GpAttack(kind="if", factor=2, firer="gb1", point=a_hex("C5"), hexes=hexes, effectiveness=3)
    assert pattern_of(table.state, attack)[0] == a_hex("C5")
    found = run_step(table, resolve_gp(table, attack)).result
    rolled = [subjects for _, subjects in table.chance.rolled]  # type: ignore[attr-defined]
    assert rolled == [("s1",), ("s2",), ("s0",), ("brick_building C5",), ("s3",), ("g1",)]
    assert_rule(found, "6.5.4.4/separate-rolls", inputs={"unit": "s1"})


# --- 6.5.4.2.5 terrain -----------------------------------------------------------------------------------------


def a_feature(type: str, hex: str = "C5", **more: Any) -> dict[str, Feature]:
    return {"f1": Feature(id="f1", type=type, hex=a_hex(hex), **more)}


@pytest.mark.rule("6.5.4.2.5", "6.5.4.4.3/building")
@pytest.mark.parametrize(
    ("edition", "attacked", "effective"),
    [
        pytest.param(
            "2024", "6.5.4.2.5/when-attacked", "6.5.4.4.3/effective-terrain",
            marks=pytest.mark.rule("6.5.4.2.5/when-attacked", "6.5.4.4.3/effective-terrain", editions=("2024",)),
        ),
        pytest.param(
            "2016", "6.5.4.2.5", "6.5.4.4.3/terrain-effective",
            marks=pytest.mark.rule("6.5.4.4.3/terrain-effective", editions=("2016",)),
        ),
    ],
)  # fmt: skip
def test_6_5_4_4_3_a_building_falls_after_two_effective_results(
    edition: Edition, attacked: str, effective: str
) -> None:
    """L2795-2803, L3085-3093: direct fire at a unit inside also attacks the building, which buries the hex."""

    def scene(*dice: int) -> Table[PanzerState]:
        return an_advanced_table(
            a_leg("s1", "C5", SOVIET),
            a_tank("s2", "C5", "t34_76"),
            a_leg("s3", "C5", SOVIET, aboard="s2"),
            a_leg("g1", "C8", GERMAN),
            board=ground(C5="brick_building"),
            edition=edition,
            dice=dice,
        )

    table = scene(1, 100, 50)  # defence 8: 54/86
    found = fire(table, firer="g1", target="s1").result
    assert_rule(found, effective, result="none")
    assert table.state.vehicles["s1"].alive

    table = scene(1, 100, 100)
    found = fire(table, firer="g1", target="s1").result
    assert_rule(found, attacked, result="destroyed", inputs={"feature": "brick_building"})
    assert_rule(found, effective, result="destroyed")
    assert_rule(found, "6.5.4.2.5", result=8)
    assert_rule(found, "6.5.4.4.3/building", result="brick_rubble")
    assert [unit.id for unit in table.state.of("soviet")] == [] and not table.state.wrecks
    assert [feature.type for feature in table.state.features.values()] == ["brick_rubble"]
    assert vulnerable_terrain(table, a_hex("C5")) == []  # it is rubble now


def test_6_5_4_2_5_small_arms_and_fire_at_units_in_the_alley_attack_no_building() -> None:
    """L2795-2801: small arms, and fire at units in the alley, do not attack the building."""
    table = an_advanced_table(
        a_leg("s1", "C5", SOVIET), a_tank("s2", "C5", "t34_76"), a_leg("g1", "C8", GERMAN),
        board=ground(C5="brick_building"), dice=[1, 1],
    )  # fmt: skip
    fire(table, firer="g1", target="s1", **small_arms("S"))
    fire(table, firer="g1", target="s2")


@pytest.mark.rule("6.5.4.4.3/bridge", "6.5.4.4.3/improved-position", "6.5.4.4.3/block-mines-wire")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_4_3_bridges_positions_blocks_mines_and_wire(edition: Edition) -> None:
    """L3097-3109: a bridge or position takes its units with it; one effective result removes mines."""

    def destroy(type: str, dice: list[int], **more: Any) -> tuple[Finding, PanzerState]:
        table = an_advanced_table(
            a_leg("s1", "C5", SOVIET, position="f1" if type == "improved_position" else ""),
            a_leg("s2", "C5", SOVIET),
            features=a_feature(type, **more),
            edition=edition,
            dice=[1, 1, *dice],
        )
        hexes = (a_hex("C5"),)
        found = fire(table, kind="if", firer="gb1", hexes=hexes, point=hexes[0], factor=6, effectiveness=6).result
        return found, table.state

    found, state = destroy("bridge", [100, 100], defence=5)
    assert_rule(found, "6.5.4.4.3/bridge", result="bridge_rubble")
    assert not list(state.of("soviet"))
    found, state = destroy("improved_position", [100, 100])
    assert_rule(found, "6.5.4.4.3/improved-position", result="position_rubble")
    assert [unit.id for unit in state.of("soviet")] == ["s2"]
    for type, dice, more in (
        ("block", [100, 100], {"defence": 3}),
        ("wire", [100, 100], {"defence": 3}),
        ("hasty_mines", [100], {}),
        ("deliberate_mines", [100], {}),
    ):
        found, state = destroy(type, dice, **more)
        assert_rule(found, "6.5.4.4.3/block-mines-wire", result="removed")
        assert len(list(state.of("soviet"))) == 2 and not state.features
    found, state = destroy("block", [])  # L2799: no value, no target
    assert state.features


def test_6_5_4_2_5_what_befalls_hidden_mines_only_their_owner_learns() -> None:
    table = an_advanced_table(
        features=a_feature("hasty_mines", side="german", known=("german",)), dice=[100], sides=("german", "soviet")
    )
    found = fire(table, kind="if", firer="gb1", hexes=(a_hex("C5"),), point=a_hex("C5")).result
    assert [child.to for child in found.children] == [("german",)]


# --- 6.5.4.5 bail out ------------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.4.5")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_4_5_the_checks_follow_all_rolls_carrier_first(edition: Edition) -> None:
    """L1532, L2781-2783: the truck is knocked out, so its suppressed passenger uses the KO row, not the
    row for Suppressed."""
    truck, rider = a_tank("s1", "C5", S_TYPE), a_leg("s2", "C5", SOVIET, aboard="s1")
    table = an_advanced_table(truck, rider, a_leg("g1", "C8", GERMAN), edition=edition, dice=[92, 10, 30, 21])
    found = fire(table, firer="g1", target="s1").result
    assert_rule(found, "6.5.4.5", inputs={"carrier": "s1"}, result=["s2"])
    assert not truck.alive and rider.alive and not rider.aboard and rider.suppression is Marker.ON


@pytest.mark.rule("6.5.4.5/suppressed-passengers", editions=("2024",))
def test_6_5_4_5_only_newly_suppressed_passengers_check_and_never_the_crew() -> None:
    """L3113-3115: a passenger marked On stays aboard without a check; a passenger turned from Off to On checks."""
    for before, checks in ((Marker.NONE, 1), (Marker.OFF, 1), (Marker.ON, 0)):
        rider = a_leg("s2", "C5", SOVIET, aboard="s1", suppression=before)
        table = an_advanced_table(
            a_tank("s1", "C5", S_TYPE), rider, a_leg("g1", "C8", GERMAN), dice=[30, 30, *[20] * checks]
        )
        found = fire(table, firer="g1", target="s1").result
        assert not table.chance.left  # type: ignore[attr-defined]
        assert bool(rider.aboard) == (not checks)
        if checks:
            assert_rule(found, "6.5.4.5/suppressed-passengers", result="bails-out", inputs={"unit": "s2"})


def test_5_15_the_crew_bails_out_and_the_passengers_follow() -> None:
    """L1534: indirect fire drives out the carrier's crew; the suppressed passenger follows without a roll."""
    rider = a_leg("s2", "C5", SOVIET, aboard="s1")
    truck = a_tank("s1", "C5", S_TYPE)
    table = an_advanced_table(truck, rider, dice=[95, 40, 30])
    fire(table, kind="if", firer="gb1", hexes=(a_hex("C5"),), point=a_hex("C5"))
    assert truck.bailed_out and not rider.aboard and rider.suppressed


# --- 5.1.3.4, 6.7 other kinds of fire --------------------------------------------------------------------------


@pytest.mark.rule("5.1.3.4", effect=True)
def test_5_1_3_4_a_hand_held_weapon_attacks_only_the_passengers_by_gp_fire() -> None:
    truck, rider = a_tank("s1", "C5", S_TYPE), a_leg("s2", "C5", SOVIET, aboard="s1")
    table = an_advanced_table(truck, rider, a_leg("g1", "C6", GERMAN), dice=[1])
    fire(table, firer="g1", target="s1", passengers_only=True)
    assert rider.under_fire and not truck.under_fire


def test_6_7_4_2_1_a_crash_is_effective_against_every_vehicle_and_brews_up_to_7() -> None:
    """L4077, A50: a crash is always effective against vehicles, and a d10 of up to 7 is a brew-up."""
    for roll, outcome in ((7, "bu"), (8, "ko")):
        tank = a_tank("s1", "C5", "is2m")
        table = an_advanced_table(tank, dice=[97, roll])
        found = fire(
            table, kind="crash", factor=15, hexes=(a_hex("C5"),), point=a_hex("C5"), sure=True, effectiveness=0
        )
        assert found.result.result == outcome


# --- 6.1.4.3.10 direct smoke -----------------------------------------------------------------------------------


@pytest.mark.rule("6.1.4.3.10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_1_4_3_10_direct_smoke(edition: Edition) -> None:
    """L1818-1841: smoke goes into a hex in sight and GP range without friendly units, and starts after the step."""
    data = advanced_data(edition=edition)
    card, arm = next(
        (id, arm)
        for id, card in data.book.vehicles.items()
        for arm in weapons_of(data, a_tank("g1", "C8", id))
        if arm.smoke
    )
    tank = a_tank("g1", "C8", card)
    bare = next(arm for arm in weapons_of(data, a_leg("g2", "C5", GERMAN)) if not arm.smoke)
    table = an_advanced_table(tank, a_leg("g2", "C5", GERMAN), a_leg("s1", "C2", SOVIET), edition=edition)

    def objections(hex: Hex, weapon: Any = arm) -> list[Any]:
        return list(smoke_objections(Situation(data, table.state), tank, weapon, hex))

    assert objections(a_hex("C6")) == []
    assert_rule(objections(a_hex("C5")), "6.1.4.3.10", why="there are friendly units in C5")
    assert objections(a_hex("C6"), bare) and objections(Hex(500, 500))

    assert_rule(lay_smoke(table, tank, a_hex("C6")), "6.1.4.3.10", result="smoke")
    assert net(table, "s1", firer="g2").result == 0
    assert net(table, "s1", firer="g1").result == 0  # fresh: not in this step
    settle(table.state)
    assert net(table, "s1", firer="g1").result == -20


@pytest.mark.rule("6.1.4.3.10", effect=True)
def test_6_1_4_3_10_engineers_lay_smoke_in_an_adjacent_hex() -> None:
    data = advanced_data()
    sapper = a_leg("g1", "C5", SAPPER, labels=("engineer",))
    state = an_advanced_state(sapper)
    arm = weapons_of(data, sapper)[0]
    assert list(smoke_objections(Situation(data, state), sapper, arm, a_hex("C4"))) == []
    assert list(smoke_objections(Situation(data, state), sapper, arm, a_hex("C3")))
    rifle = a_leg("g2", "C5", GERMAN)
    assert list(smoke_objections(Situation(data, state), rifle, arm, a_hex("C4")))


# --- what the rulings say --------------------------------------------------------------------------------------


def test_6_5_4_2_2_an_overstacked_hex_covers_leg_units_but_not_guns_and_an_entrenchment_only_hinders() -> None:
    """RULING: guns count for stacking and lose their cover; terrain alone gives the defence in an entrenchment."""
    crowd = [a_tank(f"g{number}", "C5") for number in range(3, 8)]
    squad, gun = a_leg("g1", "C5", GERMAN), a_gun("g2", "C5", "pak38")
    hole = Feature(id="f1", type="hasty_entrenchment", hex=a_hex("D5"), holder="g9", stage=4)
    dug_in = a_leg("g9", "D5", GERMAN, position="f1")
    data = advanced_data(ground(C5="medium_grove"))
    state = an_advanced_state(squad, gun, *crowd, dug_in, features={"f1": hole})
    assert gp_defence(Situation(data, state), squad).result == 6
    assert gp_defence(Situation(data, state), gun).result == data.book.towed["pak38"].defence.none.value
    assert gp_defence(Situation(data, state), dug_in).result == 2


@pytest.mark.rule("6.5.4.4")
def test_6_5_4_4_a_factor_above_15_uses_the_last_column() -> None:
    table = an_advanced_table(a_leg("s1", "C5", SOVIET), a_leg("g1", "C8", GERMAN), dice=[1])
    found = fire(table, firer="g1", target="s1", factor=19).result
    assert_rule(found, "6.5.4.4", cell=[15, 2], inputs={"no_effect": -1, "suppressed": 38})


@pytest.mark.rule("6.5.4.3")
def test_6_2_1_1_3_a_shared_counter_is_shown_once_for_all_who_share_it() -> None:
    """The owner shows the counter for all units that share it, whichever of them it is on."""
    holder = a_tank("s1", "C5", "t34_76", command=Command.MOVE)
    mate = a_tank("s2", "C6", "t34_76", command=Command.MOVE, shares="s1")
    table = an_advanced_table(holder, mate, a_leg("g1", "C8", GERMAN, command=Command.FIRE), dice=[1, 1])
    played = fire(table, {"show": [True]}, firer="g1", target="s2", **small_arms("S"))
    assert played.asks[0].subject == "s1" and holder.shown and mate.shown
    assert_rule(played.result, "6.5.4.3", result=-30)
    assert fire(table, firer="g1", target="s1", **small_arms("S")).asks == []


def test_6_5_4_4_2_a_track_hit_does_not_end_the_moving_of_a_vehicle() -> None:
    """L2487-2491: a vehicle with a track hit still counts as moving this turn."""
    table = a_scene("2024")
    change(table, "s2", command=Command.MOVE, track_hit=True)
    assert net(table, "s2", firer="g1").result == -30


@pytest.mark.rule("6.5.4.3/leg-crawling", "6.5.4.2.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_6_4_3_who_is_in_full_cover_with_a_move_counts_as_crawling_all_turn(edition: Edition) -> None:
    """A36: the unit counts as crawling before and after it crawls, even if it uses its Move for something else."""
    table = a_scene(edition)
    open_ground = gp_defence(table, table.state.vehicles["s1"]).result
    change(table, "s1", command=Command.MOVE, full_cover=True)
    squad = table.state.vehicles["s1"]
    assert not squad.crawling
    found = gp_defence(table, squad)
    assert_rule(found, "6.5.4.2.2", result=open_ground + 2)  # full cover, and nothing for moving
    assert_rule(net(table, "s1", firer="g1"), "6.5.4.3/leg-crawling", result=10)
    assert_rule(net(table, "s1", firer="gb1", kind="if"), "6.5.4.3/leg-crawling", result=10)
    for other in ({"command": Command.OVERWATCH}, {"full_cover": False}):
        change(table, "s1", **{"command": Command.MOVE, "full_cover": True, **other})
        assert net(table, "s1", firer="g1").result == 0
