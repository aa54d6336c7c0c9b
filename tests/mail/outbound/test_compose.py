"""Outgoing email: its headers, its two forms, its picture, and nothing that the reader may not know."""

from __future__ import annotations

import itertools
import re
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.postbox import ALICE, BOB, Post, form_in, text_of
from support.toy import AmbushRules, AmbushTitle

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Submission
from pbem.engine.text.messages import Message, say
from pbem.mail.inbound.reply_text import LAST_LINE
from pbem.mail.outbound.compose import KINDS, blocks, compose, environment, send_due, templates
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import submitting
from pbem.matches.history.export import export, read_export
from pbem.matches.history.receipts import Receipt, SignedHead
from pbem.matches.history.replay import record_of
from pbem.matches.post import inbox, outbox
from pbem.matches.rulings import rulings


def html_of(message: EmailMessage) -> str:
    body = message.get_body(("html",))
    assert body is not None
    return str(body.get_content())


def test_every_mail_has_the_headers_that_keep_mail_peaceful(post: Post) -> None:
    match = post.begin()
    post.reply(ALICE, "r1 go2\nr2 hold")
    post.tick()
    for message in post.sent:
        assert message["Auto-Submitted"] in ("auto-generated", "auto-replied")
        assert re.fullmatch(r"<[0-9a-f]{32}@pbem\.test>", message["Message-ID"])
        assert re.fullmatch(r"orders\+[a-z2-7]{36}@pbem\.test", message["Reply-To"])
        assert f"<match.{match}@pbem.test>" in message["References"]
        assert "=?" not in message.as_string().partition("\n\n")[0], "no header is broken up"
    receipt = post.last(ALICE)
    assert receipt["In-Reply-To"] == receipt["References"].split()[-1] == "<3@example.org>"
    assert receipt["List-Unsubscribe"].startswith("<mailto:orders+")
    assert receipt["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.parametrize(
    ("id", "answered"),
    [
        ("<a.b+c@d>", "<a.b+c@d>"),
        ("<a@b> <c@d>", "<a@b>"),
        (f"<{'a' * 3000}@x>", ""),
        ("<ünï@cödé>", ""),
        ("<x y@z>", ""),
        ("none", ""),
    ],
)
def test_an_answer_names_the_id_of_a_mail_if_that_can_stand_in_a_header(post: Post, id: str, answered: str) -> None:
    match, asked = post.begin(), post.last(ALICE)
    raw = f"From: {ALICE}\r\nTo: {asked['Reply-To']}\r\nMessage-ID: {id}\r\n\r\nstatus"
    inbox.receive(post.server, raw.encode(), sender=ALICE, recipients=[str(asked["Reply-To"])])
    post.tick()
    answer = post.last(ALICE)
    assert answer["In-Reply-To"] == (answered or f"<match.{match}@pbem.test>")
    assert answer["Auto-Submitted"] == "auto-replied" and max(map(len, bytes(answer).splitlines())) < 998


def test_both_forms_of_a_mail_say_the_same(post: Post) -> None:
    post.begin()
    post.reply(ALICE, "r1 <go2>\nr9 hold")
    post.tick()
    text, html = text_of(post.last(ALICE)), html_of(post.last(ALICE))
    for word in ("r9 hold", "it is not one of your units", "Code:", "final"):
        assert word in text and word in html
    assert "r1 <go2>" in text and "r1 &lt;go2&gt;" in html, "what a player wrote is escaped"


def test_a_receipt_restates_the_orders_and_can_be_checked(post: Post) -> None:
    match = post.begin()
    post.reply(ALICE, "r1 go2\nr2 hold")
    post.tick()
    text = text_of(post.last(ALICE))
    commitment = re.findall(r"commitment ([0-9a-f]{64})", text)[0]
    receipt = views.receipt(post.server, match, commitment)
    assert receipt.genuine()
    assert all(value in text for value in (receipt.salt, receipt.signature, receipt.server, "r1 go2"))


def test_a_receipt_says_how_the_orders_were_understood_what_they_replace_and_until_when(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """§6: Even a receipt that is sent late restates the orders and gives warnings, commitment, salt, time and
    deadline."""

    def restate(rules: AmbushRules, ask: Ask, submission: Submission) -> str:
        return "\n".join(f"{unit} SHALL {order}" for unit, order in sorted(submission.answer.items()))

    monkeypatch.setattr(AmbushRules, "restate", restate, raising=False)
    match, asked = post.begin(), post.last(ALICE)
    post.reply(ALICE, "  R1   GO2 # the bridge\nr2 hold")
    post.tick()
    text = text_of(post.last(ALICE))
    assert "    r1 SHALL go2\n    r2 SHALL hold" in text and "They replace" not in text
    post.reply(ALICE, "r1 hold\nfinal", to=asked)
    post.reply(BOB, "b1 hold\nfinal")
    post.tick()
    receipt = [m for m in post.of(ALICE) if "are sealed" in m["Subject"]][-1]
    assert views.status(post.server, match).exchange == 3 and "These orders have been played" in text_of(receipt)
    assert "    r1 SHALL hold" in text_of(receipt) and "They replace the orders you sealed on" in text_of(receipt)
    signed = attached(receipt, "receipt-2.json", Receipt)
    announced = next(event for event in record_of(post.server, match).events if event.type == "deadline.set")
    assert signed.genuine() and signed.deadline == announced.payload["at"]
    assert not msgspec.structs.replace(signed, deadline=signed.deadline + 1).genuine()


def test_a_receipt_and_a_head_can_be_taken_from_the_mail_and_verified(post: Post) -> None:
    match = post.begin()
    for address, seat in ((ALICE, "r"), (BOB, "b")):
        post.reply(address, f"{seat}1 hold\nfinal")
    post.tick()
    receipt = attached(next(m for m in post.of(ALICE) if "are sealed" in m["Subject"]), "receipt-2.json", Receipt)
    head = attached(post.last(ALICE), "head-2.json", SignedHead)
    kept = read_export(export(post.server, match, "red"))
    assert verify_export(kept, heads=[head], receipts=[receipt]).ok
    forged = msgspec.structs.replace(head, event="0" * 64)
    assert not verify_export(kept, heads=[forged]).ok


def attached(message: EmailMessage, name: str, kind: type[Any]) -> Any:
    [part] = [part for part in message.iter_attachments() if part.get_filename() == name]
    return msgspec.json.decode(part.get_content(), type=kind)


def test_the_record_of_a_turn_comes_as_a_file(post: Post) -> None:
    """Rules, dice and signatures are attached as a file, because some programs cut long emails, and a phone is
    small."""
    post.begin()
    for address, orders in ((ALICE, "r1 go2\nfinal"), (BOB, "b1 go5\nfinal")):
        post.reply(address, orders)
    post.tick()
    text = text_of(post.last(ALICE))
    [part] = [part for part in post.last(ALICE).iter_attachments() if part.get_filename() == "record-turn-1.txt"]
    record = part.get_content()
    assert "Public die rolls, in order: " in record and "signature " in record and "{'unit': 'r1'}" in record
    assert "attached record-turn-1.txt" in text and "Public die rolls" not in text
    assert len(text.splitlines()) <= 60 and len(text.encode()) <= 5000


def test_the_deadline_is_attached_as_a_calendar_entry(post: Post) -> None:
    post.begin(cadence=48)
    [entry] = [part for part in post.last(BOB).walk() if part.get_content_type() == "text/calendar"]
    content = entry.get_content()
    text = content if isinstance(content, str) else content.decode()
    assert "DTSTART:20300319T1746" in text and "orders for Blue due" in text


def test_without_a_cadence_there_is_no_entry_and_the_mail_says_when_the_turn_runs(post: Post) -> None:
    post.begin(cadence=0)
    assert not [part for part in post.last(BOB).walk() if part.get_content_type() == "text/calendar"]
    assert "There is no deadline" in text_of(post.last(BOB))


def test_a_reminder_goes_to_those_who_have_sealed_nothing(post: Post) -> None:
    post.begin(cadence=48)
    post.reply(ALICE, "r1 go2\nr2 hold")
    post.tick()
    count = len(post.sent)
    post.tick(hours=37)
    [reminder] = post.sent[count:]
    assert parseaddr(reminder["To"])[1] == BOB and "are due" in reminder["Subject"]
    assert "b1 hold" in form_in(reminder)
    post.tick(hours=1)
    assert len(post.sent) == count + 1, "once"


def test_a_mail_names_no_version_of_the_log(post: Post) -> None:
    """§4: An email does not name the version of the log, which would reveal how often the opponent changed orders."""
    match = post.begin(cadence=0)
    for _ in range(40):
        submitting.submit(
            post.server, match, "blue", 2, "b1 hold", by=post.account(BOB).id, final=False, source="web"
        )
    post.reply(ALICE, "status")
    post.tick()
    version = record_of(post.server, match).version
    assert version > 40
    text = re.sub(r"[0-9a-f]{12,}|[a-z2-7]{36}", "", text_of(post.last(ALICE)))
    assert not re.search(rf"\b({version}|{version - 1}|40)\b", text)


def test_what_a_mail_says_does_not_depend_on_what_the_other_has_sealed(post: Post) -> None:
    match = post.begin()
    told = []
    for orders in ("b1 hold", "b1 ambush\nb2 ambush"):
        submitting.submit(post.server, match, "blue", 2, orders, by=post.account(BOB).id, final=False, source="web")
        post.reply(ALICE, "status")
        post.tick()
        told.append(text_of(post.last(ALICE)))
    assert told[0] == told[1]


def test_a_ruling_is_mailed_with_its_reason_and_a_fresh_form(post: Post) -> None:
    match = post.begin()
    for address, seat in ((ALICE, "r"), (BOB, "b")):
        post.reply(address, f"{seat}1 hold\nfinal")
    post.tick()
    rulings.reopen(post.server, match, after=1, reason="the map was wrong", by=post.account(BOB).id)
    post.tick()
    text = text_of(post.last(ALICE))
    assert "the map was wrong" in text and "will be played again" in text and "no longer counts" in text
    post.reply(ALICE, "r1 go2")
    post.tick()
    mine = views.status(post.server, match, "red").mine
    assert mine is not None and mine.text == "r1 go2"


class DrawnRules(AmbushRules):
    def picture(self, view: Any, viewer: str) -> str | None:
        units = "".join(f"<rect x='{unit['hex'][0] * 20}' width='9' height='9'/>" for unit in view["units"].values())
        return f"<svg xmlns='http://www.w3.org/2000/svg' width='100' height='60'>{units}</svg>"

    def describe(self, view: Any, viewer: str = "public") -> list[Message]:
        return [say("{unit} at {hex}", unit="r1", hex="A1")]


class DrawnTitle(AmbushTitle):
    def rules(self, blobs: Any) -> AmbushRules:
        return DrawnRules(super().rules(blobs).data)


def test_the_map_is_shown_inside_the_mail_where_the_title_draws_one(post: Post) -> None:
    post.server.titles["ambush"] = DrawnTitle()
    post.begin()
    message = post.last(BOB)
    [picture] = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert picture.get_content().startswith(b"\x89PNG")
    assert f'src="cid:{picture["Content-ID"].strip("<>")}"' in html_of(message)
    assert picture["Content-Disposition"].startswith("inline")
    post.reply(BOB, "map")
    post.tick()
    files = {part.get_filename(): part for part in post.last(BOB).iter_attachments()}
    assert files["map.txt"].get_content() == "r1 at A1\n"  # for readers who do not see the picture


def test_a_mail_that_cannot_be_written_is_put_off_and_the_others_go(
    post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    post.begin()
    post.reply(ALICE, "status")
    post.reply(BOB, "help")
    monkeypatch.setitem(KINDS, "status", lambda draft: 1 / 0)
    count = len(post.sent)
    post.tick()
    assert [parseaddr(message["To"])[1] for message in post.sent[count:]] == [BOB]
    assert [owed.error for owed in outbox.waiting(post.server)] == ["ZeroDivisionError: division by zero"]


def test_an_account_without_an_address_is_not_written_to(post: Post) -> None:
    post.begin()
    post.reply(ALICE, "status")
    accounts.forget(post.server, post.account(ALICE).id)
    post.tick()
    assert outbox.waiting(post.server) == []


def test_what_a_tick_has_owed_leaves_with_it(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """An email that is queued during a tick is sent in that tick, although time passes meanwhile."""
    post.begin()
    post.reply(ALICE, "r1 hold\nfinal")
    post.reply(BOB, "b1 hold\nfinal")
    clock = itertools.count(post.now + 2000, 10)
    monkeypatch.setattr(post.server.store, "clock", lambda: next(clock))
    post.tick()
    assert all("turn 1: " in post.last(address)["Subject"] for address in (ALICE, BOB))


def test_a_tick_sends_a_bounded_number_of_mails(post: Post) -> None:
    with post.server.store.transaction() as transaction:
        for number in range(30):
            outbox.queue(transaction, "nothing", at=0, key=str(number))
    send_due(post.server, post.settings, post.transport, 1)
    assert len([owed for owed in outbox.waiting(post.server) if owed.attempts == 0]) == 10


def test_every_kind_has_its_template_and_every_template_its_kind() -> None:
    found = {file.stem for file in Path(templates()).glob("[a-z]*.txt")}
    assert found == set(KINDS)
    for name in found:
        assert environment().get_template(f"{name}.txt") is not None


def test_the_code_is_the_last_line_of_a_mail(post: Post) -> None:
    """The last line of an email is its code, so any text below it in a reply is new, even without quotation marks."""
    post.begin()
    for text in ("r1 go2\nr2 hold", "status", "r9 hold", "help"):
        post.reply(ALICE, text)
        post.tick()
    with_code = [text_of(message) for message in post.sent if "Code:" in text_of(message)]
    assert len(with_code) > 5 and all(LAST_LINE.match(text.splitlines()[-1]) for text in with_code)


def test_a_mail_composed_twice_is_the_same(post: Post) -> None:
    post.begin()
    post.reply(ALICE, "status")
    post.transport, working = Nowhere(), post.transport  # type: ignore[assignment]
    post.tick()
    [owed] = outbox.waiting(post.server)
    first, second = (compose(post.server, post.settings, owed) for _ in range(2))
    assert first is not None and second is not None
    assert text_of(first) == text_of(second) and strip(first) == strip(second)
    post.transport = working


class Nowhere:
    def send(self, message: EmailMessage) -> None:
        raise OSError("nowhere")


def strip(message: EmailMessage) -> list[tuple[str, str]]:
    """Return the headers of an email, without the random boundary."""
    return [(name, value) for name, value in message.items() if name != "Content-Type"]


def test_paragraphs_become_blocks() -> None:
    text = "One\ntwo\n\n    code\n    \n    more\n\n> quoted\n- item\n  - deeper\n"
    assert [(block.kind, block.lines) for block in blocks(text)] == [
        ("text", ["One", "two"]),
        ("code", ["code", "", "more"]),
        ("quote", ["> quoted"]),
        ("list", ["- item", "  - deeper"]),
    ]
