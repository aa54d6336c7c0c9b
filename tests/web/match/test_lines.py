"""The page shows overruled play next to the valid line, and the dossier of a dispute, as far as each viewer may read
them."""

from __future__ import annotations

import pytest

from pbem.matches.accounts import accounts
from pbem.matches.audit import lines_of_play
from pbem.matches.exchange import submitting
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import powers, rulings


@pytest.fixture
def match(server, new_match):
    """Return a match in which red disputed exchange 2, which a ruling then reopened."""
    gm = accounts.open_account(server, "gm@example.org").id
    match = new_match(server, master=gm, cadence=48)
    names = {"red": "ann", "blue": "bob"}
    who = {seat: accounts.by_address(server, f"{name}@example.org").id for seat, name in names.items()}
    for seat, orders in (("red", "r1 ambush"), ("blue", "b1 hold")):
        submitting.submit(server, match, seat, 2, orders, by=who[seat], final=True, source="web")
    submitting.take(server, match, "red", 3, "dispute 1.0.1 (rule 4.2): b1 moved", by=who["red"], source="web")
    rulings.reopen(server, match, after=1, reason="a wrong hex", by=gm, dispute=1)
    powers.settle(server, match, number=1, answer="It did.", verdict="upheld", rule="4.2", by=gm)
    return match


def test_a_rewound_line_stays_viewable(ann, bob, server, match):
    listed = ann.get(f"/matches/{match}/lines").text
    [one] = [found for found in lines_of_play.overruled_results(record_of(server, match)) if found.exchange == 2]
    assert f"/matches/{match}/lines/{one.version}" in listed and "a wrong hex" in listed
    hers, his = (browser.get(f"/matches/{match}/lines/{one.version}").text for browser in (ann, bob))
    assert "This no longer counts" in hers
    assert "The overruled play" in his and "The play that counts" in his


def test_a_dossier_has_claim_rule_positions_dice_statements_and_ruling(ann, bob, match):
    hers = ann.get(f"/matches/{match}/disputes/1/dossier").text
    for part in ("b1 moved", "Rule 4.2", "Position before", "Position after", "Proof of the dice"):
        assert part in hers
    assert "<details open>" in hers, "what is disputed is unfolded on paper"
    assert "upheld</strong>: It did." in hers and "reopened, a wrong hex" in hers
    assert "b1 moved" not in bob.get(f"/matches/{match}/disputes/1/dossier").text, "the claim is for the game master"
    assert ann.get(f"/matches/{match}/disputes/9/dossier").status_code == 404


def test_a_precedent_is_shown_beside_the_same_rule_in_another_match(ann, server, new_match):
    gm = accounts.open_account(server, "gm@example.org").id
    matches = [new_match(server, master=gm, cadence=48) for _ in range(2)]
    who = {"red": "ann", "blue": "bob"}
    for match in matches:
        for seat, name in who.items():
            by = accounts.by_address(server, f"{name}@example.org").id
            submitting.submit(server, match, seat, 2, f"{seat[0]}1 ambush", by=by, final=True, source="web")
    assert "<dt>Precedent</dt>" not in ann.get(f"/matches/{matches[1]}/reports/2").text
    red = accounts.by_address(server, "ann@example.org").id
    submitting.take(server, matches[0], "red", 3, "dispute 1 (rule 1): wrong", by=red, source="web")
    powers.settle(server, matches[0], number=1, answer="Orders stand.", verdict="dismissed", rule="1", by=gm)
    shown = ann.get(f"/matches/{matches[1]}/reports/2").text
    assert "<dt>Precedent</dt>" in shown and "Orders stand." in shown and f"{matches[0]}/1" in shown


def test_what_if_is_for_the_game_master_and_marked_as_hypothetical(ann, browsers, server, new_match):
    gm = accounts.open_account(server, "gm@example.org").id
    match = new_match(server, master=gm, cadence=48)
    for seat, name, orders in (("red", "ann", "r1 go3"), ("blue", "bob", "b1 hold")):
        by = accounts.by_address(server, f"{name}@example.org").id
        submitting.submit(server, match, seat, 2, orders, by=by, final=True, source="web")
    assert ann.get(f"/matches/{match}/what-if/2").status_code == 403
    shown = browsers("gm").post(f"/matches/{match}/what-if/2", changes="r1 hex 1.3")
    assert "Hypothetical: r1 hex 1.3" in shown.text and "What would have happened instead" in shown.text
    assert record_of(server, match).events[-1].type == "master.looked", "the look is on record"
