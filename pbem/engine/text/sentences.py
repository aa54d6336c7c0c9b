"""Findings in sentences: a title's messages, and a plain wording for the rest.

Telling             a title's wording functions
plain               a finding as plain data
data, names, rows   data as arguments of a message
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from pbem.engine.play.resolve import ANSWERED, FAILED
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail
from pbem.engine.text.messages import (
    Message,
    Name,
    Several,
    Signed,
    Value,
    fields_of,
    fill,
    named,
    recorded,
    say,
    several,
    term,
)

Teller: TypeAlias = Callable[[Finding], Message]


class Telling:
    """Wording functions by rule; each returns a whole sentence.

    A rule with a slash (`4.4.1/spot-fire`) uses the function for its paragraph, unless it has its own.
    """

    def __init__(self) -> None:
        self.tellers: dict[str, Teller] = {}

    def tells(self, *rules: str) -> Callable[[Teller], Teller]:
        """Register a wording function for these rules."""

        def register(teller: Teller) -> Teller:
            self.tellers.update(dict.fromkeys(rules, teller))
            return teller

        return register

    def teller_of(self, rule: str) -> Teller:
        if rule == FAILED:
            return failed_order
        return self.tellers.get(rule) or self.tellers.get(rule.partition("/")[0] if "/" in rule else "") or plain

    def tell(self, finding: Finding) -> Message:
        """Return the finding's sentence, preceded by its rule number."""
        said = self.sentence(finding)
        if finding.rule in (ANSWERED, FAILED):
            return said
        return say("{rule} {sentence}", rule=Name(self.number(finding.rule)), sentence=said)

    def number(self, rule: str) -> str:
        """The number that a reader sees, which is that of the paragraph."""
        return rule.partition("/")[0]

    def sentence(self, finding: Finding) -> Message:
        """The sentence for a finding; plain data if its wording function fails on one from another release."""
        try:
            return fate(finding) or self.teller_of(finding.rule)(finding)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):  # stored by another release
            return plain(finding)

    def tell_tree(self, finding: Finding, depth: int = 0) -> list[str]:
        """The sentence, followed by the indented sentences of all its children, in English."""
        lines = ["  " * depth + str(self.tell(finding))]
        for child in finding.children:
            lines += self.tell_tree(child, depth + 1)
        return lines


def fate(finding: Finding) -> Message | None:
    """Why an order failed, if a finding reports that and names the order as `ordered`."""
    if "ordered" not in finding.inputs:
        return None
    fail = next((shown for shown in finding.shows if isinstance(shown, Fail)), None)
    if fail is None:
        return None
    return fate_of_order(fail.order, fail)


def fate_of_order(order: str, fail: Fail) -> Message:
    """Say that an order failed or was not needed, and why."""
    why, needless = why_failed(fail)
    if needless:
        return say('"{order}" was not needed: {why}.', order=Name(order), why=why)
    return say('"{order}" failed: {why}.', order=Name(order), why=why)


def why_failed(fail: Fail) -> tuple[Value, bool]:
    """The reason why an order failed, and whether the order was not needed; older records say so in the reason."""
    if isinstance(fail.why, str) and fail.why.startswith(NEEDLESS):
        return recorded(fail.why.removeprefix(NEEDLESS)), True
    return recorded(fail.why), fail.needless


NEEDLESS = "not needed: "


def failed_order(finding: Finding) -> Message:
    """Say which order of a plan failed, and why."""
    said = finding.inputs
    args = {"unit": Name(said["unit"]), "order": Name(said["order"]), "why": recorded(finding.result)}
    if said["rule"]:
        return say(
            "The order “{order}” for {unit} failed: {why} ({rule}).", **args, rule=said["rule"].partition("/")[0]
        )
    return say("The order “{order}” for {unit} failed: {why}.", **args)


# --- data as arguments -----------------------------------------------------------------------------------------


def plain(finding: Finding) -> Message:
    """Inputs, modifiers, dice and result as plain data."""
    facts = [(name.replace("_", " "), found) for name, found in finding.inputs.items()]
    said: list[Value] = [
        pair(name if number else name.capitalize(), found) for number, (name, found) in enumerate(facts)
    ]
    if finding.modifiers:
        said.append(say("modifiers {rows}", rows=rows(finding)))
    if finding.dice:
        said.append(say("rolled {dice}", dice=data(finding.dice)))
    if finding.result is None:
        return say("{facts}.", facts=several(said, "unit")) if said else say("This rule applies.")
    if not said:
        return say("By this rule: {result}.", result=data(finding.result))
    return say("{facts}: {result}.", facts=several(said, "unit"), result=data(finding.result))


FACT = "fact"


LABELS: Mapping[str, str] = {
    "apart": "hexes apart",
    "as": "treated as",
    "aside": "placed to one side",
    "backed": "entered in reverse",
    "brews_up_to": "brews up on this roll or less",
    "burns_upto": "burns on this roll or less",
    "cx": "CX",
    "deep": "lost to deep interdiction",
    "double": "Double Time",
    "dry_upto": "out of fuel on this roll or less",
    "each": "for each",
    "elr": "ELR",
    "finals": "final rolls",
    "friends": "friendly units in danger",
    "have": "available",
    "hits_on": "hits on a roll of",
    "hq": "HQ",
    "in_vehicles": "from vehicles",
    "least": "minimum",
    "left": "remaining",
    "legs": "turns of fire",
    "malfunctions_on": "malfunctions on a roll of",
    "most": "maximum",
    "mf": "MF",
    "mp": "MP",
    "near": "nearby",
    "nmc": "NMC",
    "no_sight": "without a line of sight",
    "not_told": "not informed",
    "of": "out of",
    "others": "other units",
    "partly": "partly carried out",
    "picks": "formations chosen",
    "rising": "armour against rising shots",
    "sought": "position sought",
    "tens": "full tens of units",
    "turret_upto": "turret damaged on this roll or less",
    "upstairs": "from upper floors",
    "upto": "highest roll that counts",
    "was": "previous state",
    "what": "kind",
    "when": "condition",
    "where": "place",
    "who": "unit",
    "why": "reason",
}
"""Labels of inputs whose names are abbreviations, or too short to be understood alone."""


def fact(name: str) -> Message:
    """The label of an input of a finding."""
    return named(FACT, LABELS.get(name) or name.replace("_", " "))


def pair(name: str, found: Any) -> Message:
    return say("{name} {value}", name=Name(name), value=data(found))


NOTHING = term("value", "nothing")
YES_OR_NO = {True: term("value", "yes"), False: term("value", "no")}


def data(found: Any) -> Value:
    """Plain data as an argument of a message."""
    if isinstance(found, bool):
        return YES_OR_NO[found]
    if isinstance(found, int):
        return found
    if isinstance(found, Mapping):
        return several([pair(name, inner) for name, inner in found.items()], "unit") if found else NOTHING
    if isinstance(found, list | tuple):
        return several(map(data, found)) if found else NOTHING
    return Name(str(found)) if found not in (None, "") else NOTHING


def names(found: Iterable[object]) -> Several | Message:
    """Names as a list: a, b and c."""
    items = tuple(map(_name, found))
    return Several(items) if items else NOTHING


def _name(found: object) -> Value:
    return Name(str(found)) if isinstance(found, str) else several([found]).items[0]


def rows(finding: Finding) -> Value:
    """Return every modifier row that applied, with its value."""
    found = [
        say("{text} {value}", text=recorded(row["text"]), value=Signed(row["value"] * row.get("times", 1)))
        for row in finding.modifiers
        if "text" in row
    ]
    return several(found, "unit") if found else term("modifiers", "none")


# --- tables of sentences ---------------------------------------------------------------------------------------

ANY = "*"
"""In a table of sentences: any other result."""
Sentences: TypeAlias = Mapping[str, Message | tuple[Message, ...]]
Table: TypeAlias = Mapping[str, Sentences]


class Phrases:
    """Sentences by rule and result. The first one whose placeholders the finding can all fill is used.

    `words` gives the arguments of a finding's sentence; the number of its subjects is `n`.
    """

    def __init__(self, table: Table, words: Callable[[Finding], Mapping[str, object]]) -> None:
        self.table, self.words = table, words

    def __call__(self, finding: Finding) -> Message | None:
        """The sentence for a finding's rule, or for the paragraph that the rule belongs to; None if none fits."""
        words: Mapping[str, object] = {}
        for rule in dict.fromkeys((finding.rule, finding.rule.partition("/")[0])):
            by_result = self.table.get(rule)
            if by_result is None:
                continue
            words = words or self.words(finding)
            for key in (code_of(finding.result), ANY):
                found = by_result.get(key, ())
                for message in (found,) if isinstance(found, Message) else found:
                    if all(field in words for field in fields_of(message.text + message.many)):
                        return fill(message, words)
        return None


def code_of(result: object) -> str:
    """The code of a result in a table of sentences."""
    if isinstance(result, bool):
        return "yes" if result else "no"
    return "nothing" if result is None or result == [] else str(result)
