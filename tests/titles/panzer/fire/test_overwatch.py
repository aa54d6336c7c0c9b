"""4.4.2 Overwatch fire: rounds of the Combat Phase, windows during movement, chains, and which side is asked."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.basic import watch_objections as overwatch_objections
from titles.panzer.builders import a_board, a_table, a_vehicle, run_step, run_steps, shoot

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.state import NextStep
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.fire.overwatch import (
    check_overwatch,
    is_window,
    overwatch_options,
    overwatch_step,
    overwatch_window,
)
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Spot, Status
from pbem.titles.panzer.view import view_of

both_editions = pytest.mark.parametrize("edition", EDITIONS)
STEPS = {"overwatch_step": overwatch_step}


def watcher(id: str, hex: str, card: str = "", **more: Any) -> Any:
    return a_vehicle(id, hex, card, **{"command": Command.OVERWATCH, **more})


def shooter(id: str, hex: str, card: str = "", **more: Any) -> Any:
    """A vehicle that has fired in the Direct Fire Step."""
    fired = {"command": Command.FIRE, "revealed": True, "fired": True, "pending": Spot.FIRE}
    return a_vehicle(id, hex, card, **{**fired, **more})


def moving(id: str, hex: str, card: str = "", **more: Any) -> Any:
    """A vehicle in the middle of its move."""
    return a_vehicle(id, hex, card, **{"command": Command.MOVE, "revealed": True, "pending": Spot.MOVE, **more})


def rounds(table: Any, answers: Any = ()) -> Any:
    table.then("overwatch_step", side=table.state.first)
    return run_steps(table, STEPS, answers)


def watch_ask(seat: str, *targets: str, phase: str = "combat") -> Ask:
    return Ask(seat, "overwatch", "4.4.2", about={"targets": list(targets), "phase": phase})


# --- 4.4.2 the Combat Phase ------------------------------------------------------------------------------------


@pytest.mark.rule("4.5/overwatch", effect=True)
@pytest.mark.rule("4.4.2", "4.4.3.2.2/overwatch")
@both_editions
def test_4_4_2_after_all_direct_fire_overwatch_answers_those_who_fired(edition):
    """L833-845: watchers fire at once, with -1, and their command is revealed."""
    german = watcher("g1", "E2", facing=4)
    table = a_table(shooter("s1", "E5", facing=1), german, dice=[81], edition=edition)

    played = rounds(table, {"overwatch": [shoot("s1", "g1")]})

    assert_rule(played.findings, "4.4.2", inputs={"target": "s1", "firers": ["g1"]}, result="ko")
    assert_rule(played.findings, "4.4.3.2.2/overwatch", result=-1)
    assert (german.revealed, german.fired, german.pending) == (True, True, Spot.FIRE)
    assert table.state.next == NextStep("movement_step", {"side": "german"})


@pytest.mark.rule("4.4.2/eligible", "4.4.2/spotting", editions=("2024",))
def test_4_4_2_the_trigger_and_the_spotting_of_the_moment_are_explained():
    """L833-845: the target need not have been spotted earlier; its new Spot/Fire marker applies (A-04)."""
    board = a_board(signs={"E18": "m"})
    table = a_table(shooter("s1", "E18"), watcher("g1", "E2", facing=4), dice=[100], spotted={}, board=board)

    played = rounds(table, {"overwatch": [shoot("s1", "g1")]})

    assert_rule(played.findings, "4.4.2/eligible", inputs={"target": "s1"}, result="fired")
    assert_rule(played.findings, "4.4.2/spotting", inputs={"firer": "g1", "target": "s1"}, result=True)
    hidden = a_table(shooter("s1", "E18", pending=Spot.NONE), watcher("g1", "E2"), spotted={}, board=board)
    assert rounds(hidden).asks == []


@pytest.mark.rule("4.4.2/chain", editions=("2024",))
def test_4_4_2_overwatch_triggers_overwatch():
    """L833-845, A-19: overwatch triggers overwatch: g1 answers s1, s2 answers g1, and g2 answers s2."""
    vehicles = [
        shooter("s1", "E5", "is2m", facing=1), watcher("s2", "E6", "is2m", facing=1),
        watcher("g1", "E2", "tiger1", facing=4), watcher("g2", "D2", "tiger1", facing=4),
    ]  # fmt: skip
    table = a_table(*vehicles, dice=[100, 100, 100])
    script = {
        ("german", "overwatch"): [shoot("s1", "g1"), shoot("s2", "g2")],
        ("soviet", "overwatch"): [shoot("g1", "s2")],
    }

    played = rounds(table, script)

    fired = [finding.inputs["firers"] for finding in played.findings if finding.rule == "4.4.2"]
    assert fired == [["g1"], ["s2"], ["g2"]]
    assert_rule(played.findings, "4.4.2/chain", inputs={"target": "g1"}, result="fired-on-overwatch")
    assert_rule(played.findings, "4.4.2/chain", inputs={"target": "s2"})


def test_a_19_rounds_end_when_both_pass_in_succession():
    """A-19: if one side fires, the other side is asked again, and then the first side once more."""
    vehicles = [
        shooter("s1", "E5", "is2m"), watcher("s2", "E6", "is2m"),
        shooter("g1", "E2", "tiger1"), watcher("g2", "D2", "tiger1"), watcher("g3", "F2", "tiger1"),
    ]  # fmt: skip
    table = a_table(*vehicles, dice=[100])

    played = rounds(table, {("german", "overwatch"): [shoot("s1", "g2")]})

    asked = [(ask.seat, ask.about["targets"]) for ask in played.asks]
    assert asked == [("soviet", ["g1"]), ("german", ["s1"]), ("soviet", ["g1", "g2"]), ("german", ["s1"])]
    assert all((ask.subject, ask.about["phase"], ask.silence) == ("", "combat", None) for ask in played.asks)


def test_a_19_in_a_round_a_side_fires_at_each_target_once_and_again_in_a_later_one():
    """A-19: all fire at one target is declared together, but a target may be engaged again in a later round."""
    vehicles = [
        shooter("g1", "E2", "tiger1"), shooter("g2", "D2", "tiger1"), watcher("g3", "F2", "tiger1"),
        *(watcher(f"s{number}", "E6", "t70") for number in (1, 2, 3)), shooter("s4", "D6"),
    ]  # fmt: skip
    table = a_table(*vehicles, sides=("soviet", "german"), dice=[100, 100, 100, 100])
    script = {
        ("soviet", "overwatch"): [shoot("g1", "s1"), shoot("g2", "s2"), None, shoot("g1", "s3")],
        ("german", "overwatch"): [shoot("s4", "g3")],
    }

    played = rounds(table, script)

    assert [ask.about["targets"] for ask in played.asked(seat="soviet")] == [
        ["g1", "g2"], ["g2"], ["g1", "g2", "g3"]
    ]  # fmt: skip


def test_4_4_2_the_first_player_is_asked_first():
    both = [shooter("s1", "E5"), watcher("s2", "E6"), shooter("g1", "E2"), watcher("g2", "D2")]

    assert [ask.seat for ask in rounds(a_table(*both, first="german")).asks] == ["german", "soviet"]


# --- 4.5.1.1 windows of movement -------------------------------------------------------------------------------


def window(table: Any, mover: str, answers: Any = ()) -> Any:
    return run_step(table, overwatch_window(table, table.state.vehicles[mover]), answers)


@pytest.mark.rule("4.5.1.1", effect=True)
@pytest.mark.rule("4.4.3.2.3", editions=("2024",))
@pytest.mark.rule("4.5/overwatch", "4.4.2", "4.4.3.2.2/target-moving", editions=("2024",))
def test_4_5_1_1_a_moving_vehicle_is_fired_at_with_both_modifiers():
    """L1100-1130: fire at a mover has -1 for Overwatch and -2 for movement; an IS-2 has +1 for its size."""
    table = a_table(moving("s1", "E5", "is2m", facing=1), watcher("g1", "E2", facing=4), dice=[72])

    played = window(table, "s1", [shoot("s1", "g1")])

    assert played.result is True
    assert (played.asks[0].subject, played.asks[0].about) == ("s1", {"phase": "movement", "targets": ["s1"]})
    assert_rule(played.findings, "4.5/overwatch", inputs={"target": "s1"}, result="moves")
    assert_rule(played.findings, "4.4.3.2.2/target-moving", result=-2)
    assert_rule(played.findings, "4.4.2", result="no-effect")
    assert assert_rule(played.findings, "4.4.3.2.3", inputs={"net": -2, "hit_number": 72}, result="hit")


@pytest.mark.rule("4.5.1.1", effect=True)
def test_4_5_1_1_a_window_in_which_nobody_fires_says_so():
    table = a_table(moving("s1", "E5"), watcher("g1", "E2"))

    played = window(table, "s1")

    assert (played.result, played.sequence, played.findings) == (False, [("german", "overwatch")], [])


def chained(**more: Any) -> Any:
    """A moving IS-2 and two watchers on each side, all of them hard to damage."""
    return a_table(
        moving("s1", "E6", "is2m", facing=1), watcher("s2", "D7", "is2m"), watcher("s3", "F7", "is2m"),
        watcher("g1", "E2", "tiger1", facing=4), watcher("g2", "D2", "tiger1", facing=4), **more,
    )  # fmt: skip


@pytest.mark.rule("4.4.2/chain", "4.5/overwatch", editions=("2024",))
def test_r_12_fire_at_the_mover_then_the_sides_answer_each_other_in_turns():
    """R-12: the mover's side uses its Overwatch only against units that fired in this window."""
    table = chained(dice=[100, 100, 100])
    script = {
        ("german", "overwatch"): [shoot("s1", "g1"), shoot("s2", "g2")],
        ("soviet", "overwatch"): [shoot("g1", "s2")],
    }

    played = window(table, "s1", script)

    assert [(ask.seat, ask.about["targets"]) for ask in played.asks] == [
        ("german", ["s1"]), ("soviet", ["g1"]), ("german", ["s2"]), ("soviet", ["g1", "g2"]),
    ]  # fmt: skip
    fired = [(finding.inputs["firers"], finding.inputs["target"]) for finding in played.findings]
    assert fired == [(["g1"], "s1"), (["s2"], "g1"), (["g2"], "s2")]
    assert_rule(played.findings, "4.5/overwatch", inputs={"target": "s1"})
    assert_rule(played.findings, "4.4.2/chain", inputs={"target": "s2"})


def test_r_12_the_chain_ends_with_the_side_that_passes():
    table = chained(dice=[100])

    played = window(table, "s1", {("german", "overwatch"): [shoot("s1", "g1")]})

    assert played.sequence == [("german", "overwatch"), ("soviet", "overwatch")]
    assert played.result is True


def test_r_12_a_dead_mover_leaves_its_wreck_and_is_avenged():
    """R-12: a vehicle lost in a fire window leaves its wreck in that hex, and its side may still fire back."""
    table = a_table(
        moving("s1", "E5", "zis5", facing=1), watcher("s2", "E6", facing=1),
        watcher("g1", "E3", "pz4h", facing=4), dice=[1, 1],
    )  # fmt: skip

    played = window(table, "s1", {"overwatch": [shoot("s1", "g1"), shoot("g1", "s2")]})

    assert table.state.vehicles["s1"].status is Status.ELIMINATED
    assert table.state.wrecks["E5"].brewed_up and table.state.wrecks["E5"].fresh
    assert played.sequence == [("german", "overwatch"), ("soviet", "overwatch")]
    assert [finding.result for finding in played.findings] == ["bu", "damaged"]


def test_a_26_nobody_but_the_mover_and_those_who_fired_in_the_window_is_a_target():
    """A-26: a vehicle that has completed its move cannot be fired at, nor can one that fired in the Combat Phase."""
    table = a_table(moving("s1", "E5"), moving("s2", "D5"), shooter("s3", "F5"), watcher("g1", "E2", facing=4))
    ask = watch_ask("german", "s1", phase="movement")

    answers = [answer["target"] for answer in overwatch_options(table, ask) if answer]

    assert answers == ["s1"]


def test_4_4_2_a_watcher_fires_at_the_same_mover_only_in_a_window_of_its_own_choice_and_once():
    """L833-845: after its shot a watcher is revealed and cannot fire again; others may fire in the next window."""
    table = chained(dice=[100, 100])

    window(table, "s1", {("german", "overwatch"): [shoot("s1", "g1")]})
    played = window(table, "s1", {("german", "overwatch"): [shoot("s1", "g2")]})
    last = window(table, "s1")

    assert [len(step.asked("overwatch", "german")) for step in (played, last)] == [1, 0]


# --- 4.4.2 objections and answers ------------------------------------------------------------------------------


@pytest.mark.rule("4.4.2", "4.4.3")
@both_editions
def test_4_4_2_what_keeps_a_vehicle_from_overwatch_fire(edition):
    """L833-845: a vehicle needs an unused Overwatch, a target spotted now, and everything direct fire needs."""
    table = a_table(
        shooter("s1", "E5"), a_vehicle("s2", "E6", command=Command.FIRE), watcher("g1", "E2"),
        a_vehicle("g2", "E2", command=Command.MOVE), edition=edition,
    )  # fmt: skip
    view = view_of(table.state, "german")

    def refused(answer: Any) -> Refusal:
        with pytest.raises(Refusal) as caught:
            check_overwatch(Situation(table.data, view), watch_ask("german", "s1"), answer)
        return caught.value

    assert_rule(refused(shoot("s1", "g2")), "4.4.2", why="the unit has no Overwatch command")
    assert_rule(refused(shoot("s2", "g1")), ledger_row(edition, "4.4.2/eligible"))
    assert refused(shoot("s2", "g1")).instead == ("g1 fire s1 with 1 ap",)
    assert_rule(refused(shoot("s1", ("g1", 3))), "4.4.3")
    assert check_overwatch(Situation(table.data, view), watch_ask("german", "s1"), shoot("s1", "g1")) == shoot(
        "s1", "g1"
    )
    assert check_overwatch(Situation(table.data, view), watch_ask("german", "s1"), None) is None


@pytest.mark.rule("4.4.2/eligible", "4.4.2/spotting", "4.4.1/one-shot", editions=("2024",))
def test_4_4_2_objections_one_by_one():
    """L833-845: each objection to overwatch fire is raised alone."""
    table = a_table(shooter("s1", "E8"), watcher("g1", "E2"), board=a_board(signs={"E5": "m"}))
    state, data = table.state, table.data
    german, soviet = state.vehicles["g1"], state.vehicles["s1"]

    assert_rule(overwatch_objections(data, state, german, 0, soviet, ["s1"]), "4.4.2/spotting")
    assert_rule(overwatch_objections(data, state, german, 0, soviet, []), "4.4.2/eligible")
    german.fired = german.revealed = True
    assert_rule(overwatch_objections(data, state, german, 0, soviet, ["s1"]), "4.4.1/one-shot")


def test_4_4_2_a_fixed_gun_cannot_adjust():
    """4.4.3.2.2: only turrets and pivot-mounted guns fire outside their front field."""
    table = a_table(shooter("s1", "E8"), watcher("g1", "E5", "stug3g", facing=1), watcher("g2", "E5", facing=1))

    assert list(overwatch_options(table, watch_ask("german", "s1"))) == [None, shoot("s1", "g2")]


def test_a_01_nobody_fires_at_a_mover_in_his_own_hex():
    """A-01: direct fire at range 0 is not allowed."""
    table = a_table(moving("s1", "E5"), watcher("g1", "E5"))

    assert window(table, "s1").asks == []


# --- the seat that is asked ------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", list(Command))
def test_r_12_a_window_opens_whatever_the_counter_is(command):
    """If a window opened only for Overwatch, the pause would give the counter away."""
    table = a_table(moving("s1", "E5"), a_vehicle("g1", "E2", command=command))

    assert window(table, "s1").sequence == [("german", "overwatch")]


@pytest.mark.parametrize(
    "known",
    [{"revealed": True}, {"fired": True}, {"shown": True}, {"command": None}, {"status": Status.EXITED}],
)
def test_r_12_no_window_for_those_who_everybody_knows_cannot_fire(known):
    vehicle = a_vehicle("g1", "E2", **{"command": Command.MOVE, **known})
    table = a_table(moving("s1", "E5"), vehicle)

    assert window(table, "s1").asks == []


def test_r_12_no_window_out_of_sight_range_or_field():
    """Spotting, range and field of fire are public, so they may decide whether a window opens."""
    behind = a_table(moving("s1", "E8"), watcher("g1", "E2"), board=a_board(signs={"E5": "m"}))
    far = a_table(moving("s1", "E19"), watcher("g1", "E2", "pzjgr1", facing=4))
    aside = a_table(moving("s1", "K5"), watcher("g1", "E2", "stug3g", facing=1))

    assert [window(table, "s1").asks for table in (behind, far, aside)] == [[], [], []]


@given(
    commands=st.lists(st.sampled_from(list(Command)), min_size=3, max_size=3),
    places=st.lists(st.sampled_from(["C3", "E2", "G9", "K5"]), min_size=3, max_size=3),
    facing=st.integers(1, 6),
)
def test_r_12_whether_a_seat_is_asked_never_depends_on_its_counters(commands, places, facing):
    """Whether a seat is asked depends on public facts, so the enemy's view gives the same answer."""
    own = [
        a_vehicle(f"g{number}", place, "stug3g", facing=facing, command=command)
        for number, (place, command) in enumerate(zip(places, commands, strict=True))
    ]
    table = a_table(moving("s1", "E5"), *own)

    asked = is_window(table, "german", ["s1"])

    assert asked == is_window(Situation(table.data, view_of(table.state, "soviet")), "german", ["s1"])
    assert asked == is_window(Situation(table.data, view_of(table.state, "public")), "german", ["s1"])


@given(st.lists(st.sampled_from(["overwatch", "move", "no-command"]), min_size=4, max_size=4), st.integers(0, 15))
def test_4_4_2_every_option_passes_its_check(words, place):
    table = a_table(
        *(a_vehicle(f"g{i}", f"E{2 + i}", command=Command(word)) for i, word in enumerate(words)),
        shooter("s1", f"G{1 + place}"), shooter("s2", f"C{1 + place}"),
    )  # fmt: skip
    view, ask = view_of(table.state, "german"), watch_ask("german", "s1", "s2")

    options = list(overwatch_options(Situation(table.data, view), ask))

    assert options[0] is None
    assert [check_overwatch(Situation(table.data, view), ask, option) for option in options] == options
