"""2 The definitions, lists and procedures that a finding relies on, each added to the finding as a child.

TERMS    by rule: the term, and the condition under which the finding uses it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from pbem.engine.rules.findings import Finding


class Told(NamedTuple):
    """The content of a finding: its inputs, its result and its modifiers."""

    inputs: Mapping[str, Any]
    result: Any
    modifiers: tuple[Mapping[str, Any], ...]


Use: TypeAlias = Callable[[Told], bool]
"""A test of whether a finding uses a term."""


def always(told: Told) -> bool:
    """Always True, because the rule itself is about the term."""
    return True


def results(*wanted: str) -> Use:
    """Return a test of whether a finding has one of these results."""
    return lambda told: told.result in wanted


def has(*names: str) -> Use:
    """Return a test of whether a finding has all of these inputs."""
    return lambda told: all(told.inputs.get(name) for name in names)


def says(name: str, *values: Any) -> Use:
    """Return a test of whether an input of a finding has one of these values."""
    return lambda told: told.inputs.get(name) in values


def uses_modifier(*words: str) -> Use:
    """Return a test of whether a finding has a modifier with one of these texts or rules."""
    return lambda told: any(row["text"] in words or row["rule"] in words for row in told.modifiers)


def uses_factor(*words: str) -> Use:
    """Return a test of whether any firepower was multiplied for one of these reasons."""
    return lambda told: any(why in words for share in told.inputs["shares"].values() for why in share["factors"])


def uses_weapon(ending: str) -> Use:
    """Return a test of whether a weapon of this kind took part; its id ends with the kind."""
    return lambda told: any(str(id).endswith(ending) for id in told.inputs.get("firers", ()))


def rolled_with_drm(told: Told) -> bool:
    """Whether the dice were modified."""
    return bool(told.modifiers)


def several(told: Told) -> bool:
    """Whether more than one component fired."""
    return len(told.inputs.get("firers", ())) > 1


HALVED: Final = (
    "long range", "Advancing Fire", "Bounding First Fire", "in motion", "pinned", "Subsequent First Fire",
    "Final Protective Fire", "marked First Fire", "a lone leader at the MG", "beyond 16 hexes",
)  # fmt: skip
"""def/area-fire The reasons for which firepower is halved."""
COVER: Final = ("1.1.1.2", "1.1.1.4", "6.3", "7.4", "1.1.1.10/height-advantage")
SHOT: Final[tuple[tuple[str, Use], ...]] = (
    ("3.2.4/procedure", always),
    ("3.2.4/known-th-drm", rolled_with_drm),
    ("6.0", always),
    ("6.2/apcr-apds", says("how", "A", "D")),
    ("4.5", says("kind", "mortar")),
    ("def/ordnance", always),
    ("def/hit", results("hit")),
    ("def/gun", says("kind", "gun")),
    ("def/mortars", says("kind", "mortar")),
    ("def/latw", says("kind", "baz", "psk", "piat", "pf")),
    ("def/ma", says("kind", "ma")),
    ("def/ap", says("how", "AP")),
    ("def/he", says("how", "HE")),
    ("def/heat", says("how", "H")),
    ("def/intensive-fire", has("intensive")),
    ("def/bu", uses_modifier("BU")),
    ("def/target-size", uses_modifier("target size", "size of the Gun")),
    ("def/moving-target", uses_modifier("moving target")),
    ("def/non-qualified-use", uses_modifier("no crew")),
    ("def/bounding-first-fire", uses_modifier("Bounding First Fire")),
    ("def/bounding-fire", uses_modifier("Bounding Fire")),
)
"""3.2.4 The terms of a shot that rolls To Hit."""
TERMS: Final[Mapping[str, tuple[tuple[str, Use], ...]]] = {
    "1.2.4.1": (("def/rof", always),),
    "1.3": (("def/infantry", has("units")), ("11/set-up", has("units"))),
    "3.0": (
        ("def/player-turn", results("player turn")),
        ("def/attacker", has("phase")),
        ("def/defender", has("phase")),
    ),
    "3.1/e-self-rally": (("def/self-rally", always),),
    "3.1/h-dm-removal": (("def/dm", always),),
    "3.2.2": (
        ("11/ift-drm", rolled_with_drm),
        ("11/one-tem", uses_modifier(*COVER)),
        ("1.1.1.1", uses_modifier("FFMO")),
        ("def/fp", has("fp")),
        ("def/fg", several),
        ("def/mandatory-fg", several),
        ("def/pbf", uses_factor("point blank")),
        ("def/tpbf", uses_factor("same hex")),
        ("def/area-fire", uses_factor(*HALVED)),
        ("def/assault-fire", uses_factor("Assault Fire +1, rounded up")),
        ("def/hindrance", uses_modifier("hindrance")),
        ("def/tem", uses_modifier(*COVER)),
        ("def/emplaced-gun", uses_modifier("emplaced Gun")),
        ("def/gunshield", uses_modifier("gunshield")),
        ("def/ffmo", uses_modifier("FFMO")),
        ("def/ffnam", uses_modifier("FFNAM")),
        ("def/ce", uses_modifier("CE crew")),
        ("def/bmg", uses_weapon("bmg")),
        ("def/cmg", uses_weapon("cmg")),
        ("def/aamg", uses_weapon("aamg")),
        ("def/rmg", uses_weapon("rmg")),
    ),
    "3.2.2/cowering": (("def/cowering", always),),
    "3.2.3/casualty-reduction": (("def/casualty-reduction", always),),
    "3.2.3/dm-placement": (("def/known-enemy-unit", has("why")),),
    "3.2.3/llmc": (("def/llmc", always),),
    "3.2.3/lltc": (("def/lltc", always),),
    "3.2.3/k": (("3.2.3/random-selection", has("unit")),),
    "3.2.3/kia": (("3.2.3/random-selection", results("eliminated")),),
    "3.2.3/mc": (("3.2.3/check-order", has("morale")),),
    "3.2.3/nmc": (("def/nmc", has("morale")), ("3.2.3/check-order", has("morale"))),
    "3.2.4": SHOT,
    "3.2.4/vtt": (*SHOT, ("def/vtt", always)),
    "3.2.4/covered-arc": (
        ("def/ca", says("mount", "360", "NT")),
        ("def/nt", says("mount", "NT")),
        ("def/tca", says("mount", "T", "ST")),
        ("def/vca", has("hull")),
    ),
    "3.2.4/effects": (("def/air-burst", uses_modifier("air burst")), ("def/near-miss", uses_modifier("gunshield"))),
    "3.3.1": (("def/cot", always), ("3.3.3/window", has("mf")), ("11/expenditure-order", has("mf"))),
    "3.3.1/declaration": (("def/double-time", has("double")),),
    "3.3.1/smoke-grenades": (("def/smoke-exponent", always), ("def/smoke", results("placed"))),
    "3.3.2": (
        ("7.0", always),
        ("def/vehicle", always),
        ("def/fully-tracked", says("tracked", True)),
        ("def/ac", says("tracked", False)),
    ),
    "3.3.2/motion": (("def/motion-status", results("in Motion")),),
    "3.3.2/mp-costs": (("def/non-stopped", results("starts")), ("def/mobile", results("starts"))),
    "3.3.2.1": (("def/motion-status-attempt", always),),
    "3.3.3/fpf": (("11/fire-state", has("firers")),),
    "3.3.3/sff": (("def/sff", has("firers")), ("11/fire-state", has("firers"))),
    "3.3.5": (("def/defensive-first-fire", has("column")),),
    "3.6/low-crawl": (("def/low-crawl", always),),
    "3.6/rout-portage": (("def/pp", always), ("def/weapon", always)),
    "3.7": (("def/cx", has("cx")),),
    "3.7/paatc": (("def/paatc", always),),
    "3.8/attacks": (("3.8/sequence-infantry", has("odds")), ("1.4", has("odds"))),
    "3.8/melee": (("def/melee", results("Melee")),),
    "4.1/breakdown": (("def/mg", results("malfunctions")), ("def/x-number", results("removed"))),
    "4.3/placement": (("4.3", results("placed")),),
    "5.1": (("5.1/nationality-chart", always),),
    "5.3": (("def/mmc", has("unit")),),
    "5.4": (("def/inexperienced", always),),
    "6.2": (("def/depletion-numbers", always),),
    "6.2/smoke": (("def/wp", results("wp", "wp_dispersed")),),
    "6.4": (("11/hidden-information", has("seat")),),
    "6.5": (("def/hazardous-movement", has("number")), ("def/qsu", has("number"))),
    "6.7": (("def/direct-hit", results("removed", "malfunctions")),),
    "7.6": (("def/bog", results("bogged")), ("def/ground-pressure", always)),
    "7.6/unbog": (("def/mired", results("mired")),),
    "7.9": (("def/aspect", has("location")), ("3.2.4/facing-arithmetic", has("facing"))),
    "7.10": (("def/wreck", results("destroyed")), ("def/afv", results("destroyed"))),
    "7.10/immobilized": (("def/immobilized", results("immobilized")),),
    "7.10/recall": (("def/recall", results("recalled")), ("def/stun-caps", results("STUN"))),
    "7.10/stun": (("def/stun", results("stun")),),
}
"""2 The definitions that have an effect of their own, by the rule that applies them."""
ALL_TERMS: Final = frozenset(term for uses in TERMS.values() for term, _ in uses)
SUBJECTS: Final = ("unit", "units", "vehicle", "weapon", "at")


def terms_of(
    rule: str, inputs: Mapping[str, Any], result: Any, modifiers: Iterable[Mapping[str, Any]] = ()
) -> Iterator[Finding]:
    """2 The terms that one finding relies on; a failed order relies on none."""
    if "order" in inputs:
        return
    told = Told(inputs, result, tuple(modifiers))
    for term, use in TERMS.get(rule, ()):
        if use(told):
            kept = {name: inputs[name] for name in SUBJECTS if name in inputs}
            yield Finding(term, inputs=kept)
