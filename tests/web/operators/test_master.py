"""The game master's page is open only to game masters, records everything they look at, and previews rulings."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest
from werkzeug.serving import make_server

from pbem.matches import health
from pbem.matches.accounts import accounts
from pbem.matches.exchange import submitting
from pbem.matches.history.replay import load, record_of
from pbem.matches.post import outbox
from pbem.matches.rulings import disputes
from pbem.web import create_app
from pbem.web.pages.master import ACTS, LOOKS

ACT_FORMS = {
    "pause": {"days": 3, "why": "holidays"},
    "continue": {},
    "extend": {"hours": 12, "why": "a storm"},
    "hold": {"why": "a dispute must be decided first"},
    "release": {},
    "settings": {"cadence": 24, "weekdays": ["mon", "fri"], "missed": "wait", "why": "all agreed"},
    "process": {"exchange": 2, "why": "all agreed"},
    "replace": {"seat": "blue", "why": "no word"},
    "silence": {"seat": "blue", "why": "insults"},
    "settle": {"number": 1, "answer": "no"},
    "resume": {},
    "rules": {"switches": "", "why": "as printed"},
}
REFUSED = ("continue", "release", "settle", "resume")
"""Acts that are refused: nothing is paused, held, disputed or halted here."""

RULINGS = {
    "reopen": {"kind": "reopen", "exchange": 1, "reason": "a dispute"},
    "recompute": {"kind": "recompute", "exchange": 1, "reason": "to be sure"},
    "correct": {"kind": "correct", "changes": "r1 hex 1.3", "reason": "a slip"},
}


@pytest.fixture
def match(server, new_match):
    return new_match(server, master=accounts.open_account(server, "gm@example.org").id, cadence=48)


@pytest.fixture
def gm(browsers, match):
    return browsers("gm")


def places(match):
    """Yield every address of the game master's page to which a form can be sent, with that form."""
    yield from ((f"/matches/{match}/master/acts/{act}", form) for act, form in ACT_FORMS.items())
    yield from ((f"/matches/{match}/master/look", {"what": what, "exchange": 1}) for what in (*LOOKS, "export"))
    yield from ((f"/matches/{match}/master/ruling", form) for form in RULINGS.values())


def rule(browser, match, **form):
    return browser.post(f"/matches/{match}/master/ruling", **form)


# Permissions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["ann", "eve", ""])
def test_the_desk_is_for_the_game_master_alone(who, browsers, server, match):
    stranger = browsers(who)
    before = record_of(server, match).version

    assert stranger.get(f"/matches/{match}/master").status_code == 403
    for address, form in places(match):
        assert stranger.post(address, **form).status_code == 403, address
    assert record_of(server, match).version == before


def test_forged_forms_do_nothing(gm, server, match):
    before = record_of(server, match).version
    for address, form in places(match):
        answer = gm.client.post(address, base_url="https://localhost", data=form)
        assert answer.status_code == 400, address
    assert record_of(server, match).version == before


def test_the_record_of_the_game_master_is_for_everybody(gm, nobody, match):
    gm.post(f"/matches/{match}/master/look", what="everything")

    assert "looked at everything" in nobody.get(f"/matches/{match}/master/record").text
    assert nobody.get("/matches/nosuch/master/record").status_code == 404
    assert gm.get("/matches/nosuch/master").status_code == 404


def test_his_matches_are_listed_with_what_wants_him(gm, nobody, server, match):
    owed = next(owed for owed in outbox.waiting(server) if owed.seat == "red")
    outbox.put_off(server, owed, 0, "550 no such mailbox")

    page = gm.get("/master").text
    assert "Ambush at noon" in page and "needs attention" in page and "failed 1 time" in page
    assert nobody.get("/master").location.endswith("/sign-in")


def test_who_plays_himself_is_told_what_he_may_not_do(browsers, server, new_match):
    ann = accounts.open_account(server, "ann@example.org").id
    match = new_match(server, master=ann, cadence=48)

    page = browsers("ann").get(f"/matches/{match}/master").text
    assert "You are also a player" in page and "Extend" in page
    assert "The whole position" not in page and "Reopen" not in page
    refused = browsers("ann").post(f"/matches/{match}/master/look", what="everything")
    assert refused.status_code == 422 and "you have a seat in this match" in refused.text


# Acts --------------------------------------------------------------------------------------------------------


def test_looks_of_an_auditor_are_for_everybody_where_there_is_no_game_master(
    browsers, ann, bob, nobody, server, new_match
):
    match = new_match(server)
    auditor = browsers("eve")
    page = f"/matches/{match}/master/record"
    assert "Nobody has looked at hidden units" in nobody.get(page).text
    for player, seat in ((ann, "red"), (bob, "blue")):
        assert player.post(f"/matches/{match}/auditor", seat=seat, address="eve@example.org").status_code == 303
    assert auditor.post(f"/matches/{match}/master/look", what="everything").status_code == 200

    assert "looked at everything" in nobody.get(page).text


@pytest.mark.parametrize("act", ACTS)
def test_acts_are_done_on_record_and_told(act, gm, server, match):
    answer = gm.post(f"/matches/{match}/master/acts/{act}", **ACT_FORMS[act])

    if act in REFUSED:
        assert answer.status_code == 422 and "Nothing has changed" in answer.text
    else:
        assert answer.status_code == 303
        page = gm.get(answer.location).text
        assert str(ACTS[act].done).partition(".")[0] in page
        assert "master.acted" in [event.type for event in record_of(server, match).events]


def test_a_form_that_does_not_fit_is_refused_with_its_fields(gm, server, match):
    answer = gm.post(f"/matches/{match}/master/acts/pause", days="many", why="")

    assert answer.status_code == 422 and "give a whole number" in answer.text
    assert gm.post(f"/matches/{match}/master/acts/fly").status_code == 404


def test_a_pause_is_shown_and_ended(gm, match):
    gm.post(f"/matches/{match}/master/acts/pause", days=3, why="holidays")
    assert "has been stopped since" in gm.get(f"/matches/{match}/master").text
    gm.post(f"/matches/{match}/master/acts/continue")
    assert "has been stopped since" not in gm.get(f"/matches/{match}/master").text


def test_a_hold_is_shown_to_all_and_ended(ann, gm, nobody, match):
    gm.post(f"/matches/{match}/master/acts/hold", why="a dispute <first>")
    for viewer in (ann, nobody):
        page = viewer.get(f"/matches/{match}").text
        assert "put the match on hold" in page and "a dispute &lt;first&gt;" in page
    assert "put the match on hold" in nobody.get(f"/matches/{match}/master/record").text
    gm.post(f"/matches/{match}/master/acts/release")
    assert "put the match on hold" not in ann.get(f"/matches/{match}").text


def test_other_deadlines_are_set_at_the_desk(gm, nobody, match):
    answer = gm.post(f"/matches/{match}/master/acts/settings", **ACT_FORMS["settings"])

    assert answer.status_code == 303
    assert "24 hours per turn, mon fri" in gm.get(f"/matches/{match}/master").text
    assert "24 hours per turn, mon fri" in nobody.get(f"/matches/{match}").text
    assert "24 hours per turn" in nobody.get("/").text
    assert "set new deadlines: 1 day per turn" in nobody.get(f"/matches/{match}/master/record").text


def test_a_dispute_is_read_and_answered_at_the_desk(ann, bob, gm, nobody, server, match):
    for player in (ann, bob):
        player.post(f"/matches/{match}/orders", orders="", act="final", exchange=2)
    with server.change(record_of(server, match), "dispute") as change:
        change.append(disputes.open_dispute(server, change.record, "red", "1", "r1 <was> not in range"))

    page = gm.get(f"/matches/{match}/master").text
    assert "Red disputes" in page and "r1 &lt;was&gt; not in range" in page
    assert gm.post(f"/matches/{match}/master/acts/settle", number=1, answer="It was: 4.2.").status_code == 303
    told = nobody.get(f"/matches/{match}/master/record").text
    assert "answered dispute 1" in told and "It was: 4.2." in told and "not in range" not in told


# Looks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", [look for look in (*LOOKS, "export") if look != "halt"])
def test_looks_show_what_is_hidden_and_are_on_record(what, ann, gm, server, match):
    ann.post(f"/matches/{match}/orders", orders="r1 ambush", act="submit", exchange=2)
    before = record_of(server, match)

    answer = gm.post(f"/matches/{match}/master/look", what=what, exchange=1)

    events = record_of(server, match).events[before.version :]
    assert answer.status_code == 200
    assert [event.type for event in events] == ["master.looked"]
    assert what != "export" or "r1 ambush" not in answer.text, "nobody looks at sealed orders of an open exchange"


def test_the_map_of_the_game_master_has_no_address(gm, match):
    """The game master's map has no address, so it cannot be requested again without being recorded."""
    page = gm.post(f"/matches/{match}/master/look", what="everything").text

    assert "<svg" in page and 'data-unit="b1"' in page
    assert not re.search(r'src="[^"]*map', page)


def test_a_look_that_is_none_is_not_found(gm, server, match):
    before = record_of(server, match).version
    assert gm.post(f"/matches/{match}/master/look", what="tomorrow").status_code == 404
    assert record_of(server, match).version == before


def test_links_do_not_look(gm, server, match):
    """Following the links on the game master's page is never recorded as a look."""
    before = record_of(server, match).version
    page = gm.get(f"/matches/{match}/master").text
    for address in re.findall(r'href="(/matches[^"]+)"', page):
        gm.get(address)
    assert record_of(server, match).version == before


def test_the_desk_itself_tells_nothing_that_is_sealed(folders, new_server, new_match, new_browser):
    """Until the game master looks at secrets, the page is the same in worlds that differ only in sealed orders."""
    seen = set()
    for hidden in ("hold", "ambush", "go5"):
        server = new_server(folders(), "secrecy")
        gm = accounts.open_account(server, "gm@example.org")
        match = new_match(server, master=gm.id)
        blue = accounts.by_address(server, "bob@example.org")
        submitting.submit(server, match, "blue", 2, f"b1 {hidden}", by=blue.id, final=True, source="web")
        app = create_app(server, secret=b"the same in all worlds")
        pages = [new_browser(app, gm).get(path).text for path in ("/master", f"/matches/{match}/master")]
        seen.add(re.sub(r'name="csrf_token" value="[^"]+"', "", "".join(pages)))

    assert len(seen) == 1


# Rulings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", RULINGS)
def test_a_ruling_is_shown_first_and_made_second(kind, gm, server, match):
    shown = rule(gm, match, **RULINGS[kind])
    assert shown.status_code == 200 and "The ruling has not been made yet" in shown.text
    assert not any(event.type.startswith("ruling.") for event in record_of(server, match).events)

    seen = re.search(r'name="seen" value="(\d+)"', shown.text)[1]
    made = rule(gm, match, **RULINGS[kind], seen=seen)

    assert made.status_code == 303
    assert any(event.type.startswith("ruling.") for event in record_of(server, match).events)
    assert "ruled:" in gm.get(f"/matches/{match}/master/record").text


def test_the_difference_names_the_place_what_is_and_what_becomes(gm, match):
    page = rule(gm, match, **RULINGS["correct"]).text

    assert "units/r1/hex" in page and "0, 2" in page and "<strong>1, 3</strong>" in page


def test_a_ruling_is_shown_again_when_something_has_happened(ann, gm, server, match):
    seen = re.search(r'name="seen" value="(\d+)"', rule(gm, match, **RULINGS["correct"]).text)[1]
    ann.post(f"/matches/{match}/orders", orders="r1 hold", act="submit", exchange=2)

    answer = rule(gm, match, **RULINGS["correct"], seen=seen)

    assert answer.status_code == 422 and "something has happened" in answer.text
    assert list(load(server, match).run.state.units["r1"].hex) == [0, 2]


def test_a_change_that_cannot_be_read_keeps_the_text_and_says_what_is_near(gm, match):
    answer = rule(gm, match, kind="correct", changes="r9 hex 1.3", reason="a slip")

    assert answer.status_code == 422
    assert "nothing in the position has that name" in answer.text and ">r1</code>" in answer.text
    assert re.search(r"<textarea[^>]*>\s*r9 hex 1.3</textarea>", answer.text)


def test_pointing_offers_every_unit_with_its_states_and_hides_the_raw_state(gm, server, match):
    shown = gm.post(f"/matches/{match}/master/look", what="everything").text
    assert 'id="pointing"' in shown and ">r1 (units)</option>" in shown and "&#34;shown&#34;" in shown
    assert "<h2>The state</h2>" not in shown, "raw places are for operators"
    health.name_operator(server, accounts.by_address(server, "gm@example.org").id)
    assert "<h2>The state</h2>" in gm.post(f"/matches/{match}/master/look", what="everything").text


def test_a_ruling_is_made_on_a_dispute_that_the_form_offers(ann, bob, gm, server, match):
    for browser, orders in ((ann, "r1 hold"), (bob, "b1 hold")):
        browser.post(f"/matches/{match}/orders", orders=f"{orders}\nfinal", act="submit", exchange=2)
    ann.post(f"/matches/{match}/words", word="dispute", place="1", text="wrong", rule="4.2")
    assert '<select id="correct-dispute" name="dispute">' in gm.get(f"/matches/{match}/master").text
    trial = rule(gm, match, kind="reopen", exchange=1, reason="a slip", dispute=1)
    seen = re.search(r'name="seen" value="(\d+)"', trial.text)[1]
    rule(gm, match, kind="reopen", exchange=1, reason="a slip", dispute=1, seen=seen)
    [ruling] = [event for event in record_of(server, match).events if event.type == "ruling.reopened"]
    assert ruling.payload["dispute"] == 1


# On a telephone ----------------------------------------------------------------------------------------------


@pytest.fixture
def demo_app(server):
    """Return an application that works without TLS, so that the browser keeps its cookie."""
    return create_app(server, demo=True)


@pytest.fixture
def site(demo_app) -> Iterator[str]:
    listener = make_server("127.0.0.1", 0, demo_app, threaded=True)
    thread = threading.Thread(target=listener.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.port}"
    listener.shutdown()
    thread.join()


@pytest.mark.browser
def test_no_page_of_the_desk_is_wider_than_a_telephone_or_complains(
    site, demo_app, server, match, new_browser, new_page
):
    """The game master's pages fit a phone and log no error, although their content policy allows only an embedded
    map."""
    gm = new_browser(demo_app, accounts.by_address(server, "gm@example.org"))
    widths = {}
    page = new_page(viewport={"width": 390, "height": 844})
    page.context.add_cookies([{"name": "pbem", "value": gm.client.get_cookie("pbem").value, "url": site}])

    def measure(name: str) -> None:
        widths[name] = page.evaluate("document.documentElement.scrollWidth")

    for path in ("/master", f"/matches/{match}/master", f"/matches/{match}/master/record", "/health", "/api"):
        page.goto(site + path)
        measure(path)
    page.goto(f"{site}/matches/{match}/master")
    page.click("text=The whole position")
    page.wait_for_selector("svg [data-unit=b1]")
    measure("look")

    assert max(widths.values()) <= 390, widths
