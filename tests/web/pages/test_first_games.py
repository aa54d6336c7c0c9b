"""Newcomers learn each game in ten minutes, play a guided first game, and find scenarios by kind."""

from __future__ import annotations

import html
import re

import pytest

from pbem.engine.rules.primer import POINTS
from pbem.titles.registry import TITLES
from pbem.web import create_app
from pbem.web.pages import creating


@pytest.fixture(scope="module")
def site(folders, new_server):
    """Return a demonstration with every title."""
    return create_app(new_server(folders(), titles=TITLES), demo=True)


@pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))
def test_every_title_tells_newcomers_how_it_works(title):
    primer = title.primer()
    assert primer.compass and len(primer.glossary) >= 8 and len(primer.section) >= 5
    assert all(section.rules for section in primer.section)
    assert set(primer.difficulty) <= set(title.scenarios) and set(primer.difficulty.values()) <= {1, 2, 3, 4}


@pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))
def test_a_guided_game_has_three_turns_and_points_at_each_part_at_least_once(title):
    lesson = title.primer().lesson
    rules = title.rules(title.freeze(lesson.scenario, {}))
    assert lesson.seat in rules.seats and lesson.turns == 3
    pointed = [step.point for step in lesson.steps]
    assert {"stand", "map", "units", "lines", "check", "submit", "summary", "film", "talk"} <= set(pointed)
    assert set(pointed) <= set(POINTS) and sum(1 for step in lesson.steps if step.rule) >= len(lesson.steps) - 2


@pytest.mark.parametrize("title", ["panzer", "nato", "aslsk"])
def test_the_guided_game_shows_its_steps_on_the_page(site, title):
    visitor = site.test_client()
    how = visitor.get(f"/titles/{title}/how").text
    assert "in ten minutes" in how and "Terms used in this game" in how
    token = re.search(r'name="csrf_token" value="([^"]+)"', how)[1]
    page = visitor.post(f"/titles/{title}/first-game", data={"csrf_token": token}, follow_redirects=True).text
    lesson = TITLES[title].primer().lesson
    steps = re.findall(r'data-step="(\w+)"', page)
    kind = lesson.steps[0].kind
    assert steps == [step.point for step in lesson.of(1, kind)] and "Your first game" in page
    lines = [step.line for step in lesson.of(1, kind) if step.line]
    address = re.search(r'data-address="([^"]+check)"', page)[1]
    sent = {name: re.search(rf'name="{name}" value="([^"]+)"', page)[1] for name in ("csrf_token", "exchange")}
    sent["orders"] = "\n".join(lines)
    assert lines and visitor.post(address, data=sent).json["refusals"] == []  # the lesson's lines are legal


@pytest.mark.parametrize("title", list(TITLES))
def test_a_guided_game_is_followed_to_its_end(site, title):
    """Every ask in the first turn of a guided game has a step, and every line that a step offers is accepted."""
    visitor = site.test_client()
    token = re.search(r'name="csrf_token" value="([^"]+)"', visitor.get(f"/titles/{title}/how").text)[1]
    address = visitor.post(f"/titles/{title}/first-game", data={"csrf_token": token}).location
    offered = 0
    for _ in range(30):
        page = visitor.get(address).text
        turn, lines = turn_of(page), [html.unescape(line) for line in re.findall(r'data-write="([^"]+)"', page)]
        if turn > 3 or 'name="orders"' not in page:
            break
        assert turn > 1 or "data-step" in page, re.search(r'id="orders-title">(.*?)</h2>', page)[1]
        offered += len(lines)
        text = "\n".join(lines) or html.unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)[1])
        sent = {name: re.search(rf'name="{name}" value="([^"]+)"', page)[1] for name in ("csrf_token", "exchange")}
        answer = visitor.post(f"{address}/orders", data={**sent, "orders": text, "act": "final", "reviewed": "1"})
        assert answer.status_code == 303, answer.text

    assert turn == 4 and offered


def turn_of(page: str) -> int:
    """Return the turn in the heading of a match page, which is 0 for the set-up."""
    found = re.search(r" · turn (\d+)", page)
    return int(found[1]) if found else 0


def test_scenarios_are_chosen_by_size_length_difficulty_and_balance(site):
    visitor = site.test_client()
    found = visitor.get("/new?size=small&difficulty=1&title=panzer").text
    assert "1 scenario</p>" in found and "play=panzer/duel" in found
    assert "of 3</p>" in visitor.get("/new").text and "play=panzer/duel" not in visitor.get("/new?page=3").text
    assert "play=panzer/combined" in visitor.get("/new?words=mekhasa&size=large&length=long").text
    assert visitor.get("/new?size=nonsense&words=zzz").text.count("play=") == 0


def test_a_lobby_is_searched_by_words_and_by_the_kind_of_scenario(browsers, server, new_match):
    match = new_match(server)
    visitor = browsers("eve")
    for query, is_found in (
        ("words=noon", True),
        ("words=midnight", False),
        ("size=small", True),
        ("size=large", False),
    ):
        assert (f"/matches/{match}" in visitor.get(f"/?{query}").text) == is_found, query


def test_one_word_says_what_a_scenario_is_like():
    one = creating.About("t", "s", "S", ("a", "b"), False, turns=6, units=20, difficulty=2)
    assert one.kinds == {"size": "medium", "length": "medium", "difficulty": "2", "balance": "unknown"}
    assert " · ".join(map(str, one.in_words)) == "20 units · easy"
