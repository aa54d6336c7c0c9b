"""C0 Read `campaign.toml`, the file that a campaign is played with, and find every mistake in it.

    read_campaign     reads and checks a file; CampaignError lists every mistake with a likely correction
    Campaign          the whole file
    packaged_names    the campaigns that come with the server

The guide's page *Writing a campaign* describes the format for players.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import msgspec

from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.toml_text import parse_toml

Shape = Literal["tree", "map"]
Refit = Literal["missing", "repairs", "income", "arrivals"]
END: Final = "end"
DRAW: Final = "draw"
WORD: Final = re.compile("[a-z][a-z0-9_-]*")
"""An id that the order language can read."""
ORDER_WORDS: Final = ("send", "repair", "buy", "assign", "move", "appoint", "attack", "idle", "hold", "all", "to")
RESERVED: Final = (*ORDER_WORDS, "none", "battles", "public", "master", "server", DRAW, END)
"""Words of the order language and of staff letters that cannot be the id of a seat, battlegroup or province."""
MOST_STAGES: Final = 999
MOST_BYTES: Final = 200_000
Number = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Count = Annotated[int, msgspec.Meta(ge=1, le=99)]
Die = Annotated[int, msgspec.Meta(ge=1, le=6)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Place = Annotated[int, msgspec.Meta(ge=0, le=20)]


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C1.2 A commander under the commander in chief. If the seat is empty, the chief gives its orders."""

    id: str
    name: str


class Vehicle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C2.1 Units that a side starts with: `count` of a card, with their experience and their battlegroup, if any."""

    card: str
    count: Count = 1
    name: str = ""
    experience: Number = 0
    group: str = ""


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C1.2 A side: its commander in chief, its commanders, the letter of its units' ids, and what it starts with."""

    id: str
    name: str
    letter: str
    units: list[Vehicle]
    points: Number = 0
    home: str = ""
    chief: str = "Commander in chief"
    seats: list[Seat] = []
    leads: str = ""
    """C1.3 In a tree: the seat that leads the battles until the chief appoints another."""


class Battle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C3.1 A battle of a tree, and where each result leads; a result is the winner, `winner decisive` or `draw`."""

    id: str
    name: str
    scenario: str
    next: dict[str, str] = {}
    decisive: Number = 20
    handicap: str = ""
    """C3.8 A provision of the scenario's balance."""
    advantage: dict[str, Percent] = {}
    """The value of the ground to a side, as a percentage of its strength, for `simulate` with fast battles."""


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C5.3 A card for sale, at most `most` per stage; a unit arrives on a die roll of at least `arrives`."""

    side: str
    card: str
    cost: Annotated[int, msgspec.Meta(ge=1, le=100_000)]
    most: Count = 2
    arrives: Die = 3
    name: str = ""


class Grade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C4.3 A grade of the title, and the experience a unit needs for it."""

    name: str
    experience: Number = msgspec.field(name="from")


class Income(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C5.1 Points per stage: the base, less an amount for each campaign point of lead, and never below the floor."""

    base: Number = 100
    lead: Number = 10
    least: Number = 40
    rest: Number | None = None
    """C3.6 The points that a side gains by staying idle; if not set, both sides attack in every stage."""


class Experience(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C4.3 Experience for surviving a battle, for each kill and for a victory; and the experience of a new crew."""

    battle: Number = 1
    kill: Number = 1
    victory: Number = 1
    new_crew: Number = 0


class Repair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C5.2 A repair: percent of the unit's cost for each step of damage, and how many stages it takes."""

    percent: Percent = 15
    stages: Number = 1


class Salvage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C4.4, C4.5 Points for a captured unit, and the die roll on which a missing unit returns."""

    captured: Number = 15
    returns: Annotated[int, msgspec.Meta(ge=1, le=7)] = 4


class Points(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C6.1 Campaign points for a battle."""

    victory: Number = 2
    decisive: Number = 3
    draw: Number = 1


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C3.3, C3.4, C5.4 The most battles at once, the hours until one is decided by score, an army's maximum cost."""

    army: Number = 900
    battles: Count = 3
    battle_hours: Number = 0
    appeal_hours: Number = 0
    homes: bool = True
    """C6.2 Whether losing a home ends the campaign."""
    letters: Number = 0
    """C8.2 How many stages a staff letter takes to arrive."""


class Province(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C7.1 A province: its neighbours, its holder at the start, its value, its position on the map, its battle."""

    id: str
    name: str
    scenario: str
    at: tuple[Place, Place]
    to: list[str]
    side: str = ""
    value: Number = 1
    handicap: str = ""
    advantage: dict[str, Percent] = {}


class Season(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C1.4 A season, at whose first stage the campaign adopts the server's current corrections to the rules."""

    name: str
    stage: Annotated[int, msgspec.Meta(ge=1)] = msgspec.field(name="from")


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """C7.1 A battlegroup on the map, and the seat that commands it."""

    id: str
    name: str
    side: str
    province: str
    seat: str = ""


class Campaign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole campaign file."""

    name: str
    title: str
    shape: Shape
    stages: int
    side: list[Side]
    grade: list[Grade]
    text: str = ""
    first: str = ""
    room: Count = 12
    """C2.1 The most units of a side that can go into a battle."""
    options: dict[str, Any] = {}
    refit: tuple[Refit, ...] = ("missing", "income", "arrivals")
    """C5 The steps of a refit, in order; if repairs are not among them, repairs end when the next stage begins."""
    pinned: bool = False
    """C1.4 Whether battles also keep the rules corrections with which the season began."""
    season: list[Season] = []
    battle: list[Battle] = []
    purchase: list[Price] = []
    province: list[Province] = []
    group: list[Group] = []
    income: Income = Income()
    experience: Experience = Experience()
    repair: Repair = Repair()
    salvage: Salvage = Salvage()
    points: Points = Points()
    limits: Limits = Limits()

    @property
    def turns(self) -> int:
        """C6.2 The number of stages, under the name that other titles use."""
        return self.stages

    def grade_of(self, experience: int) -> str:
        """C4.3 The grade that belongs to an amount of experience."""
        reached = [grade for grade in self.grade if grade.experience <= experience]
        return max(reached, key=lambda grade: grade.experience).name

    def cost_of(self, side: str, card: str) -> int:
        """C5.3 The price of a card for a side; 50 if it is not for sale."""
        return next((row.cost for row in self.purchase if (row.side, row.card) == (side, card)), 50)

    def season_at(self, stage: int) -> Season | None:
        """C1.4 The season of a stage. A campaign with pinned rules and no seasons counts as one long season."""
        begun = [season for season in self.season if season.stage <= stage]
        if begun:
            return max(begun, key=lambda season: season.stage)
        return Season("", 1) if self.pinned else None

    def node(self, id: str) -> Battle:
        return next(battle for battle in self.battle if battle.id == id)

    @property
    def places(self) -> list[Battle | Province]:
        """C3.1 Where battles are fought: the battles of a tree, or the provinces."""
        return [*self.battle, *self.province]

    def place(self, id: str) -> Province:
        return next(province for province in self.province if province.id == id)


# --- mistakes ------------------------------------------------------------------------------------------------


MOST_LETTERS: Final = 200
"""The maximum number of characters in a name."""


class Mistake(msgspec.Struct, frozen=True):
    """One mistake: where it is, what is wrong, and what was probably meant."""

    where: str
    what: str
    instead: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f" Did you mean {self.instead}?" if self.instead else "")


class CampaignError(Unreadable):
    """A campaign file that cannot be used, with every mistake found in it."""

    def __init__(self, file: str, mistakes: Sequence[Mistake]) -> None:
        super().__init__(file, [Objection("C0", str(mistake)) for mistake in mistakes])
        self.mistakes = tuple(mistakes)

    def __str__(self) -> str:
        return "\n".join(map(str, self.mistakes))


BALANCE: Final = "balance.toml"
"""The measured balance of the packaged campaigns, with provisions that make them more even."""


def packaged_names() -> tuple[str, ...]:
    """The campaigns that come with the server."""
    entries = resources.files("pbem.campaigns.rules").joinpath("data").iterdir()
    files = [entry.name for entry in entries if entry.name.endswith(".toml") and entry.name != BALANCE]
    return tuple(sorted(name.removesuffix(".toml") for name in files))


def packaged(name: str) -> bytes:
    """The file of a campaign that comes with the server."""
    return resources.files("pbem.campaigns.rules").joinpath("data", f"{name}.toml").read_bytes()


def read_campaign(content: bytes, file: str = "campaign.toml") -> Campaign:
    """The campaign in a file, or a CampaignError with everything that is wrong in it."""
    if len(content) > MOST_BYTES:
        raise CampaignError(file, [Mistake("file", f"a campaign file has at most {MOST_BYTES} bytes.")])
    try:
        tables = parse_toml(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CampaignError(file, [Mistake("syntax", f"it cannot be read as TOML: {error}.")]) from error
    mistakes = list(_shape(tables, Campaign, ""))
    if mistakes:
        raise CampaignError(file, mistakes)
    campaign = msgspec.convert(tables, Campaign, strict=True)
    if mistakes := list(_sense(campaign)):
        raise CampaignError(file, mistakes)
    return campaign


def begun_campaign(content: bytes) -> Campaign:
    """Read the file of a campaign that has begun; checks added in later releases do not apply to it."""
    return msgspec.convert(parse_toml(content.decode("utf-8")), Campaign, strict=True)


def nearest(word: str, legal: Iterable[str]) -> str:
    return next(iter(difflib.get_close_matches(word, list(legal), n=1, cutoff=0.5)), "")


def _shape(table: Any, kind: Any, where: str) -> Iterator[Mistake]:
    """Yield a mistake for each unknown or missing key, and each value of the wrong type, in the whole file."""
    if not isinstance(table, dict):
        yield Mistake(where, "write a table with keys here.")
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key, value in table.items():
        place = f"{where}, {key}" if where else key
        if key not in fields:
            yield Mistake(place, "this key has no meaning here.", nearest(key, fields))
            continue
        yield from _value(value, fields[key].type, place)
    for key, field in fields.items():
        if field.required and key not in table:
            yield Mistake(f"{where}, {key}" if where else key, "this is missing.")


def _value(value: Any, kind: Any, place: str) -> Iterator[Mistake]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield from _shape(value, kind, place)
    elif get_origin(kind) is list and isinstance(value, list):
        for number, row in enumerate(value, 1):
            name = row.get("id", number) if isinstance(row, dict) else number
            yield from _value(row, get_args(kind)[0], f"{place} {name}")
    else:
        try:
            msgspec.convert(value, kind, strict=True)
        except msgspec.ValidationError as error:
            yield Mistake(place, f"{_in_words(str(error), value)}.")
        if isinstance(value, str) and place != "text":
            yield from _words_sense(value, place)


def _words_sense(value: str, place: str) -> Iterator[Mistake]:
    """Yield a mistake for each name that is not printable, or too long for subjects, lists and pictures."""
    if not value.isprintable():
        yield Mistake(place, "write it on one line in printable characters.")
    if len(value) > MOST_LETTERS:
        yield Mistake(place, f"write at most {MOST_LETTERS} characters.")


IN_WORDS: Final = (
    ("Expected `int`", "write a whole number"),
    ("Expected `str`", "write text in quotes"),
    ("Expected `bool`", "write true or false"),
    ("Expected `array`", "write a list"),
    ("Expected `object`", "write a table with keys here"),
    ("of length 2", "of two numbers"),
    (" >= ", " of at least "),
    (" <= ", " of at most "),
)


def _in_words(error: str, value: Any) -> str:
    what = error.partition(" - at ")[0].partition(", got ")[0]
    for theirs, ours in IN_WORDS:
        what = what.replace(theirs, ours)
    return f"{what} (it says {value!r})"


def _sense(campaign: Campaign) -> Iterator[Mistake]:
    """Yield the mistakes in the content of a file whose keys and types are right."""
    sides = {side.id for side in campaign.side}
    if len(sides) != 2:
        yield Mistake("side", "there are two sides with different ids.")
    if not 1 <= campaign.stages <= MOST_STAGES:
        yield Mistake("stages", f"a campaign has 1 to {MOST_STAGES} stages.")
    if not campaign.grade or min(grade.experience for grade in campaign.grade) > 0:
        yield Mistake("grade", "one grade must begin at experience 0.")
    if len({side.letter for side in campaign.side}) < len(campaign.side):
        yield Mistake("side", "the sides need different letters for the ids of their units.")
    for side in campaign.side:
        yield from _side_sense(campaign, side)
    for place, named in _sides_named(campaign):
        if named not in sides:
            yield Mistake(place, f"there is no side '{named}'.", nearest(named, sides))
    ids = [seat for side in campaign.side for seat in (side.id, *(seat.id for seat in side.seats))]
    yield from _twice("seat", ids)
    yield from _name_sense(campaign)
    yield from _table_sense(campaign)
    yield from _season_sense(campaign)
    yield from _tree_sense(campaign, sides) if campaign.shape == "tree" else _map_sense(campaign)
    yield from _useless_keys(campaign)


def _name_sense(campaign: Campaign) -> Iterator[Mistake]:
    """Yield a mistake for each name that players cannot read, and each id that they cannot write in orders."""
    seats = [seat for side in campaign.side for seat in side.seats]
    rows: list[tuple[str, Side | Seat | Province | Group]] = [
        *(("side", row) for row in campaign.side),
        *(("seat", row) for row in seats),
        *(("province", row) for row in campaign.province),
        *(("group", row) for row in campaign.group),
    ]
    for kind, row in rows:
        if not WORD.fullmatch(row.id):
            what = (
                "write lower-case letters, digits, - and _, beginning with a letter: players use this id in orders."
            )
            yield Mistake(f"{kind} {row.id}, id", what)
        if row.id in RESERVED:
            yield Mistake(f"{kind} {row.id}, id", f"'{row.id}' has a meaning of its own; choose another id.")
    for battle in campaign.battle:
        if battle.id == END:
            yield Mistake(f"battle {battle.id}, id", f"'{END}' has a meaning of its own; choose another id.")
    named = [("", campaign.name), *((f"{kind} {row.id}, ", row.name) for kind, row in rows)]
    named += [(f"battle {battle.id}, ", battle.name) for battle in campaign.battle]
    for where, name in named:
        if not name.strip():
            yield Mistake(f"{where}name", "write a name.")


def _table_sense(campaign: Campaign) -> Iterator[Mistake]:
    """Yield a mistake for each table that names something twice, and for each step that a refit lacks."""
    yield from _twice("refit", campaign.refit)
    yield from _twice("grade", [grade.name for grade in campaign.grade])
    if len({grade.experience for grade in campaign.grade}) < len(campaign.grade):
        yield Mistake("grade", "two grades begin at the same experience.")
    yield from _twice("purchase", [f"{row.card} of {row.side}" for row in campaign.purchase])
    if "missing" not in campaign.refit:
        yield Mistake("refit", "'missing' is not among the steps: missing units would never come back.")
    if campaign.purchase and "arrivals" not in campaign.refit:
        yield Mistake("refit", "'arrivals' is not among the steps: units that are bought would never arrive.")


def _useless_keys(campaign: Campaign) -> Iterator[Mistake]:
    """Yield a mistake for each key that applies only to the other shape of campaign, a tree or a map."""
    if campaign.shape == "tree":
        found = [("province", campaign.province), ("group", campaign.group)]
        found += [(f"side {side.id}, home", side.home) for side in campaign.side]
        yield from (Mistake(where, "this has no effect in a tree.") for where, value in found if value)
    else:
        found = [("battle", campaign.battle), ("first", campaign.first)]
        found += [(f"side {side.id}, leads", side.leads) for side in campaign.side]
        yield from (Mistake(where, "this has no effect on a map.") for where, value in found if value)


def _twice(what: str, ids: Iterable[str]) -> Iterator[Mistake]:
    for id, count in Counter(ids).items():
        if count > 1:
            yield Mistake(f"{what} {id}", f"the id is used {count} times.")


def _sides_named(campaign: Campaign) -> Iterator[tuple[str, str]]:
    yield from ((f"purchase {row.card}, side", row.side) for row in campaign.purchase)
    yield from ((f"group {row.id}, side", row.side) for row in campaign.group)
    yield from ((f"province {row.id}, side", row.side) for row in campaign.province if row.side)
    for row in campaign.places:
        yield from ((f"{type(row).__name__.lower()} {row.id}, advantage", side) for side in row.advantage)


def _season_sense(campaign: Campaign) -> Iterator[Mistake]:
    begins = [season.stage for season in campaign.season]
    if begins and begins[0] != 1:
        yield Mistake("season", "the first season begins with stage 1.")
    if begins != sorted(set(begins)):
        yield Mistake("season", "seasons follow one another: each begins with a later stage than the one before.")
    for season in campaign.season:
        if season.stage > campaign.stages:
            yield Mistake(f"season {season.name}, from", f"the campaign has only {campaign.stages} stages.")


def _side_sense(campaign: Campaign, side: Side) -> Iterator[Mistake]:
    if not (len(side.letter) == 1 and side.letter.isascii() and side.letter.islower()):
        yield Mistake(f"side {side.id}, letter", "write one lower-case letter.")
    if sum(row.count for row in side.units) < 1:
        yield Mistake(f"side {side.id}, units", "a side begins with at least one unit.")
    groups = {group.id for group in campaign.group if group.side == side.id}
    for row in side.units:
        if row.group and row.group not in groups:
            what = f"the side has no group '{row.group}'."
            yield Mistake(f"side {side.id}, unit {row.card}", what, nearest(row.group, groups))
    seats = [side.id, *(seat.id for seat in side.seats)]
    if side.leads and side.leads not in seats:
        yield Mistake(f"side {side.id}, leads", f"the side has no seat '{side.leads}'.", nearest(side.leads, seats))


def _tree_sense(campaign: Campaign, sides: set[str]) -> Iterator[Mistake]:
    nodes = [battle.id for battle in campaign.battle]
    yield from _twice("battle", nodes)
    if campaign.first not in nodes:
        what = f"the campaign begins with '{campaign.first}', which is not a battle."
        yield Mistake("first", what, nearest(campaign.first, nodes))
    results = [DRAW, *sorted(sides), *(f"{side} decisive" for side in sorted(sides))]
    for battle in campaign.battle:
        for result, goal in battle.next.items():
            place = f"battle {battle.id}, next"
            if result not in results:
                yield Mistake(place, f"'{result}' is not a result.", nearest(result, results))
            if goal not in (*nodes, END):
                yield Mistake(place, f"'{result}' leads to '{goal}', which is not a battle.", nearest(goal, nodes))
        for result in [result for result in results[: 1 + len(sides)] if result not in battle.next]:
            yield Mistake(f"battle {battle.id}, next", f"it does not say where '{result}' leads: a battle, or end.")
    ways = {battle.id: list(battle.next.values()) for battle in campaign.battle}
    reached = _reachable_places([campaign.first], ways) if campaign.first in nodes else set(nodes)
    for id in [id for id in nodes if id not in reached]:
        yield Mistake(f"battle {id}", "no result leads to this battle.")


def _reachable_places(begin: Iterable[str], ways: Mapping[str, Sequence[str]]) -> set[str]:
    """The places that can be reached from the first ones."""
    found, waiting = set[str](), list(begin)
    while waiting:
        place = waiting.pop()
        if place not in found:
            found.add(place)
            waiting += ways.get(place, ())
    return found


def _map_sense(campaign: Campaign) -> Iterator[Mistake]:
    provinces = {province.id: province for province in campaign.province}
    yield from _twice("province", [province.id for province in campaign.province])
    yield from _twice("group", [group.id for group in campaign.group])
    for province in campaign.province:
        for other in province.to:
            if other not in provinces:
                what = f"its neighbour '{other}' is not a province."
                yield Mistake(f"province {province.id}, to", what, nearest(other, provinces))
            elif province.id not in provinces[other].to:
                yield Mistake(f"province {province.id}, to", f"{other} does not name it as a neighbour in turn.")
    places = Counter(province.at for province in campaign.province)
    for province in campaign.province:
        if places[province.at] > 1:
            yield Mistake(f"province {province.id}, at", "two provinces are drawn at the same place.")
    homes = [side.home for side in campaign.side]
    if len(set(homes)) < len(homes):
        yield Mistake("side", f"both sides have their home in {homes[0]}.")
    ways = {province.id: province.to for province in campaign.province}
    reached = _reachable_places(homes[:1], ways) if set(homes) <= set(provinces) else set(provinces)
    for id in [id for id in provinces if id not in reached]:
        yield Mistake(f"province {id}, to", f"it cannot be reached from {homes[0]}.")
    for side in campaign.side:
        if side.home not in provinces:
            what = f"its home '{side.home}' is not a province."
            yield Mistake(f"side {side.id}, home", what, nearest(side.home, provinces))
        elif provinces[side.home].side != side.id:
            yield Mistake(f"side {side.id}, home", f"the side does not hold {side.home} at the start.")
        seats = {"", side.id, *(seat.id for seat in side.seats)}
        for group in [group for group in campaign.group if group.side == side.id]:
            if group.seat not in seats:
                what = f"the side has no seat '{group.seat}'."
                yield Mistake(f"group {group.id}, seat", what, nearest(group.seat, seats))
            if group.province not in provinces:
                what = f"'{group.province}' is not a province."
                yield Mistake(f"group {group.id}, province", what, nearest(group.province, provinces))


def against_title(campaign: Campaign, battles: Sequence[str], cards: Mapping[str, str]) -> Iterator[Mistake]:
    """Yield a mistake for each scenario with slots, and each card, that the title does not have."""
    wanted = [(f"battle {battle.id}", battle.scenario) for battle in campaign.battle]
    wanted += [(f"province {province.id}", province.scenario) for province in campaign.province]
    for where, scenario in wanted:
        if scenario not in battles:
            what = f"{campaign.title} has no scenario with slots called '{scenario}'."
            yield Mistake(f"{where}, scenario", what, nearest(scenario, battles))
    rows: list[tuple[str, str]] = [
        (f"side {side.id}, units", row.card) for side in campaign.side for row in side.units
    ]
    rows += [(f"purchase of {row.side}", row.card) for row in campaign.purchase]
    for where, card in rows:
        if card not in cards:
            yield Mistake(where, f"{campaign.title} has no card '{card}'.", nearest(card, cards))
