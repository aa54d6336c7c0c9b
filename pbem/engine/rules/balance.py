"""The balance of a scenario: bots' results, and provisions that make a side's task harder.

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
from math import isqrt
from typing import Any

import msgspec
import tomli_w

from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.engine.text.toml_text import parse_toml

LOW, HIGH = 45, 55
"""A scenario is even if the interval of its share of wins overlaps this range of percentages."""
KEYS = ("id", "seat", "name")
"""A path step finds a table in a list by the first of these keys that the table has."""


class Provision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A handicap that a side gives: the words players read, and the changes to the scenario's data."""

    side: str
    words: str
    changes: dict[str, Any]


class Balance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The known balance of a scenario."""

    matches: int = 0
    won: dict[str, int] = {}
    """Matches won by each side; the rest were drawn."""
    provision: tuple[Provision, ...] = ()

    def of(self, side: str) -> tuple[Provision, ...]:
        """Return a side's provisions, of which the first is step 1."""
        return steps_of(self.provision, side)

    def share(self, side: str) -> int:
        """Return a side's share of wins in thousandths; a draw counts half."""
        return (1000 * self.won.get(side, 0) + 500 * self.draws) // self.matches if self.matches else 500

    @property
    def draws(self) -> int:
        """How many matches were drawn."""
        return self.matches - sum(self.won.values())

    def favours(self) -> str:
        """Return the side that a scenario favours; empty if the interval overlaps the even range."""
        for side in self.won:
            low, high = wilson(self.share(side), 1000 * self.matches)
            if low > 10 * HIGH:
                return side
            if high < 10 * LOW:
                return next(other for other in self.won if other != side)
        return ""

    def leans_to(self) -> str:
        """Return the side whose whole interval is above one half; empty if there is none."""
        sides = (side for side in self.won if wilson(self.share(side), 1000 * self.matches)[0] > 500)
        return next(sides, "") if self.matches else ""

    def sentence(self) -> Message | None:
        """Return the bots' results in words, if there are any."""
        if not self.matches or not self.won:
            return None
        side = next(iter(self.won))
        low, high = wilson(self.share(side), 1000 * self.matches)
        return say(
            "{side} scored {share}% in {matches} matches between equal bots (95% confidence interval "
            "{low} to {high}%): {verdict}",
            side=side_name(side),
            share=self.share(side) // 10,
            matches=self.matches,
            low=low // 10,
            high=-(-high // 10),
            verdict=self.verdict(),
        )

    def verdict(self) -> Message:
        """Say whether a side is favoured: clearly (beyond the even range), probably (above one half), or not."""
        if favoured := self.favours():
            return say("the scenario favours {side}", side=side_name(favoured))
        if leading := self.leans_to():
            return say("the scenario probably favours {side}", side=side_name(leading))
        return say("no side is clearly favoured")


def side_name(side: str) -> str:
    """Return a side's name in sentences: German, US, WP."""
    return side.upper() if len(side) == 2 else side[:1].upper() + side[1:]


Z_HUNDREDTHS = 196


def wilson(share: int, total: int) -> tuple[int, int]:
    """Return the 95 % Wilson interval of a share of `total` results, all in thousandths."""
    square = Z_HUNDREDTHS * Z_HUNDREDTHS
    n = 10 * total  # results in ten-thousandths, the unit of the square
    middle = (2 * share * n + 1000 * square) * 1000 // (2 * (n + square))
    inner = 4 * share * (1000 - share) * n // 1000 + 1000 * square
    spread = isqrt(square * inner * 1000) * 1000 // (2 * (n + square))
    return max(0, (middle - spread) // 1000), min(1000, -(-(middle + spread) // 1000))


@cache
def packaged_balances(package: str) -> dict[str, Balance]:
    """Return the balance of every scenario in a title's package; empty if the title has no such file."""
    from importlib import resources  # loads much that the engine does not need

    file = resources.files(package).joinpath("data").joinpath("balance.toml")
    return read_balances(file.read_bytes()) if file.is_file() else {}


@cache
def packaged_names(package: str) -> dict[str, str]:
    """Return the printed name of every scenario in a title's package, by the name of its file."""
    from importlib import resources  # as above

    folder = resources.files(package).joinpath("data").joinpath("scenarios")
    files = [file for file in folder.iterdir() if file.name.endswith(".toml")] if folder.is_dir() else []
    heads = {file.name.removesuffix(".toml"): file.read_text("utf-8").partition("\n[")[0] for file in files}
    return {scenario: str(tomllib.loads(head).get("name", "")) for scenario, head in sorted(heads.items())}


def read_balances(content: bytes) -> dict[str, Balance]:
    """Read a title's balance file."""
    return msgspec.convert(parse_toml(content.decode()), dict[str, Balance])


def provision_for(balance: Balance, handicap: str) -> Provision:
    """Return the provision for a text such as `german 2`: the second step of the German side."""
    side, _, number = handicap.rpartition(" ")
    steps = balance.of(side)
    if not number.isdecimal() or not 0 < int(number) <= len(steps):
        known = [f"{one} {step}" for one in sides_of(balance) for step in range(1, len(balance.of(one)) + 1)]
        raise Unreadable(
            handicap, [Objection("pbem/balance", say("this scenario has no handicap with that name"))], known
        )
    return steps[int(number) - 1]


def steps_of(provisions: Sequence[Provision], side: str) -> tuple[Provision, ...]:
    """Return a side's provisions, of which the first is step 1."""
    return tuple(one for one in provisions if one.side == side)


def sides_of(balance: Balance) -> tuple[str, ...]:
    """Return the sides that can give a handicap, in file order."""
    return tuple(dict.fromkeys(one.side for one in balance.provision))


def apply_handicap(blobs: Mapping[str, bytes], provision: Provision) -> dict[str, bytes]:
    """Return the blobs of a match with a provision's changes in its scenario."""
    as_json = blobs["scenario"].startswith(b"{")
    document = msgspec.json.decode(blobs["scenario"]) if as_json else parse_toml(blobs["scenario"].decode())
    for path, value in provision.changes.items():
        change(document, path.split("."), value)
    if isinstance(text := document.get("text"), str):
        document["text"] = f"{text.rstrip()}\n\nHandicap: {provision.words}\n"
    return {**blobs, "scenario": msgspec.json.encode(document) if as_json else tomli_w.dumps(document).encode()}


def change(document: Any, path: Sequence[str], value: Any) -> None:
    """Set a value in a document. The key must exist: a provision changes a scenario but adds nothing to it."""
    *way, last = path
    for step in way:
        document = step_into(document, step, path)
    place = _place(document, last)
    if place is None:
        raise missing(path)
    document[place] = value


def step_into(document: Any, step: str, path: Sequence[str]) -> Any:
    """Return the value that a path step leads to."""
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
    """Return the refusal of a provision whose path is not in the scenario."""
    return Illegal(".".join(path), [Objection("pbem/balance", say("the scenario has no entry at that path"))])
