"""Standing orders and battle orders: clauses that answer the windows of a battle cycle.

    Clause, read_clause       one line: `topic: choice [if odds 4:1]`
    StandingOrders, compile_orders  all clauses of a seat, in the player's order
    STOCK                     the clauses of a seat that has none of its own

A clause is an order given before the commitment is known; it is checked at the window, on the board as it is then.
The decision (`by_clause`) applies clauses to an ask, and the first one that fits and is legal is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from pbem.engine.rules.refusals import Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.messages import say
from pbem.titles.nato.cards.charts import ODDS
from pbem.titles.nato.cards.units import UnitType
from pbem.titles.nato.map.grid import is_hex, is_number

RULE: Final = "7.2"
"""The rule cited when a standing order cannot be read."""

STOCK: Final = (
    "respond: best",
    "air: 2 if odds 5:1",
    "air: 1 if odds 3:1",
    "helicopters: always",
    "counterattack: strongest",
    "lose: divisions",
    "trade: 1 in cities",
    "retreat: home",
    "advance: consolidate",
)
"""The standing orders of a seat that has none of its own."""

HELP: Final = say(
    """\
respond: best     the unit that lowers the odds
respond: 12/1A, 7/1A into 3318
respond: never     or never from 3120
air: 2 if odds 5:1     points, minimum odds
air: keep 3     for your own turn
helicopters: always     or never, 4220 4020
defend with: WG UK
counterattack: strongest     or spread
lose: divisions     or armor, weakest
trade: 1 in cities     or rough, 3825, never
stand: 3825 3925     They Shall Not Pass
retreat: home     or to 3422
advance: consolidate     or exploit, never
reforger: 3ACR 1/2A     sites called up first
box: sector4     for arrivals by rail
return: 3117 2720     for a lost headquarters
pay: NEGF POF     Supply Points, in order
"""
)
"""Standing orders on one screen."""


class Clause(msgspec.Struct, frozen=True, omit_defaults=True):
    """One standing order or battle order."""

    topic: str
    text: str
    choice: str = ""
    number: int = 0
    units: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    """Kinds of terrain: `cities`, `rough`, `mountain`, `forest`."""
    odds: str = ""
    """The lowest final odds at which the clause applies."""

    def at_odds(self, final: str) -> bool:
        """Return whether the final odds are high enough for this clause to apply."""
        return not self.odds or ODDS.index(final) >= ODDS.index(self.odds)

    def covers(self, hex: str, ground: str) -> bool:
        """Whether the clause names a hex or its kind of terrain; a clause that names neither covers every hex."""
        if not self.hexes and not self.places:
            return True
        return hex in self.hexes or any(ground.endswith(place_key(place)) for place in self.places)


def place_key(place: str) -> str:
    """The ending of the Terrain Effects Chart key that a keyword stands for."""
    return "city" if place in ("city", "cities") else place


class StandingOrders(msgspec.Struct, frozen=True):
    """All clauses of a seat, in the player's order."""

    clauses: tuple[Clause, ...]

    def on(self, topic: str) -> list[Clause]:
        return [clause for clause in self.clauses if clause.topic == topic]


@lru_cache(maxsize=1024)
def compile_orders(lines: tuple[str, ...]) -> StandingOrders:
    """Prepare standing orders for use; a seat without any uses the stock orders."""
    return StandingOrders(tuple(read_clause(line) for line in lines or STOCK))


def check_names(clause: Clause, units: Mapping[str, UnitType]) -> Clause:
    """Return a clause, or refuse it if it names a unit, formation, army or box that does not exist."""
    known = {id.lower() for id in units}
    if clause.topic == "defend with":
        known = {str(card.nation).lower() for card in units.values()} | {
            card.formation.lower() for card in units.values()
        }
    elif clause.topic == "box":
        known = {f"sector{number}" for number in range(1, 6)}
    strange = [word for word in clause.units if word not in {*known, "only"} and clause.topic != "return"]
    if strange:
        unknown = Objection(RULE, say("“{word}” is not a name in this game", word=strange[0]))
        raise Unreadable(clause.text, [unknown], [f"{clause.topic}: {TOPICS[clause.topic][0]}"])
    return clause


def check_standing_orders(given: Any, units: Mapping[str, UnitType]) -> list[str]:
    """Return standing orders in canonical form; a refusal names every clause that cannot be read."""
    if not isinstance(given, list | tuple) or not all(isinstance(line, str) for line in given):
        raise Unreadable("standing orders", [Objection(RULE, say("standing orders must be lines of text"))], STOCK)
    refusals: list[Refusal] = []
    checked: list[str] = []
    for line in given:
        said = line.split("#")[0].strip()
        try:
            checked += [check_names(read_clause(said), units).text] if said else []
        except Refusal as refusal:
            refusals.append(refusal)
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return checked


# --- reading -------------------------------------------------------------------------------------------------

GROUND: Final = ("city", "cities", "rough", "forest", "mountain")
ODDS_WORDS: Final = re.compile(r",? ?(?:if|at) odds ([0-9]{1,2}):([0-9]{1,2})(?: or (?:better|more))?$")
SEPARATORS: Final = re.compile(r"[,\s]+")


@lru_cache(maxsize=4096)
def read_clause(text: str) -> Clause:
    """Read one clause; return it with its canonical text, or refuse it and say where the mistake is."""
    topic, colon, body = text.strip().lower().partition(":")
    topic = TOPIC_WORDS.get(topic.strip(), topic.strip())
    if not colon or topic not in TOPICS:
        legal = [f"{name}: {choices[0]}" for name, choices in TOPICS.items()]
        raise Unreadable(text, [Objection(RULE, say("“{topic}” is not a standing order", topic=topic))], legal)
    odds = ""
    if found := ODDS_WORDS.search(body := " ".join(body.split())):
        odds, body = f"{int(found[1])}:{int(found[2])}", body[: found.start()]
        if odds not in ODDS:
            raise Unreadable(
                text, [Objection(RULE, say("{odds} is not a column of the Combat Results Table", odds=odds))], ODDS
            )
    words = [word for word in SEPARATORS.split(body.strip()) if word]
    clause = READERS[topic](topic, words)
    if odds and (topic in BETWEEN_TURNS or (clause is not None and clause.choice == "keep")):
        raise Unreadable(
            text, [Objection(RULE, say("this choice is not made in a battle, so it cannot depend on odds"))]
        )
    if clause is None:
        strange = Objection(RULE, say("unexpected “{words}” after {topic}", words=" ".join(words), topic=topic))
        raise Unreadable(text, [strange], [f"{topic}: {choice}" for choice in TOPICS[topic]])
    said = f"{topic}: {' '.join(words)}" + (f" if odds {odds}" if odds else "")
    return msgspec.structs.replace(clause, text=said, odds=odds)


def choose(topic: str, words: list[str]) -> Clause | None:
    """Read one of the choices of a topic."""
    said = " ".join(words)
    return Clause(topic, "", choice=said) if said in TOPICS[topic] else None


def read_respond(topic: str, words: list[str]) -> Clause | None:
    """Read the choice of a response: `best`, `never [from HEX]`, or units by name `[into HEX]`."""
    hexes = tuple(word for word in words if is_hex(word))
    places = tuple(word for word in words if word in GROUND)
    units = tuple(word for word in words if word not in (*hexes, *places, "into", "from", "or", "in"))
    if units in (("best",), ("never",)):
        return Clause(topic, "", choice=units[0], hexes=hexes, places=places)
    return Clause(topic, "", choice="units", units=units, hexes=hexes, places=places) if units else None


def read_air(topic: str, words: list[str]) -> Clause | None:
    """Read a number of air points: `2`, `keep 3` or `never`."""
    words = [word for word in words if word not in ("point", "points")]
    if words == ["never"]:
        return Clause(topic, "", choice="never")
    if len(words) == 2 and words[0] == "keep" and is_number(words[1]):
        return Clause(topic, "", choice="keep", number=int(words[1]))
    if len(words) == 1 and words[0] in ("1", "2"):
        return Clause(topic, "", choice="spend", number=int(words[0]))
    return None


def read_places(topic: str, words: list[str]) -> Clause | None:
    """Read hexes or kinds of terrain, for `trade` after a number, or one of the topic's choices."""
    named = [word for word in words if word not in ("in", "to", "towards", "toward", "steps", "step", "or", "and")]
    number = int(named.pop(0)) if named and is_number(named[0]) else 0
    hexes = tuple(word for word in named if is_hex(word))
    places = tuple(word for word in named if word in GROUND)
    if len(hexes) + len(places) != len(named) or not (named or number):
        return choose(topic, words)
    one_hex = len(hexes) == 1 and not places
    if bool(number) is not (topic == "trade") or (topic == "retreat" and not one_hex):
        return None
    return Clause(topic, "", choice="places", number=number, hexes=hexes, places=places)


def read_nations(topic: str, words: list[str]) -> Clause | None:
    """Read names in order of preference: nations or fronts, sites, boxes, hexes or headquarters."""
    named = tuple(word for word in words if word not in ("before", "then", "and", "or"))
    if topic == "return" and not all(map(is_hex, named)):
        return None
    return Clause(topic, "", choice="order", units=named) if named else None


TOPICS: Final[Mapping[str, tuple[str, ...]]] = {
    "respond": ("best", "never"),
    "air": ("1", "2 if odds 5:1", "never", "keep 3"),
    "helicopters": ("always", "never"),
    "defend with": ("WG UK",),
    "counterattack": ("strongest", "spread"),
    "lose": ("divisions", "armor", "strongest", "weakest"),
    "trade": ("never", "1 in cities"),
    "stand": ("never", "cities"),
    "retreat": ("home", "to 3422"),
    "advance": ("consolidate", "exploit", "never"),
    "reforger": ("3ACR",),
    "box": ("sector4",),
    "return": ("3117",),
    "pay": ("NEGF POF",),
}
BETWEEN_TURNS: Final = ("reforger", "box", "return", "pay")
"""7.2 I.B, II.A Topics that are decided before the orders of a player turn are given."""
TOPIC_WORDS: Final = {"response": "respond", "defensive air": "air", "helicopter": "helicopters", "losses": "lose"}

READERS: Final[Mapping[str, Callable[[str, list[str]], Clause | None]]] = {
    "respond": read_respond,
    "air": read_air,
    "helicopters": read_places,
    "defend with": read_nations,
    "counterattack": choose,
    "lose": choose,
    "trade": read_places,
    "stand": read_places,
    "retreat": read_places,
    "advance": choose,
    "reforger": read_nations,
    "box": read_nations,
    "return": read_nations,
    "pay": read_nations,
}

STOCK_ORDERS: Final = compile_orders(())
"""The stock standing orders, compiled."""
