"""Relay: a toy title with several seats per side, plans by section, and a class for each kind of ask.

Two sides push runners along a road of numbered spaces towards each other's end. A side has one or more seats; which
seat commands a runner is part of the state, and a runner can be lent. In each player turn both sides give orders at
once, sealed from the other side: the moving side marches (1), the other takes a stance (2). Runners move one by one;
after each step every enemy seat may fire once with a runner that has not fired (3), and a runner that is hit presses
on or halts (4). The side that has come further after the last turn wins (5). Nothing is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import msgspec

from pbem.engine.rules.ask import MODES, Grade, Step, Together
from pbem.engine.rules.decision import Decision, DecisionRules, Said, by_kind
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Change, Fail, Lose, Move, Shot
from pbem.engine.rules.refusals import Objection, Path, Unreadable, locate_objections
from pbem.engine.rules.state import NextStep, State
from pbem.engine.rules.table import Table
from pbem.engine.rules.title import Formation, Plan, Proposal, Rules, Submission, Title, Wish
from pbem.engine.text.grammar import Language, Words, lines, tokens

GRAMMAR: Final = r"""
march: WORD "march" NUMBER -> go
     | "lend" WORD "to" WORD -> lend
     | "press" PRESS [ONCE] -> press
stance: WORD "fire" "within" NUMBER [ONCE] -> fire
      | "stand" -> stand
choice: "none" -> none
      | NUMBER -> number
press: PRESS -> press
PRESS.2: "on" | "halt"
ONCE.2: "once"
NUMBER: /\d+/
WORD: /[a-z][a-z0-9-]*/
%import common.WS
%ignore WS
"""
LANGUAGE: Final = Language(
    lambda: GRAMMAR,
    ("march", "stance", "choice", "press"),
    {"WORD": "a runner", "MARCH": "march", "NUMBER": "a number", "FIRE": "fire", "PRESS": "on or halt"},
    ("WORD", "NUMBER"),
    "0",
)
MOST_STEPS: Final = 2


class Runner(msgspec.Struct):
    """A runner: its side, its space on the road, and its condition."""

    side: str
    space: int
    seat: str
    hits: int = 0
    fired: bool = False


class RelayState(State, kw_only=True):
    """The runners by name, the side that moves, and the number of turns."""

    turns: int
    moving: str
    runners: dict[str, Runner]


class Data(msgspec.Struct):
    """The frozen scenario: length of the road, seats of each side, runners per seat, and turns."""

    length: int
    seats: dict[str, list[str]]
    runners: int
    turns: int


# 1-4 Rules ---------------------------------------------------------------------------------------------------


def ahead(side: str) -> int:
    """1.1 Return the direction in which a side runs: north up the road, south down."""
    return 1 if side == "north" else -1


def other(side: str) -> str:
    return "south" if side == "north" else "north"


def march_objections(data: Data, runner: Runner | None, seat: str, steps: int) -> Iterator[Objection]:
    """1.2 Yield the objections to a march: a seat moves its own runner up to two spaces, along the road."""
    if runner is None or runner.seat != seat:
        yield Objection("1.2", "you do not command that runner")
    elif steps > MOST_STEPS:
        yield Objection("1.2", f"a runner marches at most {MOST_STEPS} spaces")
    elif not 0 <= runner.space + steps * ahead(runner.side) < data.length:
        yield Objection("1.2", "the road ends before that")


def fire_objections(runner: Runner | None, target: Runner, seat: str) -> Iterator[Objection]:
    """3.1 Yield the objections to fire: a seat's runner fires once a turn, at most three spaces far."""
    if runner is None or runner.seat != seat:
        yield Objection("3.1", "you do not command that runner")
    elif runner.fired:
        yield Objection("3.1", "that runner has fired this turn")
    elif abs(runner.space - target.space) > 3:
        yield Objection("3.1", "the target is more than three spaces away")


def own(runners: Mapping[str, Runner], seat: str) -> dict[str, Runner]:
    """Return the runners that a seat currently commands."""
    return {name: runner for name, runner in runners.items() if runner.seat == seat}


# Decisions ---------------------------------------------------------------------------------------------------


class RelayDecision(Decision[Any]):
    """The base class of all decisions in this title."""

    language = LANGUAGE


class Orders(msgspec.Struct, omit_defaults=True):
    """The steps of each runner, and the runners lent to another seat of the side."""

    march: dict[str, int] = {}
    lend: dict[str, str] = {}


class March(RelayDecision, kind="march", rule="1"):
    """1 The decision how far each runner marches, and which seat commands it from then on."""

    grade: ClassVar[Grade] = "order"
    Answer, nothing, start = Orders, {}, "march"
    shapes: ClassVar[Mapping[str, str]] = {"": "orders are steps by runner and runners that are lent"}

    def options(self) -> Iterator[Orders]:
        yield Orders()
        for name, runner in own(self.view.runners, self.seat).items():
            for steps in range(1, MOST_STEPS + 1):
                if not any(march_objections(self.data, runner, self.seat, steps)):
                    yield Orders({name: steps})

    def objections(self, answer: Orders) -> Iterator[Objection]:
        for name, steps in answer.march.items():
            found = march_objections(self.data, self.view.runners.get(name), self.seat, steps)
            yield from locate_objections(("march", name), found)
        for name, seat in answer.lend.items():
            yield from locate_objections(("lend", name), self._lend_objections(name, seat))

    def _lend_objections(self, name: str, seat: str) -> Iterator[Objection]:
        runner = self.view.runners.get(name)
        if runner is None or runner.seat != self.seat:
            yield Objection("1.3", "you do not command that runner")
        elif seat not in self.data.seats[runner.side]:
            yield Objection("1.3", "a runner is lent to a seat of its own side")

    def name(self, at: Path, answer: Orders) -> str:
        return str(at[1])

    def instead(self, at: Path, answer: Orders) -> Sequence[str]:
        return [line for option in self.options() for line in self.sentence(option)][:3]

    def read(self, words: Words, said: Said) -> None:
        names, once = tokens(words, "WORD"), bool(tokens(words, "ONCE"))
        if words.data == "go":
            said.put(("march", names[0]), int(tokens(words, "NUMBER")[0]))
        elif words.data == "lend":
            said.put(("lend", names[0]), names[1])
        else:
            said.plan["press"] = {"do": tokens(words, "PRESS")[0], "once": once}

    def form(self) -> Iterator[str]:
        for name in own(self.view.runners, self.seat):
            yield f"{name} march 0"

    def sentence(self, answer: Orders) -> Iterator[str]:
        yield from (f"{name} march {steps}" for name, steps in answer.march.items())
        yield from (f"lend {name} to {seat}" for name, seat in answer.lend.items())


class Stance(RelayDecision, kind="stance", rule="2"):
    """2 The other side's decision when to fire; only the plan sent with the answer matters."""

    grade: ClassVar[Grade] = "order"
    start = "stance"

    def options(self) -> Iterator[None]:
        yield None

    def read(self, words: Words, said: Said) -> None:
        if words.data == "fire":
            name, within = tokens(words, "WORD")[0], int(tokens(words, "NUMBER")[0])
            if name not in own(self.view.runners, self.seat):
                why, instead = "you do not command that runner", list(self.form())
                raise Unreadable(name, [Objection("2", why)], instead, said.line.written if said.line else "")
            said.plan.setdefault("fire", {})[name] = {"within": within, "once": bool(tokens(words, "ONCE"))}

    def form(self) -> Iterator[str]:
        yield from (f"{name} fire within 2" for name in own(self.view.runners, self.seat))

    def sentence(self, answer: None) -> Iterator[str]:
        yield from ()


class FireOrNot(RelayDecision, kind="fire", rule="3"):
    """3 The decision whether one of this seat's runners fires at the enemy runner that has just moved a step."""

    Answer = str | None

    def options(self) -> Iterator[str | None]:
        yield None
        for name, runner in own(self.view.runners, self.seat).items():
            if not any(fire_objections(runner, self.target, self.seat)):
                yield name

    @property
    def target(self) -> Runner:
        found: Runner = self.view.runners[self.ask.subject]
        return found

    def objections(self, answer: str | None) -> Iterator[Objection]:
        if answer is not None:
            yield from fire_objections(self.view.runners.get(answer), self.target, self.seat)

    def from_plan(self, plan: Plan) -> Iterator[tuple[str | None, str]]:
        yield from self._by_clauses(plan.get("fire", {}), plan.used)

    def from_standing_orders(self, orders: Any) -> Iterator[tuple[str | None, str]]:
        yield from self._by_clauses(orders, {})

    def _by_clauses(self, clauses: Mapping[str, Any], used: Mapping[str, int]) -> Iterator[tuple[str | None, str]]:
        for name, clause in clauses.items():
            text = fire_line(name, clause)
            runner = self.view.runners.get(name)
            if runner is None or (clause["once"] and used.get(text)):
                continue
            if abs(runner.space - self.target.space) <= clause["within"]:
                yield name, text


class PressOn(RelayDecision, kind="press", rule="4"):
    """4 The decision whether a runner that was hit presses on or halts."""

    grade: ClassVar[Grade] = "detail"
    Answer, nothing, start = str, "halt", "press"

    def options(self) -> Iterator[str]:
        yield from ("halt", "on")

    def default(self) -> str:
        """Return whether the runner presses on by default, which it does if its side trails.

        The default is computed only if the seat has not answered.
        """
        score = scores(self.data, self.view)
        side = self.view.runners[self.ask.subject].side
        return "on" if score[side] < score[other(side)] else "halt"

    def objections(self, answer: str) -> Iterator[Objection]:
        if answer not in ("halt", "on"):
            yield Objection("4", "answer on or halt")

    def instead(self, at: Path, answer: str) -> Sequence[str]:
        return ["on", "halt"]

    def read(self, words: Words, said: Said) -> None:
        said.put((), tokens(words, "PRESS")[0])

    def form(self) -> Iterator[str]:
        yield "halt"

    def sentence(self, answer: str) -> Iterator[str]:
        yield answer

    def from_plan(self, plan: Plan) -> Iterator[tuple[str, str]]:
        if clause := plan.get("press"):
            text = press_line(clause)
            if not (clause["once"] and plan.used.get(text)):
                yield clause["do"], text


def fire_line(name: str, clause: Mapping[str, Any]) -> str:
    return f"{name} fire within {clause['within']}" + (" once" if clause["once"] else "")


def press_line(clause: Mapping[str, Any]) -> str:
    return f"press {clause['do']}" + (" once" if clause["once"] else "")


# Steps -------------------------------------------------------------------------------------------------------


def player_turn(table: Table[RelayState]) -> Step:
    """1, 2 Ask all seats for orders at once: the moving side is asked for a march, the other side for a stance."""
    state, data = table.state, table.data
    seats = [*data.seats[state.moving], *data.seats[other(state.moving)]]
    asks = tuple((March if seat in data.seats[state.moving] else Stance).make_ask(seat) for seat in seats)
    marches: dict[str, int] = {}
    for ask, answer in zip(asks, (yield Together(asks)), strict=True):
        if ask.kind == "march":
            for name, seat in answer.lend.items():
                state.runners[name].seat = seat
                table.find("1.3", inputs={"runner": name}, result=seat, shows=[Change(name, "commander", seat)])
            marches.update(answer.march)
    table.then("march", left=[[name, steps] for name, steps in sorted(marches.items()) if steps])


def march(table: Table[RelayState], left: list[list[Any]]) -> Step:
    """1 Move the first runner that still has to march; the others follow in later steps."""
    if not left:
        table.then("turn_end")
        return
    (name, steps), *rest = left
    runner = table.state.runners.get(name)
    if runner is not None:
        yield from take_steps(table, name, runner, steps)
    table.then("march", left=rest)


def take_steps(table: Table[RelayState], name: str, runner: Runner, steps: int) -> Step:
    """1.1 Move a runner step by step; the enemy may fire after each step."""
    start = runner.space
    for number in range(1, steps + 1):
        before = runner.space
        runner.space += ahead(runner.side)
        shows = [Move(name, ((f"{before}", None), (f"{runner.space}", None)))]
        table.find("1.1", inputs={"runner": name, "from": before}, result=runner.space, shows=shows)
        hit = yield from receive_fire(table, name, runner)
        if name not in table.state.runners:
            return
        if hit and number < steps:
            answer = yield PressOn.make_ask(runner.seat, subject=name)
            table.find("4", inputs={"runner": name}, result=answer)
            if answer == "halt":
                fail = Fail(name, f"{name} march {steps}", "halted under fire", "4")
                table.find("4", inputs={"runner": name, "from": start}, result=runner.space, shows=[fail])
                return


def receive_fire(table: Table[RelayState], name: str, target: Runner) -> Step:
    """3 Let each enemy seat fire once at a runner; two hits stop it for good."""
    hit = False
    for seat in table.data.seats[other(target.side)]:
        shooter = yield FireOrNot.make_ask(seat, subject=name)
        if shooter is None or name not in table.state.runners:
            continue
        table.state.runners[shooter].fired = True
        die = table.roll(6, "3", shooter, name)
        shot = Shot(shooter, name, needed=4, rolled=(die,), result="hit" if die >= 4 else "miss")
        table.find("3", inputs={"by": shooter, "at": name}, dice=[die], result=die >= 4, shows=[shot])
        if die >= 4:
            hit, target.hits = True, target.hits + 1
            table.find("3.2", inputs={"runner": name}, result=target.hits, shows=[Change(name, "hits", target.hits)])
            if target.hits >= 2:
                del table.state.runners[name]
                table.find("3.2", inputs={"runner": name}, result="out", shows=[Lose(name, f"{target.space}", "hit")])
    return hit


def turn_end(table: Table[RelayState]) -> Step:
    """5 Give the move to the other side; after the last turn the side that has come further wins."""
    state = table.state
    for runner in state.runners.values():
        runner.fired = False
    if state.moving == "south":
        state.turn += 1
    state.moving = other(state.moving)
    if state.turn > state.turns:
        state.turn = state.turns
        score = scores(table.data, state)
        best = max(score, key=lambda side: score[side])
        winner = None if len(set(score.values())) == 1 else best
        table.end("5", winner, f"{score['north']} to {score['south']}", score=score)
        table.find("5", inputs=score, result=winner)
    else:
        table.then("player_turn")
    return
    yield


def scores(data: Data, state: RelayState) -> dict[str, int]:
    """5 Return how many spaces each side's runners have come."""
    return {
        "north": sum(r.space for r in state.runners.values() if r.side == "north"),
        "south": sum(data.length - 1 - r.space for r in state.runners.values() if r.side == "south"),
    }


# The title ---------------------------------------------------------------------------------------------------


class RelayRules(DecisionRules):
    """The rules of Relay, bound to one match."""

    modes: Mapping[str, frozenset[Grade]] = {**MODES, "mover": frozenset({"order", "detail"})}
    is_open = True
    keeps_order = True
    shares_orders = True
    state_type = RelayState
    steps: ClassVar = {step.__name__: step for step in (player_turn, march, turn_end)}
    decisions: ClassVar = by_kind(March, Stance, FireOrNot, PressOn)

    def __init__(self, data: Data) -> None:
        self.data = data
        self.sides = {seat: side for side, seats in data.seats.items() for seat in seats}
        self.seats = tuple(self.sides)

    def setup(self, switches: tuple[str, ...]) -> RelayState:
        runners: dict[str, Runner] = {}
        for side, seats in self.data.seats.items():
            for number in range(1, self.data.runners * len(seats) + 1):
                space = 0 if side == "north" else self.data.length - 1
                runners[f"{side[0]}{number}"] = Runner(side, space, seats[(number - 1) % len(seats)])
        return RelayState(
            turns=self.data.turns, moving="north", runners=runners, next=NextStep("player_turn"), switches=switches
        )

    def view(self, state: RelayState, viewer: str) -> RelayState:
        return state

    def plan_period(self, state: RelayState) -> str:
        """Return the player turn in which a plan applies."""
        return f"{state.turn}/{state.moving}"

    def score(self, state: RelayState) -> dict[str, int]:
        return scores(self.data, state)

    def flaws(self, state: RelayState) -> Iterator[str]:
        if not all(0 <= runner.space < self.data.length for runner in state.runners.values()):
            yield "a runner is off the road"
        if not all(self.sides[runner.seat] == runner.side for runner in state.runners.values()):
            yield "a runner is commanded by the enemy"

    def check_plan(self, view: RelayState, ask: Any, plan: Any) -> dict[str, Any]:
        if not isinstance(plan, dict) or set(plan) - {"fire", "press"}:
            raise Unreadable("plan", [Objection("2", "a plan says fire or press")], ["press on"])
        return plan

    def check_doctrine(self, doctrine: Any) -> list[Any]:
        """Check standing orders, which must be lines such as `n1 fire within 2`."""
        if not isinstance(doctrine, list):
            raise Unreadable("standing orders", [Objection("3", "standing orders are lines")], ["n1 fire within 2"])
        for line in lines("\n".join(map(str, doctrine))):
            LANGUAGE.parse(line, "stance")
        return doctrine

    def compile_standing_orders(self, clauses: list[Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for line in lines("\n".join(map(str, clauses))):
            words = LANGUAGE.parse(line, "stance")
            if words.data == "fire":
                found[tokens(words, "WORD")[0]] = {"within": int(tokens(words, "NUMBER")[0]), "once": False}
        return found

    def plan_lines(self, plan: Mapping[str, Any]) -> Sequence[str]:
        fire = [fire_line(name, clause) for name, clause in plan.get("fire", {}).items()]
        return [*fire, *([press_line(plan["press"])] if "press" in plan else [])]

    def formations(self, view: RelayState, seat: str) -> tuple[Formation, ...]:
        return (Formation(seat, f"Runners of {seat}", tuple(own(view.runners, seat))),)

    def propose(self, view: RelayState, ask: Any, wish: Wish) -> Proposal:
        able, out = [], []
        for name in wish.units:
            steps = int(wish.goal or MOST_STEPS)
            runner = view.runners.get(name)
            while steps and any(march_objections(self.data, runner, ask.seat, steps)):
                steps -= 1
            (able.append(f"{name} march {steps}") if steps else out.append(name))
        return Proposal(tuple(able), tuple(out))

    def preview(self, view: RelayState, ask: Any, line: str) -> dict[str, Any]:
        orders = msgspec.convert(self.read(view, ask, line).answer or {}, Orders)
        return {
            name: view.runners[name].space + steps * ahead(view.runners[name].side)
            for name, steps in orders.march.items()
        }

    def aftermath(self, state: RelayState) -> dict[str, dict[str, Any]]:
        return {name: {"fate": "fit", "hits": runner.hits} for name, runner in state.runners.items()}

    def tell(self, finding: Finding) -> str:
        return f"{finding.rule} {finding.inputs} {list(finding.dice)}: {finding.result}"


class RelayTitle(Title):
    """Relay as a title; `single` has one seat per side, `teams` has two against two, and `uneven` has
    three against one."""

    name = "relay"
    scenarios = ("single", "teams", "uneven")

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        seats = {
            "single": {"north": ["north"], "south": ["south"]},
            "teams": {"north": ["north-1", "north-2"], "south": ["south-1", "south-2"]},
            "uneven": {"north": ["north-1", "north-2", "north-3"], "south": ["south"]},
        }
        return {"scenario": msgspec.json.encode(Data(9, seats[scenario], 2, 3))}

    def rules(self, blobs: Mapping[str, bytes]) -> Rules:
        return RelayRules(msgspec.json.decode(blobs["scenario"], type=Data))


__all__ = ["RelayRules", "RelayTitle", "Submission"]
