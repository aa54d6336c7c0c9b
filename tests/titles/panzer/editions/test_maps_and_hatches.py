"""Rows 1, 5 and 37 of the comparison: maps of both books, sunken hexes, and hatches under an aircraft."""

from __future__ import annotations

from typing import Any

import pytest
from titles.panzer.advanced.builders import a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_board, a_hex
from titles.panzer.combinations.turns import a_turn
from titles.panzer.editions.pairs import FREE, at, by_both, far, row, tell

from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.cards.overlays import Overlay, lay, read_placement
from pbem.titles.panzer.fire.turrets import OPEN, SHUT
from pbem.titles.panzer.setup.scenario import AircraftRow
from pbem.titles.panzer.state import AircraftState

# --- row 1: maps -------------------------------------------------------------------------------------------------


def over_an_overlay(edition: Edition) -> Any:
    """Row 1: an overlay with a grove lies in C7; a tank with 5 points drives into it, turns and drives on."""
    grove = Overlay(terrain={"id": ("light_grove",)})
    board = lay(a_board(), charts(edition), grove, read_placement("LG1 C7(1)"))
    tank = a_tank("g1", "C8", "pz4h", facing=1)
    turn = a_turn(
        advanced_data(board, edition=edition, rules=FREE), an_advanced_state(tank, far()), german="g1 move C7"
    )
    return board.terrain(a_hex("C7")), at("g1")(turn)


def both_nations(edition: Edition) -> Any:
    """Row 1: Italians and British of the 2024 book can be played by the other, with their cards."""
    units = a_tank("i1", "C8", "m13_40", side="italian"), a_tank("b1", "T20", "crusader1", side="british")
    return tell(edition, "i1 move C6", *units, of=at("i1"), sides=("italian", "british"))


# --- row 5: sunken hexes -------------------------------------------------------------------------------------------


def fire_into(sign: str, edition: Edition, away: int) -> Any:
    """A tank fires at another in a sunken hex, which it sees only from the next hex (4.1.4.1.6)."""
    units = a_tank("g1", "C12", "pz4h", facing=1), a_tank("s1", f"C{12 - away}", "t34_76"), far()
    return tell(edition, "g1 fire s1 ap", *units, of=lambda turn: "fired", board={"signs": {f"C{12 - away}": sign}})


def into_a_gully_next_to_it(edition: Edition) -> Any:
    return fire_into("u", edition, 1)


def into_a_gully_from_afar(edition: Edition) -> Any:
    return fire_into("u", edition, 3)


def into_a_stream_next_to_it(edition: Edition) -> Any:
    return fire_into("~", edition, 1)


def into_a_stream_from_afar(edition: Edition) -> Any:
    """Row 5: streams and fords are in the 2016 terrain key; a map of the other book may borrow them."""
    return fire_into("~", edition, 3)


def into_a_ford_from_afar(edition: Edition) -> Any:
    return fire_into("f", edition, 3)


# --- row 37: hatches -----------------------------------------------------------------------------------------------


def fire_at_an_aircraft(edition: Edition, flag: str) -> Any:
    """Row 37: a tank with a machine gun on its turret watches an aircraft that strafes it."""
    plane = AircraftState(id="ga1", name="ga1", side="german", card="ju87b", load="bombs")
    sky = {"aircraft": (AircraftRow("ga1", "ga1", "german", "ju87b", "seasoned"),), "air_superiority": "german"}
    units = a_tank("g1", "T19", "pz4h"), a_tank("s1", "C12", "m4a1", flags=(flag,))
    return tell(
        edition, "g1 hold\nga1 fly C1 face 4 slow low strafe s1", *units, rules=("turrets",), others="s1 overwatch",
        of=lambda turn: [one.inputs["gun"] for one in turn.of("6.7.4")], scenario=sky, aircraft={"ga1": plane},
        complete=False,
    )  # fmt: skip


def from_an_open_turret(edition: Edition) -> Any:
    return fire_at_an_aircraft(edition, OPEN)


def from_a_shut_turret(edition: Edition) -> Any:
    return fire_at_an_aircraft(edition, SHUT)


@pytest.mark.parametrize(
    ("situation", "new", "old"),
    [
        row(1, over_an_overlay, (("light_grove",), "C7"), (("light_grove",), "C7")),
        row(1, both_nations, "C6", "C6"),
        row(5, into_a_gully_next_to_it, "fired", "fired"),
        row(5, into_a_gully_from_afar, ["4.4.1/spotted-before"], ["4.4.1"]),
        row(5, into_a_stream_next_to_it, "fired", "fired"),
        row(5, into_a_stream_from_afar, ["4.4.1/spotted-before"], ["4.4.1"]),
        row(5, into_a_ford_from_afar, ["4.4.1/spotted-before"], ["4.4.1"]),
        row(37, from_an_open_turret, ["s1"], ["s1"]),
        row(37, from_a_shut_turret, [], ["s1"]),
    ],
)
def test_maps_and_hatches_by_both_books(situation: Any, new: Any, old: Any) -> None:
    assert by_both(situation) == {"2024": new, "2016": old}
