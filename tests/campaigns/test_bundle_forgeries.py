"""Bundles of a cheating operator: a forgery across the streams of a campaign is found and named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.forgeries.bundles import FORGERIES, Forgery, early, played, tampered

from pbem.campaigns import bundle
from pbem.campaigns.bundle_check import Kept, verify_bundle
from pbem.engine.rules.refusals import Unreadable
from pbem.matches.history.receipts import SignedHead


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_across_streams_is_named(tmp_path: Path, name: str) -> None:
    """Some forgeries are found in the logs alone, others only by replaying the rules."""
    forgery = FORGERIES[name]
    front, content = played(tmp_path, forgery)
    read = bundle.read_bundle(content)
    by_logs, by_rules = (verify_bundle(read, titles).codes for titles in ({}, front.titles))
    assert forgery.code in {code for _, _, code in (by_logs if forgery.sees else by_rules)}, (by_logs, by_rules)
    assert forgery.sees or by_logs == []


def test_battles_of_a_running_campaign_do_not_belong_in_a_bundle(tmp_path: Path) -> None:
    front, content = early(tmp_path)
    found = verify_bundle(bundle.read_bundle(content), {})
    assert found.codes == [(front.id, 0, "bundle")]


@pytest.fixture(scope="module")
def honest(folders: Callable[[], Path]) -> tuple[str, bytes]:
    front, content = played(folders(), Forgery(""))
    return front.server.id, content


def test_without_the_key_every_change_of_a_bundle_is_named(honest: tuple[str, bytes]) -> None:
    server, content = honest
    assert verify_bundle(bundle.read_bundle(content), {}, Kept(server)).codes == []
    for name, (changed, code) in tampered(content).items():
        try:
            found = {one for _, _, one in verify_bundle(bundle.read_bundle(changed), {}).codes}
        except Unreadable:
            found = {"unreadable"}
        assert found == {code}, name


def test_another_server_and_a_head_that_is_missing_are_named(honest: tuple[str, bytes]) -> None:
    server, content = honest
    read = bundle.read_bundle(content)
    assert verify_bundle(read, {}, Kept("0" * 64)).codes == [("", 0, "server")]
    head = SignedHead(server=server, match=read.campaign, exchange=2, event="0" * 64, signature="0" * 128)
    found = verify_bundle(read, {}, Kept(server, [head]))
    assert [code for _, _, code in found.codes] == ["head"]
