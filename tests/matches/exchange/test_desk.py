"""A working server checks occupants, keeps secrets within seats, lets bots play, and loses nothing in a crash."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from support.hosts.engines import everything_in
from support.playing import NOON
from support.toy import AmbushRules, AmbushTitle

from pbem.engine.play.bots import Bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Rules, Submission
from pbem.matches import views
from pbem.matches.accounts import accounts, privacy
from pbem.matches.clock import deadlines, tick
from pbem.matches.exchange import advancing, creating, halting, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import load, record_of, replay
from pbem.matches.installation import open_server
from pbem.matches.post import inbox, outbox
from pbem.matches.rulings import rulings
from pbem.matches.server import Server


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)


def begin(server: Server, cadence: int = 0) -> tuple[str, str, str]:
    """Start a match with Ann in red and Bob in blue; return the ids of the match and of both."""
    match = creating.new_match(server, "ambush", "tiny", cadence=cadence)
    ann, bob = (accounts.open_account(server, f"{name}@example.org", name.title()).id for name in ("ann", "bob"))
    take_seat(server, match, "red", ann)
    take_seat(server, match, "blue", bob)
    return match, ann, bob


def submit(server: Server, match: str, seat: str, text: str, by: str, **more: Any) -> Any:
    more = {"final": False, "source": "web", **more}
    return submitting.submit(server, match, seat, record_of(server, match).open_exchange, text, by=by, **more)


# Occupants ---------------------------------------------------------------------------------------------------


def test_only_the_occupant_acts_for_a_seat(server: Server) -> None:
    match, ann, bob = begin(server)
    with pytest.raises(Refusal, match="that is not your seat"):
        submit(server, match, "red", "r1 go2", bob)
    submit(server, match, "red", "r1 go2", ann)
    for act in (submitting.finalise, submitting.withdraw):
        with pytest.raises(Refusal, match="that is not your seat"):
            act(server, match, "red", 2, by=bob)


def test_a_line_final_makes_orders_final_from_every_source(server: Server) -> None:
    match, ann, _ = begin(server)
    submit(server, match, "red", "r1 go2\nFinal.", ann)
    mine = views.status(server, match, "red").mine
    assert mine == views.Mine(asked=True, sealed=True, final=True, text="r1 go2")


def test_a_receipt_can_be_had_again_and_is_the_same(server: Server) -> None:
    match, ann, _ = begin(server)
    receipt = submit(server, match, "red", "r1 go2", ann)
    assert views.receipt(server, match, receipt.commitment) == receipt
    assert receipt.genuine()


def test_only_mail_is_answered_by_mail(server: Server) -> None:
    match, ann, _ = begin(server)
    submit(server, match, "red", "r1 go2", ann)
    assert not [owed for owed in outbox.waiting(server) if owed.kind == "receipt"]
    submit(server, match, "red", "r1 go2", ann, source="mail", message_id="<1@x>")
    [owed] = [owed for owed in outbox.waiting(server) if owed.kind == "receipt"]
    assert owed.about["message_id"] == "<1@x>"


def test_withdrawn_orders_do_not_count(server: Server) -> None:
    match, ann, _ = begin(server)
    submit(server, match, "red", "r1 go2", ann)
    submitting.withdraw(server, match, "red", 2, by=ann)
    assert views.status(server, match, "red").mine == views.Mine(asked=True, sealed=False, final=False)


# Views -------------------------------------------------------------------------------------------------------


def test_what_is_sealed_is_shown_to_its_seat_alone(server: Server) -> None:
    match, ann, _ = begin(server)
    before = views.status(server, match, "blue")
    submit(server, match, "red", "r1 go2", ann)
    assert views.status(server, match, "blue") == before
    assert views.status(server, match, "public").mine is None
    assert views.open_form(server, match, "red").sealed == "r1 go2"
    assert views.open_form(server, match, "blue").sealed == ""


def test_a_report_tells_each_viewer_what_he_may_know(server: Server) -> None:
    match, ann, bob = begin(server)
    submit(server, match, "red", "r1 ambush", ann, final=True)
    submit(server, match, "blue", "b1 hold", bob, final=True)
    told = {viewer: views.report(server, match, viewer, 2) for viewer in ("red", "blue", "public")}
    assert any("ambush" in str(line.text) for line in told["red"].told)
    assert not any("ambush" in str(line.text) for viewer in ("blue", "public") for line in told[viewer].told)
    assert len({report.head.signature for report in told.values()}) == 1
    assert told["red"].turn == 1 and told["red"].rolls == told["blue"].rolls != []


def test_automatic_answers_are_told_to_their_seat_in_words(server: Server) -> None:
    match, ann, bob = begin(server)
    card = load(server, match).run.view("red")["hands"]["red"] or [9]
    submit(server, match, "red", f"card {card[0] + 10}", ann, final=True)
    submit(server, match, "blue", "", bob, final=True)
    lines = [str(line.text) for line in views.report(server, match, "red", 2).told if line.rule == "pbem/answered"]
    assert len(lines) == 1 and "answered by default" in lines[0] and "you do not hold that card" in lines[0]


@pytest.mark.parametrize(("viewer", "exchange"), [("red", 9), ("nobody", 1)])
def test_there_is_no_report_of_what_has_not_happened_or_for_nobody(
    server: Server, viewer: str, exchange: int
) -> None:
    match, _, _ = begin(server)
    with pytest.raises(Refusal, match="no report has that number"):
        views.report(server, match, viewer, exchange)


def test_a_negative_cadence_is_refused(server: Server) -> None:
    with pytest.raises(Refusal, match="number of hours"):
        creating.new_match(server, "ambush", "tiny", cadence=-1)


# Bots --------------------------------------------------------------------------------------------------------


class WatchedRules(AmbushRules):
    """Rules whose bot records the view that it is given."""

    seen: list[Any]

    def bot(self, seed: object) -> Bot:
        def answer(rules: Rules, view: Any, ask: Ask) -> Submission:
            self.seen.append((view, ask.seat))
            return Submission({"r9": "nonsense"}) if ask.kind == "orders" else Submission(None)

        return answer


class WatchedTitle(AmbushTitle):
    seen: list[Any]

    def __init__(self) -> None:
        self.seen = []

    def rules(self, blobs: Any) -> AmbushRules:
        rules = WatchedRules(super().rules(blobs).data)
        rules.seen = self.seen
        return rules


def test_a_bot_answers_from_its_seats_view_and_a_refused_bot_plays_the_default(tmp_path: Path) -> None:
    title = WatchedTitle()
    server = open_server(tmp_path / "pbem.db", {"ambush": title}, clock=lambda: NOON)
    match = creating.new_match(server, "ambush", "tiny")
    ann = accounts.open_account(server, "ann@example.org").id
    take_seat(server, match, "red", ann)
    take_seat(server, match, "blue", accounts.open_bot(server, "ambush").id)
    assert title.seen == [(load(server, match).run.view("blue"), "blue")]
    submit(server, match, "red", "r1 ambush", ann, final=True)
    assert views.status(server, match).exchange == 3, "the bot had answered, so the turn ran at once"
    assert all(unit["order"] in ("", "?") for view, _ in title.seen for unit in view["units"].values())


def test_bots_among_themselves_play_to_the_end_and_get_no_mail(server: Server) -> None:
    match = creating.new_match(server, "ambush", "small", reactions="ask")
    for seat in ("red", "blue"):
        take_seat(server, match, seat, accounts.open_bot(server, "random").id)
    for _ in range(20):
        tick.tick(server, NOON)
    assert views.status(server, match).state == "over"
    assert outbox.waiting(server) == []


def test_the_random_bot_is_not_to_be_guessed(server: Server) -> None:
    """The random bot cannot be predicted: matches that differ only in the seed drawn get different answers."""
    answers = set()
    for _ in range(12):
        match = creating.new_match(server, "ambush", "small")
        take_seat(server, match, "red", accounts.open_bot(server, "random").id)
        take_seat(server, match, "blue", accounts.open_account(server, "ann@example.org").id)
        sealed = record_of(server, match).sealed["red"]
        answers.add(server.store.part(sealed.parts[0].commitment).content)
    assert len(answers) > 1


# Rulings and halts -------------------------------------------------------------------------------------------


def test_a_ruling_is_told_to_all_and_what_is_answered_again_gets_the_full_time(tmp_path: Path) -> None:
    time = [NOON]
    server = open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: time[0])
    match, ann, bob = begin(server, cadence=24)
    submit(server, match, "red", "", ann, final=True)
    submit(server, match, "blue", "", bob, final=True)
    time[0] += 20 * deadlines.HOUR
    rulings.reopen(server, match, after=1, reason="a unit was missing", by=ann)
    for _ in range(2):
        tick.tick(server, time[0])
        server.store.drop_projection("desk")  # reading the events again notifies nobody twice
    told = [owed for owed in outbox.waiting(server) if owed.kind == "ruling"]
    assert sorted(owed.seat for owed in told) == ["blue", "red"]
    assert told[0].about["reason"] == "a unit was missing" and told[0].about["after"] == 1
    deadline = views.status(server, match).deadline
    assert deadline is not None and deadline.at == time[0] + 24 * deadlines.HOUR


def test_the_time_of_a_halt_is_given_back(tmp_path: Path) -> None:
    time = [NOON]
    server = open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: time[0])
    match, _, _ = begin(server, cadence=24)
    halting.halt(server, record_of(server, match), 1, RuntimeError("a bug"))
    time[0] += 30 * deadlines.HOUR
    tick.tick(server, time[0])
    assert views.status(server, match).state == "halted"
    advancing.resume_halted(server, match)
    tick.tick(server, time[0])
    status = views.status(server, match)
    assert status.state == "open" and status.exchange == 2
    assert status.deadline is not None and status.deadline.at == NOON + 54 * deadlines.HOUR
    assert "halted" in str(status.deadline.why)


def test_a_forgotten_account_leaves_no_word_behind(server: Server) -> None:
    match, ann, _ = begin(server)
    submit(server, match, "red", "r1 go2", ann, source="mail", message_id="<secret@home>")
    kept = inbox.receive(server, b"From: ann@example.org")
    with server.store.transaction() as transaction:
        inbox.mark(transaction, kept, inbox.APPLIED, account=ann)
    privacy.forget(server, ann)
    assert views.status(server, match).seats["red"] == ann
    content = everything_in(server)
    assert b"ann@example.org" not in content and b"<secret@home>" not in content


# By itself ---------------------------------------------------------------------------------------------------


class Died(BaseException):
    """Raised where the simulated process is killed."""


@pytest.mark.parametrize("point", ["close:after-commit", "resolve:before-commit", "resolve:after-commit"])
def test_a_crash_while_resolving_loses_no_report_and_repeats_none(tmp_path: Path, point: str) -> None:
    armed: list[str] = []

    def failpoint(name: str) -> None:
        if name in armed:
            armed.remove(name)
            raise Died

    server = open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON, failpoint=failpoint)
    match, ann, bob = begin(server, cadence=24)
    submit(server, match, "red", "r1 go2", ann, final=True)
    armed.append(point)
    with pytest.raises(Died):
        submit(server, match, "blue", "b1 hold", bob, final=True)
    server.close()

    again = open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)
    tick.recover(again)
    tick.tick(again, NOON)
    owed = [(row.kind, row.seat, row.exchange) for row in outbox.waiting(again) if row.kind == "report"]
    assert sorted(owed) == [("report", "blue", 2), ("report", "red", 2)]
    record = record_of(again, match)
    assert [event.payload["exchange"] for event in record.events if event.type == "deadline.set"] == [2, 3]
    assert deadlines.deadline_of(record) is not None


def test_one_match_that_cannot_go_on_does_not_stop_the_others(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = begin(server)[0], creating.new_match(server, "ambush", "tiny")
    advance = advancing.advance
    touched: list[str] = []

    def stumble(server: Server, match: str, *more: int) -> None:
        touched.append(match)
        if match == bad:
            raise RuntimeError("a bot lost its head")
        advance(server, match, *more)

    monkeypatch.setattr(advancing, "may_go_on", lambda server, match: True)
    monkeypatch.setattr(advancing, "advance", stumble)
    tick.tick(server, NOON)
    assert sorted(touched) == sorted([bad, good])
    assert "a bot lost its head" in caplog.text


def test_players_and_the_tick_at_once_resolve_every_exchange_once(tmp_path: Path) -> None:
    server = open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()})
    started = [begin(server) for _ in range(3)]
    problems: list[BaseException] = []

    def player(seat: str, place: int) -> None:
        while running := [match for match in started if views.status(server, match[0]).state != "over"]:
            for match in running:
                try:
                    submit(server, match[0], seat, "", match[place], final=True)
                except Refusal:
                    continue  # the exchange closed in the meantime
                except BaseException as problem:
                    problems.append(problem)
                    return

    def clock() -> None:
        for _ in range(20):
            tick.tick(server, NOON)

    threads = [threading.Thread(target=player, args=("red", 1)), threading.Thread(target=player, args=("blue", 2))]
    threads.append(threading.Thread(target=clock))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert problems == []
    for match, _, _ in started:
        replay(server, match)
        owed = [row.kind for row in outbox.waiting(server) if row.match == match]
        assert sorted(set(owed)) == ["orders", "over", "report"]
        assert len(owed) == 2 * record_of(server, match).last


def test_a_tick_looks_only_at_matches_that_something_happened_to(server: Server) -> None:
    begin(server)
    tick.tick(server, NOON)
    tick.tick(server, NOON)
    assert tick.tick(server, NOON) == []


def test_a_changed_title_is_replayed_at_the_next_start(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """§9: When a title's fingerprint has changed, its matches are replayed once at the next start."""
    begin(server)
    looked: list[str] = []
    monkeypatch.setattr(tick, "look_again", lambda server, match: looked.append(match))
    tick.recover(server)
    tick.recover(server)
    assert len(looked) == 1
    monkeypatch.setattr(tick, "fingerprint", lambda module: "another")
    tick.recover(server)
    assert len(looked) == 2


# Work that is not done twice ---------------------------------------------------------------------------------


def test_one_look_reads_a_match_once_and_sees_what_it_changes_itself(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, ann, _ = begin(server)
    reads: list[str] = []
    newest = server._newest
    monkeypatch.setattr(server, "_newest", lambda stream: reads.append(stream) or newest(stream))
    with server.one_look():
        before = record_of(server, match)
        assert record_of(server, match) is before and reads == [f"match/{match}"]
        submit(server, match, "red", "r1 go2", ann)
        assert "red" in record_of(server, match).sealed
    record_of(server, match)
    record_of(server, match)
    assert len(reads) >= 3, "outside a look everything is read again"


def test_a_match_that_waits_for_a_person_is_not_advanced(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    match, ann, bob = begin(server)
    server.later = lambda match: None
    advanced: list[str] = []
    tick.work_round(server)
    submit(server, match, "red", "r1 go2", ann, final=True)
    assert tick.work_round(server, advance=advanced.append) == [match] and not advanced
    submit(server, match, "blue", "b1 hold", bob, final=True)
    tick.work_round(server, advance=advanced.append)
    assert advanced == [match]
