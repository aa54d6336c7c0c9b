"""Combinations in which one rule meets another; each answer was worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_board, a_hex

from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.fire.aiming import aim_objections
from pbem.titles.panzer.fire.gp_defence import gp_defence
from pbem.titles.panzer.movement.steps.unit_steps import mover_of, unit_allowances
from pbem.titles.panzer.sighting.sight import sees
from pbem.titles.panzer.sighting.spotting import spotting_range
from pbem.titles.panzer.sighting.terrain import cover_of, overhead_cover
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Damage, Feature, Inside, Marker, Spot

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"
HOUSE: dict[str, Any] = {"signs": {"E5": "B"}, "columns": 9, "rows": 9}
TALL = {**HOUSE, "storeys": {"E5": 3}}


def rubble() -> dict[str, Feature]:
    return {"f1": Feature(id="f1", type="brick_rubble", hex=a_hex("E5"), known=("german", "soviet"))}


def test_4_1_3_6_1_3_2_a_suppressed_squad_looks_for_one_in_full_cover_in_a_house():
    """Heavy cover -3, full cover -2 and a suppressed spotter -2 make -7, read in row -5, where S is 1 hex."""
    data = advanced_data(a_board(**HOUSE))
    target = a_leg("s1", "E5", SOVIET, full_cover=True)
    spotter = a_leg("g1", "E6", SQUAD, suppression=Marker.OFF)
    assert spotting_range(Situation(data, an_advanced_state(spotter, target)), spotter, target) == 1


@pytest.mark.rule("6.1.3", effect=True)
def test_6_1_3_a_squad_in_a_house_that_has_fired_its_rifles():
    """Heavy cover -3 and Spot/Fire SA +1 make row -2, where S is 4 hexes."""
    data = advanced_data(a_board(**HOUSE))
    target, spotter = a_leg("s1", "E5", SOVIET, spot=Spot.FIRE, small_arms=True), a_leg("g1", "E9", SQUAD)
    assert spotting_range(Situation(data, an_advanced_state(spotter, target)), spotter, target) == 4


@pytest.mark.rule("6.1.4.3.9", effect=True)
def test_6_1_4_3_9_the_house_is_gone_and_so_are_its_cover_and_its_height():
    """L1810-1816: brick rubble is medium cover and has no height."""
    data = advanced_data(a_board(**HOUSE))
    squad = a_leg("g1", "E5", SQUAD)
    before, after = an_advanced_state(squad), an_advanced_state(squad, features=rubble())
    assert cover_of(Situation(data, before), squad, "spotting").value == "heavy"
    assert cover_of(Situation(data, after), squad, "spotting").value == "medium"
    assert (
        overhead_cover(Situation(data, before), squad).value,
        overhead_cover(Situation(data, after), squad).value,
    ) == ("medium", "none")
    assert not sees(Situation(data, before), a_hex("E4"), a_hex("E6")) and sees(
        Situation(data, after), a_hex("E4"), a_hex("E6")
    )


def test_6_5_4_2_2_the_cover_among_rubble_is_not_explained_by_the_house_that_fell():
    squad = a_leg("g1", "E5", SQUAD)
    data = advanced_data(a_board(**HOUSE))
    for features, named in ((None, True), (rubble(), False)):
        state = an_advanced_state(squad, features=features or {})
        told = [found.inputs.get("terrain", []) for found in every([gp_defence(Situation(data, state), squad)])]
        assert any("brick_building" in names for names in told) is named


@pytest.mark.rule("6.1.4.3.1", effect=True)
@pytest.mark.parametrize(("inside", "seen"), [(Inside.NO, False), (Inside.UP, True)])
def test_6_1_4_3_1_from_the_top_floor_one_looks_over_the_house_in_front(inside, seen):
    """Three storeys put the squad at height 2; it sees over a building of height 1 four hexes before the target.

    4.1.4.2.4: the squad is 2 - 1 = 1 level above the obstacle at distance 1, so there is a blind zone of 1 hex behind
    it.
    """
    signs = {"E5": "B", "E4": "B"}
    data = advanced_data(a_board(columns=9, rows=9, signs=signs, storeys={"E5": 3}))
    squad = a_leg("g1", "E5", SQUAD, inside=inside)
    state = an_advanced_state(squad)
    assert sees(Situation(data, state), squad, a_hex("E1")) is seen
    assert not sees(Situation(data, state), squad, a_hex("E3"))  # in the blind zone, from either floor


@pytest.mark.parametrize(
    ("more", "left"),
    [({}, 3), ({"suppression": Marker.ON}, 1), ({"damage": Damage.HULL}, 1), ({"damage": Damage.TURRET}, 3),
     ({"suppression": Marker.ON, "damage": Damage.HULL, "command": Command.SHORT_HALT}, 1)],
)  # fmt: skip
def test_6_6_2_halvings_add_up_and_never_leave_less_than_one(more, left):
    """L3493: each halving rounds down; an eighth of a Tiger's three points is still one."""
    data = advanced_data(a_board(columns=9, rows=9))
    card = next(
        id for id, row in sorted(data.book.vehicles.items()) if row.card.cross_country == 3 and row.nation == "german"
    )
    tank = a_tank("g1", "E5", card, **{"command": Command.MOVE, **more})
    assert unit_allowances(Situation(data, an_advanced_state(tank)), tank).cross == left


def test_6_6_3_6_6_5_who_may_enter_a_house():
    """A squad pays for the building, a tank for the alley; a gun may enter either, but not rubble."""
    data = advanced_data(a_board(**HOUSE))
    squad, gun = a_leg("g1", "E6", SQUAD), a_gun("g2", "E6", "pak40", facing=1)
    state = an_advanced_state(squad, gun)
    assert mover_of(Situation(data, state), squad).land.entering(a_hex("E6"), 1).total == 1
    fallen = an_advanced_state(squad, gun, features=rubble())
    assert mover_of(Situation(data, fallen), gun).land.entering(a_hex("E6"), 1).total == "P"
    assert mover_of(Situation(data, fallen), squad).land.entering(a_hex("E6"), 1).total == 2


@pytest.mark.rule("5.1.3.1", effect=True)
def test_5_1_3_1_a_mortar_upstairs_fires_neither_near_nor_far_and_on_a_desert_roof_not_at_one_hex():
    """5.1.3.1 forbids mortars on upper floors but not on roofs; 5.6 forbids fire at one hex from anywhere."""
    for desert, away, rules in ((False, "E8", ["5.1.3.1"]), (True, "E8", []), (True, "E6", ["5.6"])):
        data = advanced_data(a_board(**TALL), desert_buildings=desert)
        squad = a_leg("g1", "E5", SQUAD, weapons=("german_grw34",), inside=Inside.UP, command=Command.FIRE)
        target = a_leg("s1", away, SOVIET)
        state = an_advanced_state(squad, target)
        found = aim_objections(Situation(data, state), squad, weapons_of(data, squad)[1], "gp", target)
        assert [one.rule for one in found] == rules, (desert, away)


def test_6_5_4_2_2_a_moving_squad_in_full_cover_crawls_and_keeps_its_defence():
    """Full cover adds the card's value to the defence; crawling units (6.6.4.3) do not get the -2 for moving."""
    data = advanced_data(a_board(columns=9, rows=9))
    still = a_leg("g1", "E5", SQUAD, command=Command.NO_COMMAND, full_cover=True)
    crawling = a_leg("g1", "E5", SQUAD, command=Command.MOVE, full_cover=True)
    walking = a_leg("g1", "E5", SQUAD, command=Command.MOVE)
    values = [
        int(gp_defence(Situation(data, an_advanced_state(one)), one).result) for one in (still, crawling, walking)
    ]
    card = data.book.legs[SQUAD]
    printed = card.defence.none.value
    assert values == [printed + card.full_cover.value, printed + card.full_cover.value, max(1, printed - 2)]


def test_6_5_4_2_3_a_passenger_in_a_wood_has_the_defence_of_its_vehicle_alone():
    """L2785: the defence is 1 in an open lorry and 3 in a closed one, on any terrain."""
    data = advanced_data(a_board(signs={"E5": "m"}, columns=9, rows=9))
    covered = next(id for id, row in sorted(data.book.vehicles.items()) if row.has("under_cover"))
    for card, value in (("opel", 1), (covered, 3)):
        squad = a_leg("g2", "E5", SQUAD, aboard="g1")
        state = an_advanced_state(a_tank("g1", "E5", card), squad)
        assert gp_defence(Situation(data, state), squad).result == value
