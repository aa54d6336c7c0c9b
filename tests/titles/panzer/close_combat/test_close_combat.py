"""6.6.1 Close assault and hand-to-hand combat, 6.6.11 shared commands, in both editions."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.asking import CHECKS, OPTIONS
from titles.panzer.builders import Always, Played, a_board, a_hex, run_step, run_steps

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.advanced_charts import advanced_charts
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.close_combat.close_assault import (
    CLOSE_ASSAULT,
    Fight,
    assault_modifiers,
    close_assault,
    is_supported,
)
from pbem.titles.panzer.close_combat.close_combat import (
    advance_options,
    assault_objections,
    assault_options,
    check_advance,
    check_assault,
    close_combat_step,
    dismount_attack,
    dismount_objections,
)
from pbem.titles.panzer.close_combat.hand_to_hand import (
    HAND_TO_HAND,
    Side,
    check_primary,
    hand_to_hand,
    primary_options,
    side_modifiers,
)
from pbem.titles.panzer.invariants import flaws
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.state import (
    BOUND,
    Command,
    Damage,
    HullDown,
    Landed,
    Marker,
    Mission,
    PanzerState,
    Spot,
    Unit,
)
from pbem.titles.panzer.view import view_of

SQUAD, HALF, SECTION = "german_rifle_squad", "german_rifle_half_squad", "german_section"
MOVE: dict[str, Any] = {"command": Command.MOVE}
STEPS = {"close_combat_step": close_combat_step}


def ground(**places: str) -> Board:
    """An open board with a terrain type in some hexes."""
    signs = dict(zip(places, "123456789", strict=False))
    return a_board(signs=signs, legend={signs[place]: terrain.split() for place, terrain in places.items()})


def leg(id: str, hex: str, card: str = SQUAD, **more: Any) -> Unit:
    return a_leg(id, hex, card, **{**MOVE, **more})


def assault(target: str, *attackers: str | tuple[str, str]) -> dict[str, Any]:
    """A declaration: these units, optionally with the hex they advance to."""
    named = [[unit, ""] if isinstance(unit, str) else list(unit) for unit in attackers]
    return {"target": target, "attackers": named}


def play(table: Table[PanzerState], *declarations: Any, side: str = "german", **answers: Any) -> Played:
    """One player's close combat step with these declarations; each is checked against the player's view."""
    for_assault = list(declarations)

    def answer(ask: Ask) -> Any:
        said = for_assault.pop(0) if for_assault else None
        return check_assault(table.data, view_of(table.state, side), ask, said)

    table.then("close_combat_step", side=side)
    return run_steps(table, STEPS, {"assault": answer, **answers})


def a_fight(*units: Unit, target: Unit, edition: Edition = "2024", board: Board | None = None, **more: Any) -> Fight:
    state = an_advanced_state(*units, target, *more.pop("around", ()))
    data = advanced_data(board, edition=edition)
    return Fight(data, state, units[0], tuple(units[1:]), target, **more)


def refused(table: Table[PanzerState], answer: Any, engaged: tuple[str, ...] = (), side: str = "german") -> Refusal:
    ask = Ask(side, "assault", "6.6.1", about={"engaged": list(engaged)})
    with pytest.raises(Refusal) as caught:
        check_assault(table.data, view_of(table.state, side), ask, answer)
    return caught.value


# --- 6.6.1.1.2 modifiers ---------------------------------------------------------------------------------------


def assault_rows(edition: Edition) -> list[tuple[str, Fight, int]]:
    """Each row of the chart separately: its paragraph, a fight in which it applies, its value."""
    tank: dict[str, Any] = {"command": Command.FIRE, "revealed": True}
    plain = a_tank("s1", "C5", "t34_76", **tank)
    thrower = next(
        id for id, row in advanced_data(edition=edition).book.attached.items() if row.kind == "flamethrower"
    )
    high = a_board(columns=6, rows=8, levels="\n".join("111111" if row == 5 else "000000" for row in range(1, 9)))

    def fight(*units: Unit, target: Unit = plain, **more: Any) -> Fight:
        return a_fight(*(units or (leg("g1", "C6"),)), target=target, edition=edition, **more)

    woods = "medium_grove" if edition == "2024" else "woods"
    return [
        ("advance", fight(advanced=True), -10),
        ("uphill", fight(board=high), -10),
        ("dismount", fight(dismounted=True), -10),
        (
            "moving-vehicle",
            fight(target=a_tank("s1", "C5", "t34_76", command=Command.SHORT_HALT, revealed=True)),
            -10,
        ),
        ("suppressed-vehicle", fight(target=a_tank("s1", "C5", "t34_76", suppression=Marker.OFF)), 20),
        ("c-modifier", fight(target=a_tank("s1", "C5", "su85")), 20),
        ("unsupported", fight(board=ground(C5=woods)), 30),
        ("plus-attackers", fight(leg("g1", "C6"), leg("g2", "C6", SECTION), leg("g3", "C6", SECTION)), 10),
        ("plus-attackers", fight(leg("g1", "C6"), leg("g2", "C6", HALF)), 10),
        ("plus-attackers", fight(leg("g1", "C6"), leg("g2", "C6"), leg("g3", "C6")), 40),
        ("p-type", fight(target=a_tank("s1", "C5", "su76m")), 20),
        ("s-type", fight(target=a_tank("s1", "C5", "zis5")), 30),
        ("open-a-type", fight(target=a_tank("s1", "C5", "t34_76", flags=("turret-open",))), 10),
        ("flamethrower", fight(leg("g1", "C6", weapons=(thrower,))), 20),
        ("hesitating", fight(target=a_tank("s1", "C5", "t34_76", flags=("hesitating-on",))), 10),
        ("broken", fight(target=a_tank("s1", "C5", "t34_76", flags=("broken-off",))), 20),
        ("unit-grade", fight(leg("g1", "C6", grade="regulars")), -10),
    ]


@pytest.mark.rule(
    "6.6.1.1.2", "6.6.1.1.2/uphill", "6.6.1.1.2/dismount", "6.6.1.1.2/moving-vehicle", "6.6.1.1.2/suppressed-vehicle",
    "6.6.1.1.2/c-modifier", "6.6.1.1.2/p-type", "6.6.1.1.2/s-type", "6.6.1.1.2/open-a-type",
    "6.6.1.1.2/flamethrower", "6.6.1.1.2/unit-grade",
)  # fmt: skip
@pytest.mark.parametrize(
    ("edition", "named"),
    [
        pytest.param(
            "2024",
            {},
            marks=pytest.mark.rule(
                "6.6.1.1.2/advance", "6.6.1.1.2/unsupported", "6.6.1.1.2/plus-attackers", "6.6.1.1.2/hesitating",
                "6.6.1.1.2/broken", editions=("2024",),
            ),
        ),
        pytest.param(
            "2016",
            {
                "advance": "advancing-attack",
                "unsupported": "unsupported-hex",
                "plus-attackers": "plus-attacker",
                "hesitating": "vs-hesitating",
                "broken": "vs-broken",
            },
            marks=pytest.mark.rule(
                "6.6.1.1.2/advancing-attack", "6.6.1.1.2/unsupported-hex", "6.6.1.1.2/plus-attacker",
                "6.6.1.1.2/vs-hesitating", "6.6.1.1.2/vs-broken", editions=("2016",),
            ),
        ),
    ],
)  # fmt: skip
def test_6_6_1_1_2_each_modifier_of_close_assault_alone(edition: Edition, named: dict[str, str]) -> None:
    """L3205-3281, 2016:L3278-3358: nothing else applies, and a Regulars attacker has -10."""
    for paragraph, fight, value in assault_rows(edition):
        found = assault_modifiers(fight)
        assert_rule(found, f"6.6.1.1.2/{named.get(paragraph, paragraph)}", result=value)
        assert found.result == value, (paragraph, found.modifiers)
    assert_rule(found, "6.6.1.1.2", result=-10)
    assert {row.when for row in advanced_charts(edition).modifiers["close_assault"]} <= set(CLOSE_ASSAULT)


@pytest.mark.rule("6.6.1.1.2/support", editions=("2024",))
def test_6_6_1_1_2_who_supports_a_vehicle_in_close_terrain() -> None:
    """L3235-3239: unbroken squads and half-squads in the hex, even suppressed; passengers only their own vehicle.

    Sections never support; elsewhere support does not matter.
    """

    def supported(*around: Unit, terrain: str = "brick_building") -> Finding:
        tank = a_tank("s1", "C5", "t34_76")
        state = an_advanced_state(tank, *around)
        return is_supported(advanced_data(ground(C5=terrain)), state, tank)

    assert supported(terrain="scrub").result is True
    assert supported().result is False
    assert_rule(supported(leg("s2", "C5")), "6.6.1.1.2/support", result=True, inputs={"around": {"s2": 2}})
    assert supported(leg("s2", "C5", HALF, suppression=Marker.ON)).result is True
    assert supported(leg("s2", "C5", SECTION)).result is False
    assert supported(leg("s2", "C5", flags=("broken-on",))).result is False
    assert supported(leg("s2", "D5")).result is False
    assert supported(leg("g2", "C5")).result is False
    assert_rule(supported(leg("s2", "C5", aboard="s1")), "6.6.1.1.2/support", result=True, inputs={"aboard": ["s2"]})
    assert supported(a_tank("s3", "C5", "zis5"), leg("s2", "C5", aboard="s3")).result is False


# --- 6.6.1.1.1, 6.6.1.1.3 resolution and results ---------------------------------------------------------------


@pytest.mark.rule("6.6.1.1", "6.6.1.1.1", "6.6.1.1.3", "6.6.1.1.3/effective")
@pytest.mark.parametrize(
    ("edition", "squad", "target", "terrain", "defence", "cell", "dice", "damage"),
    [
        ("2024", a_leg("b1", "C6", "british_infantry_squad"), a_tank("i1", "C5", "semovente"),
         ("scrub", "medium_grove"), 2, (27, 59), [45, 3, 100], Damage.TURRET),
        ("2016", a_leg("s1", "C6", "soviet_smg_squad"), a_tank("g1", "C5", "stug3g"),
         ("scrub", "woods"), 3, (31, 63), [45, 100], Damage.WHOLE),
    ],
)  # fmt: skip
def test_6_6_1_1_situation(
    edition: Edition, squad: Unit, target: Unit, terrain: tuple[str, str], defence: int, cell: tuple[int, int],
    dice: list[int], damage: Damage,
) -> None:  # fmt: skip
    """L3303-3327, 2016:L3376-3394: moving -10, C +20, suppressed +20, Regulars -10; 45 + 20 = 65: damaged."""
    squad.grade, squad.command = "regulars", Command.MOVE
    target.command, target.suppression = Command.MOVE, Marker.ON
    board = ground(C5=terrain[0], C6=terrain[1])
    table = an_advanced_table(target, squad, board=board, edition=edition, dice=dice)
    played = play(table, assault(target.id, squad.id), side=squad.side, show=[True])

    roll = assert_rule(
        played.findings,
        "6.6.1.1.1",
        result="effective",
        inputs={"factor": 8, "defence": defence, "net": 20, "total": 65},
    )
    assert isinstance(roll, Finding) and (roll.inputs["no_effect"], roll.inputs["suppressed"]) == cell
    assert_rule(played.findings, "6.6.1.1.3/effective", result="damaged")
    assert_rule(played.findings, "6.6.1.1.3", result="damaged")
    assert_rule(played.findings, "6.6.1.1", result="damaged")
    assert target.damage is damage and target.face_down  # 6.6.1.1.3: it keeps its command
    assert squad.pending is Spot.MOVE and squad.assaulted and squad.moved and squad.revealed
    assert ("", "overwatch") not in played.sequence and not played.asked("overwatch")


def at_tank(
    *dice: int, target: Unit | None = None, edition: Edition = "2024", attackers: tuple[Unit, ...] = ()
) -> Any:
    """A squad assaults a tank in the open."""
    tank = target or a_tank("s1", "C5", "tiger1", side="soviet")
    table = an_advanced_table(*(attackers or (leg("g1", "C6"),)), tank, edition=edition, dice=dice)
    units = list(table.state.of("german"))
    fight = Fight(table.data, table.state, units[0], tuple(units[1:]), tank)
    found: Finding = run_step(table, close_assault(table, fight)).result
    return found, tank


@pytest.mark.rule("6.6.1.1.1")
@pytest.mark.parametrize(("card", "factor", "half"), [(SQUAD, 8, 4), (HALF, 4, 2), (SECTION, 2, 1)])
def test_6_6_1_1_1_factor_by_the_size_of_the_primary_and_defence_at_most_5(card: str, factor: int, half: int) -> None:
    """L3189-3195, L3297: half of the factor is the limit for a brew-up."""
    for roll, outcome in ((half, "bu"), (half + 1, "ko")):
        found, tank = at_tank(99, roll, attackers=(leg("g1", "C6", card),), target=a_tank("s1", "C5", "is2m"))
        assert_rule(found, "6.6.1.1.1", inputs={"factor": factor, "defence": 5})
        assert found.result == outcome and not tank.alive


@pytest.mark.rule("6.6.1.1.3/suppressed")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_6_1_1_3_suppressed(edition: Edition) -> None:
    """L3289: a marker that shows Off is turned to On, for any type and range."""
    found, tank = at_tank(44, target=a_tank("s1", "C5", "is2m", suppression=Marker.OFF), edition=edition)
    assert_rule(found, "6.6.1.1.3/suppressed", result="suppressed")
    assert tank.suppression is Marker.ON and tank.under_fire


def test_6_6_1_1_3_no_effect_and_a_track_hit_that_hull_down_does_not_prevent() -> None:
    """A28: terrain has no effect on close assault."""
    assert at_tank(1)[0].result == "none"
    found, tank = at_tank(90, 100, target=a_tank("s1", "C5", "is2m", hull_down=HullDown.HD, facing=4))
    assert found.result == "track" and tank.track_hit


def test_6_6_1_1_3_a_flamethrower_brews_up_without_a_roll() -> None:
    """L3297."""
    thrower = next(id for id, row in advanced_data().book.attached.items() if row.kind == "flamethrower")
    attackers = leg("g1", "C6"), leg("g2", "C6", HALF, weapons=(thrower,))
    found, tank = at_tank(96, attackers=attackers, target=a_tank("s1", "C5", "is2m"))
    assert found.result == "bu" and not tank.alive


@pytest.mark.rule("6.6.1.1.3/bailed-out-vehicle", editions=("2024",))
def test_6_6_1_1_3_an_abandoned_vehicle_is_lost_automatically() -> None:
    """L3295: only the roll of 10 is made."""
    found, _ = at_tank(5, target=a_tank("s1", "C5", "is2m", bailed_out=True))
    assert_rule(found, "6.6.1.1.3/bailed-out-vehicle", result="ko")
    found, _ = at_tank(4, target=a_tank("s1", "C5", "is2m", bailed_out=True), edition="2016")
    assert found.result == "bu"


@pytest.mark.rule("6.6.1.1.2", editions=("2024",))
@pytest.mark.rule("6.6.1.1.3/hidden-command", editions=("2024",))
def test_6_6_1_1_3_the_owner_need_not_show_and_keeps_his_command() -> None:
    """L3217-3221, L3285: declined, the modifier is 0; the command may still be carried out."""
    tank = a_tank("s1", "C5", "t34_76", command=Command.MOVE)
    table = an_advanced_table(leg("g1", "C6"), tank, dice=[1])
    played = play(table, assault("s1", "g1"), show=[False])
    assert played.sequence == [("german", "assault"), ("soviet", "show"), ("german", "assault")]
    assert_rule(played.findings, "6.6.1.1.2", result=0)
    assert_rule(played.findings, "6.6.1.1.3/hidden-command", result="kept")
    assert tank.command is Command.MOVE and tank.face_down and not tank.shown


def test_6_6_1_1_3_passengers_are_not_attacked_but_check_bail_out() -> None:
    """L3299, RULING: the truck is knocked out; its passenger survives with 21 or more."""
    truck, rider = a_tank("s1", "C5", "zis5"), a_leg("s2", "C5", "soviet_rifle_squad", aboard="s1")
    table = an_advanced_table(leg("g1", "C6"), truck, rider, dice=[92, 9, 21])
    played = play(table, assault("s1", "g1"))
    assert not truck.alive and rider.alive and not rider.aboard and rider.suppressed
    assert not played.asked("advance")  # an enemy is in the hex


# --- 6.6.1.2 hand-to-hand --------------------------------------------------------------------------------------


@pytest.mark.rule("6.6.1.2", "6.6.1.2.1", "6.6.1.2.3", "6.6.1.2.3/attacker-higher", "6.6.1.2.3/defender-higher")
@pytest.mark.parametrize(
    ("edition", "defender", "terrain"),
    [
        ("2024", a_leg("b1", "C5", "british_infantry_squad"), "clear"),
        ("2016", a_leg("s1", "C5", "soviet_smg_squad"), "woods"),
    ],
)
def test_6_6_1_2_situation(edition: Edition, defender: Unit, terrain: str) -> None:
    """L3443-3489, 2016:L3510-3548: three rounds; the Germans win with a half-squad as primary attacker."""
    defender.grade, defender.command = "regulars", Command.OVERWATCH
    squad, half = leg("g1", "C6", grade="veteran"), leg("g2", "C6", HALF, grade="veteran")
    board = ground(C5=terrain, C6=terrain)
    table = an_advanced_table(squad, half, defender, board=board, edition=edition, dice=[13, 65, 72, 51, 48, 62])
    played = play(table, assault(defender.id, "g1", "g2"), advance=[["g1"]])

    fought = next(
        finding for finding in played.findings if finding.rule == "6.6.1.2" and finding.result == "attacker"
    )
    rounds = [child for child in fought.children if child.rule == "6.6.1.2.1"]
    assert [(one.inputs["attacker"], one.inputs["defender"], one.result) for one in rounds] == [
        (33, 55, "defender"),
        (67, 41, "attacker"),
        (43, 27, "attacker"),
    ]
    assert_rule(rounds[0], "6.6.1.2.3/defender-higher", result="reduced", inputs={"unit": "g1"})
    assert_rule(rounds[1], "6.6.1.2.3/attacker-higher", result="reduced")
    assert_rule(rounds[2], "6.6.1.2.3", result="eliminated")
    assert_rule(played.findings, "6.6.1.2.1", result="attacker")
    assert_rule(played.findings, "6.6.1.2", result="attacker")
    assert squad.card == HALF and not squad.suppressed and not defender.alive
    assert squad.hex == a_hex("C5") and half.hex == a_hex("C6")
    assert squad.pending is half.pending is Spot.MOVE


def hand_rows(edition: Edition) -> list[tuple[str, Side, int]]:
    thrower = next(
        id for id, row in advanced_data(edition=edition).book.attached.items() if row.kind == "flamethrower"
    )
    high = a_board(columns=6, rows=8, levels="\n".join("111111" if row == 5 else "000000" for row in range(1, 9)))

    def attacker(*units: Unit, **more: Any) -> Side:
        fight = a_fight(*(units or (leg("g1", "C6"),)), target=leg("s1", "C5"), edition=edition, **more)
        return Side(fight, "attacker")

    def defender(target: Unit) -> Side:
        return Side(a_fight(leg("g1", "C6"), target=target, edition=edition), "defender")

    return [
        ("squad", defender(leg("s1", "C5")), 0),
        ("half-squad", attacker(leg("g1", "C6", HALF)), -25),
        ("half-squad", defender(leg("s1", "C5", HALF)), -25),
        ("section", defender(leg("s1", "C5", SECTION)), -30),
        ("towed", defender(a_gun("s1", "C5", "pak38")), -40),
        ("defender-suppressed", defender(leg("s1", "C5", suppression=Marker.OFF)), -20),
        ("advance", attacker(advanced=True), -10),
        ("uphill", attacker(board=high), -10),
        ("dismount", attacker(dismounted=True), -10),
        ("plus-attackers", attacker(leg("g1", "C6"), leg("g2", "C6", SECTION)), 5),
        ("plus-attackers", attacker(leg("g1", "C6"), leg("g2", "C6", HALF)), 10),
        ("plus-attackers", attacker(leg("g1", "C6"), leg("g2", "C6")), 20),
        ("flamethrower", attacker(leg("g1", "C6"), leg("g2", "C6", HALF, weapons=(thrower,))), 30),
        ("flamethrower", defender(leg("s1", "C5", weapons=(thrower,))), 20),
        ("defender-hesitating", defender(leg("s1", "C5", flags=("hesitating-off",))), -10),
        ("defender-broken", defender(leg("s1", "C5", flags=("broken-off",))), -20),
        ("unit-grade", attacker(leg("g1", "C6", grade="veteran"), leg("g2", "C6", HALF, grade="green")), 20),
        ("unit-grade", defender(leg("s1", "C5", grade="regulars")), -10),
    ]


@pytest.mark.rule(
    "6.6.1.2.2", "6.6.1.2.2/squad", "6.6.1.2.2/half-squad", "6.6.1.2.2/section", "6.6.1.2.2/towed",
    "6.6.1.2.2/defender-suppressed", "6.6.1.2.2/uphill", "6.6.1.2.2/dismount", "6.6.1.2.2/flamethrower",
    "6.6.1.2.2/defender-hesitating", "6.6.1.2.2/defender-broken", "6.6.1.2.2/unit-grade",
)  # fmt: skip
@pytest.mark.parametrize(
    ("edition", "named"),
    [
        pytest.param(
            "2024", {},
            marks=pytest.mark.rule("6.6.1.2.2/advance", "6.6.1.2.2/plus-attackers", editions=("2024",)),
        ),
        pytest.param(
            "2016",
            {"advance": "advancing-attack", "plus-attackers": "plus-attacker"},
            marks=pytest.mark.rule("6.6.1.2.2/advancing-attack", "6.6.1.2.2/plus-attacker", editions=("2016",)),
        ),
    ],
)  # fmt: skip
def test_6_6_1_2_2_each_modifier_of_hand_to_hand_alone(edition: Edition, named: dict[str, str]) -> None:
    """L3357-3415: each side has its own; only the primary attacker's grade applies."""
    for paragraph, side, value in hand_rows(edition):
        found = side_modifiers(side)
        assert_rule(found, f"6.6.1.2.2/{named.get(paragraph, paragraph)}")
        assert found.result == value, (paragraph, found.modifiers)
    assert_rule(found, "6.6.1.2.2", result=-10)
    assert {row.when for row in advanced_charts(edition).modifiers["hand_to_hand"]} <= set(HAND_TO_HAND)


@pytest.mark.rule("6.6.1.1.2/dismounted-fo", "6.6.1.2.2/dismounted-fo", editions=("2016",))
def test_6_6_1_a_forward_observer_on_foot_has_minus_10_where_that_is_agreed_upon() -> None:
    """2016:L3278-3358, L3422-3484: the row cites a rule missing from the book, so it is off unless chosen."""
    for rules, value in (((), 0), (("dismounted_observers",), -10)):
        data = advanced_data(edition="2016", rules=(*ADVANCED_RULES, *rules))
        observer = leg("g1", "C6", labels=("fo",))
        for target in (a_tank("s1", "C5", "t34_76"), leg("s1", "C5")):
            fight = Fight(data, an_advanced_state(observer, target), observer, (), target)
            found = assault_modifiers(fight) if target.kind == "vehicle" else side_modifiers(Side(fight, "attacker"))
            assert found.result == value
            if value:
                assert_rule(found, f"{found.rule}/dismounted-fo", result=-10)


def brawl(*dice: int, attackers: tuple[Unit, ...], target: Unit, answers: Any = ()) -> tuple[Played, PanzerState]:
    table = an_advanced_table(*attackers, target, dice=dice)
    fight = Fight(table.data, table.state, attackers[0], attackers[1:], target)
    return run_step(table, hand_to_hand(table, fight), answers), table.state


def test_6_6_1_2_1_equals_roll_again() -> None:
    """L3353."""
    played, _ = brawl(50, 50, 60, 50, 60, 50, attackers=(leg("g1", "C6"),), target=leg("s1", "C5"))
    assert played.result.children[0].dice == (50, 50, 60, 50)
    assert played.result.result == "attacker"


@pytest.mark.rule("6.6.1.2.2")
def test_6_6_1_2_3_a_reduced_primary_may_give_way_to_another_squad() -> None:
    """L3435-3439: it then counts as an additional half-squad; a lost primary must be replaced."""
    attackers = leg("g1", "C6"), leg("g2", "C6"), leg("g3", "C6", SECTION)
    played, _ = brawl(
        1, 100, 100, 1, 100, 1, attackers=attackers, target=leg("s1", "C5"), answers={"primary": ["g2"]}
    )
    assert [ask.about["units"] for ask in played.asked("primary")] == [["g1", "g2"]]
    second = played.result.children[1]
    assert second.inputs["primary"] == "g2"
    assert_rule(second, "6.6.1.2.2", result=10 + 5)  # half-squad and section

    attackers = leg("g1", "C6", HALF), leg("g2", "C6", HALF), leg("g3", "C6", SECTION)
    played, state = brawl(1, 100, 1, 100, 1, 100, attackers=attackers, target=leg("s1", "C5"))
    assert [ask.about["units"] for ask in played.asked("primary")] == [["g2", "g3"]]
    assert played.result.result == "defender" and not list(state.of("german"))
    assert state.vehicles["s1"].hex == a_hex("C5")  # L3441: the defender stays


def test_6_6_1_2_3_a_primary_that_stays_alone_is_not_asked_for() -> None:
    played, _ = brawl(1, 100, 100, 1, 100, 1, attackers=(leg("g1", "C6"),), target=leg("s1", "C5"))
    assert played.asks == []


@given(seed=st.lists(st.integers(1, 100), min_size=200, max_size=200))
@settings(max_examples=25)
def test_6_6_1_2_3_every_fight_ends_with_one_side_gone(seed: list[int]) -> None:
    attackers = leg("g1", "C6"), leg("g2", "C6", HALF), leg("g3", "C6", SECTION)
    played, state = brawl(*seed, attackers=attackers, target=leg("s1", "C5"))
    assert bool(list(state.of("german"))) != state.vehicles["s1"].alive
    assert played.result.result == ("defender" if state.vehicles["s1"].alive else "attacker")


def test_ask_primary_names_one_of_the_candidates() -> None:
    table = an_advanced_table(leg("g1", "C6"), leg("s1", "C5"))
    ask = Ask("german", "primary", "6.6.1.2.3", subject="s1", about={"target": "s1", "units": ["g1", "g2"]})
    assert list(primary_options(table.data, table.state, ask)) == ["g1", "g2"]
    assert check_primary(table.data, table.state, ask, "g2") == "g2"
    with pytest.raises(Illegal) as illegal:
        check_primary(table.data, table.state, ask, "g9")
    assert illegal.value.instead == ("g1", "g2")
    with pytest.raises(Unreadable):
        check_primary(table.data, table.state, ask, ["g1"])


# --- 6.6.1 the step --------------------------------------------------------------------------------------------


@pytest.mark.rule("6.6", "6.6.1")
@pytest.mark.parametrize(
    ("edition", "order"),
    [
        pytest.param("2024", "6.6.1/order", marks=pytest.mark.rule("6.6.1/order", editions=("2024",))),
        pytest.param("2016", "6.6.1"),
    ],
)
def test_6_6_1_first_the_first_player_then_the_second_before_all_movement(edition: Edition, order: str) -> None:
    """L3159, L3187: each declares target after target; then the Movement Step begins with the Second Player."""
    table = an_advanced_table(
        leg("g1", "C6"), leg("g2", "D9"), leg("s1", "C5"), a_tank("s2", "D8", "zis5"), edition=edition, stage=9
    )
    table.chance = Always(1)
    played = play(table, assault("s2", "g2"))
    assert [(ask.seat, ask.kind) for ask in played.asks if ask.kind == "assault"] == [
        ("german", "assault"),
        ("german", "assault"),
        ("soviet", "assault"),
    ]
    assert played.asked("assault")[1].about == {"engaged": ["s2"]}
    assert_rule(played.findings, "6.6", result="close-combat")
    assert_rule(played.findings, "6.6.1", inputs={"side": "german", "player": "first"})
    assert_rule(played.findings, order, inputs={"side": "soviet"})
    following = table.state.next
    assert following is not None and (following.name, following.args["side"]) == ("movement_step", "soviet")


def test_6_6_1_a_side_without_leg_units_is_not_asked() -> None:
    table = an_advanced_table(a_tank("g1", "C6"), leg("s1", "C5"), stage=9)
    assert play(table).sequence == [("soviet", "assault")]


# --- 6.6.1.1 who may attack whom -------------------------------------------------------------------------------


def objections(
    attacker: Unit, target: Unit, *others: Unit, edition: Edition = "2024", **more: Any
) -> list[Objection]:
    """Reasons why one unit cannot attack another, by default from its present hex."""
    state = an_advanced_state(attacker, target, *others)
    data = advanced_data(more.pop("board", None), edition=edition)
    advance = more.pop("advance", None)
    return list(assault_objections(data, state, attacker, target, a_hex(advance) if advance else None, **more))


@pytest.mark.rule("6.6.1.1", "6.6.1.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_6_1_1_attackers_must_be_fit_and_have_a_move(edition: Edition) -> None:
    """L3163-3165, L3331-3335: the same for both kinds of combat."""
    for rule, target in (("6.6.1.1", a_tank("s1", "C5")), ("6.6.1.2", leg("s1", "C5"))):
        assert objections(leg("g1", "C6"), target, edition=edition) == []
        wrong = {
            "it is suppressed": leg("g1", "C6", suppression=Marker.OFF),
            "it hesitates": leg("g1", "C6", flags=("hesitating-off",)),
            "it is broken": leg("g1", "C6", flags=("broken-on",)),
            "it has no Move command": leg("g1", "C6", command=Command.SHORT_HALT),
            "only squads, half-squads and sections can attack": a_gun("g1", "C6", "pak38", command=Command.MOVE),
            "C7 is not adjacent to s1": leg("g1", "C7"),
        }
        for why, attacker in wrong.items():
            assert_rule(objections(attacker, target, edition=edition), rule, why=why)
        shared = leg("g1", "C6", shares="g2")
        assert objections(shared, target, leg("g2", "C6"), edition=edition) == []


@pytest.mark.rule("6.6.1.1", "6.6.1.2")
def test_6_6_1_1_targets_are_spotted_vehicles_and_units_on_the_ground() -> None:
    """L3167, L3337: passengers and friends are not targets, nor are units the attacker has not spotted (A25b)."""
    rider = leg("s1", "C5", aboard="s2")
    assert_rule(objections(leg("g1", "C6"), rider, a_tank("s2", "C5")), "6.6.1.2")
    assert_rule(objections(leg("g1", "C6"), leg("g2", "C5")), "6.6.1.2", why="g2 is not an enemy on the map")
    blind = leg("g1", "C6", suppression=Marker.ON, facing=4)  # it sees to its front only
    assert_rule(objections(blind, a_tank("s1", "C5")), "6.6.1.1", why="it has not spotted s1")


@pytest.mark.rule("6.6.1.1/height", editions=("2024",))
def test_6_6_1_1_no_attack_over_two_levels() -> None:
    """L3169: one level is uphill, two are too many, up or down."""
    for levels, allowed in (("1", True), ("2", False)):
        drawn = "\n".join((levels if row == 5 else "0") * 6 for row in range(1, 9))
        board = a_board(columns=6, rows=8, levels=drawn)
        found = objections(leg("g1", "C6"), a_tank("s1", "C5"), board=board)
        down = objections(leg("g1", "C5"), a_tank("s1", "C6"), board=board)
        assert (found == [], down == []) == (allowed, allowed)
    assert_rule(found, "6.6.1.1/height")


@pytest.mark.rule("6.6.1.1/advancing-attack", "6.1.4.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_6_1_1_who_may_advance_to_attack(edition: Edition) -> None:
    """L3169: squads, half-squads and sections without weapon, one legal hex, to become adjacent."""
    rule, tank = "6.6.1.1/advancing-attack", a_tank("s1", "C5")
    weapon = next(iter(advanced_data(edition=edition).book.attached))

    def advance(attacker: Unit, *others: Unit, to: str = "C6", **more: Any) -> list[Objection]:
        return objections(attacker, tank, *others, advance=to, edition=edition, **more)

    assert advance(leg("g1", "C7")) == advance(leg("g1", "C7", HALF, weapons=(weapon,))) == []
    assert advance(leg("g1", "C7", SECTION)) == []
    assert_rule(advance(leg("g1", "C7", SECTION, weapons=(weapon,))), rule)
    assert_rule(advance(leg("g1", "C8")), rule, why="C6 is not next to it")
    assert_rule(advance(leg("g1", "B5"), to="B4"), rule, why="it is already adjacent")
    assert_rule(advance(leg("g1", "C7"), leg("s2", "C6")), rule, why="there are enemy units in C6")
    assert_rule(advance(leg("g1", "C7", full_cover=True)), "6.1.4.2")
    closed = advance(leg("g1", "C7"), board=ground(C6="water"))
    assert [objection.rule for objection in closed] == ["6.6.4.1"]
    assert objections(leg("g1", "C6", full_cover=True), tank, edition=edition) == []  # adjacent: allowed


@pytest.mark.rule("6.6.1.2/advancing-attack", "6.6.1.2/declaration", editions=("2024",))
def test_6_6_1_2_the_frame_of_hand_to_hand_is_that_of_close_assault() -> None:
    """L3331-3347."""
    squad = leg("s1", "C5")
    weapon = next(iter(advanced_data().book.attached))
    armed = leg("g1", "C7", SECTION, weapons=(weapon,))
    assert_rule(objections(armed, squad, advance="C6"), "6.6.1.2/advancing-attack")
    assert_rule(objections(leg("g1", "C6"), squad, engaged=("s1",)), "6.6.1.2/declaration")


# --- 6.6.1.1 the declaration -----------------------------------------------------------------------------------


@pytest.mark.rule("6.6.1.1/declaration", "6.6.1.1/combining", editions=("2024",))
def test_6_6_1_1_those_in_one_hex_combine_and_the_target_may_be_gone_for_the_others() -> None:
    """L3171-3173: two hexes attack one after the other; the leftover unit may move, but not attack another target."""
    units = [leg("g1", "C6"), leg("g2", "C6", HALF), leg("g3", "C4"), leg("g4", "D7")]
    tank, truck = a_tank("s1", "C5", "t34_76"), a_tank("s2", "C3", "zis5")
    table = an_advanced_table(*units, tank, truck, dice=[99, 9])
    played = play(table, assault("s1", "g1", "g2", "g3"), advance=[["g2"]])

    assert_rule(played.findings, "6.6.1.1/combining", inputs={"primary": "g1", "others": ["g2"]}, result=2)
    assert_rule(played.findings, "6.6.1.1/declaration", inputs={"unit": "g3"}, result="may-move")
    assert not tank.alive and [unit.hex for unit in units[:3]] == [a_hex("C6"), a_hex("C5"), a_hex("C4")]
    assert [unit.assaulted for unit in units] == [True, True, False, False]
    assert [unit.moved for unit in units] == [True, True, False, False]
    assert_rule(refused(table, assault("s2", "g3")), "6.6.1.1/declaration")  # it was declared against s1
    truck.hex = a_hex("D6")
    assert_rule(refused(table, assault("s2", "g4"), engaged=("s2",)), "6.6.1.1/declaration")


def test_6_6_1_1_hexes_are_resolved_as_declared() -> None:
    table = an_advanced_table(leg("g1", "C6"), leg("g2", "C4", HALF), a_tank("s1", "C5", "t34_76"), dice=[1, 1])
    played = play(table, assault("s1", "g2", "g1"))
    rolls = [finding.inputs["primary"] for finding in played.findings if finding.rule == "6.6.1.1"]
    assert rolls == ["g2", "g1"]


@pytest.mark.rule("6.6.11", "6.6.1.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_6_11_units_that_share_a_move_attack_the_same_target(edition: Edition) -> None:
    """L3821-3823: of three that share, two may fight; a vehicle may share with an assaulting squad."""
    one, two, three = leg("g1", "C6"), leg("g2", "C6", shares="g1"), leg("g3", "D6", shares="g1")
    tank = a_tank("g4", "D7", shares="g1", command=Command.MOVE)
    targets = leg("s1", "C5"), leg("s2", "D5")
    table = an_advanced_table(one, two, three, tank, *targets, edition=edition)
    assert_rule(refused(table, {**assault("s1", "g1"), "attackers": [["g1", ""], ["g9", ""]]}), "6.6.1.1")
    table.state.notes = {BOUND: {"g1 s1": 1}}
    assert_rule(refused(table, assault("s2", "g3")), "6.6.11")
    ask = Ask("german", "assault", "6.6.1", about={"engaged": []})
    assert check_assault(table.data, table.state, ask, assault("s1", "g2")) == assault("s1", "g2")


@pytest.mark.rule("6.6.1.1/combining", editions=("2024",))
@pytest.mark.rule("6.6.1.1/overwatch", editions=("2024",))
def test_6_6_1_1_overwatch_fires_at_those_who_advance_before_the_assault() -> None:
    """L3175: g2 advances, is suppressed by overwatch fire and drops out; g1, already adjacent, attacks alone."""
    table = an_advanced_table(
        leg("g1", "C6"),
        leg("g2", "C7"),
        a_tank("s1", "C5", "t34_76", command=Command.NO_COMMAND),
        a_leg("s2", "C4", "soviet_rifle_squad", command=Command.OVERWATCH),
        dice=[60, 1],
    )
    shot = {"target": "g2", "firers": [["s2", 0, "gp"]]}
    played = play(table, assault("s1", ("g2", "C6"), "g1"), overwatch=[shot], primary=["g1"])
    windows = played.asked("overwatch")
    assert windows and windows[0].seat == "soviet" and windows[0].subject == "g2"
    assert_rule(played.findings, "6.6.1.1/overwatch", result="window", inputs={"unit": "g2"})
    assert_rule(played.findings, "6.6.1.1/overwatch", result="drops-out", inputs={"unit": "g2"})
    assert_rule(played.findings, "6.6.1.1/combining", inputs={"primary": "g1", "others": []})
    g2 = table.state.vehicles["g2"]
    assert (g2.hex, g2.suppressed, g2.moved, g2.assaulted) == (a_hex("C6"), True, True, False)


@pytest.mark.rule("6.6.1.1.2", "6.6.1.1/advancing-attack")
def test_6_6_1_1_an_advancing_attack_counts_for_the_whole_group_and_costs_one_point() -> None:
    """A24, A25: one hex into scrub for one point; -10 for the whole group there. No window without an advance."""
    table = an_advanced_table(
        leg("g1", "C6"), leg("g2", "C7"), a_tank("s1", "C5", "t34_76"), board=ground(C6="rough"), dice=[1]
    )
    played = play(table, assault("s1", "g1", ("g2", "C6")))
    assert_rule(played.findings, "6.6.1.1.2", result=-10 + 20)
    assert_rule(played.findings, "6.6.1.1/advancing-attack", result="C6", inputs={"unit": "g2", "cost": 1})
    assert table.state.vehicles["g2"].spent == 1


def test_6_6_4_4_riders_spend_half_their_movement_to_advance() -> None:
    """L3588."""
    rider = leg("g1", "C7", "german_motorcycle_squad")
    table = an_advanced_table(rider, a_tank("s1", "C5", "t34_76"), dice=[1])
    play(table, assault("s1", ("g1", "C6")))
    assert rider.spent > 1


@pytest.mark.rule("6.6.1.1.1")
def test_6_6_1_1_another_primary_is_named_if_the_first_drops_out() -> None:
    """RULING: the owner names another attacker of the hex."""
    first = leg("g1", "C7")
    table = an_advanced_table(
        first,
        leg("g2", "C6", HALF),
        leg("g3", "C6", SECTION),
        a_tank("s1", "C5", "t34_76", command=Command.NO_COMMAND),
        a_leg("s2", "C4", "soviet_rifle_squad", command=Command.OVERWATCH),
        dice=[60, 1],
    )
    shot = {"target": "g1", "firers": [["s2", 0, "gp"]]}
    played = play(table, assault("s1", ("g1", "C6"), "g2", "g3"), overwatch=[shot], primary=["g3"])
    assert played.asked("primary")[0].about["units"] == ["g2", "g3"]
    assert_rule(played.findings, "6.6.1.1.1", inputs={"factor": 2})


# --- 6.6.1.1.3 advance after combat ----------------------------------------------------------------------------


@pytest.mark.rule("6.6.1.1.3/advance-after-combat", "6.6.1.2.3/advance-after-combat", editions=("2024",))
def test_6_6_1_1_3_some_or_all_who_fought_go_in_without_overwatch() -> None:
    """L3301, L3431: if no other enemy is there; a unit that goes in leaves its full cover."""
    for target, rule in ((a_tank("s1", "C5", "zis5"), "6.6.1.1.3"), (leg("s1", "C5", HALF), "6.6.1.2.3")):
        squad, other = leg("g1", "C6", full_cover=True), leg("g2", "C6", HALF)
        watcher = a_leg("s9", "C2", "soviet_rifle_squad", command=Command.OVERWATCH)
        dice = [99, 9] if target.kind == "vehicle" else [99, 1]
        table = an_advanced_table(squad, other, target, watcher, dice=dice)
        played = play(table, assault("s1", "g1", "g2"), advance=[["g1"]])
        assert played.asked("advance")[0].about == {"hex": "C5", "units": ["g1", "g2"]}
        assert_rule(played.findings, f"{rule}/advance-after-combat", result="C5", inputs={"unit": "g1"})
        assert (squad.hex, squad.full_cover, other.hex) == (a_hex("C5"), False, a_hex("C6"))
        assert not played.asked("overwatch")


def test_6_6_1_1_3_nobody_goes_in_where_an_enemy_is_left_or_the_ground_is_closed() -> None:
    table = an_advanced_table(leg("g1", "C6"), a_tank("s1", "C5", "zis5"), leg("s2", "C5"), dice=[99, 9])
    assert not play(table, assault("s1", "g1")).asked("advance")
    table = an_advanced_table(leg("g1", "C6"), a_tank("s1", "C5", "zis5"), board=ground(C5="water"), dice=[99, 9])
    assert not play(table, assault("s1", "g1")).asked("advance")


def test_ask_advance_takes_some_of_the_units() -> None:
    data, view = advanced_data(), an_advanced_state()
    ask = Ask("german", "advance", "6.6.1.1.3", subject="s1", about={"hex": "C5", "units": ["g1", "g2"]}, default=[])
    options = list(advance_options(data, view, ask))
    assert options == [[], ["g1", "g2"], ["g1"], ["g2"]]
    assert all(check_advance(data, view, ask, option) == option for option in options)
    assert check_advance(data, view, ask, ["g2", "g2"]) == ["g2"]
    with pytest.raises(Illegal):
        check_advance(data, view, ask, ["g7"])
    with pytest.raises(Unreadable):
        check_advance(data, view, ask, "all")


# --- 6.6.1.1 the dismount attack -------------------------------------------------------------------------------


@pytest.mark.rule("6.6.1.1/dismount-attack", "6.6.1.1.2", "6.6.1.2.2")
@pytest.mark.parametrize(
    ("edition", "hand"),
    [
        pytest.param(
            "2024", "6.6.1.2/dismount-attack", marks=pytest.mark.rule("6.6.1.2/dismount-attack", editions=("2024",))
        ),
        pytest.param("2016", "6.6.1.2"),
    ],
)
def test_6_6_1_1_dismount_attack(edition: Edition, hand: str) -> None:
    """L3177-3183, L3347: a single unit, with -10, and no overwatch fire at the unit that dismounts."""
    for target, rule, dice in (
        (a_tank("s1", "C5", "t34_76", command=Command.NO_COMMAND), "6.6.1.1/dismount-attack", [1]),
        (leg("s1", "C5", HALF, command=Command.NO_COMMAND), hand, [100, 1]),
    ):
        unit = a_leg("g1", "C6", SQUAD)
        friend = leg("g2", "C6")
        table = an_advanced_table(unit, friend, target, edition=edition, dice=dice)
        played = run_step(table, dismount_attack(table, friend, unit, target))
        assert_rule(played.findings, rule, result="attacks", inputs={"unit": "g1"})
        modifiers = "6.6.1.1.2" if target.kind == "vehicle" else "6.6.1.2.2"
        assert_rule(played.findings, modifiers, result=-10)
        assert unit.assaulted and not friend.assaulted and unit.pending is Spot.MOVE
        assert not played.asked("overwatch")


@pytest.mark.rule("6.6.1.1/dismount-attack", "6.6.1.2/dismount-attack")
def test_6_6_1_1_a_dismount_attack_needs_a_target_spotted_before_the_move() -> None:
    """L3179: by the passenger or its carrier; a suppressed passenger does not attack."""
    truck = a_tank("g1", "C8", "opel", command=Command.MOVE)
    near, far = a_tank("s1", "C5"), leg("s2", "T20", full_cover=True)
    data, start = advanced_data(), a_hex("C6")

    def wrong(target: Unit, **more: Any) -> list[Objection]:
        rider = a_leg("g2", "C8", SQUAD, aboard="g1", **more)
        return list(dismount_objections(data, an_advanced_state(truck, rider, near, far), rider, target, start))

    assert wrong(near) == []
    assert_rule(wrong(near, suppression=Marker.ON), "6.6.1.1/dismount-attack", why="it is suppressed")
    assert_rule(wrong(far), "6.6.1.2/dismount-attack", why="neither it nor its vehicle spots s2")
    on_foot = leg("g3", "C8")
    state = an_advanced_state(truck, on_foot, near)
    assert_rule(list(dismount_objections(data, state, on_foot, near, start)), "6.6.1.1/dismount-attack")
    table = an_advanced_table(truck, a_leg("g2", "C8", SQUAD, aboard="g1"), near)
    assert_rule(refused(table, assault("s1", "g2")), "6.6.1.1/dismount-attack")


# --- answers ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.6.1.1")
def test_ask_assault_options_are_legal_and_refusals_teach() -> None:
    table = an_advanced_table(leg("g1", "C6"), leg("g2", "C7"), leg("g3", "B5"), leg("g4", "B10"), a_tank("s1", "C5"))
    view = view_of(table.state, "german")
    ask = Ask("german", "assault", "6.6.1", about={"engaged": []})
    options = list(assault_options(table.data, view, ask))
    assert None in options and assault("s1", "g1", "g3") in options and assault("s1", ("g2", "C6")) in options
    assert all(check_assault(table.data, view, ask, option) == option for option in options)
    refusal = refused(table, assault("s1", "g4"))
    assert "g1 on s1" in refusal.instead
    assert isinstance(refused(table, {"target": "s1"}), Unreadable)
    assert isinstance(refused(table, assault("s1")), Unreadable)
    assert isinstance(refused(table, assault("s1", ("g2", "C-6"))), Unreadable)
    assert_rule(refused(table, assault("s7", "g1")), "6.6.1.1", why="no unit has that name")
    assert_rule(refused(table, assault("s1", "g1", "g1")), "6.6.1.1", why="it is named twice")
    assert_rule(refused(table, assault("s1", "s1")), "6.6.1.1", why="that is not your unit")


def test_options_and_checks_do_not_depend_on_the_enemys_hidden_commands() -> None:
    """4.2.1 The view does not contain them."""
    said = set()
    for command in Command:
        table = an_advanced_table(
            leg("g1", "C6"), a_tank("s1", "C5", command=command), leg("s2", "C7", command=command)
        )
        view = view_of(table.state, "german")
        ask = Ask("german", "assault", "6.6.1", about={"engaged": []})
        said.add(str(list(assault_options(table.data, view, ask))))
    assert len(said) == 1


def melee(choose: random.Random) -> Table[PanzerState]:
    """Units of both sides on a few hexes, mounted and on foot, in all states, with hidden commands."""
    hexes = ("C4", "C5", "C6", "D5", "D6", "E5")
    cards = {"g": (SQUAD, HALF, SECTION, "opel"), "s": ("soviet_smg_squad", "soviet_rifle_squad", "zis5", "t34_76")}
    places = {"g": hexes[::2], "s": hexes[1::2]}
    units: list[Unit] = []
    for side in "gs":
        for number in range(1, 6):
            card = choose.choice(cards[side])
            kind = a_tank if card in ("opel", "zis5", "t34_76") else a_leg
            marker = Marker(choose.choice(["", "", "", "on", "off"]))
            command = choose.choice([*Command, Command.MOVE, Command.MOVE])
            place = choose.choice(places[side])
            units.append(kind(f"{side}{number}", place, card, command=command, suppression=marker))
    enough = {"german": 5, "soviet": 5}
    where = ground(C5="medium_grove", D6="brick_building")
    table = an_advanced_table(*units, board=where, stage=9, available=enough)
    table.chance = _Rolls(choose)  # type: ignore[assignment]
    return table


class _Rolls:
    def __init__(self, choose: random.Random) -> None:
        self.choose = choose

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        return self.choose.randint(1, sides)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_every_option_in_a_melee_is_legal_and_leaves_a_sound_state(seed: int) -> None:
    """6.6.1 Any play of options: no unit attacks twice, hexes stay clean, the enemy's step follows."""
    choose = random.Random(seed)
    table = melee(choose)

    def answer(ask: Ask) -> Any:
        view = view_of(table.state, ask.seat)
        options = list(OPTIONS[ask.kind](table.data, view, ask))
        for option in options:
            CHECKS[ask.kind](table.data, view, ask, option)
        return choose.choice(options)

    table.then("close_combat_step", side="german")
    run_steps(table, STEPS, dict.fromkeys(OPTIONS, answer))
    following = table.state.next
    assert following is not None and following.name == "movement_step"
    for unit in table.state.vehicles.values():
        assert not unit.assaulted or ((unit.attacking and unit.pending is Spot.MOVE) or not unit.alive)
        assert unit.hex is not None
        assert len({other.side for other in table.state.on_the_ground(unit.hex)}) < 2
    assert list(flaws(table.data, table.state)) == []


# --- what the rulings say --------------------------------------------------------------------------------------


def test_6_6_1_1_who_advanced_in_vain_may_still_move_with_what_is_left() -> None:
    """L3173, A25a: g1 destroys the truck; g2 has advanced for nothing."""
    waiting = leg("g2", "D7")
    table = an_advanced_table(leg("g1", "C6"), waiting, a_tank("s1", "C5", "zis5"), dice=[99, 9])
    play(table, assault("s1", "g1", ("g2", "D6")))
    assert (waiting.hex, waiting.spent, waiting.moved, waiting.assaulted) == (a_hex("D6"), 1, False, False)


@pytest.mark.rule("6.6.6")
def test_6_6_6_a_barrage_attacks_who_advances_into_it() -> None:
    """RULING: the advancing attack and the advance after combat are changes of hex; each firer attacks once."""
    fallen = Landed(firer="sb1", point=a_hex("C6"), hexes=(a_hex("C6"), a_hex("C5")), factor=8, column="S")
    mission = Mission(id="m1", side="soviet", point=a_hex("C6"), done_in=1, landed=(fallen,))
    squad = leg("g1", "C7")
    table = an_advanced_table(squad, a_tank("s1", "C5", "zis5"), missions={"m1": mission}, turn=1, dice=[1, 99, 9])
    played = play(table, assault("s1", ("g1", "C6")), advance=[["g1"]])
    assert_rule(played.findings, "6.6.6", result="none", inputs={"unit": "g1", "hex": "C6"})
    assert squad.hex == a_hex("C5") and squad.under_fire


@pytest.mark.rule("6.6.1.2.2")
def test_6_1_4_2_who_attacks_from_full_cover_and_stays_keeps_it() -> None:
    squad = leg("g1", "C6", full_cover=True)
    table = an_advanced_table(squad, leg("s1", "C5", HALF, full_cover=True), dice=[99, 1])
    played = play(table, assault("s1", "g1"), advance=[[]])
    assert_rule(played.findings, "6.6.1.2.2", result=-25)  # no benefit for the defender
    assert squad.full_cover


def test_6_6_1_2_2_a_flamethrower_is_lost_with_its_unit() -> None:
    """RULING: it applies as long as a unit that has one is in the fight."""
    thrower = next(id for id, row in advanced_data().book.attached.items() if row.kind == "flamethrower")
    attackers = leg("g1", "C6", HALF, weapons=(thrower,)), leg("g2", "C6", HALF)
    played, _ = brawl(1, 100, 1, 100, attackers=attackers, target=leg("s1", "C5"))
    nets = [one.children[0].result for one in played.result.children if one.rule == "6.6.1.2.1"]
    assert nets == [-25 + 20 + 10, -25]
