"""4.2 Command Phase: legal commands, refusals, and secrecy."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule, every
from titles.panzer.basic import shot_objections
from titles.panzer.builders import a_board, a_card, a_table, a_vehicle, a_weapon, run_step

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC, seen_by
from pbem.engine.rules.refusals import Illegal, Refusals, Unreadable
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.command.command_control import commandable
from pbem.titles.panzer.command.commands import (
    check_commands,
    command_objections,
    command_options,
    legal_commands,
    place_commands,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Status
from pbem.titles.panzer.view import view_of

both_editions = pytest.mark.parametrize("edition", EDITIONS)
ASK = Ask("soviet", "commands", "4.2.1", default={}, grade="order")


def check(table: Any, answer: Any, seat: str = "soviet") -> Any:
    return check_commands(Situation(table.data, view_of(table.state, seat)), Ask(seat, "commands", "4.2.1"), answer)


def objections(table: Any, unit: str, command: Command) -> list[Any]:
    return list(command_objections(table, table.state.vehicles[unit], command))


# --- 4.2.1 the step ------------------------------------------------------------------------------------------


@pytest.mark.rule("4.2.1/secrecy", effect=True)
@pytest.mark.rule("4.2", "4.2.1", "4.2/fire", "4.2/move", "4.2/short-halt", "4.2/overwatch", "4.2/no-command")
@both_editions
def test_4_2_1_each_vehicle_gets_one_counter_and_only_its_owner_learns_which(edition):
    """L747-778: both sides place one of the five commands on each vehicle at the same time."""
    vehicles = [a_vehicle(f"s{number}", f"A{number}") for number in range(1, 6)]
    table = a_table(*vehicles, a_vehicle("g1", "E5"), edition=edition)
    words = [command.value for command in Command]
    answer = {vehicle.id: word for vehicle, word in zip(vehicles, words, strict=True)}

    played = run_step(table, place_commands(table), [answer, {}])

    assert [(ask.seat, ask.grade == "order") for ask in played.asks] == [("soviet", True), ("german", True)]
    assert [table.state.vehicles[f"s{number}"].command for number in range(1, 6)] == list(Command)
    assert_rule(played.findings, "4.2", inputs={"turn": 1})
    own = assert_rule(seen_by(played.findings, "soviet"), "4.2.1", inputs={"side": "soviet"})
    assert [finding.result for finding in own.children] == words
    for command in Command:
        assert_rule(played.findings, f"4.2/{command.value}", to=("soviet",), result=command.value)
    assert table.state.next.name == "initiative_phase"
    for viewer in ("german", PUBLIC):
        seen = list(every(seen_by(played.findings, viewer)))
        assert not [finding for finding in seen if finding.inputs.get("unit", "").startswith("s")]


def test_r_18_a_side_without_vehicles_has_no_decisions_left():
    """R-18: the game does not wait for a side without vehicles, unless it has reinforcements due."""
    gone = a_vehicle("g1", "E5", status=Status.ELIMINATED)
    table = a_table(a_vehicle("s1", "A1"), gone, a_vehicle("g2", None, entry_turn=2))

    assert run_step(table, place_commands(table), [{"s1": "move"}]).sequence == [("soviet", "commands")]
    assert table.state.vehicles["s1"].command is Command.MOVE

    table.state.turn = 2
    table.state.vehicles["s1"].status = Status.EXITED
    assert run_step(table, place_commands(table), [{"g2": "move"}]).sequence == [("german", "commands")]
    assert table.state.vehicles["g2"].command is Command.MOVE

    table.state.vehicles["g2"].status = Status.EXITED
    assert run_step(table, place_commands(table)).asks == []
    assert table.state.next.name == "initiative_phase"


@pytest.mark.rule("4.2.1", effect=True)
@pytest.mark.rule("4.2.1/secrecy", editions=("2024",))
def test_4_2_1_a_vehicle_without_a_command_shows_the_same_counter():
    """R-08: the presence of a counter is public, and there is one for No Command too."""
    table = a_table(a_vehicle("s1", "A1"), a_vehicle("s2", "A2"), a_vehicle("g1", "E5"))

    played = run_step(table, place_commands(table), [{"s1": "move"}, {}])

    assert_rule(seen_by(played.findings, PUBLIC), "4.2.1/secrecy", inputs={"units": ["s1", "s2"]}, result="face-down")
    assert all(vehicle.face_down for vehicle in table.state.vehicles.values())
    seen = view_of(table.state, "german").vehicles
    assert seen["s1"].command is seen["s2"].command


def test_r_02_a_reinforcement_that_is_due_gets_a_counter_and_one_that_is_not_gets_none():
    """R-02: a reinforcement enters under a Move command given in the turn's Place Commands Step."""
    late, due = a_vehicle("s1", None, entry_turn=3), a_vehicle("s2", None, entry_turn=2)
    table = a_table(late, due, a_vehicle("g1", "E5"), turn=2)

    run_step(table, place_commands(table), [{"s2": "move"}, {}])

    assert (late.command, due.command) == (None, Command.MOVE)


# --- 4.2 who may be given what -------------------------------------------------------------------------------


@pytest.mark.rule("4.2.1", "4.2/no-command", effect=True)
@pytest.mark.rule("4.2.1/impossible", editions=("2024",))
@pytest.mark.parametrize("command", [Command.FIRE, Command.SHORT_HALT])
def test_4_2_1_no_fire_or_short_halt_without_a_target_spotted_by_the_vehicle_itself(command):
    """L766-778, A-16: targets spotted by a friend do not count, nor those that may come into sight later."""
    table = a_table(
        a_vehicle("s1", "A1"), a_vehicle("s2", "A2"), a_vehicle("g1", "C5"), spotted={"s2": ["g1"], "s1": []}
    )

    assert_rule(
        objections(table, "s1", command), "4.2.1/impossible", why="the unit spotted no enemy in the Spotting Phase"
    )
    assert not objections(table, "s2", command)
    assert not objections(table, "s1", Command.OVERWATCH)
    assert not objections(table, "s1", Command.MOVE)


@pytest.mark.rule("4.2.1", effect=True)
@pytest.mark.rule("3.5.2", "4.4.3.1.4")
@both_editions
def test_4_2_1_the_target_must_be_in_range_and_in_the_field_of_fire_at_order_time(edition):
    """A-16, L434: the Panzerjaeger I reaches 14 hexes, straight ahead only."""
    hunter = a_vehicle("g1", "B18", "pzjgr1", facing=1)
    at_14, at_15 = a_vehicle("s1", "B4"), a_vehicle("s2", "B3")
    abeam = a_vehicle("s3", "F18")

    table = a_table(hunter, at_15, abeam, edition=edition)
    found = objections(table, "g1", Command.FIRE)
    assert_rule(found, "3.5.2", why="s2 is 15 hexes away; the unit's 47mm Pak(t) reaches only 14")
    assert_rule(found, "4.4.3.1.4", why="s3 is outside the front field of fire")

    assert not objections(a_table(hunter, at_14, at_15, abeam, edition=edition), "g1", Command.FIRE)


@pytest.mark.rule("4.2.1", effect=True)
@pytest.mark.rule("4.4.3.2.3")
def test_4_2_1_modifiers_play_no_part_at_order_time():
    """A-16: the command is legal, although at extreme range with -11 there will be no attack (A-22)."""
    firer = a_vehicle("s1", "B2", "t70", damaged=True, command=Command.SHORT_HALT)
    target = a_vehicle("g1", "B14", "stug3g")
    table = a_table(firer, target, board=a_board(signs={"B14": "m"}))

    assert not objections(table, "s1", Command.SHORT_HALT)
    assert_rule(shot_objections(table.data, table.state, firer, 0, target), "4.4.3.2.3")


@pytest.mark.rule("4.2", "4.2/move", effect=True)
@pytest.mark.rule("4.2/overwatch", "4.2/fire")
@both_editions
def test_4_2_unarmed_vehicles_only_move(edition):
    """L747-764: Fire, Short Halt and Overwatch are for combat units."""
    table = a_table(a_vehicle("s1", "A1", "zis5"), a_vehicle("g1", "C3"), edition=edition)

    assert_rule(objections(table, "s1", Command.OVERWATCH), "4.2/overwatch", why="the unit is unarmed")
    assert_rule(objections(table, "s1", Command.FIRE), "4.2/fire")
    assert legal_commands(table, table.state.vehicles["s1"]) == [Command.MOVE, Command.NO_COMMAND]


@pytest.mark.rule("4.4.3")
@both_editions
def test_4_4_3_a_vehicle_without_an_ap_row_gets_none_of_the_firing_commands(edition):
    """R-07: the SPW 251 is a combat unit, but its machine gun has no AP row."""
    table = a_table(a_vehicle("g1", "A1", "spw251"), a_vehicle("s1", "A3"), edition=edition)

    for command in (Command.FIRE, Command.SHORT_HALT, Command.OVERWATCH):
        assert_rule(objections(table, "g1", command), "4.4.3", why="none of the unit's weapons has an AP row")
    assert not objections(table, "g1", Command.MOVE)


@pytest.mark.rule("2.0")
@both_editions
def test_2_0_a_reinforcement_moves_or_waits(edition):
    """R-02: a reinforcement gets no command other than Move, and none before its turn."""
    due, late = a_vehicle("s1", None, entry_turn=1), a_vehicle("s2", None, entry_turn=2)
    table = a_table(due, late, a_vehicle("g1", "C3"), edition=edition)

    assert_rule(
        objections(table, "s1", Command.OVERWATCH), "2.0", why="a reinforcement needs a Move command to enter"
    )
    assert_rule(objections(table, "s2", Command.MOVE), "2.0", why="the unit cannot enter before turn 2")
    assert legal_commands(table, due) == [Command.MOVE, Command.NO_COMMAND]


@pytest.mark.rule("4.2.1", effect=True)
@pytest.mark.parametrize("status", [Status.ELIMINATED, Status.EXITED])
def test_4_2_1_a_vehicle_out_of_play_gets_no_command(status):
    """L766-778: KO'd and brewed-up vehicles lose their command; a vehicle that left the map never returns."""
    table = a_table(a_vehicle("s1", "A1", status=status), a_vehicle("g1", "C3"))

    assert commandable(table.state, "soviet") == []
    assert [objection.rule for objection in objections(table, "s1", Command.MOVE)] == ["4.2.1"]


def test_4_2_1_a_second_weapon_can_make_the_command_legal():
    """A-16: the test is made for each weapon; here the fixed gun does not bear, but the turret gun does."""
    card = a_card("both", weapons=(a_weapon(turret=0, field="front"), a_weapon(turret=2)))
    table = a_table(a_vehicle("s1", "E5", "both", side="soviet", facing=1), a_vehicle("g1", "E8"), cards=[card])

    assert not objections(table, "s1", Command.FIRE)


# --- 4.2.1 answers -------------------------------------------------------------------------------------------


@pytest.mark.rule("4.2.1/impossible", "3.1", "4.2", editions=("2024",))
def test_4_2_1_a_refusal_names_every_mistake_and_what_could_be_sent():
    """A-17: the order is refused privately on submission; no order is silently turned into No Command."""
    table = a_table(a_vehicle("s1", "A1"), a_vehicle("s2", "A2"), a_vehicle("g1", "C3"), spotted={})

    with pytest.raises(Refusals) as caught:
        check(table, {"s1": "fire", "s2": "overwach", "g1": "move"})

    foreign, impossible, misspelt = caught.value.refusals
    assert_rule(foreign, "3.1")
    assert foreign.instead == ("s1",)
    assert_rule(impossible, "4.2.1/impossible")
    assert impossible.instead == ("s1 move", "s1 overwatch", "s1 hold")
    assert_rule(misspelt, "4.2")
    assert isinstance(misspelt, Unreadable)
    assert misspelt.instead == ("s2 overwatch",)


def test_4_2_1_one_mistake_is_one_refusal():
    table = a_table(a_vehicle("s1", "A1", "zis5"), a_vehicle("g1", "C3"))

    with pytest.raises(Illegal, match="s1 fire: the unit is unarmed"):
        check(table, {"s1": "fire"})
    with pytest.raises(Unreadable):
        check(table, ["s1 fire"])


def test_4_2_1_an_answer_is_put_in_order_and_nothing_is_legal():
    table = a_table(a_vehicle("s1", "A1"), a_vehicle("s2", "A2"), a_vehicle("g1", "C3"))

    assert list(check(table, {"s2": "move", "s1": "fire"})) == ["s1", "s2"]
    assert check(table, {}) == {}


@given(
    hexes=st.lists(
        st.sampled_from([f"{column}{row}" for column in "ACEGI" for row in range(1, 12)]), min_size=4, max_size=4
    ),
    facings=st.lists(st.integers(1, 6), min_size=4, max_size=4),
    cards=st.lists(st.sampled_from(["su76m", "t34_76", "zis5"]), min_size=3, max_size=3),
)
def test_4_2_1_every_option_is_legal(hexes, facings, cards):
    """Options, checks and help are all derived from the same objections."""
    own = [a_vehicle(f"s{i}", hexes[i], cards[i], facing=facings[i]) for i in range(3)]
    table = a_table(*own, a_vehicle("g1", hexes[3], facing=facings[3]))
    view = view_of(table.state, "soviet")

    options = list(command_options(Situation(table.data, view), ASK))

    assert len(options) > 30
    for option in options:
        assert check_commands(Situation(table.data, view), ASK, option) == option
