"""The fields of every event of a match, in the form that the verifier in the browser uses."""

from __future__ import annotations

from pbem.matches.events import CATALOGUE, MatchEvent
from pbem.matches.events.catalogue import fields_of


def fields_of_events() -> dict[str, str]:
    """Return the names and types of the fields of each event type."""
    return {
        word: " ".join(fields_of(kind)) for word, kind in sorted(CATALOGUE.items()) if issubclass(kind, MatchEvent)
    }
