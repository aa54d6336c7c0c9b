"""The campaign leaks nothing: in two worlds that differ only in blue's secrets, red and the public obtain the same
data.

Blue's purchases, arrivals, hidden moves and appointments differ, but its battles do not. A die depends only on its
name, so equal play gives equal dice. Hashes, salts and ids are declared opaque, and are masked here.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.clash import ClashTitle, map_file, tree_file
from support.front import Front

import pbem.engine.play.dice
from pbem.campaigns import bundle, chronicle, stage_file
from pbem.matches import views
from pbem.matches.accounts import accounts, sessions
from pbem.matches.accounts.accounts import Account
from pbem.matches.exchange.submitting import submit
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import record_of
from pbem.web import create_app

OPAQUE = re.compile(r"[0-9a-f]{32,}|[a-z2-7]{8}(?=\")")
TITLES = {"clash": ClashTitle()}


def fixed_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    def die(rung: bytes, context: str, rule: str, subjects: Sequence[str], ordinal: int, sides: int) -> int:
        name = f"{rule}|{subjects}|{ordinal}".encode()
        return int.from_bytes(hashlib.sha256(name).digest()[:4], "big") % sides + 1

    monkeypatch.setattr(pbem.engine.play.dice, "die", die)


def outlets(front: Front, viewer: str) -> list[Any]:
    """Return everything that a viewer can read: log, parts, view, form, status, chronicle and bundle."""
    server, id = front.server, front.id
    read = read_export(export(server, id, viewer))
    state = front.position
    found: list[Any] = [[event.type, event.payload, [ref.name for ref in event.parts]] for event in read.events]
    found.append(sorted(part.content.decode() for part in read.parts.values()))
    found.append(msgspec.to_builtins(state.run.view(viewer)))
    found.append(msgspec.to_builtins(views.status(server, id, viewer)))
    if viewer in state.asked:
        found.append(views.open_form(server, id, viewer).text)
    for stage in range(1, state.run.state.turn + 1):
        found.append([str(told.text) for told in chronicle.chapter(server, id, viewer, stage).told])
    found.append(len(bundle.read_bundle(bundle.write(server, id, viewer)).battles))
    return [OPAQUE.sub("#", msgspec.json.encode(row).decode()) for row in found]


ORIGIN = "https://play.example.org"
PAGES = (
    "/campaigns",
    "/campaigns/{id}",
    "/matches/{id}",
    "/matches/{id}/feed.atom",
    "/api/v1/campaigns",
    "/api/v1/matches",
    "/",
)
SIGNED_IN = ("/calendar.ics", "/campaigns/{id}/roster", "/matches/{id}/status.json")
MASKED = re.compile(
    r'(?<=name="csrf_token" value=")[^"]+|[0-9a-f]{12,}|[a-z2-7]{8}(?=["/?#&.@])|nonce-?[=A-Za-z0-9+/_"-]+'
)


def on_the_site(front: Front, account: Account | None) -> list[str]:
    """Return the pages, feeds, lists and stage files that a visitor can open, without random content."""
    app = create_app(front.server)
    client = app.test_client()
    if account is not None:
        with client.session_transaction(base_url=ORIGIN) as session:
            session["word"] = sessions.start(front.server, account.id, "a browser")
    paths = [*PAGES, *(SIGNED_IN if account else ())]
    pages = [client.get(path.format(id=front.id), base_url=ORIGIN) for path in paths]
    assert [page.status_code for page in pages] == [200] * len(paths)
    found = [MASKED.sub("#", page.text) for page in pages]
    viewer = "red" if account else "public"
    for stage in range(1, front.state.turn):
        lines = stage_file.write(front.server, front.id, stage, viewer).splitlines()
        found.append(str(sorted(len(line) for line in lines)))
    return found


def owed(front: Front, account: Account) -> list[str]:
    """Return the emails queued for an account, each with its time, kind and subject."""
    query = "SELECT queued_at, exchange, kind, about FROM outbox WHERE account = ? ORDER BY 1, 2, 3, 4"
    rows = front.server.database.execute(query, (account.id,)).fetchall()
    assert rows
    return [MASKED.sub("#", str(tuple(row))) for row in rows]


def world(folder: Path, file: str, secret: Sequence[str], *, site: bool = False) -> list[list[Any]]:
    """Play two stages with blue's secret orders; after each tick, record everything that red and the public may
    see."""
    folder.mkdir()
    front, seen = Front(folder, TITLES), list[list[Any]]()
    red, blue = (accounts.open_account(front.server, f"{name}@example.org", name) for name in ("ann", "bob"))
    ann, bob = red.id, blue.id
    people = {"red": ann, "red2": "", "blue": bob, "blue2": ""}
    front.open("battlegroup", people, options={"file": file})

    def look() -> None:
        seen.extend(outlets(front, viewer) for viewer in ("red", "public"))
        if site:
            seen.extend(on_the_site(front, account) for account in (red, None))
            seen.append(owed(front, red))

    for orders in secret:
        exchange = front.record.open_exchange
        for seat, by, text in (("blue", bob, orders), ("red", ann, "hold")):
            submit(front.server, front.id, seat, exchange, text, by=by, final=True, source="web")
        front.tick()
        look()
        for match in front.battles():
            if record_of(front.server, match).ended is None:
                for seat, by in (("red", ann), ("blue", bob)):
                    submit(front.server, match, seat, 2, "hold", by=by, final=True, source="web")
        front.tick()
        front.tick()
        look()
    return seen


def test_purchases_points_and_arrivals_tell_the_enemy_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page titles, lists, feeds, the calendar, stage files and the kinds of email reveal none of blue's secrets."""
    fixed_chance(monkeypatch)
    plain = world(tmp_path / "one", tree_file(5), ("send b101 b102 b103 b104",), site=True)
    rich = world(tmp_path / "two", tree_file(5), ("buy 2 tank\nsend b101 b102 b103 b104",), site=True)
    for number, (one, other) in enumerate(zip(plain, rich, strict=True)):
        assert one == other, f"look {number}"


def with_hinterland(stages: int) -> str:
    """Return the map with another province behind blue's home, which red never sees."""
    far = '\n[[province]]\nid = "far"\nname = "Far"\nscenario = "field"\nat = [4, 0]\nto = ["east"]\nside = "blue"\n'
    return (
        map_file(stages).replace(
            'to = ["north", "south"]\nside = "blue"', 'to = ["north", "south", "far"]\nside = "blue"'
        )
        + far
    )


SECRET = [
    ("buy 2 tank\nassign b101 to b2", "hold"),
    ("move b2 to far", "hold"),
    ("move b2 to far\nappoint blue2 to b1", "move b2 to east"),
    ("assign b105 b106 to b1", "buy 1 tank"),
]
"""Orders of two stages that nobody but blue may notice."""


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> list[list[Any]]:
    """Return what red and the public see when blue holds in both stages."""
    with pytest.MonkeyPatch.context() as patch:
        fixed_chance(patch)
        return world(tmp_path_factory.mktemp("quiet") / "one", with_hinterland(5), ("hold", "hold"))


@pytest.mark.parametrize("secret", SECRET, ids=lambda orders: orders[0][:14])
def test_what_blue_does_behind_its_lines_tells_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: list[list[Any]], secret: Sequence[str]
) -> None:
    """Blue's purchases, arrivals, hidden moves, other battlegroups and appointments reveal nothing to red."""
    fixed_chance(monkeypatch)
    for number, (one, other) in enumerate(
        zip(quiet, world(tmp_path / "two", with_hinterland(5), secret), strict=True)
    ):
        assert one == other, f"look {number}"
