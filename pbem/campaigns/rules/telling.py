"""C8.3 One sentence for each finding of a campaign, for the chronicle, reports and emails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from pbem.campaigns.rules.words import BATTLES
from pbem.engine.rules.findings import Finding

Names = Mapping[str, str]
"""The names of battlegroups, provinces and commanders, by their ids."""
NAMED: Final = ("group", "from", "province")
"""Inputs that are ids in findings and names in sentences."""
RESULTS: Final = ("C1.2", "C7.2", "C7.4", "C7.5", "C7.6")
"""The rules whose result is an id that is shown as a name."""


def tell(finding: Finding, names: Names | None = None) -> str:
    """A finding in one sentence."""
    known, names = SENTENCES.get(finding.rule), names or {}
    if known is None:
        return f"{finding.rule}: {finding.result}"
    said = {key: names.get(value, value) if key in NAMED else value for key, value in finding.inputs.items()}
    if finding.rule in RESULTS and "before" not in finding.inputs:  # C7.2: a province is taken by a side
        finding = msgspec.structs.replace(finding, result=names.get(str(finding.result), finding.result))
    return known(finding, said)


def tell_tree(finding: Finding, names: Names | None = None) -> list[str]:
    """A finding and the findings below it, indented."""
    found = [tell(finding, names)]
    for child in finding.children:
        found += [f"  {line}" for line in tell_tree(child, names)]
    return found


def title(side: str | None) -> str:
    return (side or "").capitalize()


def points_in_words(score: Mapping[str, int]) -> str:
    """The points of both sides: German 2, Soviet 0."""
    return ", ".join(f"{title(side)} {points}" for side, points in score.items())


def number_of(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _fate(finding: Finding, said: Mapping[str, Any]) -> str:
    words = {
        "fit": "came through {place} undamaged",
        "damaged": "was damaged at {place}",
        "withdrawn": "withdrew from {place}",
        "missing": "is missing after {place}",
        "captured": "was abandoned at {place} and captured",
        "lost": "was destroyed at {place}",
    }
    return f"{said['name']} ({said['unit']}) {words[str(finding.result)].format(place=said['place'])}."


def _damage_or_kills(finding: Finding, said: Mapping[str, Any]) -> str:
    if "kills" in said:
        return f"It had destroyed {number_of(finding.result, 'enemy unit', 'enemy units')}."
    return f"It took {said['by']} of damage and now has {finding.result}."


def _learned(finding: Finding, said: Mapping[str, Any]) -> str:
    parts = [f"{said['battle']} for the battle"]
    if said["kills"]:
        number = said["number"]
        parts.append(f"{said['kills']} for {number} kill{'s' if number != 1 else ''}")
    if said["victory"]:
        parts.append(f"{said['victory']} for the victory")
    risen = f"; it is now {said['grade']}" if said["grade"] != said["before"] else ""
    return f"Experience {finding.result}: {', '.join(parts)}{risen}."


def _result(finding: Finding, said: Mapping[str, Any]) -> str:
    score = points_in_words(said["score"])
    plain = ", ".join(f"{side} {points}" for side, points in said["score"].items())
    reason = str(said.get("how", "")).removeprefix(plain).removeprefix(": ")
    how = f" ({reason})" if reason else ""
    if finding.result is None:
        return f"Battle {said['battle']}, {said['place']}, ended in a draw: {score}{how}."
    kind = ", decisively" if said["decisive"] else ""
    return f"{title(finding.result)} won battle {said['battle']}, {said['place']}{kind}: {score}{how}."


def _called(finding: Finding, said: Mapping[str, Any]) -> str:
    number = f"{finding.result} units go" if finding.result != 1 else "One unit goes"
    return f"{number} into battle {said['battle']}, {said['place']}: {' '.join(said['units'])}."


def _absent(finding: Finding, said: Mapping[str, Any]) -> str:
    if finding.result is None:
        return f"Neither side had a unit fit to fight at {said['place']}."
    who = title(said["absent"][0])
    return f"{who} had no unit fit to fight at {said['place']} and gave up the field."


def _income(finding: Finding, said: Mapping[str, Any]) -> str:
    less = f" ({said['base']} less {said['each']} for each of {said['lead']} points of lead)" if said["lead"] else ""
    return f"Income for the {title(said['side'])} side: {said['income']} points{less}; {finding.result} in hand."


def _repair(finding: Finding, said: Mapping[str, Any]) -> str:
    if finding.result == "ready":
        return f"{said['name']} ({said['unit']}) is back from repair."
    return (
        f"{said['name']} ({said['unit']}) goes into repair for {said['cost']} points, until stage {finding.result}."
    )


def _purchase(finding: Finding, said: Mapping[str, Any]) -> str:
    if "count" in said:
        return f"Bought {said['count']} × {said['name']} for {said['cost']} points, which leaves {finding.result}."
    rolled = f"{finding.dice[0]} of at least {said['needed']}"
    if finding.result:
        return f"{said['name']} ({said['unit']}) arrived ({rolled})."
    return f"{said['name']} is still on its way ({rolled})."


def _missing(finding: Finding, said: Mapping[str, Any]) -> str:
    rolled = f"{finding.dice[0]} of at least {said['needed']}"
    if finding.result == "back":
        return f"{said['name']} ({said['unit']}) found its way back, damaged ({rolled})."
    return f"{said['name']} ({said['unit']}) did not come back ({rolled})."


def _score(finding: Finding, said: Mapping[str, Any]) -> str:
    return f"Campaign points: {points_in_words(finding.result)}."


def _end(finding: Finding, said: Mapping[str, Any]) -> str:
    score = points_in_words(said["score"])
    who = f"{title(finding.result)} won" if finding.result else "Nobody won"
    return f"{who} the campaign after {said['stage']} stages: {score}."


def _moved(finding: Finding, said: Mapping[str, Any]) -> str:
    if "province" in said:
        before = f" from {title(said['before'])}" if said["before"] else ""
        return f"{title(finding.result)} took {said['name']}{before}."
    return f"{said['group']} went from {said['from']} to {finding.result}."


def _retreat(finding: Finding, said: Mapping[str, Any]) -> str:
    if "unit" in said:
        return f"{said['name']} ({said['unit']}): {finding.dice[0]}, {finding.result}."
    how = "was cut off and broke out to" if said["cut_off"] else "fell back to"
    return f"{said['group']} {how} {finding.result}."


def _appointed(finding: Finding, said: Mapping[str, Any]) -> str:
    if said["group"] == BATTLES:
        return f"{finding.result} now leads the battles."
    return f"{finding.result} now commands {said['group']}."


def _held(finding: Finding, said: Mapping[str, Any]) -> str:
    held = ", ".join(f"{title(side)} {number_of(hexes, 'hex', 'hexes')}" for side, hexes in finding.result.items())
    return f"Ground held at {said['place']}: {held}."


SENTENCES: Final[Mapping[str, Callable[[Finding, Mapping[str, Any]], str]]] = {
    "C1.1": lambda finding, said: f"Stage {said['stage']} begins.",
    "C1.2": _appointed,
    "C1.4": lambda finding, said: f"A new season begins: {finding.result}.",
    "C3.1": _called,
    "C3.2": _absent,
    "C3.6": lambda finding, said: f"Both sides rest, and there is no battle at {said['place']}.",
    "C3.6/rest": lambda finding, said: f"The side rests and gains {said['rest']} points: it has {finding.result}.",
    "C3.3": lambda finding, said: f"Battle {said['battle']} begins at {said['place']}.",
    "C3.4": lambda finding, said: f"Battle {said['battle']} at {said['place']} continues into the next stage.",
    "C3.7": _held,
    "C4": _result,
    "C4.1": _fate,
    "C4.2": _damage_or_kills,
    "C4.3": _learned,
    "C4.4": lambda finding, said: f"{said['points']} points for a unit captured from the enemy.",
    "C4.5": _missing,
    "C4.6": lambda finding, said: f"A new crew takes over: {said['grade']}.",
    "C5.1": _income,
    "C5.2": _repair,
    "C5.3": _purchase,
    "C6.1": _score,
    "C6.2": _end,
    "C7.2": _moved,
    "C7.3": lambda finding, said: f"Two battlegroups met on the way at {said['province']}.",
    "C7.4": lambda finding, said: f"{said['group']} went back to {finding.result}: too many battles at once.",
    "C7.5": _retreat,
    "C7.6": lambda finding, said: f"{said['unit']} joins {finding.result}.",
}
