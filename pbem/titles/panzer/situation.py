"""2.0 A match as its rules look at it: the data with the state, or with a seat's view of the state."""

from __future__ import annotations

from typing import TypeAlias

from pbem.engine.rules import situation
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.state import PanzerState

Situation: TypeAlias = situation.Situation[PanzerData, PanzerState]
"""The first argument of functions that ask about the rules. A step passes its table, a decision `self.situation`."""


class Situated:
    """Something that is judged in a situation: a shot, a fight, a move."""

    situation: Situation

    @property
    def data(self) -> PanzerData:
        return self.situation.data

    @property
    def state(self) -> PanzerState:
        return self.situation.state
