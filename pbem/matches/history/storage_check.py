"""Check a raw database: chains, parts, dice ladders and frozen data, without running a server on it.

A sound log does not prove that the data stored beside it are sound. Each ladder must lead down to the rungs
that its match has published, each frozen file must have its digest, and each digest that a match names must be there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eventstore import (
    Damaged,
    Database,
    StoreTrouble,
    Vault,
    check_content,
    damage,
    read_only,
    read_server_id,
    read_store,
)
from eventstore.log import read_stream, stream_names
from pbem.matches.events import LadderStarted, MatchCreated, MatchEnded, each
from pbem.matches.history import ladders
from pbem.matches.history.receipts import load_signer
from pbem.matches.server import storage_key_file

ENDLESS = 2**62


def check_file(path: Path, vault: Vault | None = None) -> list[str]:
    """Return all problems with a database file; it is opened read-only.

    The storage key is the one beside the file, unless `vault` already holds one.
    """
    if not path.is_file():
        return [f"{path} does not exist"]
    try:
        with read_only(path) as database:
            if found := damage(database):
                return [f"the file is damaged: {found}"]
            return list(problems(database, vault or vault_of(path)))
    except StoreTrouble as problem:
        return [f"the file cannot be read: {problem}"]


def vault_of(path: Path) -> Vault | None:
    """Return the vault for the parts of a database file, if its storage key is beside it."""
    file = storage_key_file(path)
    return Vault(file.read_bytes()) if file.is_file() else None


def problems(database: Database, vault: Vault | None = None) -> Iterator[str]:
    """Yield the problems in an open database. Without the vault, encrypted parts are not examined."""
    try:
        check_content(database, vault)
    except Damaged as problem:
        yield str(problem)
        return
    if database.has_table(ladders.TABLE):
        yield from _match_problems(database, vault)
    if database.has_table("blobs"):
        for digest, content in database.execute("SELECT digest, content FROM blobs"):
            if hashlib.sha256(content).hexdigest() != digest:
                yield f"the frozen file {digest} is damaged"


def refuse_damage(database: Database, vault: Vault | None = None) -> None:
    """Refuse an incomplete copy, so that it never replaces a good backup."""
    if wrong := list(problems(database, vault)):
        raise Damaged("; ".join(wrong[:3]))


def _match_problems(database: Database, vault: Vault | None) -> Iterator[str]:
    kept = {digest for (digest,) in database.execute("SELECT digest FROM blobs")}
    for stream in stream_names(database, "match/"):
        match, ended = stream.removeprefix("match/"), False
        published: list[dict[str, Any]] = []
        for _, what in each(read_stream(database, stream, 0, ENDLESS), MatchCreated, LadderStarted, MatchEnded):
            if isinstance(what, MatchCreated):
                for name, digest in sorted(what.blobs.items()):
                    if digest not in kept:
                        yield f"match {match}: its {name} ({digest}) is missing"
            if isinstance(what, MatchCreated | LadderStarted):
                published.append(what.ladder)
            ended = isinstance(what, MatchEnded) or (ended and not isinstance(what, LadderStarted))
        for ladder in published:
            try:
                if vault is None:
                    ladders.check_there(database, match, ladder)
                else:
                    ladders.find(database, vault, match, ladder)
            except ladders.Damaged as problem:
                yield f"match {match}: {problem}{' (the match is over)' if ended else ''}"


def check_key(path: Path, address: str = "") -> list[str]:
    """Return the problem with the key beside a database, which must be the one that the chains begin with."""
    key = path.with_suffix(".key")
    try:
        signer = load_signer(path)
        with read_store(path, address) as database:
            server = read_server_id(database)
    except FileNotFoundError:
        return [f"the key {key} is missing"]
    except (ValueError, StoreTrouble) as problem:
        return [f"the key {key} cannot be read: {problem}"]
    return [] if server in (None, signer.server) else [f"the key {key} belongs to another server"]
