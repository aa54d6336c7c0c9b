"""1.2, 5.0 The map of the advanced game shows every kind of unit and marker, and nothing secret."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.basic import basic_scenarios
from titles.panzer.playing import begin

from pbem.engine.geometry.hexes import parse_hex
from pbem.titles.panzer.picture import scene as picture
from pbem.titles.panzer.setup.scenario_file import packaged_scenarios
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    AircraftState,
    Battery,
    Cloud,
    Command,
    Damage,
    Feature,
    Flight,
    HiddenCounter,
    HullDown,
    Inside,
    Marker,
    Mission,
    PanzerState,
    Unit,
)
from pbem.titles.panzer.telling.unit_words import describe
from pbem.titles.panzer.view import view_of

SVG = "{http://www.w3.org/2000/svg}"
DATA = advanced_data(air_superiority="german")
ADVANCED = tuple(name for name in packaged_scenarios() if name not in basic_scenarios())


def state(*units: Unit, **more: object) -> PanzerState:
    return an_advanced_state(*units, sides=("german", "soviet"), **more)


def drawn(*units: Unit, viewer: str = "german", **more: object) -> ElementTree.Element:
    """The elements of a state's picture, drawn from the viewer's view."""
    return ElementTree.fromstring(picture.svg(Situation(DATA, view_of(state(*units, **more), viewer)), viewer=viewer))


def counter(root: ElementTree.Element, unit: str) -> ElementTree.Element:
    return next(group for group in root.iter(f"{SVG}g") if group.get("data-unit") == unit)


def signs(root: ElementTree.Element, unit: str) -> set[str]:
    return {str(use.get("href")).removeprefix("#") for use in counter(root, unit).iter(f"{SVG}use")}


def pieces(root: ElementTree.Element) -> list[str]:
    """The words for everything on the map apart from counters and the key."""
    return [str(title.text) for title in root.iter(f"{SVG}title")]


def test_5_1_leg_units_and_guns_have_signs_of_their_own() -> None:
    root = drawn(
        a_leg("g1", "C3", "german_rifle_squad"),
        a_leg("g2", "C4", "german_section", weapons=("german_hmg",)),
        a_gun("g3", "C5", "pak38"),
        a_tank("g4", "C6"),
    )
    assert {"u-leg", "u-foot", "u-squad"} <= signs(root, "g1")
    assert "u-section" in signs(root, "g2")
    assert "MG" in [text.text for text in counter(root, "g2").iter(f"{SVG}text")]
    assert "u-gun" in signs(root, "g3") and "u-gun" not in signs(root, "g4")


@pytest.mark.parametrize(
    ("marked", "sign", "words"),
    [
        ({"suppression": Marker.ON}, "b-sup", "suppressed (on)"),
        ({"suppression": Marker.OFF}, "b-sup-off", "suppressed (off)"),
        ({"damage": Damage.TURRET}, "m-damaged", "turret damaged"),
        ({"track_hit": True}, "b-track", "track hit"),
        ({"bailed_out": True}, "b-bail", "abandoned by its crew"),
        ({"hull_down": HullDown.HD}, "b-HD", "hull down"),
        ({"hull_down": HullDown.PHD}, "b-PH", "partially hull down"),
        ({"full_cover": True}, "b-FC", "in full cover"),
        ({"inside": Inside.UP}, "b-UP", "upstairs"),
        ({"flags": ("broken-on",)}, "b-broken", "broken"),
    ],
)
def test_5_10_every_marker_is_a_badge_and_a_word(marked: dict[str, object], sign: str, words: str) -> None:
    unit = a_tank("g1", "C3", **marked)
    root, plain = drawn(unit), drawn(a_tank("g1", "C3"))
    assert sign in signs(root, "g1") and sign not in signs(plain, "g1")
    assert words in "\n".join(map(str, describe(Situation(DATA, state(unit)), viewer="german")))


def test_5_9_labels_and_shared_counters_are_written_on_the_counter() -> None:
    root = drawn(
        a_tank("g1", "C3", command=Command.MOVE, labels=("chq", "fo")),
        a_tank("g2", "C4", command=Command.MOVE, shares="g1"),
    )
    assert {"CHQ", "FO"} <= {text.text for text in counter(root, "g1").iter(f"{SVG}text")}
    assert "=g1" in [text.text for text in counter(root, "g2").iter(f"{SVG}text")]


def test_6_6_7_passengers_are_tags_of_their_own_at_their_carrier() -> None:
    root = drawn(a_tank("g1", "C3", "spw251"), a_leg("g2", "C3", "german_rifle_squad", aboard="g1"))
    tag = counter(root, "g2")
    assert tag.get("data-at") == "C3" and "u-leg" not in signs(root, "g2")
    assert "aboard g1" in str(tag.findtext(f"{SVG}title"))


def test_6_1_4_3_features_clouds_and_fire_are_drawn_with_words() -> None:
    there = parse_hex("D4")
    features = {
        kind: Feature(id=kind, type=kind, hex=there, stage=2)
        for kind in ("wire", "block", "hasty_entrenchment", "improved_position", "on_fire", "brick_rubble")
    }
    cloud = Cloud(id="c1", type="smoke", hexes=(there,), marker=Marker.OFF)
    mission = Mission(id="m1", side="soviet", point=there, firers=("sb1",))
    root = drawn(a_tank("g1", "C3"), features=features, clouds={"c1": cloud}, missions={"m1": mission})
    said = pieces(root)
    for words in ("wire", "block", "hasty entrenchment (stage 2 of 4)", "on fire", "brick rubble"):
        assert f"D4: {words}" in said
    assert "Smoke over D4, thinning out" in said
    assert any(words.startswith("Fire mission m1 of") for words in said)
    used = {use.get("href") for use in root.iter(f"{SVG}use")}
    known = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
    assert {"#f-wire", "#f-block", "#f-trench", "#f-position", "#f-fire", "#f-rubble", "#f-impact"} <= used <= known


def test_6_1_4_3_8_6_5_1_4_mines_and_points_are_drawn_for_their_owner_alone() -> None:
    mines = Feature(id="x1", type="hasty_mines", hex=parse_hex("E5"), side="german", known=("german",))
    battery = Battery(id="gb1", name="Battery", side="german", card="german_medium", registered=("F6",))
    more = {"features": {"x1": mines}, "batteries": {"gb1": battery}}
    own, enemy = (pieces(drawn(a_tank("g1", "C3"), viewer=viewer, **more)) for viewer in ("german", "soviet"))
    assert any("mines" in words for words in own) and any("registered on F6" in words for words in own)
    assert not any("mines" in words or "registered" in words for words in enemy)


def test_7_2_hidden_units_leave_no_trace_in_the_enemys_picture() -> None:
    hidden, tank = a_leg("g1", "C3", "german_rifle_squad", flags=("hidden",)), a_tank("g2", "D5")
    seen = picture.svg(Situation(DATA, view_of(state(hidden, tank), "soviet")), viewer="soviet")
    assert seen == picture.svg(Situation(DATA, view_of(state(tank), "soviet")), viewer="soviet")
    assert "b-hidden" in signs(drawn(hidden, tank), "g1")


def test_6_7_2_an_aircraft_in_flight_is_over_its_hex() -> None:
    flight = Flight(hex=parse_hex("D4"), facing=3, altitude="low", speed="slow")
    plane = AircraftState(id="a1", name="Stuka", side="german", card="ju87d", flight=flight)
    assert any("over D4 at low altitude" in words for words in pieces(drawn(aircraft={"a1": plane})))


@pytest.mark.parametrize("scenario", [name for name in ADVANCED if name != "combined"])
def test_every_scenario_is_drawn_for_all_viewers_with_a_line_for_every_unit(scenario: str) -> None:
    match = begin(scenario)
    for viewer in (*match.rules.seats, "public", "master"):
        view = match.run.view(viewer)
        drawing = match.rules.picture(view, viewer)
        assert drawing is not None and "url(#p-cloud" in drawing
        told = str(ElementTree.fromstring(drawing).findtext(f"{SVG}desc"))
        assert all(f"{unit} " in told for unit in view.vehicles)


def test_7_2_1_everybody_sees_the_hidden_counters_and_only_their_owner_what_they_stand_for() -> None:
    counters = {
        "h1": HiddenCounter(id="h1", side="german", hex=parse_hex("C3"), units=("g1",), marker=True),
        "h2": HiddenCounter(id="h2", side="german", hex=parse_hex("C3")),
    }
    state = an_advanced_state(
        a_leg("g1", "C3", "german_rifle_squad", flags=("hidden",)),
        a_leg("s1", "K9", "soviet_rifle_squad"),
        hidden_counters=counters,
    )
    data = advanced_data()
    viewers = ("german", "soviet", "public")
    drawn = {viewer: picture.svg(Situation(data, view_of(state, viewer)), viewer=viewer) for viewer in viewers}
    for viewer, drawing in drawn.items():
        assert "h1 hidden counter (german) in C3, has moved" in drawing
        assert "h2 hidden counter (german) in C3" in drawing
        assert ("in C3, has moved: g1" in drawing) is (viewer == "german")
    assert all(drawing.count('font-size="30">?<') == 2 for drawing in drawn.values())


def test_7_27_light_is_drawn_like_other_clouds() -> None:
    light = Cloud(id="c1", type="light", hexes=(parse_hex("C3"),), fresh=False)
    state = an_advanced_state(a_leg("g1", "C3", "german_rifle_squad"), clouds={"c1": light})
    assert "Light over C3" in picture.svg(Situation(advanced_data(), state), viewer="german")
