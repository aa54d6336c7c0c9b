"""7.2 The view of a seat, which shows everything: stacks, tracks and markers are open to all (9.0).

The only secrets are orders that have not been carried out, and these are not part of the state.
"""

from __future__ import annotations

from pbem.titles.nato.state import NatoState


def view_of(state: NatoState, viewer: str) -> NatoState:
    """9.0 Return the state itself, which callers must not change."""
    return state
