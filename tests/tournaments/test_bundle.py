"""A bundle contains a tournament with its matches, and every match head that the tournament cites is checked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from support.hall import Hall
from support.toy import AmbushTitle

from pbem.engine.rules.refusals import Unreadable
from pbem.matches.accounts import accounts
from pbem.tournaments import entries, stream
from pbem.tournaments import events as said
from pbem.tournaments.files import bundle
from pbem.tournaments.files.bundle import Verified
from pbem.tournaments.pairing import formats
from pbem.tournaments.pairing.field import Draw, Field
from pbem.tournaments.ranking.standings import standings
from pbem.tournaments.record import Drawn, Record, fold

TITLES = {"ambush": AmbushTitle()}


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    hall = Hall(tmp_path)
    hall.open(4, rounds=2)
    hall.round()
    hall.finish_round()
    hall.close()
    return hall


def checked(hall: Hall) -> Verified:
    return bundle.verify_bundle(bundle.load(bundle.write(hall.server, hall.id)), TITLES)


def test_a_whole_tournament_verifies_with_its_matches(hall: Hall) -> None:
    report = checked(hall)

    assert report.problems == []
    assert "2 matches replayed from their first event" in report.facts


def test_every_round_is_paired_again(hall: Hall) -> None:
    assert "1 of 1 rounds paired again with the same pairings" in checked(hall).facts


def test_another_pairing_than_the_program_gives_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pairing that differs from the program's is found by pairing again; the difference breaks none
    of the hard rules."""
    hall = Hall(tmp_path)
    hall.open(4, rounds=2)
    honest = formats.draw

    def forged(record: Record, number: int, listed: Sequence[tuple[int, ...]] = ()) -> tuple[Draw, Field]:
        drawn, there = honest(record, number, listed)
        (a, b), (c, d) = drawn.pairs
        return msgspec.structs.replace(drawn, pairs=((a, d), (c, b))), there

    with monkeypatch.context() as patched:
        patched.setattr(formats, "draw", forged)
        hall.round()

    assert checked(hall).problems == ["round 1: pairing it again gives other pairings"]


def test_what_is_forbidden_or_withdrawn_later_does_not_spoil_an_earlier_round(hall: Hall) -> None:
    one, other = hall.record.rounds[1].pairings[0].entrants
    say(hall, said.PairingForbidden((min(one, other), max(one, other)), "quarrel", by=hall.max))
    entries.withdraw(hall.server, hall.id, hall.player(one))

    assert checked(hall).problems == []


def test_another_version_of_the_program_is_a_fact_and_not_a_problem(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = bundle.load(bundle.write(hall.server, hall.id))
    honest = formats.draw

    def newer(record: Record, number: int, listed: Sequence[tuple[int, ...]] = ()) -> tuple[Draw, Field]:
        drawn, there = honest(record, number, listed)
        return msgspec.structs.replace(drawn, version="99"), there

    monkeypatch.setattr(formats, "draw", newer)
    report = bundle.verify_bundle(written, TITLES)

    assert report.problems == []
    assert any(fact.startswith("round 1 was paired by") and "99" in fact for fact in report.facts)


def test_standings_from_a_bundle_are_those_of_the_server(hall: Hall) -> None:
    found = bundle.load(bundle.write(hall.server, hall.id))
    record = fold(found.events, lambda commitment: found.parts[commitment].content)

    assert standings(record) == standings(hall.record)


def test_before_the_round_closes_matches_are_bound_and_not_open(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.open(4, rounds=2)
    hall.round()
    hall.finish_round()
    report = checked(hall)

    assert report.ok
    assert "0 matches replayed from their first event" in report.facts


def say(hall: Hall, payload: msgspec.Struct) -> None:
    stream.append(hall.server, hall.record, [said.new(payload)], "forge")


def corrected(hall: Hall, pairing: int, report: said.Report) -> said.ResultCorrected:
    return said.ResultCorrected(1, pairing, "played", ("lost", "won"), (0, 10), "forged", reports=(report,))


def test_a_forged_head_is_found(hall: Hall) -> None:
    [report] = hall.record.reports[1, 1]
    say(hall, corrected(hall, 1, msgspec.structs.replace(report, event="00" * 32)))

    assert any("is not signed by this server" in problem for problem in checked(hall).problems)


def test_a_head_of_another_pairing_is_found(hall: Hall) -> None:
    [other] = hall.record.reports[1, 2]
    say(hall, corrected(hall, 1, other))
    problems = checked(hall).problems

    assert any("was used before" in problem or "for another pairing" in problem for problem in problems)


def test_a_head_with_another_outcome_is_found(hall: Hall) -> None:
    [report] = hall.record.reports[1, 1]
    say(hall, corrected(hall, 1, msgspec.structs.replace(report, outcome={**report.outcome, "winner": "blue"})))

    assert any("ended differently" in problem for problem in checked(hall).problems)


def test_a_draw_that_was_made_up_is_found(hall: Hall) -> None:
    part = stream.part(hall.server, hall.id, hall.record.version + 1, "rolls", "public", Drawn((), (1, 2)))
    made_up = said.new(said.DrawMade(3, "lots", "ab" * 32), (part,))
    stream.append(hall.server, hall.record, [made_up], "forge")

    assert any("does not use rung 3" in problem for problem in checked(hall).problems)


def test_a_cut_or_garbled_file_is_named(hall: Hall) -> None:
    content = bundle.write(hall.server, hall.id)
    cut = b"\n".join(content.splitlines()[:-1])
    assert bundle.verify_bundle(bundle.load(cut)).problems == ["the trailer is missing: the file is cut off"]
    with pytest.raises(Unreadable, match="line 2"):
        bundle.load(b"\n".join([content.splitlines()[0], b"{}"]))


def test_draws_hold_after_replacements_re_entries_and_sealed_bids(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.open(4, rounds=3, sides="bid")
    entries.withdraw(hall.server, hall.id, hall.player(4))
    entries.enter(hall.server, hall.id, hall.player(4))
    entries.replace(hall.server, hall.id, 1, hall.player(9), "ill", by=hall.max)
    hall.round()
    hall.tick(days=6)
    hall.finish_round()
    hall.close()

    assert checked(hall).problems == []


def test_a_tournament_of_bots_runs_by_itself(tmp_path: Path) -> None:
    """Bots play a whole tournament with real matches."""
    hall = Hall(tmp_path)
    hall.open(0, rounds=2)
    bots = [accounts.open_bot(hall.server, f"trial-{n}").id for n in range(1, 5)]
    lines = [f"Bot {n},{account},{1500 - n}" for n, account in enumerate(bots, 1)]
    content = "\n".join(["name,account,rating", *lines]).encode()
    assert not entries.import_list(hall.server, hall.id, content, by=hall.max).mistakes
    for _ in range(2):
        hall.round()
        while hall.record.rounds[max(hall.record.rounds)].open_pairings():
            hall.tick()
        hall.close()

    assert checked(hall).problems == []
    assert all(result.kind == "played" for round in hall.record.rounds.values() for result in round.results.values())
