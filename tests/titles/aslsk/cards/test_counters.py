"""1.2, 5.1, 7.1 Counters: every nationality is complete, every value has its source, and mistakes are explained."""

from __future__ import annotations

import pytest
from support.rules import assert_rule

from pbem.titles.aslsk.cards.deck import DECK_FILES, deck, read_deck
from pbem.titles.aslsk.cards.files import packaged
from pbem.titles.aslsk.cards.notation import read_supplies
from pbem.titles.aslsk.cards.vehicles import LADDER
from pbem.titles.data_files import DataError

DECK = deck()
FILES = {file: packaged(file) for file in DECK_FILES}
RIVALS = ("german", "russian", "american", "british", "italian", "french", "finnish")


@pytest.mark.parametrize("nation", RIVALS)
def test_1_2_every_nationality_has_squads_half_squads_crews_leaders_and_machine_guns(nation):
    units = [card for card in DECK.units.values() if card.nation == nation]
    weapons = {card.kind for card in DECK.weapons.values() if card.nation == nation}

    assert {card.kind for card in units} == {"squad", "half", "crew", "leader"}
    assert {"lmg", "mmg", "hmg", "mortar", "ft", "dc"} <= weapons
    assert len([card for card in units if card.kind == "leader"]) == 8


def test_1_2_every_counter_has_a_source():
    for cards in (DECK.units, DECK.weapons, DECK.guns, DECK.vehicles):
        for card in cards.values():
            assert any(word in card.source for word in ("public", "rulebook", "house")), card


@pytest.mark.rule("1.2.2", effect=True)
@pytest.mark.parametrize(
    ("id", "strength", "broken", "half", "lower"),
    [
        ("german-467", (4, 6, 7), 7, "german-half-247", "german-447"),
        ("german-447", (4, 4, 7), 7, "german-half-237", "german-436"),
        ("russian-426", (4, 2, 6), 5, "russian-half-226", ""),
        ("american-747", (7, 4, 7), 8, "american-half-337", ""),
        ("american-666", (6, 6, 6), 8, "american-half-346", "american-546"),
    ],
)
def test_1_2_2_squads_of_the_worked_examples(id, strength, broken, half, lower):
    card = DECK.units[id]
    assert ((card.fp, card.range, card.morale), card.broken, card.half, card.lower) == (strength, broken, half, lower)


def test_5_1_chains_of_replacement_end_and_never_improve():
    for card in DECK.units.values():
        seen = [card.id]
        while card.lower:
            assert DECK.units[card.lower].morale <= card.morale and DECK.units[card.lower].kind == card.kind
            card = DECK.units[card.lower]
            assert card.id not in seen
            seen.append(card.id)


def test_5_1_a_half_squad_steps_down_with_its_squad():
    for squad in DECK.units.values():
        if squad.kind == "squad" and squad.lower and DECK.units[squad.half].lower:
            lower = DECK.units[squad.lower].half
            assert DECK.units[squad.half].lower == lower or DECK.units[lower].morale <= DECK.units[squad.half].morale
    assert DECK.units["german-half-247"].lower == "german-half-237"


def test_1_2_1_leaders_step_down_the_same_ladder_everywhere():
    for nation in DECK.nations:
        steps, id = [], DECK.leader(nation, "10-3")
        while id:
            steps.append(DECK.units[id].name)
            id = DECK.units[id].lower
        assert steps == ["10-3", "10-2", "9-2", "9-1", "8-1", "8-0", "7-0", "6+1"]
    assert DECK.units["german-leader-61"].leadership == 1


def test_1_2_4_support_weapons_of_the_worked_examples():
    mmg, baz = DECK.weapons["german-mmg"], DECK.weapons["american-baz-43"]
    assert (mmg.fp, mmg.rof, mmg.breakdown, mmg.number) == (5, 2, 12, "B")
    assert DECK.weapons["german-hmg"].pp == 4
    assert (DECK.weapons["russian-lmg"].pp, DECK.weapons["russian-mmg"].pp) == (1, 5)
    assert (baz.to_hit[2], baz.kill, baz.number) == (8, 13, "X")
    assert DECK.weapons["british-piat"].repair == 2 and DECK.weapons["british-piat"].breakdown == 10
    assert DECK.weapons["german-mortar"].min_range == 2 < DECK.weapons["american-mortar"].min_range


def test_1_2_6_guns_of_the_worked_examples():
    gun = DECK.guns["american-57l-at"]
    assert (gun.manhandling, gun.qsu, gun.gunshield, gun.he) == (10, True, True, False)
    assert gun.depletion("HE", "1944-05") is None and gun.depletion("HE", "1944-06") == 7
    assert DECK.guns["german-75l-at"].rof == 2 and not DECK.guns["german-75l-at"].turning
    assert DECK.guns["german-81s-mtr"].mortar and DECK.guns["german-88l-aa"].turning


def test_7_1_vehicles_of_the_worked_examples():
    panzer, kv = DECK.vehicles["german-pz3n"], DECK.vehicles["russian-kv-1e"]
    assert (panzer.mp, panzer.turret, panzer.front, panzer.side) == (13, "T", 6, 3)
    assert (panzer.depletion("H", "1943-01"), panzer.smoke_device, panzer.smoke_number) == (9, "sD", 7)
    assert (kv.turret, kv.size, kv.armour("turret", "front")) == ("RST", -1, 11)
    assert (kv.armour("hull", "side"), kv.armour("turret", "rear")) == (8, 11)
    assert DECK.vehicles["russian-t34-85"].mp == 16


def test_7_1_armour_is_always_on_the_ladder():
    for card in DECK.vehicles.values():
        assert {card.front, card.side, card.turret_front, card.turret_side} <= set(LADDER)
        assert card.calibre or card.bmg or card.cmg or card.aamg


def test_3_2_4_red_numbers_follow_nationality_and_date():
    assert DECK.nations["russian"].uses_red_numbers("1945-01") and DECK.nations["italian"].uses_red_numbers("1940-06")
    assert DECK.nations["american"].uses_red_numbers("1943-12") and not DECK.nations["american"].uses_red_numbers(
        "1944-01"
    )
    assert not DECK.nations["german"].uses_red_numbers("1941-06") and not DECK.nations["british"].uses_red_numbers(
        "1941-06"
    )


def test_6_2_the_depletion_number_changes_with_the_year():
    card = DECK.guns["german-50l-at"]
    assert [card.depletion("A", month) for month in ("1940-12", "1941-06", "1942-01", "1944-12")] == [None, 5, 6, 4]
    assert card.depletion("s", "1944-12") is None


SPOILT = {
    "units.toml": [
        ('strength = "4-6-7"', 'strength = "4-6"', "is not a strength"),
        ('half = "german-half-248"', 'half = "german-half-249"', "Did you mean german-half-248?"),
        ('nation = "finnish"', 'nation = "finish"', "Did you mean finnish?"),
        ('kind = "squad"', 'kind = "squat"', "squat"),
    ],
    "weapons.toml": [
        ('attack = "5-12"', 'attack = "5"', "not a pair"),
        ("to_hit = [11, 9, 7, 5]", "to_hit = [11]", "to_hit"),
    ],
    "guns.toml": [
        ('calibre = "37L"', 'calibre = "L37"', "not a calibre"),
        ("s 7", "q 7", "is not an ammunition type"),
    ],
    "vehicles.toml": [
        ('armour = "6/3b"', 'armour = "5/3b"', "not an armour factor"),
        ('mg = "3/5"', 'mg = "3+5"', "machine guns"),
    ],
}


@pytest.mark.parametrize(
    ("file", "index"), [(file, index) for file, rows in SPOILT.items() for index in range(len(rows))]
)
def test_1_2_mistakes_in_an_owners_counters_are_explained(file, index):
    before, after, said = SPOILT[file][index]
    text = FILES[file].decode()
    assert before in text

    with pytest.raises(DataError) as caught:
        read_deck(FILES | {file: text.replace(before, after, 1).encode()})

    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["A", "A 13", "Q 5", "s 7 44"])
def test_6_2_ammunition_that_cannot_be_read_is_refused(text):
    with pytest.raises(ValueError, match=r"is not|must be 2 to 12"):
        read_supplies(text)


def refused(file: str, before: str, after: str) -> DataError:
    text = FILES[file].decode()
    assert before in text
    with pytest.raises(DataError) as caught:
        read_deck(FILES | {file: text.replace(before, after, 1).encode()})
    return caught.value


@pytest.mark.rule("1.2.1", "1.2.2", "1.2.3")
def test_1_2_personnel_that_no_counter_can_show_is_refused():
    assert_rule(refused("units.toml", 'strength = "9-1"', 'strength = "9"'), "1.2.1")
    assert_rule(refused("units.toml", 'strength = "4-6-7"', 'strength = "4-6"'), "1.2.2")
    assert_rule(refused("units.toml", "broken = 8", "broken = 11"), "1.2.3")


@pytest.mark.rule("1.2.4", "1.2.6", "1.2.7", "7.1")
def test_1_2_weapons_guns_and_vehicles_that_no_counter_can_show_are_refused():
    assert_rule(refused("weapons.toml", 'attack = "5-12"', 'attack = "5"'), "1.2.4")
    assert_rule(refused("guns.toml", 'calibre = "37L"', 'calibre = "L37"'), "1.2.6")
    assert_rule(refused("vehicles.toml", 'smoke_device = "sD7"', 'smoke_device = "sX7"'), "1.2.7")
    assert_rule(refused("vehicles.toml", 'armour = "6/3b"', 'armour = "5/3b"'), "7.1")


@pytest.mark.rule("5.2")
def test_5_2_a_nationality_that_does_not_exist_is_refused():
    assert_rule(refused("guns.toml", 'nation = "british"', 'nation = "britsh"'), "5.2")
