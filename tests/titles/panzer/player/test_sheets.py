"""1.6 Sheets offer legal orders, explain closed choices with the reason of the refusal, and leak nothing."""

from __future__ import annotations

import msgspec
import pytest
from titles.panzer.builders import a_board, a_data_set, a_state, a_vehicle

from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, each
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.player import forms, sheets
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command
from pbem.titles.panzer.title import Panzer
from pbem.titles.panzer.view import view_of


def at_the_first_ask(scenario: str) -> tuple[PanzerRules, Run]:
    title = Panzer()
    rules = title.rules(title.freeze(scenario, {}))
    run = Run(rules, rules.setup(()))
    run.proceed()
    return rules, run


@pytest.fixture(scope="module")
def duel() -> tuple[PanzerRules, Run]:
    return at_the_first_ask("duel")


def offered(sheet):
    """Return every order a sheet offers, with one unit, hex and facing filled in for each blank."""
    for choice in sheet.choices:
        if choice.against:
            continue
        unit = next(iter(choice.units), "")
        for hex, facings in list(choice.hexes.items())[:12] or [("", ())]:
            line = choice.line.replace("{unit}", unit).replace("{hex}", hex)
            yield f"{sheet.unit} {line}" + (f" face {facings[-1]}" if facings else "")


@pytest.mark.parametrize("scenario", ["duel", "crossroads"])
def test_4_2_1_every_order_on_a_sheet_is_accepted(scenario):
    rules, run = at_the_first_ask(scenario)
    ask = run.asks[0]
    view = run.view(ask.seat)
    orders = 0
    for unit in rules.roll_call(view, ask):
        for line in offered(rules.sheet(view, ask.seat, ask, unit)):
            rules.check(view, ask, rules.read(view, ask, line).answer)
            orders += 1
    assert orders > 40


def test_4_2_1_what_a_sheet_calls_closed_is_refused_for_the_same_reason(duel):
    rules, run = duel
    ask = run.ask_of("british")
    view = run.view("british")
    (closed,) = [choice for choice in rules.sheet(view, "british", ask, "br4").choices if choice.name == "fire"]

    with pytest.raises(Refusal) as refused:
        rules.read(view, ask, "br4 fire ge1")
    assert closed.against and closed.against == each(refused.value)[0].objections


def test_4_4_3_2_a_target_comes_with_its_hit_number_and_what_a_hit_would_do(duel):
    rules, run = duel
    sheet = rules.sheet(run.view("german"), "german", run.ask_of("german"), "ge2")

    (fire,) = [choice for choice in sheet.choices if choice.name == "fire"]
    assert fire.units["br3"] == "hit 50, range 7, damages"
    assert fire.units["br3"] in rules.sheet(run.view("german"), "german", None, "br3").threats.values()


def test_4_2_1_nobody_gives_orders_to_the_units_of_another(duel):
    rules, run = duel
    sheet = rules.sheet(run.view("german"), "german", run.ask_of("german"), "br1")

    assert not sheet.own and sheet.choices == ()
    assert rules.sheet(run.view("public"), "public", None, "ge1").choices == ()
    assert rules.sheet(run.view("german"), "german", None, "nobody") is None


def test_4_2_1_the_sheet_of_an_enemy_is_the_same_whatever_his_counter_is():
    """4.2.1/secrecy: a face-down command does not change any figure on the sheet."""
    seen = set()
    for command in Command:
        state = a_state(a_vehicle("g1", "C4"), a_vehicle("s1", "C8", command=command))
        view = view_of(state, "german")
        seen.add(msgspec.json.encode(sheets.unit_sheet(Situation(a_data_set(), view), "german", None, "s1")))
    assert len(seen) == 1


def test_3_5_2_range_bands_follow_the_columns_of_the_gun_and_the_line_of_sight(duel):
    rules, run = duel
    sheet = rules.sheet(run.view("german"), "german", None, "ge4")
    seen = rules.sight(run.view("german"), "E4").seen

    assert sheet.band_names[sheet.bands["E3"]] == "point blank"
    assert set(sheet.bands) <= set(seen)
    assert max(sheet.bands.values()) == 3  # nothing is in sight at extreme range


def test_4_1_4_sight_says_why_a_line_is_blocked():
    board = a_board("1 .....\n2 .....", levels="1 .2...\n2 .2...", hill_edges="slope")
    found = sheets.sight(Situation(a_data_set(board), a_state()), "a1", "C1")

    assert (found.start, found.end, found.clear) == ("A1", "C1", False)
    assert found.why[0].startswith("4.1.4 ") and "C1" not in found.seen
    assert sheets.sight(Situation(a_data_set(board), a_state()), "Z99") is None


def test_r_02_units_to_be_set_up_are_offered_the_hexes_of_their_area():
    rules, run = at_the_first_ask("crossroads")
    ask = run.asks[0]
    sheet = rules.sheet(run.view(ask.seat), ask.seat, ask, "ge1")

    (place,) = sheet.choices
    assert place.line == "{hex}" and place.facing == 3 and "E7" in place.hexes
    assert sheet.at == "" and sheet.facts[0] == "not on the map"


def test_4_4_2_in_an_ask_within_the_turn_only_who_can_act_is_called():
    data = a_data_set()
    state = a_state(
        a_vehicle("g1", "C4", facing=4, command=Command.FIRE), a_vehicle("g2", "A1"), a_vehicle("s1", "C7")
    )
    state.spotted = {"g1": ["s1"]}
    ask = Ask("german", "fire", "4.4.1", about={"engaged": []})

    assert "g1" in forms.roll_call(Situation(data, state), ask)
    (choice,) = sheets.unit_sheet(Situation(data, state), "german", ask, "g1").choices
    assert list(choice.units) == ["s1"]
