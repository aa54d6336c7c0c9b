"""Rulings that apply to both books where their wording differs; also the air, scenarios and options.

The second table of the comparison of the books lists the rulings; the row numbers are those of its first table.
"""

from __future__ import annotations

from typing import Any

import pytest
from titles.panzer.advanced.builders import a_leg, a_tank
from titles.panzer.builders import a_hex
from titles.panzer.combinations.turns import Turn
from titles.panzer.editions.pairs import at, by_both, far, modifiers, row, tell

from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.setup.scenario import AircraftRow, Conditions, Sun
from pbem.titles.panzer.state import AircraftState, Damage, Feature, HullDown, Marker, Spot, Status

SQUAD, SECTION, SOVIETS = "german_rifle_squad", "german_section", "soviet_rifle_squad"
HEDGEROW = {"hexsides": {"hedgerow": ["C9:1"]}}
WOODS = {"signs": {"C9": "w", "C8": "w"}}


def of_unit(id: str, *fields: str) -> Any:
    def told(turn: Turn) -> Any:
        found = tuple(getattr(turn.state.vehicles[id], field) for field in fields)
        return found[0] if len(found) == 1 else found

    return told


# --- one ruling for both books -------------------------------------------------------------------------------------


def the_winner_lets_the_other_go_first(edition: Edition) -> Any:
    units = a_tank("g1", "C9", "pz4h"), a_tank("s1", "C2")
    return tell(edition, "g1 hold\nsecond", *units, of=lambda turn: turn.of("6.3")[0].result)


def a_tank_crosses_a_hedgerow(edition: Edition) -> Any:
    return tell(edition, "g1 move f", a_tank("g1", "C9", "pz4h"), far(), of=at("g1"), board=HEDGEROW)


def a_tank_drives_on_behind_a_hedgerow(edition: Edition) -> Any:
    return tell(edition, "g1 move f f", a_tank("g1", "C9", "pz4h"), far(), of=at("g1"), board=HEDGEROW)


def a_half_track_crosses_a_hedgerow(edition: Edition) -> Any:
    return tell(edition, "g1 move f", a_tank("g1", "C9", "spw251"), far(), of=at("g1"), board=HEDGEROW)


def a_section_with_a_weapon_crawls(edition: Edition) -> Any:
    section = a_leg("g1", "C9", SECTION, weapons=("german_hmg",), full_cover=True)
    return tell(edition, "g1 crawl C8", section, far(), of=at("g1"), board=WOODS)


def a_squad_with_a_weapon_crawls(edition: Edition) -> Any:
    squad = a_leg("g1", "C9", SQUAD, weapons=("german_hmg",), full_cover=True)
    return tell(edition, "g1 crawl C8", squad, far(), of=at("g1"), board=WOODS)


def an_improved_position_is_overrun(edition: Edition) -> Any:
    known = ("german", "soviet")
    works = Feature(
        id="p1", type="improved_position", hex=a_hex("C7"), side="soviet", holder="s1", stage=4, known=known
    )
    units = a_tank("g1", "C9", "pz4h"), a_leg("s1", "C7", SOVIETS, position="p1")
    return tell(edition, "g1 overrun s1", *units, of=at("g1"), features={"p1": works})


def passengers_fire(edition: Edition) -> Any:
    units = a_tank("g1", "C9", "spw251"), a_leg("g2", "C9", SQUAD, aboard="g1"), a_leg("s1", "C7", SOVIETS)
    return tell(edition, "g1 fire s1\ng2 fire s1", *units, of=modifiers("6.5.4.3", "transported_fire"))


def the_marker_of_a_carrier(edition: Edition) -> Any:
    """Row 32: a carrier gets the Small Arms marker in both books if only small arms fire from it."""
    units = a_tank("g1", "C9", "spw251"), a_leg("g2", "C9", SQUAD, aboard="g1"), a_leg("s1", "C7", SOVIETS)
    return tell(edition, "g1 fire s1\ng2 fire s1", *units, of=of_unit("g1", "spot", "small_arms"))


def an_assault_on_a_suppressed_tank(edition: Edition) -> Any:
    units = a_leg("g1", "C8", SQUAD), a_tank("s1", "C7", suppression=Marker.ON)
    return tell(edition, "g1 assault s1", *units, of=modifiers("6.6.1.1.2", "target_suppressed"))


def an_assault_on_an_abandoned_tank(edition: Edition) -> Any:
    """An assault on an abandoned tank succeeds even on the worst roll."""
    units = a_leg("g1", "C8", SQUAD), a_tank("s1", "C7", bailed_out=True)
    return tell(edition, "g1 assault s1", *units, of=of_unit("s1", "status"), dice={"6.6.1": 1})


def overwatch_from_hull_down(edition: Edition) -> Any:
    tank = a_tank("g1", "C9", "pz4h", hull_down=HullDown.HD)
    return tell(edition, "g1 overwatch", tank, far(), of=of_unit("g1", "hull_down"))


def a_move_from_hull_down(edition: Edition) -> Any:
    tank = a_tank("g1", "C9", "pz4h", hull_down=HullDown.HD)
    return tell(edition, "g1 move", tank, far(), of=of_unit("g1", "hull_down"))


def through_the_alleys(edition: Edition) -> Any:
    """Driving through the alleys needs no check; a check is made only between the alley and a building."""
    return tell(
        edition, "g1 move C7", a_tank("g1", "C9", "pz4h"), far(), board={"signs": {"C8": "B"}},
        of=lambda turn: (at("g1")(turn), len(turn.of("6.6.3"))),
    )  # fmt: skip


# --- the air --------------------------------------------------------------------------------------------------


def flown(edition: Edition, flight: str, **more: Any) -> Any:
    """A German aircraft attacks s1 in C12, which no German unit can see."""
    card = "ju87b"
    plane = AircraftState(id="ga1", name="ga1", side="german", card=card, load="bombs")
    sky = {"aircraft": (AircraftRow("ga1", "ga1", "german", card, "seasoned"),), "air_superiority": "german"}
    return tell(
        edition, f"g1 hold\nga1 fly {flight}", a_tank("g1", "T19", "pz4h"), a_tank("s1", "C12"),
        of=lambda turn: next(one.result for one in turn.findings if one.rule.startswith("6.7.3.1.1")),
        scenario=sky, aircraft={"ga1": plane}, **more,
    )  # fmt: skip


def in_from_any_edge(edition: Edition) -> Any:
    return flown(edition, "C20 face 1 slow low strafe s1")


def a_target_in_the_open(edition: Edition) -> Any:
    return flown(edition, "C1 face 4 slow low strafe s1")


def a_target_in_woods(edition: Edition) -> Any:
    """Row 36: an aircraft can attack a target in woods only if an FO sees it."""
    return flown(edition, "C1 face 4 slow low strafe s1", board={"signs": {"C12": "w"}}, complete=False)


def a_target_in_a_grove(edition: Edition) -> Any:
    return flown(edition, "C1 face 4 slow low strafe s1", board={"signs": {"C12": "m"}}, complete=False)


def a_dive_bomber_flies_fast(edition: Edition) -> Any:
    """Row 34: whether a dive bomber may fly fast depends on its card, not on the book."""
    return flown(edition, "C1 face 4 fast low strafe s1")


# --- scenarios and options ------------------------------------------------------------------------------------


def into_the_sun(edition: Edition) -> Any:
    """Row 18: a scenario of the 2024 book may use the rule for sun in the firer's eyes."""
    sun = {"sun": Sun("north", -2, -5)} if edition == "2024" else {}
    units = a_tank("g1", "C9", "pz4h"), a_tank("s1", "C7")
    return tell(edition, "g1 fire s1", *units, of=lambda turn: turn.of("4.4.3.2.3")[0].inputs["net"], scenario=sun)


def away_from_the_sun(edition: Edition) -> Any:
    sun = {"sun": Sun("south", -2, -5)} if edition == "2024" else {}
    units = a_tank("g1", "C9", "pz4h"), a_tank("s1", "C7")
    return tell(edition, "g1 fire s1", *units, of=lambda turn: turn.of("4.4.3.2.3")[0].inputs["net"], scenario=sun)


def scarce_tungsten(edition: Edition) -> Any:
    """Row 14: the 2016 book has an option for scarce tungsten from late 1943 on."""
    option = {"conditions": Conditions(tungsten="+1")} if edition == "2016" else {}
    units = a_tank("g1", "C9", "pz3j_lang"), a_tank("s1", "C7")
    return tell(
        edition, "g1 fire s1 apcr", *units, scenario={"date": "1944-03", **option},
        of=lambda turn: turn.of("5.16.2")[0].inputs.get("added", 0),
    )  # fmt: skip


def an_anti_tank_rifle_at_a_squad(edition: Edition) -> Any:
    """Row 11: of all anti-tank rifles, only the Fucile of the 2024 book has GP fire."""
    rifle = "italian_fucile" if edition == "2024" else "soviet_ptrd"
    units = a_leg("i1", "C9", "italian_section", weapons=(rifle,), side="italian"), a_leg("s1", "C7", SOVIETS)
    return tell(
        edition, "i1 fire s1 gp with 2", *units, of=lambda turn: turn.of("6.5.4")[0].inputs["factor"],
        sides=("italian", "soviet"),
    )  # fmt: skip


def a_turret_turns(damage: Damage, other: Damage, name: str) -> Any:
    """Row 38: a damaged turret turns by one hexside; the 2016 book has only one kind of damage."""

    def situation(edition: Edition) -> Any:
        tank = a_tank("g1", "C9", "pz4h", damage=damage if edition == "2024" else other)

        def told(turn: Turn) -> Any:
            return turn.state.vehicles["g1"].turret

        return tell(edition, "g1 hold\ng1 turret 2", tank, far(), of=told, rules=("turrets",), complete=False)

    situation.__name__ = name
    return situation


DRIVEN_ON = ["4.5.1.1.3"]
ROWS = [
    row("4.3.1", the_winner_lets_the_other_go_first, "soviet", "soviet"),
    row("4.5.1.1.2", a_tank_crosses_a_hedgerow, "C8", "C8"),
    row("4.5.1.1.2", a_tank_drives_on_behind_a_hedgerow, DRIVEN_ON, DRIVEN_ON),
    row("4.5.1.1.2", a_half_track_crosses_a_hedgerow, ["4.5.1.1.2"], ["4.5.1.1.2/wall-hedgerow"]),
    row("6.1.4.2", a_section_with_a_weapon_crawls, ["6.1.4.2"], ["6.1.4.2"]),
    row("6.1.4.2", a_squad_with_a_weapon_crawls, "C8", "C8"),
    row("6.1.4.3.7", an_improved_position_is_overrun, ["6.1.4.3.7"], ["6.1.4.3.7"]),
    row("6.5.4.3", passengers_fire, {"transported_fire": -10}, {"transported_fire": -10}),
    row("6.6.1.1.2", an_assault_on_a_suppressed_tank, {"target_suppressed": 20}, {"target_suppressed": 20}),
    row("6.6.1.1.3", an_assault_on_an_abandoned_tank, Status.ELIMINATED, Status.ELIMINATED),
    row("6.6.9", overwatch_from_hull_down, HullDown.HD, HullDown.HD),
    row("6.6.9", a_move_from_hull_down, HullDown.NONE, HullDown.NONE),
    row("6.6.3", through_the_alleys, ("C7", 0), ("C7", 0)),
    row("6.7.2.1", in_from_any_edge, "acquired", "acquired"),
    row(11, an_anti_tank_rifle_at_a_squad, 2, ["4.4.3"]),
    row(14, scarce_tungsten, 0, 1),
    row(18, into_the_sun, -2, 0),
    row(18, away_from_the_sun, 0, 0),
    row(32, the_marker_of_a_carrier, (Spot.FIRE, True), (Spot.FIRE, True)),
    row(34, a_dive_bomber_flies_fast, ["6.7.2.2"], "acquired"),
    row(36, a_target_in_the_open, "acquired", "acquired"),
    row(36, a_target_in_woods, "not-acquired", "not-acquired"),
    row(36, a_target_in_a_grove, "not-acquired", "not-acquired"),
    row(38, a_turret_turns(Damage.HULL, Damage.WHOLE, "a_turret_turns_on_a_damaged_hull"), 2, 0),
    row(38, a_turret_turns(Damage.TURRET, Damage.WHOLE, "a_damaged_turret_turns"), 0, 0),
    row(38, a_turret_turns(Damage.NONE, Damage.NONE, "a_whole_turret_turns"), 2, 2),
]


@pytest.mark.parametrize(("situation", "new", "old"), ROWS)
def test_by_both_books(situation: Any, new: Any, old: Any) -> None:
    assert by_both(situation) == {"2024": new, "2016": old}
