"""A dispute walked from a mail to a precedent: claim, statement, ruling, decision, search; in a real browser."""

from __future__ import annotations

import pytest
from support.playing import NOON
from support.toy import AmbushTitle

from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import advancing, creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.post import reply_tokens
from pbem.matches.rulings import precedents
from pbem.web import create_app

pytestmark = pytest.mark.browser


@pytest.fixture
def server(tmp_path):
    return open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)


def test_a_dispute_goes_from_a_mail_to_a_precedent(server, serve, new_page):
    who = {
        name: accounts.open_account(server, f"{name}@example.org", name.title()).id for name in ("ann", "bob", "max")
    }
    match = creating.new_match(server, "ambush", "tiny", cadence=48, master=who["max"])
    for seat, name in (("red", "ann"), ("blue", "bob")):
        take_seat(server, match, seat, who[name])
    for seat, name in (("red", "ann"), ("blue", "bob")):
        submitting.take(server, match, seat, 2, f"{seat[0]}1 ambush\nfinal", by=who[name], source="mail")
    advancing.advance(server, match)
    # The mail of a player: the sentence as printed, the rule, the claim.
    submitting.take(server, match, "red", 3, "dispute 2.1 (rule 4.2): b1 moved", by=who["ann"], source="mail")
    site = serve(create_app(server, demo=True))

    bob = signed_in(new_page(), site, server, who["bob"])
    bob.goto(f"{site}/matches/{match}/disputes/1")
    bob.fill("#statement", "b1 held its fire")
    bob.click("text=Send it")
    bob.wait_for_selector("text=is on record")

    gm = signed_in(new_page(), site, server, who["max"])
    gm.goto(f"{site}/matches/{match}/disputes/1")
    assert "b1 moved" in gm.inner_text("main") and "b1 held its fire" in gm.inner_text("main")
    gm.goto(f"{site}/matches/{match}/master")
    correct_by_pointing(gm)
    gm.select_option("#verdict1", "dismissed")
    gm.fill("#answer1", "Holding is not moving.")
    gm.click('section:has(#answer1) button:text-is("Answer")')
    gm.wait_for_selector("text=The answer is given")

    ann = signed_in(new_page(), site, server, who["ann"])
    ann.goto(f"{site}/matches/{match}/disputes/1")
    assert "dismissed: Holding is not moving." in ann.inner_text("main")
    assert "corrected, it was seen" in ann.inner_text("main"), "the decision names the ruling"
    ann.click("text=Dossier for printing")
    ann.wait_for_selector("text=Proof of the dice")
    ann.goto(f"{site}/precedents")
    ann.fill("#rule", "4.2")
    ann.fill("#words", "holding")
    ann.click("text=Search")
    ann.wait_for_url("**words=holding*")
    ann.wait_for_selector("text=Holding is not moving.")
    assert [found.rule for found in precedents.search(server)] == ["4.2"]
    types = [event.type for event in record_of(server, match).events if event.type.startswith("dispute.")]
    assert types == ["dispute.opened", "dispute.heard", "dispute.settled"]
    assert verify_export(read_export(export(server, match, "public"))).ok


def correct_by_pointing(gm):
    """Point at a unit and its state, see what that changes, and make the ruling on the dispute."""
    gm.click('button:text-is("The whole position")')
    gm.wait_for_selector("#pointing")
    gm.select_option("#point-unit", label="r1 (units)")
    gm.select_option("#point-state", "shown")
    gm.fill("#point-value", "yes")
    gm.click("#point-add")
    assert gm.input_value("#changes") == "r1 shown yes"
    gm.select_option("#correct-dispute", "1")
    gm.fill("#correct-reason", "it was seen")
    gm.click("text=Show what it changes")
    gm.wait_for_selector("text=unit r1: shown no becomes yes >> nth=0")
    gm.click("text=Make this ruling")
    gm.wait_for_selector("text=The ruling is made")


def signed_in(page, site, server, account):
    page.goto(f"{site}/sign-in/{reply_tokens.make_sign_in(server, account)}")
    if page.query_selector("main form button"):
        page.click("main form button")
        page.wait_for_selector("text=You are signed in as")
    return page
