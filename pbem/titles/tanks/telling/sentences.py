"""Findings in sentences: one message each, with its modifiers and its dice.

    tell        the message for a finding, with its rule
    tell_tree   the finding and its children in English, indented

Everything in a finding is data; findings without a sentence of their own are listed plainly.
"""

from __future__ import annotations

from pbem.titles.tanks.telling import battle_sentences, setup_sentences
from pbem.titles.tanks.telling.wording import TELLING

__all__ = ["TELLING", "battle_sentences", "setup_sentences", "tell", "tell_tree"]
tell, tell_tree = TELLING.tell, TELLING.tell_tree
