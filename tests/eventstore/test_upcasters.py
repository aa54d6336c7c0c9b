"""Old payloads are upgraded on reading, and the stored events do not change."""

import pytest
from contract import an_event
from msgspec.structs import replace

from eventstore import EventStore, NewEvent, Upcasters, event_hash


@pytest.fixture
def upcasters():
    upcasters = Upcasters()

    @upcasters.register("thing.counted", from_schema=1)
    def name_the_unit(payload):
        return {**payload, "unit": "pieces"}

    @upcasters.register("thing.counted", from_schema=2)
    def write_amounts(payload):
        return {"amount": [payload["number"], payload["unit"]]}

    return upcasters


@pytest.fixture
def stored(tmp_path):
    store = EventStore(tmp_path / "store.db")
    store.append("a", [an_event(7), NewEvent("thing.counted", {"amount": [1, "dozen"]}, schema=3)], expected=0)
    yield store.read("a")
    store.close()


def test_an_old_payload_is_lifted_step_by_step(upcasters, stored):
    lifted = upcasters.lift(stored[0])

    assert (lifted.schema, lifted.payload) == (3, {"amount": [7, "pieces"]})


def test_lifting_changes_nothing_else(upcasters, stored):
    old, lifted = stored[0], upcasters.lift(stored[0])

    assert replace(lifted, schema=old.schema, payload=old.payload) == old
    assert event_hash(old) == old.hash == lifted.hash


def test_the_newest_shape_and_other_types_stay_as_they_are(upcasters, stored):
    other = replace(stored[0], type="thing.weighed")

    assert upcasters.lift(stored[1]) is stored[1]
    assert upcasters.lift(other) is other
    assert upcasters.lift(upcasters.lift(stored[0])) == upcasters.lift(stored[0])


def test_a_step_is_registered_once_and_stays_callable(upcasters):
    with pytest.raises(ValueError, match="already"):
        upcasters.register("thing.counted", from_schema=1)(lambda payload: payload)
