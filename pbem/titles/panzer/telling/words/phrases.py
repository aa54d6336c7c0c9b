"""Simple findings: a sentence for each result, from one module for each group of chapters.

PHRASES      sentences by rule, or by the paragraph that a rule belongs to, and by result
phrase_of    the sentence for a finding
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, Signed, Value, named, say_n
from pbem.engine.text.sentences import Phrases, data
from pbem.titles.panzer.cards.charts import switches
from pbem.titles.panzer.telling.words.air_phrases import AIR_PHRASES
from pbem.titles.panzer.telling.words.codes import rows, word
from pbem.titles.panzer.telling.words.fire_phrases import FIRE_PHRASES
from pbem.titles.panzer.telling.words.movement_phrases import MOVEMENT_PHRASES
from pbem.titles.panzer.telling.words.optional_phrases import OPTIONAL_PHRASES
from pbem.titles.panzer.telling.words.sides import side_term
from pbem.titles.panzer.telling.words.spotting_phrases import SPOTTING_PHRASES
from pbem.titles.panzer.telling.words.unit_phrases import UNIT_PHRASES

PHRASES: Final[Mapping[str, Mapping[str, Message | tuple[Message, ...]]]] = {
    **OPTIONAL_PHRASES,
    **UNIT_PHRASES,
    **SPOTTING_PHRASES,
    **AIR_PHRASES,
    **FIRE_PHRASES,
    **MOVEMENT_PHRASES,
}
"""A sentence for each result (`*`: any other), or several; the first for which all words are available is used."""


def words_of(finding: Finding) -> dict[str, Value]:
    """The words a sentence may use: the inputs, the result, dice, modifiers, cell, and the number of subjects."""
    words = {name: word(found) for name, found in finding.inputs.items()}
    words |= {name: side_term(str(finding.inputs[name])) for name in SIDES if name in words}
    words |= {"result": word(finding.result), "modifiers": rows(finding)}
    words |= {"applied": words["modifiers"]} if finding.modifiers else {}
    words |= {"signed": Signed(finding.result)} if type(finding.result) is int else {}
    for name, found in {**finding.inputs, "result": finding.result}.items():
        if name in COUNTED and type(found) is int:
            words[f"{name}_hexes"] = say_n("{n} hex", "{n} hexes", n=found)
            words[f"{name}_levels"] = say_n("{n} level", "{n} levels", n=found)
    if (reading := readings().get(str(finding.inputs.get("reading")))) is not None:
        words["reading"] = named("panzer reading", reading)
    words["n"] = next((len(found) for name in SUBJECTS if isinstance(found := finding.inputs.get(name), list)), 1)
    words |= {"cell": word(finding.cell)} if finding.cell is not None else {}
    return words | ({"dice": data(finding.dice)} if finding.dice else {})


@cache
def readings() -> dict[str, str]:
    """house/… The alternative to each ruling, in words, by the switch that brings it into play."""
    return {switch.id: switch.text for switch in switches()}


SIDES: Final = ("side", "winner", "owner")
"""The inputs that name a side."""
COUNTED: Final = ("below", "distance", "range", "result")
"""Numbers that a sentence may count in hexes or levels."""
SUBJECTS: Final = ("units", "spotted_by", "passengers", "engineers", "weapons")
"""The inputs that a verb agrees with."""
phrase_of: Final = Phrases(PHRASES, words_of)
