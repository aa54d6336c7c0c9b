"""4.4.2 The rounds of overwatch after direct fire come to an end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.titles.panzer.fire import overwatch


class Rounds:
    """A table for overwatch steps in which both sides declare fire at the same target whenever they are asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fires: list[bool]) -> None:
        self.state = SimpleNamespace(enemy=lambda side: "us" if side == "german" else "german")
        self.fires, self.declared, self.over = fires, 0, False
        self.next: dict[str, Any] | None = {"side": "german"}
        monkeypatch.setattr(overwatch, "has_fired", lambda state, side: ["t1"])
        monkeypatch.setattr(overwatch, "ask_for_overwatch", self.ask)
        monkeypatch.setattr(overwatch, "overwatch_group", self.group)
        monkeypatch.setattr(overwatch, "settle", lambda state: None)
        monkeypatch.setattr(overwatch, "go_on", self.end)

    def ask(self, table: Any, side: str, targets: list[str]) -> Any:
        return {"target": targets[0]} if targets else None
        yield

    def group(self, table: Any, declaration: Any, targets: list[str]) -> Any:
        self.declared += 1
        return self.fires.pop(0) if self.fires else False
        yield

    def end(self, table: Any) -> None:
        self.over = True

    def then(self, step: str, **args: Any) -> None:
        self.next = args

    def run(self, most: int = 40) -> None:
        while not self.over and most:
            given, self.next, most = self.next or {}, None, most - 1
            list(overwatch.overwatch_step(self, **given))  # type: ignore[arg-type]


@pytest.mark.parametrize(("fires", "declared"), [([], 2), ([True], 3), ([False, True], 4)])
def test_4_4_2_fire_that_finds_nothing_counts_as_a_pass(
    monkeypatch: pytest.MonkeyPatch, fires: list[bool], declared: int
) -> None:
    """7.7.1, 7.24: a unit that notices no target has not fired, and would otherwise repeat the same shot forever."""
    rounds = Rounds(monkeypatch, fires)
    rounds.run()
    assert rounds.over and rounds.declared == declared
