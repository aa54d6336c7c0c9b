"""Two people play by email alone, over a real SMTP connection."""

from __future__ import annotations

import base64
import smtplib
from email.message import EmailMessage

import msgspec
import pytest
from support.postbox import ALICE, BOB, Post, form_in, text_of

from eventstore import StoreTrouble
from pbem.mail.outbound.compose import send_due
from pbem.mail.outbound.transports import Transport
from pbem.matches import views
from pbem.matches.accounts import privacy
from pbem.matches.accounts.privacy import own_data
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.ending import signed_head
from pbem.matches.exchange.seats import leave_seat, take_seat
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import load, record_of
from pbem.matches.players import invitations
from pbem.matches.post import inbox, outbox, reply_tokens
from pbem.matches.server import Server


def sealed(post: Post, match: str, seat: str) -> str:
    mine = views.status(post.server, match, seat).mine
    assert mine is not None
    return mine.text


# The whole way -----------------------------------------------------------------------------------------------


def test_two_people_play_an_exchange_by_mail_alone(post: Post) -> None:
    match = post.begin()
    assert views.status(post.server, match).state == "open"
    assert "r1 hold" in form_in(post.last(ALICE)) and "b1 hold" in form_in(post.last(BOB))

    post.reply(ALICE, form_in(post.last(ALICE)).replace("r1 hold", "r1 go2"))
    post.tick()
    assert "We sealed your orders" in text_of(post.last(ALICE)) and "r1 go2" in text_of(post.last(ALICE))

    post.reply(BOB, form_in(post.last(BOB)) + "\nfinal")
    post.tick()
    assert views.status(post.server, match).exchange == 2, "Alice has not said final"

    post.reply(ALICE, "final")
    post.tick()
    reports = post.last(ALICE), post.last(BOB)
    assert views.status(post.server, match).exchange == 3
    for report, seat in zip(reports, ("red", "blue"), strict=True):
        assert report["Subject"] == "The Pass, turn 1: No units lost"
        assert f"Your seat: {seat.capitalize()}." in text_of(report) and "r1 moves" in text_of(report), (
            "the move that both saw"
        )
        assert "4.1 {'unit': 'r1'}" in record_in(report), "with its rule"
        assert "Your orders for turn" in text_of(report), "and the next form"


def record_in(message: EmailMessage) -> str:
    """Return the record of the turn that is attached to a report."""
    return next(
        str(part.get_content())
        for part in message.iter_attachments()
        if str(part.get_filename()).startswith("record-turn")
    )


def test_both_reports_carry_the_same_signed_head_and_only_what_each_may_know(post: Post) -> None:
    match = post.begin()
    post.reply(ALICE, "r1 ambush\nr2 hold\nfinal")
    post.reply(BOB, "b1 hold\nb2 hold\nfinal")
    post.tick()
    red, blue = text_of(post.last(ALICE)), text_of(post.last(BOB))
    entry = record_of(post.server, match).exchange(2)
    assert entry is not None
    head = signed_head(post.server, match, entry)
    records = [record_in(post.last(address)) for address in (ALICE, BOB)]
    assert head.genuine() and all(head.signature in record for record in records)
    assert "ambush" in records[0]
    assert "ambush" not in records[1] and "ambush" not in blue.partition("Your orders")[0]
    assert red != blue


def test_a_match_is_played_to_its_end_and_the_last_mail_says_so(post: Post) -> None:
    match = post.begin()
    for _ in range(2):
        for address in (ALICE, BOB):
            post.reply(address, form_in(post.last(address)) + "\nfinal")
        post.tick()
    assert views.status(post.server, match).state == "over"
    assert all(post.last(address)["Subject"] == "The Pass is over" for address in (ALICE, BOB))
    assert "draw" in text_of(post.last(ALICE)) and "2 to 2 (5)" in text_of(post.last(ALICE))


def test_a_decline_leaves_the_seat_free(post: Post) -> None:
    match = creating.new_match(post.server, "ambush", "tiny")
    invitations.invite(post.server, match, "red", ALICE)
    post.tick()
    post.reply(ALICE, "decline, sorry")
    post.tick()
    assert views.status(post.server, match).seats == {"red": "", "blue": ""}
    assert post.state_of_last_mail() == ("applied", "declined")


def test_an_acceptance_may_choose_the_name_to_be_shown(post: Post) -> None:
    match = creating.new_match(post.server, "ambush", "tiny")
    invitations.invite(post.server, match, "red", ALICE)
    post.tick()
    assert 'see you as "alice"' in text_of(post.last(ALICE))
    post.reply(ALICE, "Accept Alice the Bold\n\nLooking forward to it!")
    post.tick()
    assert views.status(post.server, match).seats["red"] == "Alice the Bold"
    assert "You have taken the seat Red." in text_of(post.last(ALICE))
    second = creating.new_match(post.server, "ambush", "tiny")
    invitations.invite(post.server, second, "red", ALICE)
    post.tick()
    assert 'see you as "Alice the Bold"' in text_of(post.last(ALICE)), "she has an account now"
    post.reply(ALICE, "accept Alice the Wise")
    post.tick()
    assert views.status(post.server, second).seats["red"] == "Alice the Wise"


@pytest.mark.parametrize("text", ["Yes please!", "Accept, thanks!", "accept the invitation", "ACCEPT.", "yes, do"])
def test_politeness_is_no_name(post: Post, text: str) -> None:
    match = creating.new_match(post.server, "ambush", "tiny")
    invitations.invite(post.server, match, "red", ALICE)
    post.tick()
    post.reply(ALICE, text)
    post.tick()
    assert views.status(post.server, match).seats["red"] == "alice"


@pytest.mark.parametrize("text", ["Confirm.", "Yes, that was me", "confirm!\n\nAlice"])
def test_a_confirmation_may_be_punctuated(post: Post, text: str) -> None:
    match, asked = post.begin(), post.last(ALICE)
    post.send(post.write(asked["Reply-To"], "r1 go2\nr2 hold", "alice@work.example"))
    post.tick()
    post.reply(ALICE, text)
    post.tick()
    assert sealed(post, match, "red") == "r1 go2\nr2 hold"


def test_an_answer_to_an_invitation_that_says_neither_is_asked_again(post: Post) -> None:
    match = creating.new_match(post.server, "ambush", "tiny")
    invitations.invite(post.server, match, "red", ALICE)
    post.tick()
    post.reply(ALICE, "what is this?")
    post.tick()
    assert 'Write "accept" or "decline".' in text_of(post.last(ALICE))
    post.reply(ALICE, "accept")
    post.tick()
    assert views.status(post.server, match).seats["red"] == "alice"


def test_an_invitation_is_not_accepted_from_another_address(post: Post) -> None:
    match = creating.new_match(post.server, "ambush", "tiny")
    invitations.invite(post.server, match, "red", ALICE)
    post.tick()
    post.send(post.write(post.last(ALICE)["Reply-To"], "accept", "eve@example.com"))
    post.tick()
    assert post.state_of_last_mail()[0] == inbox.DROPPED
    assert views.status(post.server, match).seats["red"] == ""


# Once, and the last one counts -------------------------------------------------------------------------------


def test_the_same_message_twice_counts_once(post: Post) -> None:
    match = post.begin()
    message = post.reply(ALICE, "r1 go2\nr2 hold")
    post.tick()
    version = record_of(post.server, match).version
    again = EmailMessage()
    again["Received"] = "from another relay"
    for name, value in message.items():
        again[name] = value
    again.set_payload(message.get_payload())
    post.send(again)
    post.tick()
    assert post.state_of_last_mail() == ("repeated", "the same mail came before")
    assert record_of(post.server, match).version == version


def test_x_then_y_then_x_ends_as_x(post: Post) -> None:
    match, asked = post.begin(), post.last(ALICE)
    for orders in ("r1 go2\nr2 hold", "r1 hold\nr2 hold", "r1 go2\nr2 hold"):
        post.reply(ALICE, orders, to=asked)
    post.tick()
    assert sealed(post, match, "red") == "r1 go2\nr2 hold"
    assert len([event for event in record_of(post.server, match).events if event.type == "order.sealed"]) == 3


def test_a_message_id_used_again_for_other_orders_counts(post: Post) -> None:
    """Orders under a reused Message-ID replace the player's earlier orders, because some programs reuse ids."""
    match, asked = post.begin(), post.last(ALICE)
    first = post.reply(ALICE, "r1 go2\nr2 hold", to=asked)
    second = post.write(asked["Reply-To"], "r1 hold\nr2 hold", ALICE)
    second.replace_header("Message-ID", first["Message-ID"])
    post.send(second)
    post.tick()
    assert sealed(post, match, "red") == "r1 hold\nr2 hold"


def test_the_raw_mail_is_kept_as_a_part_for_its_author_alone(post: Post) -> None:
    """The raw email is stored for disputes, as a part that only its author can read.

    Orders from the site have such a part too, so nobody can tell how orders arrived.
    """
    match, asked = post.begin(), post.last(ALICE)
    post.reply(ALICE, "r1 go2\nr2 hold")
    post.tick()
    bob = post.account(BOB).id
    submitting.submit(post.server, match, "blue", 2, "b1 hold", by=bob, final=False, source="web")
    by_mail, by_web = (event for event in record_of(post.server, match).events if event.type == "order.sealed")
    assert [ref.name for ref in by_mail.parts] == [ref.name for ref in by_web.parts] == ["order", "sent"]
    alice = post.account(ALICE).id
    kept = msgspec.json.decode(post.server.store.part(by_mail.parts[1].commitment).content)
    raw = base64.b64decode(kept["raw_base64"])
    assert by_mail.parts[1].audience == alice and kept["source"] == "mail"
    assert b"r1 go2" in raw and b"Message-ID" in raw
    for address in (ALICE, BOB):
        post.reply(address, "resign", to=asked if address == ALICE else None)
    post.tick()
    assert record_of(post.server, match).ended is not None
    for viewer in ("red", "blue", "public", "master"):
        assert by_mail.parts[1].commitment not in read_export(export(post.server, match, viewer)).parts
    [order] = next(seat["orders"] for seat in own_data(post.server, alice)["seats"] if seat["match"] == match)
    assert order["raw_base64"] == kept["raw_base64"]
    privacy.forget(post.server, alice)
    assert post.server.store.parts([by_mail.parts[1].commitment]) == {}
    assert verify_export(read_export(export(post.server, match, "public"))).ok


def test_cancel_takes_orders_back_and_status_tells(post: Post) -> None:
    match = post.begin()
    post.reply(ALICE, "r1 go2\nr2 hold")
    post.tick()
    post.reply(ALICE, "status")
    post.tick()
    assert "You have sealed these orders" in text_of(post.last(ALICE)) and "r1 go2" in text_of(post.last(ALICE))
    post.reply(ALICE, "cancel")
    post.tick()
    assert "withdrawn" in text_of(post.last(ALICE))
    assert sealed(post, match, "red") == ""


# Rights ------------------------------------------------------------------------------------------------------


def test_a_forged_token_is_refused_with_help_to_the_known_sender(post: Post) -> None:
    match = post.begin()
    address = post.last(ALICE)["Reply-To"]
    token = address.partition("+")[2].partition("@")[0]
    forged = address.replace(token, token[:-2] + ("aa" if token[-2:] != "aa" else "bb"))
    post.send(post.write(forged, "r1 go2\nr2 hold", ALICE))
    post.tick()
    text = text_of(post.last(ALICE))
    assert "Nothing has changed" in text and "wrong or has expired" in text
    assert token in text, "the address that would count"
    assert sealed(post, match, "red") == ""


def test_a_stranger_with_a_forged_token_hears_nothing(post: Post) -> None:
    post.begin()
    count = len(post.sent)
    post.send(post.write(f"orders+{'a' * reply_tokens.LENGTH}@pbem.test", "r1 go2", "eve@example.com"))
    post.tick()
    assert post.state_of_last_mail()[0] == inbox.DROPPED
    assert len(post.sent) == count


def test_orders_from_a_foreign_address_wait_until_the_account_confirms_them(post: Post) -> None:
    match, asked = post.begin(), post.last(ALICE)
    post.send(post.write(asked["Reply-To"], "r1 go2\nr2 hold", "alice@work.example"))
    post.tick()
    assert post.state_of_last_mail()[0] == inbox.HELD
    assert sealed(post, match, "red") == ""
    assert post.of("alice@work.example") == [], "nothing goes to an address that is not the account's"
    assert "did you send" in post.last(ALICE)["Subject"]

    post.reply(ALICE, "confirm")
    post.tick()
    assert sealed(post, match, "red") == "r1 go2\nr2 hold"
    post.reply(ALICE, "confirm", to=next(m for m in post.of(ALICE) if "did you send" in m["Subject"]))
    post.tick()
    assert post.state_of_last_mail()[0] == inbox.REFUSED, "a confirmation is spent by its use"


def test_only_the_trusted_hosts_word_on_authentication_counts(post: Post) -> None:
    match, asked = post.begin(), post.last(ALICE)
    post.settings = type(post.settings)(domain="pbem.test", trusted_host="mx.pbem.test")
    failed = {"Authentication_Results": "mx.pbem.test; dmarc=fail"}
    invented = {"Authentication_Results": "mx.evil.example; dmarc=fail"}
    post.send(post.write(asked["Reply-To"], "r1 go2\nr2 hold", ALICE, **failed))
    post.tick()
    assert post.state_of_last_mail()[0] == inbox.HELD
    post.send(post.write(asked["Reply-To"], "r1 hold\nr2 hold", ALICE, **invented))
    post.tick()
    assert sealed(post, match, "red") == "r1 hold\nr2 hold"


def test_the_token_of_a_closed_exchange_is_refused_with_the_present_form(post: Post) -> None:
    """§10: Late orders with the token of a closed exchange are refused, and never used for the next exchange."""
    match, first = post.begin(), post.last(ALICE)
    for address in (ALICE, BOB):
        post.reply(address, form_in(post.last(address)) + "\nfinal")
    post.tick()
    post.reply(ALICE, "r1 go2\nr2 hold", to=first)
    post.tick()
    text = text_of(post.last(ALICE))
    assert "orders for exchange 2 are closed" in text and "Your orders for turn" in text
    assert sealed(post, match, "red") == ""


def test_the_token_of_a_former_occupant_does_not_count(post: Post) -> None:
    match, asked = post.begin(), post.last(ALICE)
    leave_seat(post.server, match, "red", "moved away")
    take_seat(post.server, match, "red", post.account(BOB).id)
    post.reply(ALICE, "r1 go2\nr2 hold", to=asked)
    post.tick()
    assert sealed(post, match, "red") == ""
    assert "wrong or has expired" in text_of(post.last(ALICE)) or "no code" in text_of(post.last(ALICE))
    assert "The Pass" not in text_of(post.last(ALICE)), "it tells nothing of the match"


def test_a_mailbox_without_subaddresses_still_works_by_the_code_in_the_body(post: Post) -> None:
    match = post.begin()
    quoted = "\n".join(f"> {line}" for line in text_of(post.last(ALICE)).splitlines())
    post.send(post.write("orders@pbem.test", f"r1 go2\nr2 hold\n\n{quoted}", ALICE))
    post.tick()
    assert sealed(post, match, "red") == "r1 go2\nr2 hold"


# Refusals ----------------------------------------------------------------------------------------------------


def test_a_bad_line_is_refused_with_line_reason_and_what_would_be_legal(post: Post) -> None:
    match = post.begin()
    post.reply(ALICE, "r1 go2\nr9 hold")
    post.tick()
    text = text_of(post.last(ALICE))
    assert "Nothing has changed: 1 of your 2 lines cannot be accepted." in text
    assert "> r9 hold" in text
    assert "Not possible (r9): it is not one of your units (1)." in text
    assert "You could send:\n\n    r2 hold\n" in text
    assert sealed(post, match, "red") == "", "a mail is applied whole or not at all"


def test_a_reply_without_new_lines_is_told_so(post: Post) -> None:
    post.begin()
    post.reply(ALICE, "")
    post.tick()
    assert "our email came back unchanged" in text_of(post.last(ALICE)).replace("\n", " ")


def test_a_mail_with_orders_and_cancel_is_refused(post: Post) -> None:
    match = post.begin()
    post.reply(ALICE, "r1 go2\nr2 hold\ncancel")
    post.tick()
    assert "orders or `cancel`, not both" in text_of(post.last(ALICE))
    assert sealed(post, match, "red") == ""


def test_help_lists_the_reader_s_seats_with_their_addresses(post: Post) -> None:
    post.begin()
    reply_to = post.last(ALICE)["Reply-To"]
    post.reply(ALICE, "help")
    post.tick()
    assert reply_to in text_of(post.last(ALICE))


def test_a_fault_of_ours_is_told_and_holds_up_nobody_else(
    post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = post.begin()
    take = submitting.take

    def stumble(server: Server, match: str, seat: str, *rest: object, **more: object) -> object:
        if seat == "red":
            raise ZeroDivisionError("a bug")
        return take(server, match, seat, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(submitting, "take", stumble)
    post.reply(ALICE, "r1 go2")
    post.reply(BOB, "b1 hold")
    post.tick()
    assert "Something went wrong on our side" in text_of(post.last(ALICE))
    assert sealed(post, match, "blue") == "b1 hold"
    assert "a bug" in caplog.text and not inbox.waiting(post.server)


def test_names_cannot_break_a_mail(post: Post) -> None:
    match = creating.new_match(post.server, "ambush", "tiny", name="A\r\nBcc: eve@example.com\n\nhello" + "x" * 300)
    invitations.invite(post.server, match, "red", ALICE)
    post.tick()
    subject = post.last(ALICE)["Subject"]
    assert subject.startswith("You are invited: A Bcc: eve@example.com hello") and len(subject) < 120
    assert post.last(ALICE)["Bcc"] is None


# Machines ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List_Id": "<talk.example.org>"},
        {"X_Autoreply": "yes"},
        {"Return_Path": "<>"},
    ],
)
def test_automatic_mail_is_dropped_with_its_reason_and_never_answered(post: Post, headers: dict[str, str]) -> None:
    match, asked = post.begin(), post.last(ALICE)
    count = len(post.sent)
    post.send(post.write(asked["Reply-To"], "r1 go2\nr2 hold", ALICE, **headers))
    post.tick()
    state, why = post.state_of_last_mail()
    assert state == inbox.DROPPED and why
    assert len(post.sent) == count and sealed(post, match, "red") == ""


def test_a_bounce_with_an_empty_envelope_sender_is_dropped(post: Post) -> None:
    post.begin()
    count = len(post.sent)
    post.send(post.write(post.last(ALICE)["Reply-To"], "r1 go2", ALICE), envelope_sender="<>")
    post.tick()
    assert post.state_of_last_mail() == (inbox.DROPPED, "the return path is empty")
    assert len(post.sent) == count


# The door and the post ---------------------------------------------------------------------------------------


def test_a_mail_is_safe_before_the_door_says_so(post: Post) -> None:
    post.begin()
    post.reply(ALICE, "r1 go2\nr2 hold")
    assert inbox.waiting(post.server)


def test_the_door_says_try_later_when_it_cannot_keep_a_mail(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> int:
        raise StoreTrouble("full")

    monkeypatch.setattr(inbox, "receive", full)
    with pytest.raises(smtplib.SMTPDataError) as refusal:
        post.send(post.write("orders@pbem.test", "hello", ALICE))
    assert refusal.value.smtp_code == 451


def test_the_door_takes_no_mail_for_others_and_none_beyond_its_size(post: Post) -> None:
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        post.send(post.write("somebody@elsewhere.example", "hello", ALICE))
    with pytest.raises((smtplib.SMTPDataError, smtplib.SMTPSenderRefused)):
        post.send(post.write("orders@pbem.test", "x" * 70 + ("\n" + "x" * 70) * 20_000, ALICE))


class Crash(BaseException):
    """Raised where the simulated process dies."""


class DyingTransport:
    """A transport that delivers an email and dies before the server can record that."""

    def __init__(self, inner: Transport) -> None:
        self.inner = inner

    def send(self, message: EmailMessage) -> None:
        self.inner.send(message)
        raise Crash


def test_a_crash_between_sending_and_noting_repeats_one_mail_at_most(post: Post) -> None:
    post.begin()
    post.reply(ALICE, "r1 go2\nr2 hold")
    post.reply(BOB, "b1 hold\nb2 hold")
    working = post.transport
    post.transport = DyingTransport(working)  # type: ignore[assignment]
    count = len(post.sent)
    with pytest.raises(Crash):
        post.tick()
    post.transport = working
    post.tick()
    ids = [message["Message-ID"] for message in post.sent[count:]]
    assert len(ids) == 3 and len(set(ids)) == 2 and ids[0] == ids[1], "the same mail, under the same id"


class DeafTransport:
    def send(self, message: EmailMessage) -> None:
        raise OSError("no route")


def test_a_mail_that_cannot_be_sent_is_tried_later_and_later(post: Post) -> None:
    post.begin()
    post.reply(ALICE, "status")
    post.transport, working = DeafTransport(), post.transport  # type: ignore[assignment]
    post.tick()
    [owed] = outbox.waiting(post.server)
    assert owed.attempts == 1 and owed.error == "OSError: no route"
    assert [outbox.backoff(attempts) // 60_000 for attempts in (1, 2, 3, 20)] == [1, 2, 4, 720]
    assert send_due(post.server, post.settings, working, post.now) == 0, "not yet"
    assert send_due(post.server, post.settings, working, post.now + 60_000) == 1


def test_a_mail_waiting_at_the_door_keeps_the_exchange_open(post: Post) -> None:
    """§10: All mail is read before an exchange closes: Alice's changed orders arrived before Bob's final ones."""
    match = post.begin()
    post.reply(ALICE, "r1 go2\nr2 hold\nfinal")
    post.tick()
    post.reply(ALICE, "r1 hold\nr2 hold\nfinal")
    submitting.submit(
        post.server, match, "blue", 2, "b1 hold\nb2 hold", by=post.account(BOB).id, final=True, source="web"
    )
    assert load(post.server, match).record.open_exchange == 2
    post.tick()
    entry = record_of(post.server, match).exchange(2)
    assert entry is not None
    assert "'r1'} []: hold" in "\n".join(str(t.text) for t in views.report(post.server, match, "red", 2).told)


def test_unsubscribing_stops_mails_but_not_answers(post: Post) -> None:
    match = post.begin()
    stop = post.last(ALICE)["List-Unsubscribe"].partition("mailto:")[2].partition("?")[0]
    post.send(post.write(stop, "unsubscribe", ALICE))
    post.tick()
    post.reply(ALICE, form_in(post.last(ALICE)) + "\nfinal")
    post.reply(BOB, form_in(post.last(BOB)) + "\nfinal")
    post.tick()
    assert views.status(post.server, match).exchange == 3
    assert "are sealed" in post.last(ALICE)["Subject"], "the receipt comes, the report does not"
    assert "report" in post.last(BOB)["Subject"]


def test_an_acceptance_that_the_mail_host_doubts_is_asked_for_again_at_the_invited_address(post: Post) -> None:
    match = creating.new_match(post.server, "ambush", "tiny")
    invitations.invite(post.server, match, "red", ALICE)
    post.tick()
    post.settings = type(post.settings)(domain="pbem.test", trusted_host="mx.pbem.test")
    failed = {"Authentication_Results": "mx.pbem.test; dmarc=fail"}
    post.send(post.write(post.last(ALICE)["Reply-To"], "accept", ALICE, **failed))
    post.tick()
    assert views.status(post.server, match).seats["red"] == ""
    assert "could not authenticate the sender. Please use the link." in text_of(post.last(ALICE))
