"""6.6 The notation of acts within a move: reading and writing agree, and only one module knows it."""

import re
from pathlib import Path

import pytest

from pbem.titles.panzer.movement.steps.acts import (
    KINDS,
    Act,
    Bail,
    Dismount,
    Enter,
    Exit,
    Plain,
    Push,
    Search,
    Swing,
    Unload,
    Wrong,
    read_act,
)

PANZER = Path("pbem/titles/panzer")
TAKES_APART = re.compile(r"""\.(r?split|r?partition)\(":"\)|startswith\("[a-z]+:"\)|f"[a-z]+:\{""")
OTHERS = {
    "cards/ammunition.py": "kinds of ammunition",
    "cards/weapons.py": "kinds of ammunition",
    "reading/reader.py": "kinds of ammunition",
    "player/prospects.py": "kinds of ammunition",
    "cards/overlays.py": "the links of overlays",
    "player/standing_orders.py": "the name of a standing order",
}


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("f", Plain("f")),
        ("3", Plain("3")),
        ("exit-b", Plain("exit-b")),
        ("enter:A5", Enter("A5")),
        ("enter:A5:2", Enter("A5", 2)),
        ("exit", Exit()),
        ("exit:3", Exit(3)),
        ("dismount:g4", Dismount("g4")),
        ("dismount:g4:E8:2", Dismount("g4", "E8", 2)),
        ("dismount:g4:E8:2:b1", Dismount("g4", "E8", 2, "b1")),
        ("bail:g4:2", Bail("g4", 2)),
        ("unload", Unload()),
        ("unload:3:4", Unload(3, 4)),
        ("search:phd:3:b", Search("phd", 3, "b")),
        ("turret:0", Swing(0)),
        ("push:wreck:f", Push("wreck", "f")),
    ],
)
def test_an_act_is_read_and_written_the_same(text: str, act: Act) -> None:
    assert read_act(text) == act
    assert str(act) == text


@pytest.mark.parametrize("text", ["mount", "mount:g4:g5", "face:7", "face:x", "turret:-1", "search:up", "push::f"])
def test_an_act_with_wrong_arguments_is_told_apart(text: str) -> None:
    assert read_act(text) == Wrong(text.partition(":")[0], text)


def test_a_hex_is_read_in_either_case() -> None:
    assert read_act("dismount:g4:e8:2") == Dismount("g4", "E8", 2)


def test_no_other_module_takes_the_notation_apart_or_puts_it_together() -> None:
    found = {
        path.relative_to(PANZER).as_posix()
        for path in PANZER.rglob("*.py")
        if TAKES_APART.search(path.read_text("utf-8"))
    }
    assert found == {"movement/steps/acts.py", *OTHERS}
    assert len(KINDS) == 14
