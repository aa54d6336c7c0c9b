"""Overruled play beside what counts, and the dossier of a dispute: what each viewer may read, and nothing more."""

from __future__ import annotations

import pytest

from pbem.matches.accounts import accounts
from pbem.matches.audit import lines_of_play
from pbem.matches.exchange import submitting
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import powers, rulings


@pytest.fixture
def match(server, new_match):
    """Exchange 2 was disputed by red, and reopened by a ruling on the dispute."""
    gm = accounts.open_account(server, "gm@example.org").id
    match = new_match(server, master=gm, cadence=48)
    names = {"red": "ann", "blue": "bob"}
    who = {seat: accounts.by_address(server, f"{name}@example.org").id for seat, name in names.items()}
    for seat, orders in (("red", "r1 ambush"), ("blue", "b1 hold")):
        submitting.submit(server, match, seat, 2, orders, by=who[seat], final=True, source="web")
    submitting.take(server, match, "red", 3, "dispute 2.1 (rule 4.2): b1 moved", by=who["red"], source="web")
    rulings.reopen(server, match, after=1, reason="a wrong hex", by=gm, dispute=1)
    powers.settle(server, match, number=1, answer="It did.", verdict="upheld", rule="4.2", by=gm)
    return match


def test_a_rewound_line_stays_viewable(ann, bob, server, match):
    listed = ann.get(f"/matches/{match}/lines").text
    [one] = [found for found in lines_of_play.overruled(record_of(server, match)) if found.exchange == 2]
    assert f"/matches/{match}/lines/{one.version}" in listed and "a wrong hex" in listed
    hers, his = (browser.get(f"/matches/{match}/lines/{one.version}").text for browser in (ann, bob))
    assert "This no longer counts" in hers
    assert "What was overruled" in his and "What counts" in his


def test_a_dossier_has_claim_rule_positions_dice_statements_and_ruling(ann, bob, match):
    hers = ann.get(f"/matches/{match}/disputes/1/dossier").text
    for part in ("b1 moved", "Rule 4.2", "Position before exchange 2", "Position after", "Proof of the dice"):
        assert part in hers
    assert "upheld</strong>: It did." in hers and "reopened, a wrong hex" in hers
    assert "b1 moved" not in bob.get(f"/matches/{match}/disputes/1/dossier").text, "the claim is for the game master"
    assert ann.get(f"/matches/{match}/disputes/9/dossier").status_code == 404
