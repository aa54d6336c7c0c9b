"""Between two steps the dicts of a state have the order that a round trip through bytes gives them."""

from threading import Thread
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.rules import state as state_module
from pbem.engine.rules.state import State, copy, in_order, sort_dicts


class Piece(msgspec.Struct):
    loads: dict[str, int] = msgspec.field(default_factory=dict)
    tow: "Piece | None" = None


class Board(State, kw_only=True):
    pieces: dict[str, Piece] = msgspec.field(default_factory=dict)
    seen: dict[str, list[str]] = msgspec.field(default_factory=dict)
    rows: list[dict[str, int]] = msgspec.field(default_factory=list)
    pairs: tuple[tuple[str, dict[str, int]], ...] = ()
    notes: Any = None
    plain: str = ""


words = st.text(max_size=3)
counts = st.dictionaries(words, st.integers(0, 9), max_size=4)
pieces = st.builds(Piece, loads=counts, tow=st.none() | st.builds(Piece, loads=counts))
boards = st.builds(
    Board,
    pieces=st.dictionaries(words, pieces, max_size=4),
    seen=st.dictionaries(words, st.lists(words, max_size=2), max_size=4),
    rows=st.lists(counts, max_size=3),
    pairs=st.lists(st.tuples(words, counts), max_size=2).map(tuple),
    notes=st.recursive(
        counts, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner), max_leaves=4
    ),
)


@given(boards)
def test_sorted_dicts_are_in_the_order_of_a_round_trip(board: Board) -> None:
    wanted = in_order(copy(board))
    sort_dicts(board)
    assert in_order(board) == wanted


def test_a_state_is_sorted_while_another_thread_learns_its_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads may use a new type of state at the same moment, as the first two page requests of a server do."""

    class Fresh(State, kw_only=True):
        shots: dict[str, int]

    learn, first = state_module.inspect.type_info, Fresh(shots={"b": 1, "a": 2})
    meanwhile = Fresh(shots={"d": 1, "c": 2})

    def interrupted(kind: type) -> object:
        monkeypatch.setattr(state_module.inspect, "type_info", learn)
        worker = Thread(target=sort_dicts, args=(meanwhile,))
        worker.start()
        worker.join()
        return learn(kind)

    monkeypatch.setattr(state_module.inspect, "type_info", interrupted)
    sort_dicts(first)
    assert [list(first.shots), list(meanwhile.shots)] == [["a", "b"], ["c", "d"]]
