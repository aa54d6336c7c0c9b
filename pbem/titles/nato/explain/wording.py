"""Explanations in sentences: what a page says about a unit, a hex, a battle or the match, with the rule behind it.

tell         a finding of this folder as a message
sentences    findings for a page
source       10.3.1 a source of supply in words
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, Name, Value, say, several, term
from pbem.engine.text.sentences import YES_OR_NO, Phrases, Telling, data
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.explain import battle_phrases, hex_phrases, match_phrases, unit_phrases
from pbem.titles.nato.player.words import NATIONS, PLACES, SIDES, nation, side, subject, word

SOURCES: Final = {
    "": term("nato source", "none"),
    "home": term("nato source", "its home country"),
    "friendly": term("nato source", "an allied country"),
    "box": term("nato source", "off the map"),
}
"""10.3.1 The sources of supply that are not places or headquarters."""


def source(found: str) -> Message | Name:
    """10.3.1 Return a source of supply in words, or as the name of a city or headquarters."""
    return SOURCES.get(found) or Name(found)


CODES: Final = {
    "airborne": term("nato symbol", "airborne infantry"),
    "airborne_mech": term("nato symbol", "mechanized airborne infantry"),
    "airmobile": term("nato symbol", "airmobile infantry"),
    "airmobile_antitank": term("nato symbol", "airmobile anti-tank"),
    "armor": term("nato symbol", "armor"),
    "cavalry": term("nato symbol", "armored cavalry"),
    "artillery": term("nato symbol", "artillery"),
    "hq": term("nato symbol", "headquarters"),
    "infantry": term("nato symbol", "infantry"),
    "marine": term("nato symbol", "marine infantry"),
    "marine_hq": term("nato symbol", "marine headquarters"),
    "marine_mech": term("nato symbol", "mechanized marines"),
    "mechanized": term("nato symbol", "mechanized infantry"),
    "ground": term("nato type", "ground unit"),
    "combat": term("nato type", "combat unit"),
    "hard": term("nato type", "hard unit"),
    "soft": term("nato type", "soft unit"),
    "ground attack": term("nato function", "ground attacks"),
    "strikes": term("nato function", "strikes"),
    "supply": term("nato function", "supply"),
    "passes zones of control": term("nato function", "movement between enemy zones of control"),
    "halved against cities and mountains": term("nato function", "half strength against cities and mountains"),
    "flies": term("nato function", "helicopter and air movement"),
    "drops": term("nato function", "parachute drops"),
    "sails": term("nato function", "amphibious landings"),
    "north_sea": term("sea area", "the North Sea"),
    "baltic": term("sea area", "the Baltic"),
    "small_city": term("nato word", "small city"),
    "major_city": term("nato word", "major city"),
    "joint": term("nato turn", "joint"),
    "city": term("nato zone", "the city"),
    **SIDES,
}
"""The words for codes of the data files."""
KINDS: Final = {"movement": term("nato supply", "movement"), "combat": term("nato supply", "combat")}
RIVERS: Final = {"major": term("nato word", "major river"), "minor": term("nato word", "minor river")}
COUNTRIES: Final = {**NATIONS, "LU": term("country", "Luxembourg")}


def value_of(name: str, found: Any) -> Value:
    """An input or a result as an argument of a sentence."""
    if name == "side":
        return subject(found)
    if name == "nation":
        return nation(str(found))
    if name == "kind":
        return KINDS[found]
    if name == "river":
        return RIVERS[found]
    if isinstance(found, str):
        return CODES.get(found) or PLACES.get(found) or COUNTRIES.get(found) or word(found)
    if isinstance(found, bool):
        return YES_OR_NO[found]
    if isinstance(found, list | tuple) and all(isinstance(one, str) for one in found):
        return several(value_of("", one) for one in found)
    return data(found)


def words_of(finding: Finding) -> dict[str, Value]:
    """The values that a sentence may use: the inputs, and the result or its parts. Empty lists are left out."""
    result = finding.result
    found: dict[str, Any] = {**finding.inputs, "result": result}
    if isinstance(result, Mapping):
        found |= {name.replace(" ", "_"): inner for name, inner in result.items()}
    words = {name: value_of(name, inner) for name, inner in found.items() if inner not in ([], {}, None, "")}
    if owner := found.get("side"):
        words["of_side"] = side(owner)
        words["enemy"] = side(Side(str(owner)).enemy)
    if isinstance(result, str):
        words["source"] = source(result)
    if isinstance(result, Mapping) and (lists := lists_of(result)):
        words["lists"] = lists
    if isinstance(result, list | tuple) and len(result) == 2:
        words["first"], words["second"] = (
            source(one) if isinstance(one, str) else value_of("", one) for one in result
        )
    words["n"] = len(result) if isinstance(result, list | tuple) else result if type(result) is int else 1
    return words


def lists_of(result: Mapping[Any, Any]) -> Value | None:
    """The parts of a result as a list, such as each seat with its units."""
    parts = [
        say("{name}: {value}", name=value_of("", str(name)), value=value_of("", inner))
        for name, inner in result.items()
        if inner not in ([], {}, None, "")
    ]
    return several(parts, "clauses") if parts else None


PHRASES: Final = Phrases(
    {**unit_phrases.PHRASES, **hex_phrases.PHRASES, **battle_phrases.PHRASES, **match_phrases.PHRASES}, words_of
)


class Explaining(Telling):
    """Sentences about things as they are; reports have sentences of their own about what has happened."""

    def sentence(self, finding: Finding) -> Message:
        return PHRASES(finding) or super().sentence(finding)


tell: Final = Explaining().tell


def sentences(findings: Iterable[Finding]) -> Iterator[Message]:
    """The sentences of a page, without definitions (6.0) and without results that say that there is nothing."""
    for finding in findings:
        if not finding.rule.startswith("6.0") and (PHRASES(finding) or finding.result not in ([], {}, None, "")):
            yield tell(finding)
