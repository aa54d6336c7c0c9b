"""The director of a tournament appoints judges for disputes, and auditors; the log records both, and verifies."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.hall import Hall

from pbem.engine.rules.refusals import Refusal
from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import submitting
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import auditors, disputes, panels, powers
from pbem.tournaments import director


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def disputed(hall: Hall) -> str:
    hall.open(2, rounds=1, timing={"hours": 24})
    hall.round()
    match = hall.match(1)
    for seat, taken in sorted(record_of(hall.server, match).occupants.items()):
        submitting.take(hall.server, match, seat, 2, f"{seat[0]}1 hold\nfinal", by=taken["account"], source="web")
    red = record_of(hall.server, match).occupants["red"]["account"]
    submitting.take(hall.server, match, "red", 3, "dispute 1 (rule 4.2): wrong", by=red, source="web")
    return match


def test_the_director_appoints_the_panel_of_a_dispute(hall: Hall) -> None:
    match = disputed(hall)
    judge = accounts.open_account(hall.server, "judge@example.org", "Judge").id
    player = record_of(hall.server, match).occupants["red"]["account"]
    with pytest.raises(Refusal, match="director"):
        director.appoint_panel(hall.server, hall.id, match, 1, [judge], by=player)
    with pytest.raises(Refusal, match="plays in this match"):
        director.appoint_panel(hall.server, hall.id, match, 1, [player], by=hall.max)
    director.appoint_panel(hall.server, hall.id, match, 1, [judge], by=hall.max)
    assert panels.vote(hall.server, match, 1, "upheld", "It was blocked.", by=judge)
    [found] = disputes.disputes(record_of(hall.server, match))
    assert found.verdict == "upheld"
    assert verify_export(read_export(export(hall.server, match, "public"))).ok


def test_the_director_appoints_an_auditor(hall: Hall) -> None:
    match = disputed(hall)
    eve = accounts.open_account(hall.server, "eve@example.org", "Eve").id
    with pytest.raises(Refusal):
        director.appoint_auditor(hall.server, hall.id, match, eve, by=eve)
    director.appoint_auditor(hall.server, hall.id, match, eve, by=hall.max)
    assert auditors.is_auditor(record_of(hall.server, match), eve)
    powers.everything(hall.server, match, by=eve)
    assert verify_export(read_export(export(hall.server, match, "public"))).ok
