"""3.8 Leaders in close combat, alone or with the unit below them; each result is worked out from the rulebook.

A leader has strength 1 and, against a vehicle, CCV 2; combined with another unit he adds 1. A unit that attacks alone
defends alone, and no unit attacks a leader separately from the unit with which he fights.
"""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table
from titles.aslsk.ground.building import a_ground
from titles.aslsk.whole_turns import REACTIONS, WholeTurn

from pbem.titles.aslsk.close_combat.attacks import combat_objections
from pbem.titles.aslsk.close_combat.decision import CloseCombat
from pbem.titles.aslsk.close_combat.phase import close_combat_end, close_combat_phase, combat_hex
from pbem.titles.aslsk.close_combat.stacks import arrange, stacked
from pbem.titles.aslsk.close_combat.vehicles import combat_value, defence_value
from pbem.titles.aslsk.orders import Assault, Attempt, CombatOrder, Orders
from pbem.titles.aslsk.player.checks import section_objections
from pbem.titles.aslsk.player.exchanges import Close, CloseDefence
from pbem.titles.aslsk.view import view_of

KV1 = "russian-kv-1-m41"
TWO_AND_ONE = {
    "g1": ("467", "F5"),
    "g2": ("247", "F5"),
    "gl": ("g 9-1", "F5"),
    "r1": ("447", "F5"),
    "rl": ("r 8-1", "F5"),
}


def a_fight(units=TWO_AND_ONE, *, german=(), russian=(), **more):
    """Put units into close combat in F5; each order pairs a leader with the unit below, or with "" if alone."""
    table = a_table(units, phase="close_combat", **more)
    for seat, orders in ((GERMAN, german), (RUSSIAN, russian)):
        table.state.sealed[seat] = Orders(stacks=tuple(Attempt(*order) for order in orders))
    return table


def attack(units, *targets):
    return Assault(tuple(units.split()), tuple(targets[0].split()) if targets else ())


def objections(table, seat, *attacks):
    return [one.english for one in combat_objections(table.situation, "F5", seat, attacks)]


def refused(table, seat, one, why):
    (found,) = combat_objections(table.situation, "F5", seat, [one])
    assert_rule([found], "3.8/attacks", why=why)


def fought(table, *answers):
    """Fight out F5 with these answers, in the order of the asks; return the seats asked."""
    step, given, seats = combat_hex(table, ["F5"]), iter(answers), []
    try:
        ask = next(step)
        while True:
            seats.append(ask.seat)
            answer = next(given)
            assert not list(CloseCombat(table.data, view_of(table.state, ask.seat), ask).objections(answer))
            ask = step.send(answer)
    except StopIteration:
        return seats


def order(*attacks):
    return CombatOrder("F5", attacks)


@pytest.mark.rule("3.8/attacks")
def test_3_8_without_orders_the_leader_fights_with_the_strongest_squad():
    table = a_fight()
    arrange(table, "F5")
    assert stacked(table.situation, "F5", GERMAN) == {"gl": "g1"} and not table.findings
    refused(table, RUSSIAN, attack("r1 rl", "gl"), why="gl must defend together with g1")
    refused(table, RUSSIAN, attack("r1 rl", "g1"), why="gl must defend together with g1")
    refused(table, GERMAN, attack("gl", "r1 rl"), why="gl must attack together with g1")
    assert not objections(table, RUSSIAN, attack("r1 rl", "g2"))
    assert not objections(table, GERMAN, attack("g1 gl g2", "r1 rl"))
    assert not objections(table, GERMAN, attack("g1", "r1 rl")), "a leader need not attack"


@pytest.mark.rule("3.8/attacks", "3.8/sequence-infantry")
def test_3_8_a_leader_attacks_alone_and_then_defends_alone():
    """A lone leader (1) attacks a squad and its leader (4 + 1) at 1:6, without leadership. They attack him at 4:1,
    kill number 9.
    """
    table = a_fight(german=[("gl", "")], dice={"3.8/attacks": [6, 6, 6, 5, 6, 6]})
    one = order(attack("gl", "r1 rl"))
    fought(table, one, order(attack("r1 rl", "gl")))
    assert_rule(
        table.findings, "3.8/sequence-infantry", inputs={"unit": "gl", "with": "", "at": "F5"}, result="alone"
    )
    told = assert_rule(table.findings, "3.8/attacks", inputs={"units": ["gl"], "odds": "1:6"}, result="no effect")
    assert not told.modifiers, "no leadership for an attack that he makes alone"
    back = assert_rule(
        table.findings, "3.8/attacks", inputs={"units": ["r1", "rl"], "targets": ["gl"], "odds": "4:1"}
    )
    assert back.cell == 9


@pytest.mark.rule("3.8/attacks")
def test_3_8_a_leader_alone_neither_joins_a_squad_nor_protects_it():
    table = a_fight(german=[("gl", "")])
    arrange(table, "F5")
    refused(table, GERMAN, attack("g1 gl", "r1 rl"), why="gl fights alone and cannot join this attack")
    assert not objections(table, RUSSIAN, attack("r1 rl", "g1"))
    assert not objections(table, RUSSIAN, attack("r1 rl", "g1 gl")), "any combination can be attacked"
    usual = CloseCombat(table.data, table.state, CloseCombat.make_ask(GERMAN, subject="F5")).usual()
    assert usual.attacks == (attack("g1 g2", "r1 rl"),)


@pytest.mark.rule("3.8/sequence-infantry")
def test_3_8_a_leader_is_put_on_the_squad_that_the_order_names():
    table = a_fight(german=[("gl", "g2")])
    arrange(table, "F5")
    assert_rule(table.findings, "3.8/sequence-infantry", inputs={"unit": "gl", "with": "g2"}, result="stacked")
    refused(table, RUSSIAN, attack("r1 rl", "g2"), why="gl must defend together with g2")
    assert not objections(table, RUSSIAN, attack("r1 rl", "g1"))
    assert not objections(table, GERMAN, attack("g2 gl", "r1 rl"))
    refused(table, GERMAN, attack("g1 gl", "r1 rl"), why="gl must attack together with g2")


@pytest.mark.parametrize(
    ("attacks", "wanted"),
    [
        ((attack("gl", "r1"), attack("g1", "r1")), {}),
        ((attack("g2 gl", "r1 rl"),), {"gl": "g2"}),
        ((attack("g1 gl g2", "r1 rl"),), {"gl": "g1"}),
        ((attack("g2", "r1 rl"),), {"gl": "g1"}),
    ],
)
def test_3_8_the_attack_that_a_side_seals_tells_with_whom_its_leader_fights(attacks, wanted):
    table = a_fight()
    table.state.sealed[GERMAN] = Orders(combats=(order(*attacks),))
    arrange(table, "F5")
    assert stacked(table.situation, "F5", GERMAN) == wanted


@pytest.mark.rule("3.8/attacks")
def test_3_8_several_leaders_join_one_squad_or_each_other():
    """A 9-1 and an 8-0 with a 4-6-7 attack at 6 against 4, which is 3:2; two leaders alone have a strength of 2."""
    units = {"g1": ("467", "F5"), "g7": ("g 9-1", "F5"), "g8": ("g 8-0", "F5"), "r1": ("447", "F5")}
    table = a_fight(units, dice={"3.8/attacks": [6, 6]})
    fought(table, order(attack("g1 g7 g8", "r1")), order())
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["g1", "g7", "g8"], "odds": "3:2"}, cell=6)
    del units["g1"]
    pair = a_fight(units, dice={"3.8/attacks": [6, 6]})
    fought(pair, order(attack("g7 g8", "r1")), order())
    assert_rule(pair.findings, "3.8/attacks", inputs={"units": ["g7", "g8"], "odds": "1:2"}, cell=4)
    apart = a_fight(units, german=[("g7", ""), ("g8", "")])
    arrange(apart, "F5")
    assert objections(apart, GERMAN, attack("g7 g8", "r1"))
    assert not objections(apart, RUSSIAN, attack("r1", "g8"))


def test_3_8_a_sealed_attack_on_a_squad_is_also_one_on_the_leader_whom_the_enemy_puts_on_it():
    units = TWO_AND_ONE | {"r2": ("447", "F5")}
    table = a_fight(units, russian=[("rl", "r2")])
    table.state.sealed[GERMAN] = Orders(combats=(order(attack("g1 gl", "r2"), attack("g2", "r1")),))
    arrange(table, "F5")
    ask = CloseCombat.make_ask(GERMAN, subject="F5")
    answer = CloseCombat(table.data, view_of(table.state, GERMAN), ask).default()
    assert answer == order(attack("g1 gl", "r2 rl"), attack("g2", "r1"))


@pytest.mark.rule("3.8/attacks")
def test_3_8_ambushed_survivors_fight_on_as_they_are_stacked():
    """The ambusher eliminates the half-squad; its leader survives and attacks alone with +1."""
    units = {
        "g1": ("247", "F5"),
        "gl": ("g 9-1", "F5"),
        "g2": ("467", "F5"),
        "r1": ("447", "F5"),
        "r2": ("447", "F5"),
    }
    table = a_fight(
        units,
        german=[("gl", "g1")],
        ground=a_ground({"woods": "F5"}),
        states={"g2": {"in_cc": True}},
        dice={"3.8/ambush": [6, 1], "3.8/attacks": [5, 3, 1, 6, 6]},
    )
    # 8 : 3 is 2:1, kill number 7, DRM -1 for the ambusher: a Final 7 is a casualty; the draw decides which unit
    seats = fought(table, order(attack("r1 r2", "g1 gl")), order(attack("gl", "r1")))
    assert seats == [RUSSIAN, GERMAN]
    assert_rule(table.findings, "3.8/attacks", inputs={"targets": ["g1", "gl"], "odds": "2:1"}, result="casualties")
    assert "g1" not in table.state.units and stacked(table.situation, "F5", GERMAN) == {}
    told = assert_rule(table.findings, "3.8/attacks", inputs={"units": ["gl"], "odds": "1:4"})
    assert [row["text"] for row in told.modifiers] == ["ambushed"]


@pytest.mark.rule("3.8/attacks")
def test_3_8_a_wounded_leader_still_has_strength_one_and_a_broken_one_is_attacked_apart():
    units = {"g1": ("467", "F5"), "gl": ("g 9-1", "F5"), "r1": ("447", "F5")}
    table = a_fight(units, states={"gl": {"wounded": True}}, dice={"3.8/attacks": [6, 6]})
    fought(table, order(attack("g1 gl", "r1")), order())
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["g1", "gl"], "odds": "1:1"})
    broken = a_fight(units, german=[("gl", "g1")], states={"gl": {"broken": True}})
    arrange(broken, "F5")
    assert_rule(broken.findings, "3.8/sequence-infantry", result="not carried out")
    assert not objections(broken, RUSSIAN, attack("r1", "gl"))


@pytest.mark.rule("3.8/attacks")
def test_3_8_a_tank_attacks_a_leader_apart_from_his_squad_only_if_he_fights_alone():
    """The CCV is 5 + 1 for squad and leader together, 2 for the leader alone, and 5 + 2 for both
    fighting separately.
    """
    units = {"g1": ("467", "F5"), "gl": ("g 9-1", "F5")}
    table = a_fight(units, vehicles={"r1": (KV1, "F5", 1)})
    arrange(table, "F5")
    both = [table.state.units["g1"], table.state.units["gl"]]
    refused(table, RUSSIAN, attack("r1", "gl"), why="gl must defend together with g1")
    refused(table, RUSSIAN, attack("r1cmg", "g1"), why="gl must defend together with g1")
    assert not objections(table, RUSSIAN, attack("r1", "g1 gl")) and defence_value(table.situation, both) == 6
    table.state.sealed[GERMAN] = Orders(stacks=(Attempt("gl"),))
    arrange(table, "F5")
    assert not objections(table, RUSSIAN, attack("r1", "gl")) and defence_value(table.situation, both[1:]) == 2
    assert not objections(table, RUSSIAN, attack("r1", "g1")) and defence_value(table.situation, both[:1]) == 5
    assert defence_value(table.situation, both) == 7


@pytest.mark.rule("3.8/vs-vehicle", "3.8/attacks")
def test_3_8_a_leader_alone_attacks_a_tank_with_two_and_one_with_a_squad_only_along_with_it():
    units = {"g1": ("467", "F5"), "g2": ("467", "F5"), "gl": ("g 9-1", "F5")}
    table = a_fight(units, vehicles={"r1": (KV1, "F5", 1)}, german=[("gl", "")], dice={"3.8/vs-vehicle": [3, 4] * 3})
    seats = fought(table, order(attack("gl", "r1")), order(), order(attack("g1", "r1")), order(attack("g2", "r1")))
    assert seats == [GERMAN, RUSSIAN, GERMAN, GERMAN]
    told = assert_rule(table.findings, "3.8/vs-vehicle", inputs={"units": ["gl"], "value": 2})
    assert "leadership" not in [row["text"] for row in told.modifiers]
    led = a_fight(units, vehicles={"r1": (KV1, "F5", 1)}, dice={"3.8/vs-vehicle": [3, 4] * 3})
    arrange(led, "F5")
    refused(led, GERMAN, attack("gl", "r1"), why="gl must attack together with g1")
    assert combat_value(led.situation, [led.state.units["g1"], led.state.units["gl"]]) == 6
    seats = fought(led, order(attack("g1", "r1")), order(), order(attack("g2", "r1")))
    assert seats == [GERMAN, RUSSIAN, GERMAN], "a leader whose squad has attacked without him attacks no more"


def test_3_8_without_orders_each_leader_goes_for_the_tank_with_the_squad_below():
    units = {"g1": ("247", "F5"), "g2": ("467", "F5"), "g3": ("467", "F5"), "gl": ("g 8-0", "F5")}
    table = a_fight(units, vehicles={"r1": (KV1, "F5", 1)}, german=[("gl", "g3")])
    arrange(table, "F5")

    def usual(*used):
        about = {"sequential": True, "used": list(used), "attacked": []}
        return CloseCombat(table.data, table.state, CloseCombat.make_ask(GERMAN, subject="F5", about=about)).usual()

    assert usual() == order(attack("g3 gl", "r1"))
    assert usual("g3", "gl") == order(attack("g2", "r1"))
    assert usual("g3", "g2") == order(attack("g1", "r1"))
    assert usual("g3", "g2", "g1") == order(), "gl stays with g3"
    tank = CloseCombat.make_ask(RUSSIAN, subject="F5", about={"sequential": True, "used": [], "attacked": ["g2"]})
    assert CloseCombat(table.data, table.state, tank).usual() == order(attack("r1", "g3 gl"))


@pytest.mark.rule("3.8/attacks")
def test_3_8_a_new_leader_stands_on_the_squad_that_brought_him_forth():
    units = {"g1": ("436", "F5"), "g2": ("548", "F5"), "r1": ("447", "F5"), "r2": ("447", "F5")}
    table = a_fight(units, dice={"3.8/attacks": [1, 1, 6, 6, 6, 6], "5.3": [1]})
    fought(table, order(attack("g1 g2", "r1 r2")), order(attack("r1", "g1"), attack("r2", "g2")))
    assert table.state.units["gx1"].below == "g2"
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["r2"], "targets": ["g2", "gx1"]})
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["r1"], "targets": ["g1"]})


@pytest.mark.rule("3.8/sequence-infantry")
@pytest.mark.parametrize(
    ("stacks", "why"),
    [
        ([("g1", "g2")], "g1 is not one of your leaders"),
        ([("rl", "")], "rl is not one of your leaders"),
        ([("gl", "r1")], "gl cannot be stacked with r1"),
        ([("gl", "gl")], "gl cannot be stacked with gl"),
        ([("gl", "g1"), ("gl", "")], "gl can be stacked only once"),
    ],
)
def test_3_8_orders_for_stacks_that_cannot_be_are_refused(stacks, why):
    table = a_fight()
    orders = Orders(stacks=tuple(Attempt(*one) for one in stacks))
    assert_rule([*section_objections(table.situation, GERMAN, "close", orders)], "3.8/sequence-infantry", why=why)


@pytest.mark.rule("3.8")
def test_3_8_orders_for_stacks_that_the_turn_has_overtaken_are_reported():
    units = {**TWO_AND_ONE, "g7": ("g 8-0", "F5"), "g8": ("g 8-0", "K5"), "g9": ("467", "K5")}
    wanted = [("gl", "g9"), ("g7", "g2"), ("g8", "g9")]
    table = a_fight(units, german=wanted, states={"g2": {"broken": True}})
    with pytest.raises(StopIteration):
        next(close_combat_phase(table))
    assert_rule(table.findings, "3.8", inputs={"order": "stack g8 with g9"}, result="not carried out")
    arrange(table, "F5")
    told = {one.inputs["order"]: str(one.inputs["why"][0]) for one in table.findings if "order" in one.inputs}
    assert told["stack gl with g9"] == "g9 is not one of your units in F5"
    assert told["stack g7 with g2"] == "g2 is broken and cannot attack together with a leader"
    assert stacked(table.situation, "F5", GERMAN) == {"gl": "g1", "g7": "g1"}
    with pytest.raises(StopIteration):
        next(close_combat_end(table))
    assert all(unit.below is None for unit in table.state.units.values())


@pytest.mark.rule("3.8/sequence-infantry")
def test_3_8_leaders_are_not_put_on_each_other_in_a_ring():
    units = {"g7": ("g 9-1", "F5"), "g8": ("g 8-0", "F5"), "r1": ("447", "F5")}
    table = a_fight(units, german=[("g7", "g8"), ("g8", "g7")])
    arrange(table, "F5")
    assert_rule(
        table.findings, "3.8/sequence-infantry", inputs={"order": "stack g8 with g7"}, result="not carried out"
    )
    assert stacked(table.situation, "F5", GERMAN) == {"g7": "g8"}


def test_3_8_the_lines_for_stacks_are_read_and_written_again():
    table = a_fight()
    for kind in (Close, CloseDefence):
        decision = kind(table.data, view_of(table.state, GERMAN), kind.make_ask(GERMAN))
        orders = Orders(stacks=(Attempt("gl", "g2"), Attempt("gl")))
        assert list(decision.sentence(orders)) == ["stack gl with g2", "stack gl alone"]


@pytest.mark.parametrize("how", REACTIONS)
def test_3_8_both_sides_seal_their_stacks_whatever_the_reactions_are(how):
    """The ATTACKER's leader fights alone, and the DEFENDER's leader fights with the second squad; both
    choices are sealed."""
    units = {
        "g1": ("467", "F5"),
        "gl1": ("g 9-1", "F5"),
        "r1": ("447", "F5"),
        "r2": ("447", "F5"),
        "rl1": ("r 8-1", "F5"),
    }
    table = a_table(units, dice={"3.8/attacks": [6, 6] * 5})
    table.state.melee = ["F5"]
    turn = WholeTurn(
        table,
        how,
        later={
            "close": ["stack gl1 alone", "combat F5 gl1 against r1", "combat F5 g1 against r2 rl1"],
            "close_defence": ["stack rl1 with r2", "combat F5 r1 against gl1", "combat F5 r2 rl1 against g1"],
        },
    )
    done = turn.play()
    fights = [(one.inputs["units"], one.inputs["targets"], one.inputs["odds"])
              for one in done.findings if one.rule == "3.8/attacks"]  # fmt: skip
    assert fights == [
        (["gl1"], ["r1"], "1:4"),
        (["g1"], ["r2", "rl1"], "1:2"),
        (["r1"], ["gl1"], "4:1"),
        (["r2", "rl1"], ["g1"], "1:1"),
    ]
