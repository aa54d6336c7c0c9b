"""When the server's key is rotated or lost, everything that it signed before still verifies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.playing import a_match, a_server, play
from support.toy import AmbushTitle

from pbem.engine.rules.title import Submission
from pbem.matches.audit.problems import Report
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import ending, sealing
from pbem.matches.history import keys
from pbem.matches.history.export import export, read_export
from pbem.matches.history.receipts import Receipt, Signer
from pbem.matches.history.replay import record_of
from pbem.matches.history.storage_check import check_key
from pbem.matches.server import Server

TITLES = {"ambush": AmbushTitle()}


def rotated(folder: Path, **more: bool) -> tuple[Server, str, Receipt, str]:
    """Return a server whose key was replaced after a match's first order, with the match, the first receipt and the
    new key."""
    server = a_server(folder, 3)
    match = a_match(server)
    receipt = sealing.seal(server, match, "red", 2, Submission({"r1": "hold"}))
    server.close()
    if more.get("lost"):
        (folder / "pbem.key").unlink()
    new = keys.rotate(folder / "pbem.db", address=server.store.address, secret=bytes(range(32)), **more)
    again = a_server(folder, 3)
    play(again, match, 3)
    return again, match, receipt, new


def verified(server: Server, match: str, receipt: Receipt, key: str) -> Report:
    head = ending.signed_head(server, match, record_of(server, match).resolved[-1])
    found = read_export(export(server, match, "red"))
    return verify_export(found, TITLES, receipts=[receipt], heads=[head], server=key)


def test_after_a_rotation_old_and_new_signatures_verify_with_the_same_id(folders: Callable[[], Path]) -> None:
    folder = folders()
    server, match, receipt, new = rotated(folder)
    assert server.id != new
    assert verified(server, match, receipt, server.id).problems == []
    assert verified(server, match, receipt, new).problems == [], "the new key can be named as well"
    assert check_key(folder / "pbem.db", server.store.address) == []
    assert len(server.signer.derive({"use": "web session"})) == 32


def test_a_key_that_the_old_one_has_not_signed_does_not_count(folders: Callable[[], Path]) -> None:
    server, match, receipt, _ = rotated(folders())
    thief = Signer(bytes(32))
    forged = Signer(bytes(32), server.id, [(thief.key, thief.endorse(thief.key))])
    server.signer = forged
    assert [problem.code for problem in verified(server, match, receipt, server.id).problems] == ["trailer", "head"]


def test_after_a_loss_readers_who_trust_the_new_key_can_verify(folders: Callable[[], Path]) -> None:
    server, match, receipt, new = rotated(folders(), lost=True)
    assert verified(server, match, receipt, new).problems == [], "the old receipt still counts"
    assert [problem.code for problem in verified(server, match, receipt, server.id).problems] == ["trailer", "head"]
