"""More pairs of rules; each answer was worked out from the book before the test was run."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace as replace_struct
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.air.flights import a_table as an_air_table
from titles.panzer.air.flights import over
from titles.panzer.artillery.missions import a_call, a_table, legal, objections, step
from titles.panzer.artillery.test_observers import mortar
from titles.panzer.builders import a_board, a_hex, run_step

from pbem.titles.panzer.air.anti_aircraft import public_objections
from pbem.titles.panzer.artillery import landing
from pbem.titles.panzer.artillery.barrage import barrage_attacks
from pbem.titles.panzer.cards.ammunition import supply
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.damage.effects import destroy_building
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Feature, HullDown

# --- 5.16, 6.6.6 a mortar that is short of ammunition -------------------------------------------------------------


@pytest.mark.rule("6.6.6")
@pytest.mark.parametrize(("die", "lost"), [(3, 0), (4, -10)])
def test_6_6_6_a_mortar_that_is_short_of_ammunition_is_short_all_turn(
    die: int, lost: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ammunition check is made once, with limit 3: its -10 (5.16.2.1) applies to every attack this turn."""
    limited: Any = landing.basic_limit
    monkeypatch.setattr(
        landing, "basic_limit", lambda table, firer: limited(table, replace(firer, limits={"basic": 3}))
    )
    table = a_table(a_tank("s1", "C10", "t34_76"), a_tank("s2", "C14", "t34_76"), dice=[9, die, 50, 50], batteries=[])
    table.state.vehicles["g4"] = mortar(table.data, "g4", "C2")
    step(table, a_call("C10", "g4", sheaf="on_map"))
    table.findings.clear()
    mover = table.state.vehicles["s2"]
    mover.hex = a_hex("C10")
    run_step(table, barrage_attacks(table, mover))
    assert_rule(table.findings, "6.6.6", inputs={"unit": "s2", "firer": "g4"})
    assert_rule(table.findings, "6.5.4.4", inputs={"net": -20 + lost})  # an A-type vehicle


# --- 5.1.3, 6.5.1 two doors to one question: may this weapon fire from here? --------------------------------------


def with_limited_weapons(data: Any, wanted: Any) -> tuple[Any, str]:
    """Add a vehicle with limited weapons, which cannot fire from a hull-down position (6.1.4.1.2), to the data."""
    card, row = next((id, row) for id, row in sorted(data.book.vehicles.items()) if any(map(wanted, row.mounts)))
    limited = replace_struct(row, mounts=tuple(replace_struct(mount, limited=True) for mount in row.mounts))
    book = replace_struct(data.book, vehicles={**data.book.vehicles, card: limited})
    return replace(data, book=book), str(card)


@pytest.mark.rule("6.1.4.1.2", effect=True)
@pytest.mark.parametrize("hull_down", [HullDown.NONE, HullDown.HD])
def test_6_1_4_1_2_a_limited_weapon_answers_no_call_from_a_hull_down_position(hull_down: HullDown) -> None:
    table = a_table(a_tank("s1", "C10", "t34_76"), batteries=[])
    table.data, card = with_limited_weapons(table.data, lambda mount: mount.gun.indirect)
    table.state.vehicles["g7"] = a_tank("g7", "C2", card, facing=4, command=Command.FIRE, hull_down=hull_down)
    call = a_call("C10", "g7", sheaf="on_map")
    if hull_down is HullDown.NONE:
        assert legal(table, call)
    else:
        assert_rule(objections(table, call), "6.1.4.1.2")


@pytest.mark.rule("6.1.4.1.2", effect=True)
@pytest.mark.parametrize("hull_down", [HullDown.NONE, HullDown.HD])
def test_6_1_4_1_2_nor_does_it_fire_at_an_aircraft(hull_down: HullDown) -> None:
    table = an_air_table()
    data, card = with_limited_weapons(table.data, lambda mount: mount.gun.aa)
    gun = a_tank("g9", "C9", card, command=Command.OVERWATCH, hull_down=hull_down)
    table.state.vehicles["g9"] = gun
    over(table, "C9")
    number = next(number for number, arm in enumerate(weapons_of(data, gun)) if arm.aa)
    told = [
        one.rule for one in public_objections(Situation(data, table.state), table.state.aircraft["a1"], gun, number)
    ]
    assert ("6.1.4.1.2" in told) is (hull_down is HullDown.HD)


# --- 5.16.2.4 the vehicle in which a gun begins is its transport ---------------------------------------------------


@pytest.mark.parametrize(("begins", "supplied"), [("g2", True), ("", False)])
def test_5_16_2_4_the_vehicle_in_which_a_gun_begins_is_its_transport(begins: str, supplied: bool) -> None:
    """A scenario that puts the gun aboard need not also name the vehicle as its transport."""
    gun, truck = a_gun("g1", "C9", "pak40"), a_tank("g2", "C8", "opel")
    data = advanced_data(units=(SimpleNamespace(id="g1", aboard=begins),))
    found = supply(Situation(data, an_advanced_state(gun, truck)), gun)
    assert_rule(found, "5.16.2.4", result=supplied)


# --- 6.5.4.4.3 a house falls beside a dug-in vehicle ----------------------------------------------------------------


def test_6_5_4_4_3_a_vehicle_in_the_alley_has_no_position_any_more_when_the_digging_is_lost() -> None:
    board = a_board(signs={"C7": "B"})
    tank = a_tank("g1", "C7", "pz4h", position="p1")
    table = an_advanced_table(tank, board=board, scenario={"switches": {"alleys_spared": True}})
    table.state.features["p1"] = Feature(
        id="p1", type="improved_position", hex=a_hex("C7"), known=("german", "soviet")
    )
    building = next(type for type in board.terrain(a_hex("C7")) if type in table.data.advanced.interiors)
    destroy_building(table, a_hex("C7"), building)
    assert "p1" not in table.state.features
    assert tank.alive and tank.position == ""
