"""Emails are translated into a made-up language: plain English in one of them has bypassed the message layer."""

from __future__ import annotations

from pathlib import Path

from support.postbox import ALICE, Pile, Post, text_of
from support.pseudo import plain_lines, pseudo_translator
from support.seated import Table

from pbem.mail.outbound import compose
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches.rulings import powers

SETTINGS = Settings(domain="pbem.test", base_url="https://pbem.test")
MOST_PLAIN = 0
"""The number of lines that bypass the layer. It may only fall."""
NAMES = frozenset(
    {"pbem", "Ann", "Bob", "Max", "Ambush", "ambush", "tiny", "Tiny", "red", "blue", "Red", "Blue", "UTC", "Code"}
    | {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Mar", "hold", "unit", "None", "orders", "cards"}
)
"""Names of people, matches, seats and days, and the toy title's own words."""


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


COMMANDS = (
    *("matches", "matches desert", "new", "new ambush", "new ambush nowhere", "settings", "settings zone nowhere"),
    *("join nowhere", "help", "status", "map", "history 1", "extend 24 hours", "absent 1 May to 8 May", "present"),
    *("extend some", "r1 fly", "r1 go2", "final", "cancel", "press blue: b1", "mute blue", "draw", "trial: ambush"),
)


def test_no_answer_to_a_command_says_anything_but_messages(post: Post, monkeypatch):
    monkeypatch.setattr(compose, "translator_for", lambda language: pseudo_translator())
    match = post.begin()
    asked = next(mail for mail in reversed(post.of(ALICE)) if "+" in mail["Reply-To"])
    before = len(post.of(ALICE))
    for line in COMMANDS:
        post.reply(ALICE, line, to=asked)
        post.tick()
    plain = {
        said: mail["Subject"]
        for mail in post.of(ALICE)[before:]
        for line in (mail["Subject"], *text_of(mail).splitlines())
        for said in plain_lines(line, NAMES | PEOPLE | {match})
    }

    assert len(post.of(ALICE)) > 15
    assert len(plain) <= MOST_PLAIN_ANSWERS, "\n".join(f"{subject}: {line}" for line, subject in plain.items())


MOST_PLAIN_ANSWERS = 2
"""Lines of answers that bypass the layer: two refusals of the toy. The number may only fall."""
PEOPLE = frozenset(
    {"Alice", "alice", "Bob", "bob", "The", "Pass", "desert", "Small", "Close", "small", "close"}
    | {"turn", "mine", "digest", "none", "Ambush", "Tiny", "Red"}
)
"""Names of people, matches and scenarios, and the choices of a setting."""
