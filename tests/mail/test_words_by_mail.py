"""Requests to the server by email are handled like orders, and answered."""

from __future__ import annotations

import base64
import quopri
import unicodedata

import pytest
from support.postbox import ALICE, BOB, Post, text_of

from pbem.mail.inbound.message import read_letter
from pbem.mail.settings import Settings
from pbem.matches import views
from pbem.matches.history.replay import record_of
from pbem.matches.players import press
from pbem.matches.post import inbox
from pbem.matches.post.inbox import Inbound


def answers(post: Post, address: str, text: str) -> list[str]:
    """Return the texts of the server's answers to a player's email."""
    before = len(post.of(address))
    post.reply(address, text, to=next(m for m in reversed(post.of(address)) if "+" in m["Reply-To"]))
    post.tick()
    return [text_of(message) for message in post.of(address)[before:]]


def test_words_and_orders_of_one_mail_are_carried_out_and_answered_by_one(post: Post) -> None:
    post.begin()
    [text] = answers(post, ALICE, "r1 go2\nr2 hold\npress blue: Good luck!\nextend 12 hours")
    assert "We sealed your orders" in text and "r1 go2" in text
    assert "Your message to Blue is on its way." in text and "The deadline is now" in text
    assert any("Good luck!" in text_of(message) for message in post.of(BOB))


def test_everything_wrong_with_a_mail_is_told_at_once_and_in_its_order(post: Post) -> None:
    """One answer reports all mistakes in an email in their order: an unreadable request, an illegal order, a refused
    request."""
    match = post.begin()
    [text] = answers(post, ALICE, "r9 hold\nabsent soon\nr1 go2\npress green: hello\nhistory 7")
    quoted = [line for line in text.splitlines() if line.startswith(">")]
    assert quoted == ["> r9 hold", "> absent soon", "> press green: hello", "> history 7"]
    assert "Nothing has changed: 4 of your 5 lines cannot be accepted." in text
    assert "You could send:\n\n    absent 1 May to 8 May\n" in text
    assert "You could send:\n\n    press blue: hello\n" in text, "whole lines, ready to be copied"
    assert "We read the other orders as:\n\n    r1 go2\n" in text
    record = record_of(post.server, match)
    assert record.sealed == {} and not [event for event in record.events if event.type == "press.sent"]


def test_a_refusal_quotes_the_beginning_of_a_long_line_and_of_many(post: Post) -> None:
    post.begin()
    [text] = answers(post, ALICE, f"press all: {'x' * 5000}")
    assert "your line cannot be accepted" in text and "xxx…" in text and "x" * 300 not in text
    [text] = answers(post, ALICE, "r9 hold\n" * 390)
    assert text.count("r9 hold") <= 250 and "of your 390 lines" in text


def test_a_bad_word_and_a_bad_order_are_told_although_both_can_be_read(post: Post) -> None:
    match = post.begin()
    [text] = answers(post, ALICE, "r9 hold\nextend 900 hours\nfinal")
    assert "> r9 hold" in text and "> extend 900 hours" in text and "> final" not in text
    assert "You could send:\n\n    extend 48 hours\n" in text and "Here is the form again" in text
    assert record_of(post.server, match).sealed == {}


def test_who_has_sent_no_orders_is_not_shown_the_form_when_a_word_is_refused(post: Post) -> None:
    post.begin()
    [text] = answers(post, ALICE, "extend 900 hours")
    assert "extend 48 hours" in text and "Here is the form again" not in text


def test_what_is_asked_for_beside_orders_comes_beside_the_receipt(post: Post) -> None:
    post.begin()
    receipt, status = answers(post, ALICE, "r1 go2\nr2 hold\nstatus\npress all: hi")
    assert "We sealed your orders" in receipt and "on its way" in receipt
    assert "Here is the status you asked for." in status and "on its way" not in status


def test_a_lone_final_that_closes_the_exchange_is_answered_by_the_report_alone(post: Post) -> None:
    match = post.begin()
    answers(post, BOB, "b1 hold\nb2 hold\nfinal")
    answers(post, ALICE, "r1 go2\nr2 hold")
    [text] = answers(post, ALICE, "final")
    assert "WHAT HAPPENED" in text and views.status(post.server, match).exchange == 3


def test_a_lone_final_that_closes_nothing_is_answered(post: Post) -> None:
    post.begin()
    answers(post, ALICE, "r1 go2\nr2 hold")
    [text] = answers(post, ALICE, "final")
    assert "Your orders are final." in text


def test_a_lone_final_of_a_seat_without_orders_seals_none_and_says_so(post: Post) -> None:
    post.begin()
    [text] = answers(post, ALICE, "final")
    assert "We sealed your orders" in text and "(nothing)" in text
    [again] = answers(post, ALICE, "final")
    assert "Your orders are final." in again


def test_a_resignation_is_answered_by_the_end_of_the_match_alone(post: Post) -> None:
    post.begin()
    [text] = answers(post, ALICE, "resign")
    assert "The winner is Blue" in text and "Red has resigned" in text


LETTERS = {
    "utf-8": "Привет, 안녕, こんにちは, 你好, ça va?",
    "koi8-r": "Привет, Боб. Мост наш!",
    "windows-1251": "Привет, Боб. Мост наш — №1!",
    "euc-kr": "안녕하세요, 다리는 우리 것입니다",
    "iso-2022-kr": "안녕하세요, 다리는 우리 것입니다",
    "iso-2022-jp": "こんにちは、橋は取りました",
    "shift_jis": "こんにちは、橋は取りました",
    "gb18030": "你好，桥是我们的了",
}


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "8bit"])
@pytest.mark.parametrize("label", ["right", "wrong", "none"])
@pytest.mark.parametrize("charset", LETTERS)
def test_a_letter_arrives_as_it_was_written(charset: str, label: str, encoding: str) -> None:
    """A message to a player arrives unchanged, even if its character set is labelled wrongly or not at all.

    Orders in the same email are read as usual.
    """
    said = f"press blue: {LETTERS[charset]} {LETTERS[charset]}\nr1 go2"
    content, wrong = said.encode(charset), {"utf-8": "iso-8859-1"}.get(charset, "utf-8")
    named = {"right": f"; charset={charset}", "wrong": f"; charset={wrong}", "none": ""}[label]
    head = f"From: {ALICE}\r\nContent-Type: text/plain{named}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    coded = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring}.get(encoding, bytes)(content)
    envelope = {"sender": ALICE, "recipients": []}
    mail = Inbound(1, "", "", "", "", "", 0, 0, envelope, head.encode() + coded, "", "", {})
    text = read_letter(mail, Settings(domain="pbem.test")).text
    assert [unicodedata.normalize("NFKC", line) for line in said.splitlines()] == text.splitlines()


def test_a_resignation_from_a_foreign_address_waits_for_confirmation(post: Post) -> None:
    match, asked = post.begin(), post.last(ALICE)
    post.send(post.write(asked["Reply-To"], "resign", "alice@work.example"))
    post.tick()
    assert post.state_of_last_mail()[0] == inbox.HELD and record_of(post.server, match).ended is None
    post.reply(ALICE, "confirm")
    post.tick()
    assert views.status(post.server, match).state == "over"


def test_the_same_letter_twice_is_sent_once(post: Post) -> None:
    match = post.begin()
    message = post.reply(ALICE, "press blue: Good luck!")
    post.send(message)
    post.tick()
    record = record_of(post.server, match)
    assert [letter.text for letter in press.letters(post.server, record, "blue")] == ["Good luck!"]


def test_a_trial_of_standing_orders_is_mailed_and_sets_nothing(post: Post) -> None:
    """A trial of standing orders is reported by email and changes nothing.

    It goes through past turns, window by window, and names the clause that would have answered.
    """
    match = post.begin()
    for address, text in ((ALICE, "r1 ambush\nr2 go2\nfinal"), (BOB, "b1 go5\nb2 hold\nfinal")):
        answers(post, address, text)
    [text] = answers(post, ALICE, "trial: card\ntrial: ambush")
    assert "    card\n    ambush" in text and "“card” would have answered" in text
    assert "Turn 1 (exchange 2), card" in text
    assert record_of(post.server, match).doctrine == {}
    [text] = answers(post, ALICE, "trial: fly")
    assert "> trial: fly" in text and "Nothing has changed" in text


def test_words_that_are_carried_out_together_are_answered_by_one_mail(post: Post) -> None:
    """One email answers all requests that came in one email, with one line for each, even if one of them contains a
    number."""
    post.begin()
    for address in (ALICE, BOB):
        post.reply(address, "final", to=next(m for m in reversed(post.of(address)) if "+" in m["Reply-To"]))
    post.tick(49)
    [text] = answers(post, ALICE, "draw\ndispute 1: what was that?\npress blue: hello")
    assert text.startswith("You offer a draw. The offer stands until the turn is played.\nYou have disputed turn 1.")
    assert "\nYour message to Blue is on its way.\n" in text


@pytest.mark.parametrize("asked", ["history", "map", "trial: ambush", "help", "status"])
def test_what_words_have_brought_stands_in_whatever_mail_was_asked_for(post: Post, asked: str) -> None:
    post.begin()
    [text] = answers(post, ALICE, f"{asked}\ndoctrine: ambush")
    assert "Your standing orders are set: ambush." in text
