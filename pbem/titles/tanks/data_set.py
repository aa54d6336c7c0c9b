"""T2 All data that a match is played with: cards, terrain kinds and scenario, frozen when the match is created.

    T2.1    Model: a tank card
    T2.2    Card, Effect: a crew or upgrade card and its effect
    T2.3    Critical, Lasting: a critical card and its special effect
    T3, T4  Scenario, Platoon, Fielded
    T6      Kind
    T7.6    Modifier
    ----    freeze, data_set

An owner of the game may freeze other cards under the same names: only `freeze` reads the packaged files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, Literal, TypeVar

import msgspec

from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.messages import say
from pbem.titles.data_files import DataError, close_to, nearest, raise_mistakes
from pbem.titles.tanks.data_files import Mistake, convert, packaged, packaged_names, read_toml, row_mistakes
from pbem.titles.tanks.ground.geometry import Body

SEATS: Final = ("alpha", "bravo")
OTHER: Final = {"alpha": "bravo", "bravo": "alpha"}
LETTER: Final = {"alpha": "a", "bravo": "b"}
GLOBAL: Final = "global"
CREW: Final = ("commander", "gunner", "loader", "driver", "radio")
"""T4.5 The card types that take a crew slot."""
EDGES: Final = ("north", "east", "south", "west")
FILES: Final = ("tanks", "crew_and_upgrades", "criticals", "terrain", "defence_modifiers")
NUMBERS: Final = ("points", "arrow_mm")
OPTIONS: Final = ("points", "arrow_mm", "pace")


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of all rows in data files; unknown keys are mistakes."""


class Model(Row, frozen=True):
    """T2.1 A tank card. Hull length and width are in millimetres; lengths elsewhere are in tenths of a millimetre."""

    id: str
    name: str
    country: str
    points: int
    initiative: int
    attack: int
    defence: int
    hull: int
    slots: int
    keywords: tuple[str, ...]
    length: int
    width: int
    text: str
    source: str


class Effect(Row, frozen=True):
    """T2.2 The effect of a card; each field stands for one sentence on the card."""

    moving: int = 0
    shooting: int = 0
    lends: int = 0
    shares_shot: bool = False
    attack: int = 0
    attack_close: int = 0
    fours_miss: bool = False
    ones_spoil: int = 0
    target_defence: int = 0
    reroll_attack: int = 0
    reroll_attack_all: bool = False
    keep_dice: int = 0
    hits_to_criticals: int = 0
    criticals_to_hits: int = 0
    extra_critical: bool = False
    second_attack: Literal["", "hit", "miss"] = ""
    keeps_ammo: bool = False
    twin_ammo: bool = False
    exposes: bool = False
    defence: int = 0
    defence_close: int = 0
    defence_value: int = 0
    reroll_defence: int = 0
    reroll_defence_all: bool = False
    reroll_defence_per_move: bool = False
    cancel_critical: bool = False
    lost_when_damaged: bool = False
    only_stationary: bool = False
    hull: int = 0
    no_fast: bool = False
    fast: bool = False
    extra_move: bool = False
    early_move: Literal["", "self", "pair"] = ""
    cures: tuple[str, ...] = ()
    repairs_again: tuple[str, ...] = ()
    repairs_always: tuple[str, ...] = ()
    repairs_in_blitzkrieg: bool = False


class Card(Row, frozen=True):
    """T2.2 A crew or upgrade card. A card with `discard` is used once and then discarded."""

    id: str
    name: str
    type: str
    points: int
    country: str
    effect: Effect
    text: str
    source: str
    hero: bool = False
    discard: bool = False
    tanks: tuple[str, ...] = ()

    @property
    def crew(self) -> bool:
        return self.type in CREW


class Lasting(Row, frozen=True):
    """T2.3 The special effect of a critical card."""

    no_move: bool = False
    most_moves: int = 9
    no_shot: bool = False
    front_only: bool = False
    attack: int = 0
    defence: int = 0
    burns: int = 0
    no_speed: bool = False


class Critical(Row, frozen=True):
    """T2.3 A critical card."""

    id: str
    name: str
    count: int
    damage: int
    source: str
    repairable: bool = False
    effect: Lasting = Lasting()
    text: str = ""


class Kind(Row, frozen=True):
    """T6 A kind of terrain; the length and width of its cards are in millimetres."""

    id: str
    name: str
    rule: str
    blocks_sight: bool
    blocks_movement: bool
    length: int
    width: int
    source: str


class Modifier(Row, frozen=True):
    """T7.6 One row of the defence dice table."""

    when: str
    value: int
    rule: str
    text: str
    source: str
    times: str = ""


class Fielded(Row, frozen=True):
    """T4 A tank of a platoon with its cards."""

    tank: str
    cards: tuple[str, ...] = ()


class Platoon(Row, frozen=True):
    """T4 A player's tanks and cards."""

    country: str
    tanks: tuple[Fielded, ...]
    seat: str = ""
    card_points: int = 0
    """T2.4 How many points of cards are dealt in secret to a platoon that the scenario provides."""


class FixedPiece(Row, frozen=True):
    """T3.1 A terrain piece placed by the scenario; its position is in millimetres."""

    kind: str
    at: tuple[int, int]
    heading: int = 0


class Objective(Row, frozen=True):
    """T8.2 An objective: the attacker wins by holding it alone at the end of `hold` consecutive turns."""

    id: str
    at: tuple[int, int]
    hold: int = 1


class Scenario(Row, frozen=True):
    """T3 A scenario. Everything that it leaves open is decided in play: platoons, terrain, roles, edges."""

    name: str
    text: str
    turns: int
    points: int
    choose: bool
    platoon: tuple[Platoon, ...]
    arrow_mm: int = 150
    table_mm: int = 900
    woods: int = 0
    buildings: int = 0
    attacker: str = ""
    edge: str = ""
    piece: tuple[FixedPiece, ...] = ()
    objective: tuple[Objective, ...] = ()
    pace: Literal["forms", "tank"] = "forms"

    @property
    def arrow(self) -> int:
        """The length of the measuring arrow in tenths of a millimetre."""
        return 10 * self.arrow_mm

    @property
    def table(self) -> int:
        """The length of the table's sides in tenths of a millimetre."""
        return 10 * self.table_mm


@dataclass(frozen=True)
class TanksData:
    """The frozen data of a match."""

    models: Mapping[str, Model]
    cards: Mapping[str, Card]
    criticals: Mapping[str, Critical]
    kinds: Mapping[str, Kind]
    modifiers: tuple[Modifier, ...]
    scenario: Scenario

    @cached_property
    def bodies(self) -> Mapping[str, Body]:
        """The hull of each model: half its length and half its width, in tenths of a millimetre."""
        return {model.id: Body(5 * model.length, 5 * model.width) for model in self.models.values()}

    @property
    def countries(self) -> tuple[str, ...]:
        return tuple(sorted({model.country for model in self.models.values()}))


# --- files ---------------------------------------------------------------------------------------------------


def freeze(scenario: str, options: Mapping[str, Any], own: Mapping[str, bytes] | None = None) -> dict[str, bytes]:
    """T3 The data files of a match; the points, the length of the arrow and the pace can be chosen.

    `own` holds an owner's files, which replace packaged ones. They are checked here, before a match begins.
    """
    options = {name: typed_option(name, value) for name, value in options.items()}
    check_options(scenario, options)
    blobs = {
        "scenario": packaged(f"scenarios/{scenario}.toml"),
        **{name: packaged(f"{name}.toml") for name in FILES},
        **check_own(own or {}),
        "options": msgspec.json.encode(dict(options), order="sorted"),
    }
    raise_mistakes("scenario", open_secrets(data_set(blobs)))
    return blobs


def open_secrets(data: TanksData) -> Iterator[Mistake]:
    """T2.4 Report cards listed in a scenario; it is public, so that face-down cards must be chosen or dealt."""
    for platoon in data.scenario.platoon:
        for card in (card for fielded in platoon.tanks for card in fielded.cards):
            why = f"a scenario cannot list {card!r}: everyone can read it. Give the platoon card_points."
            yield Mistake(f"platoon of {platoon.seat}", why, rule="T2.4")


def chooses(scenario: str) -> bool:
    """T4 Whether players choose their platoons in this scenario."""
    return bool(read_toml(packaged(f"scenarios/{scenario}.toml"), scenario)["choose"])


def typed_option(name: str, value: Any) -> Any:
    """Convert an option to its type: forms and command lines give numbers as text."""
    return int(value) if name in NUMBERS and isinstance(value, str) and value.strip().isdecimal() else value


def check_own(own: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """T2 Refuse an owner's files other than those of cards, terrain and modifiers."""
    unknown = sorted(set(own) - set(FILES))
    if unknown:
        legal = ", ".join(FILES)
        why = f"no file with that name can be replaced; these can: {legal}."
        raise DataError("own files", [Mistake(name, why, nearest(name, FILES)) for name in unknown])
    return own


def check_options(scenario: str, options: Mapping[str, Any]) -> None:
    """T4.1 Refuse unknown options. The book has players agree on the point limit; the arrow and the pace are ours."""
    refusals: list[Refusal] = []
    if scenario not in packaged_names("scenarios"):
        why = Objection("T3.1", say("no scenario has that name"))
        refusals.append(Unreadable(scenario, [why], close_to(scenario, packaged_names("scenarios"))))
    elif "points" in options and not chooses(scenario):
        why = Objection("T4.1", say("the platoons of this scenario are fixed"))
        refusals.append(Illegal("points", [why], ["no limit"]))
    for name, value in sorted(options.items()):
        refusals += _option_refusals(name, value)
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def _option_refusals(name: str, value: Any) -> Iterator[Refusal]:
    if name not in OPTIONS:
        yield Unreadable(name, [Objection("T3.1", say("no option has that name"))], close_to(name, OPTIONS))
    elif name == "pace" and value not in ("forms", "tank"):
        yield Unreadable(
            str(value), [Objection("T1.1", say("the pace must be `forms` or `tank`"))], ["forms", "tank"]
        )
    elif name == "points" and not (isinstance(value, int) and 15 <= value <= 500):
        yield Unreadable(str(value), [Objection("T4.1", say("the limit must be 15 to 500 points"))], ["50", "100"])
    elif name == "arrow_mm" and not (isinstance(value, int) and 50 <= value <= 200):
        yield Unreadable(str(value), [Objection("T5.1", say("the arrow must be 50 to 200 mm long"))], ["150"])


def data_set(blobs: Mapping[str, bytes]) -> TanksData:
    """The data in a match's blobs (frozen files); identical blobs are parsed only once."""
    return _data_set(tuple(sorted(blobs.items())))


@lru_cache(maxsize=32)
def _data_set(blobs: tuple[tuple[str, bytes], ...]) -> TanksData:
    data = unchecked_data(dict(blobs))
    raise_mistakes("data", mistakes_in(data))
    return data


def unchecked_data(files: Mapping[str, bytes]) -> TanksData:
    """Return the data in blobs, which may still refer to unknown tanks, cards or terrain."""
    given = {**read_toml(files["scenario"], "scenario"), **msgspec.json.decode(files["options"])}
    return TanksData(
        models=by_id(rows(files, "tanks", "tank", Model), "tanks"),
        cards=by_id(rows(files, "crew_and_upgrades", "card", Card), "crew_and_upgrades"),
        criticals=by_id(rows(files, "criticals", "critical", Critical), "criticals"),
        kinds=by_id(rows(files, "terrain", "kind", Kind), "terrain"),
        modifiers=rows(files, "defence_modifiers", "modifier", Modifier),
        scenario=convert(given, Scenario, "scenario"),
    )


R = TypeVar("R", Model, Card, Critical, Kind, Modifier)


def rows(files: Mapping[str, bytes], file: str, table: str, shape: type[R]) -> tuple[R, ...]:
    """Return the rows of a file; identical files are parsed only once."""
    return _rows(files[file], file, table, shape)


@lru_cache(maxsize=64)
def _rows(content: bytes, file: str, table: str, shape: type[R]) -> tuple[R, ...]:
    """Return the rows of a file; a refusal lists the mistakes in all rows."""
    given = read_toml(content, file)
    listed = given.get(table, ())
    named = [(row, f"{file}, {table} {row.get('id') or number}") for number, row in enumerate(listed, start=1)]
    unknown = sorted(set(given) - {table})
    found = [Mistake(file, f"there is no table {name!r}.", nearest(name, [table])) for name in unknown]
    found += [mistake for row, where in named for mistake in row_mistakes(row, shape, where)]
    raise_mistakes(file, found)
    return tuple(msgspec.convert(row, shape) for row in listed)


N = TypeVar("N", Model, Card, Critical, Kind)


def by_id(listed: Sequence[N], file: str) -> dict[str, N]:
    """Return rows by their ids, which must be unique."""
    twice = [id for id, count in Counter(row.id for row in listed).items() if count > 1]
    raise_mistakes(file, (Mistake(f"{file}, {id}", "the id is used more than once.") for id in twice))
    return {row.id: row for row in listed}


def mistakes_in(data: TanksData) -> Iterator[Mistake]:
    """T2 Yield each reference in cards and scenarios to something that does not exist."""

    def unknown(where: str, what: str, name: str, legal: Iterable[str]) -> Iterator[Mistake]:
        known = list(legal)
        if name not in known:
            yield Mistake(where, f"there is no {what} {name!r}.", nearest(name, known))

    for card in data.cards.values():
        named = (*card.effect.cures, *card.effect.repairs_again, *card.effect.repairs_always)
        for name in named:
            yield from unknown(f"card {card.id}", "critical", name, (*data.criticals, "*"))
        for name in card.tanks:
            yield from unknown(f"card {card.id}", "tank", name, data.models)
        yield from unknown(f"card {card.id}", "country", card.country, (*data.countries, GLOBAL))
    for platoon in data.scenario.platoon:
        where = f"platoon of {platoon.seat or 'nobody'}"
        yield from unknown(where, "seat", platoon.seat, SEATS)
        for fielded in platoon.tanks:
            yield from unknown(where, "tank", fielded.tank, data.models)
            for name in fielded.cards:
                yield from unknown(where, "card", name, data.cards)
    for piece in data.scenario.piece:
        yield from unknown(f"piece at {piece.at[0]}/{piece.at[1]}", "kind of terrain", piece.kind, data.kinds)
