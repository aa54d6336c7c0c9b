"""Every word of an accepted order is carried out, with the weapon that it names; otherwise the order is refused."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_hex
from titles.panzer.combinations.turns import a_turn

from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import AircraftRow, Conditions
from pbem.titles.panzer.state import AircraftState, Battery, HiddenCounter, Spot

SQUAD, SOVIET, PIONEERS = "german_rifle_squad", "soviet_rifle_squad", "german_pioneer_squad"
FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")


def smoking(orders: str, card: str = SQUAD, weapon: str = "german_grw34") -> Any:
    """A squad with a weapon in C5 and an enemy four hexes away."""
    squad = a_leg("g1", "C5", card, weapons=(weapon,), facing=4)
    enemies = a_leg("s1", "C9", SOVIET, spot=Spot.FIRE), a_tank("s9", "T19", "zis5")
    data = advanced_data(edition="2016", rules=(*FREE, "infantry_smoke"))
    return a_turn(data, an_advanced_state(squad, *enemies, turn=1), dice={"7.22": 1, "5.16": 1}, german=orders)


@pytest.mark.rule("7.22.1", editions=("2016",))
@pytest.mark.parametrize("weapon", ["german_grw34", "german_hmg"])
def test_7_22_1_attached_weapons_fire_as_well_as_smoke_in_the_units_own_hex(weapon: str):
    """Smoke replaces the fire of the small arms, even in a squad whose mortar could fire smoke elsewhere."""
    turn = smoking("g1 fire smoke C5 and s1 with 2", weapon=weapon)
    assert turn.fails == []
    assert len(turn.of("6.5.4")) == 1
    assert_rule(turn.findings, "7.22.1", inputs={"unit": "g1", "hex": "C5"}, result="smoke")


@pytest.mark.rule("4.4.1", editions=("2016",))
@pytest.mark.parametrize(
    ("orders", "card"),
    [
        ("g1 fire smoke C5 and s1 with 1", SQUAD),
        ("g1 fire s1 with 1 and smoke C5", SQUAD),
        ("g1 fire smoke C6 and s1 with 1", PIONEERS),
    ],
)
def test_7_22_1_small_arms_do_not_fire_as_well_as_smoke_that_is_thrown(orders: str, card: str):
    """6.1.4.3.10: engineers throw smoke into an adjacent hex instead of firing their small arms."""
    with pytest.raises(Refusal) as refusal:
        smoking(orders, card, "german_hmg")
    assert_rule(refusal.value, "4.4.1", why="each weapon can be fired only once")


@pytest.mark.rule("7.22.1", editions=("2016",))
def test_7_22_1_smoke_thrown_by_hand_is_not_laid_with_the_mortar_that_is_named():
    with pytest.raises(Refusal) as refusal:
        smoking("g1 fire smoke C5 with 2")
    assert_rule(refusal.value, "7.22.1", why="smoke thrown by hand takes the place of the unit's small arms")
    assert list(refusal.value.instead) == ["g1 fire smoke C5 with 1"]


@pytest.mark.rule("6.1.4.3.10")
@pytest.mark.parametrize("word", ["ap", "gp", "with ap"])
def test_6_1_4_3_10_smoke_has_no_other_type_of_fire(word: str):
    with pytest.raises(Refusal) as refusal:
        smoking(f"g1 fire smoke C9 {word}")
    assert_rule(refusal.value, "6.1.4.3.10")
    assert list(refusal.value.instead) == ["g1 fire smoke C9"]


@pytest.mark.rule("5.14")
def test_5_14_a_gun_that_lays_smoke_cannot_fire_ap_as_well():
    """A Sherman has its gun and a machine gun against aircraft, which has no AP row; a squad may be its target."""
    enemies = (
        a_leg("s1", "C9", SOVIET, spot=Spot.FIRE),
        a_tank("s2", "D9", spot=Spot.FIRE),
        a_tank("s9", "T19", "zis5"),
    )
    state = an_advanced_state(a_tank("g1", "C5", "m4a1", facing=4), *enemies, turn=1)
    with pytest.raises(Refusal) as refusal:
        a_turn(advanced_data(rules=FREE), state, german="g1 fire smoke C9 and s2 ap")
    assert_rule(refusal.value, "5.14", why="the unit has no weapon left to fire at s2")
    turn = a_turn(advanced_data(rules=FREE), state, german="g1 fire smoke C9 and s1 gp", dice={"5.16": 1})
    assert turn.fails == [] and turn.state.clouds and len(turn.of("6.5.4")) == 1


# --- 7.18 pinning fire on overwatch --------------------------------------------------------------------------------


def watching(orders: str, target: str = "squad") -> Any:
    """A squad is on overwatch against an enemy that moves up from C9."""
    squad = a_leg("g1", "C5", SQUAD, facing=4)
    enemy = a_leg("s1", "C9", SOVIET) if target == "squad" else a_tank("s1", "C9", "zis5", facing=1)
    data = advanced_data(edition="2016", rules=(*FREE, "pinning_fire"))
    state = an_advanced_state(squad, enemy, a_tank("s9", "T19", "zis5"), turn=1)
    return a_turn(data, state, dice={"6.5.4.4": 99}, german=orders, soviet="s1 move C8")


@pytest.mark.rule("7.18", editions=("2016",))
def test_7_18_a_watching_squad_may_be_told_to_pin():
    """A pin is declared before the roll, under any command to fire; an effective result then only suppresses."""
    turn = watching("g1 overwatch hit >= 0 pin")
    assert turn.receipts["german"].splitlines()[0] == "g1 overwatch hit >= 0 pin"
    assert turn.fails == [] and turn.state.vehicles["s1"].card == SOVIET
    assert_rule(turn.findings, "7.18", inputs={"unit": "s1"}, result="suppressed")
    plain = watching("g1 overwatch hit >= 0")
    assert plain.state.vehicles["s1"].card != SOVIET and not plain.of("7.18")


def test_7_18_a_vehicle_is_fired_at_as_usual():
    """Only leg and towed units can be pinned, so the pin has no effect on a vehicle."""
    turn = watching("g1 overwatch hit >= 0 pin", "truck")
    assert turn.of("6.5.4") and not turn.of("7.18")


@pytest.mark.parametrize(("orders", "rules"), [("g1 overwatch pin", ()), ("g2 overwatch pin", ("pinning_fire",))])
def test_7_18_pinning_that_could_not_be_is_refused(orders: str, rules: tuple[str, ...]):
    """An order to pin is refused without the rule, and for a gun without small arms."""
    data = advanced_data(edition="2016", rules=(*FREE, *rules))
    units = a_leg("g1", "C5", SQUAD), a_gun("g2", "C6", "pak38"), a_leg("s1", "C9", SOVIET)
    with pytest.raises(Refusal) as refusal:
        a_turn(data, an_advanced_state(*units, turn=1), german=orders)
    assert_rule(refusal.value, "7.18")


def test_7_18_standing_orders_do_not_pin():
    with pytest.raises(Refusal) as refusal:
        PanzerRules(advanced_data()).check_doctrine(["overwatch: hit >= 20 pin"])
    assert_rule(refusal.value, "7.18")


# --- 1.2, 7.2.1 hidden counters are named like hexes ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "legal"),
    [
        ("g1 recon gb1 at h1", False),
        ("g1 recon gb1 at H1", True),
        ("g1 recon gb1 at C14", True),
        ("g2 move h1", False),
        ("g2 move h9", True),
    ],
)
def test_7_37_a_counter_is_not_taken_for_the_hex_of_the_same_name(orders: str, legal: bool):
    """The counter h1 is in A20; fire called `at h1` used to fall on the hex H1."""
    units = a_leg("g1", "C5", "german_section", labels=("fo",)), a_tank("g2", "H5", "pz4h", facing=4)
    counter = HiddenCounter(id="h1", side="soviet", hex=a_hex("A20"))
    battery = Battery(id="gb1", name="gb1", side="german", card="german_medium", formation="german")
    data = advanced_data(
        edition="2016", rules=(*FREE, "reconnaissance_by_fire", "hidden_units"),
        conditions=Conditions(hidden_counters={"soviet": 3}),
    )  # fmt: skip
    state = an_advanced_state(
        *units, a_tank("s9", "T19", "zis5"), turn=1, hidden_counters={"h1": counter}, batteries={"gb1": battery}
    )
    if legal:
        assert a_turn(data, state, german=orders).fails == []
        return
    with pytest.raises(Refusal) as refusal:
        a_turn(data, state, german=orders)
    assert "h1 is a counter in A20 and also a hex" in str(refusal.value)


# --- 6.6.7.2 riders under the Overwatch of their carrier -----------------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "fires"),
    [
        ("g1 overwatch hit >= 0", True),
        ("g1 overwatch hit >= 0 range <= 2", False),
        ("g1 overwatch hit >= 0 not s1", False),
        ("g1 overwatch hit >= 0 only s1", True),
        ("g1 overwatch hit >= 100", False),
    ],
)
@pytest.mark.parametrize("carrier", ["opel", "spw251"])
def test_6_6_7_2_the_conditions_of_a_carrier_s_overwatch_hold_for_its_riders(carrier: str, orders: str, fires: bool):
    """A carrier and its passengers share one counter, so its conditions also apply to the passengers."""
    units = a_tank("g1", "C5", carrier, facing=4), a_leg("g2", "C5", SQUAD, aboard="g1")
    enemies = a_leg("s1", "C9", SOVIET, spot=Spot.FIRE), a_tank("s9", "T19", "zis5")
    data = advanced_data(edition="2016", rules=FREE)
    turn = a_turn(data, an_advanced_state(*units, *enemies, turn=1), german=orders, soviet="s1 move C8")
    assert ("g2" in [one.inputs.get("firer") for one in turn.of("6.5.4")]) is fires


@pytest.mark.parametrize(
    ("orders", "firers"),
    [
        ("g1 overwatch hit >= 0\ng2 with g1", ["g1", "g2"]),
        ("g1 overwatch hit >= 0 range <= 2\ng2 with g1", []),
        ("g1 overwatch hit >= 0 not s1\ng2 with g1", []),
    ],
)
def test_6_2_1_1_4_the_conditions_of_an_overwatch_hold_for_all_who_share_it(orders: str, firers: list[str]):
    """Otherwise a unit that shares the counter could use it up against its owner's instructions."""
    units = a_leg("g1", "C5", SQUAD, facing=4), a_leg("g2", "C5", SQUAD, facing=4)
    enemies = a_leg("s1", "C9", SOVIET, spot=Spot.FIRE), a_tank("s9", "T19", "zis5")
    data = advanced_data(edition="2016")
    turn = a_turn(data, an_advanced_state(*units, *enemies, turn=1), german=orders, soviet="s1 move C8")
    assert sorted({one.inputs.get("firer") for one in turn.of("6.5.4")}) == firers


def test_6_6_7_2_standing_orders_for_a_carrier_hold_for_its_riders():
    """A clause that names the carrier also lets the squad aboard fire; a clause that names another unit does not."""
    units = a_tank("g1", "C5", "opel", facing=4), a_leg("g2", "C5", SQUAD, aboard="g1"), a_leg("g3", "K5", SQUAD)
    enemies = a_leg("s1", "C9", SOVIET, spot=Spot.FIRE), a_tank("s9", "T19", "zis5")
    data, state = advanced_data(edition="2016", rules=FREE), an_advanced_state(*units, *enemies, turn=1)
    for named, fires in (("g1", True), ("g3", False)):
        clauses = {"german": [f"{named} overwatch: hit >= 0"]}
        turn = a_turn(data, state, standing=clauses, german="g1 overwatch", soviet="s1 move C8")
        assert ("g2" in [one.inputs.get("firer") for one in turn.of("6.5.4")]) is fires, named


# --- 4.4.3.2.2 the word for a unit under another's counter ---------------------------------------------------------


@pytest.mark.rule("4.4.3.2.2/target-moving", "4.4.3.2.2", effect=True)
@pytest.mark.parametrize(
    ("word", "shown"), [("", True), ("show g2 never", False), ("show g1 never", False), ("show g2 always", True)]
)
@pytest.mark.parametrize("rider", [False, True])
def test_4_4_3_2_2_show_names_the_target_or_the_holder_of_its_counter(rider: bool, word: str, shown: bool):
    """A `show` line may name g2, the target, or g1, whose Move g2 shares; a line for g2 used to be dropped."""
    g2 = a_tank("g2", "C5", "pz4h", facing=4)
    others = [a_leg("g3", "C5", SQUAD, aboard="g2")] if rider else []
    enemies = a_tank("s1", "C12", "t34_76", facing=1), a_tank("s9", "T19", "zis5")
    state = an_advanced_state(a_tank("g1", "C5", "pz4h", facing=4), g2, *others, *enemies, turn=1)
    orders = {"german": f"second\ng1 move C6\ng2 with g1\n{word}", "soviet": "first\ns1 fire g2"}
    turn = a_turn(advanced_data(edition="2016"), state, **orders)
    rows = [row["when"] for found in every(turn.findings) for row in getattr(found, "modifiers", ())]
    assert ("target_moving" in rows) is shown


# --- 7.14 fire priority and the other lines of the same orders -----------------------------------------------------


def two_tanks(orders: str, **more: Any) -> Any:
    """Two tanks of one formation, with an enemy tank four hexes away and a squad beside it."""
    units = a_tank("g1", "C5", "pz4h", facing=4), a_tank("g2", "C5", "pz4h", facing=4, **more)
    enemies = a_tank("s1", "C9", "t34_76"), a_leg("s2", "C8", SOVIET, spot=Spot.FIRE), a_tank("s9", "T19", "zis5")
    data = advanced_data(edition="2016", rules=(*FREE, "fire_priority"))
    return a_turn(data, an_advanced_state(*units, *enemies, turn=1), german=orders)


@pytest.mark.parametrize("orders", ["g1 fire s1\ng2 fire s2 gp", "g2 fire s2 gp\ng1 fire s1"])
def test_7_14_a_tank_is_released_by_the_order_of_another_to_fire_at_the_nearest(orders: str):
    """A tank must fire at the nearest combat vehicle unless another line of its formation already does."""
    turn = two_tanks(orders)
    aimed = {one.inputs["target"]: one.inputs["firers"] for one in turn.of("4.4.1") if "firers" in one.inputs}
    assert aimed == {"s1": ["g1"], "s2": ["g2"]} and turn.fails == []


@pytest.mark.rule("7.14", editions=("2016",))
def test_7_14_nobody_is_released_by_a_tank_that_fires_at_something_else():
    with pytest.raises(Refusal) as refusal:
        two_tanks("g1 fire s2 gp\ng2 fire s2 gp")
    assert_rule(refusal.value, "7.14")


def test_7_14_a_tank_without_a_line_still_joins_in_at_the_nearest():
    """R-09: the tank must fire, and the nearest enemy is its best target."""
    turn = two_tanks("g1 fire s1\ng2 fire")
    aimed = {one.inputs["target"]: one.inputs["firers"] for one in turn.of("4.4.1") if "firers" in one.inputs}
    assert sorted(firer for firers in aimed.values() for firer in firers) == ["g1", "g2"]


# --- 6.7.4 an Overwatch for named targets ---------------------------------------------------------------------------


@pytest.mark.parametrize(("orders", "fires"), [("g1 overwatch", True), ("g1 overwatch only s1", False)])
def test_6_7_4_a_gun_told_to_watch_for_one_unit_does_not_fire_at_aircraft(orders: str, fires: bool):
    """The default standing orders fire at aircraft that come near, which would use up its Overwatch."""
    gun = a_gun("g1", "C8", "flak38", facing=1)
    plane = AircraftState(id="ac1", name="ac1", side="soviet", card="il2", load="bombs")
    row = AircraftRow("ac1", "ac1", "soviet", "il2", "seasoned")
    data = advanced_data(edition="2016", rules=FREE, air_superiority="soviet", aircraft=(row,))
    state = an_advanced_state(
        gun, a_leg("s1", "T18", SOVIET), turn=1, aircraft={"ac1": plane}, sides=("german", "soviet")
    )
    turn = a_turn(data, state, german=orders, soviet="ac1 fly C1 face 4 slow low")
    assert bool(turn.of("6.7.4")) is fires
