"""4.4.3.2.2, 6.5.2.4 Fine distinctions in the explanation of AP fire that a faulty rule would miss."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_tank, advanced_data, an_advanced_state, both_editions
from titles.panzer.builders import a_hex

from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot, hit_modifiers
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Cloud, Command


def explained(edition: Any, **firer: Any) -> Any:
    """Return the modifiers of a Panzer's shot at a T-34, and a function that puts smoke between the two."""
    data = advanced_data(edition=edition)
    state = an_advanced_state(a_tank("g1", "C10", facing=1, **firer), a_tank("s1", "C5", "t34_76"))
    unit = state.vehicles["g1"]

    def told(*clouds: Cloud) -> Any:
        state.clouds = {cloud.id: cloud for cloud in clouds}
        return hit_modifiers(
            an_ap_shot(Situation(data, state), unit, weapons_of(data, unit)[0], "ap", state.vehicles["s1"])
        )

    return told


@both_editions("6.5.2.2.1/still-moving")
def test_6_5_2_2_1_only_a_track_hit_makes_a_short_halt_worth_a_word(edition: Any):
    told = explained(edition, command=Command.SHORT_HALT, track_hit=True, revealed=True)()
    rule = ledger_row(edition, "6.5.2.2.1/still-moving")
    assert_rule(told, rule, result="short-halt")
    whole = explained(edition, command=Command.SHORT_HALT, revealed=True)()
    assert rule not in [found.rule for found in every([whole])]


@pytest.mark.rule("4.4.3.2.2", effect=True)
@both_editions("6.5.2.4")
def test_6_5_2_4_a_clear_line_needs_no_list_of_hindrances(edition: Any):
    """5.11 is reported only if something hinders the line; the basic game's smoke modifier is not used here."""
    told = explained(edition, command=Command.FIRE)
    smoke = Cloud(id="c1", type="smoke", hexes=(a_hex("C7"),), fresh=False)
    clear, through = told(), told(smoke)
    assert_rule(clear, "6.5.2.4")
    assert "5.11" not in [found.rule for found in every([clear])]
    assert "5.11" in [found.rule for found in every([through])]
    assert "smoke" not in clear.inputs and "smoke" not in through.inputs
