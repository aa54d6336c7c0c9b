"""The fields of every event of a match, as the verifier in the browser names them."""

from __future__ import annotations

from pbem.matches.events import CATALOGUE, MatchEvent
from pbem.matches.events.catalogue import fields_of


def fields_of_events() -> dict[str, str]:
    """Return the fields of each type, with their types."""
    return {
        word: " ".join(fields_of(kind)) for word, kind in sorted(CATALOGUE.items()) if issubclass(kind, MatchEvent)
    }
