"""A tournament from its announcement to its end, with matches of the toy title."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.hall import DAY, Hall

from eventstore import canonical, verify
from pbem.engine.play.dice import step_down
from pbem.engine.rules.refusals import Illegal, Refusal
from pbem.engine.rules.title import Submission
from pbem.matches import unit_of_work
from pbem.matches.accounts import accounts
from pbem.matches.exchange import closing, resolving, sealing
from pbem.matches.history.record import Record as MatchRecord
from pbem.matches.history.replay import all_matches, load, record_of
from pbem.matches.players import endings
from pbem.matches.post import notifications, outbox
from pbem.matches.rulings import rulings
from pbem.tournaments import director, entries, results, rounds, stream
from pbem.tournaments.model import Settings, Unfinished
from pbem.tournaments.ranking.standings import standings
from pbem.tournaments.record import fold


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def created(hall: Hall) -> list[MatchRecord]:
    return [record_of(hall.server, match) for match in all_matches(hall.server)]


def test_a_whole_swiss_from_list_to_standings(hall: Hall) -> None:
    hall.open(8, rounds=3)
    for number in (1, 2, 3):
        record = hall.round()
        assert len(created(hall)) == 4 * number
        assert all(match.started for match in created(hall))
        record = hall.finish_round()
        assert not record.rounds[number].open_pairings()
        record = hall.close()
    rounds.end(hall.server, hall.id, by=hall.max)
    table = standings(hall.record)

    assert sum(row.points for row in table) == 3 * 4 * 10
    assert table[0].place == 1
    assert hall.record.ended
    assert stream.all_tournaments(hall.server)[0].ended


def test_the_record_is_the_same_from_the_first_event(hall: Hall) -> None:
    hall.open(6, rounds=2)
    hall.round()
    hall.finish_round()
    record = hall.record
    again = fold(hall.server.store.read(record.stream), hall.server.content)

    assert again == record
    assert verify(record.events, server_id=hall.server.id, stream=record.stream) is None


def test_matches_name_their_origin_and_their_id_follows_from_it(hall: Hall) -> None:
    hall.open(4, sides="mirror")
    record = hall.round()
    origins = [match.created.origin for match in created(hall)]

    assert len(origins) == 4
    assert {(o["round"], o["pairing"], o["leg"]) for o in origins} == {(1, p, leg) for p in (1, 2) for leg in (1, 2)}
    assert all(match.created.opens == "round" for match in created(hall))
    assert all(set(match.created.switches) == set(record.settings.switches) for match in created(hall))


def test_mirrored_matches_are_summed(hall: Hall) -> None:
    hall.open(2, sides="mirror", rounds=1)
    hall.round()
    hall.concede(1, "blue", leg=1)
    assert not hall.tick().rounds[1].results
    hall.concede(1, "blue", leg=2)
    result = hall.tick().rounds[1].results[1]

    assert result.verdicts == ("drawn", "drawn")
    assert result.boards == (10, 10)


def test_results_carry_the_signed_end_of_the_match(hall: Hall) -> None:
    hall.open(4)
    hall.round()
    record = hall.finish_round()
    [report] = record.reports[1, 1]

    assert results.genuine(hall.server.id, report)
    ended = record_of(hall.server, report.match).ended
    assert ended is not None and ended.hash == report.event
    forged = type(report)(report.leg, report.match, report.exchange, "0" * 64, report.signature, report.outcome)
    assert not results.genuine(hall.server.id, forged)
    assert not results.genuine("ab" * 32, report)


def test_parts_of_a_match_stay_closed_until_its_round_is(hall: Hall) -> None:
    hall.open(4)
    hall.round()
    hall.finish_round()
    assert all(match.ended and match.opened is None for match in created(hall))
    hall.close()

    assert all(match.opened is not None for match in created(hall))


def test_the_tick_does_nothing_twice(hall: Hall) -> None:
    hall.open(8)
    hall.round()
    hall.finish_round()
    before = hall.server.store.version(hall.record.stream), len(all_matches(hall.server)), _mails(hall)
    for _ in range(3):
        hall.tick()

    assert (hall.server.store.version(hall.record.stream), len(all_matches(hall.server)), _mails(hall)) == before


def _mails(hall: Hall) -> int:
    return len([owed for owed in outbox.waiting(hall.server) if owed.kind.startswith("tournament")])


def test_every_entrant_gets_the_same_signed_head(hall: Hall) -> None:
    hall.open(5)
    hall.round()
    mails = [owed for owed in outbox.waiting(hall.server) if owed.kind == "tournament-round"]

    assert len(mails) == 5
    assert len({mail.about["head"]["signature"] for mail in mails}) == 1
    assert stream.Head(**mails[0].about["head"]).genuine()


# Two directors -----------------------------------------------------------------------------------------------


def test_the_second_director_is_told_what_the_first_did(hall: Hall) -> None:
    hall.open(4)
    eve = accounts.open_account(hall.server, "eve@example.org", "Eve").id
    director.appoint(hall.server, hall.id, eve, by=hall.max)
    seen = hall.record.version
    rounds.pair(hall.server, hall.id, by=hall.max, seen=seen)

    with pytest.raises(stream.Overtaken) as told:
        rounds.pair(hall.server, hall.id, by=eve, seen=seen)

    assert told.value.happened == ("paired round 1",)
    assert list(hall.record.rounds) == [1]


def test_an_entry_made_in_the_meantime_does_not_stop_a_director(hall: Hall) -> None:
    hall.open(4)
    seen = hall.record.version
    entries.enter(hall.server, hall.id, hall.player(9))
    rounds.pair(hall.server, hall.id, by=hall.max, seen=seen)

    assert len(hall.record.rounds[1].byes) == 1


def test_two_directors_in_two_processes_make_one_pairing(hall: Hall) -> None:
    hall.open(4)
    first = hall.record
    stream.forget(hall.server)
    rounds.pair(hall.server, hall.id, by=hall.max)

    with pytest.raises(stream.Overtaken):
        rounds.pair(hall.server, hall.id, by=hall.max, seen=first.version)


def test_only_directors_act_and_one_who_plays_only_gives_time(hall: Hall) -> None:
    hall.open(4)
    p1 = hall.player(1)
    with pytest.raises(Illegal, match="only a director"):
        rounds.pair(hall.server, hall.id, by=p1)
    director.appoint(hall.server, hall.id, p1, by=hall.max)
    with pytest.raises(Illegal, match="can only grant time"):
        rounds.pair(hall.server, hall.id, by=p1)
    hall.round()
    rounds.extend(hall.server, hall.id, 7, "holidays", by=p1)

    assert hall.record.noted[-1].reason == "holidays"


# Entries -----------------------------------------------------------------------------------------------------


def test_beyond_the_cap_entries_wait_and_move_up(hall: Hall) -> None:
    hall.open(2, cap=2)
    entries.enter(hall.server, hall.id, hall.player(3))
    assert hall.record.entrants[3].state == "waiting"
    entries.withdraw(hall.server, hall.id, hall.player(1))

    assert hall.record.entrants[3].state == "confirmed"


def test_an_invitation_that_is_not_confirmed_in_time_lapses(hall: Hall) -> None:
    hall.open(3, confirm_days=5)
    entries.confirm(hall.server, hall.id, hall.player(1))
    hall.tick(days=6)

    assert [entrant.state for entrant in hall.record.entrants.values()] == ["confirmed", "withdrawn", "withdrawn"]


def test_nobody_enters_twice_or_above_the_limit(hall: Hall) -> None:
    hall.open(2, highest_rating=2000)
    with pytest.raises(Refusal, match="you have already entered as P1"):
        entries.enter(hall.server, hall.id, hall.player(1))
    with pytest.raises(Refusal, match="above the limit"):
        entries.enter(hall.server, hall.id, hall.player(5), rating=2400)


def test_a_late_entry_plays_from_the_next_round(hall: Hall) -> None:
    hall.open(4, rounds=3, late_bye="half")
    hall.round()
    hall.finish_round()
    hall.close()
    entries.enter(hall.server, hall.id, hall.player(5))
    hall.round()
    late = next(row for row in standings(hall.record) if row.name == "P5")

    assert late.lines[0].points == 5


def test_byes_can_be_asked_for_before_pairing_and_not_too_often(hall: Hall) -> None:
    hall.open(4, rounds=5)
    for number in (1, 2):
        entries.ask_bye(hall.server, hall.id, hall.player(1), number)
    with pytest.raises(Refusal, match="you can ask for at most 2 byes"):
        entries.ask_bye(hall.server, hall.id, hall.player(1), 3)
    hall.round()

    assert {(bye.entrant, bye.kind) for bye in hall.record.rounds[1].byes} == {(1, "half"), (4, "pairing")}
    with pytest.raises(Refusal, match="too late to ask for a bye"):
        entries.ask_bye(hall.server, hall.id, hall.player(2), 1)


def test_a_replacement_plays_on_with_all_points_and_is_marked(hall: Hall) -> None:
    hall.open(4, rounds=3)
    hall.round()
    hall.finish_round()
    hall.close()
    entries.replace(hall.server, hall.id, 1, hall.player(7), "ill", by=hall.max)
    hall.round()
    row = next(row for row in standings(hall.record) if row.entrant == 1)

    assert (row.name, row.note) == ("P7", "replacement")
    assert any(hall.player(7) in [o["account"] for o in m.occupants.values()] for m in created(hall))


def test_an_erased_account_is_a_number_and_everything_verifies(hall: Hall) -> None:
    hall.open(4)
    hall.round()
    account = hall.player(2)
    with hall.server.store.transaction("erase") as transaction:
        stream.erase(hall.server, transaction, account)

    assert hall.record.entrants[2].name == "Entrant 2"
    assert hall.server.store.verify(hall.record.stream) is None


# Rounds that last weeks --------------------------------------------------------------------------------------


def test_at_the_deadline_a_round_is_extended_once_then_decided_by_score(hall: Hall) -> None:
    steps = Unfinished(("extend", "rule", "director"), 7)
    hall.open(2, rounds=1, round_days=10, unfinished=steps, timing={"hours": 0})
    hall.round()
    record = hall.tick(days=11)
    assert record.deadline(1, 1) == record.rounds[1].deadline + 7 * DAY
    _play_half(hall)
    result = hall.tick(days=8).rounds[1].results[1]

    assert result.kind == "adjudicated"
    assert not result.rated


def _play_half(hall: Hall) -> None:
    """Hold with both sides until half of the turns are over."""
    match = hall.match(1)
    while 2 * (load(hall.server, match).run.state.turn - 1) < load(hall.server, match).run.state.turns:
        position = load(hall.server, match)
        exchange = position.record.open_exchange
        for seat in position.asked:
            sealing.seal(hall.server, match, seat, exchange, Submission({}), final=True)
        closing.close(hall.server, match, exchange=exchange, why="final")
        resolving.resolve(hall.server, match)


def test_whoever_missed_deadlines_loses_and_both_lose_if_both_did(hall: Hall) -> None:
    """Red on board 1 meets every deadline and wins; on the other board both players miss their deadlines and lose."""
    steps = Unfinished(("extend", "fault"))
    hall.open(4, rounds=1, round_days=2, unfinished=steps, timing={"hours": 24}, scenarios=("small",))
    hall.round()
    for _ in range(2):
        record = record_of(hall.server, hall.match(1))
        sealing.seal(hall.server, hall.match(1), "red", record.open_exchange, Submission({}))
        hall.tick(days=1.01)
    found = hall.record.rounds[1].results

    assert (found[1].kind, found[1].verdicts) == ("forfeit", ("won", "lost"))
    assert (found[2].kind, found[2].points) == ("double_loss", (0, 0))


def test_entrants_who_never_appear_in_round_1_are_out_and_their_opponents_win(hall: Hall) -> None:
    """Red on board 1 wins against an absent opponent; all who send nothing for two days in round 1 are out."""
    hall.open(4, rounds=3, round_days=42, no_show_days=2, timing={"hours": 24}, scenarios=("small",))
    hall.round()
    record = record_of(hall.server, hall.match(1))
    sealing.seal(hall.server, hall.match(1), "red", record.open_exchange, Submission({}))
    assert not hall.tick(days=1.01).rounds[1].results
    found = hall.tick(days=1.01)
    results = found.rounds[1].results
    board = {pairing.number: pairing.entrants for pairing in found.rounds[1].pairings}

    assert (results[1].kind, results[1].verdicts) == ("forfeit", ("won", "lost"))
    assert (results[2].kind, results[2].points) == ("double_loss", (0, 0))
    gone = {number for number, entrant in found.entrants.items() if entrant.state == "withdrawn"}
    assert gone == {board[1][1], *board[2]}
    assert hall.tick(days=1).version == found.version


def test_without_a_day_for_it_nobody_is_taken_out(hall: Hall) -> None:
    hall.open(2, rounds=1, round_days=42, timing={"hours": 24}, scenarios=("small",))
    hall.round()
    for _ in range(3):
        assert not hall.tick(days=1.01).rounds[1].results


def test_a_match_left_to_the_director_is_on_the_board(hall: Hall) -> None:
    hall.open(2, rounds=1, round_days=10, unfinished=Unfinished(("director",)), timing={"hours": 0})
    hall.round()
    hall.tick(days=11)
    matters = director.board(hall.server, hall.record).matters
    assert [matter.kind for matter in matters] == ["overdue"]
    results.adjudicate(hall.server, hall.id, hall.match(1), "red", "red was winning", by=hall.max)
    notifications.catch_up(hall.server)

    assert hall.tick().rounds[1].results[1].kind == "adjudicated"


# Results and corrections -------------------------------------------------------------------------------------


def test_a_ruling_corrects_standings_and_never_a_paired_round(hall: Hall) -> None:
    hall.open(4, rounds=3)
    hall.round()
    hall.finish_round()
    hall.close()
    hall.round()
    second = hall.record.rounds[2].pairings
    match = hall.match(1, round=1)
    before = hall.record.rounds[1].results[1].verdicts
    rulings.reopen(hall.server, match, after=1, reason="the map was wrong", by=hall.max)
    hall.tick()
    record = record_of(hall.server, match)
    unit_of_work.append(hall.server, record, endings.concede(hall.server, record, "red"), "concede")
    notifications.catch_up(hall.server)
    record_now = hall.tick()

    assert record_now.rounds[1].results[1].verdicts == tuple(reversed(before))
    assert record_now.corrected[1, 1]
    assert record_now.rounds[2].pairings == second


def test_a_result_is_provisional_in_the_appeal_time(hall: Hall) -> None:
    hall.open(2, rounds=1, appeal_days=3)
    hall.round()
    hall.finish_round()
    with pytest.raises(Refusal, match="can still be disputed"):
        rounds.close(hall.server, hall.id, by=hall.max)
    hall.tick(days=3)

    assert rounds.close(hall.server, hall.id, by=hall.max).rounds[1].closed


def test_a_result_by_hand_needs_a_reason_and_is_marked(hall: Hall) -> None:
    hall.open(2, rounds=1)
    hall.round()
    with pytest.raises(Refusal, match="needs a reason"):
        results.by_hand(hall.server, hall.id, 1, 1, ("won", "lost"), " ", by=hall.max)
    for verdicts, why in (
        (("won",), "one result for each of the 2 entrants"),
        (("won", "won"), "only one entrant at a board can win"),
        (("won", "drawn"), "the others lose"),
        (("drawn", "lost"), "a draw needs at least two"),
    ):
        with pytest.raises(Refusal, match=why):
            results.by_hand(hall.server, hall.id, 1, 1, verdicts, "as reported", by=hall.max)
    results.by_hand(hall.server, hall.id, 1, 1, ("lost", "lost"), "neither came", by=hall.max)
    result = hall.record.rounds[1].results[1]

    assert (result.kind, result.points, result.rated) == ("double_loss", (0, 0), False)
    assert hall.record.noted[-1].reason == "neither came"


def test_entrants_without_an_account_are_recorded_by_hand(hall: Hall) -> None:
    hall.open(0)
    entries.import_list(hall.server, hall.id, b"name\nAnn\nBob\n", by=hall.max)
    hall.round()
    assert not all_matches(hall.server)
    kinds = [matter.kind for matter in director.board(hall.server, hall.record).matters]

    assert kinds == ["unseated", "unseated", "by hand"]


# Pairing -----------------------------------------------------------------------------------------------------


def test_a_plan_changes_nothing_and_is_what_is_announced(hall: Hall) -> None:
    hall.open(7)
    planned = rounds.plan(hall.server, hall.record)
    assert not hall.record.rounds
    rounds.pair(hall.server, hall.id, by=hall.max)

    assert hall.record.rounds[1].pairings == planned.paired.pairings


def test_pairings_can_be_changed_before_the_start_within_the_rules(hall: Hall) -> None:
    hall.open(4)
    rounds.pair(hall.server, hall.id, by=hall.max)
    one, other = (pairing.entrants[1] for pairing in hall.record.rounds[1].pairings)
    rounds.change(hall.server, hall.id, [(one, other)], "travel", by=hall.max)
    assert one in hall.record.rounds[1].pairings[1].entrants
    director.forbid(hall.server, hall.id, *hall.record.rounds[1].pairings[0].entrants, "friends", by=hall.max)
    with pytest.raises(Refusal, match="must not meet"):
        rounds.change(hall.server, hall.id, [], "again", by=hall.max)


def test_a_round_is_not_paired_while_another_is_open(hall: Hall) -> None:
    hall.open(4)
    hall.round()
    with pytest.raises(Refusal, match="2 pairings without a result"):
        rounds.pair(hall.server, hall.id, by=hall.max)


def test_an_impossible_round_says_what_would_free_it(hall: Hall) -> None:
    hall.open(2, rounds=2)
    hall.round()
    hall.finish_round()
    hall.close()
    with pytest.raises(Refusal) as refused:
        rounds.pair(hall.server, hall.id, by=hall.max)

    assert "allow one rematch" in refused.value.instead


def test_lots_are_drawn_from_the_ladder_and_can_be_checked(hall: Hall) -> None:
    hall.open(4)
    rounds.pair(hall.server, hall.id, by=hall.max)
    draws = [event.payload for event in hall.record.events if event.type == "draw.made"]
    assert [draw["purpose"] for draw in draws] == ["lots", "first side"]
    for draw in draws:
        assert step_down(bytes.fromhex(draw["rung"]), draw["number"]).hex() == hall.record.ladder["open"]


@pytest.mark.parametrize("change", [{"title": "chess"}, {"scenarios": ("moon",)}, {"name": " "}, {"rounds": 0}])
def test_settings_that_cannot_be_played_are_refused(hall: Hall, change: dict[str, object]) -> None:
    settings = {"name": "Cup", "title": "ambush", **change}
    with pytest.raises(Refusal):
        stream.open_tournament(hall.server, Settings(**settings), hall.max)  # type: ignore[arg-type]


def test_the_game_master_serves_every_match_and_does_not_play(hall: Hall) -> None:
    judge = accounts.open_account(hall.server, "judge@example.org", "Judge").id
    hall.open(2, master=judge)
    with pytest.raises(Refusal, match="game master of the tournament cannot play"):
        entries.enter(hall.server, hall.id, judge)
    hall.round()

    assert [match.created.master for match in created(hall)] == [judge]


def test_rules_move_for_later_rounds_only(hall: Hall) -> None:
    hall.open(4, rounds=2)
    hall.round()
    hall.finish_round()
    hall.close()
    with pytest.raises(Refusal, match="no rules switch has that name"):
        director.move_rules(hall.server, hall.id, ["nonsense"], by=hall.max)
    director.move_rules(hall.server, hall.id, [], by=hall.max)
    hall.round()
    switches = {match.created.origin["round"]: tuple(match.created.switches) for match in created(hall)}

    assert switches[2] == ()
    assert switches[1] == hall.record.settings.switches


def test_a_thousand_entrants_fit_into_events(hall: Hall) -> None:
    """Entrants' names, lots and pairings are stored as parts, so no payload grows with the number of entrants."""
    hall.open(0, rounds=9)
    names = "\n".join(["name", *(f"Player {number}" for number in range(1, 1001))]).encode()
    entries.import_list(hall.server, hall.id, names, by=hall.max)
    rounds.pair(hall.server, hall.id, by=hall.max)
    one, other = (pairing.entrants[0] for pairing in hall.record.rounds[1].pairings[:2])
    rounds.change(hall.server, hall.id, [(one, other)], "at their own request", by=hall.max)
    rounds.start(hall.server, hall.id, by=hall.max)

    assert len(hall.record.rounds[1].pairings) == 500
    assert max(len(canonical(event.payload)) for event in hall.record.events) < 4096


def test_an_operator_enters_people_by_their_addresses(hall: Hall) -> None:
    hall.open(0)
    content = b"name,address\nAnn,ann@example.org\nBob,bob@example.org\n"
    assert not entries.import_list(hall.server, hall.id, content, by=stream.OPERATOR).mistakes
    hall.round()

    assert len(all_matches(hall.server)) == 1
    assert "@" not in str([event.payload for event in hall.record.events])
    twice = b"name,address\nCem,cem@example.org\nDee,CEM@example.org\n"
    found = entries.read_list(hall.server, hall.record, twice, by_operator=True)
    assert [mistake.kind for mistake in found.mistakes] == ["address twice"]


def test_a_director_invites_people_by_their_addresses_and_they_play_once_they_confirm(hall: Hall) -> None:
    hall.open(0)
    content = b"name,account\nAnn,ann@example.org\nBob,bob@example.org\nCem,cem@example.org\n"
    assert not entries.import_list(hall.server, hall.id, content, by=hall.max).mistakes
    assert [entrant.state for entrant in hall.record.entrants.values()] == ["invited"] * 3
    assert all(entrant.confirm_by > 0 for entrant in hall.record.entrants.values())
    for number in (1, 2):
        entries.confirm(hall.server, hall.id, hall.record.entrants[number].account)
    hall.round()

    assert [pairing.entrants for pairing in hall.record.rounds[1].pairings] in ([(1, 2)], [(2, 1)])


def test_a_list_of_a_director_invites_a_bounded_number_of_strangers(hall: Hall) -> None:
    hall.open(0)
    lines = [f"Player {number},p{number}@example.org" for number in range(entries.STRANGERS + 1)]
    content = "\n".join(["name,address", *lines]).encode()
    refused = entries.import_list(hall.server, hall.id, content, by=hall.max)
    assert [mistake.kind for mistake in refused.mistakes] == ["too many new addresses"]
    assert not hall.record.entrants
    assert not entries.read_list(hall.server, hall.record, content, by_operator=True).mistakes
    half = "\n".join(["name,address", *lines[: entries.STRANGERS // 2 + 1]]).encode()
    assert not entries.import_list(hall.server, hall.id, half, by=hall.max).mistakes
    more = half.replace(b"Player", b"Other").replace(b",p", b",q")
    again = entries.import_list(hall.server, hall.id, more, by=hall.max)
    assert [mistake.kind for mistake in again.mistakes] == ["too many new addresses"], "list after list neither"


# Knock-out ---------------------------------------------------------------------------------------------------


def drawn(hall: Hall, leg: int = 1) -> None:
    """Agree to a draw on the first board, with both sides."""
    match = hall.match(1, leg)
    for seat in ("red", "blue"):
        record = record_of(hall.server, match)
        unit_of_work.append(hall.server, record, endings.draw_offered(hall.server, record, seat), "draw")
    notifications.catch_up(hall.server)
    hall.tick()


def test_a_drawn_pairing_of_a_knock_out_is_played_once_more_with_sides_exchanged(hall: Hall) -> None:
    hall.open(2, format="knock_out", decider="rematch", round_days=10)
    hall.round()
    first = hall.record.rounds[1].pairings[0]
    hall.now += 5 * DAY
    drawn(hall)
    pairing = hall.record.rounds[1].pairings[0]
    assert not hall.record.rounds[1].results
    assert [leg.rematch for leg in pairing.legs] == [False, True]
    assert list(pairing.legs[1].sides.values()) == list(reversed(first.legs[0].sides.values()))
    assert hall.record.deadline(1, 1) == hall.now + 10 * DAY
    hall.concede(1, "blue", leg=2)
    result = hall.tick().rounds[1].results[1]
    red = pairing.legs[1].sides["red"]
    assert result.verdicts[pairing.entrants.index(red)] == "won"


def test_a_drawn_rematch_leaves_it_to_the_better_seed(hall: Hall) -> None:
    hall.open(4, format="knock_out", decider="rematch")
    hall.round()
    hall.concede(2, "blue")
    drawn(hall)
    drawn(hall, leg=2)
    assert set(hall.record.rounds[1].results[1].verdicts) == {"drawn"}
    hall.close()
    hall.round()
    assert 1 in hall.record.rounds[2].pairings[0].entrants


def test_matches_are_played_with_the_data_of_the_announcement(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """An upgrade between the announcement and a round does not change the data of a tournament's matches."""
    hall.open(2, rounds=1)
    title = hall.server.titles["ambush"]
    changed = title.freeze("small", {})
    monkeypatch.setattr(title, "freeze", lambda scenario, options: changed)
    hall.round()
    created = record_of(hall.server, hall.match(1)).created
    assert created.blobs == hall.record.settings.blobs["tiny"]
