"""More rows on which the two books differ, played through written orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from titles.panzer.advanced.builders import a_leg, a_tank
from titles.panzer.combinations.turns import Turn
from titles.panzer.editions.pairs import modifiers, tell

from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.setup.scenario import AircraftRow
from pbem.titles.panzer.state import AircraftState, Damage, Marker, Spot

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"


class InTurn(dict[str, Any]):
    """Dice that show one number after another for a rule; the last one stays."""

    def __getitem__(self, rule: str) -> Any:
        shown = super().__getitem__(rule)
        if isinstance(shown, list):
            return shown.pop(0) if len(shown) > 1 else shown[0]
        return shown


def into_a_house(edition: Edition, die: int, of: Any) -> Any:
    """A tank overruns a squad in a brick building; the wall damages it, `die` says turret (up to 4) or hull."""
    units = a_tank("g1", "C9", "pz4h", facing=1), a_leg("s1", "C8", SOVIET, spot=Spot.FIRE)
    dice: Mapping[str, Any] = InTurn({"6.6.3": [1, 100, die], "6.5.4.4": 99})
    board = {"signs": {"C8": "B"}}
    return tell(edition, "g1 overrun s1", *units, of=of, board=board, dice=dice, complete=False)


@pytest.mark.parametrize(
    ("edition", "die", "damage", "worse"),
    [
        ("2024", 4, Damage.TURRET, {"firer_damaged": -10}),
        ("2024", 5, Damage.HULL, None),
        ("2016", 4, Damage.WHOLE, None),
        ("2016", 5, Damage.WHOLE, None),
    ],
)
def test_6_6_10_a_wall_damages_an_overrunning_tank_by_both_books(
    edition: Edition, die: int, damage: Damage, worse: dict[str, int] | None
):
    """Row 24: a damaged turret leaves its 4 points for the building, and the attack is worse; a damaged hull, or any
    damage in the 2016 book, leaves 2, which are too few."""

    def told(turn: Turn) -> tuple[Damage, dict[str, int] | None]:
        attacked = [one for one in turn.of("6.6.10") if "vehicle" in one.inputs and one.result == "reduced"]
        return turn.state.vehicles["g1"].damage, modifiers("6.5.4.4", "firer_damaged")(turn) if attacked else None

    assert into_a_house(edition, die, told) == (damage, worse)


@pytest.mark.parametrize(("edition", "hexes"), [("2024", 20), ("2016", 20)])
def test_6_7_3_1_1_a_suppressed_aircraft_flies_twice_as_far_to_acquire(edition: Edition, hexes: int):
    """Row 35 differs only for one that is suppressed on the way; one that comes in suppressed doubles in both."""
    plane = AircraftState(id="ac1", name="ac1", side="german", card="typhoon", load="bombs", suppression=Marker.OFF)
    row = AircraftRow("ac1", "ac1", "german", "typhoon", "seasoned")
    units = a_leg("g1", "K5", SQUAD), a_tank("s1", "C19", "t34_76")

    def needed(turn: Turn) -> list[int]:
        return [one.inputs["needed"] for one in turn.of("6.7.3.1.1") if "needed" in one.inputs]

    found = tell(
        edition, "ac1 fly C1 face 4 fast low strafe s1", *units, of=needed, aircraft={"ac1": plane},
        scenario={"air_superiority": "german", "aircraft": (row,)}, complete=False,
    )  # fmt: skip
    assert found == [hexes]
