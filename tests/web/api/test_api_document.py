"""The API document is correct, answers leak nothing, and each problem says what to do next."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.api_client import Program
from web.api.calls import EXCEPTIONS, address
from web.http.test_roles import TABLE

from pbem.matches.accounts import accounts
from pbem.matches.accounts.rate_limits import Limit
from pbem.matches.exchange import submitting
from pbem.web import create_app
from pbem.web.api.operations import OPERATIONS, openapi, template_of
from pbem.web.http import visitor_limits

# Problems ----------------------------------------------------------------------------------------------------


def test_a_refusal_names_lines_rules_and_the_nearest_legal_things(ann, server, match):
    answer = ann.post(f"/matches/{match}/orders", exchange=3, orders="r1 go6\nr2 dance")

    assert answer.status_code == 422
    first, second = answer.json["refusals"]
    assert first["kind"] == "illegal" and first["objections"] == [{"rule": "1.1", "why": "that leaves the map"}]
    assert second["kind"] == "unreadable" and "go3" in second["instead"]
    assert answer.json["request"] == answer.headers["X-Request-ID"] and answer.json["advice"]


@pytest.mark.parametrize(
    ("said", "part"),
    [({"orders": "r1 hold"}, "exchange"), ({"exchange": "x", "orders": ""}, "exchange"), ({"order": ""}, "order")],
)
def test_what_has_not_its_shape_is_refused_field_by_field(said, part, ann, match):
    answer = ann.post(f"/matches/{match}/orders", **said)

    assert answer.status_code == 422
    assert part in [refusal["part"] for refusal in answer.json["refusals"]]


@pytest.mark.parametrize("body", [b"[]", b"{", b"orders=r1"])
def test_a_body_that_is_no_object_is_refused(body, app, ann, match):
    answer = app.test_client().post(
        f"/api/v1/matches/{match}/orders",
        base_url="https://localhost",
        data=body,
        headers={"Authorization": f"Bearer {ann.word}", "Content-Type": "application/json"},
    )

    assert answer.status_code == 422 and "must be a JSON object" in answer.json["detail"]


@pytest.mark.parametrize(("method", "path", "code"), [("GET", "/nowhere", 404), ("DELETE", "/matches", 405)])
def test_addresses_that_are_none_are_told_in_json(method, path, code, nobody):
    answer = nobody.call(method, path)

    assert (answer.status_code, answer.mimetype) == (code, "application/problem+json")
    assert code != 405 or "GET" in answer.headers["Allow"]


def test_pages_that_are_none_are_still_told_as_pages(browsers):
    assert "What to do:" in browsers().get("/nowhere").text


def test_the_limits_of_the_pages_hold_here_as_well(ann, match, monkeypatch):
    monkeypatch.setitem(visitor_limits.LIMITS, "orders", Limit("orders", 2, 60_000))
    answers = [ann.post(f"/matches/{match}/check", exchange=3, orders="") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[-1].headers["Retry-After"]) > 0 and "too often" in answers[-1].json["detail"]


def test_a_fault_of_ours_tells_nothing(ann, match, monkeypatch, caplog):
    monkeypatch.setattr("pbem.web.api.routes.views.status", lambda *_: 1 // 0)

    answer = ann.get(f"/matches/{match}")

    assert answer.status_code == 500 and "ZeroDivision" not in answer.text
    assert "ZeroDivisionError" in caplog.text and answer.json["request"] in caplog.text


# Caches and secrets ------------------------------------------------------------------------------------------


def test_a_poll_that_finds_nothing_new_costs_a_header(ann, bob, match):
    first = ann.get(f"/matches/{match}")
    known = {"If-None-Match": first.headers["ETag"]}

    assert ann.get(f"/matches/{match}", **known).status_code == 304
    bob.post(f"/matches/{match}/orders", exchange=3, orders="b1 ambush")
    assert ann.get(f"/matches/{match}", **known).status_code == 304  # she may not learn of sealed orders
    bob.post(f"/matches/{match}/final", exchange=3)
    assert ann.get(f"/matches/{match}", **known).json["status"]["waiting_for"] == ["red"]


CHANGING = ("X-Request-ID", "Date")
READS = [o for o in OPERATIONS if o.method == "GET" and o.scope in ("public", "read") and o.name != "export"]


@pytest.fixture
def worlds(folders, new_server, new_match):
    """For each possible order of blue's first unit, return the match, red's program and an anonymous program."""

    def world(folder: Path, hidden: str):
        server = new_server(folder, "secrecy")
        match = new_match(server, cadence=48)
        red, blue = (accounts.by_address(server, f"{who}@example.org").id for who in ("ann", "bob"))
        submitting.submit(server, match, "red", 2, "r1 ambush", by=red, final=False, source="web")
        submitting.submit(server, match, "blue", 2, f"b1 {hidden}", by=blue, final=True, source="web")
        app = create_app(server, secret=b"the same in all worlds")
        return server, match, {"red": Program(app, server, red, "read"), "public": Program(app, server)}

    return [world(folders(), order) for order in ("hold", "ambush", "go5")]


@pytest.mark.parametrize("viewer", ["red", "public"])
def test_answers_do_not_tell_what_the_enemy_has_sealed(viewer, worlds):
    for operation in READS:
        seen = set()
        for server, match, callers in worlds:
            path = address(server, match, operation).replace("/2", "/1")
            answer = callers[viewer].get(path)
            headers = {name: value for name, value in answer.headers.items() if name not in CHANGING}
            text = answer.text.replace(answer.headers["X-Request-ID"], "")
            seen.add((answer.status_code, text, json.dumps(headers, sort_keys=True)))
        assert len(seen) == 1, operation.name


def test_refusals_do_not_tell_what_the_enemy_has_sealed(worlds):
    probes = ["r1 go6", "b1 hold", "r1 dance", "", "r1 go3\nambush b1 r1"]
    seen = set()
    for _, match, callers in worlds:
        answers = [callers["red"].post(f"/matches/{match}/check", exchange=2, orders=text) for text in probes]
        seen.add(str([{**answer.json, "request": ""} for answer in answers]))

    assert len(seen) == 1


def test_the_worlds_do_differ(worlds):
    """The comparison can fail, because blue gets a different answer in each world."""
    answers = set()
    for server, match, _ in worlds:
        blue = accounts.by_address(server, "bob@example.org").id
        answers.add(Program(create_app(server), server, blue, "read").get(f"/matches/{match}/form").text)

    assert len(answers) == len(worlds)


# The document ------------------------------------------------------------------------------------------------


def test_the_document_names_every_address_and_no_other(app, nobody):
    document = nobody.get("/openapi.json").json
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("api.")]
    served = {(template_of(rule.rule).removeprefix("/api/v1"), m) for rule in rules for m in rule.methods or ()}
    named = {(path, method.upper()) for path, methods in document["paths"].items() for method in methods}

    assert named == {(path, method) for path, method in served if method not in ("HEAD", "OPTIONS")}
    assert document["openapi"].startswith("3.")


def test_every_shape_that_the_document_names_is_in_it():
    text = json.dumps(openapi())
    shapes = openapi()["components"]["schemas"]

    assert set(re.findall(r'"#/components/schemas/(\w+)"', text)) == set(shapes)
    assert shapes["Submission"]["required"] == ["exchange", "orders"]
    assert "final" in shapes["Submission"]["properties"]


def test_answers_have_the_shape_that_the_document_promises(ann, server, match):
    document, checked = openapi(), 0
    for operation in READS:
        if operation.gives is None:
            continue
        if EXCEPTIONS.get((operation.name, "player")) in (404, 422) or operation.name in ("dispute_sheet", "line"):
            continue  # the toy has none
        answer = ann.get(address(server, match, operation)).json
        promised = document["components"]["schemas"][operation.gives.__name__.removesuffix("Schema")]
        assert set(answer) == set(promised["properties"]), operation.name
        checked += 1

    assert checked >= 8


def test_the_page_for_people_lists_every_operation(browsers):
    page = browsers().get("/api").text

    assert all(operation.summary.split("'")[0] in page for operation in OPERATIONS)
    assert "Authorization: Bearer" in page


COUNTERPARTS = {
    "lobby.lobby": "matches",
    "lobby.player": "player",
    "creating.choose": "titles scenario",
    "creating.picture": "scenario_map",
    "creating.create": "create",
    "match.page": "show form table reports",
    "match.status": "show",
    "match.map": "map",
    "match.export_match": "export",
    "match.receipts": "receipts",
    "match.receipt": "receipt",
    "match.orders": "submit",
    "match.check": "check",
    "match.final": "final",
    "match.withdraw": "withdraw",
    "match.take": "take",
    "match.invite": "invite",
    "talk.say": "write_letter ask_for_time be_absent be_present set_doctrine dispute draw concede resign "
    "keep_secrets statement appeal report_letter mute_seat",
    "talk.stand_by": "stand_by stand_down",
    "talk.hand_over": "hand_over",
    "planning.unit": "unit",
    "planning.sight": "sight",
    "turns.report": "report rolls",
    "turns.replay": "replay",
    "turns.dice": "dice",
    "account.page": "preferences own_sessions",
    "account.rename": "prefer",
    "account.prefer": "prefer",
    "account.add_address": "add_address",
    "account.put_first": "put_first",
    "account.remove_address": "remove_address",
    "account.end_session": "end_session end_sessions",
    "account.export": "own_data",
    "account.ask_to_delete": "delete_account",
    "account.delete": "delete_account",
    "master.overview": "account troubles",
    "master.page": "troubles open_disputes deeds",
    "master.record": "deeds",
    "master.perform": "master_extend master_hold master_release master_pause master_resume master_settings "
    "master_process master_replace master_silence master_rules master_settle master_continue",
    "master.look": "everything whole_report halt master_export",
    "master.ruling": "try_ruling rule",
    "titles.page": "title_page",
    "disputes.index": "precedents",
    "disputes.sheet": "disputes dispute_sheet",
    "lines.index": "lines",
    "lines.line": "line",
    "lines.what_if": "what_if",
    "lines.dossier": "dispute_sheet report rolls",
    "disputes.name_panel": "name_panel",
    "disputes.vote": "vote",
    "master.auditor": "propose_auditor dismiss_auditor",
    "disputes.search_match": "search_match",
    "disputes.search_all": "search_server",
    "verifying.dice": "server_dice",
    "tournaments.overview": "tournaments",
    "tournaments.page": "tournament_standings",
    "tournaments.tab": "tournament",
    "tournaments.pairings": "tournament",
    "tournaments.entrant": "tournament_standings",
    "tournaments.season": "tournaments",
    "tournaments.ratings": "ratings",
    "tournaments.take_part": "enter_tournament leave_tournament",
    "director.choose": "announce_tournament",
    "director.announce": "announce_tournament",
    "director.board": "tournament webhooks add_webhook remove_webhook",
    "director.perform": "direct_tournament",
    "language.general": "form",
    "language.of_match": "form",
    "moderation.page": "moderation",
    "moderation.decide": "moderate",
    "health.hold": "server_hold",
    "health.release": "server_release",
    "api_page": "document",
    "campaigns.overview": "campaigns",
    "campaigns.page": "campaign",
    "campaigns.roster": "roster",
    "campaigns.unit": "unit_history",
    "campaigns.as_bundle": "campaign_bundle",
    "film.data": "film",
    "questions.ask": "why_unseen why_refused what_if_modifier",
    "questions.answer": "why_unseen why_refused what_if_modifier",
    "formations.propose": "propose formations",
    "formations.preview": "preview",
    "first_games.how": "primer",
    "first_games.start": "first_game",
}
"""Each page or action of the site, with the operations that do the same for a program."""

LEFT_TO_PEOPLE = {
    *("door.sign_in", "door.send_link", "door.use_password", "door.show_link", "door.use_link", "door.sign_out"),
    *("account.set_password", "account.remove_password", "account.make_token", "account.revoke_token"),
    *("door.show_invitation", "door.accept", "door.decline", "door.show_confirm", "door.confirm", "door.show_stop"),
    *("door.stop", "account.show_address", "account.confirm_address"),
    *("lobby.play", "match.verify", "guide.index", "guide.page", "verifying.verify"),
    *("legal.terms", "legal.privacy"),
    *("film.page", "film.scene", "film.draw_turn", "film.last_look", "film.note_look"),
    *("drafts.show", "drafts.save"),
}
"""Routes without an operation: those that create a session or a token, buttons behind links in emails, guests of a
demonstration, pages of prose, and the drafts and watched scenes that pages store for their reader.
"""

FOR_PROGRAMS_ALREADY = {
    *("feeds.calendar", "feeds.calendar_by_word", "feeds.feed", "health.page", "health.as_json", "health.numbers"),
    *(
        f"tournament_files.{name}"
        for name in ("as_csv", "as_json", "as_trf", "as_bundle", "feed", "calendar", "embed")
    ),
}
"""Routes that are already for programs: calendars, feeds, and a page that also exists as JSON."""


def test_a_program_can_do_all_that_the_pages_do():
    pages = {endpoint for endpoint in TABLE if not endpoint.startswith("api.")}
    assert pages == set(COUNTERPARTS) | LEFT_TO_PEOPLE | FOR_PROGRAMS_ALREADY, "a new page needs its operation"
    operations = {operation.name for operation in OPERATIONS}
    assert {name for names in COUNTERPARTS.values() for name in names.split()} == operations


def test_a_scenario_is_told_with_the_options_that_a_match_of_it_has(nobody, server):
    found = nobody.get("/titles/ambush/scenarios/tiny").json
    assert found["seats"] == ["red", "blue"]
    assert found["options"][0]["values"][0] == {"value": "fog", "words": "nobody sees far"}
    assert nobody.get("/titles/ambush/scenarios/nosuch").status_code == 404


def test_a_program_reads_the_film_and_gets_lines_for_many_units(ann, nobody, match):
    film = ann.get(f"/matches/{match}/turns/1/film").json
    assert film["summary"]["turn"] == 1 and film["side"] and "scenes" in film
    found = ann.get(f"/matches/{match}/formations").json
    assert set(found) == {"verbs", "formations"}
    lines = ann.post(f"/matches/{match}/propose", units=["r1", "r2"], verb="hold").json
    assert len(lines.get("lines", [])) + len(lines.get("left_out", [])) == 2
    assert nobody.get("/campaigns").json == {"campaigns": [], "files": []}


def test_a_page_of_a_title_is_told_as_data(nobody):
    found = nobody.get("/titles/ambush/rosters?side=red").json
    assert found == {"title": "ambush", "page": "rosters", "label": "Rosters", "data": {"side": "red"}}
    assert nobody.get("/titles/ambush/nosuch").status_code == 404
    assert nobody.get("/titles/nosuch/rosters").status_code == 404


def test_all_sessions_are_ended_by_a_program(programs, server, browsers):
    ann = browsers("ann")
    assert ann.get("/account").status_code == 200
    assert programs("ann", "account").call("DELETE", "/account/sessions").json == {"sessions": []}
    assert ann.get("/account").status_code == 303


@pytest.mark.parametrize("depth", [40, 5_000, 100_000])
def test_json_that_is_nested_too_deep_is_refused_and_breaks_nothing(programs, depth):
    ann = programs("ann", "play")
    body = b'{"options": ' + b"[" * depth + b"]" * depth + b"}"
    headers = {"Authorization": f"Bearer {ann.word}", "Content-Type": "application/json"}
    for path in ("/api/v1/matches", "/api/v1/matches/x/orders"):
        answer = ann._client.post(path, base_url="https://localhost", data=body, headers=headers)
        assert answer.status_code == 400 and "nested too deep" in answer.json["detail"]


def test_half_a_character_is_refused(programs):
    """JSON that escapes one half of a surrogate pair is refused, because no UTF-8 text can contain it."""
    ann = programs("ann", "play")
    headers = {"Authorization": f"Bearer {ann.word}", "Content-Type": "application/json"}
    for body in (b'{"orders": "\\ud800", "exchange": 2}', b'{"\\uDFFF": 1}'):
        answer = ann._client.post(
            "/api/v1/matches/x/orders", base_url="https://localhost", data=body, headers=headers
        )
        assert answer.status_code == 400 and "half of a surrogate pair" in answer.json["detail"]
    whole = b'{"orders": "\\ud83d\\ude00", "exchange": 2}'
    answer = ann._client.post("/api/v1/matches/x/orders", base_url="https://localhost", data=whole, headers=headers)
    assert answer.status_code == 404, "a whole character is read; there is no match x"
