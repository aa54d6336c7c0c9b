"""4.4.1 Shots in a few words, for forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.engine.text.messages import Message, say
from pbem.titles.panzer.ap.ap_damage import basic_effect
from pbem.titles.panzer.ap.shot_basics import aspect_of, stronger_aspect
from pbem.titles.panzer.fire.aiming import Entry, Occasion, aimed_by
from pbem.titles.panzer.player.prospects import chance_of
from pbem.titles.panzer.telling.words.codes import word

SHOWN: Final = 4
"""How many targets, calls and flights are listed for each unit."""


PROMISES: Final = {
    "no-effect": say("no effect"),
    "ko": say("knocks out"),
    "bu": say("brews up"),
    "damaged": say("damages"),
}
"""4.4.3.2.5 The possible effects of a hit, in words."""


def best_by_target(shots: Sequence[Entry]) -> list[Entry]:
    """The best shot at each target, best first."""
    found: dict[str, Entry] = {}
    for shot in shots:
        found.setdefault(shot.target, shot)
    return list(found.values())


def describe_shot(occasion: Occasion, shot: Entry) -> Message:
    """6.5 A shot's target, type of fire and chance."""
    if occasion.data.basic:
        aimed = aimed_by(occasion, shot)
        effect = basic_effect(aimed, aspect_of(aimed) or stronger_aspect(aimed))
        return say(
            "{target} range {range} hit {number} {effect}",
            target=shot.target,
            range=aimed.range,
            number=aimed.hit_number,
            effect=PROMISES.get(effect) or word(effect),
        )
    how = shot.how.removeprefix("ap:").lower()
    return say("{target} {how} {chance}", target=shot.target, how=how, chance=chance_of(occasion, shot))
