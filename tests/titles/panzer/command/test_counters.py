"""3.4, 4.2 Placing and revealing counters."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state

from pbem.engine.play.run import NoChance
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.landing import show_counter
from pbem.titles.panzer.command.commands import fire_objections, placed_command
from pbem.titles.panzer.fire.direct_fire import reveal
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Unit

DATA = advanced_data()


def halves(found: object) -> list[str]:
    return [str(finding.result) for finding in every(found) if finding.rule == "3.4"]


def revealed(*units: Unit) -> list[object]:
    table: Table[PanzerState] = Table(an_advanced_state(*units), NoChance(), DATA)
    return list(reveal(table, [table.state.vehicles[units[0].id]]))


def shown(unit: Unit) -> Finding:
    table: Table[PanzerState] = Table(an_advanced_state(unit), NoChance(), DATA)
    return show_counter(table, unit)


@pytest.mark.rule("3.4", "4.2.1/secrecy")
@pytest.mark.parametrize("command", [Command.FIRE, Command.SHORT_HALT])
def test_3_4_only_a_short_halt_has_a_half_that_points_forward(command: Command) -> None:
    found = shown(a_tank("g1", "C5", command=command))
    assert_rule(found, "4.2.1/secrecy", inputs={"unit": "g1", "command": command.value}, result="revealed")
    turned = revealed(a_tank("g1", "C5", command=command))
    wanted = ["fire-half"] if command is Command.SHORT_HALT else []
    assert halves(found) == halves(turned) == wanted
    assert_rule(shown(a_tank("g1", "C5", command=Command.SHORT_HALT)), "3.4", result="fire-half")


@pytest.mark.rule("4.2.1/secrecy")
def test_4_2_1_a_counter_that_is_turned_up_names_those_who_share_it() -> None:
    alone = revealed(a_tank("g1", "C5", command=Command.FIRE))
    assert "shared" not in assert_rule(alone, "4.2.1/secrecy", inputs={"unit": "g1"}).inputs
    pair = revealed(a_tank("g1", "C5", command=Command.FIRE), a_tank("g2", "C6", command=Command.FIRE, shares="g1"))
    assert_rule(pair, "4.2.1/secrecy", inputs={"unit": "g1", "shared": ["g1", "g2"]})


@pytest.mark.rule("4.2", "4.2/no-command", "6.2.1.1.3/nc-commands", effect=True)
@pytest.mark.rule("4.2/move", "4.2/fire", "4.2/overwatch", "4.2/short-halt")
def test_4_2_a_counter_is_told_under_its_own_command() -> None:
    for command in (Command.MOVE, Command.FIRE, Command.OVERWATCH, Command.SHORT_HALT):
        found = placed_command(DATA, a_tank("g1", "C5", command=command))
        assert found.to == ("german",)
        assert_rule(found, f"4.2/{command.value}", inputs={"unit": "g1"}, result=command.value)


@pytest.mark.rule("6.2.1.1.3/nc-commands", editions=("2024",))
def test_6_2_1_1_3_no_command_is_free_under_command_control() -> None:
    unit = a_tank("g1", "C5", command=Command.NO_COMMAND)
    assert_rule(placed_command(DATA, unit), "6.2.1.1.3/nc-commands", result="no-command")
    loose = advanced_data(rules=())
    assert placed_command(loose, unit).rule == "4.2/no-command"


@pytest.mark.rule("4.2/short-halt", "4.2.1/impossible")
def test_4_2_1_what_keeps_a_unit_from_a_command_to_fire() -> None:
    """A truck has no weapon; a squad has a weapon without an AP row, and has no target in sight."""
    truck = next(id for id, card in sorted(DATA.book.vehicles.items()) if not card.mounts)
    view = an_advanced_state(a_tank("g1", "C5", truck), a_leg("g2", "C6", "german_rifle_squad"))
    unarmed = list(fire_objections(Situation(DATA, view), view.vehicles["g1"], Command.SHORT_HALT))
    assert_rule(unarmed, "4.2/short-halt", why="the unit is unarmed")
    [squad] = fire_objections(Situation(DATA, view), view.vehicles["g2"], Command.SHORT_HALT)
    assert_rule([squad], "4.2.1/impossible")
