"""Findings in sentences: one message for each, with its modifiers and dice.

    tell        the message for a finding, with its rule
    tell_tree   the finding and its children in English, indented

Everything in a finding is data; a finding without its own sentence is listed as plain data.
"""

from __future__ import annotations

from pbem.titles.tanks.telling import battle_sentences, setup_sentences
from pbem.titles.tanks.telling.wording import TELLING

__all__ = ["TELLING", "battle_sentences", "setup_sentences", "tell", "tell_tree"]
tell, tell_tree = TELLING.tell, TELLING.tell_tree
