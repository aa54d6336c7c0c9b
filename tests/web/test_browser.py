"""The site in a real browser: an order by clicking, an order without scripts, and a narrow screen."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator

import pytest
from werkzeug.serving import make_server

from pbem.matches import acts
from pbem.web import create_app

pytestmark = pytest.mark.browser

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@pytest.fixture(scope="module")
def chromium(request: pytest.FixtureRequest):
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        required = request.config.getoption("require", default=None) or ()
        (pytest.fail if "browser" in required else pytest.skip)("there is no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture
def site(house) -> Iterator[str]:
    """The address of a demonstration that is being served."""
    server = make_server("127.0.0.1", 0, create_app(house, demo=True), threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()


def is_complaint(message) -> bool:
    """A refused form is no fault of the page."""
    return message.type == "error" and "status of 422" not in message.text


@pytest.fixture
def new_page(chromium):
    """Opens pages, and fails the test if one of them complains, as about its content policy."""
    complaints: list[str] = []
    contexts = []

    def opened(**options):
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: complaints.append(message.text) if is_complaint(message) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def test_an_order_is_given_by_clicking_on_the_map_and_accepted(new_page, site, house):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(site)
    page.click("text=Play now against a bot")
    page.click('[data-unit="r1"]')
    page.click('.panel >> text="ambush"')
    assert page.input_value("#lines").splitlines()[0].startswith("r1 ambush")
    assert "# hold, ambush" in page.input_value("#lines").splitlines()[0]  # the remark stays

    page.click("text=Submit as final")
    page.wait_for_selector("text=exchange 3")

    (match,) = acts.matches(house)
    assert page.url.startswith(f"{site}/matches/{match}")
    events = acts.read(house, match).events
    sealed = next(event for event in events if event.payload.get("seat") == "red" and event.parts)
    assert b'"r1":"ambush"' in house.store.part(sealed.parts[0].commitment).content


def test_everything_works_without_scripts(new_page, site, house):
    page = new_page(java_script_enabled=False)
    page.goto(site)
    page.click("text=Play now against a bot")
    page.fill("#lines", "r1 dance")
    page.click("text=Check")
    assert "dance is no order" in page.inner_text(".refusal")
    page.fill("#lines", "r1 ambush")
    page.click("text=Submit as final")

    (match,) = acts.matches(house)
    assert acts.read(house, match).last == 2


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
