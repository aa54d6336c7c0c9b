"""The situation: a match as its rules see it."""

from __future__ import annotations

from typing import Generic, TypeVar

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
