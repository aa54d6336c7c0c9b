"""3.1 - 6.8 Fine distinctions of commands, set-up, sight and orders that a faulty rule would miss."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import (
    a_gun,
    a_leg,
    a_tank,
    advanced_data,
    an_advanced_state,
    an_advanced_table,
    both_editions,
)
from titles.panzer.asking import usual_adjustments
from titles.panzer.builders import a_board, a_hex
from titles.panzer.setup.test_deployment_advanced import data_of
from titles.panzer.setup.test_scenario_advanced import desert, feature, load

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import each
from pbem.titles.data_files import DataError
from pbem.titles.panzer.cards.advanced_cards import advanced_cards
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.charts import charts, with_switches
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.command import commands
from pbem.titles.panzer.command.staggered_initiative import leave_stages
from pbem.titles.panzer.decisions import fire
from pbem.titles.panzer.decisions.adjusting import Adjusting
from pbem.titles.panzer.fire.aiming import Occasion
from pbem.titles.panzer.player.many import remarks_on
from pbem.titles.panzer.player.plan import Aim, FireWish
from pbem.titles.panzer.sequence import SEQUENCE
from pbem.titles.panzer.setup.checking import check_scenario
from pbem.titles.panzer.setup.deployment import card_of, settle
from pbem.titles.panzer.setup.taking import add_batteries
from pbem.titles.panzer.setup.unit_checks import UnitChecks
from pbem.titles.panzer.sighting.line_of_sight import (
    Judgement,
    Relief,
    _explain_blind_zone,
    at_a_glance,
    ends_of,
    line_of_sight,
)
from pbem.titles.panzer.sighting.spotting import explain_range, spots
from pbem.titles.panzer.sighting.terrain import edges_beyond, explain_cover, hindrance_size
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Feature, HullDown, Marker, Status

SQUAD = "german_rifle_squad"
both = pytest.mark.parametrize("edition", EDITIONS)


# --- commands -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.2", effect=True)
@pytest.mark.parametrize(("indirect", "refused"), [(True, False), (False, True)])
def test_4_2_a_unit_that_fires_only_indirectly_may_be_told_to_fire(
    indirect: bool, refused: bool, monkeypatch: pytest.MonkeyPatch
):
    tank = a_tank("g1", "C9")
    monkeypatch.setattr(commands, "weapons_of", lambda *_: [SimpleNamespace(fires=False, indirect=indirect)])
    monkeypatch.setattr(commands, "has_something_to_fire_at", lambda *_: True)
    found = list(commands.fire_objections(Situation(advanced_data(), an_advanced_state(tank)), tank, Command.FIRE))
    assert bool(found) is refused


@pytest.mark.rule("5.16.1", effect=True)
@both
def test_5_16_1_ways_to_fire_ap_are_ways_to_fire_ap(edition: Any):
    data = advanced_data(edition=edition)
    for card in data.book.vehicles:
        tank = a_tank("g1", "C9", card)
        for arm in weapons_of(data, tank):
            assert all(how.startswith("ap") for how in commands.ap_hows(data, tank, arm))


@pytest.mark.rule("6.1.4.3.10", effect=True)
@both
def test_6_1_4_3_10_a_vehicle_with_smoke_shells_lays_smoke_where_its_gun_bears(edition: Any):
    data = advanced_data(edition=edition)
    smoking = [
        card
        for card in sorted(data.book.vehicles)
        if any("smoke" in arm.hows for arm in weapons_of(data, a_tank("g1", "C9", card)))
    ]
    tank = a_tank("g1", "C9", smoking[0], command=Command.FIRE)
    assert commands.may_lay_smoke(Situation(data, an_advanced_state(tank)), tank)
    plain = a_tank("g1", "C9", "opel")
    assert not commands.may_lay_smoke(Situation(data, an_advanced_state(plain)), plain)


@pytest.mark.rule("6.6.7")
@pytest.mark.parametrize(("sharing", "leading"), [("g2", "g3"), ("g3", "g2")])
def test_6_6_7_a_passenger_neither_shares_a_counter_nor_lends_one(sharing: str, leading: str):
    view = an_advanced_state(a_tank("g1", "C9", "spw251"), a_leg("g2", "C9", SQUAD, aboard="g1"), a_tank("g3", "C8"))
    answer = {"g1": "move", leading: "move", sharing: f"with {leading}"}
    found = [
        one for whole in commands.refused_share(view, "german", answer, view.vehicles[sharing]) for one in each(whole)
    ]
    assert_rule(found[0], "6.6.7")


@pytest.mark.rule("6.0", effect=True)
@pytest.mark.parametrize("step", ["direct_fire_step", "movement_step"])
def test_6_0_the_steps_of_both_players_are_left_together(step: str):
    first = next(number for number, stage in enumerate(SEQUENCE) if stage.step == step)
    table = an_advanced_table(a_tank("g1", "C9"), a_tank("s1", "C3", "t34_76"), stage=first)
    leave_stages(table, step)
    assert table.state.next is not None and table.state.next.name != step


@pytest.mark.rule("6.2.1", effect=True)
def test_6_2_1_units_left_out_are_told_by_formation():
    data = advanced_data()
    left = [a_tank("g1", "C9", formation="german"), a_tank("s1", "C3", "t34_76", formation="soviet")]
    told = list(
        remarks_on(Situation(data, an_advanced_state(*left, available={"german": 3})), left, {}, {"german": 3})
    )
    assert [str(line).rpartition(": ")[2] for line in told] == ["g1", "s1"]


# --- orders -------------------------------------------------------------------------------------------------------


@both
def test_6_8_guns_and_men_turn_by_standing_orders_and_vehicles_do_not(edition: Any):
    units = [a_leg("g1", "C9", SQUAD, facing=4), a_tank("g2", "D9", facing=4), a_gun("g3", "E9", "pak38", facing=4)]
    state = an_advanced_state(*units, a_leg("g4", "D9", SQUAD, aboard="g2"), a_tank("s1", "C3", "t34_76"))
    data = advanced_data(edition=edition)
    assert set(usual_adjustments(data, state, "german", ["pivot: nearest"])["pivot"]) == {"g1", "g3"}
    said = list(Adjusting(data, state, Ask("german", "adjust", "6.8", default={})).may_say())
    assert {line.split()[1] for line in said if "pivot" in line} == {"g1", "g3"}


@pytest.mark.rule("5.14", effect=True)
def test_5_14_a_shot_that_cannot_be_fired_keeps_its_hex(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fire, "wished_entries", lambda *_: [])
    wish = FireWish([Aim(hex="C5", how="smoke"), Aim(["s1"])])
    found = fire.ordered_entries(
        Occasion(Situation(advanced_data(), an_advanced_state()), "german"), a_tank("g1", "C9"), wish
    )
    assert [entry.target for entry in found] == ["C5", "s1"]


# --- set-up -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.9.1", effect=True)
def test_5_9_1_formations_without_units_or_headquarters_are_worth_a_look():
    empty = '[[formation]]\nid = "zz"\nname = "Nobody"\nside = "british"\nnation = "british"\n'
    empty += 'grade = "green"\n\n[victory]'
    told = "\n".join(check_scenario(desert().replace("[victory]", empty, 1).encode(), {}))
    assert "formation zz (Nobody) has no units" in told
    assert "has no headquarters" not in told and told.count("has no units") == 1


@pytest.mark.rule("5.13", effect=True)
def test_5_13_men_do_not_overstack_a_hex():
    men = "".join(
        f'{{id = "zz{n}", name = "x{n}", card = "british_rifle_squad", formation = "dr", hex = "Q8", facing = 1}},\n'
        for n in range(7)
    )
    line = next(
        line for line in desert().splitlines() if '"british_rifle_squad", formation = "dr", hex = "Q8"' in line
    )
    told = "\n".join(check_scenario(desert().replace(line, men + line, 1).encode(), {}))
    assert "overstacked" not in told


@pytest.mark.rule("6.1.4", effect=True)
def test_6_1_4_a_unit_is_hull_down_only_where_the_scenario_has_it_so():
    data = data_of("desert")
    row = next(row for row in data.scenario.units if row.hex is not None and row.card in data.book.vehicles)
    data.rows[row.id] = replace(row, hull_down="hd")
    unit = a_tank(row.id, row.hex, row.card, side=row.side, hull_down=HullDown.HD)
    for hex, expected in ((row.hex, HullDown.HD), (a_hex("A1"), HullDown.NONE)):
        unit.hex = hex
        settle(Situation(data, an_advanced_state(unit)), unit)
        assert unit.hull_down is expected
    data.rows[row.id] = row


@pytest.mark.rule("1.6", effect=True)
@both
def test_1_6_every_kind_of_unit_has_its_card(edition: Any):
    data = advanced_data(edition=edition)
    assert card_of(data, "pak38") is data.book.towed["pak38"]
    assert card_of(data, SQUAD) is data.book.legs[SQUAD]
    assert card_of(data, "pz4h") is data.book.vehicles["pz4h"].card


def test_5_1_cavalry_of_the_other_book_comes_only_when_the_scenario_asks_for_it():
    horse = desert().replace(
        '"british_rifle_squad", formation = "dr", hex = "Q8"', '"soviet_cavalry_squad", formation = "dr", hex = "Q8"'
    )
    with pytest.raises(DataError):
        load(horse)
    special = "[special]\nswitches = {bicycles_and_cavalry = true}\n"
    wanted = horse.replace("[special]\n", special, 1) if "[special]\n" in horse else f"{horse}\n{special}"
    assert any(unit.card == "soviet_cavalry_squad" for unit in load(wanted).units)


MISTAKES = [
    ('formation = "ih", labels = ["chq"]', 'labels = ["chq"]', "say which formation the unit belongs to"),
    ("[victory]", feature("wire", "J4").replace("hexes", "hidden = true\nhexes"), "say which side keeps it hidden"),
]


@pytest.mark.rule("2.0", effect=True)
@pytest.mark.parametrize(("before", "after", "said"), MISTAKES)
def test_2_0_more_mistakes_of_scenarios(before: str, after: str, said: str):
    assert before in desert()
    with pytest.raises(DataError, match=said):
        load(desert().replace(before, after, 1))


@pytest.mark.rule("6.1.4.3.8", effect=True)
def test_6_1_4_3_8_an_open_feature_needs_no_side():
    assert load(desert().replace("[victory]", feature("wire", "J4"), 1)).features


@pytest.mark.rule("6.5.1.3", effect=True)
@pytest.mark.parametrize("given", [{}, {"registered_points": 2, "planned_turns": 3}])
def test_6_5_1_3_a_taken_battery_has_its_registered_points_and_planned_turns(given: dict[str, int]):
    formation = SimpleNamespace(batteries=[SimpleNamespace(id="x", count=1, attachment="attached")])
    result: Any = SimpleNamespace(batteries=[])
    add_batteries(result, {"side": "german", "weight": 1, **given}, formation, "gb", "Guns")  # type: ignore[arg-type]
    [battery] = result.batteries
    assert {key: battery[key] for key in given} == given and set(battery) & {"registered_points", "weight"} == set(
        given
    ) - {"planned_turns"}


@pytest.mark.rule("6.1.4.3.1", effect=True)
@pytest.mark.parametrize(
    ("card", "inside", "desert_houses", "fine"),
    [
        ("pz4h", "building", False, True),
        ("opel", "building", False, False),
        ("marder2", "building", False, False),
        ("british_rifle_squad", "up", False, False),
        ("british_rifle_squad", "up", True, True),
        ("pz4h", "up", True, False),
    ],
)
def test_6_1_4_3_1_who_may_begin_inside_a_building(card: str, inside: str, desert_houses: bool, fine: bool):
    """Tracked vehicles with a roof may begin inside; leg units also on an upper floor or a flat desert roof."""
    told: list[str] = []
    book = advanced_cards("2024")
    if card == "marder2":
        card = next(id for id, row in book.vehicles.items() if row.card.traction == "T" and row.card.open_topped)
    reader: Any = SimpleNamespace(
        board=a_board(signs={"C7": "B"}),
        book=book,
        table={"desert_buildings": desert_houses},
        mistake=lambda where, what, *_, **__: told.append(what),
    )
    UnitChecks.check_inside(reader, "here", SimpleNamespace(inside=inside, hex=a_hex("C7"), card=card))  # type: ignore[arg-type]
    assert (not told) is fine, told


# --- sight --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.1.4.2", effect=True)
def test_4_1_4_2_a_line_is_the_same_from_both_ends_and_upstairs_goes_with_its_hex():
    board = a_board(columns=9, rows=9, levels="\n".join(["2........"] + ["........."] * 8))
    a, b = a_hex("A1"), a_hex("E5")
    assert ends_of(board, a, b, (1, 0)) == ends_of(board, b, a, (0, 1))
    assert ends_of(board, a, b).higher == a and ends_of(board, b, a).higher == a
    assert ends_of(board, a, b, (0, 3)).higher == b
    assert sorted(ends_of(board, a, b, (1, 0)).heights) == [0, 3] and sorted(ends_of(board, a, b).heights) == [0, 2]


@pytest.mark.rule("4.1.4.2", effect=True)
def test_4_1_4_2_open_ground_is_seen_at_a_glance():
    board = a_board(columns=9, rows=9)
    assert at_a_glance(Relief(board, charts("2024")), a_hex("A1"), a_hex("E2")) is True


@pytest.mark.rule("4.1.4.1.3.1", effect=True)
def test_4_1_4_1_3_1_flat_roofs_are_a_matter_of_buildings():
    table = with_switches(charts("2024"), {"desert_buildings": True})
    wood, house = (a_board(columns=3, rows=9, signs={"A5": sign}) for sign in ("w", "B"))
    told = [line_of_sight(board, table, a_hex("A2"), a_hex("A8")) for board in (wood, house)]
    assert [found.result for found in told] == ["blocked", "blocked"]
    assert ["4.1.4.1.3.1" in [one.rule for one in every([found])] for found in told] == [False, True]


@pytest.mark.rule("4.1.4.2.4", effect=True)
@pytest.mark.rule("4.1.4.2.4/1-lower", editions=("2024",))
def test_4_1_4_2_4_the_blind_zone_is_shown_before_and_after_the_correction():
    """An obstacle one level lower at four hexes hides 4 hexes of ground, but 2 hexes a level higher."""
    board = a_board(columns=9, rows=9, levels="\n".join(["3........", *["1........"] * 8]))
    ends = ends_of(board, a_hex("A1"), a_hex("A8"))
    table, judged = charts("2024"), Judgement("4.1.4.2.4", True, below=1, distance=4, zone=2)
    before, after = _explain_blind_zone(table, ends, judged)
    assert_rule(before, "4.1.4.2.4/1-lower", result=table.blind_zone(1, 4, 0))
    assert after.rule == "4.1.4.2.4.1" and before.result != table.blind_zone(1, 4, 1)
    assert len(list(_explain_blind_zone(charts("2016"), ends, judged))) == 1, "the 2016 book corrects nothing"


@both_editions("6.1")
def test_6_1_the_dead_spot_nobody(edition: Any):
    state = an_advanced_state(a_tank("g1", "C9"), a_tank("s1", "C3", "t34_76"))
    state.vehicles["g1"].status = Status.BREWED_UP if hasattr(Status, "BREWED_UP") else Status.ELIMINATED
    found = spots(Situation(advanced_data(edition=edition), state), state.vehicles["g1"], state.vehicles["s1"])
    assert_rule(found, "6.1", result=False)
    assert len(found.children) == 1, "direction and range are not asked"


@pytest.mark.rule("6.1.3.1", effect=True)
@both
def test_6_1_3_1_the_spotters_own_conditions_are_told(edition: Any):
    state = an_advanced_state(a_tank("g1", "C9", suppression=Marker.ON), a_tank("s1", "C3", "t34_76"))
    told = explain_range(
        Situation(advanced_data(edition=edition), state), state.vehicles["s1"], "current", state.vehicles["g1"]
    )
    assert [one.result for one in every([told]) if one.inputs.get("when") == "spotter_suppressed"]


@pytest.mark.rule("5.11", effect=True)
@both
def test_5_11_what_has_no_row_in_a_chart_has_no_size_there(edition: Any):
    data = advanced_data(edition=edition)
    assert hindrance_size(data, "nothing of the kind") == (0, 0)


@pytest.mark.rule("6.1.4.3.7", effect=True)
@both
def test_6_1_4_3_7_an_improved_position_covers_by_what_it_is_asked_for(edition: Any):
    data = advanced_data(edition=edition)
    position = Feature(id="p1", type="improved_position", hex=a_hex("C9"), known=("german", "soviet"))
    squad = a_leg("g1", "C9", SQUAD, position="p1")
    state = an_advanced_state(squad)
    state.features["p1"] = position
    row = data.advanced.features["improved_position"]
    told = [explain_cover(Situation(data, state), squad, purpose).result for purpose in ("spotting", "gp")]
    assert told == [row.spotting.value, row.combat.value]


@pytest.mark.rule("6.1.4.3.13", effect=True)
def test_6_1_4_3_13_half_a_hex_lies_beyond_the_northern_centres_too():
    """From A1 to F1 the line climbs half a hex in five columns, so it meets the east edge below the north edge."""
    assert edges_beyond(a_board(columns=9, rows=9), a_hex("A1"), a_hex("F1")) == ("east",)
