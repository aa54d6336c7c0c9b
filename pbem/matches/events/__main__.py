"""Print `guide/events.md`."""

from __future__ import annotations

from pbem.matches.events.catalogue import catalogue

print(catalogue(), end="")
