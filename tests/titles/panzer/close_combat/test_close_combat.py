"""6.6.1 Close assault and hand-to-hand combat: factors, modifiers and results, in both editions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.builders import a_board, a_hex, run_step
from titles.panzer.close_combat.melees import HALF, SECTION, SQUAD, assault, brawl, ground, leg, play

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Unreadable
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
from pbem.titles.panzer.close_combat.hand_to_hand import (
    HAND_TO_HAND,
    Side,
    check_primary,
    primary_options,
    side_modifiers,
)
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    Command,
    Damage,
    HullDown,
    Marker,
    Spot,
    Unit,
)


def a_fight(*units: Unit, target: Unit, edition: Edition = "2024", board: Board | None = None, **more: Any) -> Fight:
    state = an_advanced_state(*units, target, *more.pop("around", ()))
    data = advanced_data(board, edition=edition)
    return Fight(Situation(data, state), units[0], tuple(units[1:]), target, **more)


# --- 6.6.1.1.2 modifiers ---------------------------------------------------------------------------------------


def assault_rows(edition: Edition) -> list[tuple[str, Fight, int]]:
    """Return each row of the chart: its paragraph, a fight in which only it applies, and its value."""
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
    """L3205-3281, 2016:L3278-3358: each modifier is tested alone, apart from the -10 of a Regulars attacker."""
    for paragraph, fight, value in assault_rows(edition):
        found = assault_modifiers(fight)
        assert_rule(found, f"6.6.1.1.2/{named.get(paragraph, paragraph)}", result=value)
        assert found.result == value, (paragraph, found.modifiers)
    assert_rule(found, "6.6.1.1.2", result=-10)
    assert {row.when for row in advanced_charts(edition).modifiers["close_assault"]} <= set(CLOSE_ASSAULT)


@pytest.mark.rule("6.6.1.1.2/support", editions=("2024",))
def test_6_6_1_1_2_who_supports_a_vehicle_in_close_terrain() -> None:
    """L3235-3239: unbroken squads and half-squads support vehicles in their hex, passengers only their own."""

    def supported(*around: Unit, terrain: str = "brick_building") -> Finding:
        tank = a_tank("s1", "C5", "t34_76")
        state = an_advanced_state(tank, *around)
        return is_supported(Situation(advanced_data(ground(C5=terrain)), state), tank)

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
    """L3303-3327, 2016:L3376-3394: -10 +20 +20 -10 = +20, and 45 + 20 = 65 damages the vehicle."""
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
    fight = Fight(table, units[0], tuple(units[1:]), tank)
    found: Finding = run_step(table, close_assault(table, fight)).result
    return found, tank


@pytest.mark.rule("6.6.1.1.1")
@pytest.mark.parametrize(("card", "factor", "half"), [(SQUAD, 8, 4), (HALF, 4, 2), (SECTION, 2, 1)])
def test_6_6_1_1_1_factor_by_the_size_of_the_primary_and_defence_at_most_5(card: str, factor: int, half: int) -> None:
    """L3189-3195, L3297: half of the assault factor is the limit for a brew-up."""
    for roll, outcome in ((half, "bu"), (half + 1, "ko")):
        found, tank = at_tank(99, roll, attackers=(leg("g1", "C6", card),), target=a_tank("s1", "C5", "is2m"))
        assert_rule(found, "6.6.1.1.1", inputs={"factor": factor, "defence": 5})
        assert found.result == outcome and not tank.alive


@pytest.mark.rule("6.6.1.1.3/suppressed")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_6_1_1_3_suppressed(edition: Edition) -> None:
    """L3289: a Suppressed marker that shows Off is turned to On, whatever the type and range."""
    found, tank = at_tank(44, target=a_tank("s1", "C5", "is2m", suppression=Marker.OFF), edition=edition)
    assert_rule(found, "6.6.1.1.3/suppressed", result="suppressed")
    assert tank.suppression is Marker.ON and tank.under_fire


def test_6_6_1_1_3_no_effect_and_a_track_hit_that_hull_down_does_not_prevent() -> None:
    """A28: terrain, such as a hull-down position, has no effect on close assault."""
    assert at_tank(1)[0].result == "none"
    found, tank = at_tank(90, 100, target=a_tank("s1", "C5", "is2m", hull_down=HullDown.HD, facing=4))
    assert found.result == "track" and tank.track_hit


def test_6_6_1_1_3_a_flamethrower_brews_up_without_a_roll() -> None:
    """L3297: a flamethrower brews up its target without a roll."""
    thrower = next(id for id, row in advanced_data().book.attached.items() if row.kind == "flamethrower")
    attackers = leg("g1", "C6"), leg("g2", "C6", HALF, weapons=(thrower,))
    found, tank = at_tank(96, attackers=attackers, target=a_tank("s1", "C5", "is2m"))
    assert found.result == "bu" and not tank.alive


@pytest.mark.rule("6.6.1.1.3/bailed-out-vehicle", editions=("2024",))
def test_6_6_1_1_3_an_abandoned_vehicle_is_lost_automatically() -> None:
    """L3295: an abandoned vehicle is lost without an attack roll; only the d10 is rolled."""
    found, _ = at_tank(5, target=a_tank("s1", "C5", "is2m", bailed_out=True))
    assert_rule(found, "6.6.1.1.3/bailed-out-vehicle", result="ko")
    found, _ = at_tank(4, target=a_tank("s1", "C5", "is2m", bailed_out=True), edition="2016")
    assert found.result == "bu"


@pytest.mark.rule("6.6.1.1.2", editions=("2024",))
@pytest.mark.rule("6.6.1.1.3/hidden-command", editions=("2024",))
def test_6_6_1_1_3_the_owner_need_not_show_and_keeps_his_command() -> None:
    """L3217-3221, L3285: a command that is not shown gives no modifier and may still be carried out."""
    tank = a_tank("s1", "C5", "t34_76", command=Command.MOVE)
    table = an_advanced_table(leg("g1", "C6"), tank, dice=[1])
    played = play(table, assault("s1", "g1"), show=[False])
    assert played.sequence == [("german", "assault"), ("soviet", "show"), ("german", "assault")]
    assert_rule(played.findings, "6.6.1.1.2", result=0)
    assert_rule(played.findings, "6.6.1.1.3/hidden-command", result="kept")
    assert tank.command is Command.MOVE and tank.face_down and not tank.shown


def test_6_6_1_1_3_passengers_are_not_attacked_but_check_bail_out() -> None:
    """L3299, RULING: passengers are not attacked; if the truck is knocked out, they survive on 21 or more."""
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
    """L3443-3489, 2016:L3510-3548: after three rounds the Germans win with a half-squad as primary attacker."""
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
    """L3357-3415: each side has its own modifiers; of the attackers' grades, only the primary attacker's applies."""
    for paragraph, side, value in hand_rows(edition):
        found = side_modifiers(side)
        assert_rule(found, f"6.6.1.2.2/{named.get(paragraph, paragraph)}")
        assert found.result == value, (paragraph, found.modifiers)
    assert_rule(found, "6.6.1.2.2", result=-10)
    assert {row.when for row in advanced_charts(edition).modifiers["hand_to_hand"]} <= set(HAND_TO_HAND)


@pytest.mark.rule("6.6.1.1.2/dismounted-fo", "6.6.1.2.2/dismounted-fo", editions=("2016",))
def test_6_6_1_a_forward_observer_on_foot_has_minus_10_where_that_is_agreed_upon() -> None:
    """2016:L3278-3358, L3422-3484: the observer's row cites a rule missing from the book, so it is optional."""
    for rules, value in (((), 0), (("dismounted_observers",), -10)):
        data = advanced_data(edition="2016", rules=(*ADVANCED_RULES, *rules))
        observer = leg("g1", "C6", labels=("fo",))
        for target in (a_tank("s1", "C5", "t34_76"), leg("s1", "C5")):
            fight = Fight(Situation(data, an_advanced_state(observer, target)), observer, (), target)
            found = assault_modifiers(fight) if target.kind == "vehicle" else side_modifiers(Side(fight, "attacker"))
            assert found.result == value
            if value:
                assert_rule(found, f"{found.rule}/dismounted-fo", result=-10)


def test_6_6_1_2_1_equals_roll_again() -> None:
    """L3353: if the totals are equal, both sides roll again."""
    played, _ = brawl(50, 50, 60, 50, 60, 50, attackers=(leg("g1", "C6"),), target=leg("s1", "C5"))
    assert played.result.children[0].dice == (50, 50, 60, 50)
    assert played.result.result == "attacker"


@pytest.mark.rule("6.6.1.2.2")
def test_6_6_1_2_3_a_reduced_primary_may_give_way_to_another_squad() -> None:
    """L3435-3439: the reduced squad then counts as an additional half-squad; a lost primary is replaced."""
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
    assert list(primary_options(table, ask)) == ["g1", "g2"]
    assert check_primary(table, ask, "g2") == "g2"
    with pytest.raises(Illegal) as illegal:
        check_primary(table, ask, "g9")
    assert illegal.value.instead == ("g1", "g2")
    with pytest.raises(Unreadable):
        check_primary(table, ask, ["g1"])
