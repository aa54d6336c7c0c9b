"""The pages about moderation, terms of use and privacy."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.matches import health
from pbem.matches.accounts import accounts
from pbem.matches.players import moderation


@pytest.fixture
def operator(server: Any) -> Any:
    account = accounts.open_account(server, "op@example.org")
    health.name_operator(server, account.id)
    return account


def write(browsers: Any, match: str, text: str) -> Any:
    return browsers("ann").post(f"/matches/{match}/words", word="press", to="blue", text=text)


def test_a_reader_reports_a_letter_and_an_operator_bans_its_author(
    server: Any, match: str, browsers: Any, operator: Any
) -> None:
    write(browsers, match, "You are a coward.")
    reader = browsers("bob")
    assert "Report or mute" in reader.get(f"/matches/{match}").text
    assert "Report or mute" not in browsers("ann").get(f"/matches/{match}").text
    version = next(e.version for e in server.store.read(f"match/{match}") if e.type == "press.sent")
    reader.post(f"/matches/{match}/words", word="report", number=version, text="insults")

    desk = browsers("op")
    page = desk.get("/moderation").text
    assert "You are a coward." in page and "insults" in page
    [report] = moderation.reports(server)
    done = desk.post("/moderation", act="ban", who=report.sender, report=report.number, why="insults")
    assert done.status_code == 303 and moderation.reports(server) == []
    refused = write(browsers, match, "And again.")
    assert refused.status_code == 422 and "banned you from sending messages: insults" in refused.text

    desk.post("/moderation", act="allow", who="ann@example.org")
    assert write(browsers, match, "Sorry.").status_code == 303


def test_a_muted_author_is_hidden_until_the_reader_wants_them_again(match: str, browsers: Any) -> None:
    write(browsers, match, "You are a coward.")
    reader = browsers("bob")
    reader.post(f"/matches/{match}/words", word="mute", to="red")
    page = reader.get(f"/matches/{match}").text
    assert "You are a coward." not in page and "Unmute" in page
    reader.post(f"/matches/{match}/words", word="unmute", to="red")
    assert "You are a coward." in reader.get(f"/matches/{match}").text


def test_moderation_is_for_operators(match: str, browsers: Any, nobody: Any) -> None:
    assert nobody.get("/moderation").status_code == 403
    assert browsers("ann").get("/moderation").status_code == 403
    assert browsers("ann").post("/moderation", act="ban", who="bob@example.org").status_code == 403


@pytest.mark.parametrize("page", ["terms", "privacy"])
def test_terms_and_privacy_are_linked_and_can_be_replaced(server: Any, nobody: Any, page: str) -> None:
    assert f'href="/{page}"' in nobody.get("/").text
    shown = nobody.get(f"/{page}")
    assert shown.status_code == 200 and "The operator of a server can replace" in shown.text

    server.store.path.with_name(f"{page}.md").write_text("# Ours\n\nBe kind. <script>alert(1)</script>")
    own = nobody.get(f"/{page}").text
    assert "Be kind." in own and "<script>alert" not in own
