"""5.0 Each side's view of an advanced match: worlds that differ in a secret look the same to the enemy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.title_contract import settled
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, an_advanced_state
from titles.panzer.playing import Match

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.play.bots import random_bot
from pbem.engine.play.resolve import always_asked
from pbem.engine.play.run import Run
from pbem.engine.rules.findings import MASTER, PUBLIC, seen_by
from pbem.engine.rules.state import copy, to_bytes
from pbem.titles.panzer.state import (
    AircraftState,
    Battery,
    Command,
    Feature,
    Leg,
    Mission,
    PanzerState,
    PlannedFire,
    Status,
)
from pbem.titles.panzer.title import Panzer
from pbem.titles.panzer.view import view_of

OTHERS = ("soviet", PUBLIC)
COMMANDS = st.sampled_from(Command)


def legs(*names: str) -> tuple[Leg, ...]:
    return tuple(Leg(parse_hex(name), "gp", "closed") for name in names)


def a_world() -> PanzerState:
    """Build a state in which the Germans have every kind of secret and Soviets are watching."""
    return an_advanced_state(
        a_tank("g1", "C3", command=Command.FIRE),
        a_leg("g2", "C4", "german_rifle_squad", command=Command.MOVE, shares="g3"),
        a_leg("g3", "C4", "german_rifle_squad", command=Command.MOVE),
        a_gun("g4", "D5", "pak38", command=Command.OVERWATCH, flags=("hidden",), position="e1"),
        a_tank("s1", "H5", "t34_76", command=Command.FIRE),
        sides=("german", "soviet"),
        turn=4,
        batteries={"gb": Battery(id="gb", name="1st", side="german", card="german_medium", registered=("H5",))},
        planned={"gbp1": PlannedFire(id="gbp1", side="german", battery="gb", turn=5, legs=legs("H5", "H6"))},
        aircraft={"ga": AircraftState(id="ga", name="Ju", side="german", card="ju87b", load="bombs")},
        features={
            "x1": Feature(id="x1", type="hasty_mines", hex=parse_hex("F5"), side="german", known=("german",)),
            "w1": Feature(id="w1", type="wire", hex=parse_hex("F6"), known=("german", "soviet")),
            "e1": Feature(id="e1", type="hasty_entrenchment", hex=parse_hex("D5"), holder="g4"),
            "r1": Feature(id="r1", type="wood_rubble", hex=parse_hex("G7")),
        },
        missions={"m1": Mission(id="m1", side="german", observer="g4", firers=("gb",), point=parse_hex("H5"))},
    )


def lay_elsewhere(state: PanzerState) -> None:
    state.features["x1"].hex, state.features["x1"].type = parse_hex("B2"), "deliberate_mines"


def lay_more(state: PanzerState) -> None:
    state.features["x2"] = Feature(id="x2", type="hasty_mines", hex=parse_hex("G5"), side="german", known=("german",))


def register_elsewhere(state: PanzerState) -> None:
    state.batteries["gb"].registered = ("A1", "B1")


def plan_nothing(state: PanzerState) -> None:
    state.planned = {}


def plan_otherwise(state: PanzerState) -> None:
    state.planned["gbp1"] = PlannedFire(id="gbp1", side="german", battery="gb", turn=9, legs=legs("A1"))


def bind_battery(state: PanzerState) -> None:
    state.batteries["gb"].available_from = 9


def load_rockets(state: PanzerState) -> None:
    state.aircraft["ga"].load = "rockets"


def hide_elsewhere(state: PanzerState) -> None:
    gun = state.vehicles["g4"]
    gun.hex, gun.facing, gun.command, gun.position = parse_hex("B7"), 5, Command.FIRE, ""
    state.features["e1"].holder = ""


def forget_hidden(state: PanzerState) -> None:
    """Change the state as if the hidden gun had never existed."""
    del state.vehicles["g4"]
    del state.spotted["g4"]
    state.spotted = {id: [other for other in seen if other != "g4"] for id, seen in state.spotted.items()}
    state.features["e1"].holder = state.missions["m1"].observer = ""


SECRETS = [
    lay_elsewhere,
    lay_more,
    register_elsewhere,
    plan_nothing,
    plan_otherwise,
    bind_battery,
    load_rockets,
    hide_elsewhere,
    forget_hidden,
]


@pytest.mark.parametrize("change", SECRETS)
def test_5_0_two_worlds_that_differ_in_a_secret_look_the_same(change: Callable[[PanzerState], None]) -> None:
    """6.5.1.4, 6.5.1.11, 6.7.1, 6.1.4.3.8, 7.2: views of the enemy and the public are equal to the byte."""
    world, other = a_world(), a_world()
    change(other)
    assert to_bytes(world) != to_bytes(other)
    for viewer in OTHERS:
        assert to_bytes(view_of(world, viewer)) == to_bytes(view_of(other, viewer))
    for viewer in ("german", MASTER):
        assert view_of(world, viewer) != view_of(other, viewer)


@given(one=COMMANDS, other=COMMANDS)
def test_4_2_1_face_down_counters_cannot_be_told_apart_shared_ones_neither(one: Command, other: Command) -> None:
    worlds = a_world(), a_world()
    for world, command in zip(worlds, (one, other), strict=True):
        for id in ("g1", "g2", "g3"):
            world.vehicles[id].command = command
    assert view_of(worlds[0], "soviet") == view_of(worlds[1], "soviet")


def test_6_2_1_1_3_who_shares_a_counter_is_public() -> None:
    for viewer in OTHERS:
        assert view_of(a_world(), viewer).vehicles["g2"].shares == "g3"


def test_everybody_sees_what_is_no_secret_and_the_master_everything() -> None:
    world = a_world()
    seen = view_of(world, "soviet")
    assert set(seen.features) == {"w1", "e1", "r1"}  # rubble made in play is public
    assert set(seen.vehicles) == {"g1", "g2", "g3", "s1"} and seen.vehicles["s1"].command is Command.FIRE
    assert set(view_of(world, "german").features) == set(world.features)
    assert view_of(world, MASTER) == world
    assert view_of(world, PUBLIC).vehicles["s1"].command is Command.NO_COMMAND


def test_6_5_1_11_2_planned_fire_is_seen_as_it_falls_and_not_before() -> None:
    world = a_world()
    world.planned["gbp1"].legs, world.planned["gbp1"].arrived = legs("H5", "H6", "H7"), 3
    seen = view_of(world, "soviet").planned["gbp1"]
    assert (seen.turn, seen.legs) == (3, legs("H5", "H6"))  # it is turn 4
    assert view_of(world, "german").planned["gbp1"] == world.planned["gbp1"]


def test_6_7_1_a_load_that_was_used_has_been_seen() -> None:
    world = a_world()
    world.aircraft["ga"].load_seen = True
    assert view_of(world, "soviet").aircraft["ga"].load == "bombs"


def test_6_1_4_3_8_a_minefield_that_both_sides_know_is_public() -> None:
    world = a_world()
    world.features["x1"].known = ("german", "soviet")
    for viewer in OTHERS:
        assert "x1" in view_of(world, viewer).features


def test_r_10_the_order_of_a_unit_that_is_gone_is_nobodys_business() -> None:
    world = a_world()
    world.vehicles["g1"].status = Status.ELIMINATED
    assert view_of(world, "german").vehicles["g1"].command is None


def test_a_view_is_a_copy() -> None:
    world = a_world()
    before = copy(world)
    seen = view_of(world, "soviet")
    seen.features["w1"].hex, seen.vehicles["g1"].facing = parse_hex("A1"), 6
    assert world == before


# --- two worlds over whole turns -----------------------------------------------------------------------------

WEST: dict[str, Any] = {
    "registered": {"bg1": ["O8"]},
    "planned": [{"battery": "bg2", "turn": 5, "legs": [["O6", "gp", "open", 0], ["O8", "gp", "closed", 0]]}],
}
EAST: dict[str, Any] = {
    "planned": [
        {"battery": "bg1", "turn": 4, "legs": [["Q9", "smoke", "closed_linear", 3]]},
        {"battery": "bg2", "turn": 8, "legs": [["W9", "gp", "open", 0]]},
    ],
}


def watched(plot: dict[str, Any], mines: str) -> list[Any]:
    """Return everything the garrison learns in two turns: every ask to any seat, its findings, its final view.

    The British act alike in both worlds; their plots are for later turns.
    """
    blobs = Panzer().freeze("breach", {})
    setup = blobs["scenario"].replace(b'hexes = ["L6", "L7", "L8", "L9", "L13"]', f'hexes = ["{mines}"]'.encode())
    setup = setup.replace(b'side = "axis"\nof = "both"', b'side = "british"\nof = "both"')
    rules = Panzer().rules(blobs | {"scenario": setup})
    match = Match(rules, "leak", Run(rules, rules.setup(())), waits=always_asked)
    match.go_on()
    bot, seen = random_bot("leak", most=4), list[Any]()
    while match.run.state.turn <= 2:
        answers: dict[str, Any] = {}
        for ask in match.run.asks:
            view = match.run.view(ask.seat)
            secret = ask.seat == "british" and ask.kind in ("plot", "mission")
            given = (plot if ask.kind == "plot" else ask.silence) if secret else bot(rules, view, ask).answer
            answers[ask.seat] = rules.check(view, ask, given)
            seen.append((ask.seat, ask.kind, ask.subject, None if ask.seat == "british" else settled(ask)))
        found = match.go_on(answers).findings
        seen += [*seen_by(found, "axis"), to_bytes(match.run.view("axis")), to_bytes(match.run.view(PUBLIC))]
    return seen


def test_no_leak_plots_and_mines_that_have_not_shown_change_nothing_for_the_enemy() -> None:
    """6.5.1.4, 6.5.1.11, 6.1.4.3.8: hidden plots and mines change no ask, no finding and no byte of a view."""
    one, other = watched(WEST, "A1"), watched(EAST, "A17")
    assert len(one) > 200
    assert one == other


def under(word: str, seed: str) -> tuple[list[Any], int]:
    """Return everything the Italians learn in a turn with these British counters, which are never used."""
    rules = Panzer().rules(Panzer().freeze("desert", {}))
    match = Match(rules, seed, Run(rules, rules.setup(())), waits=always_asked)
    match.go_on()
    bot, seen, counters = random_bot(seed, most=4), list[Any](), 0
    while match.run.state.phase != "adjustment":
        answers: dict[str, Any] = {}
        for ask in match.run.asks:
            view = match.run.view(ask.seat)
            given = bot(rules, view, ask).answer
            if ask.seat == "british" and ask.kind not in ("deploy", "plot"):
                given = dict.fromkeys(("ch1", "ct1", "dr2", "dr7"), word) if ask.kind == "commands" else ask.silence
                counters += ask.kind == "overwatch"
            answers[ask.seat] = rules.check(view, ask, given)
            seen.append((ask.seat, ask.kind, ask.subject, None if ask.seat == "british" else settled(ask)))
        found = match.go_on(answers).findings
        if match.run.state.phase != "adjustment":  # 6.8: now all counters are face up
            seen += [*seen_by(found, "italian"), to_bytes(match.run.view("italian"))]
    return seen, counters


@pytest.mark.parametrize("seed", ["c8", "c10"])
def test_no_leak_counters_that_are_never_used_change_nothing_for_the_enemy(seed: str) -> None:
    """4.2.1, 4.4.2: units on Overwatch and units without a command are asked at the same windows."""
    one, windows = under("overwatch", seed)
    other, _ = under("no-command", seed)
    assert windows > 3
    assert one == other
