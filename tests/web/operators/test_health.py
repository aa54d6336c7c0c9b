"""The health page shows everyone a heartbeat, operators the details, and nobody a secret."""

from __future__ import annotations

import pytest
from support.api_client import Program
from support.playing import NOON

from pbem.matches import health, metrics
from pbem.matches.accounts import accounts
from pbem.matches.clock import deadlines
from pbem.matches.exchange import advancing, halting, submitting
from pbem.matches.history.replay import record_of
from pbem.matches.post import inbox, notifications, outbox
from pbem.schedule import Supervisor
from pbem.web import create_app


@pytest.fixture
def operator(server):
    account = accounts.open_account(server, "op@example.org")
    health.name_operator(server, account.id)
    return account


@pytest.fixture
def ticking(server):
    Supervisor(server).tick()


def test_everybody_learns_whether_the_clock_goes(nobody, server, match):
    stopped = nobody.get("/health.json")
    assert (stopped.status_code, stopped.json) == (503, {"well": False, "tick_age": None, "held": False})
    Supervisor(server).tick()

    going = nobody.get("/health.json")
    assert (going.status_code, going.json) == (200, {"well": True, "tick_age": 0, "held": False})
    assert "All is well" in nobody.get("/health").text


def test_only_operators_learn_more(browsers, app, server, operator, match, ticking):
    """Only operators see how many emails wait, because that could show a player that another has just sent orders."""
    ann = accounts.open_account(server, "ann@example.org").id
    less = {"well", "tick_age", "held"}
    for stranger in (browsers(), browsers("ann"), browsers("eve")):
        assert set(stranger.get("/health.json").json) == less
        assert "Outbox" not in stranger.get("/health").text

    def by_token(account, scope):
        word = Program(app, server, account, scope).word
        return browsers().get("/health.json", Authorization=f"Bearer {word}").json

    assert set(by_token(ann, "operator")) == less
    assert set(by_token(operator.id, "read")) == less
    assert "outbox_waiting" in by_token(operator.id, "operator")
    assert "Outbox" in browsers("op").get("/health").text
    health.name_operator(server, operator.id, dismiss=True)
    assert set(browsers("op").get("/health.json").json) == less


def test_mail_of_others_does_not_show_in_the_pulse(folders, new_server, new_match, new_browser):
    """The health page is the same in a world where Bob's order has just arrived by email and its receipt is
    waiting."""
    seen = set()
    for sent in (False, True):
        server = new_server(folders(), "secrecy")
        match = new_match(server)
        Supervisor(server).tick()
        if sent:
            inbox.receive(server, b"From: bob@example.org\n\nb1 ambush")
            bob = accounts.by_address(server, "bob@example.org").id
            submitting.submit(
                server, match, "blue", 2, "b1 ambush", by=bob, final=False, source="mail", message_id="<1@x>"
            )
        seen.add(new_browser(create_app(server)).get("/health.json").text)

    assert len(seen) == 1


def test_troubles_are_named_in_words(browsers, server, operator, match, ticking):
    inbox.receive(server, b"From: ann@example.org\n\nr1 hold")
    owed = outbox.waiting(server)[0]
    outbox.give_up(server, owed.id, "550 no such mailbox")
    record = record_of(server, match)
    halting.halt(server, record, 2, ZeroDivisionError("the chart"))
    server.store.clock = lambda: NOON + 20 * deadlines.MINUTE

    found = browsers("op").get("/health.json").json
    told = " ".join(found["troubles"])
    assert "clock last ticked 20 min ago" in told
    assert "incoming email has waited for 20 min" in told and "outgoing email has waited" in told
    assert "could not be sent: 1" in told and f"Halted matches: {match}" in told and "Last backup: never" in told
    assert found["door_waiting"] == 1 and found["halted"] == [match]
    for advice in ("game master's page", "pbem backup FOLDER", "pbem doctor"):
        assert advice in told, "a problem comes with what to do"
    page = browsers("op").get("/health").text
    assert ">Problems<" in page and "The clock has stopped" in page


def test_turns_that_wait_have_an_age_and_advice(browsers, server, operator, match):
    """The operator sees how long final orders have waited for their turn, since these are in no mail queue."""
    Supervisor(server).tick()
    for seat, name in (("red", "ann"), ("blue", "bob")):
        by = accounts.by_address(server, f"{name}@example.org").id
        submitting.submit(server, match, seat, 2, "", by=by, final=False, source="web")
    notifications.catch_up(server)
    server.store.clock = lambda: NOON + 20 * deadlines.MINUTE

    [turns] = [queue for queue in metrics.queues(server) if queue.name == "turns"]
    assert (turns.waiting, turns.oldest_age) == (1, 20 * 60)
    said = "1 waiting, the oldest queued 20 min ago. If the number grows: add resolvers"
    assert said in browsers("op").get("/health").text


def test_a_match_that_goes_on_is_not_halted_any_more(server, app, match):
    record = record_of(server, match)
    halting.halt(server, record, 2, ZeroDivisionError("the chart"))
    assert health.halted_matches(server) == [match]
    advancing.resume_halted(server, match)
    assert health.halted_matches(server) == []


def test_a_backup_that_was_noted_is_no_trouble(server, app, match, ticking):
    health.note_backup(server)
    found = health.health(server)
    assert found.backup_age == 0 and found.troubles == []


def test_no_secret_is_told_to_operators_either(browsers, server, operator, match):
    supervisor = Supervisor(server)
    supervisor.tick()
    inbox.receive(server, b"From: ann@example.org\n\nr1 ambush")
    found = browsers("op").get("/health.json")
    text = found.text + browsers("op").get("/health").text

    key = server.store.path.with_suffix(".key").read_bytes().hex()
    for secret in ("ann", "r1 ambush", supervisor.holder, key, str(server.store.path.parent)):
        assert secret not in text
    engine = "postgresql" if server.store.address else "sqlite"
    assert set(found.json["versions"]) == {"pbem", "python", engine, "ambush"}


def test_operators_hold_and_release_the_server_on_record(browsers, server, operator, match):
    for stranger in (browsers(), browsers("ann")):
        assert stranger.post("/health/hold", why="mischief").status_code == 403
        assert stranger.post("/health/release").status_code == 403
    assert deadlines.held_since(server) is None

    keeper = browsers("op")
    assert keeper.post("/health/hold", why="moving house").status_code == 303
    assert deadlines.held_since(server) is not None
    assert "On hold" in keeper.get("/health").text or "Release" in keeper.get("/health").text
    assert keeper.post("/health/release").status_code == 303
    assert deadlines.held_since(server) is None
    said = [event for event in server.store.read("server") if event.type == "operator.acted"]
    assert [event.payload["act"] for event in said] == ["hold", "release"]
    assert {event.payload["by"] for event in said} == {operator.id}


def test_a_demonstration_shows_everything(demo, match):
    assert "outbox_waiting" in demo.get("/health.json").json
