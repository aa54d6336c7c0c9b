"""§15 The work for every email is bounded, counted here in calls and answers and never in seconds."""

from __future__ import annotations

import base64
import quopri
import random
from collections.abc import Iterator

import pytest
from support.postbox import ALICE, BOB, Post, text_of
from support.toy import AmbushTitle

from pbem.engine.play.run import Run
from pbem.engine.rules.refusals import Refusal
from pbem.mail.inbound import listeners
from pbem.mail.inbound import message as reading
from pbem.mail.inbound.handle import drain
from pbem.matches.exchange import submitting
from pbem.matches.history.replay import all_matches, record_of
from pbem.matches.players import work
from pbem.matches.players.sizes import LONGEST_LINE, MOST_LINES, MOST_TEXT
from pbem.matches.post import inbox, reply_tokens
from pbem.titles.registry import TITLES
from pbem.tools.soak.hostile_mail import (
    MOST_ANSWER,
    MOST_CALLS,
    MOST_MEMORY,
    WORDS,
    Profile,
    hostile,
    plain,
    soak_hostile,
)

STRANGER = "stranger@example.com"


@pytest.fixture
def begun(post: Post) -> Iterator[Post]:
    post.begin()
    post.sent.clear()
    yield post


def deliver(post: Post, sender: str, to: str, content: bytes) -> Profile:
    """Store an email as a listener would, then read it; return how many calls that took."""
    post.count += 1
    head = f"From: {sender}\r\nTo: {to}\r\nSubject: Re: orders\r\nMessage-ID: <{post.count}@example.org>\r\n"
    with Profile() as work:
        listeners.deliver(post.server, head.encode() + content, refuse=False, sender=sender, recipients=[to])
        drain(post.server, post.settings, post.now)
    return work


def address_of(post: Post, seat: str) -> str:
    match = all_matches(post.server)[0]
    record = record_of(post.server, match)
    place = {"match": match, "seat": seat, "occupancy": record.occupants[seat]["occupancy"]}
    return post.settings.address(reply_tokens.make(post.server, use="orders", number=record.open_exchange, **place))


@pytest.mark.parametrize("name", hostile())
def test_a_mail_made_to_cost_is_read_with_bounded_work_and_answered_with_a_short_mail(begun: Post, name: str) -> None:
    """An email designed to be expensive seals no orders and gets a short answer, from a player as well as from a
    stranger."""
    content = hostile()[name]
    before = record_of(begun.server, all_matches(begun.server)[0]).version
    for sender, to in (
        (ALICE, address_of(begun, "red")),
        (STRANGER, "orders@pbem.test"),
        (ALICE, "orders@pbem.test"),
    ):
        work = deliver(begun, sender, to, content)
        assert work.calls < MOST_CALLS // 10, (name, sender, to)  # the toy's rules are small
        assert work.memory < MOST_MEMORY, (name, sender, to)
        assert not inbox.waiting(begun.server)
    begun.tick()
    sealed = [e for e in record_of(begun.server, all_matches(begun.server)[0]).events[before:] if "order" in e.type]
    assert sealed == [] or name == "as many parts as are let in"
    for sent in begun.sent:
        assert len(sent.as_bytes()) < MOST_ANSWER, (name, sent["Subject"])
    assert begun.of(STRANGER) == []


@pytest.mark.parametrize("lines", [2, 8_000, 15_000])
def test_the_code_comes_before_the_text(begun: Post, monkeypatch: pytest.MonkeyPatch, lines: int) -> None:
    """Of a stranger's email without a code only the header is parsed, however short the email is."""
    looked: list[bytes] = []
    parse = reading.mime.parse
    monkeypatch.setattr(reading.mime, "parse", lambda raw: looked.append(raw) or parse(raw))
    deliver(begun, STRANGER, "orders@pbem.test", plain("hello\n" * lines))
    assert looked and not any(b"hello" in raw for raw in looked)
    assert begun.state_of_last_mail() == ("dropped", "no valid code, and an unknown sender")


@pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64"])
def test_a_code_in_the_text_of_an_unknown_sender_is_found(begun: Post, encoding: str) -> None:
    """An unknown sender's email with a code in its text is held until the player confirms it, as if the code were in
    the address."""
    code = address_of(begun, "red").partition("+")[2].partition("@")[0]
    text = f"r1 hold\n\n{'My code is ' * 6}{code}\n".encode()
    coded = {"7bit": bytes, "quoted-printable": quopri.encodestring, "base64": base64.encodebytes}[encoding](text)
    deliver(begun, STRANGER, "orders@pbem.test", f"Content-Transfer-Encoding: {encoding}\r\n\r\n".encode() + coded)
    assert begun.state_of_last_mail() == ("held", f"the sender was {STRANGER}")


def test_a_player_learns_what_was_too_much(begun: Post) -> None:
    deliver(begun, ALICE, address_of(begun, "red"), plain("r1 hold\n" * 1_000))
    begun.tick()
    said = text_of(begun.last(ALICE))
    assert f"the limit is {MOST_TEXT} characters in {MOST_LINES} lines" in said.replace("\n", " ")
    deliver(begun, BOB, address_of(begun, "blue"), plain("b1 hold\nb1 " + "hold " * 300))
    begun.tick()
    assert f"an order can have at most {LONGEST_LINE}" in text_of(begun.last(BOB)).replace("\n", " ")


def test_the_site_refuses_the_same(begun: Post) -> None:
    match = all_matches(begun.server)[0]
    alice = begun.account(ALICE).id
    for text in ("r1 hold\n" * 3_000, "r1 " + "hold " * 300):
        with pytest.raises(Refusal):
            submitting.take(begun.server, match, "red", 2, text, by=alice, source="web")
        with pytest.raises(Refusal):
            submitting.submit(begun.server, match, "red", 2, text, by=alice, final=False, source="web")


@pytest.mark.parametrize("name", ["soup", "long lines", "short lines"])
def test_a_real_language_reads_nonsense_with_bounded_work(name: str) -> None:
    """Nonsense in the language of a real title costs bounded work: only the first few mistakes get suggestions."""
    title = TITLES["panzer"]
    rules = title.rules(title.freeze("duel", {}))
    run = Run(rules, rules.setup(tuple(title.switches)))
    run.proceed()
    ask = run.asks[0]
    view, chance = run.view(ask.seat), random.Random(1)
    made = {
        "soup": "\n".join(" ".join(chance.choices([*WORDS, "ge1", "ge2", "r1"], k=8)) for _ in range(380)),
        "long lines": "\n".join([" ".join(["ge1", "dance"] * 70)] * 20),
        "short lines": "\n".join(f"g{number} dance" for number in range(380)),
    }
    with Profile() as profile, pytest.raises(Refusal):
        rules.read(view, ask, made[name])
    assert profile.calls < MOST_CALLS


def test_orders_for_formations_are_few(begun: Post) -> None:
    """Only a few orders to formations are read from one email, because each may search the map for eighty units."""
    deliver(begun, ALICE, address_of(begun, "red"), plain("company red hold\n" * 300))
    begun.tick()
    said = text_of(begun.last(ALICE)).replace("\n", " ")
    assert "your text has 300 orders for formations; the limit is 3" in said


def test_a_soak_of_hostile_mails_finds_nothing() -> None:
    """A short run of `pbem soak --hostile 10000` finds no problem."""
    found = soak_hostile({"ambush": AmbushTitle()}, "ambush", "tiny", 60, print, seed="7")
    assert found["problems"] == [] and sum(found["states"].values()) == 60
    assert 0 < found["most"]["lines"] <= found["allowed"]["lines"]


def test_work_beyond_the_limit_is_not_done() -> None:
    with work.count_work() as outer, work.count_work() as spent:
        work.spend(lines=work.MOST.lines)
        with pytest.raises(work.Overspent):
            work.spend(lines=1)
        assert spent == outer == work.Work(lines=work.MOST.lines + 1)
    work.spend(bytes=10**9)  # no limit applies outside `count_work`


def test_a_mail_that_overspends_is_refused_and_its_sender_is_told(
    begun: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "MOST", work.Work(10**6, 40, 100))
    deliver(begun, ALICE, address_of(begun, "red"), plain("r1 hold\n" * 30))
    assert begun.state_of_last_mail()[0] == "refused"
    begun.tick()
    assert "too complicated to be read as orders" in text_of(begun.last(ALICE)).replace("\n", " ")
