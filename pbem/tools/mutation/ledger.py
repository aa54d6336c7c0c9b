"""A title's mutation ledger: `mutation.csv` next to its ledger, one line per mutated row.

mutate    test mutants row by row; a file keeps the verdicts, so that a run can be continued
write     sum verdicts up into the title's mutation.csv
tally     rows mutated, rows covered, mutants that survived, survivors with a reason
"""

from __future__ import annotations

import csv
import random
import tempfile
from collections.abc import Iterator
from contextlib import closing
from importlib import resources
from pathlib import Path

import msgspec

from pbem.tools.mutation.breaking import Row, covered_rows, mutants
from pbem.tools.mutation.reach import Reach, record
from pbem.tools.mutation.running import NOTICED, SURVIVED, Copy, Verdict, judge_row

COLUMNS = ("id", "edition", "possible", "tested", "noticed", "survived", "survivors", "reason")
"""`noticed`: mutants that pass the marked tests but are noticed by other tests of the title."""


class Judged(msgspec.Struct, frozen=True):
    """A mutated row with the verdicts on its mutants. Without verdicts, nothing in it can be broken."""

    rule: str
    edition: str
    possible: int
    verdicts: list[Verdict] = []

    @property
    def noticed(self) -> int:
        return len(self.unmarked)

    @property
    def unmarked(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.fate == NOTICED]

    @property
    def survivors(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.fate == SURVIVED]


class Tally(msgspec.Struct, frozen=True):
    """The mutation ledger in figures."""

    mutated: int
    covered: int
    tested: int
    noticed: int
    survived: int
    explained: int

    def __str__(self) -> str:
        return (
            f"mutated {self.mutated} of {self.covered} covered rows; "
            f"{self.survived} of {self.tested} mutants survived, {self.explained} of them with a reason; "
            f"{self.noticed} more were noticed only by tests that are not marked with the rule"
        )


def root() -> Path:
    """Return the checkout that this package is in; mutation needs its tests."""
    return Path(str(resources.files("pbem"))).parent


def draw(title: str, count: int, seed: str, rules: list[str]) -> list[Row]:
    """Return the rows to mutate: those named, or this many drawn by the seed, or all in book order.

    The editions of a rule follow each other, so that shared parts are tested once.
    """
    known = covered_rows(title, root())
    places = {row.rule: place for place, row in reversed(list(enumerate(known)))}
    known.sort(key=lambda row: places[row.rule])
    if rules:
        return [row for row in known if row.rule in rules]
    if not count:
        return known
    return random.Random(seed).sample(known, min(count, len(known)))


def noticed_rows(title: str) -> list[Row]:
    """Return the rows with mutants that, by the mutation ledger, only tests without the rule's mark notice."""
    noticed = {(line["id"], line["edition"]) for line in read(title) if int(line.get("noticed") or 0)}
    return [row for row in draw(title, 0, "", []) if (row.rule, row.edition) in noticed]


def mutate(
    title: str, rows: list[Row], each: int, seed: str, keep: Path | None = None, reach: Path | None = None
) -> Iterator[Judged]:
    """Mutate rows one after another. Rows already in the file are not tested again.

    `reach` is a file with the functions that each test runs; it is written first if it does not exist.
    """
    done = {(judged.rule, judged.edition): judged for judged in earlier_verdicts(keep)}
    if reach is not None and not reach.exists():
        record(root(), title, reach)
    reached = Reach.read(reach) if reach is not None else None
    with tempfile.TemporaryDirectory() as folder, closing(Copy(root(), Path(folder), title, reached)) as copy:
        marked = copy.marked()
        for row in rows:
            if found := done.get((row.rule, row.edition)):
                yield found
                continue
            possible = len(mutants(title, row, copy.folder))
            verdicts = list(judge_row(copy, row, marked.of(row.rule), each, seed)) if marked.of(row.rule) else []
            judged = Judged(row.rule, row.edition, possible, verdicts)
            if keep is not None:
                with keep.open("ab") as file:
                    file.write(msgspec.json.encode(judged) + b"\n")
            yield judged


def earlier_verdicts(keep: Path | None) -> list[Judged]:
    """Read the verdicts of an earlier run; a last line that was cut off is dropped."""
    if keep is None or not keep.exists():
        return []
    whole, _, _ = keep.read_bytes().rpartition(b"\n")
    keep.write_bytes(whole + b"\n" if whole else b"")
    return [msgspec.json.decode(line, type=Judged) for line in whole.splitlines()]


def sentence(judged: Judged) -> str:
    """Describe the fate of a row's mutants."""
    if not judged.verdicts:
        return "cannot be mutated" if not judged.possible else "no mutant can be loaded"
    noticed = f", noticed elsewhere {judged.noticed}" if judged.noticed else ""
    return f"tested {len(judged.verdicts)} of {judged.possible}, survived {len(judged.survivors)}{noticed}"


def file_of(title: str) -> Path:
    return root() / "pbem" / "titles" / title / "mutation.csv"


def read(title: str) -> list[dict[str, str]]:
    """Return the lines of a title's mutation ledger."""
    file = file_of(title)
    return list(csv.DictReader(file.read_text("utf-8").splitlines())) if file.exists() else []


def write(title: str, judged: list[Judged]) -> None:
    """Summarise verdicts in the title's mutation ledger.

    Other lines are unchanged; a reason is kept as long as its mutant survives.
    """
    lines = {(line["id"], line["edition"]): line for line in read(title)}
    for one in judged:
        before = lines.get((one.rule, one.edition), {})
        survivors = "; ".join(f"{Path(verdict.file).name}: {verdict.what}" for verdict in one.survivors)
        reason = before.get("reason", "") if survivors and survivors == before.get("survivors") else ""
        counts = [one.possible, len(one.verdicts), one.noticed, len(one.survivors)]
        values = [one.rule, one.edition, *counts, survivors, reason]
        lines[one.rule, one.edition] = dict(zip(COLUMNS, map(str, values), strict=True))
    order = {(row.rule, row.edition): place for place, row in enumerate(covered_rows(title, root()))}
    with file_of(title).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines[key] for key in sorted(lines, key=lambda key: order.get(key, -1)) if key in order)


def tally(title: str) -> Tally:
    """Return the figures of the title's mutation ledger."""
    lines = read(title)
    survived = [line for line in lines if int(line["survived"])]
    return Tally(
        mutated=sum(1 for line in lines if int(line["tested"])),
        covered=len(covered_rows(title, root())),
        tested=sum(int(line["tested"]) for line in lines),
        noticed=sum(int(line.get("noticed") or 0) for line in lines),
        survived=sum(int(line["survived"]) for line in survived),
        explained=sum(int(line["survived"]) for line in survived if line["reason"]),
    )
