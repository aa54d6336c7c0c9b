"""WCAG 2.2 AA: axe checks every page in light and dark mode, and a whole turn is played by keyboard alone."""

from __future__ import annotations

import mailbox
from email.message import EmailMessage

import pytest
from flask import template_rendered
from support.playing import NOON

from eventstore import NewEvent
from pbem.campaigns.registry import with_campaigns
from pbem.matches import unit_of_work
from pbem.matches.accounts import accounts
from pbem.matches.audit import lines_of_play
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import all_matches, record_of
from pbem.matches.installation import open_server
from pbem.matches.players import invitations
from pbem.matches.post import reply_tokens
from pbem.matches.rulings import rulings
from pbem.titles.registry import TITLES
from pbem.tournaments import entries, rounds, stream
from pbem.tournaments.model import Settings as TournamentSettings
from pbem.web import create_app
from pbem.web.http.app import templates
from pbem.web.pages.mailbox import folder_of

pytestmark = pytest.mark.browser

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
GRAVE = ("serious", "critical")

AXE = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
REPEATED = ".map-window svg, .map-window g, .key-sheet g, select, tbody, .words ul, .units"
LOOK = """
async ([rules, repeated]) => {
  // What comes again and again is looked at a few times: sentences of a report, hexes and counters of a map.
  const stories = [...document.querySelectorAll(".story:not(.story .story) > li")];
  const full = stories.find((one) => one.querySelector("table"));
  for (const one of stories.slice(2)) if (one !== full) one.remove();
  for (const one of document.querySelectorAll(".map-window defs, .story .story > li ~ li")) one.remove();
  for (const group of document.querySelectorAll(repeated)) {
    const seen = {};
    for (const child of [...group.children]) {
      seen[child.localName] = (seen[child.localName] ?? 0) + 1;
      if (seen[child.localName] > 6) child.remove();
    }
  }
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
        *(
            "/",
            "/sign-in",
            "/account",
            "/account/delete",
            "/outbox",
            "/outbox/{mail}",
            "/api",
            "/health",
            "/help",
            "/guide/glossary",
        ),
        *("/terms", "/moderation"),
        *("/stop/{stop}", "/invitations/{invitation}", "/players/{guest}", "/stop/nosuch"),
        *("/titles/tanks/platoon", "/titles/panzer/how"),
        *("{duel}/reports/2", "{duel}/turns/1", "{duel}/replay/1", "{duel}/dice", "{duel}/verify", "{duel}/receipts"),
        *("{duel}/turns/1/scenes/1",),
        *("/new", "/new?play=panzer/desert", "/master", "{led}/master", "{led}/master/record"),
        *("/precedents", "/dice", "{duel}/disputes/1", "{duel}/disputes/1/dossier", "{duel}/search?words=br1"),
        *("{ruled}/lines", "{ruled}/lines/{overruled}", "{led}/what-if/2", "{duel}/why/2"),
        *("{desert}", "{table}", "/campaigns", "/campaigns/{war}"),
        *("/tournaments", "/tournaments/new", "/tournaments/{cup}", "/tournaments/{cup}/pairings"),
        *("/tournaments/{cup}/crosstable", "/tournaments/{cup}/director", "/tournaments/{cup}/entrants/1"),
        *("/tournaments/{cup}/terms", "/tournaments/{cup}/acts", "/seasons/2030", "/ratings/panzer"),
    ),
    "dark": ("/", "/account", "{duel}/turns/1"),  # dark mode: the pages with the most colours
}
MORE_PLACES = (
    *("/titles/tanks/how", "/titles/aslsk/how", "/titles/nato/how", "{orchards}", "{leine}"),
    *("/guide/architecture", "/guide/campaigns", "/guide/running", "/new?play=nato/leine", "/new?play=tanks/village"),
    *("/verify", "/search?words=b1", "/guide/", "/tournaments/{cup}/embed"),
)
"""Further pages that are examined at all screen sizes."""
TITLE_PAGES = ("{duel}", "{desert}", "{table}")
"""Pages of matches, each with its own kind of map and of sheets."""
TO_THE_BUTTONS = "document.querySelector('.orders form')?.scrollIntoView({ block: 'end' })"
"""Scrolls to where the bar of buttons rests. While the form is out of sight, the bar covers its first rows."""
UNFOLD = "for (const one of document.querySelectorAll('main details')) one.open = true"


@pytest.fixture
def server(tmp_path):
    return open_server(tmp_path / "pbem.db", with_campaigns(TITLES), clock=lambda: NOON)


@pytest.fixture
def site(server, serve) -> str:
    return serve(create_app(server, demo=True))


def begin(page, site) -> str:
    """Start a game against the bot; return the address of its page."""
    page.goto(site)
    page.click("text=Play now against a bot")
    page.wait_for_selector("[data-ready]")
    return page.url


def other_places(server, site) -> dict[str, str]:
    """Return the addresses of other pages for the guest: matches against the bot, a match as game master, links from
    emails."""
    (duel,) = all_matches(server)
    offered = creating.new_match(server, "panzer", "duel")
    guest = record_of(server, duel).occupants["german"]["account"]
    led = a_match(server, "panzer", "duel", master=guest)
    disputed = record_of(server, duel)
    said = {"number": 1, "seat": "german", "exchange": 2, "rule": "4.4"}
    unit_of_work.append(server, disputed, [NewEvent("dispute.opened", said)], "dispute")
    mail = EmailMessage()
    mail["Subject"], mail["To"] = "Orders are due", "guest@guests.invalid"
    mail.set_content("Exchange 2 is open.")
    return {
        "duel": f"{site}/matches/{duel}",
        "led": f"{site}/matches/{led}",
        **a_ruling(server, site, guest),
        "desert": f"{site}/matches/{a_match(server, 'panzer', 'desert', guest)}",
        "table": f"{site}/matches/{a_match(server, 'tanks', 'village', guest)}",
        "orchards": f"{site}/matches/{a_match(server, 'aslsk', 'noon-in-the-orchards', guest)}",
        "leine": f"{site}/matches/{a_match(server, 'nato', 'leine', guest)}",
        "guest": guest,
        "war": a_match(server, "campaign", "battlegroup"),
        "cup": a_cup(server, guest),
        "stop": reply_tokens.make(server, use="stop", account=guest),
        "invitation": invitations.invite(server, offered, "german", "zoe@example.org").token,
        "mail": mailbox.Maildir(folder_of(server), create=True).add(mail),
    }


def a_ruling(server, site, guest) -> dict[str, str]:
    """Create a match with the guest as game master, in which a ruling has reopened an exchange; return its
    addresses."""
    match = a_match(server, "panzer", "duel", master=guest)
    rulings.reopen(server, match, after=1, reason="a wrong hex", by=guest)
    overruled = lines_of_play.overruled_results(record_of(server, match))
    return {"ruled": f"{site}/matches/{match}", "overruled": str(overruled[-1].version)}


def a_cup(server, director) -> str:
    """Create a tournament that the guest directs, in its first round; return its id."""
    settings = TournamentSettings("Autumn Cup", "panzer", scenarios=("duel",), season="2030")
    cup = stream.open_tournament(server, settings, director).id
    entries.import_list(server, cup, b"name,rating\nAnn,1500\nBob,1400\nCem,1300\n", by=director)
    rounds.pair(server, cup, by=director)
    rounds.start(server, cup, by=director)
    return cup


def a_match(server, title, scenario, player="", **more) -> str:
    """Create a match between bots, or between a player and a bot; return its id."""
    match = creating.new_match(server, title, scenario, cadence=48, **more)
    first, *others = record_of(server, match).seats
    for seat in others if player else (first, *others):
        take_seat(server, match, seat, accounts.open_bot(server, title).id)
    if player:
        take_seat(server, match, first, player)
    return match


def grave_findings(page, impacts=GRAVE) -> list[str]:
    """Return axe's serious findings; contrast is measured without the map, whose clipped hexes axe takes for an
    overlay."""
    page.evaluate(AXE.axe_script)
    found, measured = page.evaluate(LOOK, [RULES, REPEATED])
    assert measured, "no contrast was measured"
    return [
        f"{page.url} {one['id']} ({one['impact']}): {node['html'][:160]} {node['failureSummary']}"
        for one in found
        if one["impact"] in impacts
        for node in one["nodes"]
    ]


@pytest.mark.everywhere
@pytest.mark.parametrize("width", [390, 820, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_at_all_at_any_size(scheme, width, new_page, site, server):
    page = new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.set_default_timeout(180_000)  # this run is not in a hurry
    begin(page, site)
    page.fill("#lines", "rest overwatch")
    page.click("text=Submit as final")
    page.wait_for_selector("[data-exchange='3']")
    places = other_places(server, site)
    findings = []
    for place in (*PLACES["light"], *MORE_PLACES, *TITLE_PAGES):
        page.goto(place.format(**places) if place.startswith("{") else site + place.format(**places))
        page.evaluate(UNFOLD)
        page.evaluate(TO_THE_BUTTONS)
        findings += grave_findings(page, impacts=("minor", "moderate", *GRAVE))

    assert findings == [], "\n".join(findings)


@pytest.mark.first
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(scheme, new_page, site, server):
    page = new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    shown: set[str] = set()
    note = lambda sender, template, **_: shown.add(template.name)  # noqa: E731
    template_rendered.connect(note)
    begin(page, site)
    page.fill("#lines", "ge1 dance")
    page.click("text=Check")
    page.wait_for_selector("form[data-refused]")  # the page that the server answers with, not the check while writing
    findings = grave_findings(page)  # with a refusal
    page.reload()
    page.fill("#lines", "ge1 fire br3\nrest overwatch")
    page.click("text=Submit as final")
    page.wait_for_selector("[data-exchange='3']")
    places = other_places(server, site)
    for place in PLACES[scheme]:
        page.goto(place.format(**places) if place.startswith("{") else site + place.format(**places))
        page.evaluate(UNFOLD)
        findings += grave_findings(page)
    for place in TITLE_PAGES if scheme == "light" else TITLE_PAGES[:1]:
        page.goto(place.format(**places))
        page.wait_for_selector("[data-ready]")
        page.evaluate(UNFOLD.replace("main details", "#orders details, #talk details"))
        if page.locator("[data-row]").count():
            page.click("[data-row] >> nth=0")
            row = page.get_attribute("[data-row] >> nth=0", "data-row")
            page.wait_for_selector(f'.panel h2 strong:text-is("{row}")')
            # an element half out of sight has no size
            page.evaluate("document.querySelector('#orders').scrollIntoView()")
        findings += grave_findings(page)  # with the sheet of a unit, and every section unfolded
    if scheme == "light":
        findings += grave_findings_of_the_master(page, places["led"])
        assert whole_pages() - shown == set(), "kinds of pages that nobody has looked at"

    assert findings == [], "\n".join(findings)


def grave_findings_of_the_master(page, led) -> list[str]:
    """Return the findings on pages behind the game master's buttons: hidden data, and the preview of a ruling."""
    page.goto(f"{led}/master")
    page.click("text=The whole position")
    page.wait_for_selector("text=The log has recorded that you looked")
    findings = grave_findings(page)
    page.goto(f"{led}/master")
    page.click('section:has(h3:text-is("Reopen")) summary')
    page.fill("#reopen-reason", "a dispute")
    page.click('section:has(h3:text-is("Reopen")) button')
    page.wait_for_selector("text=What this ruling changes")
    return findings + grave_findings(page)


def whole_pages() -> set[str]:
    """Return the templates of whole pages, without the fragments."""
    folder = templates() / "web"
    return {f"web/{file.name}" for file in folder.glob("*.html") if 'extends "web/base.html"' in file.read_text()}


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
"""2.4.11 Focus not obscured: whether something covers the focused element completely."""


def tab_to(page, selector: str, most: int = 90) -> None:
    """Press Tab until an element has the focus; every element focused on the way must be visible."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(COVERED):  # something may just have come in above it
            page.wait_for_timeout(500)
            assert page.evaluate(COVERED) == ""
        if page.evaluate(f"document.activeElement?.matches({selector!r})"):
            return
    pytest.fail(f"the tabulator does not lead to {selector}")


def test_a_whole_turn_is_played_by_keyboard_alone(new_page, site, server):
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

    tab_to(page, '[data-row="ge1"]')
    page.keyboard.press("Enter")
    page.wait_for_selector('.panel h2:has-text("ge1")')
    tab_to(page, '[data-focus="choice fire"]')
    page.keyboard.press("Enter")
    tab_to(page, '[data-focus="unit br1"]')
    page.keyboard.press("Enter")
    tab_to(page, '[data-focus="next"]')
    page.keyboard.press("Enter")
    page.wait_for_selector('.panel h2:has-text("ge2")')
    tab_to(page, '[data-focus="choice move"]')
    page.keyboard.press("Enter")
    tab_to(page, "#goal")
    page.keyboard.type("H7")
    page.wait_for_function("() => document.querySelector('#lines').value.includes('ge2 move H7')")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.row") == "ge2"  # back where the sheet was opened

    tab_to(page, "#lines")
    page.keyboard.press("Control+End")
    page.keyboard.type("\nfirst")
    tab_to(page, 'button[value="check"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("text=We read them as:")  # the server's page; the check while writing says less
    page.wait_for_selector("[data-ready]")
    tab_to(page, 'button[value="final"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")  # two tanks hold
    tab_to(page, "[data-seal]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-exchange='3']")

    (match,) = all_matches(server)
    events = record_of(server, match).events
    sealed = next(e for e in events if e.type == "order.sealed" and e.payload["seat"] == "german")
    text = server.store.part(sealed.parts[0].commitment).content.decode()
    assert "ge1 fire br1" in text and "ge2 move H7" in text and "first" in text


def test_the_sheet_and_the_orders_are_announced(new_page, site):
    page = new_page(viewport={"width": 1280, "height": 900})
    begin(page, site)
    page.click('[data-row="ge1"]')
    page.wait_for_selector(".panel h2")
    page.click('.panel >> text="overwatch"')

    assert page.inner_text("[data-said]") == "ge1 overwatch"
    assert page.get_attribute("[data-said]", "aria-live") == "polite"
    assert page.get_attribute(".panel", "aria-label") == "Unit ge1"


def test_without_movement_nothing_moves(new_page, site):
    """2.3.3: Nothing is animated for readers who ask for reduced motion."""
    page = new_page(reduced_motion="reduce")
    page.goto(site)

    assert page.evaluate("getComputedStyle(document.querySelector('button')).transitionDuration") in ("0s", "")


def test_everything_that_is_pressed_is_large_enough(new_page, site):
    """2.5.8: Everything that can be pressed is at least 24 by 24 pixels, on a phone too, except links within a
    sentence."""
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    begin(page, site)
    page.click('[data-row="ge1"]')
    page.wait_for_selector(".panel h2")
    small = page.evaluate(
        "[...document.querySelectorAll('button, select, input:not([type=hidden]), summary, .map-buttons *')]"
        ".filter((one) => one.offsetParent && !['svg', 'path'].includes(one.localName))"
        ".map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])"
        ".filter(([, box]) => box.width < 24 || box.height < 24)"
        ".filter(([html]) => !/radio|checkbox/.test(html)).map(([html]) => html)"
    )

    assert small == []
