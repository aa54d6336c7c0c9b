"""T1 A match as the rules see it: its data with the state, or with a seat's view of the state."""

from __future__ import annotations

from typing import TypeAlias

from pbem.engine.rules import situation
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.state import TanksState

Situation: TypeAlias = situation.Situation[TanksData, TanksState]
"""The first argument of functions that ask about the rules. A step passes its table, a decision `self.situation`."""
