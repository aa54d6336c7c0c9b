"""6.5.2.2.4 Damage in words, for replays and emails."""

from __future__ import annotations

import pytest

from pbem.titles.panzer.title import Panzer


@pytest.mark.parametrize(
    ("what", "now", "words"),
    [
        ("damage", "whole", "damaged"),
        ("damage", "turret", "turret damaged"),
        ("damage", "", "no longer damaged"),
        ("damage", True, "damage"),
        ("suppressed", True, "suppressed"),
        ("suppressed", False, "no longer suppressed"),
    ],
)
def test_a_change_of_a_marker_is_said_in_plain_words(what: str, now: object, words: str) -> None:
    title = Panzer()
    assert str(title.rules(title.freeze("duel", {})).change_in_words(what, now)) == words


def test_3_6_films_call_an_objective_by_its_name() -> None:
    title = Panzer()
    rules = title.rules(title.freeze("duel", {}))
    assert rules.place_in_words("well") == "the well of Bir Hasan"
    assert rules.place_in_words("K5") == "K5"
