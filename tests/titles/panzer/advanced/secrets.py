"""Two worlds of an advanced match that differ only in one side's secret, and everything the other side receives.

A match with hidden units, dummies, mines, camouflage and plotted fire is played up to some step. There one secret of
the British is changed in its state; then both worlds continue. The British never use the secret, and the Italians act
only on their view. Chance is fixed: a die depends only on its name.

    a_start     the match at its start
    marks       the states at its step starts, while bots play
    SECRETS     the possible differences
    told_apart  the first difference by which the Italians, or the public, could distinguish the worlds
    named       hidden units named to the enemy, while both sides act freely
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

from titles.panzer.builders import settled

from pbem.engine.geometry.hexes import distance, parse_hex
from pbem.engine.play.bots import Bot, Choice, random_bot
from pbem.engine.play.dice import Roll
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC, seen_by
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.state import from_bytes, to_bytes
from pbem.engine.rules.title import Rules, Submission
from pbem.matches.history.replay import public_asks
from pbem.titles.panzer.binding import PanzerRules
from pbem.titles.panzer.rules_in_use import optional_rules
from pbem.titles.panzer.sighting.camouflage import CAMOUFLAGED
from pbem.titles.panzer.state import (
    Command,
    Damage,
    Feature,
    HiddenCounter,
    Leg,
    Marker,
    PanzerState,
    PlannedFire,
    Unit,
)
from pbem.titles.panzer.title import Panzer

ME, OTHER = "italian", "british"
HIDDEN = ("ch1", "dr1", "dr2", "dr3", "dr5", "dr6", "dr7", "dr9", "dr10", "dr11")
LEFT_OUT = ("streamlined_movement", "delayed_cohesion")
"""Rules that disable others."""
PLACED = 'formation = "dr", facing = 6, area = "east"'
MORE_UNITS = f"""
  {{id = "dr10", name = "Captured Breda", card = "breda20", hex = "R7", {PLACED}}},
  {{id = "dr11", name = "Sappers", card = "british_rifle_squad", labels = ["engineer"], hex = "P9", {PLACED}}},
"""
MORE = """
[conditions]
hidden_counters = {british = 16, italian = 6}

[[feature]]
id = "x"
type = "hasty_mines"
hexes = ["K1", "K2"]
side = "british"
of = "both"
hidden = true
scattered = true

[[feature]]
id = "w"
type = "wire"
hexes = ["O9"]
defence = 4
"""


def a_start(edition: str) -> PanzerRules:
    """The scenario at the well of Bir Hasan, with every optional rule and half of the British hidden."""
    found = Panzer().rules(blobs_of(edition))
    assert isinstance(found, PanzerRules)
    return found


def blobs_of(edition: str) -> dict[str, bytes]:
    """The data files of this match."""
    rules = [id for id, row in optional_rules().items() if edition in row.editions and id not in LEFT_OUT]
    blobs = dict(Panzer().freeze("desert", {"edition": edition, "rules": rules}))
    text = blobs["scenario"].decode()
    text = text.replace('\n  {id = "dr9"', MORE_UNITS + '  {id = "dr9"')
    text = text.replace("registered_points = 1", "registered_points = 1\nplanned_turns = 3")
    text = text.replace("earliest = 2", "earliest = 1")
    for id in HIDDEN:
        text = re.sub(rf'(\{{id = "{id}", .*)\}}', r"\1, hidden = true}", text)
    text = re.sub(r'(\{id = "dr8", .*)\}', r"\1, camouflaged = true}", text)
    return blobs | {"scenario": (text + MORE).encode()}


class ByName:
    """Dice whose values depend only on the name of the roll; open rolls are recorded, as they are published."""

    def __init__(self, seed: object) -> None:
        self.seed, self.rolls, self.ordinals = seed, list[Roll](), Counter[Any]()

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        name = rule, subjects, secret
        self.ordinals[name] += 1
        result = Choice(self.seed, *name, self.ordinals[name]).below(sides) + 1
        if not secret:
            self.rolls.append(Roll(rule, subjects, self.ordinals[name], sides, result))
        return result


class World:
    """A match that continues from a state at the start of a step, and everything visible after each exchange."""

    def __init__(self, rules: PanzerRules, state: bytes, seed: object) -> None:
        self.rules, self.seed = rules, seed
        self.run = Run(rules, from_bytes(state, PanzerState))
        self.chance = ByName(seed)
        self.run.deal(self.chance)
        self.told = 0

    @property
    def state(self) -> PanzerState:
        return self.run.state

    def go_on(self, answers: dict[str, Any] | None = None) -> None:
        self.told, self.chance.rolls = len(self.run.table.findings), []
        self.run.proceed(answers)

    def answers(self, bots: dict[str, Bot]) -> dict[str, Any]:
        found = {}
        for ask in self.run.asks:
            view = self.run.view(ask.seat)
            said = bots[ask.seat](self.rules, view, ask).answer
            found[ask.seat] = self.rules.check(view, ask, said)
        return found

    def outlets(self, viewer: str) -> dict[str, Any]:
        """Return everything this viewer receives from the last exchange, and the viewer's current decision."""
        heard = self.run.table.findings[self.told :]
        return {
            "findings": seen_by(heard, viewer),
            "rolls": self.chance.rolls,
            "asks": public_asks(self.run),
            "own ask": None if (ask := self.run.ask_of(viewer)) is None else settled(ask),
            "view": to_bytes(self.run.view(viewer)),
        }


def marks(rules: PanzerRules, seed: str, turns: int) -> Iterator[bytes]:
    """Return the states at the start of each step of this many turns, played by bots with random legal orders."""
    found: list[bytes] = []
    world = World(rules, to_bytes(rules.setup(())), seed)
    world.run.on_step = found.append
    world.go_on()
    bots = {seat: random_bot(f"{seed}/{seat}", most=6) for seat in rules.seats}
    while world.run.asks and world.state.turn <= turns:
        world.go_on(world.answers(bots))
        yield from found
        found.clear()


# Secrets -----------------------------------------------------------------------------------------------------

Secret = Callable[[PanzerState, Choice], bool]
"""Changes a British secret; returns whether there was one."""


def counters(state: PanzerState) -> list[HiddenCounter]:
    return [counter for counter in state.hidden_counters.values() if counter.side == OTHER]


def hidden(state: PanzerState) -> list[Unit]:
    return [unit for unit in state.of(OTHER) if unit.hidden]


def swap_counters(state: PanzerState, choice: Choice) -> bool:
    """7.2.2 Swap the contents of two counters, if no enemy is near either of them."""
    far = [
        one for one in counters(state) if all(distance(one.hex, unit.hex) > 9 for unit in state.of(ME) if unit.hex)
    ]
    if len({one.units for one in far}) < 2:
        return False
    one = choice.one_of(far)
    other = choice.one_of([counter for counter in far if counter.units != one.units])
    one.units, other.units = other.units, one.units
    for counter in (one, other):
        for unit in state.vehicles.values():
            if unit.id in counter.units or unit.aboard in counter.units:
                unit.hex = counter.hex
    return True


def change_hidden(state: PanzerState, choice: Choice) -> bool:
    """7.2 Change everything about a hidden unit except its hex, because the enemy cannot look under the counter."""
    for unit in hidden(state):
        unit.facing = 1 + choice.below(6)
        unit.full_cover = not unit.full_cover
        unit.suppression = choice.one_of(tuple(Marker))
        unit.loads = {"A": choice.below(3)}
        unit.flags = (*unit.flags, *(["jammed-0"] if unit.id in ("dr6", "dr10") else []))
        unit.used_up = state.turn * choice.below(2)
        if unit.kind == "vehicle":
            unit.damage = choice.one_of((Damage.NONE, Damage.HULL))
    return bool(hidden(state))


def get_aboard(state: PanzerState, choice: Choice) -> bool:
    """6.6.7 Change whether hidden squads are aboard a hidden lorry."""
    lorry, squads = state.vehicles["dr9"], [state.vehicles[id] for id in ("dr2", "dr3", "dr5", "dr11")]
    squads = [squad for squad in squads if squad.hidden and not squad.aboard]
    if not lorry.hidden or not squads:
        return False
    for counter in counters(state):
        counter.units = tuple(id for id in counter.units if id not in [squad.id for squad in squads])
    for squad in squads:
        squad.aboard, squad.hex = "dr9", lorry.hex
    return True


def command_hidden(state: PanzerState, choice: Choice) -> bool:
    """4.2.1, 7.2.2.2 Change the commands of hidden units, which stay secret even when the turn ends."""
    for unit in hidden(state):
        if unit.command is not None:
            unit.command = choice.one_of((Command.OVERWATCH, Command.NO_COMMAND))
    return any(unit.command is not None for unit in hidden(state))


def lay_mines(state: PanzerState, choice: Choice) -> bool:
    """7.31 Change the positions, kinds and number of mines."""
    own = [mines for mines in minefields(state) if mines.known == (OTHER,)]
    for feature, hex in zip(own, ("A13", "T1"), strict=False):
        feature.hex, feature.of = parse_hex(hex), choice.one_of(("vehicles", "personnel"))
    state.features["x9"] = Feature(id="x9", type="deliberate_mines", hex=parse_hex("T13"), side=OTHER, known=(OTHER,))
    return bool(own)


def plot_otherwise(state: PanzerState, choice: Choice) -> bool:
    """6.5.1.4, 6.5.1.11 Change registered points, and future planned fire."""
    if any(plan.arrived for plan in state.planned.values()):
        return False
    battery = state.batteries["bg1"]
    battery.registered = (choice.one_of(("C6", "D7")),)
    battery.available_from = 9
    legs = (Leg(parse_hex("C6"), "gp", "closed"), Leg(parse_hex("C7"), "smoke", "open"))
    state.planned = {"bg1p1": PlannedFire(id="bg1p1", side=OTHER, battery="bg1", turn=7, legs=legs)}
    return True


def uncover(state: PanzerState, choice: Choice) -> bool:
    """7.24 Change the camouflage of a unit that no enemy could spot."""
    seen = {target for targets in state.spotted.values() for target in targets}
    unit = state.vehicles["dr8"]
    if not unit.alive or unit.id in seen or CAMOUFLAGED not in unit.flags:
        return False
    unit.flags = tuple(flag for flag in unit.flags if flag != CAMOUFLAGED)
    unit.loads = {}
    return True


def command_others(state: PanzerState, choice: Choice) -> bool:
    """4.2.1 Change face-down counters that are never used."""
    own = [unit for unit in state.of(OTHER) if unit.face_down and not (unit.hidden or unit.shares or unit.shown)]
    for unit in own:
        if unit.command in (Command.OVERWATCH, Command.NO_COMMAND):
            mates = [unit, *(mate for mate in state.of(OTHER) if mate.shares == unit.id)]
            command = choice.one_of((Command.OVERWATCH, Command.NO_COMMAND))
            for mate in mates:
                mate.command = command
    return bool(own)


SECRETS: dict[str, Secret] = {
    secret.__name__: secret
    for secret in (
        swap_counters,
        change_hidden,
        get_aboard,
        command_hidden,
        lay_mines,
        plot_otherwise,
        uncover,
        command_others,
    )
}


# Two worlds --------------------------------------------------------------------------------------------------


def quiet_bot(rules: Rules, view: PanzerState, ask: Ask) -> Submission:
    """A bot for the British that never lets its units act, whatever their commands are."""
    for said in (None, {}, [], ask.silence):
        try:
            return Submission(rules.check(view, ask, said))
        except Refusal:
            continue
    raise AssertionError(f"the default of {ask.kind} is not legal")


def shows(secret: str, before: PanzerState, worlds: list[PanzerState]) -> bool:
    """Return whether the rules have by now revealed the secret in at least one of the worlds."""
    match secret:
        case "swap_counters" | "change_hidden" | "get_aboard" | "command_hidden":
            were = {unit.id for unit in hidden(before)}
            return any(were - {unit.id for unit in hidden(world)} for world in worlds) or any(
                set(before.hidden_counters) - set(world.hidden_counters) for world in worlds
            )
        case "lay_mines":
            return any(ME in mines.known for world in worlds for mines in minefields(world))
        case "plot_otherwise":
            return any(plan.arrived for world in worlds for plan in world.planned.values())
        case "uncover":
            return any("dr8" in targets for world in worlds for targets in world.spotted.values())
        case "command_others":
            return any(world.phase == "adjustment" or not world.first for world in worlds)
    return False


def minefields(state: PanzerState) -> list[Feature]:
    return [feature for feature in state.features.values() if feature.type.endswith("mines")]


def told_apart(rules: PanzerRules, mark: bytes, secret: str, seed: str, exchanges: int) -> tuple[int, str] | None:
    """Return the number of identical exchanges, and the first difference before the secret is revealed.

    Return None if there is no secret of that name in this match.
    """
    changed = from_bytes(mark, PanzerState)
    if not SECRETS[secret](changed, Choice(seed, secret)):
        return None
    worlds = [World(rules, state, seed) for state in (mark, to_bytes(changed))]
    bots = {ME: random_bot(seed, most=6), OTHER: quiet_bot}
    answers: list[dict[str, Any]] = [{}, {}]
    for number in range(exchanges):
        for world, given in zip(worlds, answers, strict=True):
            world.go_on(given)
        if shows(secret, changed, [world.state for world in worlds]):
            return number, ""
        for viewer in (ME, PUBLIC):
            if difference := first_difference(*(world.outlets(viewer) for world in worlds)):
                return number, f"turn {worlds[0].state.turn} {worlds[0].state.phase}, {viewer}: {difference}"
        if not worlds[0].run.asks:
            return number, ""
        answers = [world.answers(bots) for world in worlds]
    return exchanges, ""


def first_difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    for what in one:
        if one[what] != other[what]:
            if isinstance(one[what], bytes):
                return f"{what}: {_cut(one[what].decode(), other[what].decode())}"
            both = one[what], other[what]
            pairs = zip_longest(*both) if all(isinstance(each, list) for each in both) else [both]
            a, b = next(pair for pair in pairs if pair[0] != pair[1])
            return f"{what}: {_cut(str(a), str(b))}"
    return ""


def _cut(a: str, b: str) -> str:
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"…{a[max(0, at - 200) : at + 120]}… against …{b[max(0, at - 200) : at + 120]}…"


# Units named -------------------------------------------------------------------------------------------------


def named(world: World, hidden_before: set[str], viewer: str) -> list[str]:
    """Return the hidden units that are named to this viewer although they were hidden before and still are."""
    hidden_now = {unit.id for unit in world.state.vehicles.values() if unit.hidden and unit.side != viewer}
    text = str(world.outlets(viewer))
    return [id for id in sorted(hidden_before & hidden_now) if re.search(rf"""['"]{id}['"]""", text)]
