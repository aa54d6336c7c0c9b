"""The base for telling findings, and the wording for orders that failed."""

from __future__ import annotations

from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import (
    Message,
    Name,
    recorded,
    say,
    several,
)
from pbem.engine.text.sentences import Teller, Telling
from pbem.titles.aslsk.telling.term_names import TERM_NAMES
from pbem.titles.aslsk.terms import ALL_TERMS


class AslskTelling(Telling):
    """The sentences for findings; a failed order is reported in the same words whatever the rule."""

    def teller_of(self, rule: str) -> Teller:
        usual = super().teller_of(rule)

        def told(finding: Finding) -> Message:
            if is_failure(finding):
                return failed_words(finding)
            return see_term(finding) if rule in ALL_TERMS and finding.result is None else usual(finding)

        return told

    def number(self, rule: str) -> str:
        """The rule's chapter number; definitions are chapter 2 of the rulebook."""
        return "2" if rule.startswith("def/") else super().number(rule)


def see_term(finding: Finding) -> Message:
    """Refer to a term, list or procedure that a finding relies on."""
    usual = finding.rule.partition("/")[2].replace("-", " ")
    said = TERM_NAMES.get(finding.rule) or Name(usual)
    if finding.rule.startswith("def/"):
        return say("This follows the definition of “{term}”.", term=said)
    return say("This follows the rules on “{term}”.", term=said)


def failed_words(finding: Finding) -> Message:
    """Tell the owner that an order was not carried out, or only in part."""
    order, why = finding.inputs["order"], several(map(recorded, finding.inputs["why"]), "clauses")
    if finding.inputs.get("partly"):
        return say("Your order “{order}” was carried out only in part: {why}.", order=order, why=why)
    return say("Your order “{order}” was not carried out: {why}.", order=order, why=why)


def is_failure(finding: Finding) -> bool:
    return "order" in finding.inputs and "why" in finding.inputs


TELLING: Final = AslskTelling()
