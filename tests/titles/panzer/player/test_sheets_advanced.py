"""1.6 Sheets of the advanced game: a unit's properties, its possible orders, and its chances."""

from __future__ import annotations

import pytest
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.playing import begin

from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.text.sheets import Sheet
from pbem.titles.panzer.player.sheets import unit_sheet
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Unit

DATA = advanced_data()
COMMANDS = Ask("german", "commands", "4.2.1", grade="order")


def state(*units: Unit) -> PanzerState:
    enemy = a_tank("s1", "H5", "t34_76", side="soviet")
    return an_advanced_state(*units, enemy, sides=("german", "soviet"), available={"german": 3}, turn=1)


def sheet(*units: Unit, ask: Ask | None = COMMANDS, id: str = "g1") -> Sheet:
    found = unit_sheet(Situation(DATA, state(*units)), "german", ask, id)
    assert found is not None
    return found


def test_1_6_a_tank_shows_armour_by_angle_weapons_and_what_could_hit_it() -> None:
    found = sheet(a_tank("g1", "E5", facing=2))
    told = "\n".join(found.facts)
    assert "A-type" in told and "armour, level shot: ends TF" in told and "deck armour" in told
    assert "AP " in told and "penetration" in told and "GP defence" in told
    assert set(found.threats) == {"s1"} and "hit" in found.threats["s1"]
    assert found.bands["F5"] == 0


def test_5_1_a_squad_shows_gp_rows_defence_by_cover_and_its_transport() -> None:
    told = "\n".join(sheet(a_leg("g1", "E5", "german_rifle_squad", transport="g9")).facts)
    assert "squad, movement" in told and "none/light/medium/heavy cover" in told and "full cover +" in told
    assert "factors" in told and "its transport is g9" in told


def test_5_2_a_gun_shows_how_far_it_is_moved_by_hand() -> None:
    assert "moved by hand" in "\n".join(sheet(a_gun("g1", "E5", "pak38")).facts)


def test_4_2_1_every_command_is_offered_or_refused_with_reasons() -> None:
    choices = {choice.name: choice for choice in sheet(a_tank("g1", "E5", facing=2), a_tank("g2", "E6")).choices}
    assert set(choices["fire"].units) == {"s1"} and "of 10" in choices["fire"].units["s1"]
    assert choices["move"].hexes and choices["short-halt"].line == "short-halt {unit}, move {hex}"
    assert set(choices["share"].units) == {"g2"}
    blocked = {choice.name: choice for choice in sheet(a_tank("g1", "E5", track_hit=True)).choices}
    assert [why.rule for why in blocked["move"].against] == ["6.5.2.2.1"]


def test_6_6_7_a_passenger_is_told_where_to_get_off() -> None:
    carrier, squad = a_tank("g1", "E5", "spw251"), a_leg("g2", "E5", "german_rifle_squad", aboard="g1")
    choices = sheet(carrier, squad, id="g2").choices
    assert [choice.name for choice in choices] == ["dismount"] and choices[0].hexes


def test_a_sheet_of_an_enemy_offers_no_orders() -> None:
    found = sheet(a_tank("g1", "E5"), id="s1")
    assert not found.own and found.choices == ()


@pytest.mark.parametrize("scenario", ["desert", "delay"])
def test_every_line_of_a_sheet_is_read_as_an_order(scenario: str) -> None:
    """The lines of all choices, filled in with the values on offer, are accepted as orders."""
    match = begin(scenario)
    while match.run.asks[0].kind != "commands":
        match.go_on({ask.seat: ask.silence for ask in match.run.asks})
    ask = match.run.asks[0]
    view, choice, read = match.run.view(ask.seat), Choice("sheets"), 0
    for unit in match.rules.roll_call(view, ask):
        found = match.rules.sheet(view, ask.seat, ask, unit)
        assert found is not None
        for offer in found.choices:
            if not offer.line or offer.name.startswith(("share", "take", "drop")):
                continue
            line = offer.line.replace("{unit}", next(iter(offer.units), ""))
            line = line.replace("{hex}", choice.one_of(list(offer.hexes) or [""]))
            try:
                match.rules.read(view, ask, f"{unit} {line.strip()}\n")
            except Refusal as refusal:
                pytest.fail(f"{unit} {line}: {refusal}")
            read += 1
    assert read > 20
