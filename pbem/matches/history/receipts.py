"""Signed statements that a player can keep: receipts for orders, heads of exchanges, trailers of exports.

The server's id is its public key, and the first link of every chain is made from it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from eventstore import canonical
from pbem.engine.text.messages import Message, say


class Signer:
    """The server's Ed25519 key. The server's id is its first key; `chain` leads from there to the current key.

    Each link of the chain is a key and the signature of the key before it. A signature by a later key carries the
    chain, so that anyone who knows the server's id can check it. A link that follows a lost key is not signed.
    """

    def __init__(self, secret: bytes, server: str = "", chain: Sequence[tuple[str, str]] = ()) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        public = self._key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        self.key = public.hex()
        self.server = server or self.key
        self.chain = tuple(chain)

    def sign(self, body: object) -> str:
        links = (text for link in self.chain for text in link)
        return ":".join((self._key.sign(canonical(body)).hex(), *links))

    def derive(self, use: object) -> bytes:
        """Return a secret for another use, which only the holder of the current key can derive."""
        return hashlib.sha256(self._key.sign(canonical(use))).digest()

    def endorse(self, key: str) -> str:
        """Sign the successor of this key."""
        return self._key.sign(canonical({"server": self.server, "key": key})).hex()


def load_signer(database: Path) -> Signer:
    """Return the signer whose key and chain of keys are beside a database."""
    secret, chain = database.with_suffix(".key").read_bytes(), database.with_suffix(".keys")
    if not chain.exists():
        return Signer(secret)
    said = msgspec.json.decode(chain.read_bytes())
    return Signer(secret, said["server"], [(key, endorsed) for key, endorsed in said["chain"]])


def chain_of(signature: str) -> list[tuple[str, str]]:
    """The keys that a signature carries, each with the signature of the key before it."""
    links = signature.split(":")[1:]
    return list(zip(links[::2], links[1::2], strict=True)) if len(links) % 2 == 0 else []


def signed_by(server: str, body: object, signature: str, trusted: str = "") -> bool:
    """Whether the server with this id signed this, with its first key or one of that key's successors.

    `trusted` is a key that the reader vouches for, because after a loss, nothing signs the next key.
    """
    current, links = server, signature.split(":")
    if len(links) % 2 == 0:
        return False
    for key, endorsed in chain_of(signature):
        if key != trusted and not _signed(current, {"server": server, "key": key}, endorsed):
            return False
        current = key
    return _signed(current, body, links[0])


def unhex(text: str) -> bytes:
    """The bytes that hex digits stand for. Only lower case without spaces is valid, so a value has one spelling."""
    found = bytes.fromhex(text)
    if found.hex() != text:
        raise ValueError("not lower-case hex")
    return found


def _signed(key: str, body: object, signature: str) -> bool:
    try:
        public = Ed25519PublicKey.from_public_bytes(unhex(key))
        public.verify(unhex(signature), canonical(body))
    except (ValueError, InvalidSignature):
        return False
    return True


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Proof that orders were accepted: their content, when, until when they could change, and the link to the log.

    `deadline` is None if there was none. `machines` is the number of machines that stored the orders; it is None in
    receipts from before this field existed.
    """

    server: str
    match: str
    exchange: int
    seat: str
    orders: dict[str, Any]
    text: str
    commitment: str
    salt: str
    sealed_at: int
    event: str
    deadline: int | None = None
    machines: int | None = None
    signature: str = ""

    def body(self) -> dict[str, Any]:
        said = msgspec.structs.asdict(self)
        return {name: value for name, value in said.items() if name != "signature" and value is not None}

    def content(self) -> bytes:
        """The content of the commitment."""
        return canonical({**self.orders, "text": self.text})

    def genuine(self, trusted: str = "") -> bool:
        return signed_by(self.server, self.body(), self.signature, trusted)

    @property
    def place(self) -> Message:
        """Where the orders are stored, in words for their owner: "on one machine" or "on two machines"."""
        return say("on two machines") if (self.machines or 1) > 1 else say("on one machine")


class SignedHead(msgspec.Struct, frozen=True, kw_only=True):
    """A signed head of the log. It is the same in every seat's email, so that two inboxes expose a forked log."""

    server: str
    match: str
    exchange: int
    event: str
    signature: str = ""

    def body(self) -> dict[str, Any]:
        return {"match": self.match, "exchange": self.exchange, "event": self.event}

    def genuine(self, trusted: str = "") -> bool:
        return signed_by(self.server, self.body(), self.signature, trusted)
