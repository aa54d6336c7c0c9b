"""6.1.4.3.8, 7.31 Mines and minefields."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_leg, a_tank, both_editions
from titles.panzer.advanced.marching import HALF_SQUAD, SECTION, SQUAD, a_feature, a_field, moves, where
from titles.panzer.builders import a_hex, run_step

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.table import Table
from pbem.titles.data_files import DataError
from pbem.titles.panzer.cards.files import packaged
from pbem.titles.panzer.damage.bail_out import bail_out_checks
from pbem.titles.panzer.damage.effects import brew_up
from pbem.titles.panzer.fire.gp_fire import resolve_gp, terrain_in
from pbem.titles.panzer.fire.gp_modifiers import GpAttack
from pbem.titles.panzer.obstacles.demolition import demolition, grounds, resolve_demolition
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.mine_laying import is_contiguous
from pbem.titles.panzer.setup.plotting import check_plot, plot_step, plots
from pbem.titles.panzer.setup.scenario import Conditions, FeatureRow
from pbem.titles.panzer.setup.scenario_file import Area, packaged_boards
from pbem.titles.panzer.setup.scenario_reader import load_advanced
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Feature, PanzerState, Status, Unit
from pbem.titles.panzer.view import view_of


def mines(hex: str, type: str = "hasty_mines", of: str = "both", **more: Any) -> Feature:
    """Build a hidden minefield of the Soviet side."""
    given = {"side": "soviet", "known": ("soviet",), **more}
    return Feature(id=f"x-{hex}", type=type, hex=a_hex(hex), of=of, **given)


def mined(*units: Unit, field: Any = (), edition: str = "2016", rules: Any = ("minefields",), **more: Any) -> Any:
    conditions = Conditions(**more.pop("conditions", {}))
    scenario = {"rules": (*ADVANCED_RULES, *rules), "conditions": conditions}
    return a_field(*units, edition=edition, scenario=scenario, features=field, **more)


def attacks(findings: Any) -> list[Any]:
    return [item.result for item in every(findings) if item.rule == "7.31.2"]


# --- 7.31.2.1 vehicles -----------------------------------------------------------------------------------------


@pytest.mark.rule("7.31.2.1", "7.31.2", "7.31", editions=("2016",))
@pytest.mark.parametrize(("roll", "result"), [(10, "damaged"), (11, "track"), (50, "track"), (51, "none")])
def test_7_31_2_1_a_vehicle_of_defence_5_in_a_hasty_field(roll: int, result: str) -> None:
    """L4940: in a hasty field a roll of 01-10 damages the vehicle, 11-50 hits a track, and 51 or more
    has no effect."""
    table = mined(a_tank("g1", "C9", "tiger1"), field=[mines("C8")], dice=[roll, 100])
    tank = table.state.vehicles["g1"]

    found = moves(table, "g1", "f f").findings
    assert_rule(found, "7.31.2.1", result=result, cell=[10, 50], inputs={"defence": 5, "laid": "hasty"})
    assert_rule(found, "7.31.2", result=result)
    assert_rule(found, "7.31", result="vehicles", inputs={"kind": "both", "laid": "hasty"})
    assert (tank.track_hit, bool(tank.damage)) == (result == "track", result == "damaged")
    assert where(table, "g1") == ("C8" if result == "track" else "C7")


@pytest.mark.rule("5.15", editions=("2016",))
@pytest.mark.rule("7.31.2.1", editions=("2016",))
def test_7_31_2_1_crew_and_passengers_bail_out_and_step_on_mines() -> None:
    """After a track hit passengers check; a passenger that bails out into an anti-personnel field is
    attacked at once."""
    units = a_tank("g1", "C9", "opel"), a_leg("g2", "C9", SQUAD, aboard="g1")
    table = mined(*units, field=[mines("C8")], dice=[50, 1, 1])
    found = moves(table, "g1", "f").findings
    squad = table.state.vehicles["g2"]

    assert_rule(found, "7.31.2.1", result="track")
    assert_rule(found, "5.15")
    assert (squad.aboard, squad.card, squad.suppressed) == ("", HALF_SQUAD, True)


# --- 7.31.2.2 men ----------------------------------------------------------------------------------------------


@pytest.mark.rule("7.31.2.2", editions=("2016",))
@pytest.mark.parametrize(("roll", "result"), [(70, "reduced"), (71, "none")])
def test_7_31_2_2_men_in_a_deliberate_field(roll: int, result: str) -> None:
    """L4950: in a deliberate field 01-70 is effective and 71 or more is not; a squad is halved and suppressed."""
    table = mined(a_leg("g1", "C9", SQUAD), field=[mines("C8", "deliberate_mines", "personnel")], dice=[roll])
    found = moves(table, "g1", "1").findings

    assert_rule(found, "7.31.2.2", result=result, cell=["deliberate", 70])
    assert table.state.vehicles["g1"].card == (HALF_SQUAD if roll == 70 else SQUAD)


@pytest.mark.rule("7.31.2.2", editions=("2016",))
def test_7_31_2_2_a_quickmarch_is_20_worse_and_small_units_are_lost() -> None:
    """A section is eliminated by a result that halves a squad; on a quickmarch a roll of 90 counts as 70."""
    table = mined(a_leg("g1", "C9", SECTION), field=[mines("C8", "deliberate_mines")], dice=[70])
    assert_rule(moves(table, "g1", "1").findings, "7.31.2.2", result="eliminated")
    assert table.state.vehicles["g1"].status is Status.ELIMINATED
    quick = mined(a_leg("g1", "C9", SQUAD), field=[mines("C8", "deliberate_mines")], dice=[90, 100])
    found = assert_rule(moves(quick, "g1", "1", "quick").findings, "7.31.2.2", result="reduced")
    assert found.inputs["total"] == 70  # type: ignore[union-attr]


# --- 7.31.2 units and moments of an attack ---------------------------------------------------------------------


@pytest.mark.rule("7.31.2", editions=("2016",))
def test_7_31_2_only_whom_a_field_is_meant_for_is_attacked_and_learns_of_it() -> None:
    """Vehicles are safe from anti-personnel mines, leg units from anti-vehicle mines, and their owner from both."""
    units = a_tank("g1", "C9"), a_leg("g2", "D9", SQUAD)
    field = [mines("C8", of="personnel"), mines("D8", of="vehicles")]
    table = mined(*units, field=field)
    assert attacks(moves(table, "g1", "f").findings) == attacks(moves(table, "g2", "1").findings) == []
    assert all(feature.known == ("soviet",) for feature in table.state.features.values())
    own = mined(a_tank("g1", "C9"), field=[mines("C8", side="german", known=("german",))])
    assert attacks(moves(own, "g1", "f").findings) == []
    told = mined(
        a_tank("g1", "C9"), field=[mines("C8", side="german")], dice=[100], conditions={"own_mines": True}
    )  # fmt: skip
    assert_rule(moves(told, "g1", "f").findings, "7.31.2", result="none")
    off = mined(a_tank("g1", "C9"), field=[mines("C8")], rules=())
    assert attacks(moves(off, "g1", "f").findings) == []


@pytest.mark.rule("7.31.2", editions=("2016",))
def test_7_31_2_a_move_that_begins_in_a_field_is_attacked_once_more() -> None:
    """Turning in and leaving a minefield hex together cause one attack; units that stay or mount are not attacked."""
    table = mined(a_tank("g1", "C9"), field=[mines("C9")], dice=[100])
    found = moves(table, "g1", "l f").findings
    assert_rule(found, "7.31.2", result="none")
    assert len(attacks(found)) == 1
    still = mined(a_tank("g1", "C9"), field=[mines("C9")])
    assert attacks(moves(still, "g1").findings) == []
    stuck = mined(a_tank("g1", "C9"), field=[mines("C9")], dice=[45, 100])
    moves(stuck, "g1", "f")
    assert (where(stuck, "g1"), stuck.state.vehicles["g1"].track_hit) == ("C9", True)
    units = a_tank("g1", "C9", "opel"), a_leg("g2", "C8", SQUAD)
    riding = mined(*units, field=[mines("C8", of="personnel")])
    assert attacks(moves(riding, "g1", "mount:g2").findings) == []


@pytest.mark.rule("7.31.2", editions=("2016",))
def test_7_31_2_getting_off_in_a_field_is_attacked_at_once() -> None:
    """A passenger that dismounts or bails out into a minefield is attacked at once."""
    for steps in ("dismount:g2:C8:1", "bail:g2:1"):
        units = a_tank("g1", "C9", "opel"), a_leg("g2", "C9", SQUAD, aboard="g1")
        table = mined(*units, field=[mines("C8", of="personnel"), mines("C9", of="personnel")], dice=[1, 1])
        assert_rule(moves(table, "g1", steps).findings, "7.31.2", result="reduced")
    units = a_tank("g1", "C8", "opel"), a_leg("g2", "C8", SQUAD, aboard="g1")
    burning = mined(*units, field=[mines("C8", of="personnel")], dice=[100, 1])
    brew_up(burning, burning.state.vehicles["g1"])
    assert_rule(bail_out_checks(burning, burning.state.vehicles["g1"], "bu"), "7.31.2", result="reduced")


# --- 6.1.4.3.8 hidden minefields ---------------------------------------------------------------------------------


@both_editions("6.1.4.3.8")
def test_6_1_4_3_8_a_hidden_field_is_shown_when_it_attacks(edition: Any) -> None:
    """A hidden field appears in the enemy's view only when it attacks; from then on it is in every view."""
    table = mined(a_leg("g1", "C9", SQUAD), field=[mines("C8")], dice=[100], edition=edition)
    assert not view_of(table.state, "german").features
    assert_rule(moves(table, "g1", "1").findings, "6.1.4.3.8", result="discovered")
    for viewer in ("german", "soviet", "public"):
        assert list(view_of(table.state, viewer).features) == ["x-C8"]


def test_no_leak_mines_that_lie_elsewhere_change_nothing_for_the_enemy() -> None:
    """Two worlds have different mines, but moves and findings are the same until a unit enters a mined hex."""

    def world(*field: Feature) -> tuple[Any, Any, Any]:
        table = mined(a_leg("g1", "C9", SQUAD), a_tank("g2", "F9"), field=field)
        legal = moves(table, "g1", "1"), moves(table, "g2", "f f")
        heard = [item for played in legal for item in played.findings if item.to is None or "german" in item.to]
        return heard, view_of(table.state, "german"), view_of(table.state, "public")

    here, there = world(mines("C8", of="vehicles"), mines("K3")), world(mines("F8", of="personnel"))
    assert here[0] == there[0]
    assert msgspec.msgpack.encode(here[1]) == msgspec.msgpack.encode(there[1])
    assert msgspec.msgpack.encode(here[2]) == msgspec.msgpack.encode(there[2])


# --- 7.31.1 laying -----------------------------------------------------------------------------------------------


@pytest.mark.rule("7.31.1", editions=("2016",))
def test_7_31_1_the_four_hexes_of_the_book_are_one_field() -> None:
    """L4920: 0807, 0907, 1008 and 1009 are contiguous and form one field."""
    assert is_contiguous([a_hex(name) for name in ("H7", "I7", "J8", "J9")])
    assert not is_contiguous([a_hex(name) for name in ("H7", "I7", "J9")])
    table = laid({})
    assert_rule(table.findings, "7.31.1", result="both", inputs={"hexes": ["H7", "I7"], "laid": "hasty_mines"})


FIELD = [FeatureRow(f"x{number}", "hasty_mines", a_hex(name), "soviet", hidden=True, area="east", field="x")
         for number, name in enumerate(("H7", "I7"), start=1)]  # fmt: skip


def a_set_up() -> Table[PanzerState]:
    signs = {"H9": "#", "G7": "u", "G8": "~", "H8": ":"}
    table = a_field(edition="2016", signs=signs, board={"links": {"road": ["K5-K6"]}})
    hexes = tuple(a_hex(f"{column}{row}") for column in "GHIJK" for row in range(5, 11))
    scenario = msgspec.structs.replace(
        table.data.scenario,
        rules=(*ADVANCED_RULES, "minefields"),
        features=tuple(FIELD),
        areas={"east": Area("east", "soviet", hexes)},
    )
    table.data = type(table.data)(**{**vars(table.data), "scenario": scenario})
    table.state.features = {
        row.id: Feature(id=row.id, type=row.type, hex=row.hex, side=row.side, known=("soviet",)) for row in FIELD
    }
    return table


def laid(plot: dict[str, Any]) -> Table[PanzerState]:
    """Return the table after the Soviet side has plotted its mines."""
    table = a_set_up()
    ask = Ask("soviet", "plot", "2.0", about=plots(table.data, "soviet"))
    answer = check_plot(Situation(table.data, view_of(table.state, "soviet")), ask, plot)
    run_step(table, plot_step(table), {"plot": [answer]})
    return table


@pytest.mark.rule("7.31", editions=("2016",))
@pytest.mark.rule("7.31.1", editions=("2016",))
def test_7_31_1_a_plot_keeps_a_field_together_and_off_closed_ground() -> None:
    """Mines may be laid on roads, but not in buildings, gullies, streams or shellholes; the mines stay hidden."""

    def refusal(**features: list[Any]) -> Refusal:
        with pytest.raises(Refusal) as refused:
            laid({"features": features})
        return refused.value

    for name in ("H9", "G7", "G8", "H8"):
        assert_rule(refusal(x1=[name, 1]), "7.31.1")
    assert_rule(refusal(x1=["K9", 1]), "7.31.1")
    assert_rule(refusal(x1=["I7", 1]), "7.31.1")
    table = laid({"features": {"x1": ["K5", 1], "x2": ["K6", 1]}, "mines": {"x": "vehicles"}})
    assert_rule(table.findings, "7.31.1", to=("soviet",), result="vehicles", inputs={"hexes": ["K5", "K6"]})
    assert not view_of(table.state, "german").features
    with pytest.raises(Refusal) as refused:
        laid({"mines": {"x": "ships"}})
    assert_rule(refused.value, "7.31")


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ('hexes = ["M5", "M6", "L9"]', "are not connected"),
        ('hexes = ["L6"]', "(terrain: gully)"),
        ('hexes = ["M5"]\nof = "ships"', "no kind of mines"),
    ],
)
def test_7_31_1_a_scenario_is_told_what_is_wrong_with_its_minefield(wrong: str, word: str) -> None:
    text = packaged("scenarios/breach.toml").decode()
    field = f'[[feature]]\nid = "y"\ntype = "deliberate_mines"\nside = "axis"\n{wrong}\n\n'
    with pytest.raises(DataError) as error:
        load_advanced(text.replace("[[objective]]", field + "[[objective]]", 1), packaged_boards())
    assert [mistake for mistake in error.value.mistakes if word in mistake.what]


# --- 7.31.3 removing them ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        pytest.param("if", "7.31.3.1", marks=pytest.mark.rule("7.31.3", "7.31.3.1", editions=("2016",))),
        pytest.param("air", "7.31.3.2", marks=pytest.mark.rule("7.31.3", "7.31.3.2", editions=("2016",))),
        pytest.param("crash", "7.31.3.2", marks=pytest.mark.rule("7.31.3", "7.31.3.2", editions=("2016",))),
    ],
)
def test_7_31_3_one_effective_result_removes_a_field_that_was_discovered(kind: Any, rule: str) -> None:
    """Shells, bombs and crashing aircraft remove a discovered field, but do not affect a hidden one."""
    both = ("soviet", "german")
    table = mined(field=[mines("C8", "deliberate_mines", known=both), mines("C7")], dice=[100])
    hexes = a_hex("C8"), a_hex("C7")
    attack = GpAttack(kind=kind, factor=15, column="P", point=hexes[0], hexes=hexes, rule="6.5.1.13")
    played = run_step(table, resolve_gp(table, attack))

    assert_rule(played.result, "7.31.3", result="destroyed")
    assert_rule(played.result, rule, result="destroyed", inputs={"laid": "deliberate"})
    assert list(table.state.features) == ["x-C7"]


def test_7_31_3_direct_fire_does_not_reach_mines() -> None:
    """Direct fire at a unit in a field does not affect the mines; but indirect fire does affect them."""
    both = ("soviet", "german")
    table = mined(a_tank("g1", "C9"), a_tank("s1", "C8", "t34_76"), field=[mines("C8", known=both)])
    direct = GpAttack(kind="df", firer="g1", target="s1", factor=10, column="P", rule="6.5.4")
    indirect = GpAttack(kind="if", factor=10, column="P", point=a_hex("C8"), hexes=(a_hex("C8"),), rule="6.5.4")
    assert terrain_in(table, direct, a_hex("C8")) == []
    assert [ground.type for ground in terrain_in(table, indirect, a_hex("C8"))] == ["hasty_mines"]


@pytest.mark.rule("6.1.4.3.8", effect=True)
@pytest.mark.rule("7.31.3.3", editions=("2016",))
def test_7_31_3_3_engineers_lift_mines_that_were_discovered() -> None:
    """One effective result of engineers lifts a field; they cannot lift a hidden field, as they do not know of it."""
    rules, sappers = ("minefields", "engineers_and_terrain"), a_leg("g1", "C9", SQUAD, labels=("engineer",))
    table = mined(sappers, field=[mines("C8", known=("soviet", "german")), mines("C10")], dice=[100], rules=rules)

    assert list(grounds(table, sappers)) == ["x-C8"]
    resolve_demolition(table, "x-C8", [sappers])
    assert_rule(table.findings, "7.31.3.3", result="destroyed")
    assert list(table.state.features) == ["x-C10"]


@pytest.mark.rule("7.31.3.3", editions=("2016",))
def test_7_31_3_3_mines_are_lifted_without_7_19_too() -> None:
    """Each optional rule works alone: with only the mine rules, engineers attack mines but no other terrain."""
    sappers = a_leg("g1", "C9", SQUAD, labels=("engineer",))
    wire = a_feature("wire", "C10", defence=2)
    table = mined(sappers, field=[mines("C8", known=("soviet", "german")), wire], dice=[100], rules=("minefields",))
    assert list(grounds(table, sappers)) == ["x-C8"]
    answers = {"demolish": [{"feature": "x-C8", "attackers": ["g1"]}, None]}
    sappers.command = Command.MOVE
    assert_rule(run_step(table, demolition(table, "german"), answers).findings, "7.31.3.3", result="destroyed")
    both = mined(sappers, field=[wire], rules=("minefields", "engineers_and_terrain"))
    assert list(grounds(Situation(both.data, both.state), sappers)) == [wire.id]


@pytest.mark.rule("7.31.2.2", editions=("2016",))
def test_7_31_2_2_mines_cost_no_attached_weapons() -> None:
    """Ruling on 7.17: fire and hand-to-hand combat can cost a unit its attached weapons; mines do not."""
    squad = a_leg("g1", "C9", SQUAD, weapons=("german_hmg",))
    table = mined(squad, field=[mines("C8", "deliberate_mines")], dice=[1], rules=("minefields", "weapon_loss"))
    assert_rule(moves(table, "g1", "1").findings, "7.31.2.2", result="reduced")
    assert squad.weapons == ("german_hmg",)


@pytest.mark.rule("7.31.2.1")
def test_7_31_a_scenario_of_2024_is_mined() -> None:
    """The breach at Deir el Qasr is a 2024 scenario, whose mines attack by the 2016 rule."""
    scenario = load_advanced(packaged("scenarios/breach.toml"), packaged_boards())
    assert scenario.edition == "2024" and "minefields" in scenario.rules
    table = mined(a_tank("g1", "C9", command=Command.MOVE), field=[mines("C8")], dice=[100], edition="2024")
    assert_rule(moves(table, "g1", "f").findings, "7.31.2.1", result="none")
