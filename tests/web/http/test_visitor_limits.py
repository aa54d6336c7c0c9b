"""Rate limits are counted in the database, for visitors, accounts and addresses."""

from __future__ import annotations

import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.playing import NOON
from support.toy import AmbushTitle

from pbem.cli import parser
from pbem.cli.serving import Station
from pbem.matches.accounts import accounts, api_tokens, rate_limits
from pbem.matches.accounts.rate_limits import Limit
from pbem.matches.clock.deadlines import HOUR, MINUTE
from pbem.matches.post import outbox, reply_tokens
from pbem.web import create_app
from pbem.web.http.visitor_limits import LIMITS, in_words

FEW = Limit("tests", 3, HOUR)


@pytest.fixture
def at(server):
    """Return a function that sets the server's clock."""

    def set_to(time: int) -> None:
        server.store.clock = lambda: time

    return set_to


def test_so_many_at_once_and_then_one_at_a_time(server, at):
    assert [rate_limits.take(server, FEW, "ann") for _ in range(5)] == [0, 0, 0, 20 * MINUTE, 20 * MINUTE]
    at(NOON + 20 * MINUTE)
    assert rate_limits.take(server, FEW, "ann") == 0
    assert rate_limits.take(server, FEW, "ann") == 20 * MINUTE


def test_everybody_and_every_act_is_counted_alone(server):
    for _ in range(3):
        rate_limits.take(server, FEW, "ann")

    assert rate_limits.take(server, FEW, "bob") == 0
    assert rate_limits.take(server, Limit("other", 3, HOUR), "ann") == 0


def test_nothing_is_kept_of_who_may_act_freely_again(server, at):
    rate_limits.take(server, FEW, "ann@example.org")
    rows = server.database.execute("SELECT * FROM limits").fetchall()
    assert len(rows) == 1 and "ann" not in repr(rows)

    at(NOON + HOUR)
    rate_limits.take(server, FEW, "bob")
    assert server.database.execute("SELECT count(*) FROM limits").fetchone() == (1,)


def test_all_workers_count_together(server, new_browser):
    """Two processes on one database share their limits, as if they were one."""
    tries = range(LIMITS["links to an address"].most + 1)
    answers = [new_browser(create_app(server)).post("/sign-in", address="ann@example.org") for _ in tries]

    assert answers[-2].status_code == 200 and answers[-1].status_code == 429


@pytest.mark.parametrize("known", [True, False])
def test_links_to_one_address_are_few_whether_or_not_it_is_known(known, nobody, server):
    """An address gets only a few links, and the refusal does not reveal whether the address is known."""
    if known:
        accounts.open_account(server, "ann@example.org")
    answers = [nobody.post("/sign-in", address="ann@example.org") for _ in range(6)]

    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert answers[-1].headers["Retry-After"] == "720"
    assert "Try again in 12 minutes" in answers[-1].text
    assert len(outbox.waiting(server)) == 1


def test_a_link_that_was_used_is_followed_by_another_one(nobody, server):
    """A second browser of the same person once waited five minutes for an email that the page had announced."""
    ann = accounts.open_account(server, "ann@example.org").id
    for _ in range(2):
        nobody.post("/sign-in", address="ann@example.org")
        [owed] = outbox.waiting(server)
        outbox.mark_sent(server, owed.id, owed.queued_at)
        nobody.post("/sign-in", address="ann@example.org")
        assert outbox.waiting(server) == [], "one email is enough until its link is used"
        assert nobody.post(f"/sign-in/{reply_tokens.make_sign_in(server, ann)}").status_code == 303
        nobody.post("/sign-out")


def test_one_visitor_does_not_try_many_addresses(nobody, server):
    most = LIMITS["links of a visitor"].most
    answers = [nobody.post("/sign-in", address=f"guess{n}@example.org").status_code for n in range(most + 1)]

    assert answers == [200] * most + [429]


def test_passwords_are_not_guessed(nobody, server, monkeypatch):
    monkeypatch.setattr("pbem.web.pages.sign_in.preferences.by_password", lambda *_: None)
    tries = [nobody.post("/sign-in/password", address="a@example.org", password=f"p{n}") for n in range(11)]

    assert [answer.status_code for answer in tries] == [422] * 10 + [429]


def test_orders_are_limited_for_an_account_and_others_are_not_held_up(ann, bob, match, monkeypatch):
    monkeypatch.setitem(LIMITS, "orders", Limit("orders", 2, HOUR))
    sent = [ann.post(f"/matches/{match}/orders", orders="r1 hold", exchange=2).status_code for _ in range(3)]

    assert sent == [200, 200, 429]
    assert bob.post(f"/matches/{match}/orders", orders="b1 hold", exchange=2).status_code == 200


def test_whole_logs_are_limited_for_an_account_on_pages_and_by_api_together(server, ann, bob, match, monkeypatch):
    """Downloads of whole logs are limited per account, on pages and in the API together, because logs can be
    large."""
    monkeypatch.setitem(LIMITS, "files", Limit("files", 2, HOUR))
    page = f"/matches/{match}/export"
    _, word = api_tokens.make(server, accounts.open_account(server, "ann@example.org").id, "logs", ["read"])

    assert ann.get(page).status_code == 200
    assert ann.get(f"/api/v1/matches/{match}/export", Authorization=f"Bearer {word}").status_code == 200
    assert ann.get(page).status_code == 429
    assert bob.get(page).status_code == 200


def test_a_proxy_in_front_is_believed_only_if_there_is_one(server, new_browser):
    """The header of a proxy counts only if the settings name one, because otherwise anyone could write it to appear
    as a new visitor."""

    def tries(app) -> list[int]:
        browser = new_browser(app)
        most = LIMITS["links of a visitor"].most
        token = browser.get("/sign-in").text.split('name="csrf_token" value="')[1].split('"')[0]
        return [
            browser.client.post(
                "/sign-in",
                base_url="https://localhost",
                data={"csrf_token": token, "address": f"x{n}@example.org"},
                headers={"Referer": "https://localhost/", "X-Forwarded-For": f"198.51.100.{n}"},
            ).status_code
            for n in range(most + 1)
        ]

    assert tries(create_app(server))[-1] == 429
    server.database.execute("DELETE FROM limits")
    assert set(tries(create_app(server, proxies=1))) == {200}


def test_waiting_is_told_in_words():
    assert str(in_words(40)) == "40 seconds" and str(in_words(720)) == "12 minutes"


@pytest.mark.parametrize("proxies", [0, 1])
def test_what_a_proxy_says_is_believed_only_if_there_is_one(proxies, tmp_path):
    """A site believes that a visitor came over TLS only if the settings name the proxy that says so."""
    args = parser(["serve"]).parse_args(["serve", "--data", str(tmp_path), "--port", "0", "--smtp-port", "0"])
    args.proxies = proxies
    station = Station(args, {"ambush": AmbushTitle()})
    asked = urllib.request.Request(f"{station.url}/sign-in", headers={"X-Forwarded-Proto": "https"})
    try:
        with ThreadPoolExecutor(1) as visitors:
            answer = visitors.submit(urllib.request.urlopen, asked, timeout=30)
            while not answer.done():
                station.waitress.asyncore.loop(timeout=0.05, map=station.waitress._map, count=1)
        assert ("Strict-Transport-Security" in answer.result().headers) == bool(proxies)
    finally:
        station.waitress.task_dispatcher.shutdown()
        station.waitress.close()
        station.server.close()
