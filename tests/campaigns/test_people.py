"""People in a campaign over years: commanders come and go, seats stay empty, staffs write messages, battles overlap
or end late."""

from __future__ import annotations

from pathlib import Path

from support.clash import ClashTitle, map_file
from support.front import Front

from pbem.campaigns import bundle, bundle_check
from pbem.engine.rules.findings import MASTER
from pbem.engine.text.messages import as_message
from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.clock import absences
from pbem.matches.clock.deadlines import HOUR, deadline_of, on_hold
from pbem.matches.exchange.seats import leave_seat, take_seat
from pbem.matches.exchange.submitting import submit, take
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import record_of
from pbem.matches.players import press
from pbem.matches.rulings import powers

TITLES = {"clash": ClashTitle()}
PEOPLE = {"red": "ann", "red2": "amy", "blue": "bob", "blue2": ""}


def a_map(tmp_path: Path, people: dict[str, str] | None = None, *, hours: int = 0, letters: int = 0) -> Front:
    front = Front(tmp_path, TITLES)
    file = map_file(8, hours).replace("appeal_hours = 0", f"appeal_hours = 0\nletters = {letters}")
    seats = {seat: account(front, name) if name else "" for seat, name in (people or PEOPLE).items()}
    front.open("battlegroup", seats, options={"file": file}, cadence=0 if hours else 48)
    return front


def account(front: Front, name: str) -> str:
    """Return the id of the account with this name."""
    return accounts.open_account(front.server, f"{name}@example.org", name).id


def name_of(front: Front, id: str) -> str:
    return accounts.account(front.server, id).name


def order(front: Front, seat: str, text: str, by: str) -> None:
    exchange = front.record.open_exchange
    submit(front.server, front.id, seat, exchange, text, by=account(front, by), final=True, source="web")


def test_a_campaign_starts_without_a_commander_and_nobody_waits_for_the_empty_seat(tmp_path: Path) -> None:
    front = a_map(tmp_path)
    assert front.record.started and "blue2" in front.position.asked and "blue2" not in front.position.awaited_seats
    order(front, "red", "hold", "ann")
    order(front, "blue", "move b1 to north\nmove b2 to south", "bob")
    order(front, "red2", "hold", "amy")
    front.tick()
    assert {group.province for id, group in front.state.groups.items() if id in ("b1", "b2")} == {"north", "south"}
    for viewer in ("public", "red", "blue"):
        assert verify_export(read_export(export(front.server, front.id, viewer)), front.titles).problems == []


def test_c7_2_a_commanders_own_order_overrides_the_chiefs(tmp_path: Path) -> None:
    front = a_map(tmp_path)
    order(front, "red", "move r1 to north\nmove r2 to north", "ann")
    order(front, "red2", "move r2 to south", "amy")
    order(front, "blue", "hold", "bob")
    front.tick()
    assert (front.state.groups["r1"].province, front.state.groups["r2"].province) == ("north", "south")


def test_a_commander_may_not_spend_the_points_of_the_side(tmp_path: Path) -> None:
    import pytest

    from pbem.engine.rules.refusals import Refusal

    front = a_map(tmp_path)
    with pytest.raises(Refusal, match='only the commander in chief may give the order "buy"'):
        order(front, "red2", "buy 1 tank", "amy")
    with pytest.raises(Refusal, match="you do not command"):
        order(front, "red2", "move r1 to north", "amy")


def two_battles(tmp_path: Path, hours: int = 0) -> Front:
    """Start a campaign in which both roads are contested, so that two battles are fought at the same time."""
    front = a_map(tmp_path, hours=hours)
    order(front, "red", "move r1 to north", "ann")
    order(front, "red2", "move r2 to south", "amy")
    order(front, "blue", "hold", "bob")
    front.tick()
    order(front, "red", "hold", "ann")
    order(front, "red2", "hold", "amy")
    order(front, "blue", "move b1 to north\nmove b2 to south", "bob")
    front.tick()
    return front


def test_c7_4_several_battles_at_once_each_under_its_own_commander(tmp_path: Path) -> None:
    front = two_battles(tmp_path)
    assert sorted(call.place for call in front.state.battles.values()) == ["north", "south"]
    seated = {
        record_of(front.server, match).created.origin["battle"]: {
            seat: name_of(front, taken["account"]) for seat, taken in record_of(front.server, match).occupants.items()
        }
        for match in front.battles()
    }
    places = {number: call.place for number, call in front.state.battles.items()}
    by_place = {places[number]: people for number, people in seated.items()}
    assert by_place == {"north": {"red": "ann", "blue": "bob"}, "south": {"red": "amy", "blue": "bob"}}


def test_c3_4_a_late_battle_goes_on_and_holds_its_province(tmp_path: Path) -> None:
    front = two_battles(tmp_path, hours=100)
    first, late = front.battles()
    for seat in ("red", "blue"):
        by = record_of(front.server, first).occupants[seat]["account"]
        submit(front.server, first, seat, 2, "hold", by=by, final=True, source="web")
    front.tick()
    assert "battle 2" in front.position.asked  # battle 1 has been reported, and battle 2 is still awaited
    front.tick(101)
    front.tick()
    assert list(front.state.battles) == ["2"] and front.state.turn == 3
    held = front.state.battles["2"].place
    stuck = [id for id, group in front.state.groups.items() if group.battle == "2"]
    assert all(front.state.groups[id].province == held for id in stuck) and len(stuck) == 2
    assert record_of(front.server, late).ended is None
    for seat in ("red", "blue"):
        by = record_of(front.server, late).occupants[seat]["account"]
        submit(front.server, late, seat, 2, "charge", by=by, final=True, source="web")
    for seat, by in (("red", "ann"), ("red2", "amy"), ("blue", "bob")):
        order(front, seat, "hold", by)
    front.tick()
    front.tick()
    assert "2" not in front.state.battles


def test_a_newcomer_takes_over_the_battles_of_the_command(tmp_path: Path) -> None:
    front = two_battles(tmp_path)
    leave_seat(front.server, front.id, "red2", "a new job")
    take_seat(front.server, front.id, "red2", account(front, "eve"))
    front.tick()
    records = [record_of(front.server, match) for match in front.battles()]
    seated = {name_of(front, taken["account"]) for record in records for taken in record.occupants.values()}
    assert seated == {"ann", "eve", "bob"}
    [hers] = [r for r in records if "eve" in {name_of(front, taken["account"]) for taken in r.occupants.values()}]
    due = deadline_of(hers)
    assert due is not None and due.at == front.now + 7 * 24 * HOUR
    assert "a new player gets a week" in str(due.why(as_message))
    for match in front.battles():
        assert verify_export(read_export(export(front.server, match, "red")), front.titles).problems == []


def test_c8_5_a_hold_of_the_campaign_holds_its_battles_and_ends_with_it(tmp_path: Path) -> None:
    front = Front(tmp_path, TITLES)
    max_ = account(front, "max")
    seats = {seat: account(front, name) if name else "" for seat, name in PEOPLE.items()}
    front.open("battlegroup", seats, options={"file": map_file(8)}, cadence=48, master=max_)
    for moves in (("move r1 to north", "hold"), ("hold", "move b1 to north")):
        order(front, "red", moves[0], "ann")
        order(front, "red2", "hold", "amy")
        order(front, "blue", moves[1], "bob")
        front.tick()
    [match] = front.battles()
    powers.hold(front.server, front.id, why="the holidays", by=max_)
    front.tick()
    held = on_hold(record_of(front.server, match))
    assert held is not None and held.payload["why"] == "the campaign is on hold: the holidays"
    front.tick(100)
    assert record_of(front.server, match).ended is None
    powers.release(front.server, front.id, by=max_)
    front.tick()
    assert on_hold(record_of(front.server, match)) is None
    assert verify_export(read_export(export(front.server, match, "red")), front.titles).problems == []


def test_c8_5_a_pause_of_the_campaign_stops_the_clocks_of_its_battles(tmp_path: Path) -> None:
    front = Front(tmp_path, TITLES)
    max_ = account(front, "max")
    seats = {seat: account(front, name) if name else "" for seat, name in PEOPLE.items()}
    front.open("battlegroup", seats, options={"file": map_file(8, 200)}, cadence=48, master=max_)
    for moves in (("move r1 to north", "hold"), ("hold", "move b1 to north")):
        order(front, "red", moves[0], "ann")
        order(front, "red2", "hold", "amy")
        order(front, "blue", moves[1], "bob")
        front.tick()
    [match] = front.battles()
    before = deadline_of(record_of(front.server, match))
    powers.pause(front.server, front.id, days=10, why="the holidays", by=max_)
    front.tick()
    paused = powers.current_pause(record_of(front.server, match), front.now)
    after = deadline_of(record_of(front.server, match))
    assert paused is not None and paused.why == "the campaign is paused: the holidays"
    assert before is not None and after is not None and after.at == before.at + 10 * 24 * HOUR
    front.tick(24)
    powers.go_on(front.server, front.id, by=max_)
    front.tick()
    assert powers.current_pause(record_of(front.server, match), front.now) is None
    assert verify_export(read_export(export(front.server, match, "red")), front.titles).problems == []


def test_c8_4_a_newcomer_to_a_command_has_a_week_for_the_stage(tmp_path: Path) -> None:
    front = a_map(tmp_path)
    leave_seat(front.server, front.id, "red2", "a new job")
    take_seat(front.server, front.id, "red2", account(front, "eve"))
    front.tick()
    due = deadline_of(front.record)
    assert due is not None and due.at == front.now + 7 * 24 * HOUR
    version = front.record.version
    front.tick()
    assert front.record.version == version


def test_the_absence_of_a_whole_command_is_waited_for(tmp_path: Path) -> None:
    """If both commanders of Red are away for ten days, the next stage is due after their return."""
    front = a_map(tmp_path)
    back = front.now + 10 * 24 * HOUR
    for away in [account(front, "ann"), account(front, "amy")]:
        with front.server.store.transaction() as transaction:
            absences.announce(front.server, transaction, away, front.now, back)
    for seat, by in (("red", "ann"), ("red2", "amy"), ("blue", "bob")):
        order(front, seat, "hold", by)
    front.tick()
    due = deadline_of(front.record)
    assert front.state.turn == 2 and due is not None and due.at >= back


# C8.2 Staff letters --------------------------------------------------------------------------------------------


def letters_of(front: Front, viewer: str) -> list[str]:
    return [letter.text for letter in press.letters(front.server, front.record, viewer)]


def test_c8_2_a_staff_letter_takes_its_stages_and_no_export_tells_it_before(tmp_path: Path) -> None:
    front = a_map(tmp_path, letters=1)
    take(front.server, front.id, "red", 2, "press red2: attack at dawn", by=account(front, "ann"), source="web")
    front.tick()
    assert letters_of(front, "red") == ["attack at dawn"] and letters_of(front, "red2") == []
    parts = read_export(export(front.server, front.id, "red2")).parts
    assert not [part for part in parts.values() if b"dawn" in part.content]
    for seat, by in (("red", "ann"), ("red2", "amy"), ("blue", "bob")):
        order(front, seat, "hold", by)
    front.tick()
    front.tick()
    assert front.state.turn == 2 and letters_of(front, "red2") == ["attack at dawn"]
    assert letters_of(front, "blue") == [] and letters_of(front, "public") == []
    assert [event.type for event in front.record.events].count("press.delivered") == 1
    assert letters_of(front, MASTER) == []
    assert bundle_check.verify_bundle(bundle.read_bundle(bundle.write(front.server, front.id)), front.titles).ok


def test_without_a_delay_letters_arrive_at_once(tmp_path: Path) -> None:
    front = a_map(tmp_path)
    take(front.server, front.id, "red", 2, "press red2: attack at dawn", by=account(front, "ann"), source="web")
    assert letters_of(front, "red2") == ["attack at dawn"]


def test_letters_of_several_stages_arrive_once_each_and_in_order(tmp_path: Path) -> None:
    front = a_map(tmp_path, letters=2)
    for stage in (1, 2, 3, 4):
        exchange = front.record.open_exchange
        for word in ("first", "second"):
            text = f"press red2: {word} of {stage}"
            take(front.server, front.id, "red", exchange, text, by=account(front, "ann"), source="web")
        for seat, by in (("red", "ann"), ("red2", "amy"), ("blue", "bob")):
            order(front, seat, "hold", by)
        for _ in range(3):
            front.tick()
        assert front.state.turn == stage + 1
        expected = [f"{word} of {sent}" for sent in range(1, stage) for word in ("first", "second")]
        assert letters_of(front, "red2") == expected
