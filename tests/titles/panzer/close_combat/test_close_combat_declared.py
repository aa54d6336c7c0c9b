"""6.6.1, 6.6.11 The close combat step: legal attackers and targets, declarations, advances, and shared commands."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.asking import CHECKS, OPTIONS
from titles.panzer.builders import Always, a_board, a_hex, run_step, run_steps
from titles.panzer.close_combat.melees import HALF, SECTION, SQUAD, STEPS, assault, brawl, ground, leg, play

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.close_combat.close_combat import (
    advance_options,
    assault_objections,
    assault_options,
    check_advance,
    check_assault,
    dismount_attack,
    dismount_objections,
)
from pbem.titles.panzer.invariants import flaws
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    BOUND,
    Command,
    Landed,
    Marker,
    Mission,
    PanzerState,
    Spot,
    Unit,
)
from pbem.titles.panzer.view import view_of


def refused(table: Table[PanzerState], answer: Any, engaged: tuple[str, ...] = (), side: str = "german") -> Refusal:
    ask = Ask(side, "assault", "6.6.1", about={"engaged": list(engaged)})
    with pytest.raises(Refusal) as caught:
        check_assault(Situation(table.data, view_of(table.state, side)), ask, answer)
    return caught.value


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
    """L3159, L3187: each player declares target after target; then the Second Player moves first."""
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
    """Return the reasons why one unit cannot attack another, by default from its present hex."""
    state = an_advanced_state(attacker, target, *others)
    data = advanced_data(more.pop("board", None), edition=edition)
    advance = more.pop("advance", None)
    return list(
        assault_objections(Situation(data, state), attacker, target, a_hex(advance) if advance else None, **more)
    )


@pytest.mark.rule("6.6.1.1", "6.6.1.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_6_1_1_attackers_must_be_fit_and_have_a_move(edition: Edition) -> None:
    """L3163-3165, L3331-3335: the requirements are the same for close assault and hand-to-hand combat."""
    for rule, target in (("6.6.1.1", a_tank("s1", "C5")), ("6.6.1.2", leg("s1", "C5"))):
        assert objections(leg("g1", "C6"), target, edition=edition) == []
        wrong = {
            "the unit is suppressed": leg("g1", "C6", suppression=Marker.OFF),
            "the unit is hesitating": leg("g1", "C6", flags=("hesitating-off",)),
            "the unit is broken": leg("g1", "C6", flags=("broken-on",)),
            "the unit has no Move command": leg("g1", "C6", command=Command.SHORT_HALT),
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
    assert_rule(objections(blind, a_tank("s1", "C5")), "6.6.1.1", why="the unit has not spotted s1")


@pytest.mark.rule("6.6.1.1/height", editions=("2024",))
def test_6_6_1_1_no_attack_over_two_levels() -> None:
    """L3169: attacking one level up counts as uphill; two levels, up or down, are too many."""
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
    """L3169: squads, half-squads and sections without a weapon may advance one legal hex to become adjacent."""
    rule, tank = "6.6.1.1/advancing-attack", a_tank("s1", "C5")
    weapon = next(iter(advanced_data(edition=edition).book.attached))

    def advance(attacker: Unit, *others: Unit, to: str = "C6", **more: Any) -> list[Objection]:
        return objections(attacker, tank, *others, advance=to, edition=edition, **more)

    assert advance(leg("g1", "C7")) == advance(leg("g1", "C7", HALF, weapons=(weapon,))) == []
    assert advance(leg("g1", "C7", SECTION)) == []
    assert_rule(advance(leg("g1", "C7", SECTION, weapons=(weapon,))), rule)
    assert_rule(advance(leg("g1", "C8")), rule, why="C6 is not next to the unit")
    assert_rule(advance(leg("g1", "B5"), to="B4"), rule, why="the unit is already adjacent")
    assert_rule(advance(leg("g1", "C7"), leg("s2", "C6")), rule, why="there are enemy units in C6")
    assert_rule(advance(leg("g1", "C7", full_cover=True)), "6.1.4.2")
    closed = advance(leg("g1", "C7"), board=ground(C6="water"))
    assert [objection.rule for objection in closed] == ["6.6.4.1"]
    assert objections(leg("g1", "C6", full_cover=True), tank, edition=edition) == []  # adjacent: allowed


@pytest.mark.rule("6.6.1.2/advancing-attack", "6.6.1.2/declaration", editions=("2024",))
def test_6_6_1_2_the_frame_of_hand_to_hand_is_that_of_close_assault() -> None:
    """L3331-3347: hand-to-hand combat is declared and carried out under the same conditions as close assault."""
    squad = leg("s1", "C5")
    weapon = next(iter(advanced_data().book.attached))
    armed = leg("g1", "C7", SECTION, weapons=(weapon,))
    assert_rule(objections(armed, squad, advance="C6"), "6.6.1.2/advancing-attack")
    assert_rule(objections(leg("g1", "C6"), squad, engaged=("s1",)), "6.6.1.2/declaration")


# --- 6.6.1.1 the declaration -----------------------------------------------------------------------------------


@pytest.mark.rule("6.6.1.1/declaration", "6.6.1.1/combining", editions=("2024",))
def test_6_6_1_1_those_in_one_hex_combine_and_the_target_may_be_gone_for_the_others() -> None:
    """L3171-3173: two hexes attack in turn; if the target is gone, the second group may move, not attack."""
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
    """L3821-3823: of three units that share a Move, two may fight; a vehicle may share with an assaulting squad."""
    one, two, three = leg("g1", "C6"), leg("g2", "C6", shares="g1"), leg("g3", "D6", shares="g1")
    tank = a_tank("g4", "D7", shares="g1", command=Command.MOVE)
    targets = leg("s1", "C5"), leg("s2", "D5")
    table = an_advanced_table(one, two, three, tank, *targets, edition=edition)
    assert_rule(refused(table, {**assault("s1", "g1"), "attackers": [["g1", ""], ["g9", ""]]}), "6.6.1.1")
    table.state.notes = {BOUND: {"g1 s1": 1}}
    assert_rule(refused(table, assault("s2", "g3")), "6.6.11")
    ask = Ask("german", "assault", "6.6.1", about={"engaged": []})
    assert check_assault(table, ask, assault("s1", "g2")) == assault("s1", "g2")


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
    """A24, A25: one hex into scrub costs one point, and the whole group gets -10; only an advance draws fire."""
    table = an_advanced_table(
        leg("g1", "C6"), leg("g2", "C7"), a_tank("s1", "C5", "t34_76"), board=ground(C6="rough"), dice=[1]
    )
    played = play(table, assault("s1", "g1", ("g2", "C6")))
    assert_rule(played.findings, "6.6.1.1.2", result=-10 + 20)
    assert_rule(played.findings, "6.6.1.1/advancing-attack", result="C6", inputs={"unit": "g2", "cost": 1})
    assert table.state.vehicles["g2"].spent == 1


def test_6_6_4_4_riders_spend_half_their_movement_to_advance() -> None:
    """L3588: mounted units use up half of their movement when they advance to attack."""
    rider = leg("g1", "C7", "german_motorcycle_squad")
    table = an_advanced_table(rider, a_tank("s1", "C5", "t34_76"), dice=[1])
    play(table, assault("s1", ("g1", "C6")))
    assert rider.spent > 1


@pytest.mark.rule("6.6.1.1.1")
def test_6_6_1_1_another_primary_is_named_if_the_first_drops_out() -> None:
    """RULING: if the primary attacker drops out, its owner names another attacker in the hex."""
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
    """L3301, L3431: attackers may enter the hex if it holds no other enemy; an attacker that enters
    leaves full cover."""
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
    data, view = advanced_data(), an_advanced_state(leg("g1", "C6"), leg("g2", "C6"))
    ask = Ask("german", "advance", "6.6.1.1.3", subject="s1", about={"hex": "C5", "units": ["g1", "g2"]}, default=[])
    options = list(advance_options(Situation(data, view), ask))
    assert options == [[], ["g1", "g2"], ["g1"], ["g2"]]
    assert all(check_advance(Situation(data, view), ask, option) == option for option in options)
    assert check_advance(Situation(data, view), ask, ["g2", "g2"]) == ["g2"]
    with pytest.raises(Illegal):
        check_advance(Situation(data, view), ask, ["g7"])
    with pytest.raises(Unreadable):
        check_advance(Situation(data, view), ask, "all")


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
    """L3177-3183, L3347: one unit attacks at -10, and overwatch cannot fire at it as it dismounts."""
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
    """L3179: the passenger or its carrier must have spotted the target; a suppressed passenger does not attack."""
    truck = a_tank("g1", "C8", "opel", command=Command.MOVE)
    near, far = a_tank("s1", "C5"), leg("s2", "T20", full_cover=True)
    data, start = advanced_data(), a_hex("C6")

    def wrong(target: Unit, **more: Any) -> list[Objection]:
        rider = a_leg("g2", "C8", SQUAD, aboard="g1", **more)
        return list(
            dismount_objections(Situation(data, an_advanced_state(truck, rider, near, far)), rider, target, start)
        )

    assert wrong(near) == []
    assert_rule(wrong(near, suppression=Marker.ON), "6.6.1.1/dismount-attack", why="the unit is suppressed")
    assert_rule(wrong(far), "6.6.1.2/dismount-attack", why="neither the unit nor its vehicle spots s2")
    on_foot = leg("g3", "C8")
    state = an_advanced_state(truck, on_foot, near)
    assert_rule(list(dismount_objections(Situation(data, state), on_foot, near, start)), "6.6.1.1/dismount-attack")
    table = an_advanced_table(truck, a_leg("g2", "C8", SQUAD, aboard="g1"), near)
    assert_rule(refused(table, assault("s1", "g2")), "6.6.1.1/dismount-attack")


# --- answers ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.6.1.1")
def test_ask_assault_options_are_legal_and_refusals_teach() -> None:
    table = an_advanced_table(leg("g1", "C6"), leg("g2", "C7"), leg("g3", "B5"), leg("g4", "B10"), a_tank("s1", "C5"))
    view = view_of(table.state, "german")
    ask = Ask("german", "assault", "6.6.1", about={"engaged": []})
    options = list(assault_options(Situation(table.data, view), ask))
    assert None in options and assault("s1", "g1", "g3") in options and assault("s1", ("g2", "C6")) in options
    assert all(check_assault(Situation(table.data, view), ask, option) == option for option in options)
    refusal = refused(table, assault("s1", "g4"))
    assert "g1 on s1" in refusal.instead
    assert isinstance(refused(table, {"target": "s1"}), Unreadable)
    assert isinstance(refused(table, assault("s1")), Unreadable)
    assert isinstance(refused(table, assault("s1", ("g2", "C-6"))), Unreadable)
    assert_rule(refused(table, assault("s7", "g1")), "6.6.1.1", why="no unit has that name")
    assert_rule(refused(table, assault("s1", "g1", "g1")), "6.6.1.1", why="the unit is named twice")
    assert_rule(refused(table, assault("s1", "s1")), "6.6.1.1", why="that is not your unit")


def test_options_and_checks_do_not_depend_on_the_enemys_hidden_commands() -> None:
    """4.2.1 The view from which options and checks are made does not contain the enemy's commands."""
    said = set()
    for command in Command:
        table = an_advanced_table(
            leg("g1", "C6"), a_tank("s1", "C5", command=command), leg("s2", "C7", command=command)
        )
        view = view_of(table.state, "german")
        ask = Ask("german", "assault", "6.6.1", about={"engaged": []})
        said.add(str(list(assault_options(Situation(table.data, view), ask))))
    assert len(said) == 1


def melee(choose: random.Random) -> Table[PanzerState]:
    """Place units of both sides on a few hexes, mounted and on foot, in all states, with hidden commands."""
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
    """6.6.1 Whatever is chosen, no unit attacks twice, no hex holds both sides, and the enemy's step follows."""
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
    assert list(flaws(table)) == []


# --- what the rulings say --------------------------------------------------------------------------------------


def test_6_6_1_1_who_advanced_in_vain_may_still_move_with_what_is_left() -> None:
    """L3173, A25a: g1 destroys the truck, so g2 has advanced for nothing and may spend the rest of its movement."""
    waiting = leg("g2", "D7")
    table = an_advanced_table(leg("g1", "C6"), waiting, a_tank("s1", "C5", "zis5"), dice=[99, 9])
    play(table, assault("s1", "g1", ("g2", "D6")))
    assert (waiting.hex, waiting.spent, waiting.moved, waiting.assaulted) == (a_hex("D6"), 1, False, False)


@pytest.mark.rule("6.6.6")
def test_6_6_6_a_barrage_attacks_who_advances_into_it() -> None:
    """RULING: a barrage attacks units that advance into it, before or after combat; each firer attacks once."""
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
    """RULING: the flamethrower counts as long as a unit that has one is in the fight."""
    thrower = next(id for id, row in advanced_data().book.attached.items() if row.kind == "flamethrower")
    attackers = leg("g1", "C6", HALF, weapons=(thrower,)), leg("g2", "C6", HALF)
    played, _ = brawl(1, 100, 1, 100, attackers=attackers, target=leg("s1", "C5"))
    nets = [one.children[0].result for one in played.result.children if one.rule == "6.6.1.2.1"]
    assert nets == [-25 + 20 + 10, -25]
