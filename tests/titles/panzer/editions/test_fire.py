"""4.4, 6.5 Sight, fire, calls for fire and close combat where the books differ; each case is played by both.

The numbers are those of the comparison of the books.
"""

from __future__ import annotations

from typing import Any

import pytest
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank
from titles.panzer.combinations.turns import Turn
from titles.panzer.editions.pairs import by_both, far, levels, modifiers, row, tell

from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.state import Battery, Inside

SQUAD, SOVIETS = "german_rifle_squad", "soviet_rifle_squad"
UNSEEN = ["4.4.1"]
UNSEEN_NOW = ["4.4.1/spotted-before"]


def targets(turn: Turn) -> list[str]:
    return [finding.inputs["target"] for finding in turn.of("4.4.1") if "target" in finding.inputs]


def gp_defence(turn: Turn) -> Any:
    return next(finding.inputs["cover"] for finding in turn.of("6.5.4.2.2") if "cover" in finding.inputs)


# --- 4.1.4 sight ----------------------------------------------------------------------------------------------------


def up_a_continuous_slope(edition: Edition) -> Any:
    """Row 4: every hex is a level higher than the last."""
    rising = {"C8": 1, "C7": 2, "C6": 3, "C5": 4}
    board = {"levels": levels(**rising), "hexsides": {"slope": ["C9:1", "C8:1", "C7:1", "C6:1"]}}
    return tell(edition, "g1 fire s1", a_tank("g1", "C9", "pz4h"), a_tank("s1", "C5"), of=targets, board=board)


def down_a_broken_slope(edition: Edition) -> Any:
    """Row 4: the hill in between is higher than both units."""
    board = {"levels": levels(C7=2), "hexsides": {"slope": ["C8:1", "C7:1"]}}
    return tell(edition, "g1 fire s1", a_tank("g1", "C9", "pz4h"), a_tank("s1", "C5"), of=targets, board=board)


def behind_woods_from_above(edition: Edition) -> Any:
    """Row 6: seen from level 4 over woods of 3 five hexes away, there are 5/2 = 2 blind hexes, but for
    level 1 only 5/(2+1) = 1."""
    board = {"levels": levels(C12=4, C5=1), "signs": {"C7": "w"}}
    return tell(edition, "g1 fire s1", a_tank("g1", "C12", "pz4h"), a_tank("s1", "C5"), of=targets, board=board)


def behind_woods_on_the_ground(edition: Edition) -> Any:
    """Row 6: for a target at level 0 the divisor is not corrected."""
    board = {"levels": levels(C12=4), "signs": {"C7": "w"}}
    return tell(edition, "g1 fire s1", a_tank("g1", "C12", "pz4h"), a_tank("s1", "C5"), of=targets, board=board)


# --- 5.0 weapons ----------------------------------------------------------------------------------------------------


def a_mounted_mortar_in_a_building(edition: Edition) -> Any:
    carrier = a_tank("g1", "C9", "spw251_2", inside=Inside.BUILDING)
    enemy, board = a_leg("s1", "C5", SOVIETS), {"signs": {"C9": "B"}}
    return tell(edition, "g1 fire s1 with 1", carrier, enemy, of=targets, board=board)


def a_mounted_mortar_in_the_alley(edition: Edition) -> Any:
    carrier, enemy = a_tank("g1", "C9", "spw251_2"), a_leg("s1", "C5", SOVIETS)
    return tell(edition, "g1 fire s1 with 1", carrier, enemy, of=targets, board={"signs": {"C9": "B"}})


def discarding_sabot(edition: Edition) -> Any:
    return tell(edition, "g1 fire s1 apds", a_gun("g1", "C9", "atg_6pdr"), a_tank("s1", "C5"), of=targets)


# --- 6.5.1 calls for fire -------------------------------------------------------------------------------------------


def batteries(side: str, *ids: str, **more: Any) -> dict[str, Battery]:
    card = f"{side}_medium"
    return {id: Battery(id=id, name=id, side=side, card=card, formation=side, **more) for id in ids}


def calls_of_an_american(edition: Edition) -> Any:
    """Row 19: an American FO calls three batteries."""
    observer = a_leg("u1", "C9", "us_section", labels=("fo",))
    return tell(
        edition, "u1 overwatch\nu1 call ub1 ub2 ub3 at C5 closed", observer, a_tank("g1", "C5", "pz4h"),
        of=lambda turn: turn.of("6.5.1.7")[0].inputs["observer"],
        sides=("us", "german"), batteries=batteries("us", "ub1", "ub2", "ub3"), dice={"6.5.1": 10},
    )  # fmt: skip


def calls_of_a_german(edition: Edition) -> Any:
    """Row 19: a German FO calls two batteries in both books."""
    observer = a_leg("g1", "C9", "german_section", labels=("fo",))
    return tell(
        edition, "g1 overwatch\ng1 call gb1 gb2 gb3 at C5 closed", observer, a_tank("s1", "C5"),
        of=lambda turn: turn.of("6.5.1.7")[0].inputs["observer"],
        batteries=batteries("german", "gb1", "gb2", "gb3"), dice={"6.5.1": 10},
    )  # fmt: skip


def a_soviet_observer(*labels: Any, attachment: str, name: str) -> Any:
    def situation(edition: Edition) -> Any:
        observer = a_leg("s1", "C9", "soviet_section", labels=labels)
        return tell(
            edition, "s1 overwatch\ns1 call sb1 at C5 closed", observer, a_tank("g1", "C5", "pz4h"),
            of=lambda turn: turn.of("6.5.1.7")[0].inputs["observer"],
            sides=("soviet", "german"), batteries=batteries("soviet", "sb1", attachment=attachment),
            dice={"6.5.1": 10},
        )  # fmt: skip

    situation.__name__ = name
    return situation


# --- 6.5.2, 6.5.4 fire ---------------------------------------------------------------------------------------------


def damaged_by_shells(die: int) -> Any:
    """Row 23: one die decides which part is damaged; on 1-4 it is the turret."""

    def situation(edition: Edition) -> Any:
        units = a_tank("g1", "C9", "su152"), a_tank("s1", "C7", "t70")
        dice = {"6.5.4": 95, "6.5.4.4.2": die}
        return tell(
            edition, "g1 fire s1 gp", *units, of=lambda turn: turn.state.vehicles["s1"].damage.value, dice=dice
        )

    situation.__name__ = f"damaged_by_shells_with_a_{die}"
    return situation


def at_horsemen(edition: Edition) -> Any:
    """Row 26: only the 2016 book has cavalry."""
    card = "soviet_cavalry_squad" if edition == "2016" else SOVIETS
    units = a_tank("g1", "C9", "pz4h"), a_leg("s1", "C7", card)
    return tell(edition, "g1 fire s1 gp", *units, of=modifiers("6.5.4.3", "target_cavalry"))


def at_a_squad_in(sign: str, name: str) -> Any:
    """Row 25: cover protects a squad from fire."""

    def situation(edition: Edition) -> Any:
        units = a_tank("g1", "C9", "pz4h"), a_leg("s1", "C7", SOVIETS)
        return tell(edition, "g1 fire s1 gp", *units, of=gp_defence, board={"signs": {"C7": sign}})

    situation.__name__ = f"at_a_squad_in_{name}"
    return situation


def at_a_squad_on_a_railroad(edition: Edition) -> Any:
    """Row 15: railroads are in the 2016 terrain key; a map of the other book may borrow them."""
    units = a_tank("g1", "C9", "pz4h"), a_leg("s1", "C7", SOVIETS)
    told = modifiers("6.5.4.3", "target_on_railroad")
    return tell(edition, "g1 fire s1 gp", *units, of=told, board={"signs": {"C7": "%"}})


def at_a_squad_behind(hexside: str) -> Any:
    """Row 16: walls protect in both books, and so do defilades where a map has them."""

    def situation(edition: Edition) -> Any:
        units = a_tank("g1", "C9", "pz4h"), a_leg("s1", "C7", SOVIETS)
        told = modifiers("6.5.4.3", "target_behind_wall", "target_behind_defilade")
        return tell(edition, "g1 fire s1 gp", *units, of=told, board={"hexsides": {hexside: ["C7:4"]}})

    situation.__name__ = f"at_a_squad_behind_a_{hexside}"
    return situation


def dust_of_a_move(edition: Edition) -> Any:
    """Row 17: a scenario of the 2024 book has dust."""
    units = a_tank("g1", "C9", "pz4h"), far()
    return tell(
        edition, "g1 move C7", *units, scenario={"dust": edition == "2024"},
        of=lambda turn: sorted({cloud.type for cloud in turn.state.clouds.values()}),
    )  # fmt: skip


# --- 6.6.1, 6.6.10 close combat and overruns ------------------------------------------------------------------------


def an_observer_attacks(edition: Edition) -> Any:
    """Row 27: a modifier of the 2016 book that an option brings into play."""
    units = a_leg("g1", "C8", "german_section", labels=("fo",)), a_leg("s1", "C7", SOVIETS)
    rules = ("dismounted_observers",) if edition == "2016" else ()
    told = modifiers("6.6.1.2.2", "dismounted_observer")
    return tell(edition, "g1 assault s1", *units, of=told, rules=rules)


def an_observer_attacks_without_the_option(edition: Edition) -> Any:
    units = a_leg("g1", "C8", "german_section", labels=("fo",)), a_leg("s1", "C7", SOVIETS)
    return tell(edition, "g1 assault s1", *units, of=modifiers("6.6.1.2.2", "dismounted_observer"))


def an_overrun_with_an_anti_aircraft_gun(edition: Edition) -> Any:
    """Row 33: the anti-aircraft gun is the car's only weapon."""
    units = a_tank("g1", "C9", "ab41"), a_leg("s1", "C7", SOVIETS)
    return tell(edition, "g1 overrun s1", *units, of=lambda turn: turn.of("6.6.10.1")[0].inputs["weapons"])


def an_overrun_by_a_tiger(edition: Edition) -> Any:
    """Row 33: the Tiger's gun is not an anti-aircraft gun, so it counts in both books."""
    units = a_tank("g1", "C9", "tiger1"), a_leg("s1", "C7", SOVIETS)
    return tell(edition, "g1 overrun s1", *units, of=lambda turn: list(turn.of("6.6.10.1")[0].inputs["weapons"]))


SOVIET = "a_soviet_commander_calls_what_is"
ROWS = [
    row(4, up_a_continuous_slope, ["s1"], UNSEEN),
    row(4, down_a_broken_slope, UNSEEN_NOW, UNSEEN),
    row(6, behind_woods_from_above, ["s1"], UNSEEN),
    row(6, behind_woods_on_the_ground, UNSEEN_NOW, UNSEEN),
    row(10, a_mounted_mortar_in_a_building, ["s1"], ["5.1.3.1/vehicle-mortar-building"]),
    row(10, a_mounted_mortar_in_the_alley, ["s1"], ["s1"]),
    row(13, discarding_sabot, ["5.16.1"], ["s1"]),
    row(15, at_a_squad_on_a_railroad, {"target_on_railroad": -5}, {"target_on_railroad": -5}),
    row(16, at_a_squad_behind("wall"), {"target_behind_wall": -10}, {"target_behind_wall": -10}),
    row(16, at_a_squad_behind("defilade"), {"target_behind_defilade": -10}, {"target_behind_defilade": -10}),
    row(17, dust_of_a_move, ["dust"], []),
    row(19, calls_of_an_american, ["6.5.1.1.1"], "u1"),
    row(19, calls_of_a_german, ["6.5.1.1.1"], ["6.5.1.1.1"]),
    row(20, a_soviet_observer("chq", attachment="organic", name=f"{SOVIET}_organic"), "s1",
        ["6.5.1.1.2/soviet-command-observers"]),
    row(20, a_soviet_observer("chq", attachment="attached", name=f"{SOVIET}_attached"), "s1", "s1"),
    row(20, a_soviet_observer("fo", attachment="organic", name="a_soviet_fo_calls_what_is_organic"), "s1", "s1"),
    row(20, a_soviet_observer("recon", attachment="organic", name="a_soviet_scout_calls_what_is_organic"), "s1",
        ["6.5.1.1.3/soviet-recon"]),
    row(23, damaged_by_shells(4), "turret", "whole"),
    row(23, damaged_by_shells(5), "hull", "whole"),
    row(25, at_a_squad_in(",", "brush"), "none", "none"),
    row(25, at_a_squad_in("c", "crops"), "light", "light"),
    row(26, at_horsemen, {}, {"target_cavalry": 10}),
    row(27, an_observer_attacks, {}, {"dismounted_observer": -10}),
    row(27, an_observer_attacks_without_the_option, {}, {}),
    row(33, an_overrun_with_an_anti_aircraft_gun, {"20mm Breda": 3}, ["6.6.10"]),
    row(33, an_overrun_by_a_tiger, ["88mm L56"], ["88mm L56"]),
]  # fmt: skip


@pytest.mark.parametrize(("situation", "new", "old"), ROWS)
def test_fire_by_both_books(situation: Any, new: Any, old: Any) -> None:
    assert by_both(situation) == {"2024": new, "2016": old}
