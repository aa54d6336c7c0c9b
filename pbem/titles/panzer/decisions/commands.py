"""4.2.1, 6.2 The commands of a turn, and the plan for its later asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.rules.title import Submission
from pbem.engine.text.forms import FormLine
from pbem.titles.panzer.command.commands import check_commands, command_options
from pbem.titles.panzer.decisions.base import PanzerDecision
from pbem.titles.panzer.player.forms import command_form
from pbem.titles.panzer.player.restating import write_commands
from pbem.titles.panzer.reading.reader import read_orders


class Commands(PanzerDecision, kind="commands", rule="4.2.1"):
    """4.2.1 A command for each unit or group, and the plan for later in the turn."""

    grade = "order"

    def options(self) -> Iterator[Any]:
        return command_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_commands(self.situation, self.ask, given)

    def take(self, text: str) -> Submission:
        return read_orders(self.situation, self.ask, text)

    def sentence(self, answer: Any) -> Iterator[str]:
        yield from write_commands(Submission(answer))

    def restate(self, submission: Submission) -> Iterator[str]:
        yield from write_commands(submission)

    def form(self) -> Iterator[FormLine]:
        yield from command_form(self.situation, self.seat, self.ask.about.get("own"))
