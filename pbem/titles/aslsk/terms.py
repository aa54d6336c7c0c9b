"""2 Definitions: the terms that a finding rests on. Each is told as a child of the finding that uses it.

TERMS    by rule: the term, and when the finding uses it
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from pbem.engine.rules.findings import Finding

Use: TypeAlias = Callable[[Mapping[str, Any], Any], bool]
"""Whether a finding with these inputs and this result uses a term."""


def always(inputs: Mapping[str, Any], result: Any) -> bool:
    """The rule is about the term."""
    return True


def results(*wanted: str) -> Use:
    """The finding ends so."""
    return lambda inputs, result: result in wanted


def has(name: str) -> Use:
    """The finding has this input."""
    return lambda inputs, result: bool(inputs.get(name))


TERMS: Final[Mapping[str, tuple[tuple[str, Use], ...]]] = {
    "3.8/melee": (("def/melee", results("Melee")),),
    "6.5": (("def/hazardous-movement", has("number")), ("def/qsu", has("number"))),
    "7.6": (("def/bog", results("bogged")), ("def/ground-pressure", always)),
    "7.6/unbog": (("def/mired", results("mired")),),
    "7.10/recall": (("def/recall", results("recalled")), ("def/stun-caps", results("STUN"))),
}
"""2 The definitions that have an effect of their own, by the rule that enforces it."""


def terms_of(rule: str, inputs: Mapping[str, Any], result: Any) -> Iterator[Finding]:
    """2 The terms that one finding rests on."""
    for term, use in TERMS.get(rule, ()):
        if "order" not in inputs and use(inputs, result):
            kept = {name: inputs[name] for name in SUBJECTS if name in inputs}
            yield Finding(term, inputs=kept, result=result if isinstance(result, str | int) else None)


SUBJECTS: Final = ("unit", "units", "vehicle", "weapon", "at")
