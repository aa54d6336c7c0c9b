"""Bots."""
from __future__ import annotations
from pbem.engine.bots import Bot, random_bot
def steady_bot(seed: object) -> Bot:
    return random_bot(seed)
