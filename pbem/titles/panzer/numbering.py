"""The numbers under which each edition knows a rule.

Both books share their numbering, but the ledgers split some paragraphs differently: what has a row of its own in
one edition may be part of a larger paragraph in the other. The code names the finest row; `numbered` gives the one
that the edition at hand has.
"""

from typing import Final

from pbem.titles.panzer.charts import Edition

_ELSEWHERE: Final[dict[Edition, dict[str, str]]] = {
    "2024": {
        "4.5.1.1.2/hedgerow": "4.5.1.1.2",
        "4.5.1.1.5/prohibited-hex": "4.5.1.1.5",
        "4.5.1.1.5/cross-country-on-road": "4.5.1.1.5/mixed",
    },
    "2016": {
        "3.6/occupation": "3.6",
        "3.6/contested": "3.6",
        "3.6/victory-points": "3.6",
        "4.5/second-player-first": "4.5",
        "4.5.1.1.2/prohibited": "4.5.1.1.2",
        "4.5.1.1.2/level-limit": "4.5.1.1.2/slope-crest",
        "4.5.1.1.2/wall": "4.5.1.1.2/wall-hedgerow",
        "4.5.1.1.2/hedgerow": "4.5.1.1.2/wall-hedgerow",
        "4.5.1.1.2/defilade": "4.5.1.1.2",
        "4.5.1.1.5/facing": "4.5.1.1.5",
        "4.5.1.1.5/mixed": "4.5.1.1.5",
        "4.5.1.1.5/obstructed": "4.5.1.1.5",
        "4.5.1.1.5/height": "4.5.1.1.5",
        "4.5.1.1.10/end": "4.5.1.1.10",
        "4.6.1/unused": "4.6.1",
    },
}


def numbered(edition: Edition, rule: str) -> str:
    """The row of this edition's ledger to which a rule belongs."""
    return _ELSEWHERE[edition].get(rule, rule)
