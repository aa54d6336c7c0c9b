"""Tie-breaks in whole hundredths of a point, each with the terms of its sum.

    buchholz            the points of all opponents
    buchholz_cut_1      the same without the lowest
    sonneborn_berger    the points of beaten opponents, and half the points of opponents drawn with
    direct_encounter    points against the tied entrants, if all of them have met
    wins, margin, board_points, score

An opponent's unplayed rounds count as draws; an entrant's own unplayed round counts as an opponent of equal points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from pbem.engine.text.messages import term
from pbem.tournaments.model import Points
from pbem.tournaments.ranking.crosstable import Line, Lines

LABELS = {
    "buchholz": term("tie-break", "Buchholz"),
    "buchholz_cut_1": term("tie-break", "Buchholz cut 1"),
    "sonneborn_berger": term("tie-break", "Sonneborn-Berger"),
    "direct_encounter": term("tie-break", "Direct encounter"),
    "wins": term("tie-break", "Wins"),
    "margin": term("tie-break", "Margin"),
    "board_points": term("tie-break", "Board points"),
    "score": term("tie-break", "Score"),
}
COUNTED = frozenset({"wins", "margin", "score"})
"""Tie-breaks that count things instead of points."""


class Term(msgspec.Struct, frozen=True):
    """One summand, and what it represents."""

    what: str
    value: int


class Value(msgspec.Struct, frozen=True):
    """A tie-break of one entrant: its value is the sum of its terms."""

    name: str
    value: int
    terms: tuple[Term, ...] = ()
    note: str = ""

    def explained(self) -> str:
        """Return the sum written out, such as Buchholz: 7½ = 3 + 2½ + 2."""
        terms = " + ".join(hundredths_in_words(one.value) for one in self.terms) or "0"
        note = f" ({self.note})" if self.note else ""
        return f"{LABELS[self.name]}: {hundredths_in_words(self.value)} = {terms}{note}"


class Context(msgspec.Struct, frozen=True):
    """The data from which all tie-breaks are computed."""

    lines: Lines
    points: Points
    totals: dict[int, int]
    adjusted: dict[int, int]
    """Points in tenths, with unplayed rounds counted as draws."""
    names: dict[int, str]
    margin_cap: int = 0
    tied: dict[int, tuple[int, ...]] = {}
    """The entrants with whom each entrant is still tied when the direct encounter is considered."""


def context(lines: Lines, points: Points, names: dict[int, str], margin_cap: int = 0) -> Context:
    """Add up every entrant's points, both as scored and as counted in their opponents' tie-breaks."""
    totals = {entrant: sum(line.points for line in own) for entrant, own in lines.items()}
    adjusted = {
        entrant: sum(points.draw if line.kind in ("bye", "forfeit") else line.points for line in own)
        for entrant, own in lines.items()
    }
    return Context(lines, points, totals, adjusted, names, margin_cap)


def hundredths_in_words(hundredths: int) -> str:
    """Return hundredths in words: 750 is 7½, 125 is 1¼."""
    sign, whole, rest = "-" if hundredths < 0 else "", *divmod(abs(hundredths), 100)
    part = {0: "", 25: "¼", 50: "½", 75: "¾"}.get(rest)
    if part is None:
        return f"{sign}{whole}.{rest:02}".rstrip("0")
    return sign + (part if part and not whole else f"{whole}{part}")


def _opponents(context: Context, entrant: int) -> list[tuple[Line, str, int]]:
    """Each round with its opponents' points in tenths; an unplayed round has a virtual opponent."""
    found: list[tuple[Line, str, int]] = []
    for line in context.lines[entrant]:
        if line.kind == "open":
            continue
        if line.played:
            found += [(line, context.names[other], context.adjusted[other]) for other in line.opponents]
        else:
            found.append((line, f"unplayed round {line.round}", context.totals[entrant]))
    return found


def buchholz(context: Context, entrant: int, tied: Sequence[int]) -> Value:
    """The points of all opponents."""
    terms = [Term(who, 10 * points) for _, who, points in _opponents(context, entrant)]
    return _sum("buchholz", terms)


def buchholz_cut_1(context: Context, entrant: int, tied: Sequence[int]) -> Value:
    """The points of all opponents except the lowest."""
    terms = [Term(who, 10 * points) for _, who, points in _opponents(context, entrant)]
    if not terms:
        return Value("buchholz_cut_1", 0)
    lowest = min(range(len(terms)), key=lambda at: terms[at].value)
    cut = terms.pop(lowest)
    return _sum("buchholz_cut_1", terms, f"without {cut.what}, {hundredths_in_words(cut.value)}")


def sonneborn_berger(context: Context, entrant: int, tied: Sequence[int]) -> Value:
    """The points of all opponents beaten, and half the points of those drawn with."""
    terms = []
    for line, who, points in _opponents(context, entrant):
        twice = _verdict_weight(context.points, line)
        if twice:
            terms.append(Term(who if twice == 2 else f"half of {who}", 5 * twice * points))
    return _sum("sonneborn_berger", terms)


def _verdict_weight(points: Points, line: Line) -> int:
    """Return 2 for a win, 1 for a draw, 0 for a loss; a bye counts by its points."""
    if line.verdict is not None:
        return {"won": 2, "drawn": 1, "lost": 0}[line.verdict]
    return 2 if line.points >= points.win > 0 else 1 if line.points >= points.draw > 0 else 0


def direct_encounter(context: Context, entrant: int, tied: Sequence[int]) -> Value:
    """Points against the tied entrants, if each of them has played all the others."""
    others = [other for other in tied if other != entrant]
    if not others or not all(_have_met(context, one, [t for t in tied if t != one]) for one in tied):
        return Value("direct_encounter", 0, (), "the tied entrants have not all met" if others else "")
    terms = [
        Term(" and ".join(context.names[other] for other in line.opponents if other in others), 10 * line.points)
        for line in context.lines[entrant]
        if line.played and any(other in others for other in line.opponents)
    ]
    return _sum("direct_encounter", terms)


def _have_met(context: Context, one: int, others: Sequence[int]) -> bool:
    met = {other for line in context.lines[one] if line.played for other in line.opponents}
    return met.issuperset(others)


def wins(context: Context, entrant: int, tied: Sequence[int]) -> Value:
    """The number of pairings won; byes are not wins."""
    won = [line for line in context.lines[entrant] if line.verdict == "won"]
    return _sum("wins", [Term(_names(context, line), 100) for line in won])


def margin(context: Context, entrant: int, tied: Sequence[int]) -> Value:
    """The sum of score differences, capped for each pairing."""
    terms = []
    for line in context.lines[entrant]:
        if line.verdict is not None and line.opponents:
            difference = line.score - line.against
            cap = context.margin_cap or abs(difference)
            terms.append(Term(_names(context, line), 100 * max(-cap, min(cap, difference))))
    return _sum("margin", terms, f"at most {context.margin_cap} each" if context.margin_cap else "")


def board_points(context: Context, entrant: int, tied: Sequence[int]) -> Value:
    """The points of a team on all its boards."""
    played = [line for line in context.lines[entrant] if line.boards]
    return _sum("board_points", [Term(_names(context, line), 10 * line.boards) for line in played])


def score(context: Context, entrant: int, tied: Sequence[int]) -> Value:
    """The sum of the title's scores."""
    scored = [line for line in context.lines[entrant] if line.score]
    return _sum("score", [Term(_names(context, line), 100 * line.score) for line in scored])


def _names(context: Context, line: Line) -> str:
    return " and ".join(context.names[other] for other in line.opponents)


def _sum(name: str, terms: list[Term], note: str = "") -> Value:
    return Value(name, sum(term.value for term in terms), tuple(terms), note)


TIE_BREAKS: dict[str, Callable[[Context, int, Sequence[int]], Value]] = {
    "buchholz": buchholz,
    "buchholz_cut_1": buchholz_cut_1,
    "sonneborn_berger": sonneborn_berger,
    "direct_encounter": direct_encounter,
    "wins": wins,
    "margin": margin,
    "board_points": board_points,
    "score": score,
}
