"""More rows in which the two books differ, played through written orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_board
from titles.panzer.combinations.turns import Turn, a_turn
from titles.panzer.editions.pairs import FREE, at, modifiers, tell

from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.board import sides_of_chain
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.setup.scenario import AircraftRow
from pbem.titles.panzer.state import AircraftState, Damage, Marker, Spot

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"


class InTurn(dict[str, Any]):
    """Dice that show the given numbers for a rule in turn, and then repeat the last one."""

    def __getitem__(self, rule: str) -> Any:
        shown = super().__getitem__(rule)
        if isinstance(shown, list):
            return shown.pop(0) if len(shown) > 1 else shown[0]
        return shown


def into_a_house(edition: Edition, die: int, of: Any) -> Any:
    """A tank overruns a squad in a brick building whose wall damages it; `die` decides whether the turret (up to 4)
    or the hull is damaged."""
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
    """Row 24: a damaged turret leaves the tank 4 points, enough to go in, but its attack is worse.

    A damaged hull, or any damage in the 2016 book, leaves it 2, which is too little.
    """

    def told(turn: Turn) -> tuple[Damage, dict[str, int] | None]:
        attacked = [one for one in turn.of("6.6.10") if "vehicle" in one.inputs and one.result == "reduced"]
        return turn.state.vehicles["g1"].damage, modifiers("6.5.4.4", "firer_damaged")(turn) if attacked else None

    assert into_a_house(edition, die, told) == (damage, worse)


@pytest.mark.parametrize(("edition", "hexes"), [("2024", 20), ("2016", 20)])
def test_6_7_3_1_1_a_suppressed_aircraft_flies_twice_as_far_to_acquire(edition: Edition, hexes: int):
    """Row 35: the books differ only for an aircraft suppressed on the way, not for one that arrives suppressed."""
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


# --- row 8: tracks -------------------------------------------------------------------------------------------------

PATH = "C10-C9-C8-C7-C6-C5-C4-C3"


@pytest.mark.parametrize(
    ("orders", "track", "path"),
    [
        ("g1 move C6", "C6", "C6"),
        ("g1 road C5", "4.5.1.1.5", "C5"),
        ("g1 move road f f f f", "4.5.1.1.11", "C6"),
        ("g1 move f f r f", "D8", "D8"),
        ("g1 move f f r f f", "4.5.1.1.3", "E7"),
    ],
)
@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_4_5_1_1_11_a_path_declared_a_track_by_both_books(edition: Edition, orders: str, track: str, path: str):
    """Row 8: a track through scrub, which costs 2, for a tank with 4 points across country and 6 on a path.

    A hex along a track costs 1, but a hex that is left by another hexside costs its usual 2. In the 2016 book the
    path stays a path: it costs 1 in either case, and the tank may use its path rate.
    """
    board = a_board(signs={f"C{row}": ";" for row in range(3, 10)}, links={"path": [PATH]})
    if charts(edition).switch("tracks"):
        board = board.with_tracks(sides_of_chain(PATH, dict.fromkeys(board.hexes)))
    state = an_advanced_state(a_tank("g1", "C10", "pz4h", facing=1), a_tank("s9", "T19", "zis5"), turn=1)
    data, expected = advanced_data(board, edition=edition, rules=FREE), track if edition == "2024" else path
    if "." not in expected:
        assert at("g1")(a_turn(data, state, german=orders)) == expected
        return
    with pytest.raises(Refusal) as refusal:
        a_turn(data, state, german=orders)
    assert_rule(refusal.value, expected)


# --- row 21: extra hits --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("places", "woods", "new", "old"),
    [
        (("C16", "C15"), "C15", [], [["s1", "s2"]]),
        (("C15", "D15"), "C15", [["s1", "s2"]], []),
        (("C16", "D16"), "", [["s1", "s2"]], [["s1", "s2"]]),
    ],
)
@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_6_5_2_1_extra_hits_by_both_books(edition: Edition, places: Any, woods: str, new: Any, old: Any):
    """Row 21: the books differ on which targets a veteran FlaK 36 may give its extra hits."""
    tanks = (a_tank(id, place, "t34_76", spot=Spot.FIRE) for id, place in zip(("s1", "s2"), places, strict=True))
    data = advanced_data(a_board(signs={woods: "W"} if woods else {}), edition=edition, rules=FREE)
    state = an_advanced_state(a_gun("g1", "C19", "flak36", facing=1, grade="veteran"), *tanks, turn=1)
    turn = a_turn(data, state, german="g1 fire s1", dice={"4.4.3.2.3": 1})
    told = [one.result for one in turn.of("6.5.2.1/spread-hits")]
    assert told == (new if edition == "2024" else old)
    if told:
        assert_rule(turn.findings, "6.5.2.1/spread-hits", inputs={"firer": "g1"})
