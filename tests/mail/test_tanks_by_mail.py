"""TANKS on the page and by email: options are chosen on the page, replies give places, goals and angles."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from support.playing import NOON
from support.postbox import Pile, text_of
from web.conftest import Browser

from pbem.mail.inbound.handle import drain
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.history.replay import all_matches, record_of
from pbem.matches.installation import open_server
from pbem.matches.post import inbox
from pbem.titles.registry import TITLES
from pbem.web import create_app

ANN, SETTINGS = "ann@example.org", Settings(domain="pbem.test")


@pytest.fixture
def server(tmp_path: Path) -> Any:
    drawn: Counter[str] = Counter()

    def entropy(label: str) -> bytes:
        """Return random-looking bytes that are the same in every run."""
        drawn[label] += 1
        return hashlib.sha256(f"{label}/{drawn[label]}".encode()).digest()

    server = open_server(tmp_path / "pbem.db", {"tanks": TITLES["tanks"]}, entropy=entropy, clock=lambda: NOON)
    yield server
    server.close()


@pytest.fixture
def say(server: Any) -> Callable[[str], str]:
    """Return a function that replies to the last email that asked for orders, and returns the text of the next
    email."""
    sent: list[EmailMessage] = []

    def reply(text: str) -> str:
        while send_due(server, SETTINGS, Pile(sent), server.store.clock()):
            pass
        asked = [mail for mail in sent if mail["Reply-To"]][-1]
        if text:
            mail = EmailMessage()
            mail["From"], mail["To"], mail["Message-ID"] = ANN, asked["Reply-To"], f"<{len(sent)}@example.org>"
            mail.set_content(text)
            inbox.receive(server, bytes(mail), sender=ANN, recipients=[str(asked["Reply-To"])])
            drain(server, SETTINGS, server.store.clock())
            while send_due(server, SETTINGS, Pile(sent), server.store.clock()):
                pass
        return text_of(sent[-1])

    return reply


def begun(server: Any, **options: Any) -> str:
    """Create a match against a bot on the page."""
    browser = Browser(create_app(server), accounts.open_account(server, ANN))
    form = {"play": "tanks/crossroads", "seat/alpha": "me", "seat/bravo": "bot", **options}
    answer = browser.post("/matches", **form)
    assert answer.status_code == 303, answer.text
    return str(answer.location.rsplit("/", 1)[1])


def test_T5_1_an_arrow_chosen_on_the_page_is_the_arrow_of_the_match(server: Any) -> None:
    match = begun(server, **{"option/arrow_mm": "120"})
    assert record_of(server, match).created.options == {"arrow_mm": 120}
    browser = Browser(create_app(server), accounts.open_account(server, ANN))
    refused = browser.post("/matches", **{"play": "tanks/crossroads", "option/arrow_mm": "many"})
    assert refused.status_code >= 400 and "arrow must be 50 to 200 mm" in refused.text
    assert len(list(all_matches(server))) == 1


def test_T3_3_T5_1_a_reply_hears_of_every_fault_at_once_and_says_goals_and_angles_in_its_own_way(
    server: Any, say: Callable[[str], str]
) -> None:
    begun(server)
    say("")
    form = say("defender south\nfinal")
    lines = "\n".join(re.findall(r"^    (a\d at .*)$", form, re.MULTILINE))
    told = say("a1 at 450 450\na2 at 450 450 face 400\nb1 at 100 100\na3 at 3 3")
    assert "4 of your 4 lines cannot be accepted" in told
    assert "(a1): the tank must be within one arrow of the" in told
    assert "(400): give a bearing in whole degrees from 0 to 360" in told
    assert "(b1): that tank belongs to bravo" in told
    told = say("a1 at 450 450\na2 at 455 450\na3 at 460 450")
    assert told.count("must be within one arrow") == 3 and "would overlap" in told
    offered = re.findall(r"^    (a\d at .* face \d+)$", told.partition("Please correct")[0], re.MULTILINE)
    assert len(offered) == 3
    assert "Nothing has changed" not in say("\n".join(offered)), "what is proposed is accepted, all of it together"
    say(f"{lines}\nfinal")
    told = say("a1: move 10.5\na2: move 400\na3: move toward nowhere")
    assert told.count("give a bearing in whole degrees from 0 to 360") == 2
    assert "(nowhere): no tank, piece of terrain or objective has that name" in told
    told = say("a1: move toward wood-1\na2: move north-east\na3: move n, n")
    assert "a1: move toward wood-1" in told and "a2: move 45" in told and "a3: move 0 then move 0" in told
    told = say("a1: move toward 45cm 30cm face left\na2: move 90 face 90\na3: stay")
    assert "a1: move toward 450 300 face left" in told and "a2: move 90" in told
    assert "Nothing has changed" not in told
