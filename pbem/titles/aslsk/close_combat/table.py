"""3.8 The Close Combat Table, and 5.3 leader creation.

3.8/attacks    CombatTable.column, kill_number
5.3            LeaderTable.new_leader
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from pbem.engine.text.toml_text import parse_toml

BEST_LEADER, WORST_LEADER = 1, 6


class LeaderTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """5.3 The table of leader creation: the leader that appears for each Final dr."""

    source: str
    results: dict[str, str]
    nation_drm: dict[str, int]

    def new_leader(self, final: int) -> str:
        """5.3 The new leader's name, or "" if none appears."""
        return self.results.get(str(max(final, BEST_LEADER)), "")


class CombatTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """3.8 The odds columns and their kill numbers; the extra kill number is for odds above the last column."""

    source: str
    odds: tuple[tuple[int, int], ...]
    kill_numbers: tuple[int, ...]
    leaders: LeaderTable

    def column(self, attack: Fraction, defence: Fraction) -> int:
        """3.8/attacks The highest odds column that the strengths reach, rounded in the defender's favour."""
        places = [place for place, (a, b) in enumerate(self.odds) if attack * b >= defence * a]
        best = max(places, default=0)
        return best + 1 if best == len(self.odds) - 1 and attack > 10 * defence else best

    def kill_number(self, attack: Fraction, defence: Fraction) -> int:
        return self.kill_numbers[self.column(attack, defence)]

    def write_odds(self, attack: Fraction, defence: Fraction) -> str:
        place = self.column(attack, defence)
        if place == 0:
            return "less than 1:8"
        return "more than 10:1" if place == len(self.odds) else "{}:{}".format(*self.odds[place])


def read_combat_table(content: bytes) -> CombatTable:
    return msgspec.convert(parse_toml(content.decode()), CombatTable)
