"""6.5.1.1-6.5.1.3 Observers, sources of fire, and the formations to which batteries are attached."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state

from pbem.engine.geometry.hexes import parse_hex
from pbem.titles.panzer.artillery.observers import (
    Firer,
    attachment,
    attachment_of,
    called_by,
    firer_objections,
    firer_of,
    nation_objections,
    observer_objections,
    observer_of,
    sources_of,
)
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.setup.scenario import FormationRow
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Battery, Command, PanzerState, Unit


def section(data: PanzerData, nation: str) -> str:
    """Return the card of a section of this nation."""
    return next(id for id, card in data.book.legs.items() if card.nation == nation and card.size == "section")


def an_observer(data: PanzerData, *labels: Any, id: str = "g1", nation: str = "german", **more: Any) -> Unit:
    return a_leg(id, "C3", section(data, nation), labels=labels, command=Command.OVERWATCH, **more)


def a_battery(id: str = "gb1", card: str = "german_medium", **more: Any) -> Battery:
    given: dict[str, Any] = {"side": "german", "formation": "german"} | more
    return Battery(id=id, name=id, card=card, **given)


def a_firer(data: PanzerData, state: PanzerState, id: str) -> Firer:
    found = firer_of(Situation(data, state), id)
    assert found is not None
    return found


# --- 6.5.1.1 --------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.1.1", effect=True)
@pytest.mark.rule("6.5.1.1.1", "6.5.1.1.2", "6.5.1.1.2/command-fo", "6.5.1.1.3", "6.5.1.1.3/command-recon")
@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_6_5_1_1_who_calls_how_many_sources_in_which_row(edition: Edition) -> None:
    data = advanced_data(edition=edition)
    table = {
        ("fo",): ("6.5.1.1.1", "fo", 2),
        ("chq",): ("6.5.1.1.2", "chq", 1),
        ("bhq", "fo"): ("6.5.1.1.2/command-fo", "fo", 2),
        ("recon",): ("6.5.1.1.3", "recon", 1),
        ("rhq", "recon"): ("6.5.1.1.3/command-recon", "rhq", 1),
    }
    for labels, (rule, row, sources) in table.items():
        observer = observer_of(data, an_observer(data, *labels))
        assert observer is not None
        assert_rule(called_by(data, observer), rule, inputs={"row": row}, result=sources)
    assert observer_of(data, an_observer(data, "engineer")) is None


@pytest.mark.rule("6.5.1.1.1/us-fo", "6.5.1.1.1/other-fo", editions=("2016",))
def test_6_5_1_1_1_an_american_fo_calls_four() -> None:
    data = advanced_data(edition="2016", sides=("german", "us"))
    for id, nation, rule, sources in (
        ("u1", "us", "6.5.1.1.1/us-fo", 4),
        ("g1", "german", "6.5.1.1.1/other-fo", 2),
    ):
        observer = observer_of(data, an_observer(data, "fo", id=id, nation=nation))
        assert observer is not None
        assert_rule(called_by(data, observer), rule, result=sources)


@pytest.mark.rule("6.5.1")
def test_6_5_1_an_observer_needs_overwatch_and_does_nothing_else_with_it() -> None:
    data = advanced_data()
    unit = an_observer(data, "fo")
    state = an_advanced_state(unit)
    observer = observer_of(data, unit)
    assert observer is not None
    assert list(observer_objections(state, observer)) == []
    unit.used_up = state.turn
    assert_rule(observer_objections(state, observer), "6.5.1")
    unit.used_up, unit.command = 0, Command.FIRE
    assert_rule(observer_objections(state, observer), "6.5.1")


@pytest.mark.rule("6.5.1.1.2/soviet-command-observers", "6.5.1.1.3/soviet-recon", editions=("2016",))
def test_6_5_1_1_2_soviet_observers_call_only_what_is_attached() -> None:
    data = advanced_data(edition="2016")
    organic = a_battery("sb1", "soviet_medium", side="soviet", formation="soviet", attachment="organic")
    state = an_advanced_state(batteries={"sb1": organic})
    firer = a_firer(data, state, "sb1")
    for labels, rule in ((("chq",), "6.5.1.1.2/soviet-command-observers"), (("recon",), "6.5.1.1.3/soviet-recon")):
        observer = observer_of(data, an_observer(data, *labels, id="s1", nation="soviet"))
        assert observer is not None
        assert_rule(nation_objections(data, observer, firer), rule)
    fo = observer_of(data, an_observer(data, "fo", id="s1", nation="soviet"))
    assert fo is not None
    assert list(nation_objections(data, fo, firer)) == []
    organic.attachment = "attached"
    assert list(nation_objections(data, observer, a_firer(data, state, "sb1"))) == []


def test_6_5_1_1_2_the_2024_book_knows_no_such_limit() -> None:
    data = advanced_data()
    organic = a_battery("sb1", "soviet_medium", side="soviet", formation="soviet", attachment="organic")
    state = an_advanced_state(batteries={"sb1": organic})
    observer = observer_of(data, an_observer(data, "chq", id="s1", nation="soviet"))
    assert observer is not None
    assert list(nation_objections(data, observer, a_firer(data, state, "sb1"))) == []


# --- 6.5.1.1.4, 6.5.1.2 ---------------------------------------------------------------------------


def mortar(data: PanzerData, id: str, hex: str, **more: Any) -> Unit:
    weapon = next(name for name, row in data.book.attached.items() if row.nation == "german" and row.indirect)
    return a_leg(id, hex, section(data, "german"), weapons=(weapon,), command=Command.FIRE, **more)


@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_6_5_1_1_4_two_units_in_command_range_are_one_source(edition: Edition) -> None:
    data = advanced_data(edition=edition, grades={"german": "seasoned"})
    units = [mortar(data, "g1", "C3"), mortar(data, "g2", "C4"), mortar(data, "g3", "C5"), mortar(data, "g4", "H9")]
    state = an_advanced_state(*units, batteries={"gb1": a_battery()})

    def sources(*ids: str) -> int:
        return sources_of(data, [a_firer(data, state, id) for id in ids])

    assert sources("g1", "g2") == 1
    assert sources("g1", "g3") == 2  # two hexes apart, and the range is 1
    assert sources("g1", "g2", "g3") == 2
    assert sources("g1", "g2", "g3", "g4") == 3
    assert sources("g1", "g2", "gb1") == 2


@pytest.mark.rule("6.5.1.2", effect=True)
def test_6_5_1_2_only_a_gp_if_row_fires_indirectly() -> None:
    data = advanced_data()
    state = an_advanced_state(
        mortar(data, "g1", "C3"), a_tank("g2", "C4"), a_gun("g3", "C5", "pak38"), batteries={"gb1": a_battery()}
    )
    assert a_firer(data, state, "gb1").off_map
    assert a_firer(data, state, "g1").small_arms  # 5.1.3.1 mortars are small arms for spotting
    assert firer_of(Situation(data, state), "g2") is None
    assert firer_of(Situation(data, state), "g3") is None


@pytest.mark.rule("6.5.1")
def test_6_5_1_a_unit_on_the_map_needs_a_fire_command_and_must_not_see_the_target_itself() -> None:
    data = advanced_data()
    unit, enemy = mortar(data, "g1", "C3"), a_tank("s1", "C8", "t34_76")
    state = an_advanced_state(unit, enemy, spotted={})
    point = parse_hex("C8")
    assert list(firer_objections(Situation(data, state), a_firer(data, state, "g1"), point)) == []
    unit.command = Command.SHORT_HALT
    assert_rule(firer_objections(Situation(data, state), a_firer(data, state, "g1"), point), "6.5.1")
    unit.command = Command.FIRE
    state.spotted["g1"] = ["s1"]
    assert_rule(firer_objections(Situation(data, state), a_firer(data, state, "g1"), point), "6.5.1")


@pytest.mark.rule("6.5.1.11.1")
def test_6_5_1_11_1_a_battery_rests_after_a_planned_mission() -> None:
    data = advanced_data()
    state = an_advanced_state(batteries={"gb1": a_battery(available_from=3)}, turn=2)
    assert_rule(firer_objections(Situation(data, state), a_firer(data, state, "gb1"), parse_hex("C8")), "6.5.1.11.1")
    state.turn = 3
    assert list(firer_objections(Situation(data, state), a_firer(data, state, "gb1"), parse_hex("C8"))) == []


# --- 6.5.1.3 --------------------------------------------------------------------------------------


def a_regiment(nation: Any) -> dict[str, FormationRow]:
    """A regiment of two battalions, each with one company."""
    below = {"reg": "", "hq": "reg", "bn1": "reg", "bn2": "reg", "co1": "bn1", "co2": "bn2"}
    return {id: FormationRow(id, id, nation, nation, "seasoned", parent) for id, parent in below.items()}


@pytest.mark.rule("6.5.1.3", "6.5.1.3.1", "6.5.1.3.3")
@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_6_5_1_3_an_attached_battery_serves_its_own_battalion(edition: Edition) -> None:
    """L2135, L2147: in this German regiment each battalion has its own medium battery."""
    data = advanced_data(edition=edition, formations=a_regiment("german"))
    state = an_advanced_state(batteries={"gb1": a_battery(formation="bn1")})
    firer = a_firer(data, state, "gb1")
    for formation, level, rule in (
        ("bn1", "attached", "6.5.1.3.1"),
        ("co1", "attached", "6.5.1.3.1"),
        ("bn2", "unattached", "6.5.1.3.3"),
        ("co2", "unattached", "6.5.1.3.3"),
        ("hq", "unattached", "6.5.1.3.3"),
    ):
        observer = observer_of(data, an_observer(data, "fo", formation=formation))
        assert observer is not None
        finding = attachment(data, firer, observer)
        assert_rule(finding, "6.5.1.3", result=level)
        assert_rule(finding, rule, result=level)


@pytest.mark.rule("6.5.1.3.2")
@pytest.mark.parametrize("edition", ["2024", "2016"])
def test_6_5_1_3_2_organic_batteries_serve_all_of_the_brigade(edition: Edition) -> None:
    """L2141: the British brigade of the example has six medium organic batteries."""
    data = advanced_data(edition=edition, sides=("british", "german"), formations=a_regiment("british"))
    batteries = {
        f"bb{number}": a_battery(f"bb{number}", side="british", formation="reg", attachment="organic")
        for number in range(1, 7)
    }
    state = an_advanced_state(batteries=batteries, sides=("british", "german"))
    for formation in ("hq", "bn1", "co2"):
        observer = observer_of(data, an_observer(data, "fo", id="b1", nation="british", formation=formation))
        assert observer is not None
        for id in batteries:
            assert_rule(attachment(data, a_firer(data, state, id), observer), "6.5.1.3.2", result="organic")


@pytest.mark.rule("6.5.1.3.1", effect=True)
def test_6_5_1_3_1_a_unit_on_the_map_is_attached_to_its_own_formation_only() -> None:
    data = advanced_data(formations=a_regiment("german"))
    state = an_advanced_state(mortar(data, "g5", "C3", formation="co1"))
    firer = a_firer(data, state, "g5")
    for formation, level in (("co1", "attached"), ("bn1", "unattached"), ("co2", "unattached")):
        observer = observer_of(data, an_observer(data, "chq", formation=formation))
        assert observer is not None
        assert attachment_of(data, firer, observer) == level
