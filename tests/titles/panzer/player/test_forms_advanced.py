"""4.2.1, 6.2 Order forms of the advanced game: short, complete, and legal without editing."""

from __future__ import annotations

import pytest
from titles.panzer.asking import CHECKS, answer_form
from titles.panzer.player.test_orders_advanced import ASK, a_field
from titles.panzer.playing import begin

from pbem.engine.rules.ask import Ask
from pbem.engine.text.forms import form_text
from pbem.titles.panzer.command.command_control import commandable
from pbem.titles.panzer.command.commands import legal_commands
from pbem.titles.panzer.player.forms import command_form, roll_call
from pbem.titles.panzer.player.standing_orders import HELP
from pbem.titles.panzer.reading.reader import read_orders
from pbem.titles.panzer.reading.remarks import WIDTH
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import WORD_OF


def test_6_2_the_form_names_each_unit_its_commands_its_targets_and_who_could_share() -> None:
    data, view = a_field()
    form = form_text(command_form(Situation(data, view), "german"), WIDTH)
    assert "# 6 commands this turn" in form
    assert "# together g1 g2: …" in form
    assert "#   at s1" in form or "# at s1" in form
    assert "# carries g5 Rifle-2" in form
    assert "call gb1 at" in form
    held = read_orders(Situation(data, view), ASK, form).answer
    assert held == {unit.id: "no-command" for unit in commandable(view, "german")}
    for unit in commandable(view, "german"):
        for command in legal_commands(Situation(data, view), unit):
            assert WORD_OF[command] in form


def test_5_16_1_the_form_shows_how_a_target_is_fired_at_and_the_chance() -> None:
    data, view = a_field()
    form = form_text(command_form(Situation(data, view), "german"), WIDTH)
    line = next(line for line in form.splitlines() if line.startswith("# at s1"))
    assert line.split()[3] == "ap" and int(line.split()[4].rstrip(",")) > 0


def test_a_form_for_eighty_units_a_side_is_readable_on_a_telephone() -> None:
    """For a battalion, no line is wider than forty characters, and units of one kind share their comments."""
    match = begin("combined", "2024", "1")
    while match.run.asks[0].kind != "commands":
        match.go_on({ask.seat: ask.silence for ask in match.run.asks})
    for ask in match.run.asks:
        view = match.run.view(ask.seat)
        form = match.rules.form(view, ask)
        assert all(len(line) <= WIDTH for line in form.splitlines() if " call " not in line and " fly " not in line)
        units = match.rules.roll_call(view, ask)
        assert len(form.splitlines()) <= 3 * len(units)
        assert match.rules.check(view, ask, match.rules.read(view, ask, form).answer) == dict.fromkeys(
            units, "no-command"
        )


def test_the_help_fits_on_a_telephone() -> None:
    assert all(len(line) <= WIDTH for line in str(HELP).splitlines())


@pytest.mark.parametrize("kind", ["mission", "assault", "adjust", "move", "overwatch"])
def test_an_answer_form_says_what_is_asked_and_ends_with_the_default(kind: str) -> None:
    data, view = a_field()
    about = {"targets": ["s1"], "phase": "combat"} if kind == "overwatch" else {}
    ask = Ask("german", kind, "6.0", about=about, default={} if kind == "adjust" else None)
    form = answer_form(data, view, ask)
    assert form.startswith(f"# Turn 1, german: {kind} (6.0)")
    assert form.splitlines()[-1] == "done"


def test_4_2_1_the_roll_call_names_those_who_may_be_told_something() -> None:
    data, view = a_field()
    assert list(roll_call(Situation(data, view), ASK)) == ["g1", "g2", "g3", "g4", "g6", "g7", "g8"]
    assert set(roll_call(Situation(data, view), Ask("german", "mission", "6.5.1"))) == {
        f"g{number}" for number in range(1, 9)
    }
    assert {"fire", "move"} <= set(CHECKS)
