"""6.6.7.2 Passengers fire at their own targets, together with their carrier."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, an_advanced_table
from titles.panzer.builders import run_step

from pbem.engine.rules.ask import Ask
from pbem.titles.panzer.decisions.all_kinds import from_plan
from pbem.titles.panzer.fire.declarations import check_fire
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.player.plan import read_plan
from pbem.titles.panzer.reading.reader import read_orders
from pbem.titles.panzer.state import Command

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"


def a_table():
    tank = a_tank("g1", "C3", "pz4h", command=Command.FIRE, facing=4)
    rider, other = a_leg("g2", "C3", SQUAD, aboard="g1"), a_leg("g3", "C4", SQUAD, command=Command.FIRE)
    enemies = a_tank("s1", "C7", "t34_76"), a_leg("s2", "C6", SOVIET)
    return an_advanced_table(tank, rider, other, *enemies, dice=[50] * 12, turn=1, available={"german": 9})


@pytest.mark.rule("6.6.7.2")
def test_6_6_7_2_a_rider_fires_at_its_own_target_as_ordered():
    table = a_table()
    ask = Ask("german", "commands", "4.2")
    submission = read_orders(table, ask, "g1 fire s1 ap\ng2 fire s2\ng3 fire s2")
    ask = Ask("german", "fire", "4.4.1", about={"engaged": [], "aimed": {}})
    reply = next(iter(from_plan(table, ask, read_plan(submission.plan))))
    declared = check_fire(table, ask, reply.answer)
    aimed = {firer[0]: firer[3] if len(firer) > 3 else declared["target"] for firer in declared["firers"]}
    assert aimed == {"g1": "s1", "g2": "s2", "g3": "s2"}
    played = run_step(table, direct_fire_step(table, "german"), {"fire": [declared, None]})
    assert_rule(played.findings, "6.6.7.2", inputs={"unit": "g2", "carrier": "g1"}, result=["gp"])
    assert table.state.vehicles["s2"].under_fire and table.state.vehicles["s1"].under_fire
