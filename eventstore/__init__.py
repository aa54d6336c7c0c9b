"""An append-only, hash-chained event store on SQLite. See `eventstore.example` for a first look."""

from eventstore.canonical import NotCanonical, canonical, digest
from eventstore.events import (
    BadEvent,
    Broken,
    Event,
    NewEvent,
    NewPart,
    Part,
    PartRef,
    PayloadTooLarge,
    commitment,
    event_hash,
    genesis,
    verify,
    verify_parts,
)
from eventstore.safekeeping import Damaged, check_content
from eventstore.store import Erased, EventStore
from eventstore.transaction import Conflict, NoSuchPart, Transaction
from eventstore.upcast import Upcasters
from eventstore.vault import Locked, Vault

__all__ = [
    "BadEvent",
    "Broken",
    "Conflict",
    "Damaged",
    "Erased",
    "Event",
    "EventStore",
    "Locked",
    "NewEvent",
    "NewPart",
    "NoSuchPart",
    "NotCanonical",
    "Part",
    "PartRef",
    "PayloadTooLarge",
    "Transaction",
    "Upcasters",
    "Vault",
    "canonical",
    "check_content",
    "commitment",
    "digest",
    "event_hash",
    "genesis",
    "verify",
    "verify_parts",
]
