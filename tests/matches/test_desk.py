"""The desk: occupants are checked, secrets stay with their seat, bots play, and a crash loses nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playing import NOON
from toy import AmbushRules, AmbushTitle

from pbem.engine.asks import Ask
from pbem.engine.bots import Bot
from pbem.engine.refusals import Refusal
from pbem.engine.title import Rules, Submission
from pbem.matches import accounts, acts, deadlines, desk, outbox
from pbem.matches.house import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    return desk.open_house(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)


def begin(house: House, cadence: int = 0) -> tuple[str, str, str]:
    """A match with Ann in red and Bob in blue."""
    match = desk.new_match(house, "ambush", "tiny", cadence=cadence)
    ann, bob = (accounts.open_account(house, f"{name}@example.org", name.title()).id for name in ("ann", "bob"))
    desk.take_seat(house, match, "red", ann)
    desk.take_seat(house, match, "blue", bob)
    return match, ann, bob


def submit(house: House, match: str, seat: str, text: str, by: str, **more: Any) -> Any:
    more = {"final": False, "source": "web", **more}
    return desk.submit(house, match, seat, acts.read(house, match).open_exchange, text, by=by, **more)


# Occupants ---------------------------------------------------------------------------------------------------


def test_only_the_occupant_acts_for_a_seat(house: House) -> None:
    match, ann, bob = begin(house)
    with pytest.raises(Refusal, match="you do not sit there"):
        submit(house, match, "red", "r1 go2", bob)
    submit(house, match, "red", "r1 go2", ann)
    for act in (desk.finalise, desk.withdraw):
        with pytest.raises(Refusal, match="you do not sit there"):
            act(house, match, "red", 2, by=bob)


def test_a_line_final_makes_orders_final_from_every_source(house: House) -> None:
    match, ann, _ = begin(house)
    submit(house, match, "red", "r1 go2\nFinal.", ann)
    mine = desk.status(house, match, "red").mine
    assert mine == desk.Mine(asked=True, sealed=True, final=True, text="r1 go2")


def test_a_receipt_can_be_had_again_and_is_the_same(house: House) -> None:
    match, ann, _ = begin(house)
    receipt = submit(house, match, "red", "r1 go2", ann)
    assert desk.receipt(house, match, receipt.commitment) == receipt
    assert receipt.genuine()


def test_only_mail_is_answered_by_mail(house: House) -> None:
    match, ann, _ = begin(house)
    submit(house, match, "red", "r1 go2", ann)
    assert not [owed for owed in outbox.waiting(house) if owed.kind == "receipt"]
    submit(house, match, "red", "r1 go2", ann, source="mail", message_id="<1@x>")
    [owed] = [owed for owed in outbox.waiting(house) if owed.kind == "receipt"]
    assert owed.about["message_id"] == "<1@x>"


def test_withdrawn_orders_do_not_count(house: House) -> None:
    match, ann, _ = begin(house)
    submit(house, match, "red", "r1 go2", ann)
    desk.withdraw(house, match, "red", 2, by=ann)
    assert desk.status(house, match, "red").mine == desk.Mine(asked=True, sealed=False, final=False)


# Views -------------------------------------------------------------------------------------------------------


def test_what_is_sealed_is_shown_to_its_seat_alone(house: House) -> None:
    match, ann, _ = begin(house)
    before = desk.status(house, match, "blue")
    submit(house, match, "red", "r1 go2", ann)
    assert desk.status(house, match, "blue") == before
    assert desk.status(house, match, "public").mine is None
    assert desk.open_form(house, match, "red").sealed == "r1 go2"
    assert desk.open_form(house, match, "blue").sealed == ""


def test_a_report_tells_each_viewer_what_he_may_know(house: House) -> None:
    match, ann, bob = begin(house)
    submit(house, match, "red", "r1 ambush", ann, final=True)
    submit(house, match, "blue", "b1 hold", bob, final=True)
    told = {viewer: desk.report(house, match, viewer, 2) for viewer in ("red", "blue", "public")}
    assert any("ambush" in line.text for line in told["red"].told)
    assert not any("ambush" in line.text for viewer in ("blue", "public") for line in told[viewer].told)
    assert len({report.head.signature for report in told.values()}) == 1
    assert told["red"].turn == 1 and told["red"].rolls == told["blue"].rolls != []


def test_automatic_answers_are_told_to_their_seat_in_words(house: House) -> None:
    match, ann, bob = begin(house)
    card = acts.load(house, match).run.view("red")["hands"]["red"] or [9]
    submit(house, match, "red", f"card {card[0] + 10}", ann, final=True)
    submit(house, match, "blue", "", bob, final=True)
    lines = [line.text for line in desk.report(house, match, "red", 2).told if line.rule == "pbem/answered"]
    assert len(lines) == 1 and "answered by default" in lines[0] and "you do not hold that card" in lines[0]


@pytest.mark.parametrize(("viewer", "exchange"), [("red", 9), ("nobody", 1)])
def test_there_is_no_report_of_what_has_not_happened_or_for_nobody(house: House, viewer: str, exchange: int) -> None:
    match, _, _ = begin(house)
    with pytest.raises(Refusal, match="no such report"):
        desk.report(house, match, viewer, exchange)


def test_a_negative_cadence_is_refused(house: House) -> None:
    with pytest.raises(Refusal, match="number of hours"):
        desk.new_match(house, "ambush", "tiny", cadence=-1)


# Bots --------------------------------------------------------------------------------------------------------


class WatchedRules(AmbushRules):
    """Its bot shows the view that it was given."""

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
    house = desk.open_house(tmp_path / "pbem.db", {"ambush": title}, clock=lambda: NOON)
    match = desk.new_match(house, "ambush", "tiny")
    ann = accounts.open_account(house, "ann@example.org").id
    desk.take_seat(house, match, "red", ann)
    desk.take_seat(house, match, "blue", accounts.open_bot(house, "ambush").id)
    assert title.seen == [(acts.load(house, match).run.view("blue"), "blue")]
    submit(house, match, "red", "r1 ambush", ann, final=True)
    assert desk.status(house, match).exchange == 3, "the bot had answered, so the turn ran at once"
    assert all(unit["order"] in ("", "?") for view, _ in title.seen for unit in view["units"].values())


def test_bots_among_themselves_play_to_the_end_and_get_no_mail(house: House) -> None:
    match = desk.new_match(house, "ambush", "small", reactions="ask")
    for seat in ("red", "blue"):
        desk.take_seat(house, match, seat, accounts.open_bot(house, "random").id)
    for _ in range(20):
        desk.tick(house, NOON)
    assert desk.status(house, match).state == "over"
    assert outbox.waiting(house) == []


def test_the_random_bot_is_not_to_be_guessed(house: House) -> None:
    """Two matches alike in everything but the drawn seed are not answered alike for ever."""
    answers = set()
    for _ in range(12):
        match = desk.new_match(house, "ambush", "small")
        desk.take_seat(house, match, "red", accounts.open_bot(house, "random").id)
        desk.take_seat(house, match, "blue", accounts.open_account(house, "ann@example.org").id)
        sealed = acts.read(house, match).sealed["red"]
        answers.add(house.store.part(sealed.parts[0].commitment).content)
    assert len(answers) > 1


# By itself ---------------------------------------------------------------------------------------------------


class Died(BaseException):
    """The process is killed."""


@pytest.mark.parametrize("point", ["close:after-commit", "resolve:before-commit", "resolve:after-commit"])
def test_a_crash_while_resolving_loses_no_report_and_repeats_none(tmp_path: Path, point: str) -> None:
    armed: list[str] = []

    def failpoint(name: str) -> None:
        if name in armed:
            armed.remove(name)
            raise Died

    house = desk.open_house(
        tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON, failpoint=failpoint
    )
    match, ann, bob = begin(house, cadence=24)
    submit(house, match, "red", "r1 go2", ann, final=True)
    armed.append(point)
    with pytest.raises(Died):
        submit(house, match, "blue", "b1 hold", bob, final=True)
    house.close()

    again = desk.open_house(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)
    desk.recover(again)
    desk.tick(again, NOON)
    owed = [(row.kind, row.seat, row.exchange) for row in outbox.waiting(again) if row.kind == "report"]
    assert sorted(owed) == [("report", "blue", 2), ("report", "red", 2)]
    record = acts.read(again, match)
    assert [event.payload["exchange"] for event in record.events if event.type == "deadline.set"] == [2, 3]
    assert deadlines.deadline_of(record) is not None


def test_one_match_that_cannot_go_on_does_not_stop_the_others(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = begin(house)[0], desk.new_match(house, "ambush", "tiny")
    advance = desk.advance
    touched: list[str] = []

    def stumble(house: House, match: str) -> None:
        touched.append(match)
        if match == bad:
            raise RuntimeError("a bot lost its head")
        advance(house, match)

    monkeypatch.setattr(desk, "advance", stumble)
    desk.tick(house, NOON)
    assert sorted(touched) == sorted([bad, good])
    assert "a bot lost its head" in caplog.text


def test_a_tick_looks_only_at_matches_that_something_happened_to(house: House) -> None:
    begin(house)
    desk.tick(house, NOON)
    desk.tick(house, NOON)
    assert desk.tick(house, NOON) == []


def test_a_changed_title_is_replayed_at_the_next_start(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """§9: the fingerprint says when to look; the same code is not looked at again."""
    begin(house)
    looked: list[str] = []
    monkeypatch.setattr(desk, "look_again", lambda house, match: looked.append(match))
    desk.recover(house)
    desk.recover(house)
    assert len(looked) == 1
    monkeypatch.setattr(desk, "fingerprint", lambda module: "another")
    desk.recover(house)
    assert len(looked) == 2
