"""AG introduction, 7.0 The rules that a match may leave out or add, by their ids.

AG      ADVANCED_RULES: all in use unless the scenario or the match leaves some out
7.0     optional_rules: none in use unless the scenario or the match adds it; `optional.toml` lists them
        rules_in_use, the mistakes in a choice of rules
        any_rules: a random selection
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from pbem.engine.play.bots import Choice
from pbem.titles.data_files import nearest
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.files import Mistake, convert, packaged, read_toml
from pbem.titles.panzer.cards.optional_rows import OptionalFile, OptionalRule
from pbem.titles.panzer.numbering import ledger_row

RULES: Final = "rules"
"""The match option that adds optional rules."""
READY: Final = "ready_for"
"""The scenario key that lists the optional rules it supports, which a match may add."""
WITHOUT: Final = "without"
"""The match option that leaves rules out."""

ADVANCED_TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "leg_units": ("5.1", "Leg units"),
    "towed_units": ("5.2", "Towed units"),
    "indirect_fire": ("6.5.1", "Indirect fire"),
    "aircraft": ("6.7", "Aircraft"),
    "command_control": ("6.2", "Command control"),
    "gp_fire": ("6.5.4", "GP fire and suppression"),
    "hit_location": ("6.5.2.2", "Hit location"),
    "ammo_limits": ("5.16", "Ammo limits"),
    "dual_fire": ("5.14", "Dual fire"),
    "bail_out": ("5.15", "Bailing out"),
    "full_cover": ("6.1.4.2", "Full cover"),
    "hull_down": ("6.1.4.1", "Hull down"),
    "unit_grades": ("5.8", "Unit grades"),
    "special_ammunition": ("5.16.1", "Special ammunition"),
    "rate_of_fire": ("6.5.2.1", "Rate of fire"),
}
ADVANCED_RULES: Final = tuple(ADVANCED_TEXTS)
"""AG introduction: the rules of chapters 5 and 6 that may be left out."""


@cache
def optional_rules() -> dict[str, OptionalRule]:
    """7.0 The optional rules of both books as packaged, by id."""
    file = "optional.toml"
    return {row.id: row for row in convert(read_toml(packaged(file), file), OptionalFile, file).rule}


def words(rule: str) -> str:
    """A rule's number and title."""
    if rule in ADVANCED_TEXTS:
        return " ".join(ADVANCED_TEXTS[rule])
    row = optional_rules()[rule]
    needs = f" (together with {optional_rules()[row.needs].text.lower()})" if row.needs else ""
    return f"{row.rule} {row.text}{needs}"


def ids_in(value: Any) -> tuple[str, ...]:
    """The ids in an option: a list, or a comma-separated text from the command line."""
    named = value.split(",") if isinstance(value, str) else value
    return tuple(name.strip() for name in named if name.strip())


def rules_in_use(without: Sequence[str], optional: Sequence[str], options: Mapping[str, Any]) -> tuple[str, ...]:
    """AG, 7.0 The rules in use: the scenario's omissions and additions, changed by the match options."""
    left_out = {*without, *ids_in(options.get(WITHOUT, ()))}
    added = dict.fromkeys((*optional, *ids_in(options.get(RULES, ()))))
    return tuple(rule for rule in (*ADVANCED_RULES, *added) if rule not in left_out)


def any_rules(edition: Edition, choice: Choice) -> list[str]:
    """7.0 A random set of optional rules that can be played together: none, all, or some."""
    often = choice.one_of((0, 1, 1, 2, 5))
    offered = {id: row for id, row in optional_rules().items() if edition in row.editions}
    chosen = [id for id in offered if often and choice.below(often) == 0]
    return [id for id in chosen if not offered[id].needs or offered[id].needs in chosen]


def mistakes_in(
    where: str, without: Sequence[str], optional: Sequence[str], edition: Edition, in_use: Sequence[str]
) -> Iterator[Mistake]:
    """7.0 Yield rules that do not exist, belong to the other book, or lack a rule that they depend on."""
    known = (*ADVANCED_RULES, *optional_rules())
    for rule in without:
        if rule not in known:
            what = f"there is no rule '{rule}' to leave out."
            yield Mistake(f"{where}, {WITHOUT}", what, nearest(rule, known), ledger_row(edition, "5/introduction"))
    for rule in optional:
        row = optional_rules().get(rule)
        if row is None:
            what = "it is in use anyway." if rule in ADVANCED_RULES else f"there is no optional rule '{rule}'."
            yield Mistake(f"{where}, {RULES}", what, nearest(rule, optional_rules()), "7.0")
        elif edition not in row.editions:
            what = f"{row.text} is a rule of the {row.editions[0]} book only."
            yield Mistake(f"{where}, {RULES}", what, rule=row.rule)
        elif row.needs and rule in in_use and row.needs not in in_use:
            what = f"{row.text} works only together with {row.needs}."
            yield Mistake(f"{where}, {RULES}", what, rule=row.rule)
