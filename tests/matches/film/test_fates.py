"""Every order line has a fate: also across several exchanges, for weapons, and for orders without a destination."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.rules.happenings import Appear, Area, Battle, Fail, Happening, Move, Shot, Vanish
from pbem.engine.rules.title import Stand
from pbem.engine.text.messages import say
from pbem.matches.film.scenes import Scene
from pbem.matches.film.summary import Given, battles, fates, held_places, lines_without_fate
from pbem.matches.film.wording import Words

STANDS = {id: Stand(id, "", "red", "A1") for id in ("r1", "r2", "34N")}


class Plain:
    """Rules whose places are already words."""

    is_open = False

    def place_in_words(self, at: Any) -> str:
        return str(at)


WORDS = Words(Plain(), STANDS, "red", carriers={"mg1": "r1"})  # type: ignore[arg-type]
MOVED, SHOT = Move("r1", (("A1", None), ("B2", None))), Shot("r1", "b1", result="miss")


def given(*exchanges: tuple[list[str], list[Happening]]) -> list[Given]:
    return [Given(lines, [(1, one) for one in happened]) for lines, happened in exchanges]


def told(*exchanges: tuple[list[str], list[Happening]]) -> dict[str, str]:
    assert not list(lines_without_fate(given(*exchanges), WORDS))
    return {fate.order: str(fate.fate) for fate in fates(given(*exchanges), WORDS)}


def test_two_parts_of_a_line_that_fail_for_one_reason_are_told_once() -> None:
    lost = [Fail("r1", "r1 fire b1", say("the unit was lost")), Fail("r1", "r1 move B2", say("the unit was lost"))]
    (fate,) = fates(given((["r1 short-halt b1 move B2"], lost)), WORDS)
    assert fate.failed and str(fate.fate) == "the unit was lost"


def test_a_line_of_which_a_part_was_carried_out_tells_that_part_too() -> None:
    """A unit that fires and is lost before it can move has not simply failed: its shot is told with the failure."""
    line, lost = "r1 short-halt b1 move B2", say("the unit was lost before its turn came")
    (fate,) = fates(given(([line], [SHOT, Fail("r1", "r1 move B2", lost)])), WORDS)
    assert (str(fate.done), str(fate.fate), fate.failed) == ("missed", str(lost), True)
    (fate,) = fates(given(([line], [MOVED, Fail("r1", "r1 fire b1", "no target")])), WORDS)
    assert (str(fate.done), str(fate.fate)) == ("ends in B2", "no target")
    (fate,) = fates(given((["r1 move B2"], [MOVED, Fail("r1", "r1 move B2", "blocked")])), WORDS)
    assert fate.done is None


@pytest.mark.parametrize(
    ("line", "happened", "fate"),
    [
        ("mg1 fire at B2", [SHOT], "missed"),
        ("r1+mg1 move B2", [MOVED], "ends in B2"),
        ("r1 fire", [], "did not fire"),
        ("r1 move", [], "did not move"),
        ("r1 move off", [Vanish("r1")], "leaves the map"),
        ("r1 enter A9 face 2", [Appear("r1", "A9", 2)], "ends in A9"),
        ("air 3217", [Area("air strike", ("3217",))], "carried out"),
        ("air 3217", [Fail("3217", "air 3217", "nothing is left")], "nothing is left"),
        ("mg1 fire at B2", [Shot("r9", "b1", result="miss", arms=("mg1",))], "missed"),
        ("ju1 fly S9 dive b1", [Appear("ju1", "S9"), Shot("ju1", "b1", result="miss"), Vanish("ju1")], "missed"),
        ("ju1 fly S9 dive b1", [Appear("ju1", "S9"), Vanish("ju1")], "carried out"),
        ("fire 34N at 3217", [Shot("34N", goal="3217", result="D")], "D"),
    ],
)
def test_a_line_and_its_fate(line: str, happened: list[Happening], fate: str) -> None:
    assert told(([line], happened)) == {line: fate}


def test_an_order_is_carried_out_in_a_later_exchange_of_its_turn() -> None:
    assert told((["r1 move B2"], []), (["done"], [MOVED])) == {"r1 move B2": "ends in B2"}


def test_a_later_order_of_the_same_kind_takes_over_and_one_of_another_kind_does_not() -> None:
    later = (["r1 move f f", "r2 fire"], [MOVED])
    assert told((["r1 move B2"], []), later) == {"r1 move f f": "ends in B2", "r2 fire": "did not fire"}
    assert told((["r1 move B2"], []), (["r1 fire b1"], [MOVED, SHOT])) == {
        "r1 move B2": "ends in B2",
        "r1 fire b1": "missed",
    }


def test_a_failure_is_told_once_though_later_exchanges_follow() -> None:
    fail = Fail("r1", "r1 move B2", "blocked")
    found = list(fates(given((["r1 move B2"], []), (["r2 hold"], []), ([], [fail])), WORDS))
    assert [(fate.order, str(fate.fate)) for fate in found] == [("r1 move B2", "blocked")]


def test_a_line_of_which_nothing_is_told_is_found() -> None:
    assert list(lines_without_fate(given((["r1 move B2", "r2 hold", "none"], [])), WORDS)) == ["r1 move B2"]


@pytest.mark.parametrize("line", ["ju1 fly S9 dive b1", "air 3217", "strike 3217"])
def test_a_mission_from_off_the_map_of_which_nothing_is_told_is_found(line: str) -> None:
    assert list(lines_without_fate(given(([line], [])), WORDS)) == [line]


def test_a_weapon_that_changes_hands_has_its_fate_from_whoever_holds_it_later() -> None:
    words = Words(Plain(), STANDS, "red", carriers={"mg1": "r1"}, later_carriers={"mg1": "r2"})  # type: ignore[arg-type]
    orders = given((["mg1 fire at B2"], [Fail("r2", "mg1 fire B2", "too far", "4.1")]))
    assert not list(lines_without_fate(orders, words))
    assert [str(fate.fate) for fate in fates(orders, words)] == ["too far"]


def test_a_player_who_is_asked_one_by_one_may_let_the_occasion_pass() -> None:
    assert told((["r1 fire b1"], []), (["done"], [])) == {
        "r1 fire b1": "did not fire: the order to fire was not repeated when the unit was asked again"
    }
    assert told((["r1 fire b1"], []), (["done"], [SHOT])) == {"r1 fire b1": "missed"}
    assert list(lines_without_fate(given((["r1 fire b1"], [])), WORDS)) == ["r1 fire b1"]


UNSEEN = Fail("r1", "fire b1", "the unit did not notice b1", "7.7.1")


def test_a_unit_on_overwatch_that_missed_one_occasion_and_took_another_has_fired() -> None:
    assert told((["r1 overwatch"], [UNSEEN])) == {"r1 overwatch": "the unit did not notice b1"}
    assert told((["r1 overwatch"], [UNSEEN, SHOT])) == {"r1 overwatch": "missed"}
    assert (
        told((["r1 overwatch"], []), (["r1 fire b1"], [UNSEEN]), (["r1 fire b1"], [SHOT]))["r1 fire b1"] == "missed"
    )


def test_a_move_with_fire_on_the_way_is_replaced_by_a_later_move() -> None:
    assert told((["r1 move B2, fire mg1 at C3"], []), (["r1 move B2"], [MOVED])) == {"r1 move B2": "ends in B2"}


def test_a_move_is_replaced_by_a_later_order_to_attack_in_close_combat() -> None:
    attacked = Shot("r1", "b1", result="suppressed")
    assert told((["r1 move B2"], []), (["r1 assault b1"], [attacked])) == {"r1 assault b1": "suppressed"}


def test_the_failure_of_a_weapon_that_changes_hands_twice_is_the_fate_of_its_line() -> None:
    words = Words(Plain(), STANDS, "red", carriers={"mg1": "r1"}, later_carriers={"mg1": "r2"})  # type: ignore[arg-type]
    orders = given((["mg1 fire at B2"], [Fail("r9", "mg1 fire at B2", "too far", "4.1")]), (["give mg1 to r2"], []))
    assert not list(lines_without_fate(orders, words))
    orders = given((["mg1 fire against b1 apcr"], [Fail("r9", "mg1 fire B2", "too far", "4.1")]))
    assert [(fate.order, str(fate.fate)) for fate in fates(orders, words)] == [
        ("mg1 fire against b1 apcr", "too far")
    ]


def test_an_order_given_in_advance_has_a_fate() -> None:
    assert told((["later r1 fire at B2"], []), (["none"], [SHOT])) == {"later r1 fire at B2": "missed"}
    fail = Fail("r1", "r1 fire at B2", "too far")
    assert told((["later r1 fire at B2"], []), ([], [fail])) == {"later r1 fire at B2": "too far"}
    assert list(lines_without_fate(given((["later r1 fire at B2"], [])), WORDS)) == ["later r1 fire at B2"]


def test_the_reason_why_an_aim_failed_goes_before_the_reason_why_the_command_did() -> None:
    aim, command = Fail("r1", "fire b1", "b1 had left play"), Fail("r1", "fire", "no target was left")
    assert told((["r1 fire b1"], [aim, command])) == {"r1 fire b1": "b1 had left play"}
    assert told((["r1 fire b1"], [command])) == {"r1 fire b1": "no target was left"}


def test_a_unit_that_moved_and_was_not_told_to_fire_when_asked_did_not_fire() -> None:
    orders = (["r1 short-halt b1"], []), (["done"], []), (["r1 move f"], [MOVED])
    why = "did not fire: the order to fire was not repeated when the unit was asked again"
    assert told(*orders)["r1 short-halt b1"] == why


def test_a_unit_that_kept_watch_and_had_nothing_to_fire_at_did_not_fire() -> None:
    assert told((["r1 watch within 4"], [])) == {"r1 watch within 4": "did not fire"}


def test_a_shot_at_a_target_that_was_lost_before_was_not_needed() -> None:
    late = Shot("r1", "b1", result="too-late")
    (fate,) = fates(given((["r1 fire b1"], [late])), WORDS)
    assert (str(fate.fate), fate.needless, fate.failed) == ("its target was already gone", True, False)
    (fired,) = fates(given((["r1 fire b1"], [late, SHOT])), WORDS)
    assert not fired.needless


def test_a_unit_that_shares_the_order_of_another_has_the_reason_of_its_own_failure() -> None:
    fail = Fail("r2", "fire", "it has not spotted an enemy")
    assert told((["r1 fire b1", "r2 with r1"], [SHOT, fail])) == {
        "r1 fire b1": "missed",
        "r2 with r1": "it has not spotted an enemy",
    }


def test_a_failure_that_belongs_to_no_line_names_its_unit() -> None:
    assert told((["r1 fire b1"], [SHOT, Fail("r2", "fire", "no target")])) == {
        "r1 fire b1": "missed",
        "r2 fire": "no target",
    }


def test_objectives_are_listed_by_holder_the_viewers_own_first() -> None:
    held = {"Hill": "", "Well": "blue", "Ford": "red", "Mill": "blue"}
    told = [str(one) for one in held_places(held, WORDS)]
    assert told == ["You hold Ford.", "The blue side holds Well and Mill.", "Nobody holds Hill."]


def test_an_attack_without_its_helicopters_was_made_all_the_same() -> None:
    """An attack whose helicopters were used up by an earlier attack is still reported as made."""
    line, none_ready = "attack B2 with r1 helicopters 34N", "no brigade is ready"
    battle = Battle(("r1",), "B2", ("b1",), "3:1", (4,), "the city falls")
    fail = Fail("34N", "attack B2 helicopters 34N", none_ready, "18.4")
    assert told(([line], [battle, fail])) == {line: f"the attack was made, but {none_ready}"}
    assert told(([line], [fail])) == {line: none_ready}


def test_the_summary_tells_each_attack_with_its_odds_and_its_result() -> None:
    """The summary lists each attack with its odds and result, even one that a city withstood."""
    ours = Battle(("r1",), "B2", ("b1",), "4:1", (1,), "the city holds")
    theirs = Battle(("b1",), "A1", ("r1",), "1:2", (6,), "no effect")
    scenes = [Scene("battle", [ours, MOVED], number=1), Scene("battle", [theirs], number=2)]
    assert [(one.scene, str(one.said)) for one in battles(scenes, WORDS)] == [
        (1, "You attacked B2 at 4:1: the city holds."),
        (2, "A1 was attacked at 1:2: no effect."),
    ]
