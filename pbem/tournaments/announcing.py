"""Further settings of an announcement, described once for the form, the command line and the API.

FIELDS        name, label, note, kind, default and range or choices of each
settings      typed values for `Settings` from the input
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import Message, Several, say, say_n, several
from pbem.tournaments.model import Unfinished
from pbem.tournaments.ranking.tie_breaks import LABELS, TIE_BREAKS

GAMES = say("Games")

FORMATS: Mapping[str, Message] = {
    "swiss": say("Swiss"),
    "round_robin": say("Round robin"),
    "knock_out": say("Knock-out"),
    "ladder": say("Ladder"),
    "pools": say("Pools, then a knock-out"),
    "own": say("the director's own pairings"),
    "several": say("Multiplayer tables"),
}
"""The formats as players read them."""


class Field(msgspec.Struct, frozen=True):
    """One setting. A choice lists its values with their labels; a number has a range."""

    name: str
    label: Message
    note: Message | str = ""
    kind: Literal["choice", "number", "flag", "text"] = "number"
    default: Any = 0
    low: int = 0
    high: int = 0
    choices: Mapping[str, Message] = {}
    group: Message = GAMES

    @property
    def option(self) -> str:
        """The command-line option for this setting."""
        return "--" + self.name.replace("_", "-")


def number(
    name: str,
    label: Message,
    note: Message | str,
    default: int,
    high: int,
    low: int = 0,
    group: Message = GAMES,
) -> Field:
    return Field(name, label, note, "number", default, low, high, group=group)


def choice(
    name: str, label: Message, choices: Mapping[str, Message], group: Message = GAMES, note: Message | str = ""
) -> Field:
    return Field(name, label, note, "choice", next(iter(choices)), choices=choices, group=group)


FIELDS: tuple[Field, ...] = (
    choice(
        "scenario_rule",
        say("How the scenario of a round is chosen, if there are several"),
        {
            "fixed": say("in the order listed"),
            "drawn": say("drawn by lot for each round"),
            "chosen": say("chosen in secret by the players"),
        },
    ),
    choice(
        "decider",
        say("How a drawn knock-out pairing is decided"),
        {
            "margin": say("the score decides, then the seed"),
            "rematch": say("one rematch with sides exchanged, then the seed"),
            "seed": say("the better seed advances"),
            "lots": say("lots are drawn"),
        },
    ),
    Field("third_place", say("Play for third place"), say("in a knock-out"), "flag", False),
    Field("accelerated", say("Accelerated pairings"), say("top seeds meet earlier in a Swiss"), "flag", False),
    number("boards", say("Boards in a team match"), say("1 for individual play"), 1, 20, 1),
    number("table_size", say("Players at a table"), say("for multiplayer tables"), 4, 8, 3),
    number("advance", say("Number of entrants who advance from each pool"), "", 2, 8, 1),
    number("reach", say("Number of places above their own that players can challenge"), say("on a ladder"), 3, 50, 1),
    number("answer_days", say("Days to answer a challenge"), say("on a ladder"), 7, 90, 1),
    number("rest_days", say("Days of rest after a challenge"), say("on a ladder"), 7, 90),
    Field(
        "tie_breaks",
        say("Tie-breaks"),
        say("in order, from: {join}", join=", ".join(TIE_BREAKS)),
        "text",
        say("buchholz_cut_1, buchholz, sonneborn_berger, direct_encounter, wins"),
        group=say("Standings"),
    ),
    Field(
        "lots",
        say("Draw lots for equal places"),
        say("otherwise the place is shared"),
        "flag",
        False,
        group=say("Standings"),
    ),
    number(
        "margin_cap",
        say("Maximum margin counted for one match"),
        say("0: no cap"),
        0,
        100_000,
        group=say("Standings"),
    ),
    number("appeal_days", say("Days in which a result can be appealed"), "", 3, 60, group=say("Deadlines")),
    number("bank_hours", say("Time bank of each player in hours"), say("0: none"), 0, 5000, group=say("Deadlines")),
    number(
        "margin",
        say("Minimum lead that wins an unfinished match"),
        say("in the title's score"),
        1,
        100_000,
        1,
        say("Deadlines"),
    ),
    number(
        "may_be_open",
        say("Percentage of open matches allowed when the next round is paired"),
        say("in a Swiss"),
        0,
        50,
        group=say("Deadlines"),
    ),
    number(
        "no_show_days",
        say("Days in round 1 before a player who sends nothing is withdrawn"),
        say("0: never"),
        0,
        90,
        group=say("Deadlines"),
    ),
    number(
        "at_once",
        say("Maximum number of matches a player has at once"),
        say("0: no limit"),
        0,
        50,
        group=say("Deadlines"),
    ),
    number(
        "highest_rating", say("Highest rating allowed to enter"), say("0: no limit"), 0, 4000, group=say("Entries")
    ),
    number("asked_byes", say("Byes that a player may ask for"), "", 2, 9, group=say("Entries")),
    choice(
        "late_bye",
        say("Score for rounds missed before a late entry"),
        {"zero": say("nothing"), "half": say("half a point each")},
        group=say("Entries"),
    ),
    choice(
        "opens",
        say("When the secrets of a match are opened"),
        {"round": say("when its round closes"), "match": say("when the match ends"), "never": say("never")},
        group=say("Entries"),
    ),
)
GROUPS = tuple(dict.fromkeys(field.group for field in FIELDS))


def scenario_rule_in_words(rule: str) -> Message:
    """Say how the scenario of a round is chosen."""
    return next(field.choices[rule] for field in FIELDS if field.name == "scenario_rule")


def tie_breaks_in_words(names: Sequence[str]) -> Several:
    """Name the tie-breaks, in order."""
    return several([LABELS[name] for name in names], "unit")


def unfinished_in_words(unfinished: Unfinished) -> Several:
    """Describe what happens to matches that are unfinished at the deadline of their round, step by step."""
    steps = {
        "extend": say_n(
            "a match is extended once, by {n} day, if both players kept their deadlines",
            "a match is extended once, by {n} days, if both players kept their deadlines",
            n=unfinished.extend_days,
        ),
        "rule": say(
            "the score decides if half of the turns have been played (a lead below {margin} is a draw)",
            margin=unfinished.margin,
        ),
        "fault": say("a player who missed deadlines loses; if both did, both lose"),
        "director": say("the director decides"),
    }
    return several([steps[step] for step in unfinished.steps], "clauses")


def settings(told: Mapping[str, Any], timing: Mapping[str, int], steps: Unfinished) -> dict[str, Any]:
    """Return the settings for these values; a refusal names the first invalid one."""
    found = {field.name: value_of(field, told.get(field.name, field.default)) for field in FIELDS}
    margin, may_be_open = found.pop("margin"), found.pop("may_be_open")
    bank = found.pop("bank_hours")
    found["tie_breaks"] = tie_breaks(found["tie_breaks"])
    found["timing"] = {**timing, **({"bank": bank} if bank else {})}
    found["unfinished"] = msgspec.structs.replace(steps, margin=margin, may_be_open=may_be_open)
    return found


def value_of(field: Field, said: Any) -> Any:
    """Convert a value to the field's type."""
    if field.kind == "flag":
        return said is True or str(said).lower() in ("true", "yes", "on", "1")
    if field.kind == "choice":
        if said not in field.choices:
            raise wrong(field, said, list(field.choices))
        return said
    if field.kind == "text":
        return str(said)
    if not str(said).isdecimal() or not field.low <= int(said) <= field.high:
        raise wrong(field, said, [str(field.default)])
    return int(said)


def wrong(field: Field, said: Any, instead: list[str]) -> Unreadable:
    span = (
        say("a number from {low} to {high}", low=field.low, high=field.high)
        if field.kind == "number"
        else say("one of these")
    )
    return Unreadable(
        f"{field.name} {said}",
        [Objection("tournament/settings", say("the value must be {span}", span=span))],
        instead,
    )


def tie_breaks(text: str) -> tuple[str, ...]:
    """Read a list of tie-breaks."""
    names = tuple(word.strip() for word in text.split(",") if word.strip())
    for name in names:
        if name not in TIE_BREAKS:
            raise Unreadable(
                name, [Objection("tournament/settings", say("no tie-break has that name"))], list(TIE_BREAKS)
            )
    return names
