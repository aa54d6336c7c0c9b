"""The site in a real browser: orders by clicking, orders without scripts, and a narrow screen."""

from __future__ import annotations

import re

import pytest
from support.playing import NOON

from pbem.matches.accounts import accounts
from pbem.matches.exchange import submitting
from pbem.matches.history.replay import all_matches, record_of
from pbem.matches.installation import open_server
from pbem.titles.panzer.title import Panzer
from pbem.web import create_app

pytestmark = pytest.mark.browser


@pytest.fixture
def site(server, serve) -> str:
    """Serve a demonstration; return its address."""
    return serve(create_app(server, demo=True))


@pytest.fixture(scope="module")
def panzer_server(folders):
    """Return the server for all matches of Panzer in this module."""
    return open_server(folders() / "panzer.db", {"panzer": Panzer()}, clock=lambda: NOON)


@pytest.fixture(scope="module")
def panzer(panzer_server, serve) -> str:
    return serve(create_app(panzer_server, demo=True))


@pytest.fixture(scope="module")
def battalion(real_browser, panzer):
    """Start a large match against the bot; return its address and the sign-in of its guest."""
    with pytest.MonkeyPatch.context() as patch, real_browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(60_000)
        play(page, panzer, patch, "battalion")
        return page.url, context.storage_state()


def test_an_order_is_given_by_clicking_on_the_map_and_accepted(new_page, site, server):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(site)
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")
    page.click('[data-unit="r1"]')
    page.click('.panel >> text="ambush"')
    assert page.input_value("#lines").splitlines()[0].startswith("r1 ambush")
    assert "# hold, ambush" in page.input_value("#lines").splitlines()[0]  # the remark stays

    page.click("text=Submit as final")
    page.wait_for_selector("[data-exchange='3']")

    (match,) = all_matches(server)
    assert page.url.startswith(f"{site}/matches/{match}")
    events = record_of(server, match).events
    sealed = next(event for event in events if event.payload.get("seat") == "red" and event.parts)
    assert b'"r1":"ambush"' in server.store.part(sealed.parts[0].commitment).content


def test_everything_works_without_scripts(new_page, site, server):
    page = new_page(java_script_enabled=False)
    page.goto(site)
    page.click("text=Play now against a bot")
    page.fill("#lines", "r1 dance")
    page.click("text=Check")
    page.wait_for_selector('.refusal:has-text("dance is no order")')
    page.fill("#lines", "r1 ambush")
    page.click("text=Submit as final")
    page.wait_for_selector("[data-exchange='3']")

    (match,) = all_matches(server)
    assert record_of(server, match).last == 2


def test_no_page_is_wider_than_a_telephone(new_page, site):
    page = new_page(viewport={"width": 390, "height": 844})
    page.goto(site)
    widths = [page.evaluate("document.documentElement.scrollWidth")]
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")
    widths.append(page.evaluate("document.documentElement.scrollWidth"))

    assert max(widths) <= 390


def test_the_map_is_moved_and_zoomed_by_keys(new_page, site):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(site)
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")
    box = "document.querySelector('.map-window > svg').getAttribute('viewBox')"
    first = page.evaluate(box)
    page.focus(".map-window")

    page.keyboard.press("+")
    closer = page.evaluate(box)
    page.keyboard.press("ArrowLeft")
    aside = page.evaluate(box)
    page.keyboard.press("0")

    assert len({first, closer, aside}) == 3
    assert page.evaluate(box) == "0 0 400 300"  # the whole map


def test_news_is_asked_for_now_and_then_and_shown(new_page, serve, server, match):
    """An open page asks from time to time whether there is news, and shows any news; without news the
    answer is only a header."""
    site = serve(create_app(server, demo=True))
    page = new_page()
    page.clock.install()

    def polled() -> int:
        with page.expect_response(lambda answer: "status.json" in answer.url) as answer:
            page.clock.fast_forward(16_000)
        return answer.value.status

    with page.expect_response(lambda answer: "status.json" in answer.url):
        page.goto(f"{site}/matches/{match}")
    assert polled() == 304
    for seat, who in (("red", "ann"), ("blue", "bob")):
        by = accounts.by_address(server, f"{who}@example.org").id
        submitting.submit(server, match, seat, 2, f"{seat[0]}1 hold", by=by, final=True, source="web")
    assert polled() == 200
    page.wait_for_selector("#latest")


def test_dates_are_written_in_the_zone_and_the_language_of_the_account(new_page, site):
    """Dates follow the zone and language of the account, while the rest of the page stays English and is marked as
    English."""
    page = new_page()
    page.goto(site)
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")
    page.goto(f"{site}/account")
    english = page.inner_text("time >> nth=0")
    page.select_option("#language", "de")
    page.select_option("#zone", "Asia/Tokyo")
    page.click("text=Save these preferences")
    page.wait_for_selector("text=Your preferences have been saved")

    told, at = page.inner_text("time >> nth=0"), page.get_attribute("time >> nth=0", "datetime")
    hour = (int(at[11:13]) + 9) % 24
    assert re.match(r"(Mo|Di|Mi|Do|Fr|Sa|So)\.?, ", told) and f" {hour:02}:" in told
    assert told != english and page.get_attribute("html", "lang") == "en"
    assert "Everything else on pages and in emails is in English" in page.inner_text("main")


def test_a_reload_does_not_answer_for_the_player_which_of_two_drafts_counts(new_page, site):
    """If two tabs have different drafts, a reload does not choose between them; the server's draft
    stays until the player chooses."""
    page = new_page()
    page.goto(site)
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("[data-ready]")
    other.fill("#lines", "r1 ambush")
    other.wait_for_selector('[data-draft-said]:has-text("Draft saved")')
    page.fill("#lines", "r1 go3")
    page.wait_for_selector('[data-draft-said]:has-text("Another tab has saved other orders")')
    page.reload()
    page.wait_for_selector('[data-draft-said]:has-text("Another tab has saved other orders")')
    assert page.input_value("#lines") == "r1 go3"
    page.click("text=Use those")
    assert page.input_value("#lines") == "r1 ambush"


PINCH = """
(() => {
  const area = document.querySelector('.map-window');
  const { left, top, width, height } = area.getBoundingClientRect();
  const touch = (kind, pointerId, aside) => area.dispatchEvent(new PointerEvent(kind, {
    pointerId, pointerType: 'touch', bubbles: true, clientX: left + width / 2 + aside, clientY: top + height / 2 }));
  area.setPointerCapture = area.releasePointerCapture = () => {};
  for (const [finger, aside] of [[1, -30], [2, 30]]) touch('pointerdown', finger, aside);
  for (const [finger, aside] of [[1, -90], [2, 90]]) touch('pointermove', finger, aside);
  for (const finger of [1, 2]) touch('pointerup', finger, 0);
})()
"""
"""A script that moves two fingers apart on the map."""


def test_the_map_is_moved_by_dragging_and_zoomed_by_wheel_and_by_fingers(new_page, site):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(site)
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")

    def shown() -> list[float]:
        return [float(n) for n in page.get_attribute(".map-window > svg", "viewBox").split()]

    box = page.locator(".map-window").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    first = shown()
    page.mouse.wheel(0, -300)
    closer = shown()
    assert closer[2] < first[2]
    page.mouse.down()
    page.mouse.move(middle[0] - 80, middle[1], steps=4)
    page.mouse.up()
    moved = shown()
    assert moved[0] > closer[0] and moved[2] == closer[2]
    page.evaluate(PINCH)
    assert shown()[2] < moved[2] / 1.5


# Panzer on the map -------------------------------------------------------------------------------------------


def play(page, site, monkeypatch, scenario="duel"):
    monkeypatch.setattr(Panzer, "first_game", scenario)
    page.goto(site)
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")


def match_of(page) -> str:
    return re.search(r"/matches/(\w+)", page.url)[1]


def next_form(page) -> None:
    """Submit the unedited form, confirm a review if one opens, and wait for the page with the next form."""
    before = page.inner_text("#orders-title")
    page.click("text=Submit as final")
    changed = "(document.querySelector('#orders-title')?.innerText ?? before) !== before"
    page.wait_for_function(f"before => document.querySelector('dialog[open]') || {changed}", arg=before)
    if page.query_selector("dialog[open]"):
        page.click("dialog[open] [data-seal]:not([hidden])")
    page.wait_for_function(f"before => {changed}", arg=before)
    page.wait_for_selector("[data-ready]")


def order_of(page, unit):
    lines = page.input_value("#lines").splitlines()
    return next(line for line in lines if line.startswith(f"{unit} "))


def test_a_unit_a_target_and_a_goal_are_clicked_and_the_text_follows(new_page, panzer, panzer_server, monkeypatch):
    page = new_page(viewport={"width": 1440, "height": 900})
    play(page, panzer, monkeypatch)

    page.click('[data-unit="ge2"]')
    page.wait_for_selector('.panel h2:has-text("ge2")')
    assert "50mm L60" in page.inner_text(".facts >> nth=0")
    assert page.locator(".marks .hit-number").count() > 0  # the odds of its shots, at their targets
    page.click('.panel >> text="Range bands"')
    assert page.locator(".map .band-0, .map .band-1").count() > 10
    page.click('.panel >> text="fire"')
    assert "hit 50" in page.inner_text(".targets")
    page.click('[data-unit="br1"]')
    assert order_of(page, "ge2") == "ge2 fire br1"
    page.click('[data-row="ge3"]')
    page.wait_for_selector('.panel h2:has-text("ge3")')
    page.click('[data-hex="G8"]')
    page.click('[data-focus="face 2"]')
    assert order_of(page, "ge3") == "ge3 move G8 face 2"
    assert page.inner_text('[data-row="ge3"] [data-order]') == "move G8 face 2"
    assert page.locator(".marks .way").count() == page.locator(".marks .shot").count() == 1
    written = page.input_value("#lines")
    page.fill("#lines", "ge1 ge2 move G7 G8; if hurt stop\nge4 fire at G7")
    assert page.inner_text('[data-row="ge2"] [data-order]') == "move G7 G8; if hurt stop"
    assert [
        line.count("L")
        for line in page.eval_on_selector_all(".marks .way", "all => all.map((one) => one.getAttribute('d'))")
    ] == [2, 2]
    assert page.locator(".marks .shot").count() == 1
    page.fill("#lines", written)
    page.fill("#lines", page.input_value("#lines").replace("ge2 fire br1", "ge2 hold"))
    assert page.inner_text('[data-row="ge2"] [data-order]') == "hold"

    page.dblclick("text=Submit as final")
    page.wait_for_selector(
        'dialog[open] >> text="3 of 4 units hold: ge1, ge2, ge4"'
    )  # few, and yet not sealed at once
    page.click("[data-back]")
    assert record_of(panzer_server, match_of(page)).last == 1
    page.click("text=Submit as final")
    page.click("dialog[open] [data-seal]:not([hidden])")
    page.wait_for_selector("[data-exchange='3']")
    assert record_of(panzer_server, match_of(page)).last == 2


def test_without_a_connection_nothing_is_sealed_and_nothing_is_lost(new_page, panzer, monkeypatch):
    page = new_page()
    play(page, panzer, monkeypatch)
    page.wait_for_selector("[data-ready]")
    page.fill("#lines", "rest overwatch")
    page.route("**/check", lambda route: route.abort("connectionreset"))
    page.route("**/draft", lambda route: route.abort("connectionreset"))
    page.click("text=Submit as final")
    page.wait_for_selector('[data-check]:has-text("nothing was sealed")')
    page.wait_for_selector('[data-draft-said]:has-text("This browser keeps your draft")')
    page.unroute("**/check")
    page.unroute("**/draft")
    page.reload()
    page.wait_for_selector("[data-ready]")
    assert page.input_value("#lines") == "rest overwatch"


def test_orders_are_checked_while_they_are_written(new_page, panzer, panzer_server, monkeypatch):
    """Orders are checked while they are typed: each objection gives its rule and a link to the nearest legal order;
    nothing is sealed."""
    page = new_page(viewport={"width": 1280, "height": 800})
    play(page, panzer, monkeypatch)
    page.fill("#lines", "ge1 fier br3\nge2 fire br9\nge3 fire br4\nrest hold")
    page.wait_for_selector("[data-check] .refusal")
    assert "the unit did not spot br4 itself in the Spotting Phase 4.4.1" in page.inner_text("[data-check]")
    for wrong, right in (("fier", "ge1 fire br3"), ("br9", "ge2 fire br3"), ("not spot br4 itself", "ge3 fire")):
        page.click(f'[data-check] li:has-text("{wrong}") .instead button:has-text("{right}")')
    assert page.input_value("#lines").startswith("ge1 fire br3\nge2 fire br3 br1 br2\nge3 fire b")
    page.fill("#lines", "ge1 fire br3\nrest hold")
    page.wait_for_selector("[data-check] >> text=These orders can be carried out")

    assert not record_of(panzer_server, match_of(page)).sealed.get("german")


def test_what_a_unit_cannot_do_is_explained_with_its_rule(new_page, battalion):
    address, state = battalion
    page = new_page(viewport={"width": 1440, "height": 900}, storage_state=state)
    page.goto(address)
    page.wait_for_selector("[data-ready]")
    page.click('[data-row="ge1"]')
    page.click("text=Why not fire, short halt?")

    page.wait_for_selector('.why-not:has-text("the unit spotted no enemy in the Spotting Phase 4.2.1/impossible")')


def test_sight_from_a_hex_darkens_the_map_and_explains_a_line(new_page, panzer, monkeypatch):
    page = new_page(viewport={"width": 1440, "height": 900})
    play(page, panzer, monkeypatch)
    page.click('[aria-label^="Line of sight"]')
    page.click('[data-hex="H7"]')
    page.wait_for_selector('.panel h2:has-text("From H7")')
    dark = page.locator(".unseen").count()
    page.click('[data-hex="K5"]')

    page.wait_for_selector('.panel h2:has-text("H7 to K5")')
    assert 0 < dark < 300
    assert "4.1.4" in page.inner_text(".panel")


OWN_COUNTERS = """
[...document.querySelectorAll('[data-own] > rect')].map((counter) => counter.getBoundingClientRect())
  .filter((box) => box.right > 0 && box.left < innerWidth).map((box) => box.width)
"""
CUT_OF_THE_KEY = """
(() => {
  const all = document.querySelector('.key-sheet svg'), box = all.getBBox(), shown = all.viewBox.baseVal;
  return box.y + box.height - shown.y - shown.height;
})()
"""


def test_counters_can_be_read_and_the_key_is_whole(new_page, battalion):
    """At every screen width counters are large enough to be read, and the map key is complete.

    A counter is 58 units wide in the picture, so its letters can be read at 40 pixels.
    """
    address, state = battalion
    for width in (390, 820, 1440):
        page = new_page(viewport={"width": width, "height": 900}, storage_state=state)
        page.goto(address)
        page.wait_for_selector("[data-ready]")
        own = page.evaluate(OWN_COUNTERS)
        page.click("text=Key to the map")
        page.wait_for_selector(".key-sheet svg")

        assert own and min(own) >= 38
        assert page.evaluate(CUT_OF_THE_KEY) <= 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width


SIZES = """
() => [...document.querySelectorAll('.ground text[style], .sign')]
  .filter((one) => getComputedStyle(one).display !== 'none')
  .map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)
"""
"""How tall the names of places and units on the map are, in pixels."""


def test_names_can_be_read_on_the_whole_map_and_the_map_is_dark_in_the_dark(new_page, battalion):
    address, state = battalion
    page = new_page(viewport={"width": 390, "height": 844}, storage_state=state, color_scheme="dark")
    page.goto(address)
    page.wait_for_selector("[data-ready]")
    page.click('[aria-label="Show the whole map"]')
    page.wait_for_selector(".sign >> nth=0", state="attached")
    sizes = page.evaluate(SIZES)
    assert len(sizes) > 20 and min(sizes) >= 10
    assert "invert" in page.evaluate("() => getComputedStyle(document.querySelector('.ground')).filter")


def test_one_order_for_a_battalion_takes_a_few_clicks_and_is_reviewed(new_page, battalion):
    """On a phone, 38 units are ordered with three touches; the order can be undone, redone and reviewed before it is
    sealed."""
    address, state = battalion
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, storage_state=state)
    page.goto(address)
    page.wait_for_selector("[data-ready]")
    final, idle = 'button[value="final"]', "[data-idle]"
    assert page.inner_text(idle) == "38 of 38 without an order" and "loud" not in page.get_attribute(final, "class")
    page.tap(idle)
    page.tap('[data-verb="overwatch"]')
    page.wait_for_selector('[data-proposed]:has-text("38 of 38 units have their order")')
    assert page.inner_text(idle) == "Every unit has an order" and "loud" in page.get_attribute(final, "class")
    page.tap("[data-undo]")
    assert page.inner_text(idle) == "38 of 38 without an order"
    page.tap(final)
    page.wait_for_selector("dialog[open] >> text=/^All 38 of your units hold/")
    page.tap("[data-back]")
    page.wait_for_selector("dialog[open]", state="detached")
    page.tap("[data-redo]")
    assert page.inner_text(idle) == "Every unit has an order"


def test_own_units_are_chosen_by_a_box_and_by_a_click_and_one_order_moves_them(new_page, battalion):
    address, state = battalion
    page = new_page(viewport={"width": 1440, "height": 900}, storage_state=state)
    page.goto(address)
    page.wait_for_selector("[data-ready]")
    window = page.locator(".map-window").bounding_box()
    left, top = window["x"] + 5, window["y"] + 5
    page.keyboard.down("Shift")
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(left + window["width"] * 0.7, top + window["height"] * 0.9, steps=3)
    page.mouse.up()
    page.keyboard.up("Shift")
    chosen = int(page.inner_text("[data-chosen]").split()[0])
    assert chosen > 3 and page.locator(".picked").count() == chosen
    page.keyboard.press("m")
    page.fill("[data-where]", "H14")
    page.click("[data-go]")
    page.wait_for_selector(f'[data-proposed]:has-text("of {chosen} units have their order")')
    moved = re.findall(r"^(\w+) move (\w+)", page.input_value("#lines"), re.MULTILINE)
    assert len(moved) > 3 and len({goal for _, goal in moved}) > 3  # in formation, not all in one hex
    page.click('[data-unit="ge1"]')
    page.wait_for_selector('.panel h2 strong:text-is("ge1")')  # an order for many is over: a click opens the unit
    page.click('[data-unit="ge2"]')
    page.wait_for_selector('.panel h2 strong:text-is("ge2")')
    assert moved == re.findall(r"^(\w+) move (\w+)", page.input_value("#lines"), re.MULTILINE)


def test_a_double_click_chooses_the_company_although_the_map_comes_closer_between_the_clicks(new_page, battalion):
    address, state = battalion
    page = new_page(viewport={"width": 1440, "height": 900}, storage_state=state)
    page.goto(address)
    page.wait_for_selector("[data-ready]")
    before = page.input_value("#lines")
    page.click('.map-window [data-unit="ge1"]')
    page.wait_for_selector('.panel h2 strong:text-is("ge1")')
    empty = page.locator(".map-window").bounding_box()  # the second click falls where another hex has come to lie
    page.mouse.move(empty["x"] + empty["width"] * 0.6, empty["y"] + empty["height"] * 0.6)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    assert page.input_value("#lines") == before, "no unit was ordered to the hex under the second click"
    company = page.locator("[data-formation]", has=page.locator('[data-company][aria-pressed="true"]'))
    assert "ge1" in company.get_attribute("data-units").split()


def test_a_unit_that_gets_an_order_of_its_own_leaves_its_group(new_page, panzer, monkeypatch):
    """When a unit of a group gets its own order, clicked or typed, the next unit of the group takes over the group's
    line."""
    page = new_page(viewport={"width": 1440, "height": 900})
    play(page, panzer, monkeypatch)
    page.wait_for_selector("[data-ready]")
    page.fill("#lines", "ge1 move H7\nge2 with ge1 move H7\nge3 with ge1 move H8\nge4 with ge1 move H8")
    page.click('[data-row="ge1"]')
    page.wait_for_selector('.panel h2 strong:text-is("ge1")')
    page.click('.panel button:text-is("overwatch")')
    assert page.input_value("#lines").split("\n") == [
        *("ge1 overwatch", "ge2 move H7", "ge3 with ge2 move H8", "ge4 with ge2 move H8"),
    ]
    page.evaluate("new OrderText(document.querySelector('#lines'), ['ge1', 'ge2', 'ge3', 'ge4']).put(['ge2 hold'])")
    assert page.input_value("#lines").split("\n")[:4] == [
        *("ge1 overwatch", "ge2 hold", "ge3 move H8", "ge4 with ge3 move H8"),
    ]


def test_units_of_a_stack_are_opened_one_by_one(new_page, panzer, panzer_server, monkeypatch):
    page = new_page(viewport={"width": 1440, "height": 900})
    play(page, panzer, monkeypatch, "crossroads")
    page.fill("#lines", "ge1 E7 face 3\nge2 E7 face 3")
    page.click("text=Submit as final")
    page.wait_for_selector("[data-exchange='4']")  # the bot has set up too
    page.wait_for_selector("[data-ready]")
    page.click('[data-row="ge1"]')
    page.click('.panel [data-focus="stack ge2"]')

    page.wait_for_selector('.panel h2:has-text("ge2")')


# The advanced game -------------------------------------------------------------------------------------------


def test_an_advanced_match_is_set_up_and_commanded_on_the_map(new_page, panzer, panzer_server, monkeypatch):
    """On the map, a player plots, places units, and uses their sheets to command tanks, guns and squads."""
    page = new_page(viewport={"width": 1440, "height": 900})
    play(page, panzer, monkeypatch, "desert")
    while "commands" not in page.inner_text("#orders-title"):
        next_form(page)
    rows = [row.get_attribute("data-row") for row in page.query_selector_all("[data-row]")]
    wanted, kinds = {"armour", "moved by hand", "cover"}, set()  # a tank, a gun, a squad
    for row in rows:
        page.click(f'[data-row="{row}"]')
        page.wait_for_selector(f'.panel h2 strong:text-is("{row}")')
        facts = page.inner_text(".facts >> nth=0")
        kinds |= {kind for kind in wanted if kind in facts}
        if kinds == wanted:
            break
    assert kinds == wanted
    page.click('.panel >> text="move"')
    goal = page.get_attribute(".map .reach >> nth=0", "data-hex")
    page.click(f'[data-hex="{goal}"]', force=True)
    assert order_of(page, row).startswith(f"{row} move {goal}")
    page.wait_for_selector("[data-check] >> text=These orders can be carried out")

    next_form(page)
    assert record_of(panzer_server, match_of(page)).halted is None
