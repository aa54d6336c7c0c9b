"""The numbers under which each edition knows a rule.

Both books share their numbering, but the ledgers split some paragraphs differently: what has a row of its own in
one edition may be part of a larger paragraph in the other. The code names the finest row; `numbered` gives the one
that the edition at hand has.
"""

from typing import Final

from pbem.titles.panzer.charts import Edition

_ELSEWHERE: Final[dict[Edition, dict[str, str]]] = {
    "2024": {
        "4.1.3/several-terrain-types": "4.1.3/other-cover",
        "4.1.4.1.6/two-levels-above": "4.1.4.1.6",
        "4.1.4.1.7/road-exception": "4.1.4.1.3/road-exception",
        "4.5.1.1.2/hedgerow": "4.5.1.1.2",
        "4.5.1.1.5/prohibited-hex": "4.5.1.1.5",
        "4.5.1.1.5/cross-country-on-road": "4.5.1.1.5/mixed",
    },
    "2016": {
        "0/introduction": "2.0",
        "3.6/occupation": "3.6",
        "3.6/contested": "3.6",
        "3.6/victory-points": "3.6",
        "4.1.1/continuous": "4.1.1",
        "4.1.1/individual": "4.1.1",
        "4.1.3/cover": "4.1.3",
        "4.1.3/other-cover": "4.1.3/cover-other",
        "4.1.4.1.3/road-exception": "4.1.4.1.3",
        "4.1.4.1.6/along": "4.1.4.1.6/two-levels-above",
        "4.1.4.1.7/road-exception": "4.1.4.1.7",
        "4.1.4.2.4/1-lower": "4.1.4.2.4/1-level",
        "4.1.4.2.4/2-lower": "4.1.4.2.4/2-levels",
        "4.1.4.2.4/3-lower": "4.1.4.2.4/3-levels",
        "4.1.4.2.4/4-lower": "4.1.4.2.4/4-levels",
        "4.2.1/binding": "4.2.1",
        "4.2.1/impossible": "4.2.1",
        "4.2.1/secrecy": "4.2.1",
        "4.4.1/declare-per-target": "4.4.1",
        "4.4.1/immediate": "4.4.1",
        "4.4.1/must-fire": "4.4.1",
        "4.4.1/one-shot": "4.4.1",
        "4.4.1/spot-fire": "4.4.1",
        "4.4.1/spotted-before": "4.4.1",
        "4.4.2/chain": "4.4.2",
        "4.4.2/eligible": "4.4.2",
        "4.4.2/spotting": "4.4.2",
        "4.5/overwatch": "4.5",
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
