"""4.4.1 Shots in a few words, for forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.titles.panzer.ap.ap_damage import basic_effect
from pbem.titles.panzer.ap.shots import aspect_of, stronger_aspect
from pbem.titles.panzer.fire.aiming import Entry, Occasion, aimed_by
from pbem.titles.panzer.player.prospects import chance_of

SHOWN: Final = 4
"""How many targets, calls and flights are listed for each unit."""


PROMISES: Final = {"no-effect": "no effect", "ko": "knocks out", "bu": "brews up", "damaged": "damaged"}
"""4.4.3.2.5 The possible effects of a hit, in words."""


def best_by_target(shots: Sequence[Entry]) -> list[Entry]:
    """The best shot at each target, best first."""
    found: dict[str, Entry] = {}
    for shot in shots:
        found.setdefault(shot.target, shot)
    return list(found.values())


def shot_said(occasion: Occasion, shot: Entry) -> str:
    """6.5 A shot's target, type of fire and chance."""
    if occasion.data.basic:
        aimed = aimed_by(occasion, shot)
        effect = basic_effect(aimed, aspect_of(aimed) or stronger_aspect(aimed))
        return f"{shot.target} range {aimed.range} hit {aimed.hit_number} {PROMISES.get(effect, effect)}"
    how = shot.how.removeprefix("ap:").lower()
    return f"{shot.target} {how} {chance_of(occasion, shot)}"
