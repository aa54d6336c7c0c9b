"""4.2.1 The orders of a player: lines of the order language read in the light of a seat's view.

    4.2.1        read_orders: a command for each unit, and what to do when its time comes
    R-02         read_placing
    4.4, 4.5     read_answer: the asks within a turn, when they are put to a person
    names        unit_named: ids, names, or the beginning of one
    plans        check_plan
    restating    restate, restated: the canonical lines of a submission, for receipts

Every line that cannot be carried out is refused, all of them together. `language` reads the words, `prospects`
says what is legal, `NOTES.md` describes the language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from pbem.engine.rules.ask import Answer, Ask
from pbem.engine.rules.refusals import Ambiguous, Illegal, Objection, Refusal, Refusals, Unreadable, each
from pbem.engine.rules.title import Submission
from pbem.titles.panzer.charts import nearest
from pbem.titles.panzer.commands import absent
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.doctrine import conditions, planned, word_of
from pbem.titles.panzer.language import (
    RULE,
    Line,
    Words,
    direction,
    lines,
    move_wish,
    names_of,
    parse,
    part,
    squashed,
    tokens,
    tokens_of,
    watch_wish,
)
from pbem.titles.panzer.plan import (
    ALL,
    LEAVE_ANYWHERE,
    FireWish,
    MoveWish,
    Plan,
    Sequence,
    Turn,
    WatchWish,
    plain,
    read_plan,
)
from pbem.titles.panzer.prospects import (
    WORD_OF,
    check_command,
    check_fire_wish,
    check_move_wish,
    commanded,
    own_units,
    watch_prospects,
)
from pbem.titles.panzer.state import Command, PanzerState, Vehicle

DONE: Final = "done"
"""A line that says: no more than this."""

# --- reading -------------------------------------------------------------------------------------------------


def read_orders(data: PanzerData, view: PanzerState, seat: str, text: str) -> Submission:
    """4.2.1 The commands of a seat and its plan; a refusal names every line that cannot be carried out."""
    reader = Reader(data, view, seat)
    reader.read(text)
    return Submission(dict(sorted(reader.commands.items())), plain(reader.plan()))


class Reader:
    """Takes in line after line, and remembers what is wrong with each. `kind` is what is asked."""

    def __init__(self, data: PanzerData, view: PanzerState, seat: str, kind: str = "commands") -> None:
        self.data, self.view, self.seat, self.kind = data, view, seat, kind
        self.commands: dict[str, str] = {}
        self.fire: dict[str, FireWish] = {}
        self.move: dict[str, MoveWish] = {}
        self.overwatch: dict[str, WatchWish] = {}
        self.show: dict[str, Any] = {}
        self.aspect: dict[str, Any] = {}
        self.initiative: Turn | None = None
        self.sequence: dict[str, list[str]] = {}
        self.done = False
        self.refusals: list[Refusal] = []
        self.own = own_units(view, seat)
        self.enemies = [vehicle for vehicle in view.vehicles.values() if vehicle.side != seat]

    def read(self, text: str) -> None:
        """Every line in turn; those for the rest of the units at the end."""
        rest: list[tuple[Line, Words]] = []
        for line in lines(text):
            with self.at(line):
                words = parse(line)
                if words.data == "unit_order" and tokens(words, "ALL"):
                    rest.append((line, words))
                else:
                    self.take(words)
        for line, words in rest:
            for vehicle in self.own:
                if vehicle.id not in self.commands:
                    with self.at(line):
                        self.order(vehicle, words)
        raise_all(self.refusals)

    @contextmanager
    def at(self, line: Line) -> Iterator[None]:
        """Whatever is refused within is kept, with its line."""
        try:
            yield
        except Refusal as refusal:
            self.refusals += [with_line(single, line) for single in each(refusal)]

    def plan(self) -> Plan:
        """All that the lines say beside the commands. Units fire and move in the order of their lines."""
        order = Sequence(
            fire=self.sequence.get("fire") or list(self.fire), move=self.sequence.get("move") or list(self.move)
        )
        return Plan(
            fire=self.fire,
            move=self.move,
            overwatch=self.overwatch,
            initiative=self.initiative,
            show=self.show,
            aspect=self.aspect,
            order=order,
        )

    def take(self, words: Words) -> None:
        """What one line says."""
        match words.data:
            case "unit_order":
                for word in tokens_of(words, "who", "NAME"):
                    self.order(unit_named(word, self.own, self.view), words)
            case "initiative":
                self.initiative = "first" if tokens(words, "FIRST") else "second"
            case "show":
                self.show |= dict.fromkeys(self.own_named(words) or [ALL], word_of(words, "when"))
            case "aspect":
                self.aspect |= dict.fromkeys(self.own_named(words) or [ALL], word_of(words, "side"))
            case "sequence":
                for what, token in (("fire", "FIRE"), ("move", "MOVE")):
                    if tokens(words, token) or not tokens(words, "FIRE", "MOVE"):
                        self.sequence[what] = self.own_named(words)
            case _:
                self.done = True

    def own_named(self, words: Words) -> list[str]:
        return [unit_named(word, self.own, self.view).id for word in tokens_of(words, "names", "NAME")]

    def enemy_named(self, word: str) -> str:
        return unit_named(word, self.enemies, self.view).id

    # --- the order of one unit

    def order(self, vehicle: Vehicle, words: Words) -> None:
        """4.2.1 One command for a unit, checked before what it says about fire and movement."""
        if vehicle.id in self.commands:
            raise Illegal(vehicle.id, [Objection("1.7.2", "it has one counter, and its order in a line above")])
        command = next(command for name, command in COMMAND_OF.items() if part(words, name) is not None)
        if self.kind == "commands":
            check_command(self.data, self.view, vehicle, command)
            vehicle = commanded(vehicle, command)
        self.commands[vehicle.id] = command.value
        if command in (Command.FIRE, Command.SHORT_HALT):
            self.order_fire(vehicle, words)
        if command in (Command.MOVE, Command.SHORT_HALT):
            self.order_move(vehicle, words)
        if command is Command.OVERWATCH:
            self.order_overwatch(vehicle, words)

    def order_fire(self, vehicle: Vehicle, words: Words) -> None:
        """4.4.1 The targets in order of preference; none is left to the standing orders."""
        targets = [self.enemy_named(word) for word in tokens_of(words, "names", "NAME")]
        numbers = tokens_of(words, "weapon", "NUMBER")
        weapon = int(numbers[0]) - 1 if numbers else None
        if targets or weapon is not None:
            self.fire[vehicle.id] = FireWish(targets=list(dict.fromkeys(targets)), weapon=weapon)
            if self.kind != "overwatch":  # spotting is judged anew there
                check_fire_wish(self.data, self.view, vehicle, self.fire[vehicle.id])

    def order_move(self, vehicle: Vehicle, words: Words) -> None:
        """4.5.1 Where to. A Short Halt without a move stays where it is."""
        moving = part(words, "moving")
        wish = move_wish(moving) if moving is not None else MoveWish()
        self.move[vehicle.id] = check_move_wish(self.data, self.view, vehicle, wish)

    def order_overwatch(self, vehicle: Vehicle, words: Words) -> None:
        """4.4.2 The conditions; without any the standing orders decide."""
        overwatch = part(words, "overwatch")
        if overwatch is not None and len(overwatch.children) > 1:
            self.overwatch[vehicle.id] = watch_wish(overwatch, self.enemy_named)


COMMAND_OF: Final = {
    "hold": Command.NO_COMMAND,
    "short_halt": Command.SHORT_HALT,
    "fire": Command.FIRE,
    "moving": Command.MOVE,
    "overwatch": Command.OVERWATCH,
}
"""4.2 The command that a part of a line gives; a Short Halt may have a move in it."""


def raise_all(refusals: list[Refusal]) -> None:
    """All refusals in one answer."""
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def with_line(refusal: Refusal, line: Line) -> Refusal:
    """The refusal with the line it is about."""
    return type(refusal)(refusal.part, refusal.objections, refusal.instead, line.written)


# --- the other asks ------------------------------------------------------------------------------------------


def read_placing(view: PanzerState, seat: str, text: str) -> Submission:
    """R-02 Lines `g1 at D5 face 3`: where units begin."""
    own = [vehicle for vehicle in view.vehicles.values() if vehicle.side == seat]
    places: dict[str, list[Any]] = {}
    refusals: list[Refusal] = []
    for line in lines(text):
        if line.text == DONE:
            continue  # all others as the scenario has them
        try:
            words = parse(line, "placing")
            unit = unit_named(tokens(words, "NAME")[0], own, view)
            facings = [direction(word) for word in tokens_of(words, "face", "DIRECTION")]
            places[unit.id] = [tokens(words, "HEX")[0].upper(), *(facings or [unit.facing])]
        except Refusal as refusal:
            refusals += [with_line(single, line) for single in each(refusal)]
    raise_all(refusals)
    return Submission(dict(sorted(places.items())))


def read_answer(data: PanzerData, view: PanzerState, ask: Ask, text: str) -> Submission:
    """4.4, 4.5 The answer to an ask within a turn, when it is put to a person; further lines are the plan."""
    if ask.kind in ("fire", "overwatch", "move"):
        return read_action(data, view, ask, text)
    said = lines(text)
    if len(said) != 1:
        raise Unreadable(ask.kind, [Objection(RULE, f"one line is wanted, not {len(said)}")], CHOICES[ask.kind])
    words = parse(said[0], "choice")
    answer = chosen(ask, words)
    if answer is NOTHING:
        objection = Objection(RULE, "that is no answer here")
        raise Unreadable(said[0].written, [objection], CHOICES[ask.kind], said[0].written)
    return Submission(answer)


NOTHING: Final = object()
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "initiative": ("first", "second"),
    "show": ("yes", "no"),
    "aspect": ("front", "rear"),
    "reroute": ("go on", "stop", "move f r f"),
}
"""What can be said to the small asks."""


def chosen(ask: Ask, words: Words) -> Any:
    """What a single word means for an ask."""
    side = part(words, "side")
    match ask.kind, words.data:
        case "initiative", "first" | "second":
            return str(words.data)
        case "show", "yes" | "no":
            return words.data == "yes"
        case "aspect", _ if side is not None:
            return ask.default if word_of(words, "side") == "stronger" else word_of(words, "side")
        case "reroute", "go_on":
            return None
        case "reroute", "choice":
            return {"steps": move_wish(words).steps}
    return NOTHING


def read_action(data: PanzerData, view: PanzerState, ask: Ask, text: str) -> Submission:
    """4.4.1, 4.4.2, 4.5.1 `g1 fire b1`, `g4 move E7`, or `done`: the first that can be done now is the answer."""
    reader = Reader(data, view, ask.seat, ask.kind)
    reader.read(text)
    plan = reader.plan()
    if ask.kind == "overwatch":
        return Submission(watched(data, view, ask, plan))
    replies = [reply.answer for reply in planned(data, view, ask, plan) if reply.answer is not None]
    if not replies and not reader.done and reader.commands:
        raise Illegal(ask.kind, [Objection(ask.rule, "none of these can be done now")], ["done"])
    return Submission(replies[0] if replies else None, plain(plan))


def watched(data: PanzerData, view: PanzerState, ask: Ask, plan: Plan) -> Answer:
    """4.4.2 `g5 fire b1` in a window: all who fire at the first target named, with the best weapon unless told."""
    target = next((target for wish in plan.fire.values() for target in wish.targets), None)
    if target is None:
        return None
    legal = watch_prospects(data, view, ask)
    firers = []
    for unit, wish in plan.fire.items():
        if wish.targets[:1] == [target]:
            best = next((shot.weapon for shot in legal.get(unit, ()) if shot.target == target), 0)
            firers.append([unit, best if wish.weapon is None else wish.weapon])
    return {"target": target, "firers": firers}


# --- plans ---------------------------------------------------------------------------------------------------


def check_plan(view: PanzerState, seat: str, given: Any) -> dict[str, Any]:
    """The plan in canonical form; a refusal of everything in it that names the wrong units.

    What the lines of orders say was checked with them; whether a wish can be fulfilled is seen when its time comes.
    """
    if not isinstance(given, dict):
        raise Unreadable("plan", [Objection("4.2.1", "a plan is a table")], Plan.__struct_fields__)
    plan = read_plan(given)
    own = [vehicle.id for vehicle in view.vehicles.values() if vehicle.side == seat]
    enemies = [vehicle.id for vehicle in view.vehicles.values() if vehicle.side != seat]
    wrong = [*strangers(own_in(plan), own, "it is not a unit of yours")]
    wrong += strangers(enemies_in(plan), enemies, "it is no enemy")
    raise_all(wrong)
    return plain(plan)


def strangers(units: Iterable[str], legal: list[str], why: str) -> Iterator[Refusal]:
    """Those units that are not among the legal ones."""
    for unit in units:
        if unit not in legal:
            near = nearest(unit, legal)
            yield Illegal(unit, [Objection("3.1", why)], [near] if near else legal)


def own_in(plan: Plan) -> Iterator[str]:
    """The own units that a plan names."""
    tables: tuple[Mapping[str, Any], ...] = (plan.fire, plan.move, plan.overwatch, plan.show, plan.aspect)
    yield from (unit for table in tables for unit in table if unit != ALL)
    yield from (*plan.order.fire, *plan.order.move)


def enemies_in(plan: Plan) -> Iterator[str]:
    """The enemies that a plan names."""
    yield from (target for wish in plan.fire.values() for target in wish.targets)
    yield from (target for wish in plan.overwatch.values() for target in (*wish.only, *wish.but_not))


# --- restating -----------------------------------------------------------------------------------------------


def restate(kind: str, submission: Submission) -> str:
    """A submission in the order language, whatever was asked."""
    answer = submission.answer
    match kind:
        case "commands":
            said = restated(submission)
        case "deploy":
            said = [f"{unit} {hex} face {facing}" for unit, (hex, facing) in sorted(answer.items())]
        case "fire" | "overwatch" if answer is not None:
            said = [f"{unit} fire {answer['target']} with {weapon + 1}" for unit, weapon in answer["firers"]]
        case "move" if answer is not None:
            said = [f"{answer['unit']} {move_said(MoveWish(steps=answer['steps']))}"]
        case "show":
            said = ["yes" if answer else "no"]
        case "reroute":
            said = ["go on" if answer is None else f"move {' '.join(answer['steps'])}" if answer["steps"] else "stop"]
        case _:
            said = ["done" if answer is None else str(answer)]
    return "\n".join(said) + "\n"


def restated(submission: Submission) -> list[str]:
    """The canonical lines of commands and plan. Read again, they give the same submission."""
    plan = read_plan(submission.plan)
    commands: dict[str, str] = submission.answer
    listed = [*plan.order.fire, *plan.order.move]
    units = sorted(commands, key=lambda unit: (listed.index(unit) if unit in listed else len(listed), unit))
    said = [f"{unit} {order_said(unit, Command(commands[unit]), plan)}" for unit in units]
    if plan.initiative:
        said.append(f"initiative {plan.initiative}")
    for word, table in (("show", plan.show), ("aspect", plan.aspect)):
        said += [f"{word} {unit} {what}".replace(f" {ALL} ", " ") for unit, what in table.items()]
    for word, order, own in (("fire", plan.order.fire, plan.fire), ("moves", plan.order.move, plan.move)):
        if order and order != [unit for unit in units if unit in own]:
            said.append(f"order of {word}: {', '.join(order)}")
    return said


def order_said(unit: str, command: Command, plan: Plan) -> str:
    """One unit's order as it is written."""
    words = [WORD_OF[command]] if command is not Command.MOVE else []
    if (fire := plan.fire.get(unit)) is not None:
        words += [*fire.targets, *([f"with {fire.weapon + 1}"] if fire.weapon is not None else [])]
    if (move := plan.move.get(unit)) is not None and (command is Command.MOVE or move != MoveWish()):
        words.append(move_said(move))
    elif command is Command.MOVE:
        words.append(WORD_OF[command])
    if (watch := plan.overwatch.get(unit)) is not None:
        words.append(conditions(watch))
    return " ".join(words)


def move_said(wish: MoveWish) -> str:
    """A move as it is written."""
    words = [f"enter {wish.enter}"] if wish.enter else []
    if wish.steps:
        words.append(f"move {' '.join(wish.steps)}")
    elif wish.exit:
        words.append("exit" if wish.exit == LEAVE_ANYWHERE else f"exit {wish.exit}")
    elif wish.goal:
        words.append(f"{'road' if wish.mode == 'road' else 'move'} {wish.goal}")
    elif not wish.enter:
        words.append("move")
    words += [f"face {wish.facing}"] if wish.facing else []
    words += ["stop when hit"] if wish.stop else []
    return " ".join(words)


# --- names ---------------------------------------------------------------------------------------------------


def unit_named(word: str, units: Iterable[Vehicle], view: PanzerState) -> Vehicle:
    """The unit that a word means: its id, its name, or the beginning of one name only."""
    candidates = list(units)
    said = squashed(word)
    for fits in (said.__eq__, lambda name: name.startswith(said)):
        found = [vehicle for vehicle in candidates if any(fits(name) for name in names_of(vehicle))]
        if len(found) == 1:
            return found[0]
        if found:
            meant = [vehicle.id for vehicle in found]
            raise Ambiguous(word, [Objection(RULE, f"it could be {' or '.join(meant)}")], meant)
    raise unknown(word, candidates, view)


def unknown(word: str, candidates: list[Vehicle], view: PanzerState) -> Refusal:
    """Nobody here is called so: a unit of the wrong side, out of play, or a slip."""
    legal = [vehicle.id for vehicle in candidates]
    other = next((vehicle for vehicle in view.vehicles.values() if squashed(word) in names_of(vehicle)), None)
    if other is not None:
        strange = all(vehicle.side != other.side for vehicle in candidates)
        why = Objection("3.1", f"it belongs to the {other.side} side") if strange else absent(other)
        return Illegal(word, [why], legal)
    near = nearest(squashed(word), [name for vehicle in candidates for name in names_of(vehicle)])
    meant = [vehicle.id for vehicle in candidates if near in names_of(vehicle)]
    return Unreadable(word, [Objection(RULE, "there is no such unit")], meant or legal)
