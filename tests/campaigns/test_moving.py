"""A running campaign moves to another server and address, and all its streams still verify."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest
from support.clash import ClashTitle, map_file
from support.front import Front

from eventstore import canonical
from pbem.campaigns import bundle, bundle_check, moving, tick
from pbem.engine.rules.refusals import Refusal
from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.events import MatchArrived
from pbem.matches.exchange import submitting
from pbem.matches.exchange.seats import leave_seat
from pbem.matches.history.export import export, read_export
from pbem.matches.history.receipts import SignedHead
from pbem.matches.history.replay import load, record_of, replay
from pbem.matches.players import invitations
from pbem.matches.post import notifications
from pbem.matches.server import Server

TITLES = {"clash": ClashTitle()}
ADDRESS = "https://new.example.org"


class Moved:
    """A campaign that was played on one server until a battle began, and a second, empty server."""

    def __init__(self, folder: Path, *, known: bool = True) -> None:
        for name in ("old", "new"):
            (folder / name).mkdir()
        self.old, self.new = Front(folder / "old", TITLES), Front(folder / "new", TITLES, seed="new")
        self.ann = accounts.open_account(self.old.server, "ann@example.org", "Ann").id
        self.old.open("battlegroup", {"red": self.ann}, options={"file": map_file(6, homes="false")})
        for _ in range(30):
            if self.going_on(self.old):
                break
            self.order(self.old, self.ann)
            self.old.tick(1)
        assert self.going_on(self.old), "a battle is under way"
        accounts.open_account(self.new.server, "zoe@example.org", "Zoe")
        self.here = accounts.open_account(self.new.server, "ann@example.org", "Ann K.").id if known else ""
        self.new.now = self.old.now

    @staticmethod
    def going_on(front: Front) -> list[str]:
        return [match for match in front.battles() if record_of(front.server, match).ended is None]

    @staticmethod
    def order(front: Front, account: str) -> None:
        """Order all seats of the account to hold, both in the campaign and in its current battles."""
        for match in (front.id, *Moved.going_on(front)):
            position = load(front.server, match)
            for seat, taken in position.record.occupants.items():
                if taken["account"] == account and seat in position.awaited_seats:
                    exchange = position.record.open_exchange
                    submitting.submit(
                        front.server, match, seat, exchange, "hold", by=account, final=True, source="web"
                    )

    def leave(self) -> bytes:
        return moving.leave(self.old.server, self.old.id, self.new.server.id, ADDRESS)

    def take(self, content: bytes) -> Front:
        self.new.id = moving.arrive(self.new.server, content)
        return self.new


@pytest.fixture
def moved(tmp_path: Path) -> Moved:
    return Moved(tmp_path)


def play_on(moved: Moved, front: Front, account: str) -> None:
    for _ in range(300):
        moved.order(front, account)
        front.tick(1)
        if front.record.ended:
            break
    front.tick()


def test_a_running_campaign_is_played_to_its_end_on_another_server(moved: Moved) -> None:
    before, battles = moved.old.state, moved.old.battles()
    front = moved.take(moved.leave())
    assert front.state == before and front.battles() == battles
    play_on(moved, front, moved.here)
    assert front.record.ended is not None
    assert front.battles()[: len(battles)] == battles, "no battle was made a second time"
    assert replay(front.server, front.id).run.state == front.state
    found = bundle_check.verify_bundle(bundle.read_bundle(bundle.write(front.server, front.id)), front.titles)
    assert found.problems == []
    for match in (front.id, *front.battles()):
        assert front.server.store.verify(f"match/{match}") is None


def test_the_old_server_keeps_it_for_reading_and_takes_no_more_orders(moved: Moved) -> None:
    moved.leave()
    version = moved.old.record.version
    for _ in range(3):
        moved.old.tick(24)
    assert moved.old.record.version == version and moved.old.position.asked == []
    with pytest.raises(Refusal, match="continues there"):
        leave_seat(moved.old.server, moved.old.id, "red", "tired")
    report = verify_export(read_export(export(moved.old.server, moved.old.id, "public")), moved.old.titles)
    assert not report.problems


def test_seats_follow_by_confirmed_address_and_names_stay(moved: Moved) -> None:
    front = moved.take(moved.leave())
    assert front.record.occupants["red"]["account"] == moved.here != moved.ann
    assert accounts.account(front.server, moved.ann).addresses == ()
    assert accounts.account(front.server, moved.ann).name.startswith("Ann")


def test_a_player_without_an_account_there_is_invited_to_the_seat(tmp_path: Path) -> None:
    moved = Moved(tmp_path, known=False)
    front = moved.take(moved.leave())
    assert "red" not in front.record.occupants
    offered = invitations.invitation(front.server, front.id, 1)
    assert (offered.seat, offered.address) == ("red", "ann@example.org")
    _, _, account = invitations.accept(front.server, offered.token)
    assert front.record.occupants["red"]["account"] == account.id
    play_on(moved, front, account.id)
    assert front.record.ended is not None


def test_everybody_is_told_once_and_nothing_of_the_past_is_mailed_again(moved: Moved) -> None:
    front = moved.take(moved.leave())
    notifications.catch_up(front.server)
    query = "SELECT kind, match FROM outbox WHERE account = ? ORDER BY 1"
    kinds = front.server.database.execute(query, (moved.here,)).fetchall()
    assert [kind for kind, match in kinds if match == front.id].count("joined") == 1
    assert not {kind for kind, _ in kinds} & {"report", "orders", "missed", "over"}


def test_everybody_has_a_week_and_new_dice_that_the_old_server_does_not_know(moved: Moved) -> None:
    old_ladder = moved.old.record.ladders[-1]
    front = moved.take(moved.leave())
    assert front.record.ladders[-1] != old_ladder
    assert [event.payload["why"] for event in front.record.events if event.type == "ladder.started"] == ["moved"]


def test_heads_and_receipts_from_before_still_verify_and_others_do_not(moved: Moved) -> None:
    resolved = [event for event in moved.old.record.events if event.type == "exchange.resolved"][-1]
    head = SignedHead(
        server=moved.old.server.id,
        match=moved.old.id,
        exchange=resolved.payload["exchange"],
        event=resolved.hash,
    )
    head = msgspec.structs.replace(head, signature=moved.old.server.signer.sign(head.body()))
    front = moved.take(moved.leave())
    content = read_export(export(front.server, front.id, "public"))
    assert not verify_export(content, front.titles, heads=[head]).problems
    forged = msgspec.structs.replace(head, server=front.server.id, signature=front.server.signer.sign(head.body()))
    assert verify_export(content, front.titles, heads=[forged]).problems


def test_taking_it_twice_or_dying_in_between_does_it_once(moved: Moved, monkeypatch: pytest.MonkeyPatch) -> None:
    content = moved.leave()

    def die(*args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(moving, "settle", die)
        with pytest.raises(KeyboardInterrupt):
            moved.take(content)
    front = moved.take(content)
    versions = [record_of(front.server, match).version for match in (front.id, *front.battles())]
    moved.take(content)
    assert [record_of(front.server, match).version for match in (front.id, *front.battles())] == versions
    assert [event.type for event in front.record.events].count("match.arrived") == 1


def test_it_can_come_back(moved: Moved) -> None:
    front = moved.take(moved.leave())
    front.tick(1)
    back = moving.leave(front.server, front.id, moved.old.server.id, "https://old.example.org")
    assert moving.arrive(moved.old.server, back) == moved.old.id
    moved.old.now = front.now
    play_on(moved, moved.old, moved.ann)
    assert moved.old.record.ended is not None
    found = bundle_check.verify_bundle(
        bundle.read_bundle(bundle.write(moved.old.server, moved.old.id)), moved.old.titles
    )
    assert found.problems == []


# Attacks -----------------------------------------------------------------------------------------------------


def sealed_by(signing: Server, content: bytes, **changes: object) -> bytes:
    """Return the file of a move after another server has changed and signed it."""
    first = content.splitlines()[0]
    packed = msgspec.structs.replace(msgspec.json.decode(first, type=moving.Luggage), **changes)
    body = canonical(packed)
    seal = {"digest": hashlib.sha256(body).hexdigest(), "to": packed.to}
    return body + b"\n" + canonical({**seal, "signature": signing.signer.sign(seal)}) + b"\n"


def test_luggage_that_is_meant_for_another_or_was_changed_is_refused(moved: Moved, tmp_path: Path) -> None:
    content = moved.leave()
    (tmp_path / "third").mkdir()
    third = Front(tmp_path / "third", TITLES, seed="third")
    for bad in (
        content[:-20],
        content.replace(b'"base":0', b'"base":1', 1),
        sealed_by(third.server, content),
        sealed_by(third.server, content, server=third.server.id),
        sealed_by(moved.old.server, content, to=third.server.id),
        sealed_by(moved.old.server, content, signatures={}),
        sealed_by(moved.old.server, content, ladders=[]),
    ):
        with pytest.raises(Refusal):
            moving.arrive(moved.new.server, bad)
    assert moved.new.server.store.streams("match/") == []
    with pytest.raises(Refusal, match="meant for the server"):
        moving.arrive(third.server, content)


def test_a_server_cannot_take_a_match_over_that_was_not_handed_to_it(moved: Moved, tmp_path: Path) -> None:
    """A server that has a match's whole log but no signature of the old server cannot take the match over."""
    (tmp_path / "thief").mkdir()
    thief = Front(tmp_path / "thief", TITLES, seed="thief")
    front = moved.take(moved.leave())
    with thief.server.store.transaction() as transaction:
        events = front.record.events[: front.record.arrived - 1]
        parts = list(front.server.store.parts([ref.commitment for event in events for ref in event.parts]).values())
        transaction.adopt(f"match/{front.id}", events, parts, origin=moved.old.server.id)
        for digest in set(front.record.created.blobs.values()):
            moving.keep_blob(transaction.database, front.server.blob(digest))
        forged = thief.server.signer.sign({"match": front.id, "exchange": 0, "event": events[-1].hash})
        arrived = MatchArrived(moved.old.server.id, events[-1].hash, forged, {})
        transaction.append(f"match/{front.id}", [arrived.new()], expected=len(events))
    report = verify_export(read_export(export(thief.server, front.id, "public")), thief.titles)
    said = [str(problem) for problem in report.problems]
    assert any("did not sign that it left" in text for text in said)
    assert any("in the hands of another server" in text for text in said)


def test_a_campaign_is_not_handed_over_twice(moved: Moved, tmp_path: Path) -> None:
    first = moved.leave()
    assert moved.leave() == first
    for to in ("f" * 64, "short", moved.old.server.id):
        with pytest.raises(Refusal):
            moving.leave(moved.old.server, moved.old.id, to, ADDRESS)
    tick.catch_up(moved.old.server)
