"""Every line of the order language is refused with a reason, or read and restated word for word."""

from __future__ import annotations

import pytest
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.engine.rules.refusals import Refusal
from pbem.titles.aslsk.movement.first_fire_window import Window
from pbem.titles.aslsk.player.exchanges import Defence, TurnOrders
from pbem.titles.aslsk.view import view_of

PZ4, T34 = "german-pz4h", "russian-t34-85"
UNITS = {
    "gs1": ("467", "E4"), "gs2": ("467", "E5"), "gl1": ("g 9-1", "E4"), "gc1": ("228", "E4"), "gs5": ("467", "F4"),
    "rs1": ("447", "E6"), "rl1": ("r 8-1", "E6"),
}  # fmt: skip
WEAPONS = {
    "gw1": ("german-mmg", "gs1"), "gg1": ("german-50l-at", "gc1"), "gm1": ("german-mortar", "gs2"),
    "gp1": ("german-psk", "gs2"), "gd1": ("german-dc", "gs5"),
}  # fmt: skip


def decision(kind, attacker):
    tanks = {"gt1": (PZ4, "D5", 1), "rt1": (T34, "E8", 1)}
    table = a_table(UNITS, weapons=WEAPONS, facings={"gg1": 1}, vehicles=tanks,
                    phase="rally", attacker=attacker, ground=a_ground({"wooden": "E6"}), date="1944-08")  # fmt: skip
    return kind(table.data, view_of(table.state, GERMAN), kind.make_ask(GERMAN))


def objections(asked, line):
    """The rules of the objections to a line; an accepted line must be restated as it was written."""
    try:
        orders = asked.decode(asked.read_text(line).answer)
    except Refusal as refusal:
        return {one.rule for one in refusal.objections}
    found = {one.rule for one in asked.objections(orders)}
    if not found:
        assert list(asked.sentence(orders)) == [line]
    return found


MINE = {
    "gs1 fire at E6": "", "gs1 fire at E6 if unbroken": "", "gs1 fire at E6 ap": "6.2", "gp1 fire at E6 he": "4.4",
    "gm1 fire at E6 apcr": "6.9", "gw1 fire against rt1 ap": "6.2", "gt1cmg fire at E6 area": "3.2.4/att",
    "gw1 fire against rt1 pf": "4.4.2", "gs1 fire against rt1 pf": "", "gg1 fire against rt1 anyway": "11/orders",
    "gg1 fire against rt1 with gl1": "3.2.2/leader-direction", "gt1ma fire at E6 with gl1": "3.2.2/leader-direction",
    "gw1 fire at E6 once": "", "gs1 fire at E6 once": "1.2.4.1", "gg1 fire at E6 backblast": "4.4.3",
    "gs1 move F4": "", "gs1 move cover F4": "", "gs1 move whole F4": "3.3.2", "gs1 move F4 for 2": "3.3.2",
    "gs1 gs1 move F4": "3.3.1/declaration", "gt1 move cover E5": "1.1.1.5", "gt1 move whole E5 for 2": "",
    "gt1 move fire gt1ma against rt1 ap": "", "gt1 move fire gt1cmg at E6 ap": "6.2",
    "gt1 move fire rt1ma at E6": "3.3.2.2", "gt1 move fire gt1ma at E6 intensive": "11/orders",
    "rally gt1": "3.1", "no rally gt1": "3.1", "self rally gt1": "3.1", "keep dm gt1": "3.1",
    "gt1 recover gw1": "3.1", "gs1 recover gt1ma": "4.0", "give gt1ma to gs1": "4.0", "give gw1 to gs2": "",
    "self rally gl1": "3.1/e-self-rally", "self rally gs1": "",
    "gg1 face E6": "", "rt1ma face E6": "3.2.4/covered-arc", "detonate gd1": "", "detonate gw1": "4.3/detonation",
    "gt1 rout E3": "3.6", "gs1 rout E3 with gl1": "", "gs1 rout E3 with gs2": "3.6/leader-rout",
    "gt1 advance E5": "3.7", "combat E6 gt1cmg against rs1": "", "combat E6 gs1 against gs2": "3.8/attacks",
    "combat E6 gs1 sn": "3.8/close-defence", "no interdiction rt1ma": "3.6/interdiction",
    "stack gl1 with gs1": "", "stack gl1 alone": "", "stack gl1 with gt1": "3.8/sequence-infantry",
}  # fmt: skip
THEIRS = {
    "gs1 watch F5": "", "gs1 watch ap": "6.2", "gg1 watch ap": "", "gs1 watch with gs2": "3.2.2/leader-direction",
    "gw1 watch pf": "4.4.2", "gs1 watch no acquisition": "6.10", "gs1 watch vehicles infantry": "3.3.3",
    "hold rs1 until 3": "3.3.3", "keep 0 of gs1": "3.3.3", "motion gs1": "3.3.2.1", "motion gt1 face 9": "3.3.2.1",
    "reaction gt1": "3.3.4", "gg1 face E6": "", "later gs1 fire at E6": "", "destroy gw1": "",
    "keep 3 of gs1 gs2": "3.3.3", "keep 2 of gs1 gs2": "", "self rally gs1": "3.1/e-self-rally",
    "gs5 watch hit 50": "3.2.4", "gs5 watch kill 50": "3.2.4", "gs1 watch kill 5": "", "gg1 watch hit 50": "",
    "sff gg1": "4.4", "fpf gm1": "4.4", "sff gw1": "3.3.3/sff", "sff gs1": "",
}  # fmt: skip


@pytest.mark.parametrize(("line", "rule"), MINE.items())
def test_a_line_of_the_attacker_is_refused_or_restated(line, rule):
    assert objections(decision(TurnOrders, GERMAN), line) == ({rule} if rule else set())


@pytest.mark.parametrize(("line", "rule"), THEIRS.items())
def test_a_line_of_the_defender_is_refused_or_restated(line, rule):
    assert objections(decision(Defence, RUSSIAN), line) == ({rule} if rule else set())


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("gs1 fire at E6", ""),
        ("gw1 fire at E6 once", ""),
        ("gg1 fire at E6 no acquisition", ""),
        ("gs1 fire at E6 once", "1.2.4.1"),
        ("gs1 fire at E6 no acquisition", "6.10"),
        ("gs1 fire at E6 backblast", "4.4.3"),
        ("gs1 fire at E6 ap", "6.2"),
        ("gs1 fire at E6 anyway", "11/orders"),
        ("gg1 fire at E6 with gl1", "3.2.2/leader-direction"),
    ],
)
def test_a_line_in_a_window_is_refused_or_restated(line, rule):
    table = a_table(UNITS, weapons=WEAPONS, facings={"gg1": 1}, phase="movement", attacker=RUSSIAN)
    moving_in(table, ["rs1"])
    ask = Window.make_ask(GERMAN, about={"at": "E6", "units": ["rs1"]})
    assert objections(Window(table.data, view_of(table.state, GERMAN), ask), line) == ({rule} if rule else set())
