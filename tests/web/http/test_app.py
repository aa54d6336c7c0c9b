"""Headers, cookies, forged forms, and error pages that say what to do next."""

from __future__ import annotations

import logging
import re

import pytest

from pbem.web import create_app

PLACES = ("/", "/sign-in", "/matches/{match}", "/matches/{match}/status.json", "/matches/{match}/map.svg", "/nowhere")


@pytest.mark.parametrize("place", PLACES)
def test_every_answer_carries_the_security_headers(place, ann, match):
    headers = ann.get(place.format(match=match)).headers

    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "Strict-Transport-Security" in headers
    assert headers["Cache-Control"].startswith("private")


@pytest.mark.parametrize("place", PLACES)
def test_no_page_needs_what_the_content_policy_forbids(place, ann, match):
    text = ann.get(place.format(match=match)).text

    for forbidden in ("<style", " style=", "javascript:", " onclick=", "<script>", "http://", "//cdn"):
        assert forbidden not in text.replace("http://www.w3.org/2000/svg", "")


def test_the_session_cookie_stays_on_this_host_and_out_of_scripts(ann):
    cookie = ann.post("/sign-out").headers["Set-Cookie"]

    assert cookie.startswith("__Host-pbem=")
    assert all(word in cookie for word in ("Secure", "HttpOnly", "SameSite=Lax", "Path=/"))


def test_email_that_a_form_has_queued_is_sent_at_once(ann, server):
    queued: list[str] = []
    server.mail_queued = lambda: queued.append("")
    ann.get("/sign-in")
    assert not queued
    ann.post("/sign-in", address="bob@example.org")
    assert queued


def test_a_forged_form_changes_nothing(ann, match):
    answer = ann.client.post(f"/matches/{match}/orders", base_url="https://localhost", data={"orders": "r1 hold"})

    assert answer.status_code == 400
    assert "out of date" in answer.text and f"<code>{answer.headers['X-Request-ID']}</code>" in answer.text
    assert answer.headers["X-Request-ID"]


def test_an_error_says_what_to_do_next_and_its_number_is_in_the_log(nobody, caplog):
    with caplog.at_level(logging.INFO, "pbem.web"):
        answer = nobody.get("/matches/nosuch")

    number = answer.headers["X-Request-ID"]
    assert "What to do:" in answer.text and number in answer.text
    assert any(number in record.getMessage() for record in caplog.records)


def test_a_fault_of_ours_is_logged_with_its_trace_and_tells_the_reader_nothing(ann, match, monkeypatch, caplog):
    monkeypatch.setattr("pbem.web.pages.match.page.views.status", lambda *_: 1 // 0)

    answer = ann.get(f"/matches/{match}")

    assert answer.status_code == 500
    assert "ZeroDivision" not in answer.text
    assert "ZeroDivisionError" in caplog.text and answer.headers["X-Request-ID"] in caplog.text


def test_too_much_is_refused(ann, match):
    answer = ann.post(f"/matches/{match}/orders", orders="x" * 300_000, exchange=2)

    assert answer.status_code == 413
    assert "Shorten" in answer.text


def test_two_workers_of_one_server_share_sessions(server, ann, new_browser):
    other = create_app(server)
    cookie = ann.client.get_cookie("__Host-pbem")

    client = new_browser(other).client
    client.set_cookie("__Host-pbem", cookie.value, secure=True)
    assert "Sign out" in client.get("/", base_url="https://localhost").text


def test_static_files_are_kept_for_good_under_an_address_that_names_their_content(nobody):
    address = re.search(r'href="(/static/site.css[^"]*)"', nobody.get("/").text)[1]

    answer = nobody.get(address)

    assert re.search(r"v=[0-9a-f]{12}$", address)
    assert "max-age=31536000" in answer.headers["Cache-Control"]
