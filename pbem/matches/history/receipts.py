"""Signed words of the server that a player can keep: receipts of orders, heads of exchanges, trailers of exports.

The server's id is its public key, and the first link of every chain is made from it.
"""

from __future__ import annotations

from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from eventstore import canonical


class Signer:
    """The server's Ed25519 key."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        public = self._key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        self.server = public.hex()

    def sign(self, body: object) -> str:
        return self._key.sign(canonical(body)).hex()


def signed_by(server: str, body: object, signature: str) -> bool:
    """Whether the server of that id signed this."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(server))
        key.verify(bytes.fromhex(signature), canonical(body))
    except (ValueError, InvalidSignature):
        return False
    return True


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Proof that orders were accepted: what they say, when, until when they could change, and the link of the log.

    `deadline` is None if there was none, or if the receipt is older than this field.
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
    signature: str = ""

    def body(self) -> dict[str, Any]:
        said = msgspec.structs.asdict(self)
        return {name: value for name, value in said.items() if name != "signature" and value is not None}

    def content(self) -> bytes:
        """What the commitment was made to."""
        return canonical({**self.orders, "text": self.text})

    def genuine(self) -> bool:
        return signed_by(self.server, self.body(), self.signature)


class SignedHead(msgspec.Struct, frozen=True, kw_only=True):
    """The same in every seat's mail, so that two inboxes expose a forked log."""

    server: str
    match: str
    exchange: int
    event: str
    signature: str = ""

    def body(self) -> dict[str, Any]:
        return {"match": self.match, "exchange": self.exchange, "event": self.event}

    def genuine(self) -> bool:
        return signed_by(self.server, self.body(), self.signature)
