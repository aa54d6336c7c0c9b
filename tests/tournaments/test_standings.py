"""Standings are whole numbers, do not depend on the order of results, and are explained by sums that add up."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eventstore import canonical
from pbem.tournaments import events as said
from pbem.tournaments.files.trial import Stream, chances, simulate
from pbem.tournaments.model import Points, Settings
from pbem.tournaments.pairing.ladder import Rung, objections
from pbem.tournaments.ranking.standings import standings
from pbem.tournaments.ranking.tie_breaks import TIE_BREAKS, hundredths_in_words
from pbem.tournaments.record import Drawn, fold


def played(count: int, rounds: int, seed: int) -> Stream:
    stream = Stream(Settings("Cup", "toy", rounds=rounds, tie_breaks=tuple(TIE_BREAKS)))
    stream.enter([f"P{number}" for number in range(1, count + 1)])
    chance = random.Random(seed)
    for number in range(1, rounds + 1):
        for pairing in stream.pair(number).pairings:
            stream.result(number, pairing.number, *chances(stream.record, pairing, chance.random))
        stream.close(number)
    return stream


@settings(max_examples=20, deadline=None)
@given(count=st.integers(3, 15), seed=st.integers(0, 999))
def test_every_number_is_the_sum_of_its_terms(count: int, seed: int) -> None:
    for standing in standings(played(count, 3, seed).record):
        assert standing.points == sum(line.points for line in standing.lines)
        for value in standing.tie_breaks:
            assert value.value == sum(term.value for term in value.terms)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 999), shuffle=st.randoms(use_true_random=False))
def test_any_order_of_results_gives_the_same_standings(seed: int, shuffle: random.Random) -> None:
    stream = played(9, 3, seed)
    events = list(stream.events)
    slots = [at for at, event in enumerate(events) if event.type == "result.recorded"]
    by_round: dict[int, list[int]] = {}
    for at in slots:
        by_round.setdefault(events[at].payload["round"], []).append(at)
    for own in by_round.values():
        shuffled = [events[at] for at in own]
        shuffle.shuffle(shuffled)
        for at, event in zip(own, shuffled, strict=True):
            events[at] = event

    assert standings(fold(events, stream.parts.__getitem__)) == standings(stream.record)


def test_places_never_contradict_points_and_tie_breaks() -> None:
    for seed in range(5):
        rows = standings(played(14, 4, seed).record)
        for one, other in pairwise(rows):
            assert one.points >= other.points
            if one.place == other.place:
                assert [v.value for v in one.tie_breaks] == [v.value for v in other.tie_breaks]


def a_small_cup() -> Stream:
    """Return a cup in which Ann beats Bob and draws with Cem, and Bob beats Cem."""
    stream = Stream(Settings("Cup", "toy", format="round_robin", tie_breaks=tuple(TIE_BREAKS)))
    stream.enter(["Ann", "Bob", "Cem"])
    results = {(1, 2): "first", (1, 3): "draw", (2, 3): "first"}
    for number in range(1, 4):
        for pairing in stream.pair(number).pairings:
            one, other = pairing.entrants
            outcome = results[min(one, other), max(one, other)]
            if outcome == "draw":
                stream.result(number, pairing.number, ("drawn", "drawn"), (3, 3))
            else:
                won = one < other
                verdicts = ("won", "lost") if won else ("lost", "won")
                stream.result(number, pairing.number, verdicts, (8, 2) if won else (2, 8))  # type: ignore[arg-type]
    return stream


def test_a_worked_example() -> None:
    ann, bob, cem = standings(a_small_cup().record)

    assert (ann.name, bob.name, cem.name) == ("Ann", "Bob", "Cem")
    named = {value.name: value for value in ann.tie_breaks}
    # The opponents' free rounds count as draws: Bob 1½, Cem 1; Ann's own free round is an opponent of her 1½ points.
    assert named["buchholz"].value == 150 + 100 + 150
    assert named["buchholz_cut_1"].value == 300
    assert named["sonneborn_berger"].value == 150 + 50
    assert named["wins"].value == 100
    assert named["margin"].value == 600


def test_a_correction_changes_standings_and_no_pairing() -> None:
    stream = played(8, 3, 1)
    before = stream.record.rounds[2].pairings
    first = stream.record.rounds[1].pairings[0]
    points = dict(zip(first.entrants, stream.record.rounds[1].results[first.number].points, strict=True))
    stream.say(
        said.ResultCorrected(1, first.number, "adjudicated", ("drawn", "drawn"), (5, 5), "a ruling", by="director")
    )

    assert stream.record.rounds[2].pairings == before
    after = {standing.entrant: standing.lines[0].points for standing in standings(stream.record)}
    assert [after[number] for number in first.entrants] == [5, 5] != [points[n] for n in first.entrants]


def test_lots_end_a_tie_if_so_announced() -> None:
    stream = Stream(Settings("Cup", "toy", lots=True, tie_breaks=()))
    stream.enter(["Ann", "Bob"])
    assert [row.place for row in standings(stream.record)] == [1, 1]
    stream.say(said.DrawMade(1, "lots", "00"), canonical(Drawn((), (2, 1))), "rolls")

    assert [(row.place, row.name) for row in standings(stream.record)] == [(1, "Bob"), (2, "Ann")]


def test_the_winner_of_a_knock_out_is_first_and_the_third_place_is_decided() -> None:
    trial = simulate(Settings("Cup", "toy", format="knock_out", third_place=True), 11, 4)

    assert [row.place for row in trial.places][:4] == [1, 2, 3, 4]
    final = trial.record.rounds[4].pairings[0]
    assert {trial.places[0].entrant, trial.places[1].entrant} == set(final.entrants)


def test_a_late_entry_with_half_point_byes_has_their_points() -> None:
    stream = played(6, 2, 3)
    stream.enter_one(said.EntryMade(7, from_round=3, late_bye="half"), "Late")

    late = next(row for row in standings(stream.record) if row.name == "Late")
    assert late.points == 10


def test_re_entry_brings_no_points_for_the_rounds_missed() -> None:
    stream = played(6, 1, 3)
    stream.say(said.EntryWithdrawn(2, 1))
    for pairing in stream.pair(2).pairings:
        stream.result(2, pairing.number, ("won", "lost"))
    stream.say(said.EntryConfirmed(2))

    row = next(row for row in standings(stream.record) if row.entrant == 2)
    assert row.lines[1].points == 0


@pytest.mark.parametrize(
    ("hundredths", "text"), [(750, "7½"), (125, "1¼"), (50, "½"), (0, "0"), (-250, "-2½"), (1010, "10.1")]
)
def test_points_are_shown_as_people_write_them(hundredths: int, text: str) -> None:
    assert hundredths_in_words(hundredths) == text


def test_points_may_follow_the_level_of_victory() -> None:
    points = Points(levels={"decisive": (30, 0), "marginal": (20, 10)})

    assert (points.of("won", "marginal"), points.of("lost", "marginal")) == (20, 10)
    assert points.of("won", "decisive") == 30


# The ladder --------------------------------------------------------------------------------------------------


def test_a_challenge_reaches_only_so_far_and_waits_for_rest() -> None:
    order = [1, 2, 3, 4, 5]

    assert [o.english for o in objections(order, {}, 5, 1, 3, 0)] == [
        "you can challenge up to 3 places above you, not 4"
    ]
    assert [o.english for o in objections(order, {}, 1, 2, 3, 0)] == [
        "you can only challenge an entrant above you on the ladder"
    ]
    resting = {4: Rung(4, rests_until=10)}
    assert [o.english for o in objections(order, resting, 5, 4, 3, 9)] == [
        "entrant 4 is resting after the last challenge"
    ]
    assert not list(objections(order, resting, 5, 4, 3, 10))


def test_a_challenger_who_wins_takes_the_place() -> None:
    stream = Stream(Settings("Ladder", "toy", format="ladder"))
    stream.enter(["Ann", "Bob", "Cem"])
    stream.say(said.ChallengeMade(1, 3, 1, 99))
    stream.say(said.ChallengeAnswered(1, True))
    pairing = stream.pair(1).pairings[0]
    stream.result(1, pairing.number, ("won", "lost"))

    assert [row.name for row in standings(stream.record)] == ["Cem", "Bob", "Ann"]


def test_an_unanswered_challenge_swaps_places() -> None:
    stream = Stream(Settings("Ladder", "toy", format="ladder"))
    stream.enter(["Ann", "Bob"])
    stream.say(said.ChallengeMade(1, 2, 1, 99))
    stream.say(said.ChallengeAnswered(1, False))

    assert [row.name for row in standings(stream.record)] == ["Bob", "Ann"]
