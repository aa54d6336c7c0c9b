"""The operational story of a turn follows from two situations."""

from pbem.titles.nato.cards.scenario_files import packaged_scenario
from pbem.titles.nato.cards.units import roster
from pbem.titles.nato.map.ground import Side
from pbem.titles.nato.map.reading import atlas
from pbem.titles.nato.player.drawing.story import changes, list_names, name_of, story
from pbem.titles.nato.player.map import Shown, Situation

UNITS = roster(1983)
LEINE = packaged_scenario("leine")
AREA = LEINE.play_area(atlas())


def situation(moved: dict[str, str] | None = None, gone: tuple[str, ...] = (), **more: object) -> Situation:
    """Return the set-up with some units moved or removed."""
    pieces = tuple(
        Shown(place.unit, (moved or {}).get(place.unit, place.at))
        for place in LEINE.placements
        if place.unit not in gone
    )
    return Situation(title="", turn=1, pieces=pieces, **{"conquered": LEINE.conquered, **more})  # type: ignore[arg-type]


def told(before: Situation, after: Situation) -> list[str]:
    """Return the story between two situations, in English."""
    return [str(line) for line in story(AREA, UNITS, before, after)]


def test_a_turn_without_change_says_so() -> None:
    assert told(situation(), situation()) == ["The front line did not move."]


def test_ground_and_cities_come_first() -> None:
    after = situation({"16GT": "3118", "21": "3117"}, conquered=LEINE.conquered | {"3117": Side.WP})
    lines = told(situation(), after)
    assert lines[0].startswith("The Warsaw Pact gained ") and "Hannover" in lines[0]
    assert "The Warsaw Pact conquered Hannover 3117." in lines
    wp, nato = changes(AREA, UNITS, situation(), after)
    assert wp.taken == ("3117",) and nato.taken == () and nato.gained == ()
    assert wp.depth > wp.before
    assert f"The Warsaw Pact's foremost unit is {wp.depth} hexes beyond the border (previously {wp.before})." in lines


def test_a_liberated_city_is_not_a_conquest() -> None:
    after = situation(conquered={})
    assert "NATO liberated Braunschweig 3115." in told(situation(), after)


def test_losses_reductions_and_arrivals_are_named() -> None:
    before = situation(gone=("E8",))
    pieces = tuple(
        Shown(piece.unit, piece.at, reduced=piece.unit == "16GT") for piece in situation(gone=("22/1A",)).pieces
    )
    lines = told(before, Situation(title="", turn=2, pieces=pieces, conquered=LEINE.conquered))
    assert "NATO lost British 22nd Armoured Brigade." in lines, "the commas of a list separate units"
    assert "16th Guards Tank Division of the Warsaw Pact was reduced to one step." in lines
    assert "Reinforcements for the Warsaw Pact: East German 8th Motor Rifle Division." in lines


def test_supply_is_told_when_it_changes() -> None:
    cut = tuple(Shown(piece.unit, piece.at, ms_out=piece.unit in ("16GT", "21")) for piece in situation().pieces)
    after = Situation(title="", turn=1, pieces=cut, conquered=LEINE.conquered)
    assert told(situation(), after) == ["16th Guards Tank Division and 21st Motor Rifle Division are out of supply."]
    assert told(after, situation()) == [
        "16th Guards Tank Division and 21st Motor Rifle Division are in supply again."
    ]


def text_of(names: str) -> str:
    return str(list_names(names))


def test_long_lists_are_cut() -> None:
    assert text_of("a") == "a" and text_of("ab") == "a and b"
    assert text_of("abcdefgh") == "a, b, c, d, e, f, g and h"
    assert text_of("abcdefghi") == "a, b, c, d, e, f, g, h and i", "one name takes no more room than a number"
    assert text_of("abcdefghij") == "a, b, c, d, e, f, g, h and 2 others"
    assert text_of("abcdefghijk") == "a, b, c, d, e, f, g, h and 3 others"


def test_a_list_of_many_losses_begins_with_their_number() -> None:
    after = situation(gone=("22/1A", "7/1A", "12/1A"))
    [line] = [line for line in told(situation(), after) if "lost" in line]
    assert line.startswith("NATO lost 3 units: British ") and line.count(",") == 1


def test_units_of_the_same_name_are_told_apart_by_their_division() -> None:
    division = UNITS["US-1/9"].title.partition(", ")[2]
    assert str(name_of(UNITS, "US-1/9")) == f"US 1st Brigade of the {division}"
    assert str(name_of(UNITS, "7/1A")) == "British 7th Armoured Brigade"
