"""The situation: a match as its rules see it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Generic, TypeVar

D = TypeVar("D")
S = TypeVar("S")


class Situation(Generic[D, S]):
    """The frozen data of a match, with its state or with one seat's view of it.

    Functions that answer questions about the rules take a situation, so they work both on the server's state and
    on a player's view. The table at which the steps are played is a situation too.
    """

    def __init__(self, data: D, state: S) -> None:
        self.data = data
        self.state = state


class Outlook(Situation[D, S]):
    """A situation that does not change while it is judged: a seat's view, as a decision sees it.

    `worked_out` holds what has been worked out from it, so that a second question does not compute it again.
    """

    def __init__(self, data: D, state: S) -> None:
        super().__init__(data, state)
        self.worked_out: dict[Hashable, Any] = {}
