"""Creating a match: every option is explained and can be chosen, seats are assigned, and a game master can be
named."""

from __future__ import annotations

import re
from typing import ClassVar

import pytest
from support.api_client import Program
from support.playing import NOON
from web.conftest import DrawnTitle

from pbem.engine.rules.title import Title
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.clock import deadlines
from pbem.matches.history import beacons
from pbem.matches.history.beacons import Beacon, Terms
from pbem.matches.history.replay import all_matches, record_of
from pbem.matches.installation import open_server
from pbem.matches.post import outbox
from pbem.matches.rulings import powers
from pbem.titles.registry import TITLES
from pbem.web import create_app
from pbem.web.pages.creating import options_of


def made(answer) -> str:
    assert answer.status_code == 303, answer.text
    return answer.location.rsplit("/", 1)[1]


# Choices -----------------------------------------------------------------------------------------------------


def test_a_newcomer_finds_every_scenario_and_its_form_by_clicking(nobody):
    assert 'href="/new"' in nobody.get("/").text
    scenarios = nobody.get("/new").text
    for scenario in DrawnTitle().scenarios:
        assert f'href="/new?play=ambush/{scenario}"' in scenarios
    form = nobody.get("/new?play=ambush/tiny").text
    assert "<legend>Red</legend>" in form and "<legend>Blue</legend>" in form
    assert nobody.get("/new?play=chess/standard").status_code == 404


def test_a_scenario_is_shown_by_its_map_as_everybody_may_see_it(nobody):
    assert 'src="/scenarios/ambush/tiny.svg"' in nobody.get("/").text
    drawn = nobody.get("/scenarios/ambush/tiny.svg")
    assert drawn.mimetype == "image/svg+xml" and 'data-unit="r1"' in drawn.text and "data-own" not in drawn.text
    assert nobody.get("/scenarios/ambush/tiny.svg", **{"If-None-Match": drawn.headers["ETag"]}).status_code == 304
    assert nobody.get("/scenarios/ambush/nosuch.svg").status_code == 404


@pytest.mark.parametrize(
    ("title", "scenario"),
    [(TITLES["panzer"], "desert"), *((title, title.scenarios[0]) for title in TITLES.values())],
    ids=lambda given: getattr(given, "name", given),
)
def test_every_option_of_every_title_stands_on_the_page_with_its_words(
    title: Title, scenario: str, tmp_path, new_browser
):
    server = open_server(tmp_path / "pbem.db", {title.name: title}, clock=lambda: NOON)
    page = new_browser(create_app(server)).get(f"/new?play={title.name}/{scenario}").text

    for option in options_of(title, scenario):
        kind = "checkbox" if option.several else "radio"
        for one in option.values:
            assert f'<input type="{kind}" name="option/{option.name}" value="{one.value}">' in page
            assert one.words.split(":")[0].replace("'", "&#39;") in page
    server.close()


def test_what_is_chosen_is_played_and_what_is_not_is_left_to_the_scenario(browsers, server):
    ann = browsers("ann")
    assert "nobody sees far" in ann.get("/new?play=ambush/tiny").text

    answer = ann.post("/matches", **{"play": "ambush/tiny", "option/weather": "fog", "option/moon": "full"})
    default = ann.post("/matches", **{"play": "ambush/tiny", "option/weather": ""})

    options = [record_of(server, made(one)).created.options for one in (answer, default)]
    assert options == [{"weather": "fog"}, {}]


class RichTitle(DrawnTitle):
    """A title with options of every kind: single values, and sets of optional rules."""

    choices: ClassVar = {"points": {50: "a skirmish", 100: "a battle"}, "optional": {"mud": "slow", "wind": "cold"}}
    several: ClassVar = ("optional",)


def test_values_keep_their_kind_and_several_make_a_list(tmp_path, new_browser):
    server = open_server(tmp_path / "pbem.db", {"ambush": RichTitle()}, clock=lambda: NOON)
    ann = new_browser(create_app(server), accounts.open_account(server, "ann@example.org"))
    chosen = {"option/points": "100", "option/optional": ["mud", "wind"]}

    match = made(ann.post("/matches", play="ambush/tiny", **chosen))

    assert record_of(server, match).created.options == {"points": 100, "optional": ["mud", "wind"]}
    assert "<dd>mud, wind</dd>" in ann.get(f"/matches/{match}").text
    server.close()


# Seats -------------------------------------------------------------------------------------------------------


def test_a_new_match_seats_its_maker_and_invites_the_others(browsers, server):
    said = {"seat/red": "me", "seat/blue": "invite", "address/blue": "bob@example.org"}
    match = made(browsers("ann").post("/matches", play="ambush/tiny", name="Dusk", cadence=24, **said))

    record = record_of(server, match)
    assert record.created.name == "Dusk" and record.created.cadence == 24
    assert list(record.occupants) == ["red"]
    assert [owed.kind for owed in outbox.waiting(server)] == ["invitation"]


def test_a_match_without_a_name_is_named_after_its_scenario(eve, server):
    """A match without a name is named after its scenario; the form shows that name in the empty field."""
    page = eve.get("/new?play=ambush/tiny").text
    promised = re.search(r'id="name"[^>]*placeholder="([^"]+)"', page)[1]
    by_form = made(eve.post("/matches", play="ambush/tiny", name=" "))
    program = Program(eve.client.application, server, accounts.by_address(server, "eve@example.org").id, "play")
    by_program = program.post("/matches", title="ambush", scenario="tiny").json["match"]

    assert [views.status(server, match).name for match in (by_form, by_program)] == [promised, promised]


def test_a_bot_sits_down_at_once_and_one_may_play_both_sides(browsers, server):
    ann = browsers("ann")
    against_bot = made(ann.post("/matches", **{"play": "ambush/tiny", "seat/red": "bot", "seat/blue": "me"}))
    alone = made(ann.post("/matches", **{"play": "ambush/tiny", "seat/red": "me", "seat/blue": "me"}))

    assert record_of(server, against_bot).occupants["red"]["account"] == "bot-ambush"
    assert record_of(server, against_bot).started and record_of(server, alone).started
    assert "Your seats" in ann.get(f"/matches/{alone}").text


def test_the_maker_can_be_the_game_master_who_does_not_play(browsers, server):
    ann = browsers("ann")
    match = made(ann.post("/matches", **{"play": "ambush/tiny", "master": "true", "seat/blue": "bot"}))

    record = record_of(server, match)
    me = accounts.by_address(server, "ann@example.org").id
    assert powers.is_master(record, me) and "red" not in record.occupants
    assert f'href="/matches/{match}/master"' in ann.get(f"/matches/{match}").text
    assert f'href="/matches/{match}/master"' in ann.get("/").text
    assert ann.get(f"/matches/{match}/master").status_code == 200
    invited = ann.post(f"/matches/{match}/invitations", to_seat="red", address="bob@example.org")
    assert invited.status_code == 303 and [owed.kind for owed in outbox.waiting(server)] == ["invitation"]


def test_without_a_word_about_it_nobody_is_game_master(browsers, server):
    match = made(browsers("ann").post("/matches", play="ambush/tiny"))

    assert record_of(server, match).created.master == ""


# Deadlines ---------------------------------------------------------------------------------------------------


def test_deadlines_can_be_agreed_on_in_every_way(browsers, server):
    """§11: A match can agree on zone, weekdays, hours, grace, extensions, and the effect of a missed deadline."""
    answer = browsers("ann").post(
        "/matches",
        play="ambush/tiny",
        cadence=48,
        zone="Europe/Berlin",
        weekdays=["mon", "wed", "fri"],
        from_hour=8,
        to_hour=22,
        grace=6,
        extensions=2,
        missed="forfeit",
        patience=3,
    )

    agreed = deadlines.timing_of(record_of(server, made(answer)))
    assert (agreed.hours, agreed.zone, agreed.weekdays) == (48, "Europe/Berlin", ("mon", "wed", "fri"))
    assert (agreed.between, agreed.grace, agreed.extensions) == ((8, 22), 6, 2)
    assert (agreed.missed, agreed.patience) == ("forfeit", 3)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"cadence": "soon"}, "give a whole number"),
        ({"seat/red": "invite", "address/red": "nobody at all"}, "that is not a valid email address"),
        ({"seat/red": "me", "master": "true"}, "a game master cannot also have a seat"),
        ({"weekdays": "someday"}, "choose one of mon"),
        ({"zone": "Moon/Crater"}, "no time zone has that name"),
        ({"missed": "shout"}, "choose one of doctrine"),
        ({"from_hour": 20, "to_hour": 8}, "the earlier one first"),
    ],
)
def test_a_match_that_cannot_be_made_is_refused_and_nothing_is_left_behind(wrong, told, browsers, server):
    said = {"play": "ambush/tiny", "cadence": 24, **wrong}

    answer = browsers("ann").post("/matches", **said)

    assert answer.status_code == 422 and told in answer.text
    assert all_matches(server) == []


def test_what_was_filled_in_stands_in_the_form_again(browsers):
    answer = browsers("ann").post(
        "/matches",
        play="ambush/tiny",
        name="Dusk <3",
        cadence="72",
        grace="7",
        missed="wait",
        zone="Moon",
        **{"seat/blue": "invite", "address/blue": "bob@example.org", "option/weather": "fog", "weekdays": ["sat"]},
    )

    assert answer.status_code == 422
    for kept in (
        'name="name" maxlength="80" placeholder="tiny" value="Dusk &lt;3"',
        'max="1440" value="72"',
        'max="168" value="7"',
        'name="missed" value="wait" checked',
        'name="seat/blue" value="invite" checked',
        'value="bob@example.org"',
        'name="option/weather" value="fog" checked',
        'name="weekdays" value="sat" checked',
    ):
        assert kept in answer.text, kept
    assert 'name="weekdays" value="sun" checked' not in answer.text


def test_only_an_account_makes_matches(nobody, server):
    assert nobody.post("/matches", play="ambush/tiny").location.endswith("/sign-in")
    assert all_matches(server) == []


def test_a_match_can_keep_its_secrets_and_everybody_who_joins_is_told(eve, server):
    assert "Secrets stay sealed after the end" in eve.get("/new?play=ambush/tiny").text
    seats = {"seat/red": "me", "seat/blue": "open"}
    match = made(eve.post("/matches", play="ambush/tiny", sealed="true", **seats))
    assert record_of(server, match).opens == "never"
    assert "Secrets stay sealed after the end of this match." in eve.get(f"/matches/{match}").text
    other = made(eve.post("/matches", play="ambush/tiny", **seats))
    assert "Secrets stay sealed" not in eve.get(f"/matches/{other}").text


def test_a_match_can_use_a_public_beacon_that_the_server_offers(eve, server, tmp_path):
    assert "Public beacon" not in eve.get("/new?play=ambush/tiny").text
    (tmp_path / "values").write_text("")
    beacons.offer(server.database, Beacon(Terms("night", 1, 30), str(tmp_path / "values")))
    assert '<option value="night">' in eve.get("/new?play=ambush/tiny").text
    seats = {"seat/red": "me", "seat/blue": "me"}
    match = made(eve.post("/matches", play="ambush/tiny", beacon="night", **seats))
    assert record_of(server, match).created.beacon["name"] == "night"
    page = " ".join(eve.get(f"/matches/{match}").text.split())
    assert "The dice wait for round" in page and "being played" not in page
    assert "The public beacon of this match" in eve.get(f"/matches/{match}/verify").text
    assert eve.post("/matches", play="ambush/tiny", beacon="day", **seats).status_code == 422
    program = Program(eve.client.application, server, accounts.by_address(server, "eve@example.org").id, "play")
    by_program = program.post("/matches", title="ambush", scenario="tiny", beacon="night").json["match"]
    assert record_of(server, by_program).created.beacon["name"] == "night"
