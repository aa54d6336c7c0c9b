"""4.4.1 Direct Fire Step: groups, obligatory fire, refusals, defaults, and properties of whole steps."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule, every
from titles.panzer.basic import best_shot, default_fire, legal_shots, shot_objections, still_obliged
from titles.panzer.builders import (
    Always,
    a_board,
    a_card,
    a_state,
    a_table,
    a_vehicle,
    a_weapon,
    run_step,
    run_steps,
    shoot,
)

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Refusal, Refusals, Unreadable
from pbem.engine.rules.state import NextStep, copy
from pbem.titles.panzer.ap.ap_damage import check_angle
from pbem.titles.panzer.ap.shot_basics import check_show
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.fire.aiming import Occasion
from pbem.titles.panzer.fire.declarations import check_fire, fire_options
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.fire.overwatch import check_overwatch, is_window, overwatch_options, overwatch_step
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Damage, PanzerState, Spot, Status
from pbem.titles.panzer.view import view_of

both_editions = pytest.mark.parametrize("edition", EDITIONS)
STEPS = {"direct_fire_step": direct_fire_step, "overwatch_step": overwatch_step}


def fire_ask(seat: str = "soviet", engaged: Any = ()) -> Ask:
    return Ask(seat, "fire", "4.4.1", about={"engaged": list(engaged)})


def check(table: Any, answer: Any, seat: str = "soviet", engaged: Any = ()) -> Any:
    return check_fire(Situation(table.data, view_of(table.state, seat)), fire_ask(seat, engaged), answer)


def refusal(table: Any, answer: Any, engaged: Any = ()) -> Refusal:
    with pytest.raises(Refusal) as caught:
        check(table, answer, engaged=engaged)
    return caught.value


def two_against_two(**more: Any) -> Any:
    """Two T-34s with Fire commands and two PzKpfw IVHs, all in the open and spotted."""
    vehicles = [
        a_vehicle("s1", "C5", facing=1, command=Command.FIRE),
        a_vehicle("s2", "E5", facing=1, command=Command.FIRE),
        a_vehicle("g1", "C3", facing=4, command=Command.NO_COMMAND),
        a_vehicle("g2", "E2", facing=4, command=Command.NO_COMMAND),
    ]
    return a_table(*vehicles, **more)


# --- 4.4.1 groups ----------------------------------------------------------------------------------------------


def test_4_4_3_fire_at_a_unit_that_is_lost_is_refused_for_that_alone():
    """Nobody spots a unit that is no longer on the map; the refusal had given that as its first reason."""
    table = two_against_two(spotted={"s1": [], "s2": []})
    table.state.vehicles["g1"].status = Status.ELIMINATED

    occasion = Occasion(Situation(table.data, table.state), "soviet")
    shooter, lost = table.state.vehicles["s1"], table.state.vehicles["g1"]

    assert not list(occasion.target_objections(shooter, lost))


@pytest.mark.rule("4.4.1/declare-per-target", effect=True)
@pytest.mark.rule("4.4.1")
@both_editions
def test_4_4_1_one_target_after_another_each_result_seen_before_the_next_is_declared(edition):
    """A-21: only fire at the same target is declared together."""
    table = two_against_two(dice=[1, 100], edition=edition)
    table.then("direct_fire_step", side="soviet")

    first = run_step(table, direct_fire_step(table, side="soviet"), [shoot("g1", "s1"), False])
    assert_rule(first.findings, "4.4.1", inputs={"target": "g1", "firers": ["s1"]}, result="damaged")
    assert table.state.next is not None and table.state.next.name == "direct_fire_step"
    assert (table.state.next.args["side"], table.state.next.args["engaged"]) == ("soviet", ["g1"])

    second = run_step(table, direct_fire_step(table, **table.state.next.args), [shoot("g2", "s2"), False])
    assert second.asks[0].about["engaged"] == ["g1"]
    assert_rule(second.findings, "4.4.1", inputs={"target": "g2", "firers": ["s2"]}, result="miss")


def test_4_4_1_first_player_then_second_player_then_overwatch():
    """L814-831: First Player's fire, Second Player's fire and overwatch follow each other, with or without fire."""
    table = a_table(a_vehicle("s1", "E5"), a_vehicle("g1", "E2"))

    played = run_step(table, direct_fire_step(table, side="soviet"))
    assert (played.sequence, played.asks[0].silence) == ([("soviet", "fire")], None)
    assert table.state.next == NextStep("direct_fire_step", {"side": "german"})

    run_step(table, direct_fire_step(table, side="german"))
    assert table.state.next == NextStep("overwatch_step", {"side": "soviet"})


@pytest.mark.rule("4.4.1/declare-per-target", "4.4.1/spot-fire", "4.2.1/secrecy", editions=("2024",))
def test_4_4_1_whoever_comes_too_late_has_fired_all_the_same():
    """L814-831: units that have declared fire may not switch targets, and each gets its Spot/Fire marker."""
    table = two_against_two(dice=[1])
    table.state.vehicles["g1"].damage = Damage.WHOLE

    played = run_step(table, direct_fire_step(table, side="soviet"), [shoot("g1", "s1", "s2"), False])

    assert_rule(played.findings, "4.2.1/secrecy", inputs={"unit": "s2", "command": "fire"}, result="revealed")
    assert_rule(
        played.findings, "4.4.1/declare-per-target", inputs={"firer": "s2", "target": "g1"}, result="too-late"
    )
    assert_rule(played.findings, "4.4.1/spot-fire", inputs={"unit": "s2"})
    assert all(own.fired and own.revealed and own.pending is Spot.FIRE for own in table.state.of("soviet"))


@pytest.mark.rule("4.4.1/declare-per-target", "4.4.1/one-shot", effect=True)
def test_4_4_1_shots_are_resolved_in_the_order_declared():
    table = two_against_two(dice=[100, 100])

    run_step(table, direct_fire_step(table, side="soviet"), [shoot("g1", "s2", "s1"), False])

    assert [subjects for _, subjects in table.chance.rolled] == [("s2", "g1"), ("s1", "g1")]


@pytest.mark.rule("4.4.1/declare-per-target", effect=True)
def test_4_4_1_a_group_shows_or_hides_its_target_once():
    """4.4.3.2.2: before the group's first roll, the target's owner decides once whether to show its movement."""
    table = two_against_two(dice=[100, 100])

    played = run_step(table, direct_fire_step(table, side="soviet"), [shoot("g1", "s1", "s2"), False])

    assert played.sequence == [("soviet", "fire"), ("german", "show")]
    assert played.asks[1].about["firers"] == ["s1", "s2"]


@pytest.mark.rule("4.4.1/spot-fire")
def test_4_4_1_a_spot_move_marker_gives_way_to_spot_fire():
    """L814-831: the new Spot/Fire marker stays under the counter until the turn ends."""
    table = two_against_two(dice=[100])
    table.state.vehicles["s1"].spot = Spot.MOVE

    played = run_step(table, direct_fire_step(table, side="soviet"), [shoot("g1", "s1"), False])

    assert assert_rule(played.findings, "4.4.1/spot-fire", inputs={"unit": "s1", "replaces": "move"})
    assert (table.state.vehicles["s1"].spot, table.state.vehicles["s1"].marker) == (Spot.MOVE, Spot.FIRE)


@pytest.mark.rule("4.4.1/one-shot", effect=True)
def test_4_4_1_a_shot_reads_damage_of_the_moment():
    """4.4.1 item 3: a unit damaged earlier in the step fires with -3."""
    duel = [
        a_vehicle("s1", "E5", facing=1, command=Command.FIRE),
        a_vehicle("g1", "E2", facing=4, command=Command.FIRE),
    ]
    table = a_table(*duel, dice=[1, 64])
    table.then("direct_fire_step", side="soviet")

    played = run_steps(table, {"direct_fire_step": direct_fire_step}, {"show": False})

    rolls = [finding for finding in every(played.findings) if finding.rule == "4.4.3.2.3"]
    assert [(roll.inputs["net"], roll.result) for roll in rolls] == [(0, "hit"), (-3, "miss")]


# --- 4.4.1 objections ------------------------------------------------------------------------------------------


@pytest.mark.rule("4.4.1/spotted-before", "4.4.1/one-shot", "4.4.1/declare-per-target", "4.4.1", editions=("2024",))
def test_4_4_1_everything_wrong_with_a_shot_is_said():
    """L814-831: a unit on Fire or Short Halt fires once, at a target it has spotted, in one group per target."""
    table = two_against_two(spotted={"s1": ["g1"], "s2": ["g1", "g2"]})
    units = table.state.vehicles

    assert_rule(refusal(table, shoot("g2", "s1")), "4.4.1/spotted-before")
    assert_rule(refusal(table, shoot("g1", "s1"), engaged=["g1"]), "4.4.1/declare-per-target")
    units["s1"].fired = True
    found = refusal(table, shoot("g1", "s1"))
    assert_rule(found, "4.4.1/one-shot")
    units["s1"].fired, units["s1"].command = False, Command.OVERWATCH
    assert_rule(refusal(table, shoot("g1", "s1")), "4.4.1")
    assert not list(shot_objections(table.data, table.state, units["s2"], 0, units["g1"]))


@pytest.mark.rule("4.4.1/declare-per-target", effect=True)
@pytest.mark.rule("4.4.1")
@both_editions
def test_4_4_1_a_spot_marker_placed_since_makes_no_target(edition):
    """L1083, 2016:L1243: a marker that was just placed has no effect yet."""
    table = two_against_two(spotted={"s1": [], "s2": ["g2"]}, edition=edition)
    table.state.vehicles["g1"].pending = Spot.FIRE

    found = refusal(table, shoot("g1", "s1"))

    assert [objection.rule for objection in found.objections] == [ledger_row(edition, "4.4.1/spotted-before")]
    table.state.vehicles["s1"].command = Command.MOVE
    assert_rule(refusal(table, shoot("g1", "s1")), "4.4.1")


@pytest.mark.rule("4.4.1/one-shot", effect=True)
@pytest.mark.rule("3.1", "4.4.3")
@both_editions
def test_4_4_1_a_declaration_names_own_vehicles_and_an_enemy(edition):
    """3.1: each side commands only its own units; several mistakes are reported together."""
    table = two_against_two(edition=edition)

    found = refusal(table, shoot("g1", "g2", "s1", "x9"))
    assert isinstance(found, Refusals)
    assert [single.part for single in found.refusals] == ["g2", "x9"]
    assert_rule(found, "3.1")
    twice = refusal(table, shoot("g1", "s1", "s1"))
    assert_rule(twice, ledger_row(edition, "4.4.1/one-shot"), why="each weapon can be fired only once")
    assert_rule(refusal(table, shoot("g7", "s1")), "4.4.3", why="there is no such unit on the map")
    assert refusal(table, shoot("g22", "s1")).instead == ("g2",)


@pytest.mark.parametrize(
    "answer",
    ["g1", {}, {"target": "g1"}, shoot("g1"), {"target": "g1", "firers": ["s1"]}, {**shoot("g1", "s1"), "x": 1}],
)
def test_4_4_1_what_is_no_declaration_is_unreadable(answer):
    with pytest.raises(Unreadable):
        check(two_against_two(), answer)


@pytest.mark.rule("4.4.1/declare-per-target", "4.4.1/one-shot", effect=True)
def test_4_4_1_a_refused_shot_names_the_targets_that_are_left():
    table = two_against_two(spotted={"s1": ["g1"], "s2": ["g2"]})

    assert refusal(table, shoot("g2", "s1")).instead == ("s1 fire g1 with 1 ap",)


# --- 4.4.1 obligations -----------------------------------------------------------------------------------------


@pytest.mark.rule("4.4.1/declare-per-target", effect=True)
@pytest.mark.rule("4.4.1/must-fire", editions=("2024",))
def test_4_4_1_nobody_with_a_target_may_keep_silent():
    """L814-831: every vehicle on Fire or Short Halt that has a target must declare fire."""
    table = two_against_two(spotted={"s1": ["g1", "g2"], "s2": []})

    found = refusal(table, None)

    assert_rule(found, "4.4.1/must-fire")
    assert [(single.part, single.instead) for single in found.refusals] == [
        ("s1", ("s1 fire g1 with 1 ap", "s1 fire g2 with 1 ap"))
    ]


@pytest.mark.rule("4.2.1/binding", "4.2.1/secrecy", editions=("2024",))
def test_a_38_a_command_without_a_target_left_is_shown_without_fire():
    """A-38: a T-70 damaged before it fires has no attack at extreme range (A-22), and no overwatch either."""
    firer = a_vehicle("s1", "B2", "t70", facing=1, command=Command.SHORT_HALT)
    table = a_table(firer, a_vehicle("g1", "B14", facing=1), board=a_board(signs={"B14": "m"}), first="german")
    assert still_obliged(table.data, table.state, "soviet")
    firer.damage = Damage.WHOLE

    played = run_step(table, direct_fire_step(table, side="soviet"))

    assert played.asks[0].silence is None
    assert_rule(played.findings, "4.2.1/binding", inputs={"unit": "s1"}, result="no-target")
    assert_rule(played.findings, "4.2.1/secrecy", inputs={"unit": "s1", "command": "short-halt"}, result="revealed")
    assert (firer.revealed, firer.fired, firer.pending) == (True, False, Spot.NONE)
    assert not is_window(table, "soviet", ["g1"])


def test_r_09_those_for_whom_the_target_is_the_last_one_join_its_group():
    """R-09: units that would have no other target later are added to the group."""
    table = two_against_two(spotted={"s1": ["g1", "g2"], "s2": ["g1"]})

    assert check(table, shoot("g1", "s1")) == shoot("g1", "s1", "s2")
    assert check(table, shoot("g1", "s2", "s1")) == shoot("g1", "s2", "s1")
    assert check(table, shoot("g2", "s1")) == shoot("g2", "s1")


def test_r_09_a_target_left_unengaged_does_not_bind_twice():
    """R-09: once its group has been resolved, no unit may fire at the target, so none has to."""
    table = two_against_two(spotted={"s1": ["g1"], "s2": ["g1"]})

    assert still_obliged(table.data, table.state, "soviet", ["g1"]) == {}
    assert check(table, None, engaged=["g1"]) is None


def test_a_22_a_shot_without_a_chance_does_not_bind():
    """A-22: an attack without a chance to hit is illegal, so no unit is obliged to make it."""
    firer = a_vehicle("s1", "B2", "t70", damaged=True, command=Command.SHORT_HALT)
    table = a_table(firer, a_vehicle("g1", "B14"), board=a_board(signs={"B14": "m"}))

    assert check(table, None) is None


# --- R-05 defaults ---------------------------------------------------------------------------------------------


def test_r_05_the_best_shot_is_the_surest_then_the_nearest_then_the_lowest_id():
    """R-05: the best shot has the highest chance; ties go to the nearest target, then the lowest id."""

    def best(*targets: Any, **more: Any) -> str:
        table = a_table(a_vehicle("s1", "E9", command=Command.FIRE), *targets, **more)
        return best_shot(table.data, table.state, table.state.vehicles["s1"]).target

    assert best(a_vehicle("g1", "E5"), a_vehicle("g2", "E6")) == "g2"  # 70 against 90
    assert best(a_vehicle("g1", "E6"), a_vehicle("g2", "E7")) == "g2"  # nearer
    assert best(a_vehicle("g1", "E7"), a_vehicle("g2", "E11")) == "g1"  # lowest id
    assert best(a_vehicle("g1", "E7"), a_vehicle("g2", "E4"), board=a_board(signs={"E7": "X"})) == "g2"


def test_r_05_only_ap_weapons_fire_and_the_stronger_of_two_alike():
    """R-05: of two guns with the same chance to hit, the one with more penetration fires."""
    weak, strong, none = a_weapon(penetration=(5, 5, 5, 5, 5)), a_weapon(), a_weapon(ranges=(), penetration=())
    card = a_card("guns", weapons=(none, weak, strong))
    firer = a_vehicle("s1", "E5", "guns", side="soviet", command=Command.FIRE)
    table = a_table(firer, a_vehicle("g1", "E3"), cards=[card])

    assert [shot.weapon for shot in legal_shots(table.data, table.state, firer)] == [2, 1]


def test_r_05_by_default_everybody_fires_at_his_best_target():
    """R-05: by default the groups are formed from each unit's best shot, one after another."""
    table = two_against_two(dice=[100, 100])
    table.then("direct_fire_step", side="soviet")

    played = run_steps(table, {"direct_fire_step": direct_fire_step}, {"show": False})

    assert [ask.silence for ask in played.asked("fire", "soviet")] == [shoot("g1", "s1", "s2"), None]
    spread = two_against_two(spotted={"s1": ["g1", "g2"], "s2": ["g2"]})
    assert default_fire(spread.data, spread.state, "soviet") == shoot("g1", "s1")
    assert default_fire(spread.data, spread.state, "german") is None


# --- properties of whole steps ---------------------------------------------------------------------------------

PLACES = [f"{column}{row}" for column in "CEGIK" for row in range(3, 14, 2)]
CARDS = {"german": ["pz4h", "stug3g", "tiger1", "opel"], "soviet": ["t34_76", "su76m", "t70", "kv1s"]}


@st.composite
def situations(draw: Any) -> PanzerState:
    """Draw a few vehicles of both sides with random commands, facings and places."""
    vehicles = []
    for side, letter in (("german", "g"), ("soviet", "s")):
        for number in range(1, draw(st.integers(1, 4)) + 1):
            vehicles.append(
                a_vehicle(
                    f"{letter}{number}",
                    draw(st.sampled_from(PLACES)),
                    draw(st.sampled_from(CARDS[side])),
                    facing=draw(st.integers(1, 6)),
                    command=draw(st.sampled_from(list(Command))),
                    damaged=draw(st.booleans()),
                )
            )
    return a_state(*vehicles, first=draw(st.sampled_from(["german", "soviet"])))


CHECKS = {
    "fire": check_fire,
    "overwatch": check_overwatch,
    "show": lambda situation, ask, answer: check_show(situation.state, ask, answer),
    "angle": check_angle,
}


def combat(state: PanzerState, answers: Any, chance: Any = None) -> Any:
    """Play a whole Combat Phase."""
    table = a_table(state=copy(state))
    table.chance = chance or Always(40)
    table.then("direct_fire_step", side=state.first)
    return table, run_steps(table, STEPS, answers(table))


def lively(picks: Any) -> Any:
    """Answers that pick options in turn, and check that every option and every default is legal."""
    turns = iter(picks * 50)

    def answers(table: Any) -> Any:
        def choose(ask: Ask) -> Any:
            seen = Situation(table.data, view_of(table.state, ask.seat))
            check = CHECKS[ask.kind]
            assert check(seen, ask, ask.silence) == ask.silence
            if ask.kind not in ("fire", "overwatch"):
                return ask.silence
            options = list((fire_options if ask.kind == "fire" else overwatch_options)(seen, ask))
            chosen = options[next(turns) % len(options)]
            for option in options:
                check(seen, ask, option)  # raises if it is not legal
            return check(seen, ask, chosen)

        return dict.fromkeys(CHECKS, choose)

    return answers


@given(situations(), st.lists(st.integers(0, 20), min_size=5, max_size=5), st.integers(1, 100))
def test_4_4_1_no_vehicle_fires_twice_and_every_option_is_legal(state, picks, roll):
    """L814-831: in the whole Combat Phase, including overwatch fire, no vehicle fires twice."""
    table, played = combat(state, lively(picks), Always(roll))

    firers = [finding.inputs["unit"] for finding in every(played.findings) if finding.rule == "4.4.1/spot-fire"]
    assert len(firers) == len(set(firers))
    assert table.state.next.name == "movement_step"
    for vehicle in table.state.vehicles.values():
        assert vehicle.id in firers or not vehicle.fired
        assert not vehicle.alive or vehicle.revealed or vehicle.command not in (Command.FIRE, Command.SHORT_HALT)


@given(situations(), st.lists(st.sampled_from(list(Command)), min_size=4, max_size=4), st.integers(1, 100))
def test_4_2_1_no_ask_depends_on_a_counter_that_never_acts(state, others, roll):
    """Two worlds differ only in enemy counters that stay face down, yet the same seats get the same asks."""
    quiet = [Command.MOVE, Command.OVERWATCH, Command.NO_COMMAND]
    worlds = []
    for commands in (others, others[::-1]):
        world = copy(state)
        for vehicle, command in zip(world.of("german"), commands, strict=False):
            vehicle.command = quiet[list(Command).index(command) % 3]
        worlds.append(combat(world, lambda table: {"show": False}, Always(roll)))

    (one, played), (other, played_again) = worlds
    assert played.sequence == played_again.sequence
    about, about_again = ([(ask.subject, ask.about) for ask in world.asks] for world in (played, played_again))
    assert about == about_again
    assert played.findings == played_again.findings
    assert view_of(one.state, "soviet") == view_of(other.state, "soviet")


@given(situations(), st.lists(st.integers(0, 20), min_size=5, max_size=5))
def test_4_4_1_the_dead_stay_dead_and_leave_wrecks(state, picks):
    """4.4.3.2.6: a vehicle leaves a wreck in its hex if and only if it was eliminated."""
    table, _ = combat(state, lively(picks), Always(3))

    dead = {vehicle.hex for vehicle in table.state.vehicles.values() if vehicle.status is Status.ELIMINATED}
    assert len(table.state.wrecks) == len(dead)
    assert not any(wreck.fresh for wreck in table.state.wrecks.values())
    assert all(vehicle.command is None for vehicle in table.state.vehicles.values() if not vehicle.alive)


def test_4_4_1_illegal_is_told_from_unreadable():
    """An order that is understood but not allowed is refused as Illegal, not as Unreadable."""
    with pytest.raises(Illegal):
        check(two_against_two(spotted={}), shoot("g1", "s1"))
