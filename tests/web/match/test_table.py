"""A title without hexes in a real browser: deployment, moves by the measuring arrow, and shots with their odds."""

from __future__ import annotations

import pytest
from support.playing import entropy

from pbem.matches.history.replay import all_matches, load
from pbem.matches.installation import open_server
from pbem.titles.tanks.title import Tanks
from pbem.web import create_app

pytestmark = pytest.mark.browser


@pytest.fixture
def server(tmp_path):
    return open_server(tmp_path / "pbem.db", {"tanks": Tanks()}, entropy=entropy(1))


@pytest.fixture
def site(server, serve) -> str:
    return serve(create_app(server, demo=True))


def submit(page) -> None:
    """Submit the unedited form, and wait for the next form."""
    before = page.inner_text("#orders-title")
    page.click("text=Submit as final")
    changed = "(document.querySelector('#orders-title')?.innerText ?? before) !== before"
    page.wait_for_function(f"before => document.querySelector('dialog[open]') || {changed}", arg=before)
    if page.query_selector("dialog[open]"):  # a tank that stays is asked about
        page.click("dialog[open] [data-seal]:not([hidden])")
    page.wait_for_function(f"before => {changed}", arg=before)
    page.wait_for_selector("[data-ready]")


def point_out_a_place(page) -> None:
    """T3.3: Click to place the first tank, check the order line that is written, and restore the form."""
    first, *_ = (row.get_attribute("data-row") for row in page.query_selector_all("[data-row]"))
    page.click(f'[data-row="{first}"]')
    page.wait_for_selector(".panel >> text=Click where to place it")
    box = page.locator(".map-window > svg").bounding_box()
    form = page.input_value("#lines")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    said = next(line for line in page.input_value("#lines").splitlines() if line.startswith(f"{first} at "))
    assert said.split(" face ")[0] not in form and page.locator(".marks .ghost").count() > 1
    page.fill("#lines", form)


def type_a_move(page) -> None:
    """T5.1: Type a move; the map previews it, although no tank is selected."""
    form = page.input_value("#lines")
    page.fill("#lines", "a1: if b1 moved: move 0\n")
    page.wait_for_selector('.marks path[stroke="#0f4a86"]', state="attached")
    page.fill("#lines", form)


def test_T5_1_a_tank_is_moved_by_clicking_where_its_arrow_shall_point(new_page, site, server):
    page = new_page(viewport={"width": 1280, "height": 900})
    page.goto(site)
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")
    while "deploy" not in page.inner_text("#orders-title"):
        submit(page)
    point_out_a_place(page)
    while "movement" not in page.inner_text("#orders-title"):
        submit(page)
    (match,) = all_matches(server)
    tank = load(server, match).run.view("alpha").tanks["a1"]
    type_a_move(page)
    page.click('[data-unit="a1"]')
    page.wait_for_selector('.panel:has(h2:has-text("a1")) .facts')
    assert "attack" in page.inner_text(".facts >> nth=0") and "Next: a2" in page.inner_text(".panel")
    at = page.locator('[data-unit="a1"] > rect').bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2

    page.mouse.move(x + 10, y - 90)
    page.mouse.click(x + 10, y - 90)  # 6.3 degrees: the arrow snaps
    page.click('.panel >> text="right"')
    assert "a1: move 5 face right\n" in page.input_value("#lines")
    assert page.inner_text('[data-row="a1"] [data-order]') == "move 5 face right"
    page.click('[data-unit="b1"]')
    assert "a1: move 5 face right then move toward b1\n" in page.input_value("#lines")
    page.click('[data-row="a2"]')
    page.wait_for_selector('.panel h2:has-text("a2")')
    page.click('.panel >> text="stay"')
    submit(page)
    assert load(server, match).run.view("alpha").tanks["a1"].at != tank.at
    page.wait_for_selector("[data-turn]", state="attached")  # the turn is drawn, and the whole table is in view
    assert page.get_attribute(".map-window > svg", "viewBox") == page.get_attribute(".map-window > svg", "data-map")

    page.click('[data-unit="a1"]')
    page.wait_for_selector('.panel h2:has-text("a1")')
    page.click('.panel >> text="hold"')
    position = load(server, match)
    seen = position.rules.sight(position.run.view("alpha"), "a1").seen
    assert page.locator(".marks .hit-number").count() == len(seen)  # the odds of its shots, at their targets
    page.click('[data-unit="b2"]')
    page.click('[data-unit="b1"]')
    assert "a1: shoot b2, b1\n" in page.input_value("#lines")
