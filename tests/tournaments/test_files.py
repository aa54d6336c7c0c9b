"""Entry lists, custom pairings and TRF files: every mistake is listed with its line."""

from __future__ import annotations

import pytest

from pbem.tournaments import events as said
from pbem.tournaments.files import trf
from pbem.tournaments.files.entry_list import Known, read_entries
from pbem.tournaments.files.pairings_list import read_pairings
from pbem.tournaments.files.trial import Stream
from pbem.tournaments.model import Settings

CUP = Settings("Cup", "toy", rounds=5, highest_rating=2000)
KNOWN = Known(CUP, {"ann": "a1", "bob": "a2", "cem": "a3"}, ("Zoe",), ("a3",), 2)

MISTAKES = {
    "empty": (b"  \n", 0),
    "encoding": (b"name\n\xff\xfeAnn\n", 2),
    "binary": (b"name\nAnn\0\n", 2),
    "quotes": (b'name\n"Ann\n', 2),
    "header": (b"nickname,rating\nAnn,1\n", 1),
    "unknown column": (b"name,shoe size\nAnn,44\n", 1),
    "column twice": (b"name,rating,rating\nAnn,1,1\n", 1),
    "no entries": (b"name\n", 0),
    "too few cells": (b"name,rating\nAnn\n", 2),
    "too many cells": (b"name\nAnn,1500\n", 2),
    "no name": (b"name,rating\n,1500\n", 2),
    "long name": (b"name\n" + b"A" * 61 + b"\n", 2),
    "control sign": ("name\nAnn\u202e\n".encode(), 2),
    "formula": (b"name\n=cmd()\n", 2),
    "no letters": (b"name\n12345\n", 2),
    "name twice": (b"name\nAnn\nBob\nann\n", 4),
    "already entered": (b"name\nAnn\nZOE\n", 3),
    "unknown account": (b"name,account\nAnn,nobody\n", 2),
    "account twice": (b"name,account\nAnn,ann\nAnna,Ann\n", 3),
    "account entered": (b"name,account\nCem,cem\n", 2),
    "bad address": (b"name,address\nAnn,ann at home\n", 2),
    "rating not a number": (b"name,rating\nAnn,strong\n", 2),
    "rating out of range": (b"name,rating\nAnn,-5\n", 2),
    "rating limit": (b"name,rating\nAnn,2100\n", 2),
    "bye not a number": (b"name,byes\nAnn,last\n", 2),
    "bye out of range": (b"name,byes\nAnn,9\n", 2),
    "bye kind": (b"name,byes\nAnn,3=full\n", 2),
    "bye twice": (b"name,byes\nAnn,3 3\n", 2),
    "too many byes": (b"name,byes\nAnn,3 4 5\n", 2),
    "past round": (b"name,from_round\nAnn,1\n", 2),
    "from_round out of range": (b"name,from_round\nAnn,7\n", 2),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_is_named_with_its_line(kind: str) -> None:
    content, line = MISTAKES[kind]

    found = read_entries(content, KNOWN)

    assert [(mistake.kind, mistake.line) for mistake in found.mistakes] == [(kind, line)]


def test_all_mistakes_of_a_file_come_at_once() -> None:
    found = read_entries(b"name,rating\nAnn,1500\n,9\nBob,x\nAnn,1\n", KNOWN)

    assert [(m.line, m.kind) for m in found.mistakes] == [
        (3, "no name"),
        (4, "rating not a number"),
        (5, "name twice"),
    ]
    assert [entry.name for entry in found.entries] == ["Ann"]


@pytest.mark.parametrize(
    "content",
    [
        b"name,account,rating\nAnn,ann,1500\n",
        b"\xef\xbb\xbfName;Account;Rating\r\nAnn;ANN;1500\r\n",
        b"player\tusername\telo\rAnn\tann\t1500\r",
        b'name,account,rating\n\n"Ann",ann,1500\n\n',
    ],
)
def test_spreadsheets_of_every_kind_are_read(content: bytes) -> None:
    found = read_entries(content, KNOWN)

    assert not found.mistakes
    assert [(entry.name, entry.account, entry.rating) for entry in found.entries] == [("Ann", "a1", 1500)]


def test_the_lines_of_a_team_are_its_boards() -> None:
    known = Known(Settings("Cup", "toy", boards=2))
    found = read_entries(b"name,team,rating\nAnn,Reds,1600\nBob,Reds,1400\nCem,Blues,1500\n", known)

    reds = found.entries[0]
    assert (reds.name, reds.members, reds.rating) == ("Reds", ("Ann", "Bob"), 1500)
    assert [(m.line, m.kind) for m in found.mistakes] == [(4, "team size")]


# Own pairings ------------------------------------------------------------------------------------------------

ENTRANTS = {"ann": 1, "bob": 2, "cem": 3, "dee": 4}


def test_own_pairings_are_read_with_sides_and_scenarios() -> None:
    content = b"round,entrant,entrant,side,scenario\n2,Ann,Bob,blue,hill\n2,Cem,Dee,,\n"
    found = read_pairings(content, ENTRANTS, ("red", "blue"), ("hill",), 2)

    assert not found.mistakes
    assert [(p.round, p.entrants, p.scenario) for p in found.pairs] == [(2, (2, 1), "hill"), (2, (3, 4), "")]


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ("x,Ann,Bob,,", "round"),
        ("1,Ann,Bob,,", "past round"),
        ("2,Ann,,,", "no entrant"),
        ("2,Ann,Eve,,", "unknown entrant"),
        ("2,Ann,Ann,,", "with oneself"),
        ("2,Ann,Bob,green,", "unknown side"),
        ("2,Ann,Bob,,moon", "unknown scenario"),
        ("2,Cem,Dee,,\n2,Ann,Cem,,", "paired twice"),
    ],
)
def test_a_wrong_pairing_is_named(row: str, kind: str) -> None:
    content = f"round,entrant,entrant,side,scenario\n{row}\n".encode()
    found = read_pairings(content, ENTRANTS, ("red", "blue"), ("hill",), 2)

    assert [mistake.kind for mistake in found.mistakes] == [kind]


# TRF ---------------------------------------------------------------------------------------------------------


def a_cup() -> Stream:
    stream = Stream(Settings("Autumn Cup", "toy", rounds=4, accelerated=True))
    stream.enter(["Ann", "Bob", "Cem", "Dee", "Eve"], [1800, 1700, 1600, 1500, 0])
    stream.say(said.PairingForbidden((1, 2), "siblings"))
    stream.say(said.EntryAbsent(4, 2, "half"))
    for pairing in stream.pair(1).pairings:
        stream.result(1, pairing.number, ("won", "lost"))
    for pairing in stream.pair(2).pairings:
        stream.say(said.ResultRecorded(2, pairing.number, "forfeit", ("won", "lost"), (10, 0)))
    return stream


@pytest.mark.parametrize("edition", ["trf16", "trf26"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_a_written_file_is_read_back(edition: str, ends: str) -> None:
    record = a_cup().record
    found = trf.read(trf.write(record, edition).replace("\n", ends).encode())

    assert not found.mistakes
    assert (found.name, found.rounds, found.forbidden) == ("Autumn Cup", 4, ((1, 2),))
    assert [(p.number, p.name, p.rating) for p in found.players][:2] == [(1, "Ann", 1800), (2, "Bob", 1700)]
    from pbem.tournaments.ranking.standings import standings

    points = {row.name: row.points for row in standings(record)}
    assert {player.name: player.points for player in found.players} == points
    if edition == "trf26":
        assert found.absences == ((2, 4, "half"),)


def test_the_columns_are_those_of_the_published_format() -> None:
    lines = trf.write(a_cup().record, "trf26").splitlines()
    ann = next(line for line in lines if line.startswith("001    1"))

    assert ann[14:17] == "Ann"
    assert ann[48:52] == "1800"
    assert ann[91:99].split()[1] in ("w", "b", "-")
    assert "250  0.0  1.0 001 001 0001 0004" in lines
    assert "260 001 004 0001 0002" in lines
    assert "240 H 002 0004" in lines


def test_files_in_use_that_depart_from_the_format_are_read() -> None:
    content = (
        "001    1 u    Ann                               1500                             1.0    1     2 w 1\r"
        "001    2      Bob                                                                0.0    2     1 b 0\r"
    )
    found = trf.read(content.encode())

    assert not found.mistakes
    assert [player.cells[0].letter for player in found.players] == ["1", "0"]


@pytest.mark.parametrize(
    ("change", "kind"),
    [(("2 w 1", "3 w 1"), "unknown opponent"), (("   1 b 0", "0000 - Z"), "one-sided"), (("w 1", "w ?"), "line 001")],
)
def test_contradictions_are_named_by_line(change: tuple[str, str], kind: str) -> None:
    content = (
        "001    1      Ann                               1500                             1.0    1     2 w 1\n"
        "001    2      Bob                               1400                             0.0    2     1 b 0\n"
    ).replace(*change)
    found = trf.read(content.encode())

    assert kind in [mistake.kind for mistake in found.mistakes]
    assert found.mistakes[0].line == 1
