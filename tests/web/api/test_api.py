"""The API: which programs may call which operation, and a match played by programs that see what the pages show."""

from __future__ import annotations

import hmac

import msgspec
import pytest
from web.api.calls import ALLOWED, EXCEPTIONS, address

from pbem.engine.play.dice import step_down
from pbem.matches.exchange import creating
from pbem.matches.history.export import read_export
from pbem.matches.history.receipts import Receipt
from pbem.matches.history.replay import all_matches, load, record_of
from pbem.web.api.operations import OPERATIONS, openapi, template_of

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
"""The callers and the scopes of their tokens. Ann is red; only `gm` is the game master, and only `op` an operator."""

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
    "dispute": {"place": "1", "text": "r1 could not"},
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

UNLIKELY = (
    *("master_continue", "master_release", "master_settle", "master_resume", "halt"),
    *("statement", "appeal", "name_panel", "vote", "propose_auditor", "dismiss_auditor"),
    *("be_present", "stand_by", "stand_down", "hand_over", "leave_tournament"),
    *("report_letter", "moderate"),
)
"""Operations that are refused here for a reason other than the caller: nothing is paused, disputed or halted, nobody
is away or a substitute, and an occupant cannot become one.
"""


def one(name):
    return next(operation for operation in OPERATIONS if operation.name == name)


# Permissions -------------------------------------------------------------------------------------------------


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
    """The API ignores cookies, because any page could send one without a form token."""
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
    assert "Red is away from" in theirs["away"][0]
    assert (mine["doctrine"], theirs["doctrine"]) == ("ambush", "")
    assert ann.call("DELETE", f"/matches/{match}/absences").status_code == 200
    assert ann.get(f"/matches/{match}/table").json["away"] == []


def test_a_dispute_a_draw_and_a_seat_that_is_handed_over(ann, bob, programs, server, match):
    assert ann.post(f"/matches/{match}/disputes", place="1", text="r1 could not").status_code == 201
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
