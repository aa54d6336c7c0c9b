"""A fight that a question interrupts is shown in the right order: the shot, then the loss."""

from __future__ import annotations

from pbem.engine.play.dice import Dice
from pbem.engine.rules.ask import Ask, Step
from pbem.engine.rules.findings import Finding, happenings_in
from pbem.engine.rules.happenings import Lose, Shot
from pbem.engine.rules.table import Table
from pbem.titles.panzer.state import PanzerState, Status
from pbem.titles.panzer.telling.watching import watch_step
from pbem.titles.panzer.title import Panzer

TITLE = Panzer()


def a_table() -> Table[PanzerState]:
    state = TITLE.rules(TITLE.freeze("duel", {})).setup(())
    return Table(state, Dice(bytes(32), bytes(32), "watching"))


def test_a_loss_waits_for_the_finding_of_its_shot() -> None:
    table = a_table()
    first, second = (unit for unit in list(table.state.vehicles.values())[::5][:2])
    assert first.side != second.side
    first.status = second.status = Status.ON_MAP
    first.hex = second.hex = next(unit.hex for unit in table.state.vehicles.values() if unit.hex is not None)

    def step(table: Table[PanzerState]) -> Step:
        table.find("3.4", inputs={"phase": "combat"})
        second.status, second.hex = Status.ELIMINATED, None
        yield Ask(first.side, "react", "4.4.2")
        roll = Finding("5.5", dice=(12,), inputs={"hit_number": 40})
        inputs = {"shooter": first.id, "firer": first.id, "target": second.id}
        table.find("5.5", inputs=inputs, result="ko", children=[roll])

    for _ in watch_step(step)(table):
        assert not [shown for shown in happenings_in(table.findings) if isinstance(shown, Lose)]
    shown = [one for one in happenings_in(table.findings) if isinstance(one, Shot | Lose)]
    assert [(type(one), one.who) for one in shown] == [(Shot, first.id), (Lose, second.id)]
    assert isinstance(shown[0], Shot) and shown[0].goal is not None
