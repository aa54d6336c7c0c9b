"""Measurements of this title for `pbem bench`: a fire attack, a player turn, the replay of ten turns, and lines of
sight.

The lower bound for the replay is the time to read the same record and verify its chain of hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import msgspec

from pbem.engine.play.bots import Bot
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Answer, Ask
from pbem.engine.rules.table import Table
from pbem.titles.aslsk.bots.steady import steady_bot
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.ground.line_of_sight import UNKNOWN, Sights
from pbem.titles.aslsk.state import AslskState
from pbem.titles.aslsk.tabletop import as_aslsk_table

if TYPE_CHECKING:
    from pbem.titles.aslsk.title import AslskRules


TURNS: Final = 10


class SteadyDice:
    """Dice that count up: 2, 3, 4 and so on."""

    def __init__(self) -> None:
        self.count = 0

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        self.count += 1
        return self.count % sides + 1


def copy_state(state: AslskState) -> AslskState:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=AslskState)


def default_answer(rules: AslskRules, view: AslskState, ask: Ask) -> Answer:
    """Return the default answer of the seat that an ask is put to."""
    return rules.check(view, ask, rules.default(lambda: view, ask))


def set_up(rules: AslskRules) -> Run:
    """A match in which both sides have set up as the scenario proposes."""
    run = Run(rules, rules.setup(()))
    run.deal(SteadyDice())
    run.proceed()
    while run.asks and run.asks[0].kind == "setup":
        (ask,) = run.asks
        run.proceed({ask.seat: default_answer(rules, run.view(ask.seat), ask)})
    return run


def fire_attack(rules: AslskRules, state: AslskState) -> Callable[[], object]:
    """3.2.2 Make one complete attack: declared, checked and resolved on a copy of the state."""
    squad = next(
        unit for unit in state.units.values() if unit.at and rules.data.deck.units[unit.card].kind == "squad"
    )
    enemy = next(unit for unit in state.units.values() if unit.seat != squad.seat)
    goal = next(
        hex for hex in rules.data.ground.within(squad.at, 3) if rules.data.ground.distance(squad.at, hex) == 3
    )

    def question() -> object:
        now = copy_state(state)
        now.phase, now.attacker = "prep", squad.seat
        now.units[enemy.id].at = goal
        table = as_aslsk_table(Table(now, SteadyDice(), rules.data))
        attack = Attack((squad.id,), goal)
        if not any(attack_objections(table.situation, squad.seat, attack)):
            fire(table, attack)
        return table.findings

    return question


def bot_answers(rules: AslskRules, run: Run, bot: Bot) -> dict[str, Answer]:
    """Both bots' answers to the open asks; reactions get the default answer."""
    found = {}
    for ask in run.asks:
        view = run.view(ask.seat)
        ordered = ask.grade == "order"
        found[ask.seat] = bot(rules, view, ask).answer if ordered else default_answer(rules, view, ask)
    return found


class Record:
    """3.9 A record of the first ten turns of a match between bots: the answers of every exchange, and a chain of
    hashes.
    """

    def __init__(self, rules: AslskRules) -> None:
        self.rules = rules
        self.entries: list[bytes] = []
        self.chain: list[bytes] = []

    def play(self) -> None:
        """Play the match once and store the answers."""
        run, bot = set_up(self.rules), steady_bot("bench")
        while run.asks and run.state.turn <= TURNS:
            answers = bot_answers(self.rules, run, bot)
            self.entries.append(msgspec.json.encode(answers))
            run.proceed(answers)
        self.chain = [*self.hashes()]

    def hashes(self) -> Iterator[bytes]:
        last = b""
        for entry in self.entries:
            last = sha256(last + entry).digest()
            yield last

    def replay(self) -> object:
        """Play the stored answers again."""
        run = set_up(self.rules)
        for entry in self.entries:
            run.proceed(msgspec.json.decode(entry))
        return run.state.turn

    def floor(self) -> object:
        """Read the record and verify its chain of hashes without applying the rules: the lower bound for a replay."""
        decoded = [msgspec.json.decode(entry) for entry in self.entries]
        return [*self.hashes()] == self.chain and decoded


def player_turn(rules: AslskRules) -> object:
    """3.0 Play the first player turn of a match between two bots, starting after set-up."""
    run, bot = set_up(rules), steady_bot("bench")
    first = run.state.attacker
    while run.asks and run.state.attacker == first:
        run.proceed(bot_answers(rules, run, bot))
    return run.state.turn


def probes(rules: AslskRules) -> Mapping[str, Callable[[], object]]:
    """The expensive operations of this title, by name, so that they can be measured."""
    state, record = set_up(rules).state, Record(rules)
    record.play()
    return {
        "fire_attack": fire_attack(rules, state),
        "copy_of_the_state": lambda: copy_state(state),
        "player_turn": lambda: player_turn(rules),
        "replay_of_ten_turns": record.replay,
        "floor_of_ten_turns": record.floor,
        "sight_of_all_pairs_of_a_board": lambda: one_board(rules).find_all(),
    }


def one_board(rules: AslskRules) -> Sights:
    """3.2.1 The lines of sight on the first board of the map, none of them computed yet."""
    ground = rules.data.ground
    board = next(iter(ground.hexes.values())).boards[0]
    hexes = {id: place for id, place in ground.hexes.items() if board in place.boards}
    return Sights(hexes, ground.hills, ground.orchards_in_season)


def contests(rules: AslskRules) -> Mapping[str, tuple[Callable[[], object], Callable[[], object]]]:
    """3.2.1 Compare computing every line of sight anew with caching the results."""
    known, fresh = one_board(rules), one_board(rules)
    some = [(start, end) for start in known.ids[::9] for end in known.ids[::7]]

    def remembered() -> object:
        return [known.sees(start, end) for start, end in some]

    def computed() -> object:
        fresh.memory[:] = bytes([UNKNOWN]) * len(fresh.memory)
        return [fresh.sees(start, end) for start, end in some]

    remembered()
    return {"sight_computed_against_remembered": (computed, remembered)}
