"""A dispute sent by email becomes a precedent: claim, hearing, ruling, appeal, and the same rule in another match.

Everything that a person can do by email is done by email here, over SMTP; the pages are opened in a real browser.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.postbox import ALICE, BOB, Post, text_of

from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import record_of
from pbem.matches.post import reply_tokens
from pbem.matches.rulings import precedents
from pbem.web import create_app

pytestmark = pytest.mark.browser

MAX = "max@example.org"


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    post = Post(tmp_path)
    post.door.start()
    for address, name in ((ALICE, "Alice"), (BOB, "Bob"), (MAX, "Max")):
        accounts.open_account(post.server, address, name)
    yield post
    post.door.stop()
    post.server.close()


def begin(post: Post) -> str:
    """Start a match between Alice and Bob with Max as game master, and play its first turn by email."""
    match = creating.new_match(post.server, "ambush", "tiny", cadence=48, master=post.account(MAX).id)
    for seat, address in (("red", ALICE), ("blue", BOB)):
        take_seat(post.server, match, seat, post.account(address).id)
    post.tick()
    for address, unit in ((ALICE, "r1"), (BOB, "b1")):
        post.reply(address, f"{unit} ambush\nfinal")
        post.tick()
    return match


def say(post: Post, address: str, text: str) -> None:
    """Reply to the last email over SMTP, and let the server process the reply."""
    post.reply(address, text)
    post.tick()


def test_a_dispute_goes_from_a_mail_to_a_precedent(post: Post, serve: Any, new_page: Any) -> None:
    match = begin(post)
    site = serve(create_app(post.server, demo=True))
    say(post, ALICE, "dispute 1.0.1 (rule 3): b1 moved")
    assert "b1 moved" in text_of(post.last(MAX))
    say(post, BOB, "statement 1: b1 held its fire")

    gm = signed_in(new_page(), site, post, MAX)
    gm.goto(f"{site}/matches/{match}/disputes/1")
    assert "b1 moved" in gm.inner_text("main") and "b1 held its fire" in gm.inner_text("main")
    gm.goto(f"{site}/matches/{match}/master")
    correct_by_pointing(gm)
    post.tick()
    say(post, MAX, "rule 1: upheld: holding is moving.")
    assert "upheld" in text_of(post.last(ALICE)) and "appeal 1:" in text_of(post.last(BOB))
    say(post, BOB, "appeal 1: holding is the opposite")
    assert "holding is the opposite" in text_of(post.last(MAX))
    say(post, MAX, "rule 1: dismissed: Holding is not moving.")

    ann = signed_in(new_page(), site, post, ALICE)
    ann.goto(f"{site}/matches/{match}/disputes/1")
    told = ann.inner_text("main")
    assert "dismissed: Holding is not moving." in told and "holding is moving." in told
    assert "corrected, it was seen" in told, "the decision names the ruling"
    ann.click("text=Dossier for printing")
    ann.wait_for_selector("text=Proof of the dice")
    ann.goto(f"{site}/precedents")
    ann.fill("#rule", "3")
    ann.fill("#words", "holding")
    ann.click("text=Search")
    ann.wait_for_url("**words=holding*")
    ann.wait_for_selector("text=Holding is not moving.")
    assert [found.rule for found in precedents.search(post.server)] == ["3"]
    types = [event.type for event in record_of(post.server, match).events if event.type.startswith("dispute.")]
    opened, heard, settled, appealed = (f"dispute.{word}" for word in ("opened", "heard", "settled", "appealed"))
    assert types == [opened, heard, settled, appealed, settled]
    assert verify_export(read_export(export(post.server, match, "public"))).ok
    same_rule_elsewhere(post, site, ann, gm, f"{match}/1")


def same_rule_elsewhere(post: Post, site: str, ann: Any, gm: Any, precedent: str) -> None:
    """Check that another match shows the precedent at its rule and in its dispute, and that its game master can
    depart from it."""
    match = begin(post)
    ann.goto(f"{site}/matches/{match}/reports/2")
    beside = ann.locator("details", has_text="Holding is not moving.").first
    beside.evaluate("one => one.open = true")
    assert "Holding is not moving." in beside.inner_text()
    say(post, ALICE, "dispute 1.0.1 (rule 3): it moved again")
    ann.goto(f"{site}/matches/{match}/disputes/1")
    assert "Holding is not moving." in ann.inner_text("main"), "the sheet of the open dispute shows it"
    gm.goto(f"{site}/matches/{match}/master")
    gm.select_option("#verdict1", "upheld")
    gm.fill("#answer1", "Here it moved.")
    gm.fill("#departs1", precedent)
    gm.click('section:has(#answer1) button:text-is("Answer")')
    gm.wait_for_selector("text=say why you depart from this precedent")
    gm.fill("#grounds1", "b1 left its hex")
    gm.click('section:has(#answer1) button:text-is("Answer")')
    gm.wait_for_selector("text=Your answer has been recorded")
    ann.reload()
    told = ann.inner_text("main")
    assert f"The decision departs from {precedent}" in told and "b1 left its hex" in told


def correct_by_pointing(gm: Any) -> None:
    """Select a unit and one of its states, preview the effect, and make the ruling on the dispute."""
    gm.click('button:text-is("The whole position")')
    gm.wait_for_selector("#pointing")
    gm.select_option("#point-unit", label="r1 (units)")
    gm.select_option("#point-state", "shown")
    gm.fill("#point-value", "yes")
    gm.click("#point-add")
    assert gm.input_value("#changes") == "r1 shown yes"
    gm.select_option("#correct-dispute", "1")
    gm.fill("#correct-reason", "it was seen")
    gm.click("text=Show the effect")
    gm.wait_for_selector("text=unit r1: shown no becomes yes >> nth=0")
    gm.click("text=Make this ruling")
    gm.wait_for_selector("text=The ruling has been made")


def signed_in(page: Any, site: str, post: Post, address: str) -> Any:
    account = post.account(address)
    page.goto(f"{site}/sign-in/{reply_tokens.make_sign_in(post.server, account.id)}")
    if page.query_selector("main form button"):
        page.click("main form button")
        page.wait_for_selector("text=You are signed in as")
    return page
