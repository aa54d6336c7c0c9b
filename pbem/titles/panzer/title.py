"""Panzer as a title: its scenarios, the choices for a match, and the rules bound to a match.

    2.0     Panzer.scenarios, freeze, check_scenario
    4.0     Panzer.rules: both games, the basic one as a match that plays none of the rules of chapters 5 to 7
    7.0     Panzer.choices

The parts of a match are in `binding`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from pbem.engine.play.bots import Choice
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.title import Title
from pbem.engine.text.messages import Message, say
from pbem.titles.data_files import DataError
from pbem.titles.panzer import campaign
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.bots.skirmish import skirmish
from pbem.titles.panzer.cards.files import packaged, read_toml
from pbem.titles.panzer.data_set import advanced_data_set, basic_data_set
from pbem.titles.panzer.freezing import freeze, options_of
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES, RULES, WITHOUT, any_rules, optional_rules, words
from pbem.titles.panzer.seats.asking import RULE
from pbem.titles.panzer.seats.rules import SeatedRules
from pbem.titles.panzer.seats.seating import FORMATIONS, TABLES, TWO, seat_id, seating_of
from pbem.titles.panzer.setup.catalogue import scenario_format
from pbem.titles.panzer.setup.checking import check_scenario
from pbem.titles.panzer.setup.scenario_file import is_advanced, packaged_scenarios
from pbem.titles.panzer.telling.words.sides import SIDES

TABLE: Final = "table"
"""The choice between one seat on each side and several."""


@cache
def can_be_divided(scenario: str) -> bool:
    """5.8.2 Whether a packaged scenario has a side with several formations or seats."""
    blobs = freeze(scenario, {})
    data = advanced_data_set(blobs) if is_advanced(blobs["scenario"]) else basic_data_set(blobs)
    return len(seating_of(data.scenario).sides) > len(data.scenario.sides)


@cache
def seat_names() -> Mapping[str, str]:
    """2.0, 5.8.2 The names of the sides, and of all formations and commands that can have seats of their own."""
    found: dict[str, str] = {}
    for scenario in packaged_scenarios():
        content = read_toml(packaged(f"scenarios/{scenario}.toml"), "scenario")
        declared = [seat for side in content.get("side", ()) for seat in side.get("seats", ())]
        rows = (*content.get("formation", ()), *content.get("take", ()), *declared)
        found |= {seat_id(row["name"], "", {}): row["name"] for row in rows if "name" in row}
    return found | {side: name.text for side, name in SIDES.items()}


class Panzer(Title):
    """The title: scenarios of the basic game, and of the advanced game with its optional rules."""

    name = "panzer"
    full_name = "Panzer"
    first_game = "duel"
    switches: tuple[str, ...] = ()
    several: tuple[str, ...] = (RULES, WITHOUT)
    """The choices that accept more than one value."""

    option_names: Mapping[str, Message] = {
        "edition": say("Edition of the rules"),
        TABLE: say("Players"),
        RULES: say("Optional rules to play by"),
        WITHOUT: say("Rules to leave out"),
    }

    @property
    def seat_names(self) -> Mapping[str, str]:
        """2.0 The sides, and the formations and commands that have seats of their own (`1st Panzer Company`)."""
        return seat_names()

    @property
    def choices(self) -> Mapping[str, Mapping[str, str]]:
        """The options for creating a match; by default a scenario uses its own edition."""
        return {
            "edition": {
                "2024": "North Africa, living rules of 2024",
                "2016": "Panzer, rules of 2016",
            },
            TABLE: TABLES,
            RULES: {id: words(id) for id in optional_rules()},
            WITHOUT: {id: words(id) for id in ADVANCED_RULES},
        }

    def choices_for(self, scenario: str) -> Mapping[str, Mapping[str, str]]:
        """1.0, 7.0 A scenario's options: rules in the advanced game, and several seats if a side can be divided."""
        offered = [name for name in options_of(scenario) if name != TABLE or can_be_divided(scenario)]
        return {name: values for name, values in self.choices.items() if name in offered}

    @property
    def scenarios(self) -> tuple[str, ...]:
        return packaged_scenarios()

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """1.0 All data for a match; the options are `edition`, `table`, `rules` and `without`."""
        blobs = freeze(scenario, options)
        bound = self.rules(blobs)  # 7.0: an unplayable choice of rules
        if options.get(TABLE) == FORMATIONS and len(bound.seats) == len(bound.data.scenario.sides):
            reason = Objection(RULE, say("{scenario} has no formations to give to several seats", scenario=scenario))
            raise Illegal(FORMATIONS, [reason], [TWO])
        return blobs

    def rules(self, blobs: Mapping[str, bytes]) -> PanzerRules:
        """The rules bound to these blobs."""
        data = advanced_data_set(blobs) if is_advanced(blobs["scenario"]) else basic_data_set(blobs)
        table = msgspec.json.decode(blobs["options"]).get(TABLE, TWO)
        return SeatedRules(data, seating_of(data.scenario)) if table == FORMATIONS else PanzerRules(data)

    def any_choice(self, scenario: str, options: Mapping[str, Any], choice: Choice) -> dict[str, list[str]]:
        """7.0 Random rules to add and leave out that can be played together, for testing."""
        if RULES not in options_of(scenario):
            return {}
        found = {RULES: any_rules(options["edition"], choice)}
        without = [rule for rule in ADVANCED_RULES if choice.below(6) == 0] if choice.below(6) == 0 else []
        try:
            self.freeze(scenario, {**options, **found, WITHOUT: without})
        except DataError:  # it has units that need such a rule
            return found
        return found | ({WITHOUT: without} if without else {})

    def vary(self, blobs: Mapping[str, bytes], choice: Choice) -> Mapping[str, bytes]:
        """2.0 Another random set-up on the same map under the same rules; a basic scenario is returned unchanged."""
        if not is_advanced(blobs["scenario"]):
            return blobs
        bound = self.rules(blobs)
        where = read_toml(blobs["scenario"], "scenario")["map"]
        setup = skirmish(bound.data, where, choice, lambda content: self.rules({**blobs, "scenario": content}))
        return {**blobs, "scenario": setup}

    @property
    def battles(self) -> tuple[str, ...]:
        """C1 Scenarios with slots for a campaign's rosters."""
        return campaign.packaged_battles()

    def battle(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """C1 All data for a battle of a campaign, its slots still empty."""
        return campaign.battle_blobs(scenario, options)

    def cards(self) -> Mapping[str, str]:
        """C2 The names of all vehicles."""
        return campaign.vehicle_names()

    def room(self, blobs: Mapping[str, bytes]) -> dict[str, int]:
        """C2 How many vehicles of each side fit into a battle."""
        return campaign.room(blobs)

    def muster(self, blobs: Mapping[str, bytes], rosters: Mapping[str, Sequence[Any]]) -> dict[str, bytes]:
        """C2 Put the rosters' vehicles in the slots; refuse if the scenario cannot be played with them."""
        filled = campaign.muster(blobs, rosters)
        self.rules(filled)
        return filled

    def scenario_format(self) -> str:
        """2.0 How to write a scenario, for players, with everything it can contain."""
        return scenario_format()

    def check_scenario(self, setup: bytes, maps: dict[str, bytes], edition: str = "") -> list[str]:
        """2.0 Describe a scenario in lines; a refusal names every mistake in it."""
        return check_scenario(setup, maps, edition)
