"""Emails in a made-up language: a plain English word in one has bypassed the message layer."""

from __future__ import annotations

from pathlib import Path

from support.postbox import Pile, text_of
from support.pseudo import plain_lines, pseudo_translator
from support.seated import Table

from pbem.mail.outbound import compose
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches.rulings import powers

SETTINGS = Settings(domain="pbem.test", base_url="https://pbem.test")
MOST_PLAIN = 6
"""Lines that bypass the layer: reasons of deadlines and of the end of a match, which the log stores in English, and
notices to a game master. The number may only fall."""
NAMES = frozenset(
    {"pbem", "Ann", "Bob", "Max", "Ambush", "ambush", "tiny", "Tiny", "red", "blue", "Red", "Blue", "UTC", "Code"}
    | {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Mar", "hold", "unit", "None", "orders", "cards"}
)
"""Names of people, matches, seats, days and what the toy title says itself."""


def test_no_email_says_anything_but_messages(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(compose, "translator_for", lambda language: pseudo_translator())
    table, sent, plain = Table(tmp_path), [], {}

    def post() -> None:
        for _ in range(4):
            send_due(table.server, SETTINGS, Pile(sent), table.now)

    table.begin(48, master=True, grace=6)
    post()
    table.say("red", "r1 go2")
    table.word("blue", "extend 24 hours")
    table.word("red", "press blue: b1")
    post()
    table.wait(40)
    post()
    table.wait(80)
    post()
    powers.pause(table.server, table.match, days=2, why="b1", by=table.master)
    table.word("red", "dispute 1.1.1 (rule 4.2): b1")
    table.word("blue", "draw")
    post()
    table.word("red", "concede")
    table.wait(1)
    post()
    for mail in sent:
        for line in (mail["Subject"], *text_of(mail).splitlines()):
            for said in plain_lines(line, NAMES):
                plain[said] = mail["Subject"]

    assert len({mail["Subject"] for mail in sent}) > 6
    assert len(plain) <= MOST_PLAIN, "\n".join(f"{subject}: {line}" for line, subject in plain.items())
