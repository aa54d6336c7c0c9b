"""2.0, 5.8 Scenarios of the advanced game: their contents, and how mistakes in them are explained."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.basic import basic_scenarios
from titles.panzer.builders import packaged_scenario

from pbem.cli import main
from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.engine.rules.refusals import Refusal
from pbem.titles.data_files import DataError
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.cards.advanced_cards import advanced_cards
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.cards.board import read_board
from pbem.titles.panzer.cards.card_rows import FORCES
from pbem.titles.panzer.cards.charts import charts, switches
from pbem.titles.panzer.cards.files import packaged
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES, optional_rules, words
from pbem.titles.panzer.setup.advanced_schemas import AdvancedSchema
from pbem.titles.panzer.setup.checking import check_scenario, points
from pbem.titles.panzer.setup.scenario import AdvancedScenario, Conditions
from pbem.titles.panzer.setup.scenario_file import (
    packaged_boards,
    packaged_scenarios,
)
from pbem.titles.panzer.setup.scenario_reader import load_advanced
from pbem.titles.panzer.setup.unit_checks import space
from pbem.titles.panzer.title import Panzer

ADVANCED = tuple(name for name in packaged_scenarios() if name not in basic_scenarios())


def desert() -> str:
    return packaged("scenarios/desert.toml").decode()


def load(text: str, **more: Any) -> AdvancedScenario:
    return load_advanced(text, packaged_boards(), file="mine.toml", **more)


@cache
def ours(name: str, edition: Edition = "2024") -> AdvancedScenario:
    scenario = packaged_scenario(name, edition)
    assert isinstance(scenario, AdvancedScenario)
    return scenario


# --- ours ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", ADVANCED)
def test_2_0_every_scenario_can_be_played_by_both_books(name: str, edition: Edition) -> None:
    assert ours(name, edition).edition == edition


@pytest.mark.parametrize("name", ADVANCED)
def test_5_8_2_no_side_is_hopelessly_weaker(name: str) -> None:
    """An attacker over open ground or by night may have twice the points; the objectives make up for that."""
    scenario, book = ours(name), advanced_cards("2024")
    weak, strong = sorted(points(scenario, book, side.id) for side in scenario.sides)
    assert strong * 2 <= weak * 5


def test_the_six_scenarios_show_what_there_is() -> None:
    """The scenarios have desert and steppe, night, eighty units a side, all five forces and all kinds of support."""
    scenarios = {name: ours(name) for name in ADVANCED}
    assert set(scenarios) == {"breach", "collision", "combined", "darkness", "delay", "desert"}
    big = scenarios["combined"]
    assert big.turns == 12
    assert [sum(unit.side == side.id for unit in big.units) for side in big.sides] == [80, 80]
    everything = list(scenarios.values())
    assert {row.nation for one in everything for row in one.formations.values()} == set(FORCES)
    assert scenarios["darkness"].conditions == Conditions(spotting=-3, caution="limited")
    assert any(one.aircraft for one in everything)
    assert any(row.hidden for one in everything for row in one.features)
    assert {name for name in ADVANCED if packaged_scenario(name).edition == "2016"} == {"collision", "delay"}


def test_2_0_the_2016_book_has_neither_dust_nor_sun_nor_desert_buildings() -> None:
    """6.1.4.3.12, 6.1.4.3.13, 4.1.4.1.3.1: a 2024 scenario played by the 2016 book loses these features."""
    old, new = ours("breach", "2016"), ours("breach", "2024")
    assert (new.sun is not None, new.desert_buildings) == (True, True)
    assert (old.sun, old.desert_buildings, old.dust) == (None, False, False)


# --- taking formations ---------------------------------------------------------------------------------------


def test_5_8_2_a_taken_company_has_its_headquarters_platoons_and_weapons() -> None:
    scenario = ours("delay")
    company = [unit for unit in scenario.units if unit.formation == "ri"]
    assert len(company) == advanced_cards("2024").strength("german_rifle_company")["german_section"] + 12
    assert [unit.id for unit in company if "chq" in unit.labels] == ["ri1"]
    assert {unit.platoon for unit in company} == {"", "ri1", "ri2", "ri3"}
    assert sum(unit.weapons == ("german_hmg",) for unit in company) == 2
    assert scenario.formations["ri"].grade == "seasoned"


def test_6_6_7_1_mounted_guns_and_squads_begin_aboard_and_fit() -> None:
    scenario, book = ours("combined"), advanced_cards("2024")
    units = {unit.id: unit for unit in scenario.units}
    riders = [unit for unit in scenario.units if unit.aboard]
    assert {unit.card for unit in riders} >= {"pak38", "flak36", "atg_2pdr"}
    for unit in riders:
        carrier, needs = units[unit.aboard], space(book, unit.card)
        assert needs is not None
        assert all(want <= has for want, has in zip(needs, book.vehicles[carrier.card].transport, strict=True))
        assert (unit.hex, unit.facing, unit.transport) == (carrier.hex, carrier.facing, carrier.id)


@pytest.mark.rule("5.13", effect=True)
def test_5_13_taken_units_are_spread_over_their_hexes() -> None:
    scenario, book = ours("combined"), advanced_cards("2024")
    counts: dict[str, int] = {}
    for unit in scenario.units:
        if unit.hex is not None and not unit.aboard and unit.card not in book.legs:
            counts[hex_name(unit.hex)] = counts.get(hex_name(unit.hex), 0) + 1
    assert max(counts.values()) < 6


# --- mistakes ------------------------------------------------------------------------------------------------

HQ = (
    '{id = "be1", name = "Company HQ", card = "italian_section", formation = "be", labels = ["chq", "fo"], hex = "C8"'
)


def feature(type: str, hex: str) -> str:
    return f'[[feature]]\nid = "w"\ntype = "{type}"\nhexes = ["{hex}"]\n\n[victory]'


MISTAKES = [
    ('grade = "veteran"', 'grade = "vetran"', "2.0", "Did you mean veteran?"),
    ('heat_haze = true', 'heat_hase = true', "2.0", "Did you mean heat_haze?"),
    ('date = "1941-11"', 'date = "November"', "2.0", "Write a month, such as 1942-06."),
    ('force_grades = {italian = "seasoned", ', "force_grades = {", "5.8.1", "give a grade to italian"),
    ('formation = "be", labels = ["recon"]', 'formation = "x", labels = ["recon"]', "5.8.2", "of this side 'x'"),
    ('name = "Tank troops"', 'name = "Tank troops"\nparent = "ih"', "5.8.2", "ih belongs to the other side"),
    ('name = "Tank troops"', 'name = "Tank troops"\nparent = "ch"', "5.8.2", "ch is above itself"),
    ('weapons = ["italian_hmg"]', 'weapons = ["italian_hgm"]', "5.1.3", "Did you mean italian_hmg?"),
    ('formation = "ih", labels = ["chq"]', 'formation = "ih", weapons = ["italian_hmg"]', "5.1.3", "to leg units"),
    ('formation = "ih", labels = ["chq"]', 'formation = "ih", labels = ["engineer"]', "5.9.3", "only leg units"),
    ('card = "it_47_32", ', 'card = "it_47_32", labels = ["fo"], ', "5.9", "a towed gun cannot have labels"),
    ('aboard = "be7"', 'aboard = "be1"', "6.6.7", "no vehicle of this side 'be1'"),
    ('aboard = "be7"', 'aboard = "be9"', "6.6.7.1", "is 0-2, but the vehicle has 0-0"),
    ('aboard = "be7"', 'aboard = "be7", hex = "B7"', "6.6.7", "leave out hex"),
    ('transport = "be7"', 'transport = "dr9"', "5.16.2.4", "no vehicle of this side 'dr9'"),
    ('name = "M13-HQ"', 'full_cover = true, name = "M13-HQ"', "6.1.4.2", "only leg and towed units"),
    (HQ, f'{HQ}, hull_down = "hd"', "6.1.4.1", "only vehicles can be hull down"),
    (HQ, f'{HQ}, inside = "building"', "6.1.4.3.1", "no building in C8"),
    (HQ, f'{HQ}, position = "p1"', "6.1.4.3.7", "no position 'p1'"),
    (HQ, f"{HQ}, hidden = true", "7.0", "needs the rule hidden_units"),
    (HQ, f"{HQ}, camouflaged = true", "7.0", "needs the rule camouflage"),
    ("heat_haze = true", 'ready_for = ["hiden_units"]\nheat_haze = true', "7.0", "Did you mean hidden_units?"),
    ('hex = "C8"', 'hex = "C99"', "1.2", "The nearest hex is C13"),
    ('card = "italian_light"', 'card = "italian_ligth"', "5.3", "Did you mean italian_light?"),
    ('formation = "dr"\nattachment', 'formation = "ih"\nattachment', "6.5.1.3", "no formation of this side 'ih'"),
    ('air_superiority = "italian"', 'air_superiority = "british"', "6.7", "so italian has no aircraft"),
    ("earliest = 2", "earliest = 9", "6.7.2.1", "ends after turn 6"),
    ('"italian_tank_platoon"', '"italian_tank_platon"', "5.8.2", "Did you mean italian_tank_platoon?"),
    ('into = "ih"\ncount = 2', "count = 2", "5.8.2", "give it a grade"),
    ("heat_haze = true", 'without = ["leg_units"]', "5/introduction", "a leg unit needs the rule leg_units"),
    ("heat_haze = true", 'rules = ["long_guns"]', "7.20", "only together with turrets"),
    ("heat_haze = true", 'rules = ["amphibious"]', "7.34", "2016 book only"),
    ("heat_haze = true", 'rules = ["morals"]', "7.0", "Did you mean morale?"),
    ("[victory]", "[conditions]\nspottng = -2\n[victory]", "7.0", "Did you mean spotting?"),
    ("[victory]", '[conditions]\ncaution = "great"\n[victory]', "7.0", "great"),
    ("[victory]", '[conditions]\nground = "mud"\n[victory]', "7.0", "mud (7.36.3) needs the rule bogging_down"),
    ("[victory]", feature("wires", "J4"), "6.1.4.3", "Did you mean wire?"),
    ("[victory]", feature("wire", "K5"), "6.1.4.3", "no wire in K5"),
    ("[victory]", feature("hasty_mines", "J4"), "7.0", "needs the rule minefields"),
    ("[victory]", feature("bridge", "J4"), "6.1.4.3.9", "no bridge in J4"),
    ('edition = "2024"', 'edition = "2016"', "6.1.4.3.12", "the 2016 book has no such rule"),
    ('edition = "2024"', "edition = 2024", "2.0", 'write it in quotes, as "2024"'),
    ('"british_rifle_squad", formation = "dr", hex = "Q8"', '"soviet_cavalry_squad", formation = "dr", hex = "Q8"',
     "5.1", "switches = {bicycles_and_cavalry = true} adds it"),
    ("vp = 100", 'by = "tanks"\nvp = 100', "2.0", "It is one of units, vehicles."),
    ("[victory]", "[conditions]\nhull_down = {cleer = 30}\n[victory]", "6.6.9", "Did you mean clear?"),
    ("turns = 6", 'turns = "6"\nx = 1', "2.0", "this key has no meaning here"),
    ('date = "1941-11"', 'date = "1941-13"', "2.0", "Write a month, such as 1942-06."),
    ("heat_haze = true", 'heat_haze = "perhaps"', "2.0", "write true or false"),
    ('name = "Jock column"', 'name = "Jock column"\nseats = [{id = "a", name = "A"}, {id = "a", name = "B"}]', "2.0",
     "another seat has the same id"),
    ("[victory]", '[conditions]\ncaution = "great"\n[victory]', "7.0", "use one of none, limited, extreme."),
    ("[victory]", '[conditions]\nspotting = "dark"\n[victory]', "7.0", "this must be a whole number, not text"),
    ("[victory]", "[conditions]\nspotting = -3\nbog = 3\n[victory]", "7.0", "must be a table, not a whole number"),
    ("[victory]", "[conditions]\nhidden_counters = {italien = 8}\n[victory]", "7.2.2", "Did you mean italian?"),
    ("[victory]", "[conditions]\ncommand_span = {british = {boss = 8}}\n[victory]", "7.52", "no headquarters 'boss'"),
    ("[victory]", "[conditions]\ncounter_battery = {brits = 1}\n[victory]", "7.28", "no side 'brits'"),
    (HQ, f"{HQ}, damaged = true", "6.5.2.5", "only vehicles can be damaged"),
    ("[victory]", feature("wire", "J4").replace("hexes", 'side = "italian"\narea = "west"\nhexes'), "2.0",
     "J4 is not in the area 'west'"),
    ("[victory]", feature("block", "C6"), "6.1.4.3.3", "ih1 starts in C6, which this counter closes"),
    ("[victory]", feature("wire", "C7"), "6.1.4.3.11", "be4 starts in C7, which this counter closes"),
    ("[victory]", feature("brick_rubble", "D6"), "6.1.4.3.9", "be6 starts in D6, which this counter closes"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "rule", "said"), MISTAKES)
def test_2_0_a_mistake_is_told_with_its_place_its_reason_and_its_rule(
    before: str, after: str, rule: str, said: str
) -> None:
    text = desert()
    assert before in text
    with pytest.raises(DataError) as refused:
        load(text.replace(before, after, 1))
    told = [(mistake.rule, str(mistake)) for mistake in refused.value.mistakes]
    assert any(number == rule and said in line for number, line in told), told
    assert all(mistake.where for mistake in refused.value.mistakes)


def test_2_0_all_mistakes_are_told_at_once() -> None:
    text = desert().replace('"italian_hmg"', '"hmg"').replace('aboard = "be7"', 'aboard = "be1"')
    text = text.replace('"C7"', '"C70"')
    text = text.replace('place = "Bir Hasan"', 'place = "Bir Hassan"\ncontroller = "french"')
    with pytest.raises(DataError) as refused:
        load(text)
    assert {mistake.rule for mistake in refused.value.mistakes} == {"5.1.3", "6.6.7", "1.2", "2.0", "3.6"}


@pytest.mark.rule("6.1.4.3.7", effect=True)
def test_6_1_4_3_7_a_position_holds_as_many_as_it_says_and_only_in_its_hex() -> None:
    position = '[[feature]]\nid = "p1"\ntype = "improved_position"\nhexes = ["{}"]\n\n[victory]'
    gun = 'formation = "be", hex = "D6"'
    inside = desert().replace(gun, f'{gun}, position = "p1"')
    scenario = load(inside.replace("[victory]", position.format("D6")))
    assert next(unit.position for unit in scenario.units if unit.id == "be6") == "p1"
    with pytest.raises(DataError, match="p1 is in D9"):
        load(inside.replace("[victory]", position.format("D9")))
    two = inside.replace('formation = "be", hex = "D8"', 'formation = "be", hex = "D6", position = "p1"')
    with pytest.raises(DataError, match="the position holds 1, but be5, be6"):
        load(two.replace("[victory]", position.format("D6")))


# --- which rules are in use ----------------------------------------------------------------------------------


def test_7_0_a_match_adds_optional_rules_and_leaves_others_out() -> None:
    title = Panzer()
    rules = title.rules(title.freeze("desert", {"rules": ["turrets", "long_guns"], "without": "bail_out, dual_fire"}))
    data = rules.data
    assert data.plays("turrets") and data.plays("long_guns") and data.plays("leg_units")
    assert not data.plays("bail_out") and not data.plays("dual_fire")
    said = rules.rules_in_use()
    assert said == [words("turrets"), words("long_guns"), "without 5.14 Dual fire", "without 5.15 Bailing out"]


@pytest.mark.parametrize(
    ("scenario", "options", "rule"),
    [
        ("desert", {"rules": ["long_guns"]}, "7.20"),
        ("desert", {"rules": "morals"}, "7.0"),
        ("desert", {"without": ["towed_units"]}, "5/introduction"),
        ("desert", {"without": ["fuel"]}, "5/introduction"),
        ("duel", {"rules": ["morale"]}, "7.0"),
    ],
)
def test_7_0_a_choice_of_rules_that_cannot_be_played_is_refused(
    scenario: str, options: dict[str, Any], rule: str
) -> None:
    with pytest.raises(Refusal) as refused:
        Panzer().freeze(scenario, options)
    assert_rule(refused.value, rule)


@pytest.mark.rule("5/introduction", editions=("2024",))
def test_5_introduction_each_advanced_rule_may_be_left_out_unless_the_scenario_needs_it() -> None:
    """L1276-1280: the advanced rules are modular, so a match may leave them out one by one."""
    title = Panzer()
    for rule in ADVANCED_RULES:
        if rule in ("leg_units", "towed_units", "indirect_fire", "aircraft", "full_cover"):
            with pytest.raises(Refusal) as refused:
                title.freeze("desert", {"without": [rule]})
            assert_rule(refused.value, "5/introduction")
        else:
            rules = title.rules(title.freeze("desert", {"without": [rule]}))
            assert rule not in rules.data.scenario.rules


@pytest.mark.rule("7.0", editions=("2016",))
def test_7_0_optional_rules_are_those_of_the_book() -> None:
    with pytest.raises(Refusal) as refused:
        Panzer().freeze("collision", {"rules": ["mindfields"]})
    found = assert_rule(refused.value, "7.0")
    assert "Did you mean minefields?" in str(found)
    Panzer().freeze("collision", {"rules": ["amphibious", "minefields"]})


def test_7_0_every_rule_can_be_chosen_and_only_where_it_can_be_played() -> None:
    title = Panzer()
    assert set(title.choices["rules"]) == set(optional_rules())
    assert set(title.choices["without"]) == set(ADVANCED_RULES)
    assert set(title.several) == {"rules", "without"}
    assert set(title.choices_for("duel")) == {"edition"}
    assert set(title.choices_for("desert")) == {"edition", "table", "rules", "without"}


@pytest.mark.rule("7.0", editions=("2016",))
@pytest.mark.parametrize("edition", EDITIONS)
def test_7_0_all_optional_rules_can_be_played_at_once_and_are_named_with_their_numbers(edition: Edition) -> None:
    """Both books are tested, apart from rules that only one of them has; the match page lists `rules_in_use`."""
    title, offered = Panzer(), [row for row in optional_rules().values() if edition in row.editions]
    options = {"edition": edition, "rules": [row.id for row in offered]}
    bound = title.rules(title.freeze("collision", options))
    assert isinstance(bound, PanzerRules)
    told = bound.rules_in_use()
    assert len(told) == len(offered)
    for row in offered:
        assert any(line.startswith(f"{row.rule} {row.text}") for line in told) and bound.data.plays(row.id)
    for row in optional_rules().values():
        if edition not in row.editions:
            with pytest.raises(Refusal) as refused:
                title.freeze("collision", {"edition": edition, "rules": [row.id]})
            assert_rule(refused.value, row.rule)
    with pytest.raises(Refusal) as refused:
        title.freeze("collision", {"edition": edition, "rules": "morale,mindfields"})  # as the command line says it
    assert_rule(refused.value, "7.0")


# --- for authors of scenarios --------------------------------------------------------------------------------


def test_2_0_the_description_names_every_key() -> None:
    """A reader of `pbem scenario format` can write everything a scenario may contain."""
    text = Panzer().scenario_format()
    whole: Any = AdvancedSchema().fields
    keys = {*whole, *Conditions.__struct_fields__, *whole["side"].inner.schema.fields["units"].inner.schema.fields}
    for name in ("side", "formation", "take", "battery", "aircraft", "feature", "objective", "exit"):
        keys |= set(whole[name].inner.schema.fields)
    for name in ("advanced", "victory", "special"):
        keys |= set(whole[name].schema.fields)
    assert [key for key in sorted(keys) if not any(f"{key}{sign}" in text for sign in (" =", "`", "]"))] == []


def test_2_0_the_description_lists_everything_that_has_an_id() -> None:
    """The description lists cards, weapons, support, formations, maps, places, rules, switches and terrain by id."""
    text = Panzer().scenario_format()
    ids: set[str] = {*packaged_boards(), *optional_rules(), *(row.id for row in switches())}
    for edition in EDITIONS:
        book = advanced_cards(edition)
        ids |= {*book.vehicles, *book.towed, *book.legs, *book.attached}
        ids |= {*book.batteries, *book.aircraft, *book.formations}
    assert [id for id in sorted(ids) if f"`{id}`" not in text] == []
    assert [row.id for row in charts("2024").terrains.values() if f"`{row.symbol}` {row.id}" not in text] == []
    assert '"Bir Hasan", "West ridge", "East ridge"' in text
    assert "`soviet_cavalry_squad` Soviet cavalry squad" in text and ", 2016 only" in text


@pytest.mark.rule("1.2", effect=True)
def test_1_2_the_map_of_the_description_is_a_map() -> None:
    """The example map in the description is read unchanged, except for the comments next to the drawings."""
    shown = Panzer().scenario_format().split("## A map of your own")[1].split("Leave out")[0]
    lines = [line.partition("#")[0] if line[5:7].strip().isdigit() and "  # " in line else line
             for line in shown.splitlines()]  # fmt: skip
    board = read_board("\n".join(lines))
    assert (board.terrain(parse_hex("C2")), board.storeys(parse_hex("C2"))) == (("stone_building",), 2)
    assert board.link(parse_hex("A1"), parse_hex("B2")) == "road"


def test_pbem_scenario_check_explains_mistakes_and_what_is_fine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(desert())
    assert main(["scenario", "check", str(file)]) == 0
    said = capsys.readouterr().out
    assert "no mistakes" in said and "18 units (vehicles 12, leg units 5, guns 1" in said and "9 exchanges" in said
    file.write_text(desert().replace('"italian_hmg"', '"italian_hgm"').replace("turns = 6", "turns = 0"))
    assert main(["scenario", "check", str(file)]) == 1
    assert "1 mistake\n  turns: " in capsys.readouterr().out


def test_pbem_scenario_check_reads_a_map_beside_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text(desert().replace('map = "duel"', 'map = "plain"'))
    assert main(["scenario", "check", str(tmp_path / "mine.toml")]) == 1
    assert "there is no map 'plain'" in capsys.readouterr().out
    (tmp_path / "plain.toml").write_bytes(packaged("maps/duel.toml"))
    assert main(["scenario", "check", str(tmp_path / "mine.toml")]) == 0


def test_2_0_what_is_seldom_meant_is_worth_a_look() -> None:
    lonely = desert().replace('labels = ["chq", "fo"]', "labels = []").replace('labels = ["recon"]', "labels = []")
    lonely = lonely.replace('formation = "ch", labels = ["chq"]', 'formation = "ch"')
    said = "\n".join(check_scenario(lonely.encode(), {}))
    assert "formation be (Bersaglieri company) has no headquarters (5.9.1)" in said
    assert "Jock column has batteries, but no unit that can call them (6.5.1.1)" in said
    assert check_scenario(packaged("scenarios/duel.toml"), {})[1].startswith("German patrol: 4 vehicles, ")


@pytest.mark.parametrize("name", packaged_scenarios())
def test_no_id_of_a_packaged_scenario_is_a_hex_of_its_map(name):
    assert not [line for line in check_scenario(packaged(f"scenarios/{name}.toml"), {}) if "also hexes" in line]


def test_an_id_that_is_also_a_hex_is_worth_a_look():
    """1.2, 1.6 In `call gb1 at s1`, the id s1 could also mean a hex, so the author is warned."""
    duel = packaged("scenarios/duel.toml").replace(b'"ge1"', b'"g1"')
    assert "worth a look: ids that are also hexes of the map: g1 " in check_scenario(duel, {})[-1]
    breach = packaged("scenarios/breach.toml").replace(b'"sa1"', b'"s1"').replace(b'"po1"', b'"p1"')
    assert "also hexes of the map: s1, p1 " in "\n".join(check_scenario(breach, {}))


@pytest.mark.parametrize("scenario", ["delay", "breach"])
def test_7_0_what_a_scenario_is_ready_for_lies_idle_until_a_match_adds_the_rule(scenario: str) -> None:
    """7.2.1, 7.24: the scenario has hidden units and camouflaged guns, but only a match with the rules uses them."""
    title = Panzer()

    def begun(*added: str) -> tuple[int, list[str]]:
        rules = title.rules(title.freeze(scenario, {"rules": list(added)}))
        units = rules.setup(()).vehicles.values()
        return sum(unit.hidden for unit in units), rules.rules_in_use()

    assert begun()[0] == 0 and not any("7.2 " in rule for rule in begun()[1])
    assert begun("hidden_units")[0] > 14 and "7.2 Hidden units" in begun("hidden_units")[1]
