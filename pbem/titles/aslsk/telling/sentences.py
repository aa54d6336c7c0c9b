"""Findings in sentences: `TELLING.tell` returns a message."""

from __future__ import annotations

from pbem.titles.aslsk.telling import course_sentences, fire_sentences
from pbem.titles.aslsk.telling.base import TELLING
from pbem.titles.aslsk.telling.vehicles import add_vehicle_sentences

__all__ = ["TELLING", "course_sentences", "fire_sentences"]
add_vehicle_sentences(TELLING)
