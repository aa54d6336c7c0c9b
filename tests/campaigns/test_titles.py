"""Titles in campaigns: slots are filled from rosters, and each unit sent to battle has exactly one fate."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.campaigns.rules import picture
from pbem.campaigns.rules.file import packaged, packaged_names, read_campaign
from pbem.campaigns.rules.title import CampaignTitle
from pbem.campaigns.simulate import play_match
from pbem.engine.rules.refusals import Refusal
from pbem.titles.registry import TITLES

CAMPAIGNS = {name: read_campaign(packaged(name)) for name in packaged_names()}
SCENARIOS = sorted({(one.title, row.scenario) for one in CAMPAIGNS.values() for row in (*one.battle, *one.province)})


def rosters_for(title: str, *, damaged: bool = False, grade: str = "") -> dict[str, list[dict[str, Any]]]:
    """Return the units with which each side of a packaged campaign of this title begins."""
    rules = CampaignTitle(TITLES)
    campaign = next(one for one in CAMPAIGNS.values() if one.title == title and one.shape == "tree")
    state = rules.rules(rules.freeze(next(n for n, c in CAMPAIGNS.items() if c is campaign), {})).setup(())
    return {
        side: [
            {
                "id": unit.id,
                "card": unit.card,
                "name": unit.name,
                "damaged": damaged,
                "grade": grade or campaign.grade_of(unit.experience),
            }
            for unit in has.units.values()
        ]
        for side, has in state.sides.items()  # type: ignore[attr-defined]
    }


@pytest.mark.parametrize(("title", "scenario"), SCENARIOS)
def test_every_unit_that_is_mustered_has_one_fate_from_the_start(title: str, scenario: str) -> None:
    rosters = rosters_for(title)
    rules = TITLES[title].rules(TITLES[title].muster(TITLES[title].battle(scenario, {}), rosters))
    fates = rules.aftermath(rules.setup(()))
    assert {side: sorted(told) for side, told in fates.items()} == {
        side: sorted(unit["id"] for unit in units) for side, units in rosters.items()
    }


@pytest.mark.parametrize(("title", "scenario"), SCENARIOS)
@pytest.mark.parametrize("damaged", [True, False])
def test_damaged_units_veterans_and_a_handful_can_be_mustered(title: str, scenario: str, damaged: bool) -> None:
    for count in (1, 3):
        rosters = {
            side: units[:count] for side, units in rosters_for(title, damaged=damaged, grade="veteran").items()
        }
        blobs = TITLES[title].muster(TITLES[title].battle(scenario, {}), rosters)
        assert TITLES[title].rules(blobs).setup(()) is not None


def test_more_units_than_there_is_room_for_are_refused() -> None:
    rosters = rosters_for("panzer")
    units = [
        *rosters["german"],
        *({**unit, "id": f"x{n}", "name": f"X {n}"} for n, unit in enumerate(rosters["german"])),
    ]
    with pytest.raises(Refusal, match="there is room only for 12"):
        TITLES["panzer"].muster(TITLES["panzer"].battle("meeting", {}), {**rosters, "german": units})


def test_kills_in_panzer_are_of_vehicles_that_were_lost() -> None:
    title = TITLES["panzer"]
    rules = title.rules(title.muster(title.battle("meeting", {}), rosters_for("panzer")))
    run, findings = play_match(rules, "kills", ())
    lost = {id for told in rules.aftermath(run.state).values() for id, row in told.items() if row["fate"] == "lost"}
    deeds = list(rules.deeds(findings))
    assert deeds and {target for _, target in deeds} & lost
    assert all(run.state.vehicles[by].side != run.state.vehicles[target].side for by, target in deeds)


def test_the_map_of_a_tree_shows_where_each_victory_leads() -> None:
    """Arrows in opposite directions run side by side, each in the colour of the side whose victory opens that way."""
    own = CampaignTitle({"panzer": TITLES["panzer"]})
    rules = own.rules(own.freeze("battlegroup", {}))
    drawn, _ = picture.tree(rules.data, rules.setup(()))
    ways = [tuple(re.findall(r'[xy][12]="(-?\d+)"', one)) for one in drawn if one.startswith("<line")]
    ends = [frozenset(((x1, y1), (x2, y2))) for x1, y1, x2, y2 in ways]
    assert len(ends) == len(set(ends)) == 14
    german = [one for one in drawn if one.startswith("<line") and picture.COLOURS[0] in one]
    assert len(german) == 7 and all("<polygon" in one for one in german)
    said = [str(one) for one in picture.in_words(rules.data, rules.setup(()))]
    assert "If Battlegroup Ostermann wins decisively: the next battle is The state farm." in said
    assert "If no side wins: the next battle is Meeting at Krutoy Log." in said
