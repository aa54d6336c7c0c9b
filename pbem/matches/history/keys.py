"""Rotate the server's key, or continue after its loss. The server's id, and with it every chain, stays as it is.

The old key signs the new one, and signatures by the new key carry that proof: receipts from before and after verify
with the same id. After a loss nothing can sign the new key, so readers must be told to trust it.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import msgspec

from eventstore import Damaged, read_server_id, read_store
from pbem.matches.history.receipts import Signer, load_signer


def rotate(path: Path, *, address: str = "", lost: bool = False, secret: bytes | None = None) -> str:
    """Replace the key beside a database file; return the new public key.

    Nothing else may use the store in the meantime.

    `address` is that of the PostgreSQL database if the events are there.
    """
    secret = secret or secrets.token_bytes(32)
    new = Signer(secret).key
    if lost:
        server, chain, endorsed = _id_of(path, address), _chain_of(path), ""
    else:
        old = load_signer(path)
        server, chain, endorsed = old.server, list(old.chain), old.endorse(new)
    said = {"server": server, "chain": [*chain, (new, endorsed)]}
    _replace(path.with_suffix(".keys"), msgspec.json.encode(said))
    _replace(path.with_suffix(".key"), secret)
    return new


def _id_of(path: Path, address: str) -> str:
    with read_store(path, address) as database:
        server = read_server_id(database)
    if server is None:
        raise Damaged("this database is not an event store")
    return server


def _chain_of(path: Path) -> list[tuple[str, str]]:
    file = path.with_suffix(".keys")
    if not file.exists():
        return []
    return [(key, endorsed) for key, endorsed in msgspec.json.decode(file.read_bytes())["chain"]]


def _replace(file: Path, content: bytes) -> None:
    """Write a file that only its owner can read; it is written completely or not at all."""
    temporary = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
        written.write(content)
        written.flush()
        os.fsync(written.fileno())
    os.replace(temporary, file)
