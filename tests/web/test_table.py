"""A table without hexes in a real browser: moves by the measuring arrow, shots by clicking targets."""

from __future__ import annotations

import pytest
from playing import entropy

from pbem.matches import acts, desk
from pbem.matches.position import load
from pbem.titles.tanks.title import Tanks
from pbem.web import create_app

pytestmark = pytest.mark.browser


@pytest.fixture
def house(tmp_path):
    return desk.open_house(tmp_path / "pbem.db", {"tanks": Tanks()}, entropy=entropy(1))


@pytest.fixture
def site(house, serve) -> str:
    return serve(create_app(house, demo=True))


def submit(page) -> None:
    """Send the form as it stands, and wait for the next one."""
    before = page.inner_text("#orders-title")
    page.click("text=Submit as final")
    page.wait_for_function("before => document.querySelector('#orders-title').innerText !== before", arg=before)
    page.wait_for_selector("[data-ready]")


def test_T5_1_a_tank_is_moved_by_clicking_where_its_arrow_shall_point(new_page, site, house):
    page = new_page(viewport={"width": 1280, "height": 900})
    page.goto(site)
    page.click("text=Play now against a bot")
    while "movement" not in page.inner_text("#orders-title"):
        submit(page)
    (match,) = acts.matches(house)
    tank = load(house, match).run.view("alpha").tanks["a1"]
    page.click('[data-unit="a1"]')
    at = page.locator('[data-unit="a1"] > rect').bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2

    page.mouse.move(x + 10, y - 90)
    page.mouse.click(x + 10, y - 90)  # 6.3 degrees: the arrow snaps
    page.click('.panel >> text="right"')
    assert "a1: move 5 face 90\n" in page.input_value("#lines")
    page.click('[data-unit="b1"]')
    assert "a1: move 5 face 90 then move toward b1\n" in page.input_value("#lines")
    page.click('[data-unit="a2"]')
    page.click('.panel >> text="stay"')
    submit(page)
    assert load(house, match).run.view("alpha").tanks["a1"].at != tank.at

    page.click('[data-unit="a1"]')
    page.click('.panel >> text="hold"')
    page.click('[data-unit="b2"]')
    page.click('[data-unit="b1"]')
    assert "a1: shoot b2, b1\n" in page.input_value("#lines")
