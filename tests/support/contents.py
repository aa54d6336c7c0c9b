"""What the database of a server holds, down to the bytes: for tests that something is not in it."""

from __future__ import annotations

from pbem.matches.server import Server


def everything_in(server: Server) -> bytes:
    """Every byte of a SQLite file and its journal; on PostgreSQL, every value in every table."""
    path, database = server.store.path, server.database
    if not server.store.address:
        return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))
    rows = (row for table in sorted(database.table_list()) for row in database.execute(f'SELECT * FROM "{table}"'))
    values = (value for row in rows for value in row)
    return b"\n".join(value if isinstance(value, bytes) else str(value).encode() for value in values)
