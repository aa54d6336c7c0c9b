"""The chain of events and its parts: any change is found, at the right version."""

import hashlib
import json
from functools import cache

import pytest
from contract import SALT
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from eventstore import (
    Broken,
    Event,
    Part,
    PartRef,
    commitment,
    event_hash,
    genesis,
    verify,
    verify_parts,
)
from eventstore.events import pad, unpad

LENGTH = 6
versions = st.integers(1, LENGTH)
contents = st.binary(max_size=60) | st.integers(900, 2100).map(bytes)
salts = st.binary(min_size=32, max_size=32)


def link(version: int, previous: str, payload: object = None) -> Event:
    """Return a valid event that follows the event with this hash."""
    parts = (PartRef("orders", "axis", commitment(SALT, b"content %d" % version)),)
    loose = Event(
        stream="a",
        version=version,
        type="thing.counted",
        schema=1,
        payload={"number": version} if payload is None else payload,
        parts=parts,
        recorded_at=1_700_000_000_000 + version,
        previous=previous,
        hash="",
    )
    return replace(loose, hash=event_hash(loose))


@cache
def a_chain() -> tuple[Event, ...]:
    events: list[Event] = []
    for version in range(1, LENGTH + 1):
        events.append(link(version, events[-1].hash if events else genesis("server", "a")))
    return tuple(events)


def broken_at(events: list[Event]) -> int | None:
    broken = verify(events, server_id="server", stream="a")
    return broken and broken.version


def test_a_hash_is_sha_256_of_the_eight_fields_as_json():
    """The hash of an event is SHA-256 over its eight fields, recomputed here with the standard library alone."""
    event = a_chain()[2]
    fields = asdict(event)
    del fields["hash"]
    fields["parts"] = [asdict(part) for part in event.parts]
    spelled = json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    assert len(fields) == 8
    assert event.hash == hashlib.sha256(spelled.encode()).hexdigest()


def test_a_whole_chain_and_any_beginning_of_it_hold():
    for length in range(LENGTH + 1):
        assert broken_at(list(a_chain()[:length])) is None


def test_a_chain_belongs_to_one_server_and_one_stream():
    assert verify(a_chain(), server_id="other", stream="a").version == 1
    assert verify(a_chain(), server_id="server", stream="b").version == 1


changes = st.sampled_from(
    [
        ("stream", "b"),
        ("version", 99),
        ("type", "thing.miscounted"),
        ("schema", 2),
        ("payload", {"number": 0}),
        ("payload", {"number": 1.5}),
        ("payload", {}),
        ("parts", ()),
        ("parts", (PartRef("orders", "allies", "0" * 64),)),
        ("recorded_at", 0),
        ("previous", "0" * 64),
        ("hash", "0" * 64),
    ]
)


@given(versions, changes)
def test_a_changed_field_is_found_at_its_event(version, change):
    field, value = change
    events = list(a_chain())
    events[version - 1] = replace(events[version - 1], **{field: value})

    assert broken_at(events) == version


@given(versions, st.sampled_from(["hash", "previous"]), st.integers(0, 63))
def test_a_changed_digit_of_a_hash_is_found(version, field, place):
    events = list(a_chain())
    digits = list(getattr(events[version - 1], field))
    digits[place] = "0" if digits[place] != "0" else "1"
    events[version - 1] = replace(events[version - 1], **{field: "".join(digits)})

    assert broken_at(events) == version


@given(st.integers(1, LENGTH - 1))
def test_a_forged_event_with_a_new_hash_is_found_at_the_next(version):
    events = list(a_chain())
    events[version - 1] = link(version, events[version - 1].previous, {"number": "forged"})

    assert broken_at(events) == version + 1


@given(st.integers(1, LENGTH - 1))
def test_a_dropped_event_is_found_in_its_place(version):
    events = list(a_chain())
    del events[version - 1]

    assert broken_at(events) == version


@given(versions, versions)
def test_a_repeated_event_is_found_where_it_stands(original, place):
    events = list(a_chain())
    events.insert(place, events[original - 1])

    # if the repetition is in the right place, the original is the event too many
    assert broken_at(events) == place + 1 + (original == place + 1)


@given(versions, versions)
def test_exchanged_events_are_found_at_the_first(one, other):
    events = list(a_chain())
    events[one - 1], events[other - 1] = events[other - 1], events[one - 1]

    assert broken_at(events) == (None if one == other else min(one, other))


@given(versions)
def test_an_inserted_event_is_found_at_the_next(version):
    """Even an inserted event that fits the chain is found, because the next event does not follow it."""
    events = list(a_chain())
    previous = events[version - 1].previous
    events.insert(version - 1, link(version, previous, {"number": "inserted"}))

    assert broken_at(events) == version + 1


def test_what_is_wrong_is_said():
    events = list(a_chain())

    assert verify(events[1:], server_id="server", stream="a") == Broken(1, "version 2 is in its place")


# Parts


@given(contents)
def test_padding_comes_off_again(content):
    padded = pad(content)

    assert unpad(padded) == content
    assert len(padded) % 1024 == 0
    assert len(content) + 8 <= len(padded) < len(content) + 8 + 1024


@given(contents, contents)
def test_padding_keeps_contents_apart(one, other):
    """Contents that differ only in trailing zeros stay distinct, because padding begins with the length."""
    assert (pad(one) == pad(other)) is (one == other)
    assert pad(one) != pad(one + b"\0")


@pytest.mark.parametrize("padded", [b"", bytes(1000), pad(b"")[:-1] + b"\1", pad(b"") + bytes(1024), b"\xff" * 1024])
def test_bytes_that_are_not_padded_content_are_refused(padded):
    with pytest.raises(ValueError, match="not padded"):
        unpad(padded)


def test_a_commitment_is_sha_256_of_salt_length_content_and_zeros():
    spelled = SALT + (6).to_bytes(8, "big") + b"secret" + bytes(1024 - 14)

    assert commitment(SALT, b"secret") == hashlib.sha256(spelled).hexdigest()


@given(salts, contents, salts, contents)
def test_another_salt_or_content_gives_another_commitment(salt, content, other_salt, other):
    same = (salt, content) == (other_salt, other)

    assert (commitment(salt, content) == commitment(other_salt, other)) is same


def parts_of(*wanted: int) -> dict[str, Part]:
    found = (Part(commitment(SALT, b"content %d" % number), SALT, b"content %d" % number) for number in wanted)
    return {part.commitment: part for part in found}


def test_the_parts_one_may_see_match_their_events():
    assert verify_parts(a_chain(), parts_of(1, 3, 5)) is None
    assert verify_parts(a_chain(), {}) is None


def test_a_part_of_no_event_is_named():
    broken = verify_parts(a_chain(), parts_of(1, 77))

    assert broken.version == 0
    assert commitment(SALT, b"content 77") in broken.why


@pytest.mark.parametrize(
    "change", [{"content": b"forged"}, {"salt": bytes(32)}, {"salt": b"short"}, {"commitment": "0" * 64}]
)
def test_a_forged_part_is_found_at_its_event(change):
    parts = parts_of(2, 4)
    name = commitment(SALT, b"content 4")
    parts[name] = replace(parts[name], **change)

    assert verify_parts(a_chain(), parts).version == 4
