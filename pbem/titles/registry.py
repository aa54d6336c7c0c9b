"""The titles that can be played, by name."""

from __future__ import annotations

from typing import Final

from pbem.engine.rules.title import Title
from pbem.titles.aslsk.title import Aslsk
from pbem.titles.nato.title import Nato
from pbem.titles.panzer.title import Panzer
from pbem.titles.tanks.title import Tanks

TITLES: Final[dict[str, Title]] = {title.name: title for title in (Panzer(), Tanks(), Nato(), Aslsk())}
