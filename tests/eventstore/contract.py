"""The contract of every event store; the tests of a backend inherit it and define how to create a store."""

import time
from collections.abc import Callable, Iterator

import pytest

from eventstore import (
    BadEvent,
    Conflict,
    Erased,
    EventStore,
    NewEvent,
    NewPart,
    NoSuchPart,
    NotCanonical,
    PayloadTooLarge,
    commitment,
    genesis,
    verify,
    verify_parts,
)

SALT = bytes(range(32))

StoreMaker = Callable[..., EventStore]


def an_event(number: int = 1, *parts: NewPart) -> NewEvent:
    return NewEvent("thing.counted", {"number": number}, parts)


def a_part(content: bytes = b"secret", *, salt: bytes = SALT, audience: str = "axis") -> NewPart:
    return NewPart("orders", audience, content, salt)


def numbers(store: EventStore, stream: str) -> list[int]:
    return [event.payload["number"] for event in store.read(stream)]


def fill(store: EventStore, stream: str, count: int) -> None:
    store.append(stream, [an_event(number) for number in range(1, count + 1)], expected=0)


class EventStoreContract:
    @pytest.fixture
    def make_store(self) -> StoreMaker:
        """Return a function that opens the only store of this test, or opens it again."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, make_store: StoreMaker) -> Iterator[EventStore]:
        store = make_store(server_id="server")
        yield store
        store.close()

    # Appending and reading

    def test_what_is_appended_is_read_back(self, store):
        appended = store.append("a", [an_event(1), an_event(2)], expected=0)

        assert store.read("a") == appended
        assert [event.version for event in appended] == [1, 2]
        assert [event.payload for event in appended] == [{"number": 1}, {"number": 2}]
        assert (appended[0].stream, appended[0].type, appended[0].schema) == ("a", "thing.counted", 1)

    def test_it_is_still_there_when_the_store_is_opened_again(self, make_store):
        first = make_store()
        appended = first.append("a", [an_event()], expected=0)
        first.close()

        second = make_store()

        assert second.read("a") == appended
        assert second.server_id == first.server_id

    def test_a_payload_is_taken_as_it_is_at_that_moment(self, store):
        payload = {"moves": ("0101", "0102")}
        (event,) = store.append("a", [NewEvent("unit.moved", payload)], expected=0)
        payload["moves"] = ()

        assert event.payload == {"moves": ["0101", "0102"]} == store.read("a")[0].payload

    def test_reading_can_start_and_end_anywhere(self, store):
        fill(store, "a", 9)

        assert [event.version for event in store.read("a", after=3, upto=5)] == [4, 5]
        assert [event.version for event in store.read("a", after=7)] == [8, 9]
        assert store.read("a", after=9) == store.read("nothing") == []

    def test_all_streams_are_read_in_the_order_of_recording(self, store):
        for version in range(600):  # more than a page
            store.append("ab"[version % 2], [an_event(version)], expected=version // 2)

        everything = list(store.read_all())

        assert [event.payload["number"] for event in everything] == list(range(600))
        positions = [store.place(event) for event in everything]
        assert positions == sorted(set(positions))
        assert list(store.read_all(after=positions[520])) == everything[521:]
        assert list(store.read_all(after=positions[9], limit=3)) == everything[10:13]
        assert list(store.read_all(limit=0)) == []

    def test_streams_are_listed_by_prefix(self, store):
        for stream in ("match/1", "match/2", "account/1", "match_1", "MATCH/1"):
            fill(store, stream, 2)

        assert store.streams("match/") == ["match/1", "match/2"]
        assert store.streams() == ["MATCH/1", "account/1", "match/1", "match/2", "match_1"]
        assert store.streams("match%") == []

    def test_a_stream_knows_its_version_and_head(self, store):
        assert store.version("a") == 0
        assert store.head("a") == genesis("server", "a")

        appended = store.append("a", [an_event(1), an_event(2)], expected=0)

        assert store.version("a") == 2
        assert store.head("a") == appended[-1].hash

    def test_versions_of_several_streams_are_read_at_once(self, store):
        store.append("a", [an_event(1), an_event(2)], expected=0)
        store.append("b", [an_event(1)], expected=0)
        assert store.versions(["b", "nothing yet", "a", "b"]) == [1, 0, 2, 1]
        assert store.versions([]) == []

    def test_appending_nothing_only_checks_the_version(self, store):
        assert store.append("a", [], expected=0) == []
        with pytest.raises(Conflict):
            store.append("a", [], expected=1)

    # Conflicts and transactions

    def test_a_stale_writer_hears_of_the_conflict_and_writes_nothing(self, store):
        fill(store, "a", 2)

        for expected in (0, 1, 3):
            with pytest.raises(Conflict) as refused:
                store.append("a", [an_event(9)], expected=expected)
            conflict = refused.value
            assert (conflict.stream, conflict.expected, conflict.actual) == ("a", expected, 2)
        assert numbers(store, "a") == [1, 2]

    def test_several_streams_change_together(self, store):
        with store.transaction() as transaction:
            transaction.append("a", [an_event(1)], expected=0)
            transaction.append("b", [an_event(2)], expected=0)
            transaction.append("a", [an_event(3)], expected=1)
            assert transaction.version("a") == 2

        assert (numbers(store, "a"), numbers(store, "b")) == ([1, 3], [2])

    def test_a_failure_on_the_second_stream_leaves_nothing_of_the_first(self, store):
        part = a_part()
        with pytest.raises(Conflict), store.transaction() as transaction:
            transaction.append("a", [an_event(1, part)], expected=0)
            transaction.append("b", [an_event(2)], expected=7)

        assert store.streams() == []
        assert store.parts([commitment(part.salt, part.content)]) == {}
        fill(store, "a", 1)  # and the store is still usable

    def test_any_exception_rolls_back(self, store):
        with pytest.raises(KeyboardInterrupt), store.transaction() as transaction:
            transaction.append("a", [an_event()], expected=0)
            raise KeyboardInterrupt

        assert store.version("a") == 0

    def test_failpoints_stand_on_both_sides_of_the_commit(self, make_store):
        seen = []
        store = make_store(failpoint=lambda name: seen.append((name, store.version("a"))))

        with store.transaction() as transaction:
            transaction.append("a", [an_event()], expected=0)
        with store.transaction(label="seal") as transaction:
            transaction.append("a", [an_event()], expected=1)
        store.append("a", [an_event()], expected=2)
        store.append("a", [an_event()], expected=3, label="close")

        names = [name for name, _ in seen]
        assert names == [
            f"{label}{moment}"
            for label in ("", "seal:", "append:", "close:")
            for moment in ("before-commit", "after-commit")
        ]

    def test_failing_before_the_commit_loses_all_and_after_it_nothing(self, make_store):
        def fail(name: str) -> None:
            if name == failing:
                raise OSError(name)

        store = make_store(failpoint=fail)
        for failing, kept in (("append:before-commit", 0), ("append:after-commit", 1)):
            with pytest.raises(OSError, match=failing):
                store.append("a", [an_event()], expected=0)
            assert store.version("a") == kept

    # Refusals

    @pytest.mark.parametrize("type", ["", "counted", "Thing.counted", "thing.", "thing.counted ", "thing.a1"])
    def test_an_event_type_is_dotted_words(self, store, type):
        with pytest.raises(BadEvent):
            store.append("a", [NewEvent(type, {})], expected=0)

    def test_an_event_type_may_have_hyphens_and_more_dots(self, store):
        store.append("a", [NewEvent("exchange.closed.by-deadline", {})], expected=0)

    def test_a_schema_counts_from_1(self, store):
        with pytest.raises(BadEvent):
            store.append("a", [NewEvent("thing.counted", {}, schema=0)], expected=0)

    def test_a_payload_has_at_most_16_kib(self, store):
        frame = len('{"text":""}')
        store.append("a", [NewEvent("thing.said", {"text": "x" * (16384 - frame)})], expected=0)

        with pytest.raises(PayloadTooLarge, match="16385"):
            store.append("a", [NewEvent("thing.said", {"text": "x" * (16385 - frame)})], expected=1)

        assert store.version("a") == 1

    def test_a_fraction_in_a_payload_is_refused_by_its_path(self, store):
        with pytest.raises(NotCanonical, match=r"\.payload\.odds\[1\] is a float"):
            store.append("a", [NewEvent("thing.said", {"odds": [1, 2.5]})], expected=0)

        assert store.version("a") == 0

    def test_a_salt_has_32_bytes(self, store):
        with pytest.raises(ValueError, match="32 bytes"):
            store.append("a", [an_event(1, a_part(salt=b"short"))], expected=0)

    # Time

    def test_recorded_time_never_runs_backwards_within_a_stream(self, make_store):
        times = iter([1000, 400, 2000, 500])
        store = make_store(clock=lambda: next(times))

        for version in range(3):
            store.append("a", [an_event()], expected=version)
        store.append("b", [an_event()], expected=0)

        assert [event.recorded_at for event in store.read("a")] == [1000, 1000, 2000]
        assert [event.recorded_at for event in store.read("b")] == [500]

    # The chain

    def test_the_chain_of_every_stream_holds(self, store):
        fill(store, "a", 20)
        fill(store, "b", 1)

        for stream in ("a", "b", "nothing"):
            assert store.verify(stream) is None
            assert verify(store.read(stream), server_id="server", stream=stream) is None

    def test_each_event_follows_the_one_before(self, store):
        fill(store, "a", 3)
        events = store.read("a")

        assert [event.previous for event in events] == [
            genesis("server", "a"),
            events[0].hash,
            events[1].hash,
        ]

    # Parts

    def test_a_part_is_kept_beside_the_event(self, store):
        part = a_part(b'{"move":"0101"}')
        (event,) = store.append("a", [an_event(1, part)], expected=0)

        reference = event.part("orders", "axis")
        stored = store.part(reference.commitment)

        assert reference.commitment == commitment(part.salt, part.content)
        assert (stored.salt, stored.content) == (part.salt, part.content)
        assert verify_parts([event], {stored.commitment: stored}) is None
        assert event.part("orders", "allies") is None

    def test_a_part_never_stored_is_not_found(self, store):
        with pytest.raises(NoSuchPart):
            store.part("0" * 64)
        with pytest.raises(KeyError):
            store.part("0" * 64)
        with pytest.raises(NoSuchPart):
            store.erase("0" * 64)

    def test_an_erased_part_is_gone_and_the_chain_still_holds(self, store):
        first, second = a_part(b"one"), a_part(b"two", audience="allies")
        (event,) = store.append("a", [an_event(1, first, second)], expected=0)
        gone, kept = (reference.commitment for reference in event.parts)

        store.erase(gone)

        with pytest.raises(Erased):
            store.part(gone)
        assert list(store.parts([gone, kept, "0" * 64])) == [kept]
        assert store.verify("a") is None
        assert store.read("a") == [event]

    def test_an_erased_part_stays_erased(self, store):
        part = a_part()
        (event,) = store.append("a", [an_event(1, part)], expected=0)
        store.erase(event.parts[0].commitment)
        store.erase(event.parts[0].commitment)

        store.append("a", [an_event(2, part)], expected=1)

        with pytest.raises(Erased):
            store.part(event.parts[0].commitment)

    def test_an_erasure_and_its_event_go_together(self, store):
        (event,) = store.append("a", [an_event(1, a_part())], expected=0)
        gone = event.parts[0].commitment

        with pytest.raises(Conflict), store.transaction() as transaction:
            transaction.erase(gone)
            transaction.append("a", [NewEvent("part.erased", {})], expected=0)
        assert store.part(gone).content == b"secret"

        with store.transaction() as transaction:
            transaction.erase(gone)
            transaction.append("a", [NewEvent("part.erased", {})], expected=1)
        assert store.parts([gone]) == {}

    def test_two_events_may_commit_to_the_same_part(self, store):
        store.append("a", [an_event(1, a_part()), an_event(2, a_part())], expected=0)

        first, second = (event.parts[0].commitment for event in store.read("a"))

        assert first == second
        assert store.part(first).content == b"secret"

    # Data that can be made again

    def test_a_snapshot_answers_only_to_its_fingerprint(self, store):
        store.put_snapshot("match/1", "rules 1", b"old")
        store.put_snapshot("match/1", "rules 2", b"new")
        store.put_snapshot("match/2", "rules 2", b"")

        assert store.get_snapshot("match/1", "rules 2") == b"new"
        assert store.get_snapshot("match/1", "rules 1") is None
        assert store.get_snapshot("match/2", "rules 2") == b""
        assert store.get_snapshot("match/3", "rules 2") is None

    def test_snapshots_can_be_dropped(self, store):
        fill(store, "match/1", 1)
        for key in ("match/1", "match/2", "other"):
            store.put_snapshot(key, "rules", b"content")

        store.drop_snapshots("match/")
        assert [store.get_snapshot(key, "rules") for key in ("match/1", "match/2", "other")] == [
            None,
            None,
            b"content",
        ]
        store.drop_snapshots()
        assert store.get_snapshot("other", "rules") is None
        assert store.verify("match/1") is None

    def test_a_projection_sees_every_event_once(self, store):
        fill(store, "a", 1200)
        seen = []

        def handle(transaction, event):
            seen.append(event)

        assert store.project("all", handle) == 1200
        assert store.project("all", handle) == 0
        fill(store, "b", 2)
        assert store.project("all", handle) == 2
        assert seen == list(store.read_all())

    def test_a_projection_may_stop_after_enough_events(self, store):
        fill(store, "a", 1200)

        assert store.project("all", lambda transaction, event: None, most=1) == 500
        assert store.project("all", lambda transaction, event: None) == 700

    def test_a_reader_in_a_hurry_leaves_undone_what_another_writer_keeps_waiting(self, store, make_store):
        done, other = [], make_store()
        fill(store, "a", 3)
        began = time.monotonic()
        with other.transaction(), store.skip_if_busy():
            store.project("all", lambda transaction, event: done.append(event))
        assert done == [] and time.monotonic() - began < 10, (
            "a tenth of a second or two, not the patience of a writer"
        )
        with store.skip_if_busy():
            store.project("all", lambda transaction, event: done.append(event))
        assert len(done) == 3

    def test_a_connection_works_however_often_it_has_waited_in_vain(self, store, make_store):
        other = make_store()
        fill(store, "a", 3)
        for _ in range(3):
            with other.transaction():
                for _ in range(4):
                    with store.skip_if_busy():
                        store.project("all", lambda transaction, event: None)
            store.append("b", [an_event()], expected=store.version("b"))
        assert store.project("all", lambda transaction, event: None) == 6

    def test_a_page_that_hurries_four_times_does_not_wait_four_times(self, store, make_store, monkeypatch):
        asked, other = [], make_store()
        fill(store, "a", 3)
        set_patience = store.database.set_patience
        patience = lambda database, value: asked.append(value) or set_patience(value)  # noqa: E731
        monkeypatch.setattr(type(store.database), "set_patience", patience)
        with other.transaction():
            for _ in range(4):
                with store.skip_if_busy():
                    store.project("all", lambda transaction, event: None)
        assert asked == [200, None, 1, None, 1, None, 1, None]

    def test_a_failing_projection_goes_on_where_it_last_committed(self, store):
        fill(store, "a", 1200)
        seen = []

        def handle(transaction, event):
            if event.version == 777 and 777 not in failed:
                failed.append(777)
                raise OSError("the disk is full")
            seen.append(event.version)

        failed = []
        with pytest.raises(OSError, match="full"):
            store.project("all", handle)
        assert store.project("all", handle) == 700
        assert seen == [*range(1, 777), *range(501, 1201)]

    def test_a_dropped_projection_starts_again(self, store):
        fill(store, "a", 3)
        seen = []
        store.project("all", lambda transaction, event: seen.append(event.version))

        store.drop_projection("all")
        store.project("all", lambda transaction, event: seen.append(event.version))

        assert seen == [1, 2, 3, 1, 2, 3]

    # Callers' tables

    def test_the_columns_of_a_table_are_named_and_a_missing_table_has_none(self, store):
        store.database.execute("CREATE TABLE things (name TEXT PRIMARY KEY, size INTEGER)")

        assert store.database.columns("things") - {"rowid"} == {"name", "size"}
        assert store.database.has_table("things")
        store.database.execute("ALTER TABLE things ADD COLUMN raw BLOB")
        assert store.database.columns("things") - {"rowid"} == {"name", "size", "raw"}
        for other in ("thing", "pg_class", "tables"):
            assert store.database.columns(other) == set() and not store.database.has_table(other)

    # Safekeeping

    def test_a_backup_comes_back_as_the_same_history(self, store, make_store, tmp_path):
        (event,) = store.append("a", [an_event(1, a_part())], expected=0)
        store.backup(tmp_path / "backup")
        fill(store, "b", 1)

        EventStore.restore(tmp_path / "backup", tmp_path / "restored")
        restored = EventStore(tmp_path / "restored")

        assert restored.read("a") == [event]
        assert restored.part(event.parts[0].commitment).content == b"secret"
        assert (restored.server_id, restored.streams()) == ("server", ["a"])
        assert (store.restorations(), restored.restorations()) == (0, 1)
        restored.append("a", [an_event(2)], expected=1)
        assert restored.verify("a") is None
        restored.close()
