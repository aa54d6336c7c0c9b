"""Prepare the types of stored data before several threads use them.

msgspec collects the fields of a class when it first decodes one, and stores them on the class before they are
complete. A second thread that decodes the same class at that moment ends the process. A server therefore prepares
every class before it starts its threads.
"""

from __future__ import annotations

from contextlib import suppress

import msgspec


def prepare_types() -> int:
    """Build the decoder of every struct that is defined so far; return how many could be built."""
    waiting: list[type[msgspec.Struct]] = [msgspec.Struct]
    done = 0
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        with suppress(TypeError, NameError, AttributeError):  # some are never decoded
            msgspec.json.Decoder(kind)
            done += 1
    return done
