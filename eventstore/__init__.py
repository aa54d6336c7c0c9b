"""An append-only, hash-chained event store on SQLite or PostgreSQL. See `eventstore.example` for a first look."""

from eventstore.canonical import NotCanonical, canonical, digest
from eventstore.database import Cursor, Database, InDoubt, StoreTrouble, Violated, create_table, upsert
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
from eventstore.lazy import Events, Lazy
from eventstore.safekeeping import Damaged, check_content, damage, read_only
from eventstore.store import Erased, EventStore, address_in_words, read_store, skip_to_end
from eventstore.tables import read_server_id
from eventstore.transaction import Conflict, NoSuchPart, Transaction
from eventstore.upcast import Upcasters
from eventstore.vault import Locked, Vault

__all__ = [
    "BadEvent",
    "Broken",
    "Conflict",
    "Cursor",
    "Damaged",
    "Database",
    "Erased",
    "Event",
    "EventStore",
    "Events",
    "InDoubt",
    "Lazy",
    "Locked",
    "NewEvent",
    "NewPart",
    "NoSuchPart",
    "NotCanonical",
    "Part",
    "PartRef",
    "PayloadTooLarge",
    "StoreTrouble",
    "Transaction",
    "Upcasters",
    "Vault",
    "Violated",
    "address_in_words",
    "canonical",
    "check_content",
    "commitment",
    "create_table",
    "damage",
    "digest",
    "event_hash",
    "genesis",
    "read_only",
    "read_server_id",
    "read_store",
    "skip_to_end",
    "upsert",
    "verify",
    "verify_parts",
]
