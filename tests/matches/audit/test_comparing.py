"""The differences of two exports are put in words, and a pack holds everything to check a match offline."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support.forgeries.forging import Lines, first, read_forged
from support.playing import NOON, a_match, a_server, entropy, moves, play
from support.toy import AmbushTitle

from pbem.matches.audit.comparing import differences
from pbem.matches.audit.packing import pack
from pbem.matches.audit.verify import verify_export
from pbem.matches.history.export import export, read_export
from pbem.matches.installation import open_server
from pbem.matches.server import Server


@pytest.fixture(scope="module")
def played(folders: Callable[[], Path]) -> tuple[Server, str]:
    titles = {"ambush": AmbushTitle()}
    server = open_server(folders() / "pbem.db", titles, entropy=entropy(3), clock=lambda: NOON)
    match = a_match(server)
    play(server, match, 3)
    return server, match


def test_a_forked_log_is_named_with_the_first_event_that_differs(played: tuple[Server, str]) -> None:
    def told_otherwise(lines: Lines) -> None:
        first(lines, "exchange.closed", exchange=2)["payload"]["why"] = "deadline"

    honest = read_export(export(*played, "red"))
    found = list(differences(honest, read_forged(*played, told_otherwise)))
    version = next(e.version for e in honest.events if e.type == "exchange.closed" and e.payload["exchange"] == 2)
    assert found[0] == f"THE LOG IS FORKED at event {version}: the server has told two stories"
    assert 'why is "final" in the first and "deadline" in the second' in found


def test_dates_within_a_minute_are_told_by_their_distance(played: tuple[Server, str]) -> None:
    def dated_otherwise(lines: Lines) -> None:
        first(lines, "exchange.closed", exchange=2)["recorded_at"] += 1500

    found = list(differences(read_export(export(*played, "red")), read_forged(*played, dated_otherwise)))
    assert found[-1] == "it is dated 1.500 seconds earlier in the first"


def test_the_same_match_for_two_viewers_or_earlier_is_not_a_fork(folders: Callable[[], Path]) -> None:
    server = a_server(folders(), 5)
    match = a_match(server)
    for step, _ in enumerate(moves(server, match, 5)):
        if step == 6:
            earlier = read_export(export(server, match, "red"))
    later, other = (read_export(export(server, match, viewer)) for viewer in ("red", "blue"))
    assert list(differences(later, later)) == []
    assert not any("of event 0" in line for line in differences(earlier, later))
    assert "made for red" in next(differences(later, other))
    assert "the second continues with" in next(differences(earlier, later))
    assert "the first continues with" in next(differences(later, earlier))


def test_a_pack_verifies_offline_and_reads_as_a_page(played: tuple[Server, str]) -> None:
    server, match = played
    content = pack(server, match, "red")
    assert content == pack(server, match, "red"), "the same match gives the same pack"
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert verify_export(
        read_export(archive.read(f"{match}-red.jsonl")), {"ambush": AmbushTitle()}, server=server.id
    ).ok
    assert server.id in archive.read("README.txt").decode()
    page = archive.read("match.html").decode()
    assert "Turn 1 (report 2)" in page
    assert "http" not in page.replace("http-equiv", ""), "nothing is fetched"
    assert b"const verify" in archive.read("verify.html")
