"""Drafts are private, survive reloads and two tabs, are deleted at closing, and can be sealed at the deadline."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.seated import Table

from pbem.matches.accounts import privacy
from pbem.matches.history.receipts import Signer
from pbem.matches.history.replay import record_of
from pbem.matches.players import drafts, press
from pbem.matches.players.drafts import Conflict, Draft


def saved(table: Table, seat: str, text: str, version: int = 0, *, at_deadline: bool = False) -> Draft | Conflict:
    account = record_of(table.server, table.match).occupants[seat]["account"]
    return drafts.save(table.server, table.match, seat, account, 2, text, version, at_deadline=at_deadline)


def draft_of(table: Table, seat: str, exchange: int = 2) -> Draft | None:
    account = record_of(table.server, table.match).occupants[seat]["account"]
    return drafts.draft_of(table.server, table.match, seat, account, exchange)


def begun(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.begin(48)
    return table


def test_a_draft_is_kept_and_a_second_tab_is_asked(tmp_path: Path) -> None:
    table = begun(tmp_path)
    first = saved(table, "red", "r1 go2")
    assert isinstance(first, Draft) and first.version == 1
    assert isinstance(saved(table, "red", "r1 go3", 1), Draft)
    other = saved(table, "red", "r1 hold", 1)
    assert isinstance(other, Conflict) and other.other.text == "r1 go3"
    found = draft_of(table, "red")
    assert found is not None and found.text == "r1 go3" and draft_of(table, "blue") is None


def test_a_draft_is_no_event_and_cannot_be_read_in_the_database(tmp_path: Path) -> None:
    table = begun(tmp_path)
    before = table.record.version
    saved(table, "red", "r1 ambush in the wood")
    [(content,)] = table.server.database.execute("SELECT content FROM drafts").fetchall()
    assert b"ambush" not in content and table.record.version == before
    account = table.record.occupants["red"]["account"]
    assert privacy.own_data(table.server, account)["drafts"][0]["text"] == "r1 ambush in the wood"


def test_at_the_deadline_a_ticked_draft_is_sealed_and_others_are_not(tmp_path: Path) -> None:
    table = begun(tmp_path)
    saved(table, "red", "r1 go2", at_deadline=True)
    saved(table, "blue", "b1 go5")
    table.wait(48)
    closed = record_of(table.server, table.match).closings[2]
    assert closed.event.payload["counts"].keys() == {"red"} and not table.verified().problems
    assert draft_of(table, "red") is None and draft_of(table, "blue") is None


def test_a_draft_may_end_with_final_and_hold_a_message_as_on_the_page(tmp_path: Path) -> None:
    table = begun(tmp_path)
    saved(table, "red", "r1 go2\npress blue: at last\nfinal", at_deadline=True)
    table.wait(48)
    assert fates_of(table, "red") == ["Your draft was sealed at the deadline, as you had asked."]
    assert [letter.text for letter in press.letters(table.server, table.record, "blue")] == ["at last"]
    assert not table.verified().problems


@pytest.mark.parametrize(
    "line, said",
    [("press nobody: at last", "a message in it could not be sent"), ("absent 5 days", "were not carried out")],
)
def test_the_orders_of_a_draft_are_sealed_even_if_its_other_lines_cannot_be_carried_out(
    tmp_path: Path, line: str, said: str
) -> None:
    table = begun(tmp_path)
    saved(table, "red", f"r1 go2\n{line}", at_deadline=True)
    table.wait(48)
    assert record_of(table.server, table.match).closings[2].event.payload["counts"].keys() == {"red"}
    (told,) = fates_of(table, "red")
    assert said in told and not press.letters(table.server, table.record, "blue")


@pytest.mark.parametrize("text", ["press blue: at last", "r1 go2\ncancel"])
def test_a_draft_that_the_page_would_not_seal_is_not_sealed_at_the_deadline(tmp_path: Path, text: str) -> None:
    table = begun(tmp_path)
    saved(table, "red", text, at_deadline=True)
    table.wait(48)
    assert not record_of(table.server, table.match).closings[2].event.payload["counts"]


def test_a_draft_that_cannot_be_read_stays_one(tmp_path: Path) -> None:
    table = begun(tmp_path)
    saved(table, "red", "r1 fly away", at_deadline=True)
    table.wait(48)
    assert not record_of(table.server, table.match).closings[2].event.payload["counts"]


def test_a_draft_under_an_old_key_of_the_server_is_gone_and_harms_nothing(tmp_path: Path) -> None:
    table = begun(tmp_path)
    saved(table, "red", "r1 go2", at_deadline=True)
    table.server.signer = Signer(bytes(32), table.server.id)
    assert draft_of(table, "red") is None
    assert isinstance(saved(table, "red", "r1 hold"), Draft)


def fates_of(table: Table, seat: str) -> list[str]:
    account = record_of(table.server, table.match).occupants[seat]["account"]
    return [str(one) for one in drafts.fates(table.server, table.match, seat, account, [2])]


def test_the_report_says_what_became_of_a_draft_and_only_to_its_owner(tmp_path: Path) -> None:
    table = begun(tmp_path)
    saved(table, "red", "r1 go2", at_deadline=True)
    saved(table, "blue", "b1 go5")
    table.wait(48)
    assert fates_of(table, "red") == ["Your draft was sealed at the deadline, as you had asked."]
    (kept,) = privacy.own_data(table.server, table.record.occupants["red"]["account"])["draft_fates"]
    assert (kept["seat"], kept["fate"]) == ("red", "sealed")
    (unused,) = fates_of(table, "blue")
    assert unused.startswith("Your draft was not used: you had not ticked the box")
    (sealed,) = [event for event in table.record.events if event.type == "order.sealed"]
    assert [ref.name for ref in sealed.parts] == ["order", "sent"]  # like any other order


def test_a_draft_that_cannot_be_read_and_one_that_came_after_the_orders_are_reported(tmp_path: Path) -> None:
    table = begun(tmp_path)
    saved(table, "red", "r1 fly away", at_deadline=True)
    table.say("blue", "b1 hold")
    table.now += 1
    saved(table, "blue", "b1 go5")
    table.wait(48)
    assert "could not be read as orders" in fates_of(table, "red")[0]
    assert "you had sealed orders; those counted instead" in fates_of(table, "blue")[0]


def test_nothing_is_said_of_a_draft_that_was_submitted(tmp_path: Path) -> None:
    table = begun(tmp_path)
    saved(table, "blue", "b1 hold")
    table.say("blue", "b1 hold")
    table.wait(48)
    assert fates_of(table, "blue") == []
