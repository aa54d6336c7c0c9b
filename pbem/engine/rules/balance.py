"""The balance of a scenario: what bots have measured, and provisions that make a side's task harder.

Each title has a file `balance.toml`. For every scenario it holds the share of wins between bots of equal skill and a
list of provisions for each side, from a small handicap to a large one. A provision is a change of the scenario's own
data, so a match with a handicap is an ordinary match of a slightly different scenario.

    [duel]
    matches = 200
    won = {german = 96, british = 104}

    [[duel.provision]]
    side = "german"                                     # the side that gives the handicap
    words = "The well is worth 5 points to the Germans."
    changes = {"objective.well.vp.german" = 5}
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
import tomli_w

from pbem.engine.rules.refusals import Illegal, Objection, Unreadable

LOW, HIGH = 45, 55
"""A scenario is even if the interval of its share of wins reaches into this range of percentages."""
KEYS = ("id", "seat", "name")
"""A step of a path finds a table in a list by the first of these that the table has."""


class Provision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A handicap that a side gives: the words players read, and the changes of the scenario's data."""

    side: str
    words: str
    changes: dict[str, Any]


class Balance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a scenario's balance."""

    matches: int = 0
    won: dict[str, int] = {}
    """Matches won by each side; the rest were drawn."""
    provision: tuple[Provision, ...] = ()

    def of(self, side: str) -> tuple[Provision, ...]:
        """Return the provisions of a side: step 1 is the first."""
        return steps_of(self.provision, side)


@cache
def packaged_balances(package: str) -> dict[str, Balance]:
    """Return the balance of every scenario of a title's package; a title without the file says nothing."""
    from importlib import resources  # loads much that the engine has no use for

    file = resources.files(package).joinpath("data", "balance.toml")
    return read_balances(file.read_bytes()) if file.is_file() else {}


def read_balances(content: bytes) -> dict[str, Balance]:
    """Read a title's balance file."""
    return msgspec.convert(tomllib.loads(content.decode()), dict[str, Balance])


def provision_for(balance: Balance, handicap: str) -> Provision:
    """Return the provision that a word such as `german 2` means: the second step of the German side."""
    side, _, number = handicap.rpartition(" ")
    steps = balance.of(side)
    if not number.isdecimal() or not 0 < int(number) <= len(steps):
        known = [f"{one} {step}" for one in sides_of(balance) for step in range(1, len(balance.of(one)) + 1)]
        raise Unreadable(handicap, [Objection("pbem/balance", "this scenario has no such handicap")], known)
    return steps[int(number) - 1]


def steps_of(provisions: Sequence[Provision], side: str) -> tuple[Provision, ...]:
    """Return the provisions of a side: step 1 is the first."""
    return tuple(one for one in provisions if one.side == side)


def sides_of(balance: Balance) -> tuple[str, ...]:
    """Return the sides that can give a handicap, in the order of the file."""
    return tuple(dict.fromkeys(one.side for one in balance.provision))


def handicapped(blobs: Mapping[str, bytes], provision: Provision) -> dict[str, bytes]:
    """Return the blobs of a match with a provision's changes in its scenario."""
    as_json = blobs["scenario"].startswith(b"{")
    document = msgspec.json.decode(blobs["scenario"]) if as_json else tomllib.loads(blobs["scenario"].decode())
    for path, value in provision.changes.items():
        change(document, path.split("."), value)
    if isinstance(text := document.get("text"), str):
        document["text"] = f"{text.rstrip()}\n\nHandicap: {provision.words}\n"
    return {**blobs, "scenario": msgspec.json.encode(document) if as_json else tomli_w.dumps(document).encode()}


def change(document: Any, path: Sequence[str], value: Any) -> None:
    """Set a value in a document. The place must be there: a provision changes a scenario and adds nothing to it."""
    *way, last = path
    for step in way:
        document = entered(document, step, path)
    place = _place(document, last)
    if place is None:
        raise missing(path)
    document[place] = value


def entered(document: Any, step: str, path: Sequence[str]) -> Any:
    """Return what a step of a path leads to."""
    place = _place(document, step)
    if place is None:
        raise missing(path)
    return document[place]


def _place(document: Any, step: str) -> Any:
    if isinstance(document, dict):
        return step if step in document else None
    if isinstance(document, list):
        for place, table in enumerate(document):
            if isinstance(table, dict) and step in [table[key] for key in KEYS if key in table]:
                return place
        return int(step) if step.isdecimal() and int(step) < len(document) else None
    return None


def missing(path: Sequence[str]) -> Illegal:
    """Return the refusal of a provision whose place is not in the scenario."""
    return Illegal(".".join(path), [Objection("pbem/balance", "the scenario has nothing at this place")])
