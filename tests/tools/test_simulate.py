"""Simulations and soaks count correctly and notice faults of a title."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support import toy
from support.toy import AmbushRules, AmbushTitle

from pbem.cli.measuring import FULL_SOAK, went_wrong
from pbem.engine.play.bots import random_bot
from pbem.engine.play.resolve import always_asked, as_the_rules_say
from pbem.engine.rules.ask import Ask
from pbem.titles.panzer.title import Panzer
from pbem.tools import simulate
from pbem.tools.simulate import Playing, asked_of, mails, play, spread, versus, wilson, write_card
from pbem.tools.soak import matches as soaking
from pbem.tools.soak.matches import by_size, games, ledger, next_of, play_set, powers, sets, soak

TITLE = AmbushTitle()


def quiet(text: str) -> None:
    """Print nothing."""


# One match ---------------------------------------------------------------------------------------------------


def test_a_match_counts_its_asks_its_rules_and_whom_it_kept_waiting() -> None:
    planned, asked = (play(TITLE, "small", 1, waits_for=how) for how in (as_the_rules_say, always_asked))
    assert planned.ended and asked.ended
    assert set(planned.asks) >= {"orders", "card"} and set(planned.rules) >= {"1", "3", "4.1"}
    assert planned.waits == [1] * planned.turns, "the main ask of each turn, and no other"
    assert planned.mails == [1] * planned.turns * 2, "one mail for each player and turn"
    assert sum(asked.waits) == asked.exchanges - 1, "the last exchange asks nothing any more"
    assert sum(asked.mails) > len(asked.mails)
    assert planned.asks["orders"] == planned.turns * 2


def test_an_advanced_turn_makes_a_player_wait_once_and_the_set_up_is_counted_apart() -> None:
    """The set-up of an advanced match is counted apart, and each player then waits once per turn."""
    title = Panzer()
    rules = title.rules(title.freeze("desert", {}))
    match = Playing(rules, (), 1, as_the_rules_say)
    bots = {seat: random_bot(seat, most=4) for seat in rules.seats}
    match.go_on({})
    while match.run.state.turn <= 2:
        match.go_on(match.answered(bots))
    played = match.result()
    assert played.set_up == 3, "plotting, and the placing of each side"
    assert played.waits[:2] == [1, 1] and played.mails[:4] == [1] * 4


def test_only_the_seat_that_is_to_be_asked_waits() -> None:
    waits = asked_of("red")
    assert waits(Ask("red", "card", "3")) and not waits(Ask("blue", "card", "3"))
    assert waits(Ask("blue", "orders", "1", grade="order"))
    waits = asked_of("red", "pink", grades=frozenset({"order", "reaction"}))
    assert waits(Ask("pink", "card", "3", grade="reaction")) and not waits(Ask("red", "card", "3", grade="detail"))


def test_the_kind_of_bot_in_a_seat_can_be_chosen() -> None:
    with pytest.raises(KeyError):
        play(TITLE, "tiny", 1, bots={"red": "random", "blue": "clever"})
    assert play(TITLE, "tiny", 1, bots={"red": "random", "blue": "random"}).ended


# Tempo and strength ------------------------------------------------------------------------------------------


def test_the_bots_of_a_varied_match_take_its_seats_in_their_order() -> None:
    played = play(Panzer(), "desert", "1/4", bots={"italian": "steady", "british": "random"}, varied=True)
    assert played.ended and not played.flaws


def test_tempo_is_told_by_median_ninetieth_and_most() -> None:
    assert spread([1, 1, 1, 1, 1, 1, 1, 1, 1, 11]) == {"median": 1, "p90": 2, "most": 11}
    assert mails([1, 1, 3, 1]) == {"main": 1, "beyond": {"mean": 0.5, "median": 0, "p90": 1.4, "most": 2}}


def test_kept_matches_are_not_played_again_and_a_line_that_was_cut_off_is(tmp_path: Path) -> None:
    file, said = tmp_path / "kept.jsonl", list[str]()
    whole = simulate.simulate(TITLE, "small", 3, 1, quiet, kept=file)
    file.write_bytes(file.read_bytes()[:-20])
    assert simulate.simulate(TITLE, "small", 3, 1, said.append, kept=file) == whole
    assert said == ["3 of 3 matches played"]


def test_results_are_entered_on_the_card_and_nothing_else_changes(tmp_path: Path) -> None:
    file, text = (
        tmp_path / "balance.toml",
        "# head\n\n[one]\nmatches = 8\nwon = {red = 1, blue = 7}\n\n[two]\nmatches = 0\n",
    )
    file.write_text(text)
    write_card(file, "one", 12, {"blue": 9, "draw": 1, "red": 2})
    assert file.read_text() == text.replace(
        "matches = 8\nwon = {red = 1, blue = 7}", "matches = 12\nwon = {red = 2, blue = 9}"
    )


def test_wilson_gives_the_interval_of_the_books() -> None:
    """45 of 60 gives an interval of 0.628 to 0.842, as in published tables; every interval stays between 0 and 1."""
    assert [round(bound, 3) for bound in wilson(45, 60)] == [0.628, 0.842]
    low, high = wilson(0, 10)
    assert low == pytest.approx(0, abs=1e-9) and 0.2 < high < 0.3


def test_the_sides_are_swapped_under_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, bool]] = []
    real = simulate.play

    def watched(title: Any, scenario: str, seed: object, *, options: Any, waits_for: Any) -> Any:
        asked.append((seed, waits_for(Ask("red", "card", "3"))))
        return real(title, scenario, seed, options=options, waits_for=waits_for)

    monkeypatch.setattr(simulate, "play", watched)
    result = versus(TITLE, "tiny", 4, "x", quiet)
    assert asked == [("x/0", True), ("x/0", False), ("x/1", True), ("x/1", False)]
    doctrine = result["doctrine"]
    assert doctrine["won"] + doctrine["drawn"] + doctrine["lost"] == 4
    assert doctrine["interval_95"][0] < doctrine["share"] < doctrine["interval_95"][1]


def test_a_win_of_the_asked_side_is_none_of_the_doctrine(monkeypatch: pytest.MonkeyPatch) -> None:
    real = simulate.play
    winners = iter(["red", "red", "blue", None])

    def won(*what: Any, **more: Any) -> Any:
        return toy.msgspec.structs.replace(real(*what, **more), winner=next(winners))

    monkeypatch.setattr(simulate, "play", won)
    doctrine = versus(TITLE, "tiny", 4, "x", quiet)["doctrine"]
    assert (doctrine["won"], doctrine["drawn"], doctrine["lost"], doctrine["share"]) == (2, 1, 1, 0.625)


# Soaking -----------------------------------------------------------------------------------------------------


def test_most_matches_are_of_the_smallest_scenario_and_all_kinds_of_play_occur() -> None:
    scenarios = by_size(TITLE)
    assert scenarios[0] == "tiny" and set(scenarios) == set(TITLE.scenarios)
    given = list(sets(TITLE, scenarios, 1, 64))
    assert Counter(item.scenario for item in given).most_common()[0] == ("tiny", 48)
    assert {item.reactions for item in given} == {"plan", "ask"}
    assert [powers(number, 4) for number in (1, 4, 8, 16, 64)] == [0, 1, 1, 2, 3]
    assert len({item.seed for item in given}) == 64


def test_every_mode_of_a_title_is_simulated_and_soaked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AmbushRules, "modes", {**AmbushRules.modes, "cards": frozenset({"order", "reaction"})})
    assert {item.reactions for item in sets(TITLE, by_size(TITLE), 1, 64)} == {"plan", "ask", "cards"}
    found = {how: simulate.simulate(TITLE, "small", 2, 7, print, reactions=how) for how in AmbushRules.modes}
    assert found["cards"]["exchanges_median"] > found["plan"]["exchanges_median"]


def test_options_of_the_title_reach_every_match(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []
    real = AmbushTitle.freeze

    def freeze(self: AmbushTitle, scenario: str, options: Any) -> Any:
        given.append(options)
        return real(self, scenario, {})

    monkeypatch.setattr(AmbushTitle, "freeze", freeze)
    simulate.simulate(TITLE, "tiny", 2, 1, quiet, options={"fog": "on"})
    assert given.count({"fog": "on"}) == 2
    given.clear()
    versus(TITLE, "tiny", 2, 1, quiet, options={"fog": "on"})
    assert given == [{"fog": "on"}] * 3


def test_a_sound_title_soaks_without_a_word() -> None:
    result = soak(TITLE, 8, 1, quiet)
    assert result["matches"] == 8 and result["asks"]["orders"] > 0
    assert not went_wrong(result)
    assert result == soak(TITLE, 8, 1, quiet), "the same seed gives the same soak"
    assert result["turns"] == sum(play_set(TITLE, given).turns for given in sets(TITLE, by_size(TITLE), 1, 8))


def test_games_take_turns_and_each_goes_through_its_scenarios() -> None:
    rules: Any = {name: SimpleNamespace(kinds=(kind,)) for name, kind in (("a", "x"), ("b", "x"), ("c", "y"))}
    assert games(rules) == [["a", "b"], ["c"]]
    assert [next_of("ab", number) for number in (1, 2, 4, 16)] == ["a", "a", "b", "b"]
    assert [next_of("abcd", number) for number in (1, 2, 4, 8, 64)] == ["a", "b", "c", "d", "d"], "every second"


def test_every_scenario_of_a_game_gets_at_least_one_match_in_25() -> None:
    for scenarios in ("ab", "abc", "abcd", "abcdef", "abcdefghi"):
        drawn = Counter(next_of(scenarios, number) for number in range(1, 501))
        assert min(drawn[scenario] for scenario in scenarios) >= 20
        assert list(dict(sorted(drawn.items())).values())[:3] == sorted(drawn.values(), reverse=True)[:3]


def test_a_soak_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    kept = tmp_path / "soak.json"
    soak(TITLE, 3, 1, quiet, kept=kept)
    numbers: list[str] = []
    result = soak(TITLE, 8, 1, numbers.append, kept=kept)
    assert [text.split()[0] for text in numbers] == ["4", "5", "6", "7", "8"]
    assert result == soak(TITLE, 8, 1, quiet)
    soak(TITLE, 8, 1, pytest.fail, kept=kept)


def test_several_choices_and_the_set_up_vary_from_match_to_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AmbushTitle, "any_choice", lambda *given: {"extras": ["fog"]}, raising=False)
    monkeypatch.setattr(AmbushTitle, "vary", lambda self, blobs, choice: blobs, raising=False)
    given = list(sets(TITLE, ("tiny",), 1, 16))
    assert {item.varied for item in given} == {True, False}
    assert all(item.options["extras"] == ["fog"] for item in given)
    changed = next(item for item in given if item.varied)
    assert "tiny, extras fog, varied, reactions" in str(changed) and {"fog", "varied"} <= set(changed.words())


def test_a_varied_match_is_played_with_another_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def vary(self: AmbushTitle, blobs: Any, choice: Any) -> Any:
        asked.append("varied")
        return self.freeze("small", {})

    monkeypatch.setattr(AmbushTitle, "vary", vary, raising=False)
    assert play(TITLE, "tiny", 1, varied=True) == play(TITLE, "small", 1)
    assert play(TITLE, "tiny", 1).ended and asked == ["varied"]


def test_an_exception_is_noted_with_how_to_repeat_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(table: Any, *more: Any) -> Any:
        raise ZeroDivisionError("over a root")
        yield

    monkeypatch.setattr(toy, "move", stumble)
    result = soak(TITLE, 3, 1, quiet)
    assert result["failures"] and went_wrong(result)
    assert "ZeroDivisionError in stumble" in result["failures"][0] and "seed 1/" in result["failures"][0]


def test_a_broken_invariant_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AmbushRules, "flaws", lambda self, state: iter(["1 a unit too many"]))
    result = soak(TITLE, 1, 1, quiet)
    assert result["flaws"][0].startswith("1 a unit too many (tiny") and went_wrong(result)


def test_a_match_without_end_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "MOST_EXCHANGES", 2)
    result = soak(TITLE, 4, 1, quiet, scenarios=("small",))
    assert result["endless"] and went_wrong(result)


def test_no_match_begins_after_the_time_that_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 40))
    monkeypatch.setattr(soaking.time, "monotonic", lambda: next(clock))
    assert soak(TITLE, 50, 1, quiet, minutes=2)["matches"] == 3


def test_what_did_not_occur_is_named_and_counts_only_in_a_full_soak() -> None:
    sound: dict[str, Any] = {"failures": [], "flaws": [], "endless": [], "asks_missing": ["deploy"]}
    rare, usual = {"basic": {"share": 90}, "advanced": {"share": 50}}, {"basic": {"share": 90}}
    sound |= {"rules": rare}
    assert not went_wrong(sound | {"matches": FULL_SOAK - 1})
    assert went_wrong(sound | {"matches": FULL_SOAK})
    assert not went_wrong(sound | {"matches": FULL_SOAK, "asks_missing": [], "rules": usual})
    assert went_wrong(sound | {"matches": FULL_SOAK, "asks_missing": []})


def test_a_title_without_a_ledger_has_no_rows() -> None:
    assert ledger("ambush") == [] and ledger("../panzer") == []
    assert any(row["status"] == "covered" for row in ledger("panzer"))
