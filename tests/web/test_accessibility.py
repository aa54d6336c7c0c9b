"""WCAG 2.2 AA: what axe finds on every page, in light and dark, and a whole turn played by keyboard alone."""

from __future__ import annotations

import pytest

from pbem.matches import accounts, acts, desk
from pbem.web import create_app, lobby

pytestmark = pytest.mark.browser

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
GRAVE = ("serious", "critical")

AXE = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
LOOK = """
async (rules) => {
  const brief = { resultTypes: ["violations"], elementRef: false };
  const all = await axe.run({ ...rules, ...brief, rules: { "color-contrast": { enabled: false } } });
  const maps = document.querySelectorAll(".map-window > svg");
  for (const map of maps) map.style.display = "none";
  const contrast = await axe.run({ runOnly: ["color-contrast"], ...brief });
  for (const map of maps) map.style.display = "";
  return [[...all.violations, ...contrast.violations], contrast.passes.length];
}
"""

PLACES = {
    "light": (
        *("/", "/sign-in", "/account", "/account/delete", "/outbox", "/api", "/health", "/titles/tanks/platoon"),
        *("{match}/reports/2", "{match}/replay/1", "{match}/dice", "{match}/verify", "{match}/receipts"),
        *("/new", "/new?play=panzer/duel", "/master", "{desk}/master", "{desk}/master/record"),
    ),
    "dark": ("/", "/account"),  # the same pages in other colours: those with the most kinds of them
}


@pytest.fixture
def site(panzer_house, serve, monkeypatch) -> str:
    monkeypatch.setattr(lobby, "FIRST_GAME", ("panzer", "duel"))
    return serve(create_app(panzer_house, demo=True))


def begin(page, site) -> str:
    """Open a game against the bot; the address of its page."""
    page.goto(site)
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")
    return page.url


def mastered_match(house) -> str:
    """A match whose game master the guest is, and which wants him."""
    (played,) = acts.matches(house)
    guest = acts.read(house, played).occupants["german"]["account"]
    match = desk.new_match(house, "panzer", "duel", cadence=48, master=guest)
    for seat in ("german", "british"):
        desk.take_seat(house, match, seat, accounts.open_bot(house, "panzer").id)
    return match


def grave_findings(page) -> list[str]:
    """What axe finds. Contrasts are measured without the map, whose clipped hexes axe takes for an overlay."""
    page.evaluate(AXE.axe_script)
    found, measured = page.evaluate(LOOK, RULES)
    assert measured, "no contrast was measured"
    return [
        f"{page.url} {one['id']}: {node['html'][:160]} {node['failureSummary']}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(scheme, new_page, site, panzer_house):
    page = new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    match = begin(page, site)
    page.fill("#lines", "g1 dance")
    page.click("text=Check")
    findings = grave_findings(page)  # with a refusal
    page.fill("#lines", "g1 fire b3\nrest overwatch")
    page.click("text=Submit as final")
    page.wait_for_selector("text=exchange 3")
    desk_of_his = f"{site}/matches/{mastered_match(panzer_house)}"
    for place in (*PLACES[scheme], "{match}"):
        page.goto(place.format(match=match, desk=desk_of_his) if "{" in place else site + place)
        if place != "{match}":
            page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
            findings += grave_findings(page)
    page.wait_for_selector("[data-ready]")
    page.evaluate("for (const one of document.querySelectorAll('#orders details, #talk details')) one.open = true")
    page.click("[data-row] >> nth=0")
    page.wait_for_selector(".panel h2")
    page.evaluate("document.querySelector('#orders').scrollIntoView()")  # what is half out of sight has no size
    findings += grave_findings(page)  # with the sheet of a unit, and everything that can be said unfolded

    assert findings == [], "\n".join(findings)


# By keyboard alone -------------------------------------------------------------------------------------------

COVERED = """
(() => {
  const focused = document.activeElement;
  const box = focused.getBoundingClientRect();
  if (!box.width || focused === document.body) return "";
  const inside = (x, y) => {
    const within = (at, most) => Math.min(Math.max(at, 1), most - 2);
    const top = document.elementFromPoint(within(x, innerWidth), within(y, innerHeight));
    return top && (focused.contains(top) || top.contains(focused) || top.closest("label")?.contains(focused));
  };
  const middle = [box.left + box.width / 2, box.top + box.height / 2];
  const points = [middle, [box.left + 3, box.top + 3], [box.right - 3, box.bottom - 3]];
  return points.some(([x, y]) => inside(x, y)) ? "" : focused.outerHTML.slice(0, 200);
})()
"""
"""2.4.11 Focus not obscured: whether something lies over all of what has the focus."""


def tab_to(page, selector: str, most: int = 90) -> None:
    """Press the tabulator until the element has the focus; whatever has it on the way can be seen."""
    for _ in range(most):
        page.keyboard.press("Tab")
        assert page.evaluate(COVERED) == ""
        if page.evaluate(f"document.activeElement?.matches({selector!r})"):
            return
    pytest.fail(f"the tabulator does not lead to {selector}")


def test_a_whole_turn_is_played_by_keyboard_alone(new_page, site, panzer_house):
    page = new_page(viewport={"width": 1280, "height": 900})
    page.goto(site)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    tab_to(page, ".hero button")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-ready]")

    tab_to(page, "[data-unit]")  # one stop for all units; arrows lead from one to the next
    first = page.evaluate("document.activeElement.dataset.unit")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.unit") != first

    tab_to(page, '[data-row="g1"]')
    page.keyboard.press("Enter")
    page.wait_for_selector('.panel h2:has-text("g1")')
    tab_to(page, '[data-focus="choice fire"]')
    page.keyboard.press("Enter")
    tab_to(page, '[data-focus="unit b1"]')
    page.keyboard.press("Enter")
    tab_to(page, '[data-focus="next"]')
    page.keyboard.press("Enter")
    page.wait_for_selector('.panel h2:has-text("g2")')
    tab_to(page, '[data-focus="choice move"]')
    page.keyboard.press("Enter")
    tab_to(page, "#goal")
    page.keyboard.type("H7")
    page.wait_for_function("document.querySelector('#lines').value.includes('g2 move H7')")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.row") == "g2"  # back where the sheet was opened

    tab_to(page, "#lines")
    page.keyboard.press("Control+End")
    page.keyboard.type("\nfirst")
    tab_to(page, 'button[value="check"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("text=These orders can be carried out")
    tab_to(page, 'button[value="final"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("text=exchange 3")

    (match,) = acts.matches(panzer_house)
    events = acts.read(panzer_house, match).events
    sealed = next(e for e in events if e.type == "order.sealed" and e.payload["seat"] == "german")
    text = panzer_house.store.part(sealed.parts[0].commitment).content.decode()
    assert "g1 fire b1" in text and "g2 move H7" in text and "first" in text


def test_the_sheet_and_the_orders_are_announced(new_page, site):
    page = new_page(viewport={"width": 1280, "height": 900})
    begin(page, site)
    page.click('[data-row="g1"]')
    page.wait_for_selector(".panel h2")
    page.click('.panel >> text="overwatch"')

    assert page.inner_text("[data-said]") == "g1 overwatch"
    assert page.get_attribute("[data-said]", "aria-live") == "polite"
    assert page.get_attribute(".panel", "aria-label") == "Unit g1"


def test_without_movement_nothing_moves(new_page, site):
    """2.3.3: nothing is animated for those who do not want it."""
    page = new_page(reduced_motion="reduce")
    page.goto(site)

    assert page.evaluate("getComputedStyle(document.querySelector('button')).transitionDuration") in ("0s", "")


def test_everything_that_is_pressed_is_large_enough(new_page, site):
    """2.5.8: 24 by 24 pixels, on a telephone too; words within a sentence may be smaller."""
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    begin(page, site)
    page.click('[data-row="g1"]')
    page.wait_for_selector(".panel h2")
    small = page.evaluate(
        "[...document.querySelectorAll('button, select, input:not([type=hidden]), summary, .map-buttons *')]"
        ".filter((one) => one.offsetParent && !['svg', 'path'].includes(one.localName))"
        ".map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])"
        ".filter(([, box]) => box.width < 24 || box.height < 24)"
        ".filter(([html]) => !/radio|checkbox/.test(html)).map(([html]) => html)"
    )

    assert small == []
