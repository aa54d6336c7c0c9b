"""4.1, 7.7, 7.24 Units act only against enemies that they have spotted, not overlooked or camouflaged ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.advanced.marching import a_field, moves, refused
from titles.panzer.air.flights import a_table as an_air_table
from titles.panzer.air.flights import fly, plot
from titles.panzer.builders import a_board, a_hex
from titles.panzer.close_combat.melees import assault, play
from titles.panzer.combinations.turns import a_turn
from titles.panzer.sighting.test_optional_hidden import IN_USE, a_fight

from pbem.engine.rules.refusals import Refusal
from pbem.titles import panzer
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.fire.overwatch import legal_watch
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.sighting.camouflage import CAMOUFLAGED, DECLARED
from pbem.titles.panzer.sighting.hidden_orders import hiding_objections
from pbem.titles.panzer.state import Command, Unit

SQUAD, SOVIET, SECTION = "german_rifle_squad", "soviet_rifle_squad", "german_section"
CAMOUFLAGE = {"rules": (*ADVANCED_RULES, "camouflage")}
FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")


def under_nets(id: str, hex: str, *finders: str, **more: Any) -> Unit:
    """A camouflaged squad that all enemies have searched for and only these have found."""
    found = {"found_by": finders} if finders else {}
    return a_leg(id, hex, SOVIET, flags=(CAMOUFLAGED, DECLARED), command=Command.NO_COMMAND, **found, **more)


@pytest.mark.rule("6.6.10")
@pytest.mark.parametrize(("finders", "legal"), [((), False), (("g2",), False), (("g1",), True)])
def test_7_24_a_vehicle_overruns_only_the_camouflaged_unit_that_it_has_found(finders: tuple[str, ...], legal: bool):
    """6.6.10: the vehicle must have spotted the unit before it moves; therefore it must also have found
    the unit (7.24)."""
    units = a_tank("g1", "C9", "pz4h", facing=1), a_tank("g2", "E9", "pz4h"), under_nets("s1", "C6", *finders)
    table = a_field(*units, dice=[90, 10, 50, 50], edition="2016", scenario=CAMOUFLAGE)
    if legal:
        assert_rule(moves(table, "g1", "f f overrun:s1").findings, "6.6.10", inputs={"vehicle": "g1", "target": "s1"})
        return
    refusal = refused(table, "g1", "f f overrun:s1")
    assert "does not spot s1" in str(refusal)
    assert_rule(refusal, "6.6.10")


@pytest.mark.rule("6.6.1.2", editions=("2016",))
@pytest.mark.parametrize(("finders", "legal"), [((), False), (("g1",), True)])
def test_7_24_an_advancing_attack_needs_a_unit_that_was_found(finders: tuple[str, ...], legal: bool):
    """At two hexes camouflage still protects; an adjacent attacker would spot the target automatically."""
    squad = a_leg("g1", "C9", SQUAD, command=Command.MOVE)
    table = an_advanced_table(
        squad, under_nets("s1", "C7", *finders), edition="2016", scenario=CAMOUFLAGE, dice=[99, 1, 99, 1]
    )
    if legal:
        assert_rule(play(table, assault("s1", ("g1", "C8"))).findings, "6.6.1.2")
        return
    with pytest.raises(Refusal) as refusal:
        play(table, assault("s1", ("g1", "C8")))
    assert "has not spotted s1" in str(refusal.value)
    assert_rule(refusal.value, "6.6.1.2")


@pytest.mark.parametrize(("die", "legal"), [(1, True), (10, False)])
def test_7_24_an_assault_is_written_only_against_a_unit_that_was_found(die: int, legal: bool):
    """The roll in the Spotting Phase, which both players see, decides which orders are accepted."""
    squad, enemy = a_leg("g1", "C9", SQUAD), a_leg("s1", "C7", SOVIET, flags=(CAMOUFLAGED,))
    data = advanced_data(a_board(signs={"C7": "W"}), edition="2016", rules=(*FREE, "camouflage"))
    state = an_advanced_state(squad, enemy, turn=1)
    orders = {"german": "g1 assault s1 from C8", "soviet": "s1 hold"}
    if legal:
        turn = a_turn(data, state, dice={"7.24": die}, **orders)
        assert turn.of("6.6.1.2") and turn.fails == []
        return
    with pytest.raises(Refusal) as refusal:
        a_turn(data, state, dice={"7.24": die}, **orders)
    assert "has not spotted s1" in str(refusal.value)


@pytest.mark.parametrize(
    ("rules", "more", "spotted", "acquired"),
    [
        ((), {}, ["g1"], True),
        (("limited_spotting",), {}, ["g1"], True),
        (("limited_spotting",), {}, [], False),
        (("camouflage",), {"flags": (CAMOUFLAGED,), "found_by": ("s3",)}, ["g1"], True),
        (("camouflage",), {"flags": (CAMOUFLAGED,)}, [], False),
    ],
)
def test_6_7_3_1_2_an_fo_spots_for_aircraft_only_what_it_has_noticed(
    rules: tuple[str, ...], more: dict[str, Any], spotted: list[str], acquired: bool
):
    """7.7: the observer has overlooked a target in range and in sight; 7.24: it has not found a
    camouflaged target."""
    target = a_tank("g1", "C12", **more)
    observer = a_leg("s3", "C8", "soviet_section", labels=("fo",), command=Command.OVERWATCH)
    table = an_air_table(
        target, observer, board=a_board(signs={"C12": "m"}), dice=[99] * 4, spotted={"s3": spotted, "g1": []},
        scenario={"rules": (*ADVANCED_RULES, *rules)},
    )  # fmt: skip
    played = fly(table, plot(("g1", "strafing")))
    refusals = [one for one in played.findings if one.result == "not-acquired"]
    assert bool(refusals) is not acquired
    if acquired:
        assert_rule(played.findings, "6.7.3.1.1", inputs={"target": "g1"}, result="acquired")
    else:
        assert_rule(played.findings, "6.7.3.1.1/hidden-terrain", inputs={"target": "g1"}, result="not-acquired")


OVERLOOKED: list[tuple[tuple[str, ...], dict[str, Any], bool]] = [
    ((), {}, True),
    (("limited_spotting",), {"spotted": True}, True),
    (("limited_spotting",), {"spotted": False}, False),
    (("camouflage",), {"found_by": ("x3",)}, True),
    (("camouflage",), {}, False),
]
"""Rules in use, what is known of the unit, and whether an enemy within range and sight has spotted it."""


def unnoticed(id: str, hex: str, card: str, rules: tuple[str, ...], known: dict[str, Any], enemy: str) -> Unit:
    flags = (CAMOUFLAGED, DECLARED) if "camouflage" in rules else ()
    found = {"found_by": (enemy,)} if "found_by" in known else {}
    return a_leg(id, hex, card, flags=flags, command=Command.NO_COMMAND, **found)


@pytest.mark.parametrize(("rules", "known", "noticed"), OVERLOOKED)
def test_6_6_4_3_a_unit_crawls_up_to_an_enemy_that_nobody_has_noticed(
    rules: tuple[str, ...], known: dict[str, Any], noticed: bool
):
    """A unit may not crawl next to a spotted enemy; no friend has noticed this one, though g3 could have."""
    enemy = unnoticed("s1", "C7", SOVIET, rules, known, "g3")
    spotted = {"g3": ["s1"] if known.get("spotted") else [], "g1": []}
    table = a_field(
        a_leg("g1", "C9", SQUAD, full_cover=True, command=Command.MOVE), a_leg("g3", "E9", SQUAD), enemy,
        edition="2016", scenario={"rules": (*ADVANCED_RULES, *rules)}, spotted=spotted,
    )  # fmt: skip
    if noticed:
        assert_rule(refused(table, "g1", "1", "crawl"), "6.6.4.3")
    else:
        moves(table, "g1", "1", "crawl")
        assert table.state.vehicles["g1"].full_cover


@pytest.mark.parametrize(("rules", "known", "noticed"), OVERLOOKED)
def test_7_2_3_a_unit_that_the_enemy_has_not_noticed_goes_under_a_counter(
    rules: tuple[str, ...], known: dict[str, Any], noticed: bool
):
    """A unit goes under a counter if no enemy has spotted it; an enemy that overlooked it does not count."""
    squad = unnoticed("g1", "C9", SQUAD, rules, known, "s3")
    spotted = {"s3": ["g1"] if known.get("spotted") else []}
    table = a_fight(squad, a_leg("s3", "C12", SOVIET), rules=(*IN_USE, *rules), spotted=spotted)
    found = list(hiding_objections(table, squad, a_hex("C9"), "7.2.3", start=False))
    assert [one.rule for one in found] == (["7.2.3"] if noticed else [])


@pytest.mark.parametrize(("rules", "known", "noticed"), OVERLOOKED)
def test_6_5_2_1_extra_hits_on_overwatch_go_only_to_vehicles_that_were_noticed(
    rules: tuple[str, ...], known: dict[str, Any], noticed: bool
):
    """Both tanks have fired; extra hits go to the second only if the gun has noticed it."""
    flags = (CAMOUFLAGED, DECLARED) if "camouflage" in rules else ()
    found = {"found_by": ("g1",)} if "found_by" in known else {}
    gun = a_tank("g1", "C5", "pz4h", facing=4, command=Command.OVERWATCH)
    first, second = a_tank("s1", "C9", "t34_76"), a_tank("s2", "C9", "t34_76", flags=flags, **found)
    spotted = {"g1": ["s1", *(["s2"] if known.get("spotted") else [])]}
    table = an_advanced_table(
        gun, first, second, edition="2016", scenario={"rules": (*ADVANCED_RULES, *rules)}, spotted=spotted
    )
    arm = weapons_of(table.data, gun)[0]
    shot = an_ap_shot(table, gun, arm, "ap", first, command=Command.OVERWATCH)
    assert legal_watch(table, ["s1", "s2"])(gun)(shot, second) is noticed


def test_6_1_only_two_modules_ask_for_sight_without_asking_whether_it_was_noticed():
    """All other modules ask `has_noticed`; overwatch rolls for noticing only after the fire is declared (7.7.1)."""
    folder = Path(panzer.__file__).parent
    asking = {file.stem for file in folder.rglob("*.py") if re.search(r"\bspots_now\b", file.read_text("utf-8"))}
    assert asking == {"spotting", "limited_spotting", "overwatch"}
