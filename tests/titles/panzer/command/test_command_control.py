"""6.2 Command control: available commands, command range, shared counters, and legal commands."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.advanced.builders import (
    a_gun,
    a_leg,
    a_tank,
    advanced_data,
    an_advanced_state,
    an_advanced_table,
    changed,
)
from titles.panzer.builders import a_board, run_step

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, each
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.command.command_control import (
    active_units,
    command_range,
    explain_available,
    group_of,
    in_command_range,
    inactive_unarmed,
    maximum_matching,
    order_of_march,
    reveal,
)
from pbem.titles.panzer.command.commands import (
    check_commands,
    command_objections,
    command_options,
    legal_commands,
    may_fire_indirectly,
    place_commands,
)
from pbem.titles.panzer.fire.aiming import sharing_objections as target_sharing_objections
from pbem.titles.panzer.sequence import SEQUENCE
from pbem.titles.panzer.setup.scenario import FormationRow
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Inside, Marker, Status

both_editions = pytest.mark.parametrize("edition", EDITIONS)
SQUAD, SECTION = "german_rifle_squad", "german_section"
ASK = Ask("german", "commands", "4.2.1")


def refusal_of(data, view, answer) -> Refusal:
    with pytest.raises(Refusal) as refused:
        check_commands(Situation(data, view), ASK, answer)
    return refused.value


def with_commands(*units, commands: int = 9, **more):
    """Build a state in which the Germans have this many commands."""
    return an_advanced_state(*units, available={"german": commands}, **more)


# --- 6.2.1 available commands ----------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.2.1.1", "6.2.1.1.1")
@pytest.mark.parametrize(
    ("grade", "active", "commands"),
    [("regulars", 7, 3), ("veteran", 12, 8), ("seasoned", 27, 16), ("seasoned", 17, 10), ("green", 1, 1)],
)
def test_6_2_1_1_1_tens_count_column_ten_and_units_their_own(edition, grade, active, commands):
    """L1921, 2016:L2052-2054, L5148: full tens of units use column ten; each formation has a command."""
    data = advanced_data(edition=edition, grades={"german": grade})
    state = an_advanced_state(*(a_leg(f"g{number:02}", "C3", SQUAD) for number in range(active)))

    finding = explain_available(Situation(data, state), "german")

    assert_rule(finding, "6.2.1.1.1", cell=[grade, active], result=commands)
    assert_rule(finding, "6.2.1.1", inputs={"grade": grade}, result=commands)


@both_editions
@pytest.mark.rule("6.2.1.1")
def test_6_2_1_1_who_is_active(edition):
    """L1893-1913: passengers, recon, off-map and abandoned units are not active; damaged and suppressed ones are."""
    data = advanced_data(edition=edition)
    units = [
        a_tank("g1", "C3", track_hit=True, suppression=Marker.ON),
        a_tank("g2", "C3", bailed_out=True),
        a_leg("g3", "C3", SQUAD, labels=("recon",)),
        a_leg("g4", "C3", SQUAD, labels=("chq", "fo")),
        a_leg("g5", None, SQUAD),
        a_tank("g6", "C3", status=Status.ELIMINATED),
        a_tank("g7", "H8", "opel"),
        a_leg("g8", "H8", SQUAD, aboard="g7"),
        a_tank("g9", "K8", "opel"),
    ]
    state = an_advanced_state(*units)

    finding = explain_available(Situation(data, state), "german")

    assert_rule(finding, "6.2.1.1", inputs={"active": ["g1", "g4", "g7"]})
    assert inactive_unarmed(Situation(data, state), "german") == ["g9"]


@pytest.mark.rule("6.2.1.1.1", "6.2.1.1.2", effect=True)
@both_editions
@pytest.mark.rule("6.2.1.1.3/recon")
def test_6_2_1_1_the_notation_counts_units_with_and_without_recon(edition):
    """L1913, 2016:L2044: 26(24) is 26 units, 24 without recon."""
    data = advanced_data(edition=edition)
    recon = [a_tank(f"g{number:02}", "C3", labels=("recon",)) for number in range(2)]
    state = an_advanced_state(*recon, *(a_tank(f"g{number:02}", "C3") for number in range(2, 26)))

    assert len(state.vehicles) == 26
    assert len(active_units(Situation(data, state), "german")) == 24
    found = explain_available(Situation(data, state), "german")
    assert_rule(found, "6.2.1.1.3/recon", inputs={"units": ["g00", "g01"]}, result=2)


@both_editions
@pytest.mark.rule("6.2.1.1.3/inactive-unarmed")
def test_6_2_1_1_each_combat_unit_supports_one_unarmed_unit_within_range(edition):
    """The result is a maximum matching: g2 must take the truck that no other unit can reach."""
    data = advanced_data(edition=edition)  # Seasoned: range 1
    units = [a_leg("g1", "C3", SQUAD), a_leg("g2", "C4", SQUAD)]
    trucks = [a_tank("g6", "C3", "opel"), a_tank("g7", "C2", "opel"), a_tank("g8", "C5", "opel")]
    state = an_advanced_state(*units, *trucks)

    # three trucks and two squads: two of them are active, and g8 only because g2 takes it
    assert active_units(Situation(data, state), "german") == ["g1", "g2", "g6", "g7"]
    without = an_advanced_state(*units, trucks[0], trucks[2])
    assert active_units(Situation(data, without), "german") == ["g1", "g2", "g6", "g8"]
    finding = explain_available(Situation(data, state), "german")
    assert_rule(finding, "6.2.1.1.3/inactive-unarmed", inputs={"units": ["g8"]}, result="one command each")


@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("uvwxyz"), unique=True), max_size=6))
def test_6_2_1_1_the_matching_is_the_largest_there_is(near):
    """The largest matching found is compared with an exhaustive search."""

    def most(left: list[str], taken: frozenset[str]) -> int:
        if not left:
            return 0
        rest = [1 + most(left[1:], taken | {one}) for one in near[left[0]] if one not in taken]
        return max([most(left[1:], taken), *rest])

    assert len(maximum_matching(near)) == most(list(near), frozenset())


# --- 6.2.1.1.2, 6.2.1.1.3 command range and sharing ------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.2.1.1.2")
@pytest.mark.parametrize(
    ("grade", "reach"), [("elite", 2), ("veteran", 1), ("seasoned", 1), ("regulars", 0), ("green", 0)]
)
def test_6_2_1_1_2_command_range_goes_by_the_grade_of_the_formation(edition, grade, reach):
    """L1925-1939: the range is the same for any two units, whatever their own grades or a hill between them."""
    data = advanced_data(edition=edition, grades={"german": grade})
    a = a_leg("g1", "C3", SQUAD, grade="green")
    near, far = a_leg("g2", f"C{3 + reach}", SQUAD), a_leg("g3", f"C{4 + reach}", SQUAD)
    state = an_advanced_state(a, near, far)

    assert command_range(data, "german") == reach
    assert in_command_range(Situation(data, state), a, near)
    assert not in_command_range(Situation(data, state), a, far)
    assert_rule(explain_available(Situation(data, state), "german"), "6.2.1.1.2", result=reach)


def four_vehicles():
    """L1951-1953: A1, A2 and A3 are mutually within 1 hex; the unarmed A4 is within 1 hex of A3 only."""
    hexes = {"g1": "C3", "g2": "D3", "g3": "D4"}
    units = [a_tank(id, hex) for id, hex in hexes.items()]
    return [*units, a_tank("g4", "D5", "opel")]


@pytest.mark.rule("6.2.1.1.3/roads-and-paths", effect=True)
@both_editions
@pytest.mark.rule("6.2.1.1.3")
@pytest.mark.parametrize(
    ("sharing", "legal"),
    [("g1 g2 g3", True), ("g3 g4", True), ("g1 g4", False), ("g2 g4", False), ("g1 g2 g3 g4", False), ("g4", True)],
)
def test_6_2_1_1_3_all_who_share_must_be_in_range_of_each_other(edition, sharing, legal):
    """L1951-1953, 2016:L2086: every pair of units that share a command must be within command range."""
    data, view = advanced_data(edition=edition), with_commands(*four_vehicles())
    assert "g4" in active_units(Situation(data, view), "german")
    leader, *others = sharing.split()
    answer = {leader: "move", **dict.fromkeys(others, f"with {leader}")}

    if legal:
        assert check_commands(Situation(data, view), ASK, answer) == answer
        table = an_advanced_table(*four_vehicles(), edition=edition)
        played = run_step(table, place_commands(table), {("german", "commands"): answer})
        if others:
            assert_rule(played.findings, "6.2.1.1.3", inputs={"units": sharing.split()}, result="shared")
        else:
            assert_rule(refusal_of(data, view, {"g1": "with g4", "g4": "move"}), "6.2.1.1.3")
    else:
        assert_rule(refusal_of(data, view, answer), "6.2.1.1.3")


FIGURES = {
    "2024": {"A1": "C3", "A2": "D3", "A3": "D4", "A4": "F4"},
    "2016": {"A1": "D3", "A2": "C3", "A3": "D4", "A4": "F4"},
}
"""L1995-1999: A4 is 3 hexes from A1; 2016:L2124-2126: 3 hexes from A2. The others are within 1 of each other."""


@pytest.mark.rule("6.2.1.1.4", effect=True)
@pytest.mark.parametrize(
    ("edition", "grade", "targets", "legal"),
    [
        ("2024", "seasoned", "A1 A2 A3", True),
        ("2024", "seasoned", "A1 A2 A3 A4", False),
        ("2024", "regulars", "A1", True),
        ("2024", "regulars", "A1 A2", False),
        ("2024", "green", "A2 A3", False),
        ("2024", "elite", "A1 A2 A3 A4", False),
        ("2024", "elite", "A2 A3 A4", True),
        ("2016", "seasoned", "A1 A2 A3", True),
        ("2016", "regulars", "A1 A2", False),
        ("2016", "elite", "A1 A2 A3 A4", False),
        ("2016", "elite", "A1 A3 A4", True),
    ],
)
def test_6_2_1_1_4_targets_of_a_shared_command_are_within_range_of_each_other(edition, grade, targets, legal):
    """L1995-1999, 2016:L2124-2126: targets of shared fire are in range; L2005: Regulars end in one hex."""
    data = advanced_data(edition=edition, grades={"german": grade})
    firers = [a_tank("g1", "C3", command=Command.FIRE), a_tank("g2", "C3", command=Command.FIRE, shares="g1")]
    enemies = [a_tank(f"s{name}", FIGURES[edition][name], "t34_76") for name in targets.split()]
    view = an_advanced_state(*firers, *enemies)
    ids = [enemy.id for enemy in enemies]
    refused = [
        enemy.id for enemy in enemies if any(target_sharing_objections(Situation(data, view), firers[1], enemy, ids))
    ]
    assert (refused == []) is legal


@pytest.mark.rule("6.2.1.1.3", effect=True)
@both_editions
@pytest.mark.rule("6.2.1.1.3/formation-limits")
def test_6_2_1_1_3_formations_neither_share_nor_place_more_than_they_have(edition):
    """L1971-1973: units of different formations cannot share a command, and no formation exceeds its number."""
    formations = {id: FormationRow(id, id, "german", "german", "seasoned") for id in ("german", "other")}
    data = advanced_data(edition=edition, formations=formations)
    units = [a_leg("g1", "C3", SQUAD), a_leg("g2", "C3", SQUAD, formation="other"), a_leg("g3", "C3", SQUAD)]
    view = an_advanced_state(*units, available={"german": 1, "other": 1})

    foreign = refusal_of(data, view, {"g1": "move", "g3": "with g1", "g2": "with g1"})
    told = [one.english for one in foreign.objections if one.rule == "6.2.1.1.3/formation-limits"]
    assert_rule(foreign, "6.2.1.1.3/formation-limits")
    assert told == ["g2 and g1 belong to different formations"]
    too_many = refusal_of(data, view, {"g1": "move", "g3": "move"})
    objection = assert_rule(too_many, "6.2.1.1.3/formation-limits")
    assert objection.english == "german has 1 command this turn; your orders use 2"
    assert too_many.instead == ("g3 hold", "g1 hold")
    assert check_commands(Situation(data, view), ASK, {"g1": "move", "g3": "with g1", "g2": "move"})


@pytest.mark.rule("6.2.1.1.3", "6.2.1.1.3/nc-commands", effect=True)
@both_editions
@pytest.mark.rule("6.2.1.1.3/recon")
def test_6_2_1_1_3_recon_units_have_commands_of_their_own_and_share_none(edition):
    """L1965-1969: recon commands come on top of the formation's number; unarmed recon units have one too."""
    data = advanced_data(edition=edition)
    units = [a_leg("g1", "C3", SQUAD, labels=("recon",)), a_tank("g2", "C3", "opel", labels=("recon",))]
    view = with_commands(*units, a_leg("g3", "C3", SQUAD), commands=1)

    assert check_commands(Situation(data, view), ASK, {"g1": "move", "g2": "move", "g3": "move"})
    assert_rule(refusal_of(data, view, {"g1": "move", "g3": "with g1"}), "6.2.1.1.3/recon")
    assert_rule(refusal_of(data, view, {"g1": "move", "g2": "with g1"}), "6.2.1.1.3/recon")


@pytest.mark.rule("6.2.1.1.3", effect=True)
@both_editions
@pytest.mark.rule("6.2.1.1.3/inactive-unarmed")
def test_6_2_1_1_3_inactive_unarmed_units_share_only_in_a_road_column(edition):
    """L1961-1963: outside a road column, inactive unarmed units cannot share a command."""
    road = a_board(links={"road": ["H3-H4-H5-H6"]})
    data = advanced_data(road, edition=edition)
    on_road = [a_tank("g1", "H5", "opel"), a_tank("g2", "H4", "opel")]
    off_road = [a_tank("g3", "C3", "opel"), a_tank("g4", "C3", "opel")]
    view = with_commands(*on_road, *off_road)

    assert inactive_unarmed(Situation(data, view), "german") == ["g1", "g2", "g3", "g4"]
    assert check_commands(Situation(data, view), ASK, {"g1": "move", "g2": "with g1"})
    assert_rule(refusal_of(data, view, {"g3": "move", "g4": "with g3"}), "6.2.1.1.3/inactive-unarmed")


@pytest.mark.rule("6.2.1.1.3")
@pytest.mark.parametrize(
    ("edition", "rule"),
    [
        pytest.param(
            "2024",
            "6.2.1.1.3/roads-and-paths",
            marks=pytest.mark.rule("6.2.1.1.3/roads-and-paths", editions=("2024",)),
        ),
        pytest.param(
            "2016", "6.2.1.1.3/roads-paths", marks=pytest.mark.rule("6.2.1.1.3/roads-paths", editions=("2016",))
        ),
    ],
)
def test_6_2_1_1_3_vehicles_in_column_share_one_move_whatever_their_range(edition, rule):
    """L1955-1959, A-60: each vehicle is stacked with or adjacent to the one ahead; the lead vehicle shares too."""
    road = a_board(links={"road": ["H3-H4-H5-H6-H7-H8"]})
    data = advanced_data(road, edition=edition, grades={"german": "green"})
    column = [a_tank(f"g{number}", hex) for number, hex in enumerate(("H7", "H6", "H6", "H5"), start=1)]
    gap, leg = a_tank("g7", "H3"), a_leg("g8", "H5", SQUAD)
    view = with_commands(*column, gap, leg)
    answer = {"g1": "move", "g2": "with g1", "g3": "with g1", "g4": "with g1"}

    assert check_commands(Situation(data, view), ASK, answer)
    assert order_of_march(Situation(data, view), column) == ["g1", "g2", "g3", "g4"]
    assert_rule(refusal_of(data, view, {**answer, "g7": "with g1"}), rule)
    assert_rule(refusal_of(data, view, {**answer, "g8": "with g1"}), "6.2.1.1.3")
    assert_rule(refusal_of(data, view, {**answer, "g1": "overwatch"}), "6.2.1.1.3")


@pytest.mark.rule("6.2.1.1.3", effect=True)
def test_6_2_1_1_3_a_long_column_is_found_or_not_found_at_once():
    """A column of forty vehicles is found without trying every order of the vehicles."""
    board = a_board(columns=9, rows=20, links={"road": ["-".join(f"H{row}" for row in range(3, 19))]})
    data = advanced_data(board)
    column = [a_tank(f"g{number:02}", f"H{3 + number % 12}") for number in range(40)]
    state = an_advanced_state(*column)

    march = order_of_march(Situation(data, state), column)
    assert march is not None
    assert march[:5] == ["g00", "g12", "g24", "g36", "g01"]
    assert sorted(march) == [unit.id for unit in column]
    assert order_of_march(Situation(data, state), [*column, a_tank("g99", "H18")]) is None
    assert order_of_march(Situation(data, state), [a_tank("g98", None), *column]) is None
    assert order_of_march(Situation(data, state), [*column, a_tank("g98", None)])[-1] == "g98"


@pytest.mark.rule("6.2.1.1.3", effect=True)
def test_6_2_1_1_3_reinforcements_that_come_in_together_may_share_a_move():
    data = advanced_data(grades={"german": "green"})
    units = [a_tank(f"g{number}", None, entry_turn=1) for number in range(3)]
    view = with_commands(*units, commands=1)
    assert check_commands(Situation(data, view), ASK, {"g0": "move", "g1": "with g0", "g2": "with g0"})


@pytest.mark.rule("6.2.1.1.3", effect=True)
@pytest.mark.parametrize(
    ("edition", "rule"),
    [
        pytest.param(
            "2024", "6.2.1.1.3/nc-commands", marks=pytest.mark.rule("6.2.1.1.3/nc-commands", editions=("2024",))
        ),
        pytest.param(
            "2016", "6.2.1.1.3/no-command", marks=pytest.mark.rule("6.2.1.1.3/no-command", editions=("2016",))
        ),
    ],
)
def test_6_2_1_1_3_no_command_is_free_and_may_be_a_bluff_of_a_group(edition, rule):
    """L1975-1981: No Command is unlimited, and a unit without a counter has No Command."""
    units = [a_leg(f"g{number}", "C3", SQUAD) for number in range(1, 5)]
    table = an_advanced_table(*units, edition=edition)
    data, view = table.data, with_commands(*units, commands=1)
    answer = {"g1": "no-command", "g2": "with g1", "g3": "overwatch"}
    assert check_commands(Situation(data, view), ASK, answer) == answer

    played = run_step(table, place_commands(table), {("german", "commands"): answer})

    for id in ("g1", "g2", "g4"):
        assert_rule(played.findings, rule, inputs={"unit": id}, result="no-command", to=("german",))
    assert table.state.vehicles["g2"].shares == "g1"


@pytest.mark.rule("3.1", "6.2.1.1.3")
def test_6_2_1_1_3_with_leads_on_to_the_unit_that_has_the_counter():
    data, view = advanced_data(), with_commands(*(a_leg(f"g{number}", "C3", SQUAD) for number in range(1, 4)))

    checked = check_commands(Situation(data, view), ASK, {"g1": "move", "g2": "with g1", "g3": "with g2"})
    assert checked == {"g1": "move", "g2": "with g1", "g3": "with g1"}
    assert_rule(refusal_of(data, view, {"g1": "with g2", "g2": "with g1"}), "6.2.1.1.3")
    assert_rule(refusal_of(data, view, {"g1": "with g1"}), "6.2.1.1.3")
    assert_rule(refusal_of(data, view, {"g1": "with s9"}), "3.1")


@pytest.mark.rule("6.2.1.1.3", effect=True)
@pytest.mark.rule("6.6.4.1/short-halt")
def test_6_2_1_1_3_every_member_must_be_able_to_carry_out_the_command_by_itself():
    """A-59, A-16: a command that a member cannot carry out by itself cannot be shared with it."""
    data = advanced_data()
    squad, section = a_leg("g1", "C3", SQUAD), a_leg("g2", "C3", SECTION, weapons=("german_hmg",))
    view = with_commands(squad, section, a_tank("s1", "C6", "t34_76"))

    assert_rule(refusal_of(data, view, {"g1": "short-halt", "g2": "with g1"}), "6.6.4.1/short-halt")


# --- 6.2 the phase ---------------------------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("6.2", "6.2.1", "6.2.1.1.3")
def test_6_2_counters_are_sealed_and_who_shares_is_public(edition):
    """L1883-1891: available commands are announced first, then both sides place their counters at the same time."""
    units = [a_leg("g1", "C3", SQUAD), a_leg("g2", "C3", SQUAD), a_leg("s1", "C6", "soviet_rifle_squad")]
    table = an_advanced_table(*units, edition=edition, stage=1)
    answers = {("german", "commands"): {"g1": "fire", "g2": "with g1"}, ("soviet", "commands"): {"s1": "overwatch"}}

    played = run_step(table, place_commands(table), answers)

    assert_rule(played.findings, "6.2.1", result={"german": 1, "soviet": 1})
    state = table.state
    assert state.available == {"german": 1, "soviet": 1}
    assert [(ask.seat, ask.grade == "order") for ask in played.asks] == [("german", True), ("soviet", True)]
    assert [state.vehicles[id].command for id in ("g1", "g2", "s1")] == ["fire", "fire", "overwatch"]
    assert all(unit.face_down for unit in state.vehicles.values())
    public = assert_rule(played.findings, "6.2", inputs={"turn": 1})
    assert_rule(public, "6.2.1.1.3", inputs={"units": ["g1", "g2"]}, to=None)
    assert "fire" not in msgspec.json.encode(public).decode()
    assert state.next.name == SEQUENCE[2].step == "initiative_phase"


def test_6_2_1_1_3_a_shared_counter_is_turned_up_for_all():
    units = [a_leg("g1", "C3", SQUAD, command=Command.FIRE), a_leg("g3", "C3", SQUAD, command=Command.FIRE)]
    mate = a_leg("g2", "C3", SQUAD, command=Command.FIRE, shares="g1")
    state = an_advanced_state(*units, mate)

    assert [unit.id for unit in group_of(state, mate)] == ["g1", "g2"]
    assert [unit.id for unit in group_of(state, units[0])] == ["g1", "g2"]
    assert [unit.id for unit in group_of(state, units[1])] == ["g3"]
    reveal(state, mate)
    assert [unit.id for unit in state.vehicles.values() if unit.revealed] == ["g1", "g2"]


@pytest.mark.rule("6.2")
def test_6_2_without_command_control_every_unit_has_a_command_of_its_own():
    """Introduction to the advanced game: the command control rule may be left out."""
    rules = ("leg_units", "gp_fire")
    table = an_advanced_table(*(a_leg(f"g{n}", "C3", SQUAD) for n in range(1, 4)), scenario={"rules": rules})
    run_step(table, place_commands(table))
    view = table.state

    assert view.available == {}
    assert check_commands(table, ASK, {f"g{number}": "move" for number in range(1, 4)})
    assert_rule(refusal_of(table.data, view, {"g1": "move", "g2": "with g1"}), "6.2")


# --- 4.2 who may be given what ---------------------------------------------------------------------------------


def words(data, view, id: str) -> str:
    return " ".join(command.value for command in legal_commands(Situation(data, view), view.vehicles[id]))


def objections(data, view, id: str, command: Command):
    return list(command_objections(Situation(data, view), view.vehicles[id], command))


@both_editions
@pytest.mark.rule("6.1.4.2")
def test_6_1_4_2_what_units_in_full_cover_may_be_given(edition):
    """L1688-1704: guns get no Move, leg units get no Short Halt, and sections with weapons get no Move (A-50)."""
    data = advanced_data(edition=edition)
    units = [
        a_leg("g1", "C3", SQUAD, full_cover=True, weapons=("german_hmg",)),
        a_gun("g2", "C3", "pak38", full_cover=True, facing=4),
        a_leg("g3", "C3", SECTION, full_cover=True, weapons=("german_hmg",)),
        a_leg("g4", "C3", SECTION, full_cover=True),
    ]
    view = an_advanced_state(*units, a_leg("s1", "C5", "soviet_rifle_squad"))

    assert words(data, view, "g1") == "fire move overwatch no-command"
    assert words(data, view, "g2") == "fire overwatch no-command"
    assert words(data, view, "g3") == "fire overwatch no-command"
    assert words(data, view, "g4") == "fire move overwatch no-command"
    for id, command in (("g1", Command.SHORT_HALT), ("g2", Command.MOVE), ("g3", Command.MOVE)):
        assert_rule(objections(data, view, id, command), "6.1.4.2")


@pytest.mark.rule("6.6.4.1/short-halt", "6.6.5")
def test_6_6_4_1_short_halt_is_for_squads_and_sections_without_weapons():
    """L3545, L3598: Short Halt is neither for sections with a weapon nor for guns."""
    data = advanced_data()
    units = [
        a_leg("g1", "C3", SECTION, weapons=("german_hmg",)),
        a_leg("g2", "C3", SECTION),
        a_gun("g3", "C3", "pak38", facing=4),
        a_tank("g4", "C3"),
    ]
    view = an_advanced_state(*units, a_leg("s1", "C5", "soviet_rifle_squad"))

    assert [("short-halt" in words(data, view, unit.id)) for unit in units] == [False, True, False, True]
    assert_rule(objections(data, view, "g1", Command.SHORT_HALT), "6.6.4.1/short-halt")
    assert_rule(objections(data, view, "g3", Command.SHORT_HALT), "6.6.5")


@pytest.mark.rule("4.2.1", effect=True)
@pytest.mark.rule("4.2.1/impossible")
def test_4_2_1_a_target_is_a_unit_that_a_weapon_can_attack():
    """A-16: the unit itself must have spotted the target, in range and in its field of fire."""
    data = advanced_data(a_board(columns=9, rows=30))
    squad = a_leg("g1", "C3", SQUAD)
    gun = a_gun("g2", "C3", "pak38", facing=1)
    far, near = a_leg("s1", "C25", "soviet_rifle_squad"), a_leg("s2", "C5", "soviet_rifle_squad")

    view = an_advanced_state(squad, gun, far)
    assert_rule(objections(data, view, "g1", Command.FIRE), "4.2.1/impossible")
    view = an_advanced_state(squad, gun, near)
    assert not objections(data, view, "g1", Command.FIRE)
    assert_rule(objections(data, view, "g2", Command.FIRE), "4.2.1/impossible")  # it points the other way
    gun.facing = 4
    assert not objections(data, view, "g2", Command.FIRE)
    unseen = an_advanced_state(squad, gun, near, spotted={})
    why = assert_rule(objections(data, unseen, "g1", Command.FIRE), "4.2.1/impossible").english
    assert why == "the unit spotted no enemy in the Spotting Phase"


@pytest.mark.rule("4.2/fire", "4.2/overwatch", "6.6.7")
def test_6_6_7_passengers_have_no_command_and_lend_their_carrier_theirs():
    """L3616, 6.6.7.2: an unarmed truck may be given Fire, Short Halt or Overwatch for the squad aboard."""
    data = advanced_data()
    truck, squad = a_tank("g1", "C3", "opel"), a_leg("g2", "C3", SQUAD, aboard="g1")
    view = an_advanced_state(truck, squad, a_leg("s1", "C5", "soviet_rifle_squad"), available={"german": 3})

    assert_rule(objections(data, view, "g2", Command.MOVE), "6.6.7")
    assert words(data, view, "g1") == "fire move short-halt overwatch no-command"
    empty = an_advanced_state(truck, a_leg("s1", "C5", "soviet_rifle_squad"))
    assert words(data, empty, "g1") == "move no-command"
    assert_rule(objections(data, empty, "g1", Command.FIRE), "4.2/fire")
    assert_rule(objections(data, empty, "g1", Command.OVERWATCH), "4.2/overwatch")
    assert_rule(refusal_of(data, view, {"g2": "with g1", "g1": "move"}), "6.6.7")


def test_6_5_1_observers_get_overwatch_even_if_they_are_unarmed():
    data = advanced_data()
    view = an_advanced_state(a_tank("g1", "C3", "opel", labels=("fo",)))
    assert words(data, view, "g1") == "move overwatch no-command"


@pytest.mark.rule("4.2", "4.2/move", effect=True)
@pytest.mark.rule("5.15", "6.1.4.3.1", "6.5.2.2.1")
def test_4_2_immobile_and_abandoned_vehicles_and_guns_inside_do_not_move():
    data = advanced_data(a_board(signs={"C3": "B"}))
    units = [
        a_tank("g1", "D3", track_hit=True),
        a_tank("g2", "D3", bailed_out=True),
        a_gun("g3", "C3", "pak38", inside=Inside.BUILDING, facing=4),
    ]
    view = an_advanced_state(*units, a_tank("s1", "C6", "t34_76"))

    assert_rule(objections(data, view, "g1", Command.MOVE), "6.5.2.2.1")
    assert_rule(objections(data, view, "g1", Command.SHORT_HALT), "6.5.2.2.1")
    assert words(data, view, "g1") == "fire overwatch no-command"
    assert words(data, view, "g2") == ""
    assert_rule(objections(data, view, "g2", Command.OVERWATCH), "5.15")
    assert_rule(objections(data, view, "g3", Command.MOVE), "6.1.4.3.1")


def test_a_16_smoke_and_indirect_fire_need_no_target_of_ones_own():
    """6.1.4.3.10, 6.5.1: smoke may go into a hex without friendly units; a mortar on Fire fires for an observer."""
    data = advanced_data(a_board(columns=9, rows=30))
    mortar = a_leg("g1", "C3", SECTION, weapons=("german_grw34",))
    engineers = a_leg("g2", "E5", "german_pioneer_squad", labels=("engineer",))
    scout = a_leg("g3", "C12", SECTION, labels=("fo",))
    enemy = a_leg("s1", "C14", "soviet_rifle_squad")
    seen = an_advanced_state(mortar, engineers, scout, enemy, spotted={"g3": ["s1"]})
    unseen = an_advanced_state(mortar, engineers, scout, enemy, spotted={})

    assert not objections(data, unseen, "g2", Command.FIRE)
    assert not objections(data, seen, "g1", Command.FIRE)
    assert may_fire_indirectly(Situation(data, seen), mortar)
    assert not may_fire_indirectly(Situation(data, unseen), mortar)
    assert not may_fire_indirectly(Situation(data, seen), changed(mortar, aboard="g9"))


# --- 4.2.1 answers ---------------------------------------------------------------------------------------------


@pytest.mark.rule("4.2.1", effect=True)
def test_4_2_1_every_option_is_legal_and_some_share():
    data = advanced_data(grades={"german": "regulars"})
    units = [a_leg(f"g{number}", "C3" if number < 4 else "D8", SQUAD) for number in range(8)]
    view = with_commands(*units, a_tank("s1", "C6", "t34_76"), commands=2)
    options = list(command_options(Situation(data, view), ASK))
    assert len(options) > 30
    assert options[0] == {}
    for option in options:
        assert check_commands(Situation(data, view), ASK, option) == dict(sorted(option.items()))
    assert any(word.startswith("with ") for option in options for word in option.values())


@pytest.mark.rule("4.2", "4.2.1")
def test_4_2_1_a_refusal_names_every_mistake_and_what_is_possible():
    data, view = advanced_data(), with_commands(a_leg("g1", "C3", SQUAD), a_tank("s1", "C9", "t34_76"))

    refusal = refusal_of(data, view, {"g1": "attack", "g9": "move", "s1": "move"})
    assert [one.part for one in each(refusal)] == ["g1 attack", "g9", "s1"]
    assert_rule(refusal_of(data, view, ["g1"]), "4.2.1")
    assert_rule(refusal_of(data, view, {"g1": 3}), "4.2")
