"""1.0 The data of a match: the packaged files of a scenario, frozen at its creation as named blobs.

    freeze          the packaged files of a scenario, as named blobs
    check_options   the options of a scenario

An owner of the game may freeze other charts, cards or maps under the same names: only `freeze` reads packaged files
for a match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.messages import say
from pbem.titles.data_files import nearest
from pbem.titles.panzer.cards.advanced_cards import CARD_FILES
from pbem.titles.panzer.cards.advanced_charts import ADVANCED_FILES
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.charts import CHART_FILES
from pbem.titles.panzer.cards.files import packaged, read_toml
from pbem.titles.panzer.setup.scenario_file import is_advanced, packaged_scenarios

CARDS: Final = "cards"
CHARTS: Final = "charts/"
ADVANCED_CARDS: Final = "cards/"
OPTIONS: Final = ("edition", "table")
TABLES: Final = ("two", "formations")
"""The values of `table`: one seat on each side, or one for each formation."""
ADVANCED_OPTIONS: Final = ("edition", "table", "rules", "without")
"""AG, 7.0 The options of the advanced game, in which a match may also add optional rules and omit others."""

BATTLE_OPTIONS: Final = ("edition", "rules", "without")
"""C1 The options of a campaign battle; `table` is missing, as a campaign assigns its own commanders."""


def freeze(scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
    """1.0 The packaged files of a scenario; with the option `edition` it is played by the other book."""
    check_options(scenario, options)
    setup = packaged(f"scenarios/{scenario}.toml")
    map_name = read_toml(setup, scenario)["map"]
    return {
        "scenario": setup,
        "map": packaged(f"maps/{map_name}.toml"),
        "cards": packaged("cards.toml"),
        **{CHARTS + name: packaged(name) for name in CHART_FILES},
        **(advanced_files() if is_advanced(setup) else {}),
        "options": msgspec.json.encode(dict(options), order="sorted"),
    }


def advanced_files() -> dict[str, bytes]:
    """5.0 The files of the advanced game in addition to those of the basic game."""
    return {CHARTS + name: packaged(name) for name in ADVANCED_FILES} | {
        ADVANCED_CARDS + name: packaged(name) for name in CARD_FILES
    }


def options_of(scenario: str) -> tuple[str, ...]:
    """1.0 The options of a scenario."""
    return ADVANCED_OPTIONS if is_advanced(packaged(f"scenarios/{scenario}.toml")) else OPTIONS


def check_options(scenario: str, options: Mapping[str, Any]) -> None:
    """1.0 Refuse a scenario that does not exist, or an option that its game does not have."""
    refusals: list[Refusal] = []
    known = scenario in packaged_scenarios()
    if not known:
        refusals.append(_unknown("scenario", scenario, packaged_scenarios()))
    basic = known and options_of(scenario) == OPTIONS
    for name in sorted(set(options) & set(ADVANCED_OPTIONS) - set(OPTIONS) if basic else ()):
        refusals.append(
            Illegal(name, [Objection("7.0", say("{scenario} uses only the basic game", scenario=scenario))])
        )
    refusals += option_refusals(ADVANCED_OPTIONS if known else OPTIONS, options)
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def option_refusals(legal: tuple[str, ...], options: Mapping[str, Any]) -> Iterator[Refusal]:
    """1.0 Refuse options that do not exist, and values of `edition` and `table` that do not."""
    for name in sorted(options):
        if name not in legal:
            yield _unknown("option", name, legal)
    if options.get("edition", EDITIONS[0]) not in EDITIONS:
        yield _unknown("edition", str(options["edition"]), EDITIONS)
    if options.get("table", TABLES[0]) not in TABLES:
        yield _unknown("table", str(options["table"]), TABLES)


def _unknown(what: str, name: str, legal: tuple[str, ...]) -> Unreadable:
    near = nearest(name, legal)
    return Unreadable(name, [Objection("2.0", say("no {what} has that name", what=what))], [near] if near else legal)
