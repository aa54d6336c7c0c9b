"""A data folder of release 0.1 opens in this release: it is backed up first, and play then continues."""

from __future__ import annotations

import io
import lzma
import tarfile
from contextlib import closing
from pathlib import Path

import pytest
from support.hosts import engines
from support.playing import a_server

import pbem
from eventstore import EventStore
from pbem.matches import migrate
from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.clock import tick
from pbem.matches.exchange import advancing, submitting
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import all_matches, load, record_of, replay
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.titles.registry import TITLES

THEN = 1_790_010_000_000
"""A time soon after the folder was written, before any of its deadlines."""
GOLDEN = Path(__file__).parents[1] / "golden" / "data" / "0.1.tar.xz"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Unpack a data folder with two TANKS matches between Ann and Bob, one ended and one in the middle of a turn."""
    with tarfile.open(fileobj=io.BytesIO(lzma.decompress(GOLDEN.read_bytes()))) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


def names(server: Server) -> dict[str, str]:
    return {record_of(server, match).created.name: match for match in all_matches(server)}


def test_a_folder_of_0_1_is_backed_up_once_before_it_is_touched(folder: Path) -> None:
    before = EventStore(folder / "pbem.db")
    heads = {stream: before.read(stream)[-1].hash for stream in before.streams("")}
    before.close()
    assert migrate.release_of(folder / "pbem.db") == "0.1.0"
    engines.install(folder / "pbem.db")

    with closing(open_server(folder / "pbem.db", TITLES)) as server:
        assert migrate.release_in(server.database) == pbem.__version__
    copy = folder / f"pbem-before-{pbem.__version__}.db"
    with closing(EventStore(copy)) as kept:
        assert {stream: kept.read(stream)[-1].hash for stream in kept.streams("")} == heads
    assert migrate.release_of(copy) == "0.1.0"
    copy.unlink()
    open_server(folder / "pbem.db", TITLES).close()
    assert not copy.exists(), "the second start upgrades nothing"


def test_matches_of_0_1_verify_replay_and_go_on(folder: Path) -> None:
    engines.install(folder / "pbem.db")
    with closing(open_server(folder / "pbem.db", TITLES, clock=lambda: THEN)) as server:
        tick.recover(server)
        for match in names(server).values():
            assert record_of(server, match).halted is None
            replay(server, match)
            assert verify_export(read_export(export(server, match, "public")), TITLES).problems == []
        match = names(server)["Begun in 0.1"]
        here = load(server, match)
        for ask in here.run.asks:
            form = here.rules.form(here.run.view(ask.seat), ask)
            account = here.record.occupants[ask.seat]["account"]
            submitting.submit(
                server, match, ask.seat, here.record.open_exchange, form, by=account, final=True, source="web"
            )
        advancing.advance(server, match)
        after = record_of(server, match)
        assert after.last == here.record.last + 1 and after.halted is None
        assert accounts.by_address(server, "ann@example.org") is not None


def test_a_new_folder_needs_no_backup(tmp_path: Path) -> None:
    server = a_server(tmp_path)
    assert not list(tmp_path.glob("*before*"))
    assert migrate.release_in(server.database) == pbem.__version__
    assert migrate.release_of(tmp_path / "nothing.db") == ""
