"""What a title gives to the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.state import State


class Submission(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player sends: the answer to the open ask, and a plan for later asks of the same turn."""

    answer: Answer
    plan: dict[str, Any] = {}


class Reply(msgspec.Struct, frozen=True):
    """An automatic answer and the clause of plan or doctrine that gave it."""

    answer: Answer
    clause: str


class Rules(Protocol):
    """A title bound to the frozen data of one match.

    Options, checks, readings and replies are computed from a seat's view, never from the state: what only the
    hidden state forbids is accepted here and fails in execution, with a finding.
    """

    @property
    def seats(self) -> tuple[str, ...]: ...

    @property
    def sides(self) -> Mapping[str, str]:
        """The side of each seat."""
        ...

    @property
    def state_type(self) -> type[State]: ...

    @property
    def steps(self) -> Mapping[str, Callable[..., Step]]: ...

    @property
    def data(self) -> Any:
        """Charts, cards and map, as the steps see them on the table."""
        ...

    def setup(self, switches: tuple[str, ...]) -> State:
        """The state before the first step."""
        ...

    def view(self, state: Any, viewer: str) -> Any:
        """All that a viewer (a seat, `public` or `master`) may know: plain data."""
        ...

    def options(self, view: Any, ask: Ask) -> Iterator[Answer]:
        """Legal answers, lazily; all of them where they can be listed, else a fair choice."""
        ...

    def check(self, view: Any, ask: Ask, answer: Answer) -> Answer:
        """The canonical answer, or a refusal with every objection."""
        ...

    def check_plan(self, view: Any, ask: Ask, plan: Any) -> dict[str, Any]:
        """The canonical plan, or a refusal."""
        ...

    def check_doctrine(self, doctrine: Any) -> list[Any]:
        """Standing orders in canonical form, or a refusal."""
        ...

    def planned(self, view: Any, ask: Ask, plan: Mapping[str, Any]) -> Iterator[Reply]:
        """What the plan says about this ask, best first."""
        ...

    def instructed(self, view: Any, ask: Ask, doctrine: list[Any]) -> Iterator[Reply]:
        """What the standing orders say about this ask, clause by clause."""
        ...

    def read(self, view: Any, ask: Ask, text: str) -> Submission:
        """Read a player's lines; a refusal names every line that cannot be carried out."""
        ...

    def form(self, view: Any, ask: Ask) -> str:
        """Lines ready to edit and send back."""
        ...

    def tell(self, finding: Finding) -> str:
        """One sentence for a reader."""
        ...

    def flaws(self, state: Any) -> Iterator[str]:
        """Invariants that this state breaks; none in a sound engine."""
        ...


class Title(Protocol):
    """A game system."""

    @property
    def name(self) -> str: ...

    @property
    def switches(self) -> tuple[str, ...]:
        """All known corrections of the rules, oldest first."""
        ...

    @property
    def scenarios(self) -> tuple[str, ...]: ...

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """Everything a match is played with, as named blobs: scenario, map, charts, cards, options."""
        ...

    def rules(self, blobs: Mapping[str, bytes]) -> Rules:
        """The rules bound to such blobs."""
        ...
