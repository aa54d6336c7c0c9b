"""6.5.1.12, 7.1.1 Standing orders and scenario entries that used to be ignored; each affects play."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.combinations.turns import Fixed, Turn, a_turn
from titles.panzer.editions.pairs import FREE

from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.table import Table
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.cards.files import packaged
from pbem.titles.panzer.command.morale import prepare_cohesion
from pbem.titles.panzer.data_set import advanced_data_set
from pbem.titles.panzer.freezing import freeze
from pbem.titles.panzer.state import Battery


def a_stray_shell(edition: Edition, *standing: str) -> Turn:
    """German fire strays onto two tanks in one hex; the observer is unarmoured."""
    units = (
        a_leg("g1", "C9", "german_section", labels=("fo",)),
        a_tank("g2", "C6", "pz4h"),
        a_tank("g3", "C6", "pz4h"),
        a_tank("g4", "D6", "opel"),
    )
    battery = Battery(id="gb1", name="gb1", side="german", card="german_medium", formation="german")
    state = an_advanced_state(*units, a_tank("s1", "C5"), batteries={"gb1": battery})
    return a_turn(
        advanced_data(edition=edition, rules=FREE), state, {"6.5.1.12": 1}, {"soviet": standing},
        german="g1 overwatch\ng1 call gb1 at C5 closed\ng2 hold\ng3 hold\ng4 hold",
    )  # fmt: skip


def chosen(turn: Turn) -> Any:
    return next(one.result for one in turn.of("pbem/answered") if one.inputs["kind"] == "danger")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("clause", "unit"), [("danger: worst", "g2"), ("danger: weakest", "g1")])
def test_6_5_1_12_the_word_of_the_clause_chooses_where_a_stray_shell_falls(
    edition: Edition, clause: str, unit: str
) -> None:
    assert chosen(a_stray_shell(edition, clause)) == unit


def test_6_5_1_12_a_word_without_a_meaning_is_refused_before_the_turn() -> None:
    with pytest.raises(Refusal) as refusal:
        a_stray_shell("2024", "danger: best")
    for instead in refusal.value.instead:
        assert chosen(a_stray_shell("2024", instead)) in ("g1", "g2")


@pytest.mark.rule("7.1.1", editions=("2016",))
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("printed", "points"), [('cohesion = 7\nlevel = "Excellent"', 7), ('cohesion = 3\nlevel = "Excellent"', 3)]
)
def test_7_1_1_a_scenario_prints_level_and_points_together(edition: str, printed: str, points: int) -> None:
    """Scenario 1 of the 2016 book has "Excellent, CP 7". The printed number is used, and no roll is made."""
    text = packaged("scenarios/collision.toml").decode()
    text = text.replace('id = "pz"\n', f'id = "pz"\n{printed}\n', 1)
    text = text.replace("[advanced]\n", '[advanced]\nrules = ["morale"]\n', 1)
    data = advanced_data_set({**freeze("collision", {"edition": edition}), "scenario": text.encode()})
    table = Table(PanzerRules(data).setup(()), Fixed({}), data)
    prepare_cohesion(table)
    assert_rule(table.findings, "7.1.1", inputs={"formation": "pz", "level": "Excellent"}, result=points, dice=())
