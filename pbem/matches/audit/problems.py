"""A verifier's report: the problems it found, and facts worth knowing."""

from __future__ import annotations

import msgspec


class Problem(msgspec.Struct, frozen=True):
    """A check that failed, and the version of the event concerned (0: the file as a whole).

    `code` is a stable word for the kind of problem; `guide/format.md` lists them.
    """

    version: int
    what: str
    code: str = "broken"

    def __str__(self) -> str:
        return f"event {self.version}: {self.what}" if self.version else self.what


class Report(msgspec.Struct):
    """The result of verifying an export. `pinned` is whether the reader named the server's key beforehand."""

    problems: list[Problem]
    facts: list[str]
    pinned: bool = False

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def codes(self) -> list[tuple[int, str]]:
        """Return the location and kind of each problem, in order; two verifiers must agree on these."""
        return sorted({(problem.version, problem.code) for problem in self.problems})
