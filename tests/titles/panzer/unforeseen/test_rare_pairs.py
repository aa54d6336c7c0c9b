"""Rules of chapters that rarely meet; each answer was worked out from the book.

They are about mines and transport, morale and passengers, aircraft and broken guns, positions and what ends them,
and fires and hidden counters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_board, a_hex
from titles.panzer.combinations.turns import Turn, a_turn
from titles.panzer.movement.test_second_roads import a_barrage
from titles.panzer.obstacles.test_optional_mines import mines

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.command.morale import COHESION
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import AircraftRow, Conditions
from pbem.titles.panzer.state import (
    AircraftState,
    Feature,
    HiddenCounter,
    HullDown,
    Inside,
    Marker,
    Mission,
    Spot,
    Status,
    Unit,
)

SQUAD, SECTION, SOVIET = "german_rifle_squad", "german_section", "soviet_rifle_squad"
FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")
SHAKEN = {COHESION: {"german": 1, "soviet": 9}}
"""The German formation has one Cohesion Point, so its first loss makes it break."""
ROUGH, HOUSE = {"signs": {"C9": "^"}}, {"signs": {"C8": "B"}, "storeys": {"C8": 2}}


def play(
    units: Sequence[Unit],
    orders: str,
    *,
    rules: Sequence[str] = (),
    soviet: str = "",
    board: Mapping[str, Any] | None = None,
    dice: Mapping[str, int] | None = None,
    features: Sequence[Feature] = (),
    standing: Sequence[str] = (),
    scenario: Mapping[str, Any] | None = None,
    basis: Sequence[str] = FREE,
    **state: Any,
) -> Turn:
    """A turn of the 2016 book after the orders of both sides; each side also has a lorry far away."""
    data = advanced_data(a_board(**(board or {})), edition="2016", rules=(*basis, *rules), **(scenario or {}))
    everybody = [*units, a_tank("g9", "T1", "opel"), a_tank("s9", "T19", "zis5")]
    begun = an_advanced_state(*everybody, **{"turn": 1, "features": {one.id: one for one in features}, **state})
    given = {"german": orders} | ({"soviet": soviet} if soviet else {})
    return a_turn(data, begun, dice=dice, standing={"german": list(standing)}, **given)


def where(turn: Turn, unit: str) -> str:
    hex = turn.state.vehicles[unit].hex
    return "" if hex is None else hex_name(hex)


def checked(turn: Turn) -> list[str]:
    """7.1.2 Return the units that checked their morale."""
    return sorted(str(one.inputs["unit"]) for one in turn.of("7.1.2") if "reasons" in one.inputs)


def carrier(hex: str = "C9", card: str = "spw251", **more: Any) -> tuple[Unit, Unit]:
    """A half-track and the squad aboard it."""
    return a_tank("g1", hex, card, facing=1), a_leg("g2", hex, SQUAD, aboard="g1", **more)


# --- 7.31 mines and those who are carried, crawl or attack ---------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "orders", "field", "attacked"),
    [
        (carrier(), "g2 dismount C8", ("C8", "personnel"), ["g2"]),
        (carrier(), "g1 move f bail g2 f", ("C8", "personnel"), ["g2"]),
        ((a_tank("g1", "C9", "spw251"), a_leg("g2", "C9", SQUAD)), "g1 hold\ng2 mount g1", ("C9", "both"), []),
        ((a_tank("g1", "C9", "sdkfz10", facing=1), a_gun("g2", "C9", "pak36", aboard="g1")), "g1 move f",
         ("C8", "both"), ["g1"]),
        ((a_leg("g1", "C9", SQUAD, full_cover=True),), "g1 crawl C8", ("C8", "personnel"), ["g1"]),
        ((a_leg("g1", "C9", SQUAD, full_cover=True),), "g1 crawl C8", ("C9", "personnel"), ["g1"]),
        ((a_leg("g1", "C9", SQUAD),), "g1 hold\ng1 pivot 4", ("C9", "personnel"), []),
        ((a_gun("g1", "C9", "pak36", facing=1),), "g1 walk 1", ("C9", "personnel"), ["g1"]),
        ((a_tank("g1", "C9", "tiger1", facing=1),), "g1 move face 4", ("C9", "vehicles"), ["g1"]),
        ((a_tank("g1", "C9", "tiger1", facing=1),), "g1 move", ("C9", "vehicles"), []),
    ],
)  # fmt: skip
def test_7_31_2_who_is_attacked_by_mines(units: Any, orders: str, field: tuple[str, str], attacked: list[str]):
    """Mines attack on entry, or once when a move begins in the field, but not a unit that mounts or is carried."""
    hex, of = field
    turn = play(units, orders, rules=("minefields",), dice={"7.31": 99}, features=[mines(hex, of=of)])
    assert sorted(one.inputs["unit"] for one in turn.of("7.31.2")) == attacked


@pytest.mark.parametrize("danger", ["mines", "barrage"])
def test_6_6_1_1_3_the_advance_after_combat_enters_mines_and_barrages(danger: str):
    units = a_leg("g1", "C8", SQUAD), a_tank("s1", "C7", "zis5")
    more: Any = {"missions": a_barrage("C7")} if danger == "barrage" else {"features": [mines("C7", of="personnel")]}
    dice = {"6.6.1.1": 99, "7.31": 99}
    turn = play(
        units, "g1 assault s1", rules=("minefields",), dice=dice, standing=["advance: always"], **more
    )  # fmt: skip
    found = turn.of("6.6.6" if danger == "barrage" else "7.31.2")
    assert where(turn, "g1") == "C7" and "g1" in [one.inputs.get("unit") for one in found]


def test_6_6_10_1_who_is_put_back_after_an_overrun_does_not_enter_the_mines_again():
    """Two squads are in the hex, so the tank goes back to the mined hex from which it came."""
    enemies = [a_leg(f"s{number}", "C7", SOVIET, spot=Spot.FIRE) for number in (1, 2)]
    turn = play(
        [a_tank("g1", "C9", "tiger1", facing=1), *enemies], "g1 move C8 overrun s1", rules=("minefields",),
        dice={"6.5.4": 99, "7.31": 99}, features=[mines("C8", of="vehicles")],
    )  # fmt: skip
    assert where(turn, "g1") == "C8" and len(turn.of("7.31.2.1")) == 1


# --- 7.1.2 morale and passengers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "orders", "soviet", "checks"),
    [
        ((*carrier("C5"), a_tank("s1", "C9", "t34_76", facing=1)), "g1 hold", "s1 fire g1 ap", ["g1"]),
        ((*carrier("C5"), a_leg("s1", "C7", SOVIET, spot=Spot.FIRE)), "g1 hold", "s1 fire g1", ["g1", "g2"]),
        (carrier("C5"), "g1 move f", "", ["g1"]),
        ((a_tank("g1", "C5", "spw251"), a_leg("g2", "C6", SQUAD)), "g1 hold\ng2 mount g1", "", ["g2"]),
        ((a_tank("g1", "C5", "spw251"), a_leg("g2", "C5", SQUAD)), "g1 hold\ng2 mount g1", "", []),
    ],
)
def test_7_1_2_passengers_check_for_gp_fire_at_their_carrier_and_for_changing_hexes(
    units: Any, orders: str, soviet: str, checks: list[str]
):
    """Neither AP fire at the carrier nor being carried makes a passenger check."""
    fallen = a_leg("g8", "K9", SQUAD, status=Status.ELIMINATED)
    dice = {"4.4.3.2.3": 99, "6.5.4": 1, "7.1": 99}
    turn = play([*units, fallen], orders, rules=("morale",), soviet=soviet, dice=dice, notes=dict(SHAKEN))
    assert checked(turn) == checks


@pytest.mark.parametrize(
    ("units", "orders", "unit", "hesitates"),
    [
        ((a_leg("g2", "C9", SQUAD, flags=("hesitating-off",)),), "g2 move C8", "g2", True),
        ((a_leg("g2", "C9", SQUAD, flags=("hesitating-off",)),), "g2 hold", "g2", False),
        (carrier(flags=("hesitating-off",)), "g1 move C8", "g2", False),
    ],
)
def test_7_1_5_1_who_is_carried_while_hesitating_has_not_moved(units: Any, orders: str, unit: str, hesitates: bool):
    notes = {COHESION: {"german": 9, "soviet": 9}}
    turn = play(units, orders, rules=("morale",), notes=notes)
    assert any(flag.startswith("hesitating") for flag in turn.state.vehicles[unit].flags) is hesitates


# --- 6.7.4 anti-aircraft fire with broken and locked guns ----------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "die", "flight", "fires"),
    [
        ({}, 5, "C1 face 4", True),
        ({"flags": ("jammed-0",)}, 5, "C1 face 4", False),
        ({"flags": ("jammed-0",)}, 1, "C1 face 4", True),
        ({}, 5, "A3 face 3", True),
        ({"flags": ("turret-locked",)}, 5, "A3 face 3", False),
    ],
)
def test_6_7_4_1_2_a_turret_fires_all_round_unless_it_is_locked_and_never_a_broken_gun(
    more: Any, die: int, flight: str, fires: bool
):
    """7.25: a 1 repairs the gun before the phase; 7.23.2: a locked turret points ahead, which is south here."""
    car = a_tank("g1", "C8", "ab41", facing=4, side="german", **more)
    turn = play(
        [car, a_leg("g2", "C14", SQUAD)], "g1 overwatch", rules=("malfunction", "collateral_damage"),
        soviet=f"ac1 fly {flight} slow low", dice={"6.7": 50, "7.25": die}, standing=["anti-aircraft: always"],
        scenario={"air_superiority": "soviet", "aircraft": (AircraftRow("ac1", "ac1", "soviet", "il2", "seasoned"),)},
        aircraft={"ac1": AircraftState(id="ac1", name="ac1", side="soviet", card="il2", load="bombs")},
    )  # fmt: skip
    assert bool(turn.of("6.7.4")) is fires


# --- 6.1.4.3.7 what ends the hold of a position --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("others", "orders"),
    [
        ((), "g1 move C7"),
        ((a_tank("g2", "C8", "opel"),), "g2 hold\ng1 mount g2"),
        ((a_tank("s1", "C7", "zis5"),), "g1 assault s1"),
    ],
)
def test_6_1_4_3_7_a_position_is_free_once_its_holder_has_walked_mounted_or_advanced(others: Any, orders: str):
    post = Feature(id="p1", type="improved_position", hex=a_hex("C8"), holder="g1", known=("german", "soviet"))
    squad = a_leg("g1", "C8", SQUAD, position="p1")
    turn = play(
        [squad, *others], orders, features=[post], dice={"6.6.1.1": 99}, standing=["advance: always"]
    )  # fmt: skip
    assert turn.state.features["p1"].holder == "" and turn.state.vehicles["g1"].position == ""


# --- 7.35.2 flames -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [False, True])
def test_7_35_2_passengers_and_hidden_units_burn_with_the_house(hidden: bool):
    """Passengers and hidden units are lost in the fire; no wreck is left, and the empty counter is removed."""
    fire = Feature(id="f1", type="on_fire", hex=a_hex("C8"), turn=0, known=("german", "soviet"))
    more: Any = {"flags": ("hidden",)} if hidden else {}
    lorry, squad = a_tank("s1", "C8", "zis5", **more), a_leg("s2", "C8", SOVIET, aboard="s1", **more)
    counters = {"h1": HiddenCounter(id="h1", side="soviet", hex=a_hex("C8"), units=("s1",))} if hidden else {}
    turn = play(
        [lorry, squad], "g9 hold", rules=("fires", "hidden_units"), board=HOUSE, features=[fire],
        scenario={"conditions": Conditions(hidden_counters={"soviet": 2})}, hidden_counters=counters,
    )  # fmt: skip
    assert [turn.state.vehicles[id].status for id in ("s1", "s2")] == [Status.ELIMINATED] * 2
    assert not turn.state.wrecks and not turn.state.hidden_counters


# --- bogged vehicles, hull down and shared commands ----------------------------------------------------------------


def test_7_29_a_bogged_vehicle_does_not_search_for_hull_down():
    turn = play(
        [a_tank("g1", "C9", "pz4h", facing=1)], "g1 search hull-down", rules=("bogging_down",),
        dice={"7.29": 1, "6.6.9": 1}, board=ROUGH,
    )  # fmt: skip
    assert turn.state.vehicles["g1"].hull_down is HullDown.NONE
    assert not [one for one in turn.of("6.6.9") if one.dice]


def test_7_29_passengers_of_a_bogged_vehicle_get_out():
    turn = play(
        carrier(), "g1 move C8 dismount g2 C9", rules=("bogging_down",), dice={"7.29": 1}, board=ROUGH
    )  # fmt: skip
    assert where(turn, "g1") == "C9" and turn.state.vehicles["g2"].aboard == ""


@pytest.mark.parametrize(
    ("verb", "told"), [("move C8", lambda turn: where(turn, "g2") == "D8"), ("fire s1", lambda turn: fires(turn))]
)
def test_6_2_1_1_4_who_shares_a_counter_acts_although_its_owner_is_lost(verb: str, told: Callable[[Turn], bool]):
    units = a_leg("g1", "C9", SECTION), a_leg("g2", "D9", SQUAD), a_leg("s1", "C12", SOVIET, spot=Spot.FIRE)
    own = " move D8" if verb.startswith("move") else ""
    orders = {"orders": f"second\ng1 {verb}\ng2 with g1{own}", "soviet": "first\ns1 fire g1"}
    turn = play(units, **orders, dice={"6.5.4": 99}, basis=ADVANCED_RULES)
    assert not turn.state.vehicles["g1"].alive and told(turn)


def fires(turn: Turn) -> bool:
    return "g2" in [one.inputs.get("firer") for one in turn.of("6.5.4")]


def test_6_4_an_observer_that_is_strafed_calls_no_fire_and_its_owner_is_told():
    woods = {"signs": {f"{column}{row}": "W" for column in "GHI" for row in (12, 13)}}
    mortar = a_leg("g3", "H14", SECTION, weapons=("german_grw34",))
    turn = play(
        [a_leg("g2", "C8", SECTION, labels=("fo",)), mortar, a_leg("s1", "C11", SOVIET, spot=Spot.FIRE)],
        "g2 call g3 at C11", soviet="ac1 fly C1 face 4 slow low strafe g2",
        dice={"6.5.4": 99, "6.7": 99}, board=woods,
        scenario={"air_superiority": "soviet", "aircraft": (AircraftRow("ac1", "ac1", "soviet", "il2", "seasoned"),)},
        aircraft={"ac1": AircraftState(id="ac1", name="ac1", side="soviet", card="il2", load="bombs")},
    )  # fmt: skip
    assert turn.fails == ["g2 call g3 at C11: the unit was lost before its turn came"]


# --- orders that are refused ---------------------------------------------------------------------------------------

ENEMY = a_leg("s1", "C12", SOVIET, spot=Spot.FIRE)
BLOCK = Feature(id="b1", type="block", hex=a_hex("C8"), known=("german", "soviet"), defence=3)
WIRE = Feature(id="w1", type="wire", hex=a_hex("C8"), known=("german", "soviet"), defence=3)
LOST = a_leg("g2", "C8", SECTION, labels=("fo",), status=Status.ELIMINATED)
SUSTAINED = {"m1": Mission(id="m1", side="german", observer="g2", firers=("g3",), point=a_hex("C12"), started=1)}


@pytest.mark.parametrize(
    ("units", "orders", "rule", "more"),
    [
        ((a_leg("g1", "C8", SQUAD), a_leg("g2", "C8", SQUAD), ENEMY), "g1 smoke at C8", "7.22",
         {"rules": ("infantry_smoke",)}),
        ((a_leg("g1", "C8", SQUAD, flags=("broken-off",)), ENEMY), "g1 smoke at C8", "7.22",
         {"rules": ("infantry_smoke", "morale"), "notes": {COHESION: {"german": 9, "soviet": 9}}}),
        ((a_leg("g1", "C8", SQUAD, inside=Inside.UP, full_cover=True),), "g1 crawl down", "6.6.4.3",
         {"board": HOUSE}),
        ((a_leg("g1", "C8", SQUAD, inside=Inside.UP),), "g1 quick C7", "6.6.4.1", {"board": HOUSE}),
        ((*carrier(), a_leg("s1", "C8", SOVIET, spot=Spot.FIRE)), "g1 overrun s1", "6.6.3", {"board": HOUSE}),
        (carrier(suppression=Marker.OFF), "g1 move f bail g2", "6.6.7.1.2", {}),
        ((a_tank("g1", "C9", "opel", bailed_out=True), a_leg("g2", "C9", SQUAD)), "g2 mount g1", "5.15", {}),
        ((a_tank("g1", "C9", "sdkfz10", facing=1), a_gun("g2", "C9", "pak36", aboard="g1")), "g1 reverse 1",
         "6.6.7.1", {}),
        ((a_leg("g1", "C9", SQUAD), a_leg("s1", "C7", SOVIET, spot=Spot.FIRE)), "g1 assault s1 from C8", "6.1.4.3.11",
         {"features": [WIRE]}),
        ((a_leg("g1", "C9", "german_pioneer_squad", suppression=Marker.OFF),), "g1 demolish b1", "7.19",
         {"rules": ("engineers_and_terrain",), "features": [BLOCK]}),
        ((LOST, a_leg("g3", "H2", SECTION, weapons=("german_grw34",)), ENEMY), "m1 continue", "6.5.1.8.1",
         {"missions": SUSTAINED, "turn": 2}),
        ((a_tank("g1", "C9", "pz4h", facing=1, flags=("broken-off",), suppression=Marker.OFF),), "g1 move f f",
         "4.5.1.1.3", {"rules": ("morale",), "notes": {COHESION: {"german": 9, "soviet": 9}}}),
        ((a_tank("g1", "C9", "pz4h", facing=4, turret=3), a_tank("s1", "C12", "t34_76")), "g1 fire s1", "7.8",
         {"rules": ("turrets",)}),
        ((a_leg("g1", "C9", "german_motorcycle_squad", facing=1), a_leg("s1", "C7", SOVIET, spot=Spot.FIRE)),
         "g1 assault s1 from C8", "6.6.4.4", {"board": {"hexsides": {"wall": ["C9:1"]}}}),
    ],
)  # fmt: skip
def test_orders_that_two_rules_together_forbid(units: Any, orders: str, rule: str, more: dict[str, Any]):
    with pytest.raises(Refusal) as refusal:
        play(units, orders, **more)
    assert_rule(refusal.value, rule)
