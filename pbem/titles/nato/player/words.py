"""The words of findings as readers see them: sides, places off the map, modifiers and reasons."""

from __future__ import annotations

from typing import Any, Final

from pbem.engine.text.messages import Message, Name, Value, say, term
from pbem.titles.nato.map.ground import Side

SIDES: Final = {str(Side.WP): term("nato side", "the Warsaw Pact"), str(Side.NATO): term("nato side", "NATO")}
"""The names of the sides within a sentence; at its beginning, use `SUBJECTS`."""
SUBJECTS: Final = {str(Side.WP): term("nato side, first word", "The Warsaw Pact"), str(Side.NATO): SIDES["nato"]}
PLACES: Final[dict[str, Value]] = {
    "srb": term("nato place", "the Strategic Reserve Box"),
    **{f"sector{number}": say("sector box {number}", number=number) for number in range(1, 10)},
}
WORDS: Final = (
    term("nato word", "clear"),
    term("nato word", "small city"),
    term("nato word", "major city"),
    term("nato word", "forest"),
    term("nato word", "rough"),
    term("nato word", "marsh"),
    term("nato word", "mountain"),
    term("nato word", "mountain across a pass"),
    term("nato word", "major river"),
    term("nato word", "minor river"),
    term("nato word", "surprise"),
    term("nato word", "border troops"),
    term("nato word", "entering an enemy zone of control"),
    term("nato word", "leaving an enemy zone of control"),
    term("nato word", "attack helicopters"),
    term("nato word", "defending attack helicopters"),
    term("nato word", "concentric attack"),
    term("nato word", "flank attack"),
    term("nato word", "maximum concentration"),
    term("nato word", "disrupted"),
    term("nato word", "across a minor river"),
    term("nato word", "across a major river"),
    term("nato word", "behind maneuver units"),
    term("nato word", "it cannot coordinate"),
    term("nato word", "air strikes"),
    term("nato word", "nuclear strikes"),
    term("nato word", "chemical strikes"),
    term("nato word", "contested"),
    term("nato word", "enemy"),
    term("nato word", "friendly"),
    term("nato word", "no effect"),
    term("nato word", "intercepted"),
    term("nato word", "supplied"),
    term("nato word", "rail"),
    term("nato word", "East German maneuvers"),
    term("nato word", "expanded frontal air operations"),
    term("nato word", "maneuvers of the Warsaw Pact allies"),
    term("nato word", "maneuvers of the bloc"),
    term("nato word", "tactical"),
    term("nato word", "operational"),
    term("nato word", "key city"),
    term("nato word", "fortified"),
    term("nato word", "assault"),
    term("nato word", "across a causeway"),
    term("nato word", "into a bridge hex"),
    term("nato word", "strike marker"),
    term("nato word", "out of combat supply"),
    term("nato word", "on a train"),
    term("nato word", "engaged"),
    term("nato word", "friendly airspace"),
    term("nato word", "enemy airspace"),
    term("nato word", "air interdiction"),
    term("nato word", "nuclear strike hex"),
    term("nato word", "defender"),
    term("nato word", "attacker"),
    term("nato word", "advance"),
    term("nato word", "losses"),
    term("nato word", "retreat"),
    term("nato word", "disruption"),
    term("nato word", "eliminated"),
    term("nato word", "reduced"),
    term("nato word", "damaged"),
    term("nato word", "helicopter"),
    term("nato word", "chemical"),
    term("nato word", "sea"),
    term("nato word", "march"),
    term("nato word", "air"),
)
TERRAIN: Final = {
    "armor into small city": term("nato word", "armor into a small city"),
    "armor into major city": term("nato word", "armor into a major city"),
    "soft unit in small city": term("nato word", "soft unit in a small city"),
    "soft unit in major city": term("nato word", "soft unit in a major city"),
    "armor into key city": term("nato word", "armor into a key city"),
    "armor into mountain": term("nato word", "armor into mountains"),
    "armor into forest": term("nato word", "armor into a forest"),
    "armor into rough": term("nato word", "armor into rough terrain"),
    "soft unit in key city": term("nato word", "soft unit in a key city"),
    "soft unit in forest": term("nato word", "soft unit in a forest"),
    "soft unit in rough": term("nato word", "soft unit in rough terrain"),
    "soft unit in mountain": term("nato word", "soft unit in mountains"),
    "soft unit in fortified": term("nato word", "soft unit in a fortified hex"),
}
"""25.3 The words for reasons that end in a kind of terrain, by the code in the record."""
BY_CODE: Final = {message.text: message for message in WORDS} | TERRAIN
SUPPORT: Final = "Offensive Support of "
"""25.4 The record's prefix for this shift; the name of the headquarters follows."""


def word(code: str) -> Value:
    """A word from a finding: a translatable term if it is known, otherwise a name."""
    if code.startswith(SUPPORT):
        return say("Offensive Support of {hq}", hq=code.removeprefix(SUPPORT))
    return BY_CODE.get(code) or Name(code)


def side(found: Any) -> Value:
    """The name of a side within a sentence."""
    return SIDES.get(str(found), Name(str(found)))


def subject(found: Any) -> Value:
    """The name of a side at the beginning of a sentence."""
    return SUBJECTS.get(str(found), Name(str(found)))


def factor(text: str) -> Value:
    """25.3 A multiplier of a unit's strength in words, such as `disrupted x1/2`."""
    why, times, number = text.rpartition(" x")
    return say("{why} x{number}", why=word(why), number=number) if times else word(text)


def brigade(code: str) -> Value:
    """18.4 A headquarters' attack helicopters, by their name in the record."""
    _, of, hq = code.partition("brigade of ")
    return say("the helicopter brigade of {hq}", hq=hq) if of else Name(code)


def nation(code: str) -> Value:
    """The country of a nationality, by its code in the record."""
    return NATIONS.get(code) or Name(code)


def measure(code: str) -> Message | Value:
    return MEASURES.get(code, Name(code))


NATIONS: Final = {
    "BE": term("country", "Belgium"),
    "CS": term("country", "Czechoslovakia"),
    "DK": term("country", "Denmark"),
    "EG": term("country", "East Germany"),
    "FR": term("country", "France"),
    "NL": term("country", "the Netherlands"),
    "PL": term("country", "Poland"),
    "SU": term("country", "the Soviet Union"),
    "UK": term("country", "the United Kingdom"),
    "US": term("country", "the United States"),
    "WG": term("country", "West Germany"),
}
MOBILIZED: Final = {
    "allies": term("nato side", "the Warsaw Pact allies"),
    "nato": SIDES["nato"],
    "soviet": term("nato side", "the Soviets"),
}
"""39.3 Whose mobilization a clock measures, by the code in the record."""
MEASURES: Final = {
    "german": term("nato measure", "East German maneuvers"),
    "allies": term("nato measure", "maneuvers of the Warsaw Pact allies"),
    "bloc": term("nato measure", "maneuvers of the bloc"),
    "air1": term("nato measure", "expanded frontal air operations"),
    "air2": term("nato measure", "further expanded frontal air operations"),
}
