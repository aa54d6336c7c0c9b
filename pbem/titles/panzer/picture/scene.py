"""1.2, 5.0 The map of the advanced game as a picture: the basic game's ground and vehicles, with additions.

    5.1, 5.2     counters of leg units, guns and vehicles, with labels and passengers
    5.10, 6.1.4  badges: suppression, damage, cover, positions
    6.1.4.3      features, smoke, barrages and dust
    6.5.1        impact points, and the viewer's registered and planned ones
    6.7.2        aircraft in flight
    SIGNS        the key's additions to the symbols of the basic game

Shapes come from `data/symbols.svg` and `data/advanced_symbols.svg`; the same in words is in `unit_words`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from pbem.engine.geometry.hexes import Hex, hex_name, parse_hex
from pbem.titles.panzer.cards.weapons import PARAGRAPHS, Armament, weapons_of
from pbem.titles.panzer.picture.ground import (
    INK,
    ORIGIN,
    Point,
    Signs,
    group_at,
    outline,
    point,
    symbols,
    text,
    use,
)
from pbem.titles.panzer.picture.vehicles import (
    NATIONS,
    border,
    command_counter,
    drawing,
    name_size,
    objective_names,
    objectives,
    seen_by,
    set_up_areas,
    side_colour,
    silhouette,
    stack_positions,
    wrecks,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    AircraftState,
    Cloud,
    Damage,
    Feature,
    HiddenCounter,
    HullDown,
    Inside,
    Marker,
    Spot,
    Unit,
)
from pbem.titles.panzer.telling.unit_words import (
    aircraft_words,
    cloud_words,
    describe,
    feature_words,
    hidden_words,
    mission_words,
    nation_of,
    unit_card,
)

if TYPE_CHECKING:
    from pbem.titles.panzer.data_set import PanzerData
    from pbem.titles.panzer.state import PanzerState

KIT: Final = "advanced_symbols.svg"
SIGNS: Final[Signs] = (
    ("b-sup", "Suppressed"),
    ("b-sup-off", "Suppressed, recovering"),
    ("b-track", "Track hit"),
    ("b-bail", "Abandoned"),
    ("b-FC", "Full cover"),
    ("b-HD", "Hull down (PH: partial)"),
    ("b-EN", "Entrenched"),
    ("b-IP", "In a position"),
    ("b-IN", "In a building (UP: top)"),
    ("b-hidden", "Hidden"),
    ("f-trench", "Entrenchment"),
    ("f-position", "Improved position"),
    ("f-wire", "Wire"),
    ("f-block", "Block"),
    ("f-mines", "Mines"),
    ("f-rubble", "Rubble"),
    ("f-fire", "Fire"),
    ("f-smoke", "Smoke screen"),
    ("f-barrage", "Barrage"),
    ("f-dust", "Dust"),
    ("f-impact", "Impact point"),
    ("f-point", "Registered point"),
    ("f-plane", "Aircraft"),
)
"""The symbols that the key explains for the advanced game."""

LABELS: Final = {"chq": "CHQ", "bhq": "BHQ", "rhq": "RHQ", "fo": "FO", "recon": "REC", "engineer": "ENG"}
ARMS: Final = {"mortar": "Mtr", "hmg": "MG", "atr": "ATR", "hand_held": "AT", "flamethrower": "FT"}
"""5.1.3 The letters on a leg unit with an attached weapon."""
FEATURES: Final = {
    "block": "f-block",
    "wire": "f-wire",
    "improved_position": "f-position",
    "hasty_entrenchment": "f-trench",
    "hasty_mines": "f-mines",
    "deliberate_mines": "f-mines",
    "on_fire": "f-fire",
}
FLAGS: Final = {
    "hesitating-on": "b-hesitating",
    "hesitating-off": "b-hesitating",
    "broken-on": "b-broken",
    "broken-off": "b-broken",
    "hidden": "b-hidden",
}
LEFT: Final = ((-27, -12), (-27, 3), (-27, 18))
RIGHT: Final = ((27, 14), (27, -14))
"""The positions of badges on a counter, most urgent first."""
TAG_WIDTH: Final = 27
LABELLED: Final = ' font-size="6.800" text-anchor="start"'
OUTLINED: Final = 'stroke="#fffdf6" stroke-width="2.500" paint-order="stroke"'


def svg(situation: Situation, *, viewer: str) -> str:
    """The map as the viewer may see it."""
    pieces = (
        symbols(KIT),
        *set_up_areas(situation, viewer),
        *features(situation),
        *objectives(situation),
        *wrecks(situation.state),
        *clouds(situation.state),
        *fire_points(situation, viewer),
        *counters(situation, viewer),
        *hidden_counters(situation),
        *flights(situation),
        *objective_names(situation.data),
    )
    return drawing(situation, describe(situation, viewer=viewer), pieces, SIGNS)


# --- 6.1.4.3 on the map --------------------------------------------------------------------------------------


def features(situation: Situation) -> Iterator[str]:
    """6.1.4.3 Terrain counters; positions are rotated to their facing."""
    data = situation.data
    for feature in situation.state.features.values():
        drawn = f"<title>{escape(str(feature_words(data, feature)))}</title>{feature_sign(feature)}"
        yield group_at(point(feature.hex), drawn)


def feature_sign(feature: Feature) -> str:
    """6.1.4.3 The symbol of a terrain counter; an unfinished entrenchment shows its progress."""
    sign = FEATURES.get(feature.type, "f-rubble" if feature.type.endswith("rubble") else "")
    if not sign:
        return text(Point(0, 36), feature.type.replace("_", " "), ' font-size="11" text-anchor="middle"')
    turned = feature.facing - 1 if sign == "f-position" else 0
    low = Point(0, 33) if sign in ("f-wire", "f-trench", "f-mines") else ORIGIN
    stage = ""
    if feature.type == "hasty_entrenchment" and feature.stage < 4:
        stage = text(Point(38, 30), f"{feature.stage}/4", f' font-size="12" font-weight="700" fill="{INK}"')
    return use(sign, low, turned) + stage


def clouds(view: PanzerState) -> Iterator[str]:
    """6.1.4.3.10, 6.1.4.3.12 Smoke, barrages and dust over their hexes, fainter as they thin out."""
    for cloud in view.clouds.values():
        yield cloud_sign(cloud)


EDGES: Final = {
    "smoke": ("#5d5751", "3 6"),
    "barrage": ("#7a1d12", "12 6"),
    "dust": ("#9a7436", "2 5"),
    "light": ("#b08a00", "1 5"),
}


def cloud_sign(cloud: Cloud) -> str:
    """6.1.4.3.10 A cloud, drawn around its first hex, so that clouds of one shape have equal drawings everywhere."""
    faint = ".45" if cloud.marker is Marker.OFF else ".8"
    colour, dashes = EDGES[cloud.type]
    origin = point(cloud.hexes[0])
    shape, edge = "".join(outline(hex, origin) for hex in cloud.hexes), border(cloud.hexes, origin)
    letters = f' font-size="11" font-style="italic" fill="{colour}" text-anchor="middle"'
    name = f"{cloud.type}, thinning" if cloud.marker is Marker.OFF else cloud.type
    drawn = (
        f"<title>{escape(str(cloud_words(cloud)))}</title>"
        f'<path fill="url(#p-cloud-{cloud.type})" fill-opacity=".75" d="{shape}"/>'
        f'<path fill="none" stroke="{colour}" stroke-width="3" stroke-dasharray="{dashes}" d="{edge}"/>'
        f"{text(Point(0, 42), name, letters)}"
    )
    return group_at(origin, drawn, f' opacity="{faint}"')


def fire_points(situation: Situation, viewer: str) -> Iterator[str]:
    """6.5.1, 6.5.1.4, 6.5.1.11 Impact points of missions; for the owner also registered points and planned fire."""
    data, view = situation.data, situation.state
    for mission in view.missions.values():
        yield spot_sign("f-impact", mission.point, mission.id, str(mission_words(data, mission)))
    for battery in view.batteries.values():
        for name in battery.registered:
            words = f"{battery.name}: registered on {name}"
            yield spot_sign("f-point", parse_hex(name), f"R {battery.id}", words)
    for plan in view.planned.values():
        for number, leg in enumerate(plan.legs):
            words = f"Planned fire by {plan.battery} in turn {plan.turn + number}"
            yield spot_sign("f-point", leg.point, f"P{plan.turn + number}", words)


def spot_sign(sign: str, hex: Hex, letters: str, words: str) -> str:
    style = f' font-size="11" font-weight="700" fill="{INK}" text-anchor="middle"'
    drawn = f"<title>{escape(words)}</title>{use(sign, ORIGIN)}{text(Point(0, -24), letters, style)}"
    return group_at(point(hex), drawn)


def flights(situation: Situation) -> Iterator[str]:
    """6.7.2 Aircraft over the map, with their altitude."""
    data = situation.data
    for aircraft in situation.state.aircraft.values():
        if aircraft.flight is not None:
            yield plane(data, aircraft)


def plane(data: PanzerData, aircraft: AircraftState) -> str:
    assert aircraft.flight is not None
    flight = aircraft.flight
    x, y = point(flight.hex)
    style = f' font-size="12" font-weight="700" fill="{INK}" text-anchor="middle" {OUTLINED}'
    name = text(Point(x, y + 44), f"{aircraft.id} {flight.altitude}", style)
    return (
        f"<g><title>{escape(aircraft.name)}: {escape(str(aircraft_words(aircraft)))}</title>"
        f'<circle cx="{x}" cy="{y}" r="32" fill="{side_colour(data, aircraft.side)}" stroke="{INK}" '
        f'stroke-dasharray="5 4"/>{use("f-plane", Point(x, y), flight.facing - 1)}'
        f"{name}</g>"
    )


# --- 1.7 counters --------------------------------------------------------------------------------------------


def counters(situation: Situation, viewer: str) -> Iterator[str]:
    """1.7 Every unit on the map, stack by stack; passengers are tags below their carrier."""
    on_the_ground = (unit for unit in situation.state.vehicles.values() if not unit.aboard)
    for unit, at, size in stack_positions(on_the_ground):
        yield counter(situation, unit, viewer, at, size)


def counter(situation: Situation, unit: Unit, viewer: str, at: Point, size: int) -> str:
    """1.7 One counter: the wedge shows its facing, the sides its markers, the tags below it its passengers."""
    nation, name = nation_of(situation.data, unit), short_name(unit)
    labels = enumerate(LABELS[label] for label in unit.labels[:2])
    written = "".join(text(Point(-24, 22 - 7 * number), word, LABELLED) for number, word in labels)
    return (
        f"{opening(situation, unit, viewer)} "
        f'transform="translate({at.x} {at.y})scale({size / 100})">'
        f"<title>{escape(unit_card(situation, unit, viewer))}</title>"
        f'<path d="M-10-26L0-39 10-26z" fill="{INK}" stroke="#fff" stroke-width="1.4" '
        f'transform="rotate({60 * (unit.facing - 1)})"/>'
        f'<rect x="-25" y="-25" width="50" height="50" rx="4" fill="{NATIONS[nation]}" stroke="{INK}" '
        f'stroke-width="{1.6 if not unit.bailed_out else 1}"/>'
        f'<path d="M-22.5 22.500v-45h45" fill="none" stroke="#fff" stroke-opacity=".6"/>'
        f"{figure(situation.data, unit)}"
        f'<g text-anchor="middle" fill="{INK}" font-weight="700"><text y="22.500" font-size="11">{escape(unit.id)}'
        f'</text><text y="-17" font-size="{name_size(name)}">{escape(name)}</text>'
        f"{written}</g>"
        f"{use(f'n-{nation}', Point(19, 18))}{''.join(markers(situation.state, unit, viewer))}</g>"
        f"{''.join(tags(situation, unit, viewer, at, size))}"
    )


def hidden_counters(situation: Situation) -> Iterator[str]:
    """7.2.1 Hidden unit counters, drawn smaller where the viewer also sees units, as the owner does."""
    data, view = situation.data, situation.state
    by_hex: dict[Hex, list[HiddenCounter]] = {}
    for hidden in view.hidden_counters.values():
        by_hex.setdefault(hidden.hex, []).append(hidden)
    for hex, lying in by_hex.items():
        (x, y), beside = point(hex), bool(view.on_the_ground(hex))
        for number, hidden in enumerate(lying):
            shift = 12 * number
            at, size = (Point(x + 34 - shift, y - 30), 45) if beside else (Point(x + shift, y - shift), 100)
            yield hidden_sign(data, hidden, at, size)


def hidden_sign(data: PanzerData, hidden: HiddenCounter, at: Point, size: int) -> str:
    """7.2.1, 7.2.2.2 One hidden unit counter, with its Spot/Move marker."""
    rows = (row for row in data.scenario.formations.values() if row.side == hidden.side)
    colour = NATIONS[next(row.nation for row in rows)]
    marker = use("m-move", Point(25, -25)) if hidden.marker else ""
    return (
        f'<g data-at="{hex_name(hidden.hex)}" transform="translate({at.x} {at.y})scale({size / 100})">'
        f"<title>{escape(str(hidden_words(data, hidden)))}</title>"
        f'<rect x="-25" y="-25" width="50" height="50" rx="4" fill="{colour}" stroke="{INK}" stroke-width="2" '
        f'stroke-dasharray="6 3"/><g text-anchor="middle" fill="{INK}" font-weight="700">'
        f'<text y="8" font-size="30">?</text><text y="22.500" font-size="11">{escape(hidden.id)}</text></g>'
        f"{marker}</g>"
    )


NATION_WORDS: Final = ("German ", "Italian ", "British ", "US ", "Soviet ")
LONGEST: Final = 15


def short_name(unit: Unit) -> str:
    """The text on a counter: without the nation, shown by a symbol, and the id, printed below."""
    name = unit.name.removesuffix(f" {unit.id}")
    name = next((name.removeprefix(word) for word in NATION_WORDS if name.startswith(word)), name)
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}."


def opening(situation: Situation, unit: Unit, viewer: str) -> str:
    """The start of a unit's opening tag, with the attributes that a page needs."""
    assert unit.hex is not None
    own = ' data-own=""' if unit.side == viewer else ""
    spots = escape(" ".join(situation.state.spotted.get(unit.id, [])))
    return f'<g data-unit="{escape(unit.id)}"{own} data-at="{hex_name(unit.hex)}" data-spots="{spots}"'


def figure(data: PanzerData, unit: Unit) -> str:
    """5.1, 5.2 The unit's figure: a vehicle or gun from above, or a leg unit's symbol."""
    if unit.kind == "vehicle":
        return silhouette(data.vehicle(unit).card, unit.facing)
    if unit.kind == "towed":
        return gun_sign(data, unit)
    leg = data.leg(unit)
    engineers = leg.engineer or "engineer" in unit.labels
    branch = "engineer" if engineers else "horse" if leg.mount == "cavalry" else "foot"
    wheels = {"motorcycle": "u-wheels", "bicycle": "u-bicycle"}.get(leg.mount)
    signs = ["u-leg", f"u-{branch}", f"u-{leg.size}", *([wheels] if wheels else [])]
    letters = "".join(arm_letters(weapons_of(data, unit)))
    style = f' font-size="8" font-weight="700" fill="{INK}" text-anchor="middle" {OUTLINED}'
    arms = text(Point(0, 4), letters, style) if letters else ""
    return "".join(use(sign, Point(0, 0)) for sign in signs) + arms


def arm_letters(arms: Iterable[Armament]) -> Iterator[str]:
    """5.1.3 The letters for a unit's attached weapons, one after another."""
    attached = [ARMS[arm.kind] for arm in arms if arm.kind in PARAGRAPHS]
    yield " ".join(attached[:2])


def gun_sign(data: PanzerData, unit: Unit) -> str:
    """5.2 A gun from above; the barrel length shows its range, an arch marks an anti-aircraft gun."""
    (arm,) = weapons_of(data, unit)[:1]
    reach = max((arm.reach(how) for how in arm.hows), default=0)
    barrel = f'<path d="M0-3v-{6 + min(reach, 36) // 3}" stroke="{INK}" stroke-width="2.600"/>'
    arch = '<use href="#u-aa"/>' if arm.aa is not None else ""
    turned = f"rotate({60 * (unit.facing - 1)})scale(.9)"
    return f'<g transform="{turned}"><use href="#u-gun"/>{barrel}{arch}</g>'


def markers(view: PanzerState, unit: Unit, viewer: str) -> Iterator[str]:
    """4.2.1 The command, 4.1.3 the Spot marker, 4.1 whether an enemy sees the unit, and badges for the rest."""
    if unit.command is not None:
        yield command_counter(unit, viewer)
        if unit.shares:
            style = f' font-size="8.500" font-weight="700" fill="{INK}" {OUTLINED}'
            yield text(Point(-9, -29), f"={unit.shares}", style)
    if unit.marker is not Spot.NONE:
        yield use(f"m-{unit.marker.value}", Point(20, -32))
    if seen_by(view, unit):
        yield use("m-seen", Point(27, 0))
    signs = list(badges(view, unit))
    for sign, (x, y) in zip(signs, (*LEFT, *RIGHT), strict=False):
        yield use(sign, Point(x, y))


def badges(view: PanzerState, unit: Unit) -> Iterator[str]:
    """5.10, 5.15, 6.1.4, 6.5.2.2 A unit's badges, most urgent first."""
    if unit.bailed_out:
        yield "b-bail"
    if unit.suppression is not Marker.NONE:
        yield "b-sup" if unit.suppression is Marker.ON else "b-sup-off"
    if unit.damage is not Damage.NONE:
        yield "m-damaged"
    if unit.track_hit:
        yield "b-track"
    yield from dict.fromkeys(FLAGS[flag] for flag in unit.flags if flag in FLAGS)
    if unit.full_cover:
        yield "b-CR" if unit.crawling else "b-FC"
    if unit.hull_down is not HullDown.NONE:
        yield "b-HD" if unit.hull_down is HullDown.HD else "b-PH"
    if unit.position in view.features:
        yield "b-IP" if view.features[unit.position].type == "improved_position" else "b-EN"
    if unit.inside is not Inside.NO:
        yield "b-UP" if unit.inside is Inside.UP else "b-IN"


def tags(situation: Situation, carrier: Unit, viewer: str, at: Point, size: int) -> Iterator[str]:
    """6.6.7 A vehicle's passengers, each as a tag whose name appears under the pointer."""
    data = situation.data
    for number, unit in enumerate(situation.state.passengers(carrier)):
        x, y = -40 + TAG_WIDTH * number, 27
        yield (
            f"{opening(situation, unit, viewer)} "
            f'transform="translate({at.x} {at.y})scale({size / 100})translate({x} {y})">'
            f"<title>{escape(unit_card(situation, unit, viewer))}</title>"
            f'<rect width="{TAG_WIDTH - 2}" height="12" rx="2" fill="{NATIONS[nation_of(data, unit)]}" '
            f'stroke="{INK}"/>{tag_sign(unit)}<text x="16.500" y="9" font-size="8" font-weight="700" '
            f'text-anchor="middle" fill="{INK}">{escape(unit.id)}</text></g>'
        )


def tag_sign(unit: Unit) -> str:
    """The symbol on a passenger's tag: a cross for leg units, a barrel for a gun."""
    shape = "M2 3h6v6h-6zM2 3l6 6M8 3l-6 6" if unit.kind == "leg" else "M5 2v8M2 7h6"
    return f'<path d="{shape}" fill="none" stroke="{INK}"/>'
