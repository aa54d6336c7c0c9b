"""Ladders, sealed bids, sealed choices of scenarios, and the limit on simultaneous matches."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.hall import DAY, Hall

from pbem.engine.rules.refusals import Refusal
from pbem.matches.history.replay import all_matches, record_of
from pbem.tournaments import choices
from pbem.tournaments.choices import Sealed
from pbem.tournaments.pairing.scenarios import Choice, by_ranked_lists, by_strikes
from pbem.tournaments.pairing.sides import Bid
from pbem.tournaments.ranking.standings import standings


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


# The ladder -----------------------------------------------------------------------------------------------------


def test_a_challenge_is_accepted_played_and_won(hall: Hall) -> None:
    hall.open(4, format="ladder")
    choices.challenge(hall.server, hall.id, hall.player(3), 1)
    choices.answer(hall.server, hall.id, hall.player(1), 1, accepted=True)
    hall.tick()
    loser = next(side for side, number in hall.record.rounds[1].pairings[0].legs[0].sides.items() if number == 1)
    hall.concede(1, loser)
    hall.tick()

    assert [row.name for row in standings(hall.record)] == ["P3", "P2", "P1", "P4"]


def test_a_challenge_that_is_not_answered_swaps_places(hall: Hall) -> None:
    hall.open(3, format="ladder", answer_days=7)
    choices.challenge(hall.server, hall.id, hall.player(2), 1)
    hall.tick(days=8)

    assert [row.name for row in standings(hall.record)] == ["P2", "P1", "P3"]


def test_nobody_challenges_out_of_reach_while_busy_or_before_rest(hall: Hall) -> None:
    hall.open(5, format="ladder", reach=2, rest_days=7)
    with pytest.raises(Refusal, match="up to 2 places above you, not 4"):
        choices.challenge(hall.server, hall.id, hall.player(5), 1)
    choices.challenge(hall.server, hall.id, hall.player(3), 1)
    with pytest.raises(Refusal, match="already has an open challenge"):
        choices.challenge(hall.server, hall.id, hall.player(2), 1)
    choices.answer(hall.server, hall.id, hall.player(1), 1, accepted=False)
    with pytest.raises(Refusal, match="is resting"):
        choices.challenge(hall.server, hall.id, hall.player(1), 3)
    hall.tick(days=8)

    assert choices.challenge(hall.server, hall.id, hall.player(1), 3).challenges[2].state == "open"


def test_only_the_challenged_answers(hall: Hall) -> None:
    hall.open(3, format="ladder")
    choices.challenge(hall.server, hall.id, hall.player(2), 1)
    with pytest.raises(Refusal, match="waiting for your answer"):
        choices.answer(hall.server, hall.id, hall.player(3), 1, accepted=True)


# Bids -----------------------------------------------------------------------------------------------------------


def seal(hall: Hall, number: int, bid: Bid | None = None, choice: Choice | None = None) -> None:
    account = hall.record.entrants[number].account
    choices.seal(hall.server, hall.id, account, Sealed(bid or Bid(0), choice or Choice(())))


def test_the_match_waits_for_both_bids_and_the_higher_one_plays_the_side(hall: Hall) -> None:
    hall.open(2, sides="bid", rounds=1)
    hall.round()
    one, other = hall.record.rounds[1].pairings[0].entrants
    assert not all_matches(hall.server)
    seal(hall, one, Bid(0, 1))
    assert hall.tick() is not None and not all_matches(hall.server)
    seal(hall, other, Bid(0, 3))
    pairing = hall.tick().rounds[1].pairings[0]

    assert pairing.entrants == (other, one)
    assert pairing.legs[0].handicap == "red 3"
    [match] = all_matches(hall.server)
    created = record_of(hall.server, match).created
    assert created.handicap == "red 3"
    assert hall.server.rules("ambush", created.blobs).data.turns == 1
    assert record_of(hall.server, match).occupants["red"]["account"] == hall.record.entrants[other].account


def test_what_is_sealed_is_for_its_entrant_alone_until_both_have(hall: Hall) -> None:
    hall.open(2, sides="bid", rounds=1)
    hall.round()
    seal(hall, 1, Bid(0, 2))
    event = hall.record.events[-1]

    assert event.type == "choice.sealed"
    assert [part.audience for part in event.parts] == [hall.record.entrants[1].account]
    assert "2" not in str({name: value for name, value in event.payload.items() if name != "kind"})


def test_whoever_seals_nothing_gets_the_default_after_the_time_is_over(hall: Hall) -> None:
    hall.open(2, sides="bid", rounds=1)
    hall.round()
    paired = hall.record.rounds[1].pairings[0].entrants
    hall.tick(days=choices.TIME_TO_CHOOSE / DAY)

    assert hall.record.rounds[1].pairings[0].entrants == paired
    assert len(all_matches(hall.server)) == 1


def test_a_bid_that_cannot_be_is_refused(hall: Hall) -> None:
    hall.open(2, sides="bid", rounds=1)
    with pytest.raises(Refusal, match="there is nothing to choose"):
        seal(hall, 1)
    hall.round()
    with pytest.raises(Refusal, match="handicap from 0 to 3 for red"):
        seal(hall, 1, Bid(0, 4))
    with pytest.raises(Refusal, match="handicap from 0 to 1 for blue"):
        seal(hall, 1, Bid(1, 2))


# Scenarios ------------------------------------------------------------------------------------------------------


def no_lots(faces: int, name: str) -> int:
    return pytest.fail("no lots are needed")


def test_ranked_lists_take_the_best_joint_rank() -> None:
    assert by_ranked_lists(["a", "b", "c"], ["a", "c", "b"], no_lots) == ("a", "ranked 1:1")
    assert by_ranked_lists(["a", "b", "c"], ["b", "c", "a"], no_lots) == ("b", "ranked 2:1")
    assert by_ranked_lists(["a", "b"], ["b", "a"], lambda faces, name: 2) == ("b", "ranked 2:1, by lot")


def test_of_three_each_strikes_one_and_the_rest_is_played() -> None:
    three = ["a", "b", "c"]

    assert by_strikes(three, Choice((), "a"), Choice((), "c"), no_lots)[0] == "b"
    both = by_strikes(three, Choice(("b", "c"), "a"), Choice(("c", "b"), "a"), lambda faces, name: 1)
    assert both == ("b", "both struck a; ranked 1:2, by lot")


def test_players_choose_the_scenario_of_their_match(hall: Hall) -> None:
    hall.open(2, rounds=1, scenario_rule="chosen", scenarios=("tiny", "small", "close"))
    hall.round()
    seal(hall, 1, choice=Choice(("small", "tiny", "close")))
    seal(hall, 2, choice=Choice(("close", "small", "tiny")))
    hall.tick()
    [match] = all_matches(hall.server)

    assert record_of(hall.server, match).created.scenario == "small"
    assert hall.record.rounds[1].pairings[0].why.startswith("ranked")
    with pytest.raises(Refusal, match="not part of the tournament"):
        choices.check(hall.record, Sealed(choice=Choice(("moon",))), ("red", "blue"))


# Matches at once ------------------------------------------------------------------------------------------------


def test_the_second_match_of_a_mirrored_pairing_waits_for_the_first(hall: Hall) -> None:
    hall.open(2, sides="mirror", rounds=1, at_once=1)
    hall.round()
    assert len(all_matches(hall.server)) == 1
    hall.concede(1, "blue", leg=1)
    hall.tick()

    assert len(all_matches(hall.server)) == 2
