"""The orders of a player: lines of the order language read in the light of a seat's view.

    T1.1, T1.2, T8.3    Reader: the forms of a phase, tank by tank, with conditions
    T3                  read_terrain, read_role, read_deploy
    T4                  platoons are lists of their own, see `platoon`
    ----                unit_named, card_named: ids, names, or the beginning of one
    ----                check_plan; restate: the canonical lines of a submission, for receipts

Every line that cannot be carried out is refused, all of them together. `language` reads the words, `NOTES.md`
describes the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Ambiguous, Illegal, Objection, Refusal, Unreadable, each
from pbem.engine.rules.title import Submission
from pbem.titles.tanks.answers import choices
from pbem.titles.tanks.command_phase import command_objections
from pbem.titles.tanks.crew_and_upgrades import held_cards
from pbem.titles.tanks.data_set import Platoon, TanksData, nearest
from pbem.titles.tanks.language import (
    COMPASS,
    SIDES,
    Line,
    Words,
    degrees,
    distance,
    lines,
    parse,
    part,
    parts,
    tenths,
    tokens,
)
from pbem.titles.tanks.movement import early_objections, order_refusals, raise_all
from pbem.titles.tanks.plan import (
    ALL,
    PREFERENCES,
    RULE,
    CommandOrder,
    Condition,
    DeployForm,
    Move,
    MovementForm,
    MoveOrder,
    Plan,
    Reroll,
    ShootingForm,
    ShootOrder,
    plain,
    read_as,
    read_plan,
)
from pbem.titles.tanks.platoon import answer_of, read_list, write_list
from pbem.titles.tanks.setup import deploy_objections, place_objections
from pbem.titles.tanks.shooting import shoot_refusals
from pbem.titles.tanks.state import Tank, TanksState

ALLOWED: Final = {
    "movement": ("hold", "moving", "tactic", "early", "use", "keep"),
    "move": ("hold", "moving", "use"),
    "shooting": ("hold", "shoot", "use", "keep", "reroll", "again", "repair"),
    "shoot": ("hold", "shoot"),
    "command": ("hold", "repair", "blitz"),
}
"""What can be said in each phase."""
SAID: Final = {"moving": "move", "early": "first move", "tactic": "hunt, hide, rush"}


def read(data: TanksData, view: TanksState, ask: Ask, text: str) -> Submission:
    """A submission for any ask; a refusal names every line that cannot be carried out."""
    match ask.kind:
        case "platoon":
            return Submission(answer_of(read_list(data, text)))
        case "terrain":
            return Submission(read_terrain(data, view, text))
        case "role":
            return Submission(read_role(text))
        case "deploy":
            return Submission(read_deploy(data, view, ask.seat, text))
        case "movement" | "move" | "shooting" | "shoot" | "command":
            return Reader(data, view, ask).read(text)
        case _:
            return Submission(read_choice(data, view, ask, text))


# --- the forms of a phase ------------------------------------------------------------------------------------


class Reader:
    """Takes in line after line, and remembers what is wrong with each."""

    def __init__(self, data: TanksData, view: TanksState, ask: Ask) -> None:
        self.data, self.view, self.ask = data, view, ask
        self.own = list(view.of(ask.seat))
        self.moves: dict[str, list[MoveOrder]] = {}
        self.shots: dict[str, list[ShootOrder]] = {}
        self.commands: dict[str, CommandOrder] = {}
        self.early: dict[str, Move] = {}
        self.sequence: list[str] = []
        self.use: dict[str, list[str]] = {}
        self.keep: dict[str, list[str]] = {}
        self.lend: dict[str, list[str]] = {}
        self.reroll: dict[str, Reroll] = {}
        self.again: dict[str, list[str]] = {}
        self.repair: dict[str, str] = {}

    def read(self, text: str) -> Submission:
        """Every line in turn; those for the rest of the tanks at the end."""
        refusals: list[Refusal] = []
        for line in sorted(lines(text), key=lambda line: bool(re.match(r"(all|rest|others)\b", line.text))):
            try:
                self.take(self.parsed(line))
            except Refusal as refusal:
                refusals += [with_line(single, line) for single in each(refusal)]
        raise_all(refusals)
        return self.submission()

    def parsed(self, line: Line) -> Words:
        """The words of a line; when one tank is asked about, its name may be left out."""
        subject = self.ask.subject
        try:
            return parse(line)
        except Unreadable:
            if not subject:
                raise
            return parse(line._replace(text=f"{subject}: {line.text}"))

    def submission(self) -> Submission:
        plan = Plan(
            use=self.use, keep=self.keep, lend=self.lend, reroll=self.reroll, again=self.again, repair=self.repair
        )
        said = {name: what for name, what in plain(plan).items() if what}
        match self.ask.kind:
            case "movement":
                return Submission(plain(MovementForm(self.moves, self.sequence, self.early)), said)
            case "move":
                orders = self.moves.get(self.ask.subject, [MoveOrder()])
                return Submission(plain(MoveOrder(moves=orders[0].moves, use=orders[0].use)))
            case "shooting":
                return Submission(plain(ShootingForm(self.shots, self.sequence)), said)
            case "shoot":
                targets = [target for order in self.shots.get(self.ask.subject, []) for target in order.targets]
                return Submission(targets[0] if targets else None)
            case _:
                return Submission({tank: plain(order) for tank, order in sorted(self.commands.items())})

    def take(self, words: Words) -> None:
        """What one line says."""
        if words.data == "sequence":
            self.sequence = [self.own_named(name).id for name in tokens(words, "NAME")]
        elif words.data == "unit_order":
            action = words.children[-1]
            assert not isinstance(action, str) and hasattr(action, "data")
            allowed = ALLOWED[self.ask.kind]
            if action.data not in allowed:
                what = SAID.get(str(action.data), str(action.data))
                objection = Objection(RULE, f"«{what}» is not for this phase")
                raise Illegal(what, [objection], [SAID.get(word, word) for word in allowed])
            for tank in self.whom(words):
                self.tell(tank, action, self.conditions(tank, words))

    def whom(self, words: Words) -> list[Tank]:
        """The tanks that a line is for; the rest are those without an order so far."""
        who = part(words, "who")
        assert who is not None
        if tokens(who, "ALL"):
            told = {*self.moves, *self.shots, *self.commands}
            return [tank for tank in self.own if tank.id not in told]
        return [self.own_named(name) for name in merged(tokens(who, "NAME"), self.own, self.data)]

    def tell(self, tank: Tank, action: Words, when: list[Condition]) -> None:
        """One order for one tank, checked as things stand."""
        match str(action.data):
            case "hold":
                self.hold(tank, when)
            case "moving":
                self.move(tank, MoveOrder(self.legs(tank, action), when, []))
            case "tactic":
                (word,), prey = tokens(action, "TACTIC"), [self.enemy(name) for name in tokens(action, "NAME")]
                self.move(tank, MoveOrder(when=when, tactic=word, prey="".join(prey)))  # type: ignore[arg-type]
            case "early":
                (self.early[tank.id],) = self.legs(tank, action)
                objections = list(early_objections(self.data, self.view, tank, self.early[tank.id], "extra_move"))
                raise_all([Illegal(tank.id, objections)] if objections else [])
            case "blitz":
                self.command(tank, CommandOrder(move=self.legs(tank, action)[0]))
            case "shoot":
                targets = [self.target(word) for word in tokens(action, "NAME", "PREFERENCE")]
                self.shoot(tank, ShootOrder(targets, when))
            case "repair":
                self.mend(tank, action)
            case "reroll":
                self.reroll[tank.id] = reroll_of(action)
            case "again":
                self.again[tank.id] = [self.enemy(name) for name in tokens(action, "NAME")]
            case _:
                self.card(tank, action, when)

    def hold(self, tank: Tank, when: list[Condition]) -> None:
        if self.ask.kind in ("shooting", "shoot"):
            self.shots.setdefault(tank.id, []).append(ShootOrder([], when))
        elif self.ask.kind == "command":
            self.commands[tank.id] = CommandOrder()
        else:
            self.moves.setdefault(tank.id, []).append(MoveOrder([], when))

    def move(self, tank: Tank, order: MoveOrder) -> None:
        raise_all(list(order_refusals(self.data, self.view, self.ask.seat, tank.id, order)))
        self.moves.setdefault(tank.id, []).append(order)

    def shoot(self, tank: Tank, order: ShootOrder) -> None:
        raise_all(list(shoot_refusals(self.data, self.view, self.ask.seat, tank.id, order)))
        self.shots.setdefault(tank.id, []).append(order)

    def command(self, tank: Tank, order: CommandOrder) -> None:
        before = self.commands.get(tank.id, CommandOrder())
        both = CommandOrder(repair=order.repair or before.repair, move=order.move or before.move)
        if objections := list(command_objections(self.data, self.view, tank, both)):
            raise Illegal(tank.id, objections)
        self.commands[tank.id] = both

    def mend(self, tank: Tank, action: Words) -> None:
        """T8.3 A repair by the name of the critical; in the Shooting Phase it is a wish for later."""
        known = {critical.name: critical.id for critical in self.data.criticals.values()}
        said = tokens(action, "NAME")
        critical = named_in(" ".join(said), known, "critical card") if said else ""
        if self.ask.kind == "command":
            self.command(tank, CommandOrder(repair=critical))
        else:
            self.repair[tank.id] = critical

    def card(self, tank: Tank, action: Words, when: list[Condition]) -> None:
        """T2.4 A card to use or to keep face down."""
        said = part(action, "words")
        assert said is not None
        card = card_named(self.data, tank, " ".join(tokens(said, "NAME")))
        friend = part(action, "friend")
        moving = part(action, "moving")
        if action.data == "keep":
            self.keep.setdefault(tank.id, []).append(card)
        elif moving is not None:
            self.move(tank, MoveOrder(self.legs(tank, moving), when, [card]))
        elif friend is not None:
            self.lend[tank.id] = [card, self.own_named(tokens(friend, "NAME")[0]).id]
        else:
            self.use.setdefault(tank.id, []).append(card)

    def legs(self, tank: Tank, words: Words) -> list[Move]:
        """T5.1 The moves of a line."""
        return [leg_of(leg, self.anyone(tank)) for leg in parts(words, "leg")]

    def conditions(self, tank: Tank, words: Words) -> list[Condition]:
        found = part(words, "when")
        if found is None:
            return []
        return [self.condition(tank, child) for child in found.children if hasattr(child, "data")]

    def condition(self, tank: Tank, words: Any) -> Condition:
        """A public fact by its words."""
        units = [self.anyone(tank)(name) for name in tokens(words, "NAME")]
        no = bool(tokens(words, "NOT")) is not (words.data == "stayed")
        within = sum(distance(word, self.data.scenario.arrow) for word in tokens(words, "DISTANCE"))
        what = "moved" if words.data == "stayed" else str(words.data)
        return Condition(what, units, within, no)  # type: ignore[arg-type]

    def own_named(self, word: str) -> Tank:
        return unit_named(word, self.own, self.data, self.view)

    def enemy(self, word: str) -> str:
        return unit_named(word, list(self.view.enemies(self.ask.seat)), self.data, self.view).id

    def target(self, word: str) -> str:
        return word if word in PREFERENCES else self.enemy(word)

    def anyone(self, me: Tank) -> Callable[[str], str]:
        def find(word: str) -> str:
            if word in ("me", "it", "itself", "self"):
                return me.id
            return unit_named(word, list(self.view.tanks.values()), self.data, self.view).id

        return find


def leg_of(words: Words, unit: Callable[[str], str]) -> Move:
    """T5.1 `40`, `ne`, `toward b2`, `away from b2`, and a facing."""
    way, face = part(words, "way"), part(words, "face")
    assert way is not None
    return Move(direction(way, unit), facing(face, unit) if face is not None else 0)


def direction(words: Words, unit: Callable[[str], str]) -> int | str:
    for kind, word in (("TOWARD", "toward"), ("AWAY", "away")):
        if tokens(words, kind):
            return f"{word} {unit(tokens(words, 'NAME')[0])}"
    return degrees(tokens(words, "NUMBER", "COMPASS")[0])


def facing(words: Words, unit: Callable[[str], str]) -> int | str:
    """T5.1 Measured from the arrow; towards something or by the compass the nearest square facing."""
    if tokens(words, "TOWARD"):
        return f"toward {unit(tokens(words, 'NAME')[0])}"
    (word,) = tokens(words, "NUMBER", "SIDE", "COMPASS")
    if word in SIDES:
        return SIDES[word]
    return f"bearing {COMPASS[word]}" if word in COMPASS else degrees(word)


def reroll_of(words: Words) -> Reroll:
    if tokens(words, "ALWAYS"):
        return "always"
    return "never" if tokens(words, "NEVER") else int(tokens(words, "NUMBER")[0])


def with_line(refusal: Refusal, line: Line) -> Refusal:
    """The refusal with the line it is about."""
    return type(refusal)(refusal.part, refusal.objections, refusal.instead, line.written)


# --- set-up --------------------------------------------------------------------------------------------------


def read_placings(text: str, take: Callable[[Words], None], start: Any = "placing") -> None:
    """Line by line; what is refused is gathered."""
    refusals: list[Refusal] = []
    for line in lines(text):
        try:
            take(parse(line, start))
        except Refusal as refusal:
            refusals += [with_line(single, line) for single in each(refusal)]
    raise_all(refusals)


def spot_of(words: Words) -> tuple[int, int, int | None]:
    """Millimetres from the north-west corner, and a heading."""
    x, y = (tenths(word.rstrip("°")) for word in tokens(words, "NUMBER")[:2])
    face = part(words, "face")
    return x, y, degrees(tokens(face, "NUMBER", "COMPASS")[0]) if face is not None else None


def read_terrain(data: TanksData, view: TanksState, text: str) -> dict[str, Any]:
    """T3.1 Lines `wood 300 400 face 45`: wishes, the dearest first."""
    wishes: dict[str, list[list[int]]] = {}

    def take(words: Words) -> None:
        kind = named_in(tokens(words, "NAME")[0].rstrip("s"), {"wood": "wood", "building": "building"}, "terrain")
        x, y, heading = spot_of(words)
        if objections := list(place_objections(data, view, kind, (x, y, heading or 0))):
            raise Illegal(kind, objections, [f"{kind} 450 450"])
        wishes.setdefault(kind, []).append([x, y, heading or 0])

    read_placings(text, take)
    return dict(sorted(wishes.items()))


def read_role(text: str) -> dict[str, str]:
    """T3.2 `defender north`: the role if he may choose, the edge if he defends."""
    wish = {"edge": "north", "role": "attacker"}

    def take(words: Words) -> None:
        if tokens(words, "DEFENDER"):
            wish["role"] = "defender"
        for word in tokens(words, "EDGE"):
            wish["edge"] = word.split()[-1]

    read_placings(text, take, "role")
    return wish


def read_deploy(data: TanksData, view: TanksState, seat: str, text: str) -> Any:
    """T3.3 Lines `a1 at 450 60 face 180`; without a facing it looks to the enemy."""
    own = [tank for tank in view.tanks.values() if tank.seat == seat]
    places: dict[str, tuple[int, int, int]] = {}
    early: dict[str, Move] = {}
    inward = {"north": 180, "east": 270, "south": 0, "west": 90}[view.edges[seat]]

    def take(words: Words) -> None:
        tank = unit_named(tokens(words, "NAME")[0], own, data, view)
        if words.data == "early_place":
            leg = part(words, "leg")
            assert leg is not None
            early[tank.id] = leg_of(leg, lambda name: unit_named(name, view.tanks.values(), data, view).id)
            return
        x, y, heading = spot_of(words)
        places[tank.id] = (x, y, inward if heading is None else heading)
        if objections := list(deploy_objections(data, view, tank, places[tank.id])):
            raise Illegal(tank.id, objections)

    read_placings(text, take)
    return plain(DeployForm(places=places, early=early))


def read_choice(data: TanksData, view: TanksState, ask: Ask, text: str) -> Any:
    """One of the numbered choices of the form, or none."""
    said = lines(text)
    if len(said) != 1:
        raise Unreadable(ask.kind, [Objection(RULE, f"one line is wanted, not {len(said)}")], ["none", "1"])
    words = parse(said[0], "choice")
    legal = choices(data, view, ask)
    number = int("".join(tokens(words, "NUMBER")) or 0)
    if words.data == "none":
        return ask.default
    if not 1 <= number <= len(legal):
        raise Unreadable(said[0].written, [Objection(RULE, f"the choices are 1 to {len(legal)}")], ["none"])
    return legal[number - 1]


# --- names ---------------------------------------------------------------------------------------------------


def unit_named(word: str, units: Iterable[Tank], data: TanksData, view: TanksState) -> Tank:
    """The tank that a word means: its token, its number, its name, or the beginning of one name only."""
    candidates = list(units)
    said = squashed(word)
    for fits in (said.__eq__, lambda name: name.startswith(said)):
        found = [tank for tank in candidates if any(fits(name) for name in names_of(tank, data))]
        if len(found) == 1:
            return found[0]
        if found:
            meant = [tank.id for tank in found]
            raise Ambiguous(word, [Objection(RULE, f"it could be {' or '.join(meant)}")], meant)
    raise unknown(word, candidates, data, view)


def unknown(word: str, candidates: Sequence[Tank], data: TanksData, view: TanksState) -> Refusal:
    """Nobody here is called so: a tank of the other side, out of play, or a slip."""
    legal = [tank.id for tank in candidates]
    if any(squashed(word) in names_of(tank, data) for tank in view.tanks.values()):
        return Illegal(word, [Objection("T1.1", "it is not one of these now")], legal)
    names = {name: tank.id for tank in candidates for name in names_of(tank, data)}
    near = nearest(squashed(word), names)
    meant = [names[near[0]]] if len(near) == 1 else legal
    return Unreadable(word, [Objection(RULE, "there is no such tank")], meant)


def names_of(tank: Tank, data: TanksData) -> tuple[str, ...]:
    """The names by which orders may call a tank: a2, tank-2 and Sherman 75 are the same."""
    return squashed(tank.id), squashed(f"tank{tank.id[1:]}"), squashed(data.models[tank.model].name)


def merged(words: Sequence[str], own: Sequence[Tank], data: TanksData) -> list[str]:
    """Names of several words, as Panzer IV, put together again."""
    whole = squashed("".join(words))
    if len(words) > 1 and any(whole in names_of(tank, data) for tank in own):
        return ["".join(words)]
    return list(words)


def card_named(data: TanksData, tank: Tank, words: str) -> str:
    """A card of a tank by its name, or by the beginning of it."""
    aboard = {card.name: card.id for _, card in held_cards(data, tank)}
    return named_in(words, aboard, f"card of {tank.id}")


def named_in(words: str, names: Mapping[str, str], what: str) -> str:
    """The id that a name, an id, or the beginning of one stands for."""
    said = squashed(words)
    known = {squashed(key): id for name, id in names.items() for key in (name, id)}
    exact = {id for key, id in known.items() if key == said}
    found = sorted(exact or {id for key, id in known.items() if said in key})
    if len(found) == 1:
        return found[0]
    if found:
        raise Ambiguous(words, [Objection(RULE, f"it could be {' or '.join(found)}")], found)
    raise Unreadable(words, [Objection(RULE, f"there is no {what} of this name")], list(names) or ["nothing"])


def squashed(name: str) -> str:
    """A name without case, spaces and punctuation: T-34/85 is t3485."""
    return re.sub(r"[^a-zäöü0-9]", "", name.lower())


# --- plans ---------------------------------------------------------------------------------------------------


def check_plan(data: TanksData, view: TanksState, seat: str, given: Any) -> dict[str, Any]:
    """The plan in canonical form; a refusal of everything in it that names the wrong tanks or cards."""
    if not isinstance(given, dict):
        raise Unreadable("plan", [Objection(RULE, "a plan is a table")], Plan.__struct_fields__)
    plan = read_plan(given)
    own = {tank.id: tank for tank in view.tanks.values() if tank.seat == seat}
    raise_all(list(plan_refusals(data, view, own, plan)))
    return {name: said for name, said in plain(plan).items() if said}


def plan_refusals(data: TanksData, view: TanksState, own: Mapping[str, Tank], plan: Plan) -> Iterator[Refusal]:
    tables: tuple[Mapping[str, Any], ...] = (plan.use, plan.keep, plan.lend, plan.reroll, plan.again, plan.repair)
    for tank_id in dict.fromkeys(name for table in tables for name in table if name != ALL):
        if tank_id not in own:
            yield Illegal(tank_id, [Objection("T1.1", "it is no tank of yours")], nearest(tank_id, own))
    for table in (plan.use, plan.keep):
        for tank_id, cards in table.items():
            aboard = [held.id for held in own[tank_id].cards] if tank_id in own else cards
            for card in cards:
                if card not in aboard:
                    yield Illegal(card, [Objection("T2.2", f"it is no card of {tank_id}")], aboard)
    for target in dict.fromkeys(target for targets in plan.again.values() for target in targets):
        if target not in view.tanks or target in own:
            yield Illegal(target, [Objection("T7.1", "it is no enemy")])


# --- restating -----------------------------------------------------------------------------------------------


def restate(data: TanksData, ask: Ask, submission: Submission) -> str:
    """A submission in the order language, whatever was asked."""
    answer = submission.answer
    match ask.kind:
        case "platoon":
            return write_list(data, read_as(answer, Platoon, "platoon"))
        case "movement":
            said = movement_said(read_as(answer, MovementForm, "movement"))
        case "move":
            said = [move_said(ask.subject, read_as(answer, MoveOrder, "move"))]
        case "shooting":
            said = shooting_said(read_as(answer, ShootingForm, "shooting"))
        case "shoot":
            said = [f"{ask.subject}: shoot {answer}" if answer else f"{ask.subject}: hold"]
        case "command":
            said = command_said(answer)
        case "deploy":
            said = deploy_said(read_as(answer, DeployForm, "deploy"))
        case "terrain":
            said = [f"{kind} {mm(x)} {mm(y)} face {turn}" for kind, spots in answer.items() for x, y, turn in spots]
        case "role":
            said = [f"{answer['role']} {answer['edge']}"]
        case _:
            said = ["none" if answer == ask.default else f"# {answer}"]
    return "\n".join([*said, *plan_said(read_plan(submission.plan))]) + "\n"


def mm(tenths_of: int) -> str:
    """Tenths of a millimetre as they are written."""
    return f"{tenths_of // 10}.{tenths_of % 10}" if tenths_of % 10 else str(tenths_of // 10)


def movement_said(form: MovementForm) -> list[str]:
    said = [move_said(tank, order) for tank, orders in form.orders.items() for order in orders]
    said += [f"{tank}: first move {leg_said(move)}" for tank, move in form.early.items()]
    return said + sequence_said(form.sequence)


def sequence_said(sequence: Sequence[str]) -> list[str]:
    return [f"order of {', '.join(sequence)}"] if sequence else []


def move_said(tank: str, order: MoveOrder) -> str:
    """T5 One tank's moves as they are written."""
    if order.tactic is not None:
        return f"{tank}: {when_said(order.when)}{order.tactic} {order.prey}".rstrip()
    legs = " then ".join(f"move {leg_said(move)}" for move in order.moves) or "stay"
    use = f"use {' '.join(order.use)} then " if order.use else ""
    return f"{tank}: {when_said(order.when)}{use}{legs}"


def leg_said(move: Move) -> str:
    face = str(move.face)
    if face.startswith("bearing "):
        names = {bearing: name for name, bearing in COMPASS.items() if len(name) <= 2}
        face = names[int(face.split()[1])]
    return f"{move.way}" + (f" face {face}" if move.face != 0 else "")


def when_said(conditions: Sequence[Condition]) -> str:
    """Conditions as they are written."""
    return f"if {' and '.join(map(condition_said, conditions))}: " if conditions else ""


def condition_said(condition: Condition) -> str:
    no, units = "not " if condition.no else "", condition.units
    match condition.what:
        case "moved":
            return f"{units[0]} {'stayed' if condition.no else 'moved'}"
        case "sees":
            return f"{units[0]} {no}sees {units[1]}"
        case "near":
            return f"{units[0]} {no}within {mm(condition.within)} mm of {units[1]}"
        case "out":
            return f"{units[0]} {no}out"
        case "shot":
            return f"{units[0]} {no}shot at"
        case "hurt":
            return f"{units[0]} {no}hurt"


def shooting_said(form: ShootingForm) -> list[str]:
    said = [
        f"{tank}: {when_said(order.when)}" + (f"shoot {', '.join(order.targets)}" if order.targets else "hold")
        for tank, orders in form.orders.items()
        for order in orders
    ]
    return said + sequence_said(form.sequence)


def command_said(answer: Mapping[str, Any]) -> list[str]:
    said = []
    for tank, given in answer.items():
        order = read_as(given, CommandOrder, "command")
        said += [f"{tank}: repair {order.repair}"] if order.repair else []
        said += [f"{tank}: blitz move {leg_said(order.move)}"] if order.move is not None else []
        said += [f"{tank}: hold"] if order == CommandOrder() else []
    return said


def deploy_said(form: DeployForm) -> list[str]:
    said = [f"{tank} at {mm(x)} {mm(y)} face {heading}" for tank, (x, y, heading) in form.places.items()]
    return said + [f"{tank} first move {leg_said(move)}" for tank, move in form.early.items()]


def plan_said(plan: Plan) -> list[str]:
    """What is said beforehand, as it is written."""
    said = [f"{tank}: use {card}" for tank, cards in plan.use.items() for card in cards]
    said += [f"{tank}: keep {card}" for tank, cards in plan.keep.items() for card in cards]
    said += [f"{tank}: use {card} for {friend}" for tank, (card, friend) in plan.lend.items()]
    for tank, wish in plan.reroll.items():
        said.append(f"{tank}: reroll {wish if isinstance(wish, str) else f'below {wish}'}")
    said += [f"{tank}: again {', '.join(targets)}" for tank, targets in plan.again.items()]
    return said + [f"{tank}: repair {card}".rstrip() for tank, card in plan.repair.items()]
