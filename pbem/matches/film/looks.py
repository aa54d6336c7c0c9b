"""How far an account has watched the films of a match, so that it can go on from there in any browser.

Like a draft, this is no event: it proves nothing, and it would tell opponents when a player was looking. It appears
in no export and is shown to nobody but the account itself. There is one row for each account, match and viewpoint.
"""

from __future__ import annotations

from eventstore import Database, Transaction, upsert
from pbem.matches.server import Server


def create_tables(database: Database) -> None:
    """Create the table, which has the last turn and scene that were watched."""
    database.execute(
        "CREATE TABLE IF NOT EXISTS looks (match TEXT NOT NULL, account TEXT NOT NULL, viewer TEXT NOT NULL, "
        "turn INTEGER NOT NULL, scene INTEGER NOT NULL, PRIMARY KEY (match, account, viewer))"
    )


def note(server: Server, match: str, account: str, viewer: str, turn: int, scene: int) -> None:
    """Note that an account has watched a turn up to a scene; an earlier place than the last one changes nothing."""
    with server.store.transaction() as transaction:
        if (turn, scene) > _last(transaction.database, match, account, viewer):
            transaction.database.execute(
                upsert("looks", "match, account, viewer", "turn, scene"), (match, account, viewer, turn, scene)
            )


def scenes_seen(server: Server, match: str, account: str, viewer: str, turn: int) -> int:
    """The last scene of a turn that the account has watched; 0 if its last look was at another turn."""
    last_turn, scene = _last(server.database, match, account, viewer)
    return scene if last_turn == turn else 0


def erase(transaction: Transaction, account: str) -> None:
    """Delete the looks of an account that is being erased."""
    transaction.database.execute("DELETE FROM looks WHERE account = ?", (account,))


def of_account(server: Server, account: str) -> list[dict[str, object]]:
    """All looks of an account."""
    columns = ("match", "viewer", "turn", "scene")
    rows = server.database.execute(
        "SELECT match, viewer, turn, scene FROM looks WHERE account = ? ORDER BY match, viewer", (account,)
    ).fetchall()
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _last(database: Database, match: str, account: str, viewer: str) -> tuple[int, int]:
    row = database.execute(
        "SELECT turn, scene FROM looks WHERE match = ? AND account = ? AND viewer = ?", (match, account, viewer)
    ).fetchone()
    return (row[0], row[1]) if row is not None else (-1, 0)
