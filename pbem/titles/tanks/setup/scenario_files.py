"""T3 Scenarios written by players: the format, all mistakes in a file, and a description of a scenario.

    scenario_format    the format, and the ids that can be used
    check_scenario     every mistake, or a description in a few lines
    T3, T4, T8.2       scenario_mistakes
    T2, T6             card_mistakes: the requirements that an owner's cards must meet

Files named `tanks.toml`, `criticals.toml` and so on in a scenario's folder replace the packaged ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from pbem.engine.geometry.plane import Point
from pbem.titles.data_files import DataError, nearest, raise_mistakes
from pbem.titles.tanks.cards import keywords
from pbem.titles.tanks.data_files import Mistake, packaged
from pbem.titles.tanks.data_set import (
    EDGES,
    FILES,
    SEATS,
    Platoon,
    TanksData,
    data_set,
    mistakes_in,
    open_secrets,
    unchecked_data,
)
from pbem.titles.tanks.ground.geometry import on_table, shares_ground
from pbem.titles.tanks.ground.terrain import card_corners
from pbem.titles.tanks.setup.platoon import cost, platoon_objections
from pbem.titles.tanks.setup.room import layout
from pbem.titles.tanks.setup.steps import initial_state
from pbem.titles.tanks.shooting.shots import COUNTS
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Piece, TanksState

LIMITS: Final = {"turns": (1, 99), "points": (15, 500), "arrow_mm": (50, 200), "table_mm": (300, 3000)}
KEYWORDS: Final = (
    keywords.ASSAULT_GUN,
    keywords.BLITZKRIEG,
    keywords.COORDINATED_FIRE,
    keywords.FAST,
    keywords.GUNG_HO,
    keywords.SEMI_INDIRECT_FIRE,
    keywords.HEAVY,
    keywords.BIG_GUN,
)
KINDS: Final = ("wood", "building", "impassable")
UNEVEN: Final = 115
"""A warning is given if one platoon has at least this percentage of the other's points."""


def scenario_format() -> str:
    """T3 The scenario file format, and the ids that can be used in it."""
    data = data_set({**{name: packaged(f"{name}.toml") for name in FILES}, **_bare()})
    ids = [(country, [id for id, row in data.models.items() if row.country == country]) for country in data.countries]
    ids.append(("Terrain", list(data.kinds)))
    text = packaged("SCENARIOS.md").decode("utf-8").rstrip()
    return "\n\n".join([text, "## Ids", *(f"{title}: {', '.join(names)}" for title, names in ids)])


def _bare() -> dict[str, bytes]:
    return {"scenario": packaged("scenarios/crossroads.toml"), "options": b"{}"}


def check_scenario(setup: bytes, beside: Mapping[str, bytes], edition: str = "") -> list[str]:
    """T3 Describe a scenario in a few lines; a DataError lists every mistake in it and in its card files."""
    if edition:
        raise DataError("edition", [Mistake(edition, "TANKS has one rulebook and no editions.")])
    files = {name: beside.get(name) or packaged(f"{name}.toml") for name in FILES}
    data = unchecked_data({**files, "scenario": setup, "options": b"{}"})
    unknown = list(mistakes_in(data))
    rest = setting_mistakes(data) if unknown else scenario_mistakes(data)
    raise_mistakes("scenario", [*unknown, *card_mistakes(data), *rest])
    own = [f"{name}.toml" for name in FILES if name in beside]
    return [*description(data), *([f"Cards from your own files: {', '.join(own)}"] if own else [])]


# --- mistakes ------------------------------------------------------------------------------------------------


def scenario_mistakes(data: TanksData) -> Iterator[Mistake]:
    """T3, T4, T8.2 Every mistake that makes a scenario unplayable."""
    yield from setting_mistakes(data)
    yield from platoon_mistakes(data)
    yield from piece_mistakes(data)
    yield from open_secrets(data)


def setting_mistakes(data: TanksData) -> Iterator[Mistake]:
    """T3, T8.2 Yield mistakes in the numbers, roles and objectives of a scenario."""
    scenario = data.scenario
    for name, (least, most) in LIMITS.items():
        if not least <= (value := getattr(scenario, name)) <= most:
            yield Mistake(name, f"{value} is out of range; give {least} to {most}.", rule="T3")
    for name in ("woods", "buildings"):
        if getattr(scenario, name) < 0:
            yield Mistake(name, "the number of pieces cannot be negative.", rule="T3.1")
    yield from role_mistakes(data)
    yield from objective_mistakes(data)


def role_mistakes(data: TanksData) -> Iterator[Mistake]:
    """T3.2 Yield a mistake for an unknown attacker or edge, and for an attacker without the defender's edge."""
    scenario = data.scenario
    for name, value, legal in (("attacker", scenario.attacker, SEATS), ("edge", scenario.edge, EDGES)):
        if value and value not in legal:
            yield Mistake(name, f"{value!r} is not possible; use {', '.join(legal)}.", nearest(value, legal), "T3.2")
    if scenario.attacker and not scenario.edge:
        yield Mistake("edge", "a scenario that names the attacker must also give the defender's edge.", rule="T3.2")


def platoon_mistakes(data: TanksData) -> Iterator[Mistake]:
    """T4 Check that each seat has one platoon that could be bought; where players choose, it is the default."""
    scenario = data.scenario
    count = Counter(platoon.seat for platoon in scenario.platoon)
    for seat in SEATS:
        if count[seat] != 1:
            yield Mistake("platoon", f"{seat} needs one platoon, but the file has {count[seat]}.", rule="T4.1")
    for platoon in scenario.platoon:
        where = f"platoon of {platoon.seat}"
        for objection in platoon_objections(data, platoon):
            yield Mistake(where, f"{objection.english}.", rule=objection.rule)
        total = cost(data, platoon)
        if total <= scenario.points < total + platoon.card_points:
            stated_sum = f"{total} for tanks and {platoon.card_points} for cards"
            yield Mistake(where, f"{stated_sum} exceed the limit of {scenario.points}.", rule="T4.1")
        if scenario.choose and platoon.card_points:
            yield Mistake(
                where, "card_points are only for fixed platoons; in this scenario players choose theirs.", rule="T4.1"
            )
        yield from room_mistakes(data, platoon, where)


def room_mistakes(data: TanksData, platoon: Platoon, where: str) -> Iterator[Mistake]:
    """T3.3 Yield a mistake if the tanks of a platoon do not fit side by side within one arrow of their edge."""
    bodies = [data.bodies[fielded.tank] for fielded in platoon.tanks if fielded.tank in data.bodies]
    if any(2 * body.length > data.scenario.arrow for body in bodies):
        yield Mistake(where, "a tank is longer than the arrow and cannot be deployed.", rule="T3.3")
    if sum(2 * body.width for body in bodies) > data.scenario.table:
        yield Mistake(where, "there is not enough room for all tanks along one edge.", rule="T3.3")


def piece_mistakes(data: TanksData) -> Iterator[Mistake]:
    """T3.1, T6 Check that fixed pieces are on the table and do not overlap, and that there is room for the others."""
    scenario, lying = data.scenario, list[tuple[str, tuple[Point, ...]]]()
    for piece in scenario.piece:
        where = f"{piece.kind} at {piece.at[0]}/{piece.at[1]}"
        card = card_corners(data, piece.kind, Point(10 * piece.at[0], 10 * piece.at[1]), piece.heading)
        if not on_table(card, scenario.table):
            yield Mistake(where, f"it is off the table, which measures {scenario.table_mm} mm.", rule="T3.1")
        if not 0 <= piece.heading < 360:
            yield Mistake(where, f"the heading {piece.heading} is not a bearing from 0 to 359.", rule="T3.1")
        for other, ground in lying:
            if shares_ground(card, ground):
                yield Mistake(where, f"it overlaps {other}.", rule="T3.1")
        lying.append((where, card))
    kinds = ["wood"] * scenario.woods + ["building"] * scenario.buildings
    if kinds and layout(Situation(data, with_pieces(data)), kinds) is None:
        yield Mistake(
            "woods, buildings",
            f"there is no room for {len(kinds)} pieces that are more than an arrow apart.",
            rule="T3.1",
        )


def with_pieces(data: TanksData) -> TanksState:
    """T3.1 The table with the fixed pieces of the scenario."""
    state = initial_state(data, ())
    for number, piece in enumerate(data.scenario.piece, start=1):
        at = Point(10 * piece.at[0], 10 * piece.at[1])
        state.pieces.append(Piece(f"{piece.kind}-{number}", piece.kind, at, piece.heading))
    return state


def objective_mistakes(data: TanksData) -> Iterator[Mistake]:
    """T8.2 Yield a mistake for each objective that is off the table, reuses a name, or has no attacker."""
    scenario = data.scenario
    for id, count in Counter(objective.id for objective in scenario.objective).items():
        if count > 1:
            yield Mistake(f"objective {id}", "the id is used more than once.", rule="T8.2")
    for objective in scenario.objective:
        where = f"objective {objective.id}"
        if not all(0 <= part <= scenario.table_mm for part in objective.at):
            yield Mistake(where, f"it is off the table, which measures {scenario.table_mm} mm.", rule="T8.2")
        if not 1 <= objective.hold <= scenario.turns:
            yield Mistake(where, f"hold must be 1 to {scenario.turns} turns.", rule="T8.2")


def card_mistakes(data: TanksData) -> Iterator[Mistake]:
    """T2, T6 Yield a mistake for each impossible value and each unknown keyword on a card."""
    for model in data.models.values():
        where = f"tank {model.id}"
        for keyword in model.keywords:
            if keyword not in KEYWORDS:
                yield Mistake(where, f"there is no keyword {keyword!r}.", nearest(keyword, KEYWORDS), "T9")
        for name in ("points", "hull", "length", "width"):
            if (value := getattr(model, name)) < 1:
                yield Mistake(where, f"{name} is {value}; it must be at least 1.", rule="T2.1")
        for name in ("initiative", "attack", "defence", "slots"):
            if (value := getattr(model, name)) < 0:
                yield Mistake(where, f"{name} is {value}; it cannot be negative.", rule="T2.1")
    for critical in data.criticals.values():
        if critical.count < 1 or critical.damage < 0:
            yield Mistake(
                f"critical {critical.id}", "count must be at least 1, and damage cannot be negative.", rule="T2.3"
            )
    for id in KINDS:
        if id not in data.kinds:
            yield Mistake("terrain", f"the kind {id!r} is missing.", rule="T6")
    for id in (id for id in data.kinds if id not in KINDS):
        yield Mistake(
            "terrain", f"there is no kind of terrain {id!r}; use {', '.join(KINDS)}.", nearest(id, KINDS), "T6"
        )
    for modifier in (row for row in data.modifiers if row.when not in COUNTS):
        why = f"{modifier.when!r} is not possible; use {', '.join(COUNTS)}."
        yield Mistake("defence_modifiers", why, nearest(modifier.when, COUNTS), "T7.6")


# --- description ---------------------------------------------------------------------------------------------


def description(data: TanksData) -> Iterator[str]:
    """T3 A scenario in a few lines, with warnings about legal but unusual settings."""
    scenario = data.scenario
    size = f"a table of {scenario.table_mm} mm, an arrow of {scenario.arrow_mm} mm"
    yield f"{scenario.name}: {scenario.turns} turns, {size}"
    chosen = f"players choose up to {scenario.points} points; the default platoon is " if scenario.choose else ""
    for platoon in scenario.platoon:
        names = ", ".join(data.models[fielded.tank].name for fielded in platoon.tanks)
        cards = f" and cards for {platoon.card_points}" if platoon.card_points else ""
        yield f"{platoon.seat}: {chosen}{names} ({platoon.country}), {cost(data, platoon)} points{cards}"
    placed, kinds = Counter(piece.kind for piece in scenario.piece), {"wood": scenario.woods}
    kinds["building"] = scenario.buildings
    fixed = [number_of(count, kind) for kind, count in placed.items()] or ["none"]
    open_ones = [number_of(count, kind) for kind, count in kinds.items() if count]
    placing = f"; to be placed by the players: {', '.join(open_ones)}" if open_ones else ""
    yield f"terrain on the table: {', '.join(fixed)}{placing}"
    for row in scenario.objective:
        yield f"objective {row.id}: the attacker wins by holding it alone at the end of {number_of(row.hold, 'turn')}"
    steps = (scenario.choose, bool(open_ones), not scenario.attacker, True)
    before = number_of(sum(steps), "exchange")
    yield f"tempo: {before} before the first turn, then 2 a turn, or 3 while a tank could use Blitzkrieg"
    yield from (f"check this: {hint}" for hint in hints(data))


def number_of(count: int, what: str) -> str:
    """Return a count with its noun, singular or plural."""
    if what == "impassable":
        return f"{count} {'piece' if count == 1 else 'pieces'} of impassable ground"
    return f"{count} {what}{'' if count == 1 else 's'}"


def hints(data: TanksData) -> Iterator[str]:
    """T8.2 Yield warnings about legal but unusual settings."""
    scenario = data.scenario

    def price(platoon: Platoon) -> int:
        return cost(data, platoon) + platoon.card_points

    weak, strong = sorted(scenario.platoon, key=price)
    if not scenario.choose and 100 * price(strong) >= UNEVEN * price(weak):
        yield f"{strong.seat} has {price(strong)} points against {price(weak)}"
    if scenario.objective and not scenario.attacker:
        yield "there is an objective, but a roll decides which side attacks it (T3.2)"
    if not scenario.piece and not scenario.woods + scenario.buildings:
        yield "an empty table: nothing blocks sight or movement"
    if not scenario.choose and weak.country == strong.country:
        yield f"both platoons are from {weak.country}"
