"""Choose the scenario of a pairing: by the round, by lot, or by the two players."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.tournaments.pairing.sides import Lots


def scenario_of_round(scenarios: Sequence[str], round: int) -> str:
    """Return the scenario of a round; if the list is shorter than the rounds, it starts again."""
    return scenarios[(round - 1) % len(scenarios)] if scenarios else ""


def draw_scenario(scenarios: Sequence[str], round: int, lots: Lots) -> str:
    """Draw the scenario that everybody plays in this round."""
    return scenarios[lots(len(scenarios), f"scenario/{round}") - 1] if scenarios else ""


class Choice(msgspec.Struct, frozen=True):
    """A sealed choice: a ranked list, best first, and at most one of three scenarios struck out."""

    ranked: tuple[str, ...]
    strike: str = ""


def by_ranked_lists(one: Sequence[str], other: Sequence[str], lots: Lots) -> tuple[str, str]:
    """Return the scenario with the best joint rank (1:1, 1:2, 2:2, 1:3 …) and why; equal ranks are decided by lot."""
    shared = [scenario for scenario in one if scenario in other]
    if not shared:
        return "", "the two lists have nothing in common"
    keys = {name: _joint(one.index(name), other.index(name)) for name in shared}
    best = min(keys.values())
    tied = sorted(name for name in shared if keys[name] == best)
    chosen = tied[lots(len(tied), "scenario") - 1] if len(tied) > 1 else tied[0]
    ranks = f"ranked {one.index(chosen) + 1}:{other.index(chosen) + 1}"
    return chosen, ranks + (", by lot" if len(tied) > 1 else "")


def _joint(mine: int, theirs: int) -> tuple[int, int]:
    return max(mine, theirs), min(mine, theirs)


def by_strikes(three: Sequence[str], one: Choice, other: Choice, lots: Lots) -> tuple[str, str]:
    """Let each player strike one of three scenarios. If two remain, the ranked lists decide."""
    left = [scenario for scenario in three if scenario not in (one.strike, other.strike)]
    if len(left) == 1:
        return left[0], f"{one.strike} and {other.strike} were struck"
    mine = [name for name in (*one.ranked, *three) if name in left]
    theirs = [name for name in (*other.ranked, *three) if name in left]
    chosen, why = by_ranked_lists(list(dict.fromkeys(mine)), list(dict.fromkeys(theirs)), lots)
    struck = f"both struck {one.strike}; " if one.strike else ""
    return chosen, struck + why
