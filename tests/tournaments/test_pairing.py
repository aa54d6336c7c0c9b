"""Pairings of every format: no rematch, no forbidden pair, at most one bye each, balanced sides, and everyone
paired."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments import events as said
from pbem.tournaments.files.trial import Stream, chances
from pbem.tournaments.model import Settings
from pbem.tournaments.pairing import berger, formats, knock_out
from pbem.tournaments.pairing.dutch import Dutch
from pbem.tournaments.pairing.field import Draw, Field, Game, Impossible, Player
from pbem.tournaments.pairing.large import Large
from pbem.tournaments.pairing.sides import Bid, allot, by_bids, handicap, preference
from pbem.tournaments.record import Record


def names(count: int) -> list[str]:
    return [f"P{number}" for number in range(1, count + 1)]


def a_swiss(count: int, rounds: int, **more: object) -> Stream:
    stream = Stream(Settings("Cup", "toy", rounds=rounds, **more))  # type: ignore[arg-type]
    stream.enter(names(count), [2000 - number for number in range(count)])
    return stream


def everybody_once(record: Record, draw: Draw) -> None:
    seen = [number for pair in draw.pairs for number in pair] + [bye.entrant for bye in draw.byes]
    assert sorted(seen) == sorted(set(seen))
    assert set(seen) >= {entrant.number for entrant in record.playing()}


def check_sides(record: Record) -> None:
    for number in record.entrants:
        sides = [
            pairing.entrants.index(number)
            for round in record.rounds.values()
            for pairing in round.pairings
            if number in pairing.entrants and round.results[pairing.number].kind != "forfeit"
        ]
        assert abs(sides.count(0) - sides.count(1)) <= 2
        assert not any(sides[at] == sides[at + 1] == sides[at + 2] for at in range(len(sides) - 2))


@settings(max_examples=25, deadline=None)
@given(
    count=st.integers(6, 23),
    rounds=st.integers(3, 6),
    seed=st.integers(0, 10_000),
    large=st.booleans(),
    data=st.data(),
)
def test_any_order_of_acts_leaves_every_round_sound(
    count: int, rounds: int, seed: int, large: bool, data: st.DataObject
) -> None:
    chance = random.Random(seed)
    stream = a_swiss(count, rounds)
    record = stream.record
    pairer = Large() if large else Dutch()
    for number in range(1, rounds + 1):
        _random_acts(stream, number, chance)
        field = formats.field(record, number)
        try:
            draw = pairer.pair(field)
        except Impossible as refusal:
            assert refusal.clashes and refusal.remedies
            return
        everybody_once(record, draw)
        _play(stream, number, draw, field, chance)
        check_sides(record)
    _no_rematch(record)


def _random_acts(stream: Stream, number: int, chance: random.Random) -> None:
    record = stream.record
    playing = [entrant.number for entrant in record.playing()]
    for entrant in playing:
        if chance.random() < 0.05 and len(record.playing()) > 4:
            stream.say(said.EntryWithdrawn(entrant, number - 1, "ill"))
        elif chance.random() < 0.08:
            stream.say(said.EntryAbsent(entrant, number, "half"))
    gone = [entrant.number for entrant in record.entrants.values() if entrant.state == "withdrawn"]
    if gone and chance.random() < 0.3:
        stream.say(said.EntryConfirmed(chance.choice(gone)))
    if chance.random() < 0.3:
        late = said.EntryMade(len(record.entrants) + 1, from_round=number, late_bye="half")
        stream.enter_one(late, f"Late {number}")
    if chance.random() < 0.3:
        one, other = chance.sample(playing, 2)
        stream.say(said.PairingForbidden((one, other), "the same club"))


def _play(stream: Stream, number: int, draw: Draw, field: Field, chance: random.Random) -> None:
    record = stream.record
    for one, other in draw.pairs:
        assert (min(one, other), max(one, other)) not in record.forbidden
    content = formats.pair_draw(record, draw, "hill", ("first", "second"))
    assert not formats.problems(record, number, content.pairings)
    stream.say(
        said.RoundPaired(number, draw.engine, draw.version, field.hash(), len(draw.pairs), len(draw.byes)),
        formats_bytes(content),
    )
    for pairing in content.pairings:
        if chance.random() < 0.07:
            points = (10, 0)
            stream.say(said.ResultRecorded(number, pairing.number, "forfeit", ("won", "lost"), points, reason="late"))
        else:
            verdicts, scores = chances(record, pairing, chance.random)
            stream.result(number, pairing.number, verdicts, scores)


def formats_bytes(content: object) -> bytes:
    from eventstore import canonical

    return canonical(content)


def _no_rematch(record: Record) -> None:
    met: set[frozenset[int]] = set()
    byes: dict[int, int] = {}
    for round in record.rounds.values():
        for pairing in round.pairings:
            if round.results[pairing.number].kind == "forfeit":
                continue
            assert frozenset(pairing.entrants) not in met
            met.add(frozenset(pairing.entrants))
        for bye in round.byes:
            byes[bye.entrant] = byes.get(bye.entrant, 0) + (bye.kind == "pairing")
    assert all(count <= 1 for count in byes.values())


def test_the_same_field_gives_the_same_pairing() -> None:
    stream = a_swiss(300, 3)
    draws = [Large().pair(formats.field(stream.record, 1)) for _ in range(2)]

    assert draws[0] == draws[1]


def test_a_round_that_was_paired_is_read_and_not_paired_again(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = a_swiss(8, 3)
    stream.pair(1)
    monkeypatch.setattr(formats, "draw", lambda *_: pytest.fail("replay paired again"))
    from pbem.tournaments.record import fold

    assert fold(stream.events, stream.parts.__getitem__).rounds == stream.record.rounds


def test_an_impossible_round_names_the_clash_and_what_would_free_it() -> None:
    stream = a_swiss(4, 3)
    for one, other in ((1, 2), (1, 3), (1, 4)):
        stream.say(said.PairingForbidden((one, other), "one family"))

    with pytest.raises(Impossible) as refused:
        formats.draw(stream.record, 1)

    assert refused.value.clashes == ("P1 has no opponent left: may not meet any of the others",)
    assert "allow P1 to meet P2" in refused.value.remedies


def test_players_who_have_all_met_are_told_that_only_a_rematch_is_left() -> None:
    stream = a_swiss(4, 4)
    for number in range(1, 4):
        for pairing in stream.pair(number).pairings:
            stream.result(number, pairing.number, ("won", "lost"))

    with pytest.raises(Impossible) as refused:
        formats.draw(stream.record, 4)

    assert "allow one rematch" in refused.value.remedies


def test_all_withdrawn_leaves_no_pairing() -> None:
    stream = a_swiss(4, 3)
    for number in range(1, 5):
        stream.say(said.EntryWithdrawn(number, 0))

    assert formats.draw(stream.record, 1)[0].pairs == ()


def test_an_open_match_counts_as_a_draw_for_pairing_only() -> None:
    stream = a_swiss(4, 3)
    first = stream.pair(1)
    stream.result(1, first.pairings[0].number, ("won", "lost"))
    field = formats.field(stream.record, 2)

    assert sorted(player.points for player in field.players) == [0, 5, 5, 10]


def test_acceleration_lifts_the_upper_half_and_ends() -> None:
    stream = a_swiss(8, 4, accelerated=True)

    assert [p.boost for p in formats.field(stream.record, 1).players] == [10] * 4 + [0] * 4
    assert all(p.boost == 0 for p in formats.field(stream.record, 3).players)


# Sides -------------------------------------------------------------------------------------------------------


def with_sides(number: int, *sides: int) -> Player:
    return Player(number, number, tuple(Game(at, (99,), side, 10, "played") for at, side in enumerate(sides, 1)))


def test_two_alike_make_the_other_side_due() -> None:
    assert preference(with_sides(1, 1, 0, 0)).side == 1
    assert preference(with_sides(1, 0, 1, 1)).side == 0


def test_the_stronger_wish_is_granted() -> None:
    one, other = with_sides(1, 0, 1, 1), with_sides(2, 1)

    assert allot(Field(4, 9, (one, other)), one, other) == (1, 2)


def test_the_higher_bid_gets_the_side_and_gives_the_handicap() -> None:
    one, other = Bid(0, 2), Bid(0, 3)

    sides = by_bids(one, other, lambda faces, name: 1)

    assert sides[:2] == (1, 0)
    assert handicap(one, other, sides[:2]) == (0, 3)


def test_different_wishes_cost_nothing() -> None:
    sides = by_bids(Bid(1, 4), Bid(0, 1), lambda faces, name: pytest.fail("no lots are needed"))

    assert sides[:2] == (1, 0)
    assert handicap(Bid(1, 4), Bid(0, 1), sides[:2]) == (0, 0)


# Round robin, pools, knock-out -------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(2, 18))
def test_a_round_robin_pairs_everybody_once_with_sides_in_balance(count: int) -> None:
    pairs = [
        pair
        for round in range(1, berger.rounds_needed(count) + 1)
        for pair in berger.table(count, round)
        if max(pair) <= count
    ]
    first = [sum(pair[0] == place for pair in pairs) for place in range(1, count + 1)]

    assert sorted(map(frozenset, pairs), key=sorted) == sorted(
        map(frozenset, combinations(range(1, count + 1), 2)), key=sorted
    )
    assert max(first) - min(first) <= 1


def test_the_berger_table_for_four_is_the_published_one() -> None:
    assert [berger.table(4, round) for round in (1, 2, 3)] == [
        [(1, 4), (2, 3)],
        [(4, 3), (1, 2)],
        [(2, 4), (3, 1)],
    ]


def test_a_double_round_robin_exchanges_sides() -> None:
    stream = a_swiss(5, 0, format="round_robin", double=True)
    pairs = [pair for number in range(1, 11) for pair in formats.draw(stream.record, number)[0].pairs]

    assert len(pairs) == len(set(pairs)) == 20
    assert {(b, a) for a, b in pairs} == set(pairs)


@pytest.mark.parametrize("count", range(2, 34))
def test_folded_seeds_keep_the_best_apart_and_give_them_the_byes(count: int) -> None:
    draw = knock_out.pair(1, list(range(1, count + 1)), {})
    byes = {bye.entrant for bye in draw.byes}

    assert byes == set(range(1, len(byes) + 1))
    assert all(one + other == 2 ** knock_out.rounds_needed(count) + 1 for one, other in draw.pairs)


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 21])
def test_favourites_meet_in_the_final_and_the_third_place_is_played_for(count: int) -> None:
    out: dict[int, int] = {}
    seeds = list(range(1, count + 1))
    for number in range(1, knock_out.rounds_needed(count) + 1):
        draw = knock_out.pair(number, seeds, out, third_place=True)
        for pair in draw.pairs:
            out.setdefault(max(pair), number)
        if number == knock_out.rounds_needed(count):
            assert set(draw.pairs[0]) == {1, 2}
            if count > 3:
                assert set(draw.pairs[1]) == {3, 4}


def test_only_listed_pairings_are_played_and_others_get_no_points() -> None:
    stream = a_swiss(5, 3, format="own")
    draw, _ = formats.draw(stream.record, 1, [(5, 2)])

    assert draw.pairs == ((5, 2),)
    assert {(bye.entrant, bye.kind) for bye in draw.byes} == {(1, "zero"), (3, "zero"), (4, "zero")}


def test_tables_of_four_repeat_no_opponent_while_they_can() -> None:
    stream = a_swiss(16, 4, format="several", table_size=4)
    met: dict[frozenset[int], int] = {}
    for number in range(1, 5):
        made = stream.pair(number)
        for pairing in made.pairings:
            for pair in combinations(pairing.entrants, 2):
                met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
            stream.result(number, pairing.number, ("won", "lost", "lost", "lost"), (9, 5, 3, 1))

    assert sum(count - 1 for count in met.values()) <= 16
    assert max(met.values()) <= 2


def test_a_team_plays_all_boards_with_sides_in_turn_and_mirrored_pairings_twice() -> None:
    teams = formats.legs(Settings("Cup", "toy", boards=2), (7, 9), "hill", ("red", "blue"))
    mirrored = formats.legs(Settings("Cup", "toy", sides="mirror"), (7, 9), "hill", ("red", "blue"))

    assert [leg.sides for leg in teams] == [{"red": 7, "blue": 9}, {"red": 9, "blue": 7}]
    assert [leg.sides for leg in mirrored] == [{"red": 7, "blue": 9}, {"red": 9, "blue": 7}]
    assert [leg.number for leg in mirrored] == [1, 2]
