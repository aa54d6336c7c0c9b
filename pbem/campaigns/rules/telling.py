"""C8.3 One sentence for each finding of a campaign, for the chronicle, reports and emails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from pbem.campaigns.rules.words import BATTLES
from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import (
    Message,
    Name,
    Several,
    fill,
    pattern,
    recorded,
    say,
    say_n,
    several,
    term,
)

Names = Mapping[str, str]
"""The names of battlegroups, provinces and commanders, by their ids."""
NAMED: Final = ("group", "from", "province")
"""Inputs that are ids in findings and names in sentences."""
RESULTS: Final = ("C1.2", "C7.2", "C7.4", "C7.5", "C7.6")
"""The rules whose result is an id that is shown as a name."""


def tell(finding: Finding, names: Names | None = None) -> Message:
    """A finding in one sentence."""
    known, names = SENTENCES.get(finding.rule), names or {}
    if known is None:
        return say("{rule}: {result}", rule=finding.rule, result=finding.result)
    said = {key: names.get(value, value) if key in NAMED else value for key, value in finding.inputs.items()}
    if finding.rule in RESULTS and "before" not in finding.inputs:  # C7.2: a province is taken by a side
        finding = msgspec.structs.replace(finding, result=names.get(str(finding.result), finding.result))
    return known(finding, said)


def tell_tree(finding: Finding, names: Names | None = None) -> list[str]:
    """A finding and the findings below it, indented."""
    found = [str(tell(finding, names))]
    for child in finding.children:
        found += [f"  {line}" for line in tell_tree(child, names)]
    return found


def title(side: str | None) -> Name:
    return Name((side or "").capitalize())


def points_in_words(score: Mapping[str, int]) -> Several:
    """The points of both sides: German 2, Soviet 0."""
    return several((Name(f"{title(side)} {points}") for side, points in score.items()), "unit")


FATES: Final = {
    "fit": pattern("{name} ({unit}) came through {place} undamaged."),
    "damaged": pattern("{name} ({unit}) was damaged at {place}."),
    "withdrawn": pattern("{name} ({unit}) withdrew from {place}."),
    "missing": pattern("{name} ({unit}) is missing after {place}."),
    "captured": pattern("{name} ({unit}) was abandoned at {place} and captured."),
    "lost": pattern("{name} ({unit}) was destroyed at {place}."),
}


def _fate(finding: Finding, said: Mapping[str, Any]) -> Message:
    return fill(FATES[str(finding.result)], said)


def _damage_or_kills(finding: Finding, said: Mapping[str, Any]) -> Message:
    if "kills" in said:
        return say_n("It had destroyed {n} enemy unit.", "It had destroyed {n} enemy units.", n=finding.result)
    total = str(finding.result).removeprefix("damage ")
    return say("It took {by} damage and has {total} in all.", by=said["by"], total=total)


def _tell_experience(finding: Finding, said: Mapping[str, Any]) -> Message:
    parts = [say("{points} for the battle", points=said["battle"])]
    if said["kills"]:
        parts.append(say_n("{points} for {n} kill", "{points} for {n} kills", n=said["number"], points=said["kills"]))
    if said["victory"]:
        parts.append(say("{points} for the victory", points=said["victory"]))
    gained = {"total": finding.result, "parts": several(parts, "unit")}
    if said["grade"] == said["before"]:
        return say("Experience {total}: {parts}.", **gained)
    return say("Experience {total}: {parts}; its grade is now {grade}.", grade=grade_word(said["grade"]), **gained)


def _result(finding: Finding, said: Mapping[str, Any]) -> Message:
    score = points_in_words(said["score"])
    plain = ", ".join(f"{side} {points}" for side, points in said["score"].items())
    reason = str(said.get("how", "")).removeprefix(plain).removeprefix(": ")
    told: Message | Several = say("{score} ({reason})", score=score, reason=recorded(reason)) if reason else score
    about = {"battle": said["battle"], "place": said["place"], "score": told}
    if finding.result is None:
        return say("Battle {battle}, {place}, ended in a draw: {score}.", **about)
    if said["decisive"]:
        return say(
            "The {side} side won battle {battle}, {place}, decisively: {score}.", side=title(finding.result), **about
        )
    return say("The {side} side won battle {battle}, {place}: {score}.", side=title(finding.result), **about)


def _tell_call(finding: Finding, said: Mapping[str, Any]) -> Message:
    about = {"battle": said["battle"], "place": said["place"], "units": " ".join(said["units"])}
    return say_n(
        "{n} unit goes into battle {battle}, {place}: {units}.",
        "{n} units go into battle {battle}, {place}: {units}.",
        n=finding.result,
        **about,
    )


def _absent(finding: Finding, said: Mapping[str, Any]) -> Message:
    if finding.result is None:
        return say("Neither side had a unit fit to fight at {place}.", place=said["place"])
    return say(
        "The {side} side had no unit fit to fight at {place} and gave up the field.",
        side=title(said["absent"][0]),
        place=said["place"],
    )


def _income(finding: Finding, said: Mapping[str, Any]) -> Message:
    about = {"side": title(said["side"]), "income": said["income"], "left": finding.result}
    if not said["lead"]:
        return say("Income for the {side} side: {income} points; {left} in hand.", **about)
    return say(
        "Income for the {side} side: {income} points ({base} less {each} for each of the {lead} points by "
        "which it leads); {left} in hand.",
        base=said["base"],
        each=said["each"],
        lead=said["lead"],
        **about,
    )


def _repair(finding: Finding, said: Mapping[str, Any]) -> Message:
    about = {"name": said["name"], "unit": said["unit"]}
    if finding.result == "ready":
        return say("{name} ({unit}) is back from repair.", **about)
    return say(
        "{name} ({unit}) goes into repair for {cost} points, until stage {stage}.",
        cost=said["cost"],
        stage=finding.result,
        **about,
    )


def _purchase(finding: Finding, said: Mapping[str, Any]) -> Message:
    if "count" in said:
        return say(
            "The side bought {count} × {name} for {cost} points and has {left} left.",
            count=said["count"],
            name=said["name"],
            cost=said["cost"],
            left=finding.result,
        )
    if finding.result:
        return say(
            "{name} ({unit}) arrived ({rolled}).",
            name=said["name"],
            unit=said["unit"],
            rolled=_roll_in_words(finding),
        )
    return say("{name} is still on its way ({rolled}).", name=said["name"], rolled=_roll_in_words(finding))


def _roll_in_words(finding: Finding) -> Message:
    return say("rolled {die}, needed {needed}", die=finding.dice[0], needed=finding.inputs["needed"])


def _missing(finding: Finding, said: Mapping[str, Any]) -> Message:
    about = {"name": said["name"], "unit": said["unit"], "rolled": _roll_in_words(finding)}
    if finding.result == "back":
        return say("{name} ({unit}) found its way back, damaged ({rolled}).", **about)
    return say("{name} ({unit}) did not come back ({rolled}).", **about)


def _score(finding: Finding, said: Mapping[str, Any]) -> Message:
    return say("Campaign points: {score}.", score=points_in_words(finding.result))


def _end(finding: Finding, said: Mapping[str, Any]) -> Message:
    score = points_in_words(said["score"])
    if not finding.result:
        return say("No side won the campaign after {stages} stages: {score}.", stages=said["stage"], score=score)
    return say(
        "The {side} side won the campaign after {stages} stages: {score}.",
        side=title(finding.result),
        stages=said["stage"],
        score=score,
    )


def _tell_move(finding: Finding, said: Mapping[str, Any]) -> Message:
    if "province" not in said:
        return say(
            "{group} went from {start} to {goal}.", group=said["group"], start=said["from"], goal=finding.result
        )
    about = {"side": title(finding.result), "place": said["name"]}
    if said["before"]:
        return say("The {side} side took {place} from the {before} side.", before=title(said["before"]), **about)
    return say("The {side} side took {place}.", **about)


def _retreat(finding: Finding, said: Mapping[str, Any]) -> Message:
    if "unit" in said:
        about = {"name": said["name"], "unit": said["unit"], "die": finding.dice[0]}
        if finding.result == "missing":
            return say("{name} ({unit}) is missing (rolled {die}).", **about)
        return say("{name} ({unit}) is ready (rolled {die}).", **about)
    if said["cut_off"]:
        return say("{group} was cut off and broke out to {goal}.", group=said["group"], goal=finding.result)
    return say("{group} fell back to {goal}.", group=said["group"], goal=finding.result)


def _tell_appointment(finding: Finding, said: Mapping[str, Any]) -> Message:
    if said["group"] == BATTLES:
        return say("{commander} now leads the battles.", commander=finding.result)
    return say("{commander} now commands {group}.", commander=finding.result, group=said["group"])


def _tell_held(finding: Finding, said: Mapping[str, Any]) -> Message:
    held = (
        say_n("{side} {n} hex", "{side} {n} hexes", n=hexes, side=title(side))
        for side, hexes in finding.result.items()
    )
    return say("Ground held at {place}: {held}.", place=said["place"], held=several(held, "unit"))


GRADES: Final = {
    "green": term("campaign grade", "green"),
    "line": term("campaign grade", "line"),
    "regular": term("campaign grade", "regular"),
    "regulars": term("campaign grade", "regulars"),
    "seasoned": term("campaign grade", "seasoned"),
    "veteran": term("campaign grade", "veteran"),
    "elite": term("campaign grade", "elite"),
}


def grade_word(grade: str) -> Message | Name:
    """The grade of a crew; campaign files may name others."""
    return GRADES.get(grade) or Name(grade)


SENTENCES: Final[Mapping[str, Callable[[Finding, Mapping[str, Any]], Message]]] = {
    "C1.1": lambda finding, said: say("Stage {stage} begins.", stage=said["stage"]),
    "C1.2": _tell_appointment,
    "C1.4": lambda finding, said: say("A new season begins: {season}.", season=finding.result),
    "C3.1": _tell_call,
    "C3.2": _absent,
    "C3.6": lambda finding, said: say("Both sides rest, and there is no battle at {place}.", place=said["place"]),
    "C3.6/rest": lambda finding, said: say(
        "The {side} side rests and gains {rest} points; it now has {left}.",
        side=title(said["side"]),
        rest=said["rest"],
        left=finding.result,
    ),
    "C3.3": lambda finding, said: say(
        "Battle {battle} begins at {place}.", battle=said["battle"], place=said["place"]
    ),
    "C3.4": lambda finding, said: say(
        "Battle {battle} at {place} continues into the next stage.", battle=said["battle"], place=said["place"]
    ),
    "C3.7": _tell_held,
    "C4": _result,
    "C4.1": _fate,
    "C4.2": _damage_or_kills,
    "C4.3": _tell_experience,
    "C4.4": lambda finding, said: say(
        "The side gains {points} points for a unit captured from the enemy.", points=said["points"]
    ),
    "C4.5": _missing,
    "C4.6": lambda finding, said: say("A new crew takes over: {grade}.", grade=grade_word(said["grade"])),
    "C5.1": _income,
    "C5.2": _repair,
    "C5.3": _purchase,
    "C6.1": _score,
    "C6.2": _end,
    "C7.2": _tell_move,
    "C7.3": lambda finding, said: say(
        "Two enemy battlegroups met while moving, in {province}.", province=said["province"]
    ),
    "C7.4": lambda finding, said: say(
        "{group} went back to {place}, because too many battles were being fought at once.",
        group=said["group"],
        place=finding.result,
    ),
    "C7.5": _retreat,
    "C7.6": lambda finding, said: say("{unit} joins {group}.", unit=said["unit"], group=finding.result),
}
