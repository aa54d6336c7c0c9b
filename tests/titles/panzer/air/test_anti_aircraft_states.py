"""6.7.4 A unit's state affects fire at aircraft as it does fire at the ground."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_tank, an_advanced_state
from titles.panzer.advanced.builders import advanced_data as data_of
from titles.panzer.builders import a_hex

from pbem.titles.panzer.air.anti_aircraft import public_objections
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.fire.turrets import LOCKED
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import AircraftState, Command, Flight, Marker
from pbem.titles.panzer.telling.unit_words import stands

DATA = data_of()
TURRETED = [
    (card, number)
    for card, row in sorted(DATA.book.vehicles.items())
    for number, mount in enumerate(row.mounts)
    if mount.gun.aa is not None and mount.weapon.turreted
]


def objections(card: str, number: int, at: str = "C10", **more):
    gun = a_tank("g1", "C10", card, facing=1, command=Command.OVERWATCH, **more)
    flight = Flight(hex=a_hex("C13"), facing=4, altitude="low", speed="slow", tracked={"g1": 99})
    plane = AircraftState(id="air1", name="air1", side="soviet", card=next(iter(DATA.book.aircraft)), flight=flight)
    state = an_advanced_state(gun, sides=("german", "soviet"), aircraft={"air1": plane})
    return list(public_objections(Situation(DATA, state), plane, gun, number))


@pytest.mark.parametrize(("card", "number"), TURRETED[:1])
def test_7_23_2_a_locked_turret_fires_at_aircraft_to_its_front_only(card, number):
    assert weapons_of(DATA, a_tank("g1", "C10", card))[number].aa
    assert objections(card, number) == []
    assert objections(card, number, flags=(LOCKED,))


@pytest.mark.rule("5.15", "7.25")
def test_5_15_nobody_fires_an_abandoned_or_broken_gun_at_aircraft():
    card, number = next(
        (card, number)
        for card, row in sorted(DATA.book.vehicles.items())
        for number, mount in enumerate(row.mounts)
        if mount.gun.aa is not None
    )
    assert objections(card, number) == []
    assert_rule(objections(card, number, bailed_out=True), "5.15")
    assert_rule(objections(card, number, flags=(f"jammed-{number}",)), "7.25")


@pytest.mark.rule("6.1.3.1")
def test_6_1_3_1_a_suppressed_vehicle_fires_at_aircraft_to_its_front_only():
    card, number = TURRETED[0]
    assert_rule(objections(card, number, suppression=Marker.ON), "6.1.3.1")
    assert_rule(objections(card, number, suppression=Marker.OFF), "6.1.3.1")
    assert objections(card, number, suppression=Marker.NONE) == []


def test_6_7_2_an_aircraft_over_the_map_is_among_what_stands_there():
    flight = Flight(hex=a_hex("C13"), facing=4, altitude="low", speed="slow")
    card = next(iter(DATA.book.aircraft))
    over = AircraftState(id="air1", name="Stuka", side="soviet", card=card, flight=flight, damaged=True)
    gone = AircraftState(id="air2", name="Stuka", side="soviet", card=card)
    state = an_advanced_state(a_tank("g1", "C10"), aircraft={"air1": over, "air2": gone})
    found = {stand.id: stand for stand in stands(Situation(DATA, state))}
    assert (found["air1"].at, found["air1"].facing, tuple(map(str, found["air1"].marks))) == (
        "C13",
        4,
        ("low altitude", "damaged"),
    )
    assert found["g1"].at == "C10" and "air2" not in found
