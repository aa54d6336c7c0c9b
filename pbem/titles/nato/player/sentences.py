"""Findings in sentences: `tell` returns a message, `tell_tree` English text."""

from __future__ import annotations

from pbem.titles.nato.player import battle_sentences
from pbem.titles.nato.player.movement_sentences import TELLING

__all__ = ["TELLING", "battle_sentences", "tell", "tell_tree"]
tell, tell_tree = TELLING.tell, TELLING.tell_tree
