"""Bounces and automated emails: a bounce marks an address, and a program never gets a reply."""

from __future__ import annotations

import smtplib
from email.message import EmailMessage
from pathlib import Path

import pytest
from support.postbox import ALICE, BOB, Post, text_of

from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.accounts.privacy import own_data
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.players import invitations
from pbem.matches.post import inbox, outbox
from pbem.matches.rulings.alerts import attention

MASTER = "master@example.org"
STATUS = (
    "Reporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; {to}\r\nAction: {action}\r\n"
    "Status: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 <{to}>: no such user\r\n"
)


def with_master(post: Post) -> tuple[str, str]:
    """Start a match with a game master, in which Alice has two addresses; return the ids of the match and of
    Alice."""
    master = accounts.open_account(post.server, MASTER).id
    match = creating.new_match(post.server, "ambush", "tiny", name="The Pass", master=master)
    for seat, address in (("red", ALICE), ("blue", BOB)):
        take_seat(post.server, match, seat, accounts.open_account(post.server, address).id)
    post.tick()
    return match, post.account(ALICE).id


def bounce(post: Post, to: str, *, recipient: str = ALICE, action: str = "failed", original: str = "") -> None:
    """Send the server a bounce: another host's message that it cannot deliver an email."""
    parts = [
        "Content-Type: text/plain\r\n\r\nI am sorry.",
        "Content-Type: message/delivery-status\r\n\r\n" + STATUS.format(to=recipient, action=action),
        "Content-Type: text/rfc822-headers\r\n\r\n" + original,
    ]
    body = "".join(f"--b\r\n{part}\r\n" for part in parts) + "--b--\r\n"
    head = (
        f"From: MAILER-DAEMON@mx.example.org\r\nTo: {to}\r\nSubject: Undelivered\r\nAuto-Submitted: auto-replied\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
    )
    inbox.receive(post.server, (head + body).encode(), sender="", recipients=[to])
    post.tick()


def return_path(post: Post, address: str) -> str:
    return str(post.last(address)["Return-Path"]).strip("<>")


def test_a_bounce_marks_the_address_and_tells_the_game_master_once_and_not_which_address(post: Post) -> None:
    _, alice = with_master(post)
    for _ in range(3):
        bounce(post, return_path(post, ALICE))
    [marked] = inbox.returning(post.server)
    assert (marked.address, marked.account, marked.count) == (ALICE, alice, 3)
    assert "no such user" in marked.why and ALICE not in marked.why
    [told] = post.of(MASTER)
    assert told["Subject"] == "The Pass: email to Red bounces" and ALICE not in text_of(told)
    assert "550 5.1.1" in text_of(told)
    state, why = post.state_of_last_mail()
    assert state == inbox.DROPPED and why.startswith("an email bounced: 550")


def test_the_next_mails_go_to_another_address_until_somebody_writes_from_the_marked_one(post: Post) -> None:
    _, alice = with_master(post)
    other = "alice@home.example"
    accounts.add_address(post.server, alice, other)
    asked = post.last(ALICE)
    bounce(post, return_path(post, ALICE))
    post.reply(other, "status", to=asked)
    post.tick()
    assert len(post.of(other)) == 1
    post.reply(ALICE, "status", to=asked)
    post.tick()
    assert inbox.returning(post.server) == [] and "status for" in post.last(ALICE)["Subject"]


def test_a_host_that_rewrites_the_envelope_is_understood_by_the_header_that_it_returns(post: Post) -> None:
    with_master(post)
    original = f"From: orders@pbem.test\r\nReply-To: {post.last(ALICE)['Reply-To']}\r\n"
    bounce(post, "orders@pbem.test", original=original)
    assert [marked.address for marked in inbox.returning(post.server)] == [ALICE]


def test_a_mail_that_is_only_late_marks_nothing(post: Post) -> None:
    with_master(post)
    bounce(post, return_path(post, ALICE), action="delayed")
    assert inbox.returning(post.server) == [] and post.of(MASTER) == []
    assert post.state_of_last_mail() == (inbox.DROPPED, "a delivery report")


def test_anybody_can_write_a_report_but_only_a_token_counts(post: Post) -> None:
    with_master(post)
    token = return_path(post, ALICE)
    bounce(post, token.replace("returned-a", "returned-b"))
    bounce(post, "orders@pbem.test")
    assert inbox.returning(post.server) == [] and post.of(MASTER) == []
    assert post.state_of_last_mail() == (inbox.DROPPED, "no valid code, and an unknown sender")


@pytest.mark.parametrize("length", [0, 40_000])
def test_an_old_bounce_that_is_no_report_is_known_by_the_return_address(post: Post, length: int) -> None:
    """A bounce in plain text with an empty sender, as qmail writes it, is recognised by the return address."""
    with_master(post)
    raw = b"From: MAILER-DAEMON@mx\r\nSubject: failure notice\r\n\r\nHi. This is the qmail-send program."
    raw += b"\r\n" * length
    inbox.receive(post.server, raw, sender="<>", recipients=[return_path(post, ALICE)])
    post.tick()
    assert [marked.why for marked in inbox.returning(post.server)] == ["failure notice"]


def test_a_vacation_notice_to_the_return_address_is_no_bounce(post: Post) -> None:
    """A vacation notice that is sent to the return address with an empty sender (RFC 3834) is not taken for a
    bounce."""
    with_master(post)
    raw = b"From: alice@example.org\r\nAuto-Submitted: auto-replied (vacation)\r\nSubject: away\r\n\r\nuntil Monday"
    inbox.receive(post.server, raw, sender="", recipients=[return_path(post, ALICE)])
    count = len(post.sent)
    post.tick()
    assert inbox.returning(post.server) == [] and len(post.sent) == count


def test_a_vacation_notice_without_any_sign_at_the_return_address_is_not_answered(post: Post) -> None:
    with_master(post)
    count = len(post.sent)
    post.send(post.write(return_path(post, ALICE), "I am away until Monday", ALICE))
    post.tick()
    assert post.state_of_last_mail() == (inbox.DROPPED, "sent to a return address")
    assert len(post.sent) == count and not post.account(ALICE).muted


def test_an_invitation_that_comes_back_is_told_to_the_game_master(post: Post) -> None:
    master = accounts.open_account(post.server, MASTER).id
    match = creating.new_match(post.server, "ambush", "tiny", name="The Pass", master=master)
    invitations.invite(post.server, match, "red", "typo@example.org")
    post.tick()
    bounce(post, return_path(post, "typo@example.org"), recipient="typo@example.org")
    assert "The invitation to Red could not be delivered" in text_of(post.last(MASTER))


def test_without_a_game_master_the_other_player_learns_that_mail_comes_back_and_not_why(post: Post) -> None:
    match = post.begin()
    for _ in range(2):
        bounce(post, return_path(post, ALICE))
    [told] = [message for message in post.of(BOB) if "bounces" in message["Subject"]]
    assert "Email to the player of Red" in text_of(told) and "This match has no game master" in text_of(told)
    assert "550" not in text_of(told) and ALICE not in text_of(told)
    assert [(t.kind, t.seat) for t in attention(post.server, match)] == [("mail", "red")]
    assert [marked["address"] for marked in own_data(post.server, post.account(ALICE).id)["addresses_returning"]] == [
        ALICE
    ]


class Choosy:
    """A mail host that refuses emails to certain addresses."""

    def __init__(self, post: Post, *gone: str, code: int = 550) -> None:
        self.post, self.gone, self.code = post, gone, code

    def send(self, message: EmailMessage) -> None:
        if message["To"] in self.gone:
            raise smtplib.SMTPRecipientsRefused({message["To"]: (self.code, b"no such user")})
        self.post.sent.append(message)


def test_an_address_that_our_own_host_refuses_is_marked_and_holds_up_nobody(post: Post) -> None:
    """A refusal by our own mail host marks the address like a bounce, but at once, and the email is not tried
    again."""
    post.transport = Choosy(post, ALICE)  # type: ignore[assignment]
    _, alice = with_master(post)
    assert [(marked.account, marked.why) for marked in inbox.returning(post.server)] == [(alice, "550 no such user")]
    assert post.of(BOB), "the others get theirs in the same tick"
    post.tick()
    assert post.last(MASTER)["Subject"] == "The Pass: email to Red bounces"
    assert [owed.error for owed in outbox.failed_emails(post.server)] == ["550 no such user"]


def test_an_invitation_that_our_own_host_refuses_is_told_as_well(post: Post) -> None:
    post.transport = Choosy(post, "typo@example.org")  # type: ignore[assignment]
    master = accounts.open_account(post.server, MASTER).id
    match = creating.new_match(post.server, "ambush", "tiny", name="The Pass", master=master)
    invitations.invite(post.server, match, "red", "typo@example.org")
    post.tick()
    post.tick()
    assert "The invitation to Red could not be delivered" in text_of(post.last(MASTER))


def test_an_address_that_our_own_host_refuses_for_now_is_tried_later(post: Post) -> None:
    post.transport = Choosy(post, ALICE, code=450)  # type: ignore[assignment]
    with_master(post)
    assert inbox.returning(post.server) == [] and post.of(BOB)
    assert [owed.attempts for owed in outbox.waiting(post.server)] == [1]


# Loops -------------------------------------------------------------------------------------------------------


def test_a_program_that_looks_like_a_person_gets_twenty_answers_an_hour_and_no_more(post: Post) -> None:
    """An unrecognised autoresponder, which answers each of our emails with our code, gets twenty answers an hour at
    most."""
    match = post.begin()
    before = len(post.of(ALICE))
    for _ in range(22):
        post.reply(ALICE, "Thank you for your mail. I shall read it next week.")
        post.tick()
    assert len(post.of(ALICE)) - before == 19, "one was the answer when she took her seat"
    assert post.state_of_last_mail() == (inbox.DROPPED, "too many emails within an hour that could not be processed")
    post.reply(ALICE, "r1 go2\nr2 hold")
    post.tick()
    assert views.status(post.server, match, "red").mine.text == "r1 go2\nr2 hold", "orders count"  # type: ignore[union-attr]
    post.tick(hours=2)
    post.reply(ALICE, "nonsense")
    post.tick()
    assert "cannot be accepted" in text_of(post.last(ALICE)), "and later there are answers again"


def test_our_own_mail_that_somebody_redirects_to_us_is_dropped(post: Post) -> None:
    post.begin()
    count, ours = len(post.sent), post.last(ALICE)
    inbox.receive(post.server, bytes(ours), sender=ALICE, recipients=["orders@pbem.test"])
    post.tick()
    assert post.state_of_last_mail()[0] == inbox.DROPPED and len(post.sent) == count


def test_spam_in_the_name_of_a_player_is_not_answered_but_his_orders_count(post: Post) -> None:
    match = post.begin()
    count = len(post.sent)
    post.send(post.write("orders@pbem.test", "cheap watches", ALICE, X_Spam_Flag="YES"))
    post.tick()
    assert post.state_of_last_mail() == (inbox.DROPPED, "no valid code, and taken for spam")
    assert len(post.sent) == count
    post.send(post.write(post.last(ALICE)["Reply-To"], "r1 go2", ALICE, X_Spam_Status="Yes, score=7"))
    post.tick()
    assert views.status(post.server, match, "red").mine.text == "r1 go2"  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["vacation-gmail", "vacation-bare-ja", "mailing-list", "read-receipt"])
def test_no_program_causes_an_answer_even_with_a_good_code(post: Post, name: str) -> None:
    post.begin()
    count = len(post.sent)
    raw = (Path(__file__).parents[1] / "messages" / f"{name}.eml").read_bytes()
    mine = raw.replace(b"ann@example.org", ALICE.encode())
    inbox.receive(post.server, mine, sender=ALICE, recipients=[str(post.last(ALICE)["Reply-To"])])
    post.tick()
    state, why = post.state_of_last_mail()
    assert state == inbox.DROPPED and why and len(post.sent) == count


# Rights ------------------------------------------------------------------------------------------------------


def test_whoever_a_mail_is_forwarded_to_learns_and_does_nothing(post: Post) -> None:
    """Eve, to whom an email with its code was forwarded, gets no answer and can seal or confirm nothing for the
    seat."""
    match, asked, eve = post.begin(), post.last(ALICE), "eve@example.com"
    for text in ("r1 go2\nr2 hold", "status", "help", "map", "resign", "cancel", "final", "history"):
        quoted = "\n".join(f"> {line}" for line in text_of(asked).splitlines())
        post.send(post.write(asked["Reply-To"], f"{text}\n\n{quoted}", eve))
        post.send(post.write("orders@pbem.test", f"{text}\n\n{quoted}", eve))
    post.tick()
    assert post.of(eve) == []
    mine = views.status(post.server, match, "red").mine
    assert mine is not None and not mine.sealed and views.status(post.server, match).seats["red"] == "alice"
    held = next(message for message in post.of(ALICE) if "did you send" in message["Subject"])
    post.send(post.write(held["Reply-To"], "confirm", eve))
    post.tick()
    assert not views.status(post.server, match, "red").mine.sealed, "nor can she confirm"  # type: ignore[union-attr]
    assert post.of(eve) == []


def test_a_mail_to_two_seats_is_refused(post: Post) -> None:
    match = post.begin()
    red, blue = post.last(ALICE)["Reply-To"], post.last(BOB)["Reply-To"]
    post.send(post.write(f"{red}, {blue}", "r1 go2", ALICE))
    post.tick()
    assert "your email is addressed to several seats" in text_of(post.last(ALICE))
    assert not views.status(post.server, match, "red").mine.sealed  # type: ignore[union-attr]


def test_a_mail_that_only_quotes_the_codes_of_two_seats_is_refused(post: Post) -> None:
    """An email to the bare mailbox that quotes the codes of two seats is refused, because it is unclear which match
    it means."""
    first, second = post.begin(), post.begin()
    post.send(post.write("orders@pbem.test", "help", ALICE))
    post.tick()
    post.reply(ALICE, "r1 go2\nr2 hold")
    post.tick()
    assert "your email names several seats" in text_of(post.last(ALICE))
    for match in (first, second):
        assert not views.status(post.server, match, "red").mine.sealed  # type: ignore[union-attr]


def test_a_mail_without_an_id_is_never_taken_for_a_repetition(post: Post) -> None:
    """A program that writes neither Message-ID nor Date sends X, Y and X again, and all three are read."""
    match, asked = post.begin(), str(post.last(ALICE)["Reply-To"])
    for text in ("r1 go2", "r1 hold", "r1 go2"):
        raw = f"From: {ALICE}\r\nTo: {asked}\r\n\r\n{text}\r\n"
        inbox.receive(post.server, raw.encode(), sender=ALICE, recipients=[asked])
    post.tick()
    assert views.status(post.server, match, "red").mine.text == "r1 go2"  # type: ignore[union-attr]


def test_a_code_of_another_server_is_refused_like_a_forged_one(post: Post, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Post(tmp_path / "other")
    creating.new_match(other.server, "ambush", "tiny")
    match = other.server.store.streams("match/")[0].removeprefix("match/")
    invitations.invite(other.server, match, "red", ALICE)
    other.tick()
    foreign = other.last(ALICE)["Reply-To"]
    other.server.close()
    post.begin()
    count = len(post.sent)
    post.send(post.write(foreign, "accept", ALICE))
    post.send(post.write(foreign, "accept", "eve@example.com"))
    post.tick()
    assert len(post.sent) == count + 1, "Eve hears nothing"
    assert "this code is wrong or has expired" in text_of(post.last(ALICE))
