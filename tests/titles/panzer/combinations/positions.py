"""Every place and state of a unit that a rule's author may have overlooked.

A position is a friendly unit, `g1`, in some place and state on a small map, with a friend and enemies around it.
Places and states that its kind cannot have are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_board, a_hex

from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import AdvancedUnit
from pbem.titles.panzer.sighting.camouflage import CAMOUFLAGED
from pbem.titles.panzer.state import (
    Battery,
    Cloud,
    Command,
    Damage,
    Feature,
    HiddenCounter,
    Inside,
    Marker,
    Mission,
    PanzerState,
    Status,
    Unit,
)

HERE, EDGE = "E5", "E9"
KNOWN = ("german", "soviet")
KINDS = ("vehicle", "leg", "towed")


class Sketch:
    """A position under construction."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.hex = HERE
        self.signs: dict[str, str] = {}
        self.map: dict[str, Any] = {}
        self.unit: dict[str, Any] = {}
        self.others: list[Unit] = []
        self.features: list[Feature] = []
        self.clouds: list[Cloud] = []
        self.rules: list[str] = []
        self.state: dict[str, Any] = {}


Draw = Callable[[Sketch], None]


# --- places ------------------------------------------------------------------------------------------------------


def upstairs(sketch: Sketch) -> None:
    sketch.signs[HERE], sketch.map["storeys"] = "B", {HERE: 3}
    sketch.unit["inside"] = Inside.UP


def building(sketch: Sketch) -> None:
    sketch.signs[HERE] = "B"
    sketch.unit["inside"] = Inside.NO if sketch.kind == "leg" else Inside.BUILDING


def alley(sketch: Sketch) -> None:
    sketch.signs[HERE] = "B"


def rubble(sketch: Sketch) -> None:
    sketch.signs[HERE] = "B"
    sketch.features.append(Feature(id="f1", type="brick_rubble", hex=a_hex(HERE), of="brick_building", known=KNOWN))


def position(sketch: Sketch) -> None:
    place = Feature(id="f1", type="improved_position", hex=a_hex(HERE), holder="g1", known=KNOWN)
    sketch.features.append(place)
    sketch.unit |= {"position": "f1", "open_angle": 4 if sketch.kind == "vehicle" else 0}


def entrenched(sketch: Sketch) -> None:
    sketch.features.append(
        Feature(id="f1", type="hasty_entrenchment", hex=a_hex(HERE), holder="g1", stage=4, known=KNOWN)
    )
    sketch.unit["position"] = "f1"


def aboard(sketch: Sketch) -> None:
    command = sketch.unit.pop("command", Command.NO_COMMAND)
    carrier = "opel" if sketch.kind == "leg" else "sdkfz7"
    sketch.others.append(a_tank("g9", HERE, carrier, command=command, facing=1))
    sketch.unit |= {"aboard": "g9", "command": None}


def bridge(sketch: Sketch) -> None:
    sketch.signs |= {"D5": "g", HERE: "=", "F5": "g"}
    sketch.map |= {"legend": {"=": ["gully", "bridge"], "g": ["gully"]}, "links": {"road": ["E4-E5-E6"]}}


def smoke(sketch: Sketch) -> None:
    sketch.clouds.append(Cloud(id="c1", type="smoke", hexes=(a_hex(HERE),), fresh=False, owner="german"))


def woods(sketch: Sketch) -> None:
    sketch.signs[HERE] = "m"


def map_edge(sketch: Sketch) -> None:
    sketch.hex = EDGE


def off_map(sketch: Sketch) -> None:
    sketch.unit |= {"status": Status.RESERVE, "entry_turn": 1}


PLACES: dict[str, tuple[Draw, tuple[str, ...]]] = {
    "upstairs": (upstairs, ("leg",)), "building": (building, KINDS), "alley": (alley, ("vehicle", "towed")),
    "rubble": (rubble, KINDS), "position": (position, KINDS), "entrenched": (entrenched, ("leg", "towed")),
    "aboard": (aboard, ("leg", "towed")), "bridge": (bridge, KINDS), "smoke": (smoke, KINDS),
    "woods": (woods, KINDS), "edge": (map_edge, KINDS), "off map": (off_map, KINDS),
}  # fmt: skip
"""The possible places of a unit, and the kinds of units that may be there."""


# --- states ------------------------------------------------------------------------------------------------------


def flagged(flag: str, rule: str) -> Draw:
    def draw(sketch: Sketch) -> None:
        sketch.unit["flags"] = (flag,)
        sketch.rules.append(rule)

    return draw


def changed(**fields: Any) -> Draw:
    return lambda sketch: sketch.unit.update(fields)


def hidden(sketch: Sketch) -> None:
    counter = HiddenCounter(id="h1", side="german", hex=a_hex(sketch.hex), units=("g1",))
    sketch.unit["flags"] = ("hidden",)
    sketch.state["hidden_counters"] = {"h1": counter}
    sketch.rules.append("hidden_units")


def sharing(sketch: Sketch) -> None:
    sketch.unit["shares"] = "g2"


def on_mission(*, planned: bool) -> Draw:
    def draw(sketch: Sketch) -> None:
        battery = Battery(id="gb1", name="gb1", side="german", card="german_medium", formation="german")
        mission = Mission(
            id="m1", side="german", planned=planned, observer="" if planned else "g1", firers=("gb1",),
            point=a_hex("E2"), sheaf="closed", started=1, done_in=0,
        )  # fmt: skip
        sketch.unit["labels"] = ("fo",)
        sketch.state |= {"batteries": {"gb1": battery}, "missions": {"m1": mission}}

    return draw


STATES: dict[str, tuple[Draw, tuple[str, ...]]] = {
    "fresh": (changed(), KINDS),
    "suppressed": (changed(suppression=Marker.ON), KINDS),
    "damaged": (changed(damage=Damage.HULL), ("vehicle",)),
    "track hit": (changed(track_hit=True), ("vehicle",)),
    "full cover": (changed(full_cover=True), ("leg", "towed")),
    "hidden": (hidden, KINDS),
    "camouflaged": (flagged(CAMOUFLAGED, "camouflage"), KINDS),
    "locked turret": (flagged("turret-locked", "collateral_damage"), ("vehicle",)),
    "bogged": (flagged("bogged", "bogging_down"), ("vehicle",)),
    "bailed out": (changed(bailed_out=True, command=None), ("vehicle",)),
    "shared command": (sharing, KINDS),
    "planned mission": (on_mission(planned=True), KINDS),
    "sustained mission": (on_mission(planned=False), KINDS),
    "broken": (flagged("broken-on", "morale"), KINDS),
}
"""The possible states of a unit, by kind."""

IMPOSSIBLE = {
    ("bridge", "full cover"), ("aboard", "full cover"), ("off map", "full cover"),  # 6.1.4.2
    ("aboard", "shared command"), ("off map", "hidden"), ("aboard", "hidden"), ("aboard", "camouflaged"),
    ("off map", "bogged"), ("off map", "bailed out"),
}  # fmt: skip
"""Combinations that the rules exclude."""
COMMANDS = (Command.FIRE, Command.MOVE, Command.SHORT_HALT, Command.OVERWATCH, Command.NO_COMMAND)


class Combination(NamedTuple):
    """A unit of a kind, at a place, in a state, under a command."""

    kind: str
    place: str
    state: str
    command: Command


def combinations() -> Iterator[Combination]:
    """Return every combination except the impossible ones."""
    for place, (_, here) in PLACES.items():
        for state, (_, such) in STATES.items():
            for kind in KINDS:
                if kind in here and kind in such and (place, state) not in IMPOSSIBLE:
                    yield from (Combination(kind, place, state, command) for command in COMMANDS)


def drawn(combination: Combination) -> tuple[PanzerData, PanzerState]:
    """Build the position of a combination: `g1`, a friend next to it, and an enemy tank, squad and gun nearby."""
    sketch = Sketch(combination.kind)
    sketch.unit["command"] = combination.command
    STATES[combination.state][0](sketch)
    PLACES[combination.place][0](sketch)
    off = sketch.unit.get("status") is Status.RESERVE
    hex = None if off else sketch.hex
    make = {"vehicle": a_tank, "leg": a_leg, "towed": a_gun}[combination.kind]
    card = {"vehicle": "pz4h", "leg": "german_rifle_squad", "towed": "pak40"}[combination.kind]
    unit = make("g1", hex, card, **{"facing": 1, **sketch.unit})
    if off:
        unit.status, unit.command = Status.RESERVE, sketch.unit["command"]
    friend = a_leg("g2", "E6" if sketch.hex == HERE else "E8", "german_rifle_squad", command=combination.command)
    enemies = (
        a_tank("s1", "E2", "t34_76", facing=4, command=Command.OVERWATCH),
        a_leg("s2", "E4" if sketch.hex == HERE else "D8", "soviet_rifle_squad", command=Command.NO_COMMAND),
        a_gun("s3", "H3", "gun_76mm", facing=5, command=Command.OVERWATCH),
    )
    board = a_board(columns=9, rows=9, signs=sketch.signs, **sketch.map)
    row = AdvancedUnit(
        id="g1", side="german", seat="german", name="g1", card=card, vp=1, entry=(a_hex("A5"),), turn=1,
        formation="german", grade="seasoned",
    )  # fmt: skip
    rows = (row,) if off else ()
    data = advanced_data(board, rules=(*ADVANCED_RULES, *dict.fromkeys(sketch.rules)), units=rows)
    state = an_advanced_state(
        unit, friend, *sketch.others, *enemies, sides=("german", "soviet"), turn=2,
        features={one.id: one for one in sketch.features}, clouds={one.id: one for one in sketch.clouds},
        available={"german": 9, "soviet": 9}, **sketch.state,
    )  # fmt: skip
    unseen = [one.id for one in state.vehicles.values() if one.hidden or one.aboard or not one.alive]
    state.spotted = {
        spotter: [target for target in seen if target not in unseen]
        for spotter, seen in state.spotted.items()
        if state.vehicles[spotter].alive
    }
    return data, state
