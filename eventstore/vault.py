"""The stored form of parts and snapshots: compressed, padded to steps of 1 KiB, and encrypted where there is a key.

Form 1 is used in older stores: length, content and zeros, with the salt in a separate column; its first byte is 0.
Form 2 is its number, then the compressed salt and content, padded. Form 3 is the same, encrypted with its own
key, which is wrapped by the storage key; erasing a part erases its key too. The storage key is kept outside the
database: it protects the data if a file is lost, but not against the operator.
"""

from __future__ import annotations

import hmac
import os
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING

from eventstore.events import LENGTH_SIZE, PAD_STEP, SALT_SIZE, unpad

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

COMPRESSED, ENCRYPTED = 2, 3
KEY_SIZE, NONCE_SIZE, TAG_SIZE = 32, 12, 16
WRAPPED_SIZE = NONCE_SIZE + KEY_SIZE + TAG_SIZE
ONCE = bytes(NONCE_SIZE)
"""A part's own key encrypts only one message, so its nonce can be constant."""


class Locked(Exception):
    """Content that was encrypted with a different storage key."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} cannot be opened: the storage key is missing or wrong")


class Vault:
    """Converts content to its stored form and back; without a key nothing is encrypted."""

    def __init__(self, key: bytes | None = None) -> None:
        if key is not None and len(key) != KEY_SIZE:
            raise ValueError(f"a storage key has {KEY_SIZE} bytes, not {len(key)}")
        self._key = key

    @property
    def name(self) -> str:
        """A name that identifies the key without revealing it; empty if there is no key."""
        return "" if self._key is None else sha256(b"storage key" + self._key).hexdigest()[:16]

    def derive(self, use: str) -> bytes:
        """A key for another use, which only the holder of the storage key can derive."""
        return hmac.digest(self._key or b"", use.encode(), "sha256")

    def seal(self, name: str, content: bytes, salt: bytes = b"") -> bytes:
        """Return the stored form of content, bound to `name`."""
        body = zlib.compress(salt + content)
        if self._key is None:
            return bytes([COMPRESSED]) + frame(body, 1)
        own, nonce = os.urandom(KEY_SIZE), os.urandom(NONCE_SIZE)
        wrapped = nonce + cipher(self._key).encrypt(nonce, own, name.encode())
        inner = frame(body, 1 + WRAPPED_SIZE + TAG_SIZE)
        return bytes([ENCRYPTED]) + wrapped + cipher(own).encrypt(ONCE, inner, name.encode())

    def open(self, name: str, stored: bytes) -> bytes:
        """The salt and content that were sealed under this name."""
        if stored[:1] == bytes([COMPRESSED]):
            return zlib.decompress(unframe(stored[1:]))
        if self._key is None:
            raise Locked(name)
        from cryptography.exceptions import InvalidTag

        wrapped, inner = stored[1 : 1 + WRAPPED_SIZE], stored[1 + WRAPPED_SIZE :]
        try:
            own = cipher(self._key).decrypt(wrapped[:NONCE_SIZE], wrapped[NONCE_SIZE:], name.encode())
            return zlib.decompress(unframe(cipher(own).decrypt(ONCE, inner, name.encode())))
        except InvalidTag as problem:
            raise Locked(name) from problem

    def part(self, commitment: str, salt: bytes, stored: bytes) -> tuple[bytes, bytes]:
        """Salt and content of a stored part of any form."""
        if not is_sealed(stored):
            return salt, unpad(stored)
        opened = self.open(commitment, stored)
        return opened[:SALT_SIZE], opened[SALT_SIZE:]


def is_sealed(stored: bytes) -> bool:
    """Whether content is stored in form 2 or 3."""
    return stored[:1] in (bytes([COMPRESSED]), bytes([ENCRYPTED]))


def frame(body: bytes, beside: int) -> bytes:
    """Put a body's length before it and zeros after it, up to a multiple of the step less `beside` bytes."""
    content = len(body).to_bytes(LENGTH_SIZE, "big") + body
    return content + bytes(-(len(content) + beside) % PAD_STEP)


def unframe(content: bytes) -> bytes:
    """The body framed by `frame`."""
    return content[LENGTH_SIZE : LENGTH_SIZE + int.from_bytes(content[:LENGTH_SIZE], "big")]


def cipher(key: bytes) -> AESGCM:
    """AES-GCM under this key; the library is loaded only by a store that encrypts."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key)
