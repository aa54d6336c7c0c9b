"""`pbem campaign check` explains every mistake in a campaign file, and lists several at once."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from pbem.campaigns.rules import file
from pbem.campaigns.rules.file import packaged
from pbem.campaigns.rules.title import CampaignTitle
from pbem.engine.rules.refusals import Refusal
from pbem.titles.registry import TITLES

TITLE = CampaignTitle(TITLES)
B, F, R = "battlegroup", "front", "river"

BROKEN: list[tuple[str, str, str, str]] = [
    # Syntax and shape
    (B, "stages = 5", "stages = ", "cannot be read as TOML"),
    (B, "stages = 5", "stages = 5\nstages = 6", "cannot be read as TOML"),
    (B, 'shape = "tree"', 'shape = "tre"', "shape"),
    (B, "stages = 5", 'stages = "five"', "write a whole number (it says 'five')"),
    (B, "stages = 5", "stages = 5.5", "write a whole number"),
    (B, 'name = "The state farm"', 'name = "The\\u0000farm"', "on one line in printable characters"),
    (B, 'name = "The state farm"', 'name = "The\\nfarm"', "on one line in printable characters"),
    (B, 'name = "The state farm"', 'name = "The \\u202efarm"', "on one line in printable characters"),
    (B, 'name = "PzIVH"', 'name = "' + 300 * "x" + '"', "at most 200 characters"),
    (B, "stages = 5\n", "", "stages: this is missing"),
    (B, "stages = 5", "stage = 5", "Did you mean stages?"),
    (B, "room = 12", "rooms = 12", "Did you mean room?"),
    (B, 'letter = "g"\n', "", "side german, letter: this is missing"),
    (B, "[income]", "[incomes]", "Did you mean income?"),
    (B, "victory = 2", "victory = true", "victory"),
    (B, "units = [\n", 'units = ["pz4h",\n', "write a table with keys here"),
    # Numbers that make no sense
    (B, "stages = 5", "stages = 0", "1 to 999 stages"),
    (B, "stages = 5", "stages = 5000", "1 to 999 stages"),
    (B, "room = 12", "room = 0", "room"),
    (B, "room = 12", "room = 40", "room"),
    (B, "count = 4", "count = 0", "write a whole number of at least 1"),
    (B, "count = 4", "count = -4", "write a whole number of at least 1"),
    (B, "points = 60", "points = -60", "points"),
    (B, "army = 850", "army = -1", "army"),
    (B, "battle_hours = 2160", "battle_hours = -1", "battle_hours"),
    (B, "cost = 61\n", "cost = -61\n", "cost"),
    (B, "cost = 61\narrives = 3", "cost = 61\narrives = 7", "arrives"),
    (B, "cost = 61\n", "cost = 61\nmost = 0\n", "most"),
    (B, "percent = 15", "percent = -15", "percent"),
    (B, "returns = 4", "returns = 9", "returns"),
    (B, "count = 4", "count = 400", "of at most 99"),
    # Names
    (B, 'letter = "g"', 'letter = "s"', "different letters"),
    (B, 'letter = "g"', 'letter = "German"', "write one lower-case letter"),
    (B, 'id = "soviet"', 'id = "german"', "two sides with different ids"),
    (B, 'first = "meeting"', 'first = "meting"', "Did you mean meeting?"),
    (B, 'german = "village"\n', 'german = "vilage"\n', "Did you mean village?"),
    (B, 'draw = "meeting"\n', "", "it does not say where 'draw' leads"),
    (B, '"german decisive" = "sovkhoz"', '"german decisiv" = "sovkhoz"', "Did you mean german decisive?"),
    (B, 'id = "village"', 'id = "meeting"', "the id is used 2 times"),
    (B, 'scenario = "meeting"', 'scenario = "meating"', "Did you mean meeting?"),
    (B, 'card = "stug3g", count', 'card = "stug3h", count', "Did you mean stug3g?"),
    (B, 'title = "panzer"', 'title = "panzr"', "no title is called 'panzr'"),
    (B, "from = 0", "from = 2", "one grade must begin at experience 0"),
    (B, 'name = "veteran"', 'name = "heroic"', "grade"),
    (F, 'home = "railhead"', 'home = "railhed"', "Did you mean railhead?"),
    (F, 'to = ["ford", "station"]', 'to = ["ford"]', "does not name it as a neighbour in turn"),
    (F, 'province = "mill"', 'province = "mil"', "Did you mean mill?"),
    (F, 'seat = "german1"', 'seat = "soviet1"', "the side has no seat 'soviet1'"),
    (F, 'group = "north"', 'group = "first"', "the side has no group 'first'"),
    (F, "at = [3, 2]", "at = [3, 1]", "at the same place"),
    (F, "at = [3, 2]", "at = [-3, 2]", "at"),
    (F, "at = [3, 2]", "at = [3]", "at"),
    (R, 'handicap = "german 1"', 'handicap = "german 9"', "no handicap with that name"),
    (R, "advantage = {german", "advantage = {germans", "Did you mean german?"),
    (B, 'name = "veteran"', 'name = "seasoned"', "grade seasoned: the id is used 2 times"),
    (B, "from = 12", "from = 7", "two grades begin at the same experience"),
    (R, 'card = "german-447"\ncost', 'card = "german-467"\ncost', "german-467 of german: the id is used 2 times"),
    (R, 'card = "german-447"\ncost', 'card = "british-457"\ncost', "is not of the nationality of its side"),
    (B, "stages = 5", 'stages = 5\nrefit = ["income"]', "refit: 'missing' is not among the steps"),
    (B, "stages = 5", 'stages = 5\nrefit = ["missing"]', "refit: 'arrivals' is not among the steps"),
    (B, "stages = 5", 'stages = 5\noptions = {fog = "thick"}', "no option has that name"),
    (B, "stages = 5", 'stages = 5\noptions = {edition = "1066"}', "no edition has that name"),
    (R, "stages = 5", 'stages = 5\noptions = {fog = "thick"}', "fog"),
    (B, 'name = "The road to Vodyanoye"', 'name = " "', "name: write a name"),
    (B, 'name = "Battlegroup Ostermann"', 'name = ""', "side german, name: write a name"),
    (F, 'home = "railhead"', 'home = "station"', "both sides have their home in station"),
    (
        F,
        'side = "german"\nvalue = 3',
        'side = "soviet"\nvalue = 3',
        "side german, home: the side does not hold railhead",
    ),
    (F, 'letter = "g"', 'letter = "g"\nleads = "german1"', "leads: this has no effect on a map"),
    (F, "stages = 12", 'stages = 12\nfirst = "mill"', "first: this has no effect on a map"),
    (B, 'letter = "g"', 'letter = "g"\nhome = "meeting"', "home: this has no effect in a tree"),
    (B, "count = 4", 'count = 4, group = "north"', "the side has no group 'north'"),
    (R, 'british = "bridge"', 'british = "end"', "battle bridge: no result leads to this battle"),
]

RENAMED: list[tuple[str, str, str, str]] = [
    (B, "german", "axis", "has no side 'axis'"),
    (B, "german", "public", "'public' has a meaning of its own"),
    (B, "village", "end", "'end' has a meaning of its own"),
    (F, "mill", "the mill", "write lower-case letters, digits"),
    (F, "mill", "Mill", "write lower-case letters, digits"),
    (F, "north", "to", "'to' has a meaning of its own"),
    (R, "british2", "battles", "'battles' has a meaning of its own"),
    (R, "british2", "b 2", "write lower-case letters, digits"),
]
"""Names that are wrong everywhere they occur in a file."""


@pytest.mark.parametrize(("name", "old", "new", "said"), BROKEN, ids=lambda value: str(value)[:24])
def test_every_mistake_is_explained(name: str, old: str, new: str, said: str) -> None:
    content = packaged(name).decode()
    assert old in content
    with pytest.raises(Refusal) as refused:
        TITLE.check(content.replace(old, new, 1).encode())
    assert said in str(refused.value)


@pytest.mark.parametrize(("name", "old", "new", "said"), RENAMED, ids=lambda value: str(value)[:24])
def test_names_that_orders_cannot_use_are_explained(name: str, old: str, new: str, said: str) -> None:
    content = re.sub(rf'"{old}( decisive)?"|^{old}(?= =)', rf'"{new}\1"', packaged(name).decode(), flags=re.M)
    content = content.replace(f'scenario = "{new}"', f'scenario = "{old}"')
    with pytest.raises(Refusal) as refused:
        TITLE.check(content.encode())
    assert said in str(refused.value)


def test_all_mistakes_of_a_kind_are_named_together() -> None:
    content = (
        packaged(B).decode().replace('first = "meeting"', 'first = "x"').replace('draw = "village"', 'draw = "x"', 1)
    )
    with pytest.raises(Refusal) as refused:
        TITLE.check(content.replace('letter = "g"', 'letter = "G"').encode())
    assert str(refused.value).count("\n") == 2


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"x = 1", b"[[side]]\n" * 5000, b"a = " + b"[" * 3000])
def test_nonsense_is_refused_and_never_crashes(content: bytes) -> None:
    with pytest.raises(Refusal):
        TITLE.check(content)


def test_the_guide_explains_every_key_of_a_file() -> None:
    """The guide explains every key of a campaign file, so that a player can write one."""
    guide = (
        (Path(file.__file__).parents[2] / "guide" / "campaigns.md").read_text().partition("## Writing a campaign")[2]
    )
    tables = (file.Campaign, file.Side, file.Seat, file.Vehicle, file.Battle, file.Province, file.Group, file.Season)
    rates = (
        file.Price,
        file.Grade,
        file.Income,
        file.Experience,
        file.Repair,
        file.Salvage,
        file.Points,
        file.Limits,
    )
    for table in (*tables, *rates):
        for field in msgspec.structs.fields(table):
            assert re.search(rf"\b{field.encode_name}\b", guide), f"{table.__name__}.{field.encode_name}"
