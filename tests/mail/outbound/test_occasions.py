"""Emails for every occasion: their recipients, their contents, and whether a phone can show them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

import pytest
from support.postbox import Pile, text_of
from support.seated import Table

from pbem.mail.outbound.compose import KINDS, send_due, templates
from pbem.mail.settings import Settings
from pbem.matches import views
from pbem.matches.accounts import accounts, preferences
from pbem.matches.clock import outages
from pbem.matches.clock.deadlines import HOUR, SECOND
from pbem.matches.clock.watch import Lapse
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history import beacons
from pbem.matches.history.beacons import Beacon, Terms
from pbem.matches.players import drafts, invitations, substitutes
from pbem.matches.players.requests import CARRYING
from pbem.matches.post import inbox, notifications, outbox, reply_tokens
from pbem.matches.rulings import disputes, powers
from pbem.tournaments import director, entries, results, rounds, stream
from pbem.tournaments import tick as cups
from pbem.tournaments.model import Settings as CupSettings

SETTINGS = Settings(domain="pbem.test", base_url="https://pbem.test")
ANN, BOB, MAX = "ann@example.org", "bob@example.org", "max@example.org"


class Desk(Table):
    """A match whose outgoing emails the test reads."""

    def post(self) -> list[EmailMessage]:
        """Return the emails that are sent now."""
        sent: list[EmailMessage] = []
        for _ in range(5):
            send_due(self.server, SETTINGS, Pile(sent), self.now)
        return sent

    def mails(self, to: str, subject: str = "") -> list[EmailMessage]:
        return [m for m in self.post() if parseaddr(m["To"])[1] == to and subject in m["Subject"]]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Desk]:
    table = Desk(tmp_path)
    yield table
    assert outbox.failed_emails(table.server) == [] and not [o for o in outbox.waiting(table.server) if o.attempts]
    table.server.close()


def one(mails: list[EmailMessage]) -> str:
    assert len(mails) == 1, [mail["Subject"] for mail in mails]
    return text_of(mails[0])


# Occasions ---------------------------------------------------------------------------------------------------


def test_missed_while_there_is_grace(table: Desk) -> None:
    table.begin(48, grace=6)
    table.say("red", "r1 go2")
    table.wait(49)
    text = one(table.mails(BOB, "missed the deadline"))
    assert "You can still send orders until Tue 19 Mar 2030, 23:46 UTC." in text
    assert "b1 hold" in text, "the form"


def test_missed_and_closed(table: Desk) -> None:
    table.begin(48)
    table.say("red", "r1 go2")
    table.wait(48)
    sent = table.post()
    text = one([m for m in sent if m["To"] == BOB and "missed the deadline" in m["Subject"]])
    assert "Your standing orders were played for you" in text and "r1 moves" in text and "record-turn-1.txt" in text
    assert not [m for m in sent if m["To"] == BOB and "report for" in m["Subject"]], "one mail, not two"


def test_a_reminder_never_reaches_one_whose_orders_are_in(table: Desk) -> None:
    """A reminder is not sent to a player whose orders are in, even if they were sealed after it was queued."""
    table.begin(48)
    table.say("red", "r1 go2\nfinal")
    table.post()
    table.wait(40)
    assert [owed.seat for owed in table.owed("reminder")] == ["blue"]
    table.say("blue", "b1 hold")
    assert table.mails(BOB, "are due") == []


def test_extension_asked_and_granted(table: Desk) -> None:
    table.begin(48, master=True, extensions=0)
    table.say("red", "extend 12")
    sent = table.post()
    asked = {m["To"]: text_of(m) for m in sent if "asks for more time" in m["Subject"]}
    assert asked.keys() == {BOB, MAX}
    assert 'reply with the line "extend"' in asked[BOB] and "You are the game master" in asked[MAX]
    table.say("blue", "extend")
    assert "The deadline is now: Wed 20 Mar 2030, 05:46 UTC" in one(table.mails(ANN, "more time"))


def test_of_the_clock_of_a_closed_exchange_and_of_an_offer_made_in_it_nobody_is_told(table: Desk) -> None:
    """If the orders that close an exchange also ask for time and offer a draw, the opponent gets no email about
    either."""
    table.begin(48, extensions=1)
    table.post()
    table.say("blue", "b1 go5\nfinal")
    table.say("red", "r1 go2\nextend 12\ndraw\nfinal")
    subjects = {message["Subject"] for message in table.post() if message["To"] == BOB}
    assert any("turn 1: " in subject for subject in subjects)
    assert not any("more time" in subject or "draw" in subject for subject in subjects), subjects


def test_pause_and_the_story_so_far(table: Desk) -> None:
    table.begin(48, master=True)
    table.play(("red", "r1 go2"))
    table.post()
    powers.pause(table.server, table.match, days=90, why="harvest", by=table.master)
    assert "harvest" in one(table.mails(ANN, "is paused"))
    powers.go_on(table.server, table.match, why="all is in", by=table.master)
    text = one(table.mails(ANN, "continues"))
    assert "The story so far" in text and "{'unit': 'r1'}" in text and "all is in" in text and "r2 hold" in text


def test_outage(table: Desk) -> None:
    table.begin(48)
    table.post()
    outages.record_outage(table.server, table.now - 3_600_000, table.now + 3_600_000, "a storm")
    outages.settle_all(table.server)
    text = one(table.mails(ANN, "Your deadlines have been postponed"))
    assert "No deadline passed in that time" in text and "your orders are due" in text


def test_the_notice_of_an_outage_names_the_deadline_that_counts(table: Desk) -> None:
    """The notice of an outage names the current deadline, even if it is written before the match was checked."""
    table.begin(48)
    table.post()
    outages.record_outage(table.server, table.now, table.now + 3 * HOUR, "asleep")
    notifications.catch_up(table.server)
    text = one(table.mails(ANN, "Your deadlines have been postponed"))
    assert "Tue 19 Mar 2030, 20:46 UTC" in text, "three hours after the first one"


def test_a_change_of_the_clock_and_its_correction_are_announced_with_the_deadlines_that_count(table: Desk) -> None:
    """Players who were told a deadline a year away are told when it is brought forward again."""
    table.begin(48)
    table.post()
    year = 365 * 24 * HOUR
    outages.record_lapse(
        table.server, Lapse(table.now - SECOND, table.now + year, 0, year, "the clock was set ahead")
    )
    notifications.catch_up(table.server)
    ahead = one(table.mails(ANN, "Your deadlines have been postponed"))
    assert "clock was set ahead by 365 days" in ahead and "17:46 UTC" in ahead and "2031" in ahead
    outages.record_lapse(table.server, Lapse(table.now + year, table.now, 0, -year, "the clock was set back"))
    notifications.catch_up(table.server)
    back = one(table.mails(ANN, "The server's clock was set right"))
    assert "clock was set back by 365 days" in back and "Tue 19 Mar 2030, 17:46 UTC" in back


def test_press(table: Desk) -> None:
    table.begin(48, master=True)
    table.post()
    table.say("red", "press blue:\nDear Bob,\nCode: <b>x</b>\nend\npress master: a word")
    sent = table.post()
    text = one([m for m in sent if m["To"] == BOB])
    assert "Red writes to Blue:" in text and "    Code: <b>x</b>" in text
    assert "a word" in one([m for m in sent if m["To"] == MAX])
    html = next(m for m in sent if m["To"] == BOB).get_body(("html",))
    assert html is not None and "<b>x</b>" not in html.get_content()


def test_dispute_and_its_answer(table: Desk) -> None:
    table.begin(48, master=True)
    table.play()
    table.post()
    table.say("red", "dispute 1: r1 was elsewhere")
    assert "    r1 was elsewhere" in one(table.mails(MAX, "dispute 1 about turn 1"))
    disputes.settle(table.server, table.match, 1, "It was not.", by=table.master)
    table.wait()
    assert "It was not." in one(table.mails(BOB, "dispute 1"))


def test_nobody_keeps_the_secrets_without_the_knowledge_of_all(table: Desk) -> None:
    table.begin(48)
    table.play()
    table.post()
    table.say("red", "keep secrets")
    assert 'reply with the line "keep secrets"' in one(table.mails(BOB, "Red wants secrets to stay sealed"))
    table.say("blue", "keep secrets")
    assert "All players have agreed" in one(table.mails(BOB, "secrets stay sealed after the end"))
    table.say("blue", "resign")
    assert "Secret orders stay sealed for good, as agreed" in one(table.mails(BOB, "is over"))


def test_an_offer_of_a_draw_and_the_end(table: Desk) -> None:
    table.begin(48)
    table.play()
    table.post()
    table.say("red", "draw")
    assert 'reply with the line "draw"' in one(table.mails(BOB, "Red offers a draw"))
    table.say("blue", "draw")
    text = one(table.mails(ANN, "is over"))
    assert "The match ends in a draw." in text and "agreed on a draw." in text and "record-turn-1.txt" in text


def test_a_resignation_congratulates_the_other(table: Desk) -> None:
    table.begin(48)
    table.post()
    table.say("red", "resign")
    assert "You have won: congratulations." in one(table.mails(BOB, "is over"))


def test_a_seat_that_changes_hands(table: Desk) -> None:
    table.begin(48, missed="substitute")
    table.play()
    substitutes.stand_by(table.server, table.match, table.account("eve"))
    table.say("red", "r1 hold")
    table.post()
    table.wait(48)
    sent = table.post()
    new = one([m for m in sent if m["To"] == "eve@example.org"])
    assert "You have taken over the seat Blue" in new and "The story so far" in new and "b1 hold" in new
    assert "You no longer have the seat Blue (missed deadlines)" in one([m for m in sent if m["To"] == BOB])
    assert "Eve has taken over." in one([m for m in sent if m["To"] == ANN])


# Emails on request -------------------------------------------------------------------------------------------


def owe(table: Desk, kind: str, to: str = "red", **about: object) -> None:
    with table.server.store.transaction() as transaction:
        place = {"account": table.who[to], "match": table.match, "exchange": 2, "seat": to}
        outbox.queue(transaction, kind, at=table.now, key=f"{about}", about=about, **place)


def test_status_tells_what_was_said_beforehand_and_to_its_seat_alone(table: Desk) -> None:
    table.begin(48)
    table.say("red", "doctrine: ambush\nabsent 1 May to 3 May")
    table.post()
    for seat, address in (("red", ANN), ("blue", BOB)):
        owe(table, "status", seat, note="")
        text = one(table.mails(address, "status for"))
        assert ("Your standing orders:\n\n    ambush\n" in text) == (seat == "red")
        assert "Red is away from Wed 1 May 2030" in text, "everybody may know"


def test_history_and_map(table: Desk) -> None:
    table.begin(48)
    table.play(("red", "r1 go2"))
    table.post()
    owe(table, "history", number=2)
    owe(table, "history", number=0)
    owe(table, "map")
    again = table.mails(ANN)
    assert [m["Subject"] for m in again] == [
        "ambush tiny: the report on turn 1 for Red",
        "ambush tiny: the report on turn 1 for Red",
        "ambush tiny: the map for Red",
    ]
    assert "r1 moves" in text_of(again[0])


def test_help_names_every_word(table: Desk) -> None:
    table.begin(48)
    table.post()
    owe(table, "help", problem="")
    text = one(table.mails(ANN))
    missing = [word for word in CARRYING if f"- {word}" not in text]
    assert missing == []


# Preferences -------------------------------------------------------------------------------------------------


def test_only_mine_to_move_leaves_out_reports_that_ask_nothing(table: Desk) -> None:
    table.begin(48)
    preferences.set_profile(table.server, table.who["red"], preferences.Profile(mails="mine"))
    table.post()
    table.play()
    assert len(table.mails(ANN)) == 1, "it asks for the next orders"


def test_a_digest_takes_the_place_of_single_reports_and_not_of_what_is_urgent(table: Desk) -> None:
    table.begin(48)
    preferences.set_profile(table.server, table.who["red"], preferences.Profile(mails="digest"))
    table.play()
    assert table.mails(ANN) == []
    table.wait(26)
    assert [m["Subject"] for m in table.mails(ANN)] == ["Your matches today: 1 waits for you"]
    table.wait(14)
    assert len(table.mails(ANN, "are due")) == 1, "a reminder does not wait"


def test_a_digest_says_what_happened_and_can_be_answered(table: Desk) -> None:
    """A digest says what happened and can be answered, so a player who reads one email a day can play by it."""
    table.begin(96)
    table.post()
    preferences.set_profile(table.server, table.who["red"], preferences.Profile(mails="digest"))
    table.play(("red", "r1 go2"))
    assert table.mails(ANN) == []
    table.wait(26)
    [digest] = table.mails(ANN)
    text = text_of(digest)
    assert "What happened in turn 1 (report 2):" in text and "4.1 {'unit': 'r1'}" in text
    assert f"    {views.open_form(table.server, table.match, 'red').text.splitlines()[0]}" in text
    token = SETTINGS.token_in(digest["Reply-To"])
    assert token and reply_tokens.read(table.server, token).match == table.match and f"Code: {token}" in text
    table.play()
    table.wait(24)
    assert "report 2" not in one(table.mails(ANN)), "what one digest has told the next does not tell again"


def test_a_digest_of_two_matches_counts_for_neither_and_names_both_addresses(table: Desk) -> None:
    preferences.set_profile(table.server, table.who["red"], preferences.Profile(mails="digest"))
    matches = {table.begin(96), table.begin(96)}
    assert table.mails(ANN) == []
    table.wait(26)
    [digest] = table.mails(ANN)
    assert SETTINGS.token_in(digest["Reply-To"]) == "" and "2 wait for you" in digest["Subject"]
    written = [reply_tokens.read(table.server, word) for word in reply_tokens.find(text_of(digest))]
    assert {token.match for token in written} == matches


def test_a_reminder_says_that_a_draft_will_be_sealed_if_its_writer_asked_for_that(table: Desk) -> None:
    match = table.begin(48)
    table.post()
    ann, bob = table.who["red"], table.who["blue"]
    drafts.save(table.server, match, "red", ann, 2, "r1 hold", 0, at_deadline=True)
    drafts.save(table.server, match, "blue", bob, 2, "b1 hold", 0, at_deadline=False)
    table.wait(40)
    reminders = {mail["To"]: text_of(mail) for mail in table.post() if "are due" in mail["Subject"]}
    assert "Your draft will be sealed at the deadline, as you asked" in reminders[ANN]
    assert "If you send nothing by then" in reminders[BOB]


def test_instants_are_shown_in_the_reader_s_zone(table: Desk) -> None:
    table.begin(48)
    preferences.set_profile(table.server, table.who["red"], preferences.Profile(zone="Asia/Tokyo"))
    sent = {m["To"]: text_of(m) for m in table.post()}
    assert "Deadline: Wed 20 Mar 2030, 02:46 Asia/Tokyo" in sent[ANN]
    assert "Deadline: Tue 19 Mar 2030, 17:46 UTC" in sent[BOB]


def test_who_has_said_nothing_of_his_clock_reads_that_of_the_match(table: Desk) -> None:
    table.begin(48, zone="Europe/Berlin")
    assert "Deadline: Tue 19 Mar 2030, 18:46 Europe/Berlin" in one(table.mails(BOB))
    [done] = table.say("blue", "extend 12")
    assert str(done.note) == "The deadline is now Wed 20 Mar 2030, 06:46 Europe/Berlin."


def test_a_muted_account_gets_nothing_unasked(table: Desk) -> None:
    table.begin(48, master=True)
    table.say("red", "r1 hold")
    table.post()
    accounts.mute(table.server, table.who["red"])
    table.say("blue", "press red: hello\nextend\ndraw")
    powers.pause(table.server, table.match, days=3, why="x", by=table.master)
    assert table.mails(ANN) == []


# On a phone --------------------------------------------------------------------------------------------------

UNBREAKABLE = re.compile(r"https?://\S+|\S+@\S+|[0-9a-f]{32,}|[a-z2-7]{36}")


def test_every_kind_has_a_template_and_every_template_a_kind() -> None:
    files = {file.stem for file in templates().glob("[!_]*.txt")}
    assert files == set(KINDS)


def mails_of_a_tournament(table: Desk) -> list[EmailMessage]:
    """Run a tournament for two invited players through one round, a message and a reminder; return its emails."""
    settings = CupSettings("Autumn Cup", "ambush", scenarios=("tiny",), confirm_days=7, rounds=2)
    place = (table.server, stream.open_tournament(table.server, settings, table.master).id)
    content = f"name,account\nAnn,{table.who['red']}\nBob,{table.who['blue']}\n".encode()
    assert not entries.import_list(*place, content, by=table.master).mistakes
    cups.tick(table.server, table.now)
    sent = table.post()
    for account in table.who.values():
        entries.confirm(*place, account)
    rounds.pair(*place, by=table.master)
    rounds.start(*place, by=table.master)
    cups.tick(table.server, table.now)
    director.message(*place, "Round 2 starts on Monday.", by=table.master)
    director.remind(*place, [1], by=table.master)
    results.by_hand(*place, 1, 1, ("won", "lost"), "played at the club", by=table.master)
    rounds.close(*place, by=table.master)
    cups.tick(table.server, table.now)
    owe(table, "tournament-answer", tournament=place[1], text="Your entry is confirmed.")
    return [*sent, *table.post()]


def a_mail_of_every_kind(table: Desk) -> dict[str, EmailMessage]:
    """Play one match in which emails of every kind are sent; return one of each kind."""
    table.begin(48, master=True, grace=3, extensions=0)
    sent = table.post()
    table.say("red", "r1 go2\nextend\npress all: hello\ndraw")
    for hours in (40, 9, 7):
        table.wait(hours)
        sent += table.post()
    outages.record_outage(table.server, table.now - HOUR, table.now, "asleep")
    table.say("red", "dispute 1: no")
    powers.pause(table.server, table.match, days=3, why="x", by=table.master)
    powers.go_on(table.server, table.match, why="x", by=table.master)
    invited = creating.new_match(table.server, "ambush", "tiny", cadence=24)
    invitations.invite(table.server, invited, "red", "eve@example.org")
    beacons.offer(table.server.database, Beacon(Terms("night", 1, 30), file="values"))
    waiting = creating.new_match(table.server, "ambush", "tiny", beacon="night")
    for seat in ("red", "blue"):
        take_seat(table.server, waiting, seat, table.who[seat])
    preferences.ask_address(table.server, table.who["red"], "ann@work.example")
    held = inbox.receive(table.server, b"From: x@y\n\nr1 hold")
    with table.server.store.transaction() as transaction:
        place = {"account": table.who["red"], "match": table.match, "seat": "red", "exchange": 3}
        inbox.mark(transaction, held, inbox.HELD, "", about={"text": "r1 hold", "final": False}, **place)
    wrong = {"line": "r9", "objections": [{"rule": "1", "why": "no"}], "instead": ["r1"]}
    taken = next(event for event in table.record.events if event.type == "order.sealed")
    for kind, about in {
        "status": {"note": ""},
        "help": {"problem": ""},
        "map": {},
        "history": {"number": 2},
        "trial": {"text": "card"},
        "refused": {"lines": ["r9"], "refusals": [wrong]},
        "receipt": {"commitment": taken.parts[0].commitment},
        "confirm": {"inbound": held, "doubt": "the sender was x@y"},
        "ruling": {"what": "reopened", "reason": "x", "after": 2},
        "returned": {"who": "blue", "why": "550", "invited": False, "master": True},
        "joined": {},
        "left": {"seat_left": "blue", "reason": "x"},
        **{kind: {} for kind in ("sign-in", "digest")},
        "master-answer": {"text": "All players have 24 more hours."},
        "account": {"text": "You have no matches."},
        "alert": {"troubles": ["The disk is nearly full."]},
        "press-report": {"author": "blue", "text": "A rude letter.", "why": "insults", "number": 1},
    }.items():
        owe(table, kind, **about)
    sent += table.post()
    sent += mails_of_a_tournament(table)
    table.say("red", "resign")
    owe(table, "over")
    sent += table.post()
    kinds = dict(table.server.database.execute("SELECT id, kind FROM outbox").fetchall())
    return {kinds[m["Message-ID"].partition("@")[0].strip("<")]: m for m in sent}


def test_a_mail_of_every_kind_is_fit_for_a_phone_and_a_screen_reader(table: Desk) -> None:
    """Emails of every kind fit in forty columns, except for links, addresses and hashes; both the text form and the
    HTML form exist, and neither fetches anything."""
    mails = a_mail_of_every_kind(table)
    assert set(mails) == set(KINDS)
    for kind, message in mails.items():
        for word in text_of(message).split():
            bare = word.strip("«»“”().,;:\"'")
            assert len(bare) <= 40 or UNBREAKABLE.fullmatch(bare), (kind, word)
        html = message.get_body(("html",)).get_content()  # type: ignore[union-attr]
        assert '<html lang="en">' in html and "<title>" in html
        fetched = re.findall(r"(?:src|background|data)\s*=\s*\"(?!cid:)|<(?:link|script|iframe|form)|url\(", html)
        assert not fetched and all("alt=" in image for image in re.findall(r"<img[^>]*>", html)), kind


def test_every_mail_to_a_player_can_be_stopped_with_one_click_and_belongs_to_its_thread(table: Desk) -> None:
    for kind, message in a_mail_of_every_kind(table).items():
        if kind != "invitation":
            assert "List-Unsubscribe=One-Click" in message["List-Unsubscribe-Post"], kind
            assert re.search(r"<mailto:\S+>, <https://pbem.test/stop/\w+>", message["List-Unsubscribe"]), kind
        if kind not in ("help", "sign-in", "address", "digest", "outage"):
            root = "<tournament." if kind.startswith("tournament-") else "<match."
            assert root in message["References"], kind
        assert message["Auto-Submitted"] != "no" and message["X-Auto-Response-Suppress"] == "All"
