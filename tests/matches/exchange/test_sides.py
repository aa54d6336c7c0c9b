"""The toy title Relay: several seats on a side, plans by section, short records, and findings stored once."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.playing import a_server
from support.relay import RelayTitle

from pbem.engine.play.resolve import Automatic, Replies, from_record, stored_replies
from pbem.engine.rules.findings import MASTER, PUBLIC, Finding, only_seen_by, put_together, seen_by
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Submission, Wish
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import advancing, creating, sealing
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import Position, autos_of, findings_of, load, minds_of, replay
from pbem.matches.server import Server

TITLES = {"relay": RelayTitle()}
TEAMS = {"north-1": "ann", "north-2": "bob", "south-1": "cas", "south-2": "dee"}
NORTH_MARCHES = {
    "north-1": Submission({"march": {"n1": 2, "n3": 1}}),
    "north-2": Submission({"march": {"n2": 2}}),
    "south-1": Submission(None, {"fire": {"s1": {"within": 9, "once": True}}}),
    "south-2": Submission(None),
}


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return a_server(tmp_path, titles=TITLES)


def a_match(server: Server, reactions: str = "plan") -> str:
    return creating.create(server, "relay", "teams", seats=TEAMS, reactions=reactions)


def play(server: Server, match: str, given: dict[str, Submission]) -> None:
    here = load(server, match)
    for ask in here.run.asks:
        exchange = here.record.open_exchange
        sealing.seal(server, match, ask.seat, exchange, given.get(ask.seat, Submission(None)), final=True)
    advancing.advance(server, match)


def order_contents(server: Server, match: str, viewer: str) -> list[str]:
    """Return the seat of each sealed order that a viewer's export contains."""
    whole = read_export(export(server, match, viewer))
    sealed = [event for event in whole.events if event.type == "order.sealed"]
    return [event.payload["seat"] for event in sealed if event.parts[0].commitment in whole.parts]


def test_the_seats_of_a_side_read_each_others_sealed_orders_and_nobody_elses(server: Server) -> None:
    match = a_match(server)
    exchange = load(server, match).record.open_exchange
    for seat, said in NORTH_MARCHES.items():
        sealing.seal(server, match, seat, exchange, said)

    assert order_contents(server, match, "north-2") == ["north-1", "north-2"]
    assert order_contents(server, match, "south-1") == ["south-1", "south-2"]
    assert order_contents(server, match, PUBLIC) == []


def test_a_seats_orders_are_replaced_without_touching_the_others(server: Server) -> None:
    match = a_match(server)
    exchange = load(server, match).record.open_exchange
    for seat, said in NORTH_MARCHES.items():
        sealing.seal(server, match, seat, exchange, said)
    sealing.seal(server, match, "north-2", exchange, Submission({"march": {"n2": 1}}))
    for seat in TEAMS:
        sealing.finalise(server, match, seat, exchange)
    advancing.advance(server, match)

    runners = load(server, match).run.state.runners
    assert (runners["n1"].space, runners["n2"].space) == (2, 1)


def test_what_a_seat_commands_is_data_of_the_state_and_can_be_lent(server: Server) -> None:
    match = a_match(server)
    play(server, match, {**NORTH_MARCHES, "north-1": Submission({"lend": {"n1": "north-2"}})})
    play(server, match, {})

    here = load(server, match)
    ask = here.run.ask_of("north-2")
    assert ask is not None
    assert here.rules.form(here.run.view("north-2"), ask).splitlines() == ["n1 march 0", "n2 march 0", "n4 march 0"]
    with pytest.raises(Refusal, match="you do not command that runner"):
        sealing.seal(server, match, "north-1", here.record.open_exchange, Submission({"march": {"n1": 1}}))


@pytest.mark.parametrize("viewer", [*TEAMS, PUBLIC, MASTER])
def test_stored_findings_give_each_viewer_what_it_may_see(server: Server, viewer: str) -> None:
    match = a_match(server)
    play(server, match, NORTH_MARCHES)
    entry = load(server, match).record.resolved[-1]
    assert entry.resolved is not None

    stored = findings_of(server, entry, viewer)

    assert any(finding.rule == "1.1" for finding in stored)
    answered = [finding for finding in stored if finding.rule == "pbem/answered"]
    assert bool(answered) == (viewer in ("south-1", MASTER))
    audiences = [ref.audience for ref in entry.resolved.parts if ref.name == "findings"]
    assert audiences == [PUBLIC, "side/north", "side/south", *TEAMS, MASTER]


def test_the_match_replays_and_verifies_for_every_viewer(server: Server) -> None:
    match = a_match(server, reactions="mover")
    for _ in range(6):
        play(server, match, NORTH_MARCHES if load(server, match).run.asks[0].kind == "march" else {})
    replay(server, match)
    for viewer in (*TEAMS, PUBLIC):
        assert verify_export(read_export(export(server, match, viewer)), TITLES).problems == []


SEATS = ("a1", "a2", "b1")
AUDIENCES = st.none() | st.lists(st.sampled_from(SEATS), unique=True).map(tuple)
TREES = st.recursive(
    st.builds(Finding, st.sampled_from("123"), AUDIENCES),
    lambda inner: st.builds(
        lambda rule, to, children: Finding(rule, to, children=tuple(children)),
        st.sampled_from("123"),
        AUDIENCES,
        st.lists(inner, max_size=3),
    ),
    max_leaves=12,
)


@given(findings=st.lists(TREES, max_size=6))
def test_findings_split_by_audience_come_together_again(findings: list[Finding]) -> None:
    public = seen_by(findings, PUBLIC)
    side = put_together(public, only_seen_by(findings, ["a1", "a2"], [[PUBLIC]]))
    for seat in ("a1", "a2"):
        own = only_seen_by(findings, [seat], [[PUBLIC], ["a1", "a2"]])
        assert put_together(side, own) == seen_by(findings, seat)
    assert put_together(public, only_seen_by(findings, ["b1"], [[PUBLIC]])) == seen_by(findings, "b1")
    assert put_together(public, only_seen_by(findings, [MASTER], [[PUBLIC]])) == seen_by(findings, MASTER)


def test_an_answer_that_says_nothing_is_stored_as_the_name_of_its_ask(server: Server) -> None:
    replies: Replies = {
        "a1": Automatic("fire b1", None),
        "b1": Automatic("fire a1", "b1", "plan", "b1 fire within 2"),
    }
    assert stored_replies(replies)["a1"] == "fire b1"
    stored = msgspec.json.decode(msgspec.json.encode(stored_replies(replies)), type=dict[str, Automatic | str])
    assert from_record(stored) == replies

    match = a_match(server)
    play(server, match, NORTH_MARCHES)
    assert any(
        reply.answer is None
        for replies in autos_of(server, load(server, match).record.resolved[-1])
        for reply in replies.values()
    )


def test_a_later_submission_replaces_only_the_sections_of_the_plan_that_it_has(server: Server) -> None:
    rules = load(server, a_match(server)).rules
    merged = rules.merge_plan({"press": {"do": "on"}}, {"fire": {"n1": {"within": 1}}})
    assert merged == {"press": {"do": "on"}, "fire": {"n1": {"within": 1}}}
    assert rules.merge_plan(merged, {"press": {"do": "halt"}})["press"] == {"do": "halt"}


def test_a_clause_that_holds_once_is_remembered_across_the_exchanges_of_its_period(tmp_path: Path) -> None:
    """A standing order that acts once per period does not act again after an exchange in the middle of that
    period."""
    for seed in range(12):
        folder = tmp_path / str(seed)
        folder.mkdir()
        server = a_server(folder, seed, titles=TITLES)
        match = creating.create(server, "relay", "teams", seats=TEAMS, reactions="mover")
        while not (here := load(server, match)).record.ended and here.run.asks[0].kind != "press":
            play(server, match, everybody_marches_and_fires_once(here))
        if here.record.ended:
            continue
        before = clauses(server, match, -1)
        play(server, match, {here.run.asks[0].seat: Submission("on")})
        assert set(before) & set(clauses(server, match, -1)) == set()
        minds = minds_of(server, here, load(server, match).record.resolved[-1])
        assert sum(sum(mind.used.values()) for mind in minds.values()) == len(before)
        return
    raise AssertionError("nobody was hit in the middle of a march")


def everybody_marches_and_fires_once(here: Position) -> dict[str, Submission]:
    """Return orders that move every runner as far as possible and let it fire once."""
    given = {}
    for ask in here.run.asks:
        runners = [name for name, runner in here.run.state.runners.items() if runner.seat == ask.seat]
        march = here.rules.propose(here.run.view(ask.seat), ask, Wish(tuple(runners), "march")).lines
        fire = {name: {"within": 3, "once": True} for name in runners}
        steps = {line.split()[0]: int(line.split()[2]) for line in march}
        given[ask.seat] = Submission({"march": steps}) if ask.kind == "march" else Submission(None, {"fire": fire})
    return given


def clauses(server: Server, match: str, number: int) -> list[str]:
    entry = load(server, match).record.resolved[number]
    return [reply.clause for replies in autos_of(server, entry) for reply in replies.values() if reply.clause]


def test_a_mode_that_the_title_does_not_have_is_refused(server: Server) -> None:
    with pytest.raises(Refusal, match="choose plan or ask or mover for reactions"):
        a_match(server, reactions="battle")


@pytest.mark.parametrize(
    ("reactions", "kinds"), [("plan", {"march", "stance"}), ("ask", {"march", "stance", "fire", "press"})]
)
def test_which_asks_wait_depends_on_the_mode_and_the_grade_alone(
    server: Server, reactions: str, kinds: set[str]
) -> None:
    match = a_match(server, reactions=reactions)
    seen = set[str]()
    for _ in range(40):
        here = load(server, match)
        seen |= {ask.kind for ask in here.run.asks}
        if here.record.ended:
            break
        play(
            server,
            match,
            NORTH_MARCHES
            if here.run.asks[0].seat.startswith("north") and len(here.run.asks) > 1 and here.run.state.turn == 1
            else {},
        )
    assert {"march", "stance"} <= seen <= kinds
