"""The API: who may call what, the same view as on the pages, problems that teach, a document that is true."""

from __future__ import annotations

import hmac
import json
import re
from pathlib import Path

import msgspec
import pytest
from support.api_client import Program
from web.http.test_roles import TABLE

from pbem.engine.play.dice import step_down
from pbem.matches import health
from pbem.matches.accounts import accounts
from pbem.matches.accounts.rate_limits import Limit
from pbem.matches.exchange import creating, submitting
from pbem.matches.history.export import read_export
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.replay import all_matches, load, record_of
from pbem.tournaments import stream
from pbem.tournaments.model import Settings
from pbem.web import create_app
from pbem.web.api.operations import OPERATIONS, openapi, template_of
from pbem.web.http import rate_limits

CALLERS = {
    "nobody": ("", ()),
    "stranger": ("eve", ("read", "play", "master")),
    "calendar": ("ann", ("calendar",)),
    "reader": ("ann", ("read",)),
    "player": ("ann", ("play",)),
    "master": ("gm", ("master",)),
    "keeper": ("ann", ("account",)),
    "operator": ("op", ("operator",)),
    "would-be": ("eve", ("operator",)),
}
"""Who calls, and with which scopes. Ann is red; only `gm` is the game master, and only `op` an operator."""

ALLOWED = {
    "public": ("nobody", "stranger", "reader", "player", "master"),
    "read": ("reader", "player"),
    "play": ("player",),
    "master": ("master",),
    "account": ("keeper",),
    "operator": ("operator",),
}
"""Who may call an operation of a scope; the others are refused: 401 without a token, 403 with one."""

EXCEPTIONS = {
    **{
        (name, caller): 404
        for name in ("dispute_sheet", "line")
        for caller in ("nobody", "stranger", "reader", "player", "master")
    },
    **{("what_if_modifier", caller): 422 for caller in ("nobody", "stranger", "reader", "player", "master")},
    ("why_refused", "stranger"): 422,
    ("statement", "stranger"): 403,
    **{(name, "stranger"): 422 for name in ("name_panel", "vote", "dismiss_auditor")},
    ("account", "stranger"): True,
    ("account", "master"): True,
    ("create", "stranger"): True,
    ("enter_tournament", "stranger"): True,
    ("leave_tournament", "stranger"): 422,
    ("announce_tournament", "stranger"): True,
    ("direct_tournament", "stranger"): 422,
    ("stand_by", "stranger"): True,
    ("stand_down", "stranger"): 422,
    ("take", "stranger"): 422,
    ("take", "player"): 422,
    ("invite", "player"): 422,
    ("remove_address", "keeper"): 422,
    ("put_first", "keeper"): 422,
    ("end_session", "keeper"): 404,
    ("add_webhook", "keeper"): 422,  # only https, and nothing is resolved in these tests
    ("remove_webhook", "keeper"): 404,
    **{(name, caller): 404 for name in ("unit", "sight") for caller in ALLOWED["public"]},
    **{(name, caller): 404 for name in ("primer", "campaign", "campaign_bundle") for caller in ALLOWED["public"]},
    **{
        (name, caller): 404
        for name in ("roster", "unit_history")
        for caller in (*ALLOWED["read"], "stranger", "master")
    },
    **{("first_game", caller): 404 for caller in ("player", "stranger")},
}
"""An account of one's own needs no seat; a seat that is taken refuses whoever may ask; the toy has no sheets, no
primer, no campaign and no dispute."""

BODIES = {
    "create": {"title": "ambush", "scenario": "tiny"},
    "invite": {"seat": "blue", "address": "dan@example.org"},
    "check": {"exchange": 3, "orders": "r1 ambush"},
    "why_refused": {"orders": "r1 ambush"},
    "submit": {"exchange": 3, "orders": "r1 ambush"},
    "final": {"exchange": 3},
    "withdraw": {"exchange": 3},
    "announce_tournament": {"name": "Winter Cup", "play": "ambush/tiny"},
    "direct_tournament": {"act": "message", "text": "Hello."},
    "propose": {"units": ["r1"], "verb": "hold"},
    "preview": {"line": "r1 hold"},
    "write_letter": {"to": ["blue"], "text": "hello"},
    "ask_for_time": {"hours": 24},
    "be_absent": {"since": "2030-05-01", "until": "2030-05-08"},
    "set_doctrine": {"text": "ambush"},
    "dispute": {"exchange": 2, "text": "r1 could not"},
    "statement": {"text": "it could"},
    "appeal": {"text": "look again"},
    "name_panel": {"accounts": ["x"]},
    "vote": {"verdict": "upheld", "answer": "x"},
    "propose_auditor": {"account": "x"},
    "what_if": {"changes": "r1 hex 1.3"},
    "hand_over": {"to": "nobody"},
    "prefer": {"zone": "Europe/Berlin"},
    "add_webhook": {"stream": "tournament/autumn-cup", "url": "http://example.org/"},
    "add_address": {"address": "ann@work.example"},
    "put_first": {"address": "ann@work.example"},
    "delete_account": {"name": "ann"},
    "server_hold": {"why": "x"},
    "moderate": {"act": "close", "report": 1},
    "report_letter": {"why": "x"},
    "mute_seat": {"seat": "blue"},
    "master_pause": {"days": 1, "why": "x"},
    "master_continue": {},
    "master_extend": {"hours": 1, "why": "x"},
    "master_process": {"exchange": 3, "why": "x"},
    "master_hold": {"why": "x"},
    "master_settings": {"cadence": 24, "why": "x"},
    "master_replace": {"seat": "red", "why": "x"},
    "master_silence": {"seat": "red", "why": "x"},
    "master_settle": {"number": 1, "answer": "x"},
    "master_rules": {"switches": [], "why": "x"},
    "try_ruling": {"kind": "reopen", "exchange": 1, "reason": "x"},
    "rule": {"kind": "reopen", "exchange": 1, "reason": "x", "seen": 10**6},
}
QUERIES = {"why_unseen": "?seeing=r1&seen=b1", "what_if_modifier": "?sentence=1&modifier=none&value=1"}
"""Questions that are part of the address."""

UNLIKELY = (
    *("master_continue", "master_release", "master_settle", "master_resume", "halt"),
    *("statement", "appeal", "name_panel", "vote", "propose_auditor", "dismiss_auditor"),
    *("be_present", "stand_by", "stand_down", "hand_over", "leave_tournament"),
    *("report_letter", "moderate"),
)
"""Operations that are refused here for another reason than who calls: nothing is paused, disputed or halted, nobody
is away or stands by, and who sits needs not."""


def one(name):
    return next(operation for operation in OPERATIONS if operation.name == name)


@pytest.fixture
def match(server, new_match):
    """Exchange 2 is resolved, red has sealed something for exchange 3."""
    gm = accounts.open_account(server, "gm@example.org").id
    match = new_match(server, master=gm, cadence=48)
    for seat, who in (("red", "ann"), ("blue", "bob")):
        by = accounts.by_address(server, f"{who}@example.org").id
        submitting.submit(server, match, seat, 2, f"{seat[0]}1 hold", by=by, final=True, source="web")
    red = accounts.by_address(server, "ann@example.org").id
    submitting.submit(server, match, "red", 3, "r1 ambush", by=red, final=False, source="web")
    stream.open_tournament(server, Settings("Autumn Cup", "ambush", scenarios=("tiny",)), red)
    return match


@pytest.fixture
def programs(app, server, match):
    def program(who: str = "", *scopes: str) -> Program:
        account = accounts.open_account(server, f"{who}@example.org").id if who else ""
        if who == "op":
            health.name_operator(server, account)
        return Program(app, server, account, *scopes)

    return program


@pytest.fixture
def ann(programs):
    return programs("ann", "play")


@pytest.fixture
def bob(programs):
    return programs("bob", "play")


@pytest.fixture
def nobody(programs):
    return programs()


def address(server, match, operation):
    """The path of an operation with everything filled in."""
    commitment = record_of(server, match).sealed["red"].parts[0].commitment
    red = accounts.by_address(server, "ann@example.org").id
    filled = {"match": match, "exchange": "2", "commitment": commitment, "seat": "blue", "account": red}
    filled |= {"title": "ambush", "page": "rosters", "scenario": "tiny", "tournament": "autumn-cup"}
    filled |= {"turn": "1", "number": "1", "version": "1", "id": "nosuch"}
    filled |= {"unit": "r1", "start": "A1", "address": "ann@example.org", "session": "nosuch", "hook": "99"}
    path = re.sub(r"\{(\w+)\}", lambda found: filled[found[1]], template_of(operation.path))
    return path + QUERIES.get(operation.name, "")


# Who may -----------------------------------------------------------------------------------------------------


def expected_of(operation, caller):
    refused = True if caller in ALLOWED[operation.scope] else 401 if caller == "nobody" else 403
    return EXCEPTIONS.get((operation.name, caller), refused)


@pytest.mark.parametrize("caller", CALLERS)
def test_who_may_read_and_who_is_turned_away(caller, programs, server, match):
    program = programs(CALLERS[caller][0], *CALLERS[caller][1])
    before = record_of(server, match).version
    for operation in OPERATIONS:
        expected = expected_of(operation, caller)
        if expected is True and operation.method != "GET":
            continue
        answer = program.call(operation.method, address(server, match, operation), BODIES.get(operation.name))
        assert answer.status_code == (operation.code if expected is True else expected), operation.name
        assert expected is True or answer.mimetype == "application/problem+json"

    assert record_of(server, match).version == before


@pytest.mark.parametrize("name", [operation.name for operation in OPERATIONS if operation.method != "GET"])
def test_who_has_the_right_and_the_scope_acts(name, programs, server, match):
    operation = one(name)
    caller = ALLOWED[operation.scope][-1]
    program = programs(CALLERS[caller][0], *CALLERS[caller][1])

    answer = program.call(operation.method, address(server, match, operation), BODIES.get(name))

    expected = 422 if name in UNLIKELY else expected_of(operation, caller)
    assert answer.status_code == (operation.code if expected is True else expected), answer.text


def test_a_cookie_does_not_count_here(browsers, match):
    """Otherwise any page could use it, since no form token is asked for."""
    answer = browsers("ann").get(f"/api/v1/matches/{match}")

    assert answer.json["viewer"] == "public"


@pytest.mark.parametrize("header", ["Bearer pbem_aaaa", "Bearer ", "Basic YTpi", "nonsense"])
def test_a_token_that_does_not_count_is_told_so(header, nobody, match):
    answer = nobody.get(f"/matches/{match}", Authorization=header)

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_naming_the_seat_of_another_does_not_open_it(ann, match):
    assert ann.get(f"/matches/{match}?seat=blue").status_code == 403
    assert ann.get(f"/matches/{match}?seat=red").json["viewer"] == "red"


def test_answers_are_kept_by_no_cache_for_others(ann, match):
    headers = ann.get(f"/matches/{match}").headers

    assert headers["Cache-Control"].startswith("private")
    assert "Authorization" in headers["Vary"]


# Playing -----------------------------------------------------------------------------------------------------


def test_two_programs_play_a_match(programs, server):
    ann, bob = programs("ann", "play"), programs("bob", "play")
    match = ann.post("/matches", title="ambush", scenario="tiny", name="By program", sit="red").json["match"]
    assert bob.post(f"/matches/{match}/seats/blue").json["seats"]["blue"] == "bob"
    for _ in range(10):
        exchange = ann.get(f"/matches/{match}").json["status"]["exchange"]
        for program in (ann, bob):
            form = program.get(f"/matches/{match}/form").json
            assert form["exchange"] == exchange
            said = program.post(f"/matches/{match}/orders", exchange=exchange, orders=form["text"], final=True)
            assert said.status_code == 201
        if ann.get(f"/matches/{match}").json["status"]["state"] == "over":
            break

    last = ann.get(f"/matches/{match}/reports").json["exchanges"][-1]
    assert ann.get(f"/matches/{match}/reports/{last}").json["outcome"] is not None
    assert record_of(server, match).ended is not None


def test_a_match_can_be_created_with_a_bot_and_an_invitation(ann, server):
    more = {"cadence": 24, "options": {}, "reactions": "ask", "bots": ["blue"], "invite": {"red": "Dan <dan@x.org>"}}
    match = ann.post("/matches", title="ambush", scenario="tiny", master=True, **more).json["match"]

    created = record_of(server, match)
    assert created.occupants["blue"]["account"] == "bot-ambush"
    assert [event.type for event in created.events].count("seat.invited") == 1
    assert ann.get("/account").json["mastered"] == [match]
    assert created.created.reactions == "ask" and created.created.cadence == 24


@pytest.mark.parametrize(
    "said",
    [
        {"title": "chess", "scenario": "tiny"},
        {"title": "ambush", "page": "rosters", "scenario": "tiny", "sit": "green"},
        {"title": "ambush", "page": "rosters", "scenario": "tiny", "sit": "red", "bots": ["red"]},
        {"title": "ambush", "page": "rosters", "scenario": "tiny", "sit": "red", "master": True},
        {"title": "ambush", "page": "rosters", "scenario": "tiny", "invite": {"red": "nonsense"}},
        {"title": "ambush", "page": "rosters", "scenario": "tiny", "cadence": -1},
        {"scenario": "tiny"},
    ],
)
def test_a_match_that_cannot_be_is_not_half_created(said, ann, server):
    before = all_matches(server)

    answer = ann.post("/matches", **said)

    assert answer.status_code == 422 and answer.json["refusals"]
    assert all_matches(server) == before


def test_checking_seals_nothing(ann, server, match):
    version = record_of(server, match).version

    answer = ann.post(f"/matches/{match}/check", exchange=3, orders="r1 go3\ncard 2")

    assert answer.json["answer"] == {"r1": "go3"} and answer.json["plan"] == {"card": 2}
    assert record_of(server, match).version == version


def test_a_receipt_is_genuine_and_can_be_had_again(ann, match):
    sealed = ann.post(f"/matches/{match}/orders", exchange=3, orders="r1 hold")

    assert msgspec.json.decode(sealed.data, type=Receipt).genuine()
    assert ann.get(f"/matches/{match}/receipts/{sealed.json['commitment']}").json == sealed.json
    assert [r["text"] for r in ann.get(f"/matches/{match}/receipts").json["receipts"]] == [
        "r1 hold",
        "r1 ambush",
        "r1 hold",
    ]


def test_nobody_has_the_receipt_of_another(bob, server, match):
    commitment = record_of(server, match).sealed["red"].parts[0].commitment

    assert bob.get(f"/matches/{match}/receipts/{commitment}").status_code == 404


def test_final_and_withdrawn_orders_show_in_the_status(ann, match):
    assert ann.post(f"/matches/{match}/final", exchange=3).json["mine"]["final"] is True
    assert ann.post(f"/matches/{match}/withdraw", exchange=3).json["mine"]["sealed"] is False


def test_the_replay_is_the_view_of_then(ann, match):
    then = ann.get(f"/matches/{match}/replay/1").json

    assert then["viewer"] == "red" and then["view"]["turn"] == 1
    assert ann.get(f"/matches/{match}").json["view"]["turn"] == 2
    assert ann.get(f"/matches/{match}/replay/9").status_code == 404


def test_a_program_can_roll_every_die_again(nobody, match):
    found = nobody.get(f"/matches/{match}/reports/2/rolls").json

    assert step_down(bytes.fromhex(found["rung"]), found["steps"]).hex() == found["foot"]
    for one in found["rolls"]:
        hashed = hmac.digest(bytes.fromhex(found["rung"]), one["message"].encode(), "sha256").hex()
        assert hashed.startswith(one["digits"])
        assert int(one["digits"], 16) % one["roll"]["sides"] + 1 == one["roll"]["result"]


def test_the_export_holds_what_its_caller_may_see(ann, nobody, match):
    mine, public = (read_export(caller.get(f"/matches/{match}/export").data) for caller in (ann, nobody))

    assert (mine.viewer, public.viewer) == ("red", "public")
    assert any(b"ambush" in part.content for part in mine.parts.values())
    assert not any(b"ambush" in part.content for part in public.parts.values())


def test_the_list_of_matches_comes_in_pages(ann, nobody, server, match):
    for number in range(3):
        creating.new_match(server, "ambush", "tiny", name=f"Match {number}")
    found, after = [], ""
    while after is not None:
        answer = nobody.get(f"/matches?limit=2&after={after}").json
        found += [stand["match"] for stand in answer["matches"]]
        after = answer["following"]

    assert found == all_matches(server)
    assert [stand["match"] for stand in ann.get("/matches?mine=true").json["matches"]] == [match]
    assert nobody.get("/matches?limit=0").status_code == 422


def test_matches_are_found_as_in_the_lobby(nobody, server, match):
    creating.new_match(server, "ambush", "small", name="Small and slow", cadence=96)

    def found(query: str) -> list[str]:
        return [stand["name"] for stand in nobody.get(f"/matches?{query}").json["matches"]]

    assert found("play=ambush/small") == found("cadence=slow") == found("seats=open") == ["Small and slow"]
    assert sorted(found("play=ambush")) == ["Ambush at noon", "Small and slow"] and found("state=over") == []


# At the table ------------------------------------------------------------------------------------------------


def test_letters_reach_their_readers_and_nobody_else(ann, bob, nobody, match):
    ann.post(f"/matches/{match}/letters", to=["blue"], text="meet me at the mill")

    (letter,) = bob.get(f"/matches/{match}/table").json["letters"]
    assert (letter["sender"], letter["to"], letter["text"]) == ("red", ["blue"], "meet me at the mill")
    assert nobody.get(f"/matches/{match}/table").json["letters"] == []


def test_time_absence_and_standing_orders_are_on_the_table(ann, bob, server, match):
    before = ann.get(f"/matches/{match}").json["status"]["deadline"]["at"]
    assert ann.post(f"/matches/{match}/extensions", hours=24).status_code == 200
    assert ann.get(f"/matches/{match}").json["status"]["deadline"]["at"] == before + 24 * 3_600_000
    ann.post(f"/matches/{match}/absences", since="2030-05-01", until="2030-05-08")
    ann.call("PUT", f"/matches/{match}/doctrine", {"text": "ambush"})

    mine, theirs = (caller.get(f"/matches/{match}/table").json for caller in (ann, bob))
    assert "red is away from" in theirs["away"][0]
    assert (mine["doctrine"], theirs["doctrine"]) == ("ambush", "")
    assert ann.call("DELETE", f"/matches/{match}/absences").status_code == 200
    assert ann.get(f"/matches/{match}/table").json["away"] == []


def test_a_dispute_a_draw_and_a_seat_that_is_handed_over(ann, bob, programs, server, match):
    assert ann.post(f"/matches/{match}/disputes", exchange=2, text="r1 could not").status_code == 201
    assert bob.get(f"/matches/{match}/table").json["disputes"][0]["seat"] == "red"
    assert bob.post(f"/matches/{match}/disputes/1/statements", text="it could").status_code == 201
    [listed] = bob.get(f"/matches/{match}/disputes").json["disputes"]
    sheet = ann.get(f"/matches/{match}/disputes/1").json
    assert set(sheet) == set(openapi()["components"]["schemas"]["DisputeSheet"]["properties"])
    assert sheet["dispute"] == listed and sheet["claim"] == "r1 could not"
    assert bob.get(f"/matches/{match}/disputes/1").json["claim"] == "", "the claim is for the game master"
    eve = programs("eve", "play")
    eve.call("PUT", f"/matches/{match}/stand-by")
    (substitute,) = bob.get(f"/matches/{match}/table").json["standing_by"]
    assert bob.post(f"/matches/{match}/hand-over", to=substitute).status_code == 200
    assert ann.post(f"/matches/{match}/draw").status_code == 200
    assert ann.get(f"/matches/{match}/table").json["offers"] == ["red"]
    assert "drawn" in eve.post(f"/matches/{match}/draw").json["note"]
    assert record_of(server, match).ended is not None


def test_an_account_is_kept_by_a_program_but_gets_no_token_from_it(programs, server):
    ann = programs("ann", "account")
    kept = ann.call("PATCH", "/account/preferences", {"zone": "Europe/Berlin", "mails": "none", "name": "Ann B"}).json

    assert (kept["name"], kept["zone"], kept["mails"], kept["language"]) == ("Ann B", "Europe/Berlin", "none", "en")
    assert ann.call("PATCH", "/account/preferences", {"zone": "Moon/Crater"}).status_code == 422
    assert ann.get("/account/data").json["account"]["name"] == "Ann B"
    assert ann.post("/account/deletion", name="Somebody").status_code == 422
    assert ann.post("/account/deletion", name="Ann B").status_code == 200
    assert ann.get("/account/data").status_code == 401
    assert not any("token" in template_of(operation.path) for operation in OPERATIONS)


# The game master ---------------------------------------------------------------------------------------------


def test_a_ruling_is_tried_and_then_made(programs, server, match):
    gm = programs("gm", "master")
    said = {"kind": "correct", "changes": "r1 hex 1.3", "reason": "a slip"}

    trial = gm.post(f"/matches/{match}/master/trials", **said).json
    assert trial["changes"] == [{"path": "units/r1/hex", "was": [0, 2], "becomes": [1, 3]}]
    assert gm.post(f"/matches/{match}/master/rulings", **said, seen=trial["seen"]).status_code == 200
    assert load(server, match).run.view("public")["units"]["r1"]["hex"] == [1, 3]


def test_looks_through_the_api_are_on_record_as_well(programs, server, match):
    gm = programs("gm", "master")

    assert gm.post(f"/matches/{match}/master/sealed").status_code == 404, "nobody looks at sealed orders"
    assert gm.post(f"/matches/{match}/master/everything").status_code == 200
    assert record_of(server, match).events[-1].type == "master.looked"


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
    monkeypatch.setitem(rate_limits.LIMITS, "orders", Limit("orders", 2, 60_000))
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
    assert ann.get(f"/matches/{match}", **known).status_code == 304  # what he has sealed is none of her business
    bob.post(f"/matches/{match}/final", exchange=3)
    assert ann.get(f"/matches/{match}", **known).json["status"]["waiting_for"] == ["red"]


CHANGING = ("X-Request-ID", "Date")
READS = [o for o in OPERATIONS if o.method == "GET" and o.scope in ("public", "read") and o.name != "export"]


@pytest.fixture
def worlds(folders, new_server, new_match):
    """For each order of blue's first unit a program of red, one of nobody, and the match."""

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
    """The check above can fail: blue himself gets another answer in each world."""
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
    "statement appeal report_letter mute_seat",
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
"""What a page shows or does, and the operations by which a program gets or does it."""

LEFT_TO_PEOPLE = {
    *("door.sign_in", "door.send_link", "door.use_password", "door.show_link", "door.use_link", "door.sign_out"),
    *("account.set_password", "account.remove_password", "account.make_token", "account.revoke_token"),
    *("door.show_invitation", "door.accept", "door.decline", "door.show_confirm", "door.confirm", "door.show_stop"),
    *("door.stop", "account.show_address", "account.confirm_address"),
    *("lobby.play", "match.verify", "guide.index", "guide.page", "verifying.verify"),
    *("legal.terms", "legal.privacy"),
    *("film.page", "film.drawn", "drafts.show", "drafts.save"),
}
"""What makes a session or a token, the buttons behind links in mails, the guests of a demonstration, and prose."""

FOR_PROGRAMS_ALREADY = {
    *("feeds.calendar", "feeds.calendar_by_word", "feeds.feed", "health.page", "health.as_json", "health.numbers"),
    *(
        f"tournament_files.{name}"
        for name in ("as_csv", "as_json", "as_trf", "as_bundle", "feed", "calendar", "embed")
    ),
}
"""Calendars, feeds, and a page whose other form is JSON."""


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
