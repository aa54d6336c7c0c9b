"""Nothing leaks in the advanced game: hidden units, counters, commands, mines, camouflage and plotted fire.

Two worlds with every optional rule in use that differ in one secret of the British look the same to the Italians and
to the public, in everything that the rules give away: findings, dice, asks, views (`secrets`). What is worked out
from a view (options, refusals, forms, odds, maps) then cannot reveal more. The leaks found this way are listed below.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, an_advanced_table
from titles.panzer.advanced.secrets import ME, OTHER, SECRETS, World, a_start, marks, named, told_apart
from titles.panzer.builders import a_hex, run_step

from pbem.engine.play.bots import random_bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC, Finding, seen_by
from pbem.engine.rules.refusals import Illegal
from pbem.engine.rules.state import from_bytes, to_bytes
from pbem.engine.rules.table import Table
from pbem.titles.panzer import view
from pbem.titles.panzer.air import anti_aircraft
from pbem.titles.panzer.artillery.indirect_fire import indirect_fire_step
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.close_combat.close_combat import close_combat_step
from pbem.titles.panzer.command.commands import check_commands, place_commands
from pbem.titles.panzer.command.dischargers import vehicles_able_to_discharge
from pbem.titles.panzer.end_of_turn.adjustment import adjustment_phase
from pbem.titles.panzer.end_of_turn.victory import armed_in
from pbem.titles.panzer.fire.overwatch import has_fired
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import Conditions
from pbem.titles.panzer.sighting import hidden_units, limited_spotting
from pbem.titles.panzer.sighting.hidden_orders import place_counters
from pbem.titles.panzer.sighting.hidden_units import make_counter, spotting_phase
from pbem.titles.panzer.state import AircraftState, Command, Flight, PanzerState, Spot
from pbem.titles.panzer.view import view_of

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"
OUT_OF_SIGHT = "C18"
"""A hex from which no unit sees a squad in C3, but from C3 every unit sees a tank."""
BEFORE_PLAY = ("plot_step", "deployment_step", "turrets_step", "hiding_step")


# Two worlds ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def start() -> PanzerRules:
    return a_start("2016")


@pytest.fixture(scope="module")
def states(start: PanzerRules) -> list[bytes]:
    """Return the states at the start of each step in the two turns after the set-up."""
    found = list(marks(start, "leaks 1", 2))
    return [mark for mark in found if step_of(mark) not in BEFORE_PLAY]


def step_of(mark: bytes) -> str:
    step = from_bytes(mark, PanzerState).next
    return step.name if step else ""


@pytest.mark.parametrize("secret", SECRETS)
def test_no_leak_two_worlds_that_differ_in_a_secret_look_the_same(
    secret: str, start: PanzerRules, states: list[bytes]
) -> None:
    """7.2, 4.2.1, 7.31, 7.24, 6.5.1.4, 6.5.1.11: pairs of worlds are compared from several moments of a match."""
    offset, exchanges = list(SECRETS).index(secret), 0
    for number in range(offset, len(states), 14):
        found = told_apart(start, states[number], secret, f"{number}", exchanges=9)
        if found is not None:
            exchanges += found[0]
            assert not found[1], found[1]
    assert exchanges > 9


@pytest.mark.parametrize("edition", ["2016", "2024"])
def test_no_leak_nobody_hears_the_name_of_a_hidden_unit(edition: str) -> None:
    """7.2: the name of a hidden unit is not in any finding, die, ask or view, whatever both sides do."""
    rules = a_start(edition)
    world = World(rules, to_bytes(rules.setup(())), edition)
    world.go_on()
    bots = {seat: random_bot(f"{edition}/{seat}", most=9) for seat in rules.seats}
    for _ in range(90):
        units = world.state.vehicles.values()
        hidden = {side: {unit.id for unit in units if unit.hidden and unit.side != side} for side in rules.seats}
        world.go_on(world.answers(bots))
        for side in rules.seats:
            assert not named(world, hidden[side], side), f"{side}, {world.state.phase}"
        assert not named(world, hidden[ME] | hidden[OTHER], PUBLIC)


# Planted leaks -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hidden", "instead", "secret"),
    [
        ("hide_counters", lambda seen, viewer: None, "swap_counters"),
        ("is_hidden", lambda unit, viewer: False, "change_hidden"),
        ("is_hidden", lambda unit, viewer: False, "get_aboard"),
        ("is_hidden", lambda unit, viewer: False, "command_hidden"),
        ("knows_feature", lambda feature, viewer, sides: True, "lay_mines"),
        ("hide_battery", lambda battery, viewer: None, "plot_otherwise"),
        ("knows", lambda plan, viewer: True, "plot_otherwise"),
        ("hide_camouflage", lambda unit, viewer: None, "uncover"),
        ("hide", lambda unit, viewer: None, "command_others"),
    ],
)
def test_a_planted_leak_is_found(
    hidden: str, instead: Any, secret: str, start: PanzerRules, states: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If any part of a view fails to hide a secret, some pair of worlds shows the difference."""
    monkeypatch.setattr(view, hidden, instead)
    found = (told_apart(start, mark, secret, f"{number}", 1) for number, mark in enumerate(states))
    assert any(result is not None and result[1] for result in found)


# Leaks that were found -----------------------------------------------------------------------------------------


def a_fight(*units: Any, rules: tuple[str, ...] = (), **more: Any) -> Table[PanzerState]:
    """7.2 Germans with hidden units against Soviets."""
    scenario = {
        "rules": (*ADVANCED_RULES, "hidden_units", *rules),
        "conditions": Conditions(hidden_counters={"german": 6}),
        **more.pop("scenario", {}),
    }
    return an_advanced_table(*units, edition="2016", scenario=scenario, sides=("german", "soviet"), **more)


def under(table: Table[PanzerState], hex: str, *ids: str) -> str:
    return make_counter(table.state, "german", a_hex(hex), ids).id


def kinds(table: Table[PanzerState], step: Any, answers: Any = None) -> list[tuple[str, str]]:
    return [(ask.seat, ask.kind) for ask in run_step(table, step, answers or {}).asks]


def test_6_7_4_a_window_for_guns_is_open_wherever_counters_lie() -> None:
    """R-12: the window for anti-aircraft fire opens even where no hidden gun has the aircraft in sight."""
    flight = Flight(hex=a_hex("C8"), facing=1, altitude="low", speed="slow", tracked={"g2": 9})
    aircraft = AircraftState(id="sa", name="Il-2", side="soviet", card="il2", flight=flight)
    for card in ("flak38", "pak38"):
        gun = a_gun("g2", "C8", card, command=Command.OVERWATCH)
        table = a_fight(a_leg("g1", "C3", SQUAD), gun, a_leg("s1", "T18", SOVIET), aircraft={"sa": aircraft})
        assert anti_aircraft.is_window(table, aircraft) is (card == "flak38")
        under(table, "C8", "g2")
        assert anti_aircraft.is_window(table, aircraft)
        seen = view_of(table.state, "soviet").aircraft["sa"].flight
        assert seen is not None and seen.tracked == {} and flight.tracked


def test_6_7_4_1_1_nobody_hears_that_a_hidden_gun_tracks_an_aircraft() -> None:
    for hidden in (True, False):
        table = a_fight(a_gun("g2", "C8", "flak38"), a_leg("s1", "T18", SOVIET))
        if hidden:
            under(table, "C8", "g2")
        flight = Flight(hex=a_hex("D9"), facing=1, altitude="low", speed="slow")
        aircraft = AircraftState(id="sa", name="Il-2", side="soviet", card="il2", flight=flight)
        found: list[Finding] = []
        anti_aircraft.begin_tracking(table, aircraft, found)
        assert len(found) == len(seen_by(found, "german")) == 1
        assert len(seen_by(found, "soviet")) == (not hidden)


def test_3_6_nobody_takes_an_objective_while_he_is_hidden() -> None:
    table = a_fight(a_leg("g1", "C3", SQUAD), a_leg("g2", "D5", SQUAD), a_leg("s1", "T18", SOVIET))
    under(table, "C3", "g1")
    hexes = [a_hex("C3"), a_hex("D5")]
    assert armed_in(table, hexes[:1]) == []
    assert armed_in(table, hexes) == ["german"]


def test_4_1_5_a_marker_goes_though_a_hidden_enemy_sees_it_and_nobody_hears_of_him() -> None:
    tank = a_tank("s1", OUT_OF_SIGHT, "t34_76", spot=Spot.FIRE)
    table = a_fight(a_leg("g1", "C3", SQUAD), tank, spotted={"g1": ["s1"]})
    under(table, "C3", "g1")
    run_step(table, spotting_phase(table))
    assert "s1" in table.state.spotted["g1"] and tank.spot is Spot.NONE
    told = [finding.rule for finding in seen_by(table.findings, "soviet")]
    assert "4.1.5" in told and not {"6.1", "4.1.1"} & set(told)


def test_7_7_1_hidden_units_look_apart_from_the_others() -> None:
    """The roll for the units on the map is the same whether or not there are hidden units."""
    tank = a_tank("s1", OUT_OF_SIGHT, "t34_76")
    rolls = []
    for hidden in (("g2", "g3"), ()):
        mates = [a_leg(id, "C4", SQUAD) for id in hidden]
        table = a_fight(
            a_leg("g1", "C3", SQUAD), *mates, tank, rules=("limited_spotting",), spotted={}, dice=[90, 1, 90, 90]
        )
        under(table, "C4", *hidden)
        run_step(table, spotting_phase(table))
        rolls.append([finding for finding in seen_by(table.findings, "soviet") if finding.rule == "7.7"])
        own = [finding for finding in seen_by(table.findings, "german") if finding.rule == "7.7"]
        assert len(own) == (2 if hidden else 1)
    assert len(rolls[0]) == 1 and rolls[0] == rolls[1]


def test_7_7_2_who_has_counters_on_the_map_is_asked_what_to_keep() -> None:
    def asked(*ids: str) -> list[tuple[str, str]]:
        enemies = [a_tank(f"s{number}", f"D{4 + number}", "zis5") for number in range(1, 9)]
        squad = a_leg("g1", "C3", SQUAD)
        table = a_fight(squad, a_leg("g2", "T18", SQUAD), *enemies, rules=("limited_spotting",), dice=[1] * 40)
        table.state.hidden_counters.clear()
        under(table, "C3", *ids)
        return kinds(table, limited_spotting.drop_excess(table, {"s1": list(ids)}))

    assert asked("g1") == asked() == [("german", "keep")]


def test_7_19_who_has_engineers_is_asked_wherever_they_are() -> None:
    """A side with engineers is always asked, even if they have no Move, and even if it knows of no mines nearby."""
    for command in (Command.MOVE, Command.NO_COMMAND):
        engineers = a_leg("s1", "C9", SOVIET, labels=("engineer",), command=command)
        table = a_fight(a_leg("g1", "C3", SQUAD), engineers, rules=("engineers_and_terrain",))
        assert ("soviet", "demolish") in kinds(table, close_combat_step(table, side="soviet"))


def test_6_6_1_hidden_squads_on_a_lorry_are_asked_like_those_beside_it() -> None:
    for aboard in ("", "g2"):
        squad = a_leg("g1", "C3", SQUAD, aboard=aboard)
        table = a_fight(squad, a_tank("g2", "C3", "opel"), a_leg("s1", "T18", SOVIET))
        under(table, "C3", *(["g2"] if aboard else ["g1", "g2"]))
        assert ("german", "assault") in kinds(table, close_combat_step(table, side="german"))


def test_7_25_and_7_9_a_hidden_unit_repairs_in_silence_and_lays_no_smoke() -> None:
    gun = a_gun("g1", "C3", "pak38", flags=("jammed-0",))
    tank = a_tank("g2", "C3", "pz3m")
    table = a_fight(gun, tank, a_leg("s1", "T18", SOVIET), rules=("malfunction", "smoke_dischargers"), dice=[5] * 9)
    assert vehicles_able_to_discharge(table, "german") == ["g2"]
    under(table, "C3", "g1", "g2")
    assert vehicles_able_to_discharge(table, "german") == []
    run_step(table, place_commands(table))
    assert "7.25/repair" in [finding.rule for finding in seen_by(table.findings, "german")]
    assert "7.25/repair" not in [finding.rule for finding in seen_by(table.findings, "soviet")]


def test_6_6_8_what_hidden_units_dig_leaves_no_gap_in_the_numbers_and_is_seen_when_they_are() -> None:
    views = []
    for dug in (True, False):
        squad = a_leg("g1", "C3", SQUAD, full_cover=True, command=Command.NO_COMMAND)
        table = a_fight(squad, a_leg("s1", "T18", SOVIET))
        counter = table.state.hidden_counters[under(table, "C3", "g1")]
        run_step(table, adjustment_phase(table), {"adjust": [{} if dug else {"dig": {"g1": False}}, {}]})
        views.append(to_bytes(view_of(table.state, "soviet")))
        assert len(table.state.features) == dug
        if dug:
            run_step(table, hidden_units.unveil(table, counter, Finding("7.2.2.3")))
            assert set(view_of(table.state, "soviet").features) == set(table.state.features)
    assert views[0] == views[1]


def test_7_2_2_of_two_counters_in_a_hex_lots_say_which_is_first() -> None:
    firsts = []
    for dice in ([1, 2], [2, 1]):
        table = a_fight(a_leg("g1", "C3", SQUAD), a_leg("s1", "T18", SOVIET), dice=dice)
        place_counters(table, "german", {"counters": [["C3", ["g1"]]], "dummies": ["C3"]}, start=False)
        firsts.append([bool(counter.units) for counter in table.state.hidden_counters.values()])
    assert firsts == [[True, False], [False, True]]


@pytest.mark.rule("7.2.2.2")
def test_6_2_1_1_3_hidden_units_share_no_command_with_others() -> None:
    table = a_fight(a_leg("g1", "C3", SQUAD), a_leg("g2", "C3", SQUAD), a_leg("s1", "T18", SOVIET))
    table.state.available = {"german": 2}
    ask = Ask("german", "commands", "4.2.1")
    shared = {"g1": "overwatch", "g2": "with g1"}
    assert check_commands(table, ask, shared)
    under(table, "C3", "g1")
    with pytest.raises(Illegal) as refused:
        check_commands(table, ask, shared)
    assert_rule(refused.value, "7.2.2.2")


def test_6_5_1_hidden_observers_and_mortars_are_not_named_nor_fired_at_on_overwatch() -> None:
    """7.2.2.3: indirect fire does not reveal a unit, so its counter still looks like a dummy."""
    observer = a_leg("g1", "C3", "german_section", labels=("fo",), command=Command.OVERWATCH)
    mortar = a_leg("g2", "C3", "german_section", weapons=("german_grw34",), command=Command.FIRE)
    table = a_fight(observer, mortar, a_leg("s1", "C12", SOVIET), dice=[10, 1, 50, 50, 50])
    under(table, "C3", "g1", "g2")
    call = {"do": "call", "observer": "g1", "point": "C12", "firers": ["g2"], "sheaf": "on_map", "direction": 0,
            "type": "gp"}  # fmt: skip
    run_step(table, indirect_fire_step(table, side="german"), {"mission": [call]})
    assert observer.hidden and mortar.hidden and mortar.fired
    heard = str(seen_by(table.findings, "soviet")) + str([roll[1:] for roll in table.chance.rolled])
    assert "6.5.1.7" in heard and "'hidden'" in heard
    assert not any(name in heard for name in ("'g1'", "'g2'", "'h1'"))
    assert has_fired(table.state, "german") == []


def test_7_2_1_passengers_of_a_hidden_carrier_are_hidden_from_the_first_placing_on() -> None:
    rules = a_start("2016")
    state = rules.setup(())
    assert rules.data.rows["dr4"].aboard == "dr9" and not rules.data.rows["dr4"].hidden
    assert "dr4" not in rules.view(state, ME).vehicles
