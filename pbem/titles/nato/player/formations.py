"""Orders for many units at once: formations, proposals and previews.

formations   the units of a seat by headquarters
propose      lines that move many units towards a hex, or order them to attack one
preview      the cost or the odds of one line
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from pbem.engine.rules.decision import Decision
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Formation, Proposal, Stand, Wish
from pbem.engine.text.messages import Message, say, several
from pbem.titles.nato.board import Board, Unit, board_of
from pbem.titles.nato.cards.units import NATION_NAMES, Nation
from pbem.titles.nato.combat.odds import odds_of
from pbem.titles.nato.combat.orders import Fight
from pbem.titles.nato.combat.prospects import battle_of
from pbem.titles.nato.commands.powers import commands
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.explain.battles import advance_reasons, battle_reasons, loss_reasons, retreat_reasons
from pbem.titles.nato.explain.moves import mode_reasons, way_reasons
from pbem.titles.nato.explain.wording import sentences
from pbem.titles.nato.map.grid import HexId, distance
from pbem.titles.nato.movement.costs import TACTICAL
from pbem.titles.nato.movement.moves import reachable_hexes, walk
from pbem.titles.nato.movement.orders import Moving, write_move
from pbem.titles.nato.movement.rail import ENTRAINED, ENTRAINING
from pbem.titles.nato.movement.rehearsal import Rehearsal
from pbem.titles.nato.player.orders import Commit, Move, read_plan, write_battle
from pbem.titles.nato.state import ENEMY, MARKERS, Battle, NatoState, Piece, markers_of


def formations(data: NatoData, view: NatoState, seat: str) -> tuple[Formation, ...]:
    """3.2.5 Return the units that a seat commands, grouped by the headquarters in their legend."""
    found: dict[str, list[str]] = {}
    for id in sorted(view.pieces):
        card = data.units[id]
        if commands(board_of(data, view), seat, card):
            found.setdefault(card.formation or str(card.nation), []).append(id)
    return tuple(Formation(name, title_of(data, name), tuple(units)) for name, units in sorted(found.items()))


def stand_of(data: NatoData, piece: Piece) -> Stand:
    """3.2.10, 4.2 Describe a unit in play, with its markers in words."""
    card = data.units[piece.id]
    marks = (
        (say("reduced"), piece.reduced),
        (say("disrupted") if card.maneuver else say("suppressed"), piece.disrupted),
        (say("out of movement supply"), piece.ms_out),
        (say("out of combat supply"), piece.cs_out),
        (say("unsupplied"), not piece.supplied),
        (say("in reserve"), piece.reserve),
        (say("entraining"), piece.train == ENTRAINING),
        (say("entrained"), piece.train == ENTRAINED),
    )
    formation = title_of(data, card.formation or str(card.nation))
    said = tuple(words for words, on in marks if on)
    return Stand(piece.id, card.title, str(card.side), piece.at, marks=said, formation=formation)


def markers(view: NatoState) -> dict[tuple[str, str], Any]:
    """4.2 The markers on each unit in play, named as in `Change`; markers that are not set are left out."""
    return {
        (piece.id, what): now
        for piece in view.pieces.values()
        for what, now in zip(MARKERS, markers_of(piece), strict=True)
        if now
    }


SAID = {
    ("ms_out", True): say("out of movement supply"),
    ("ms_out", False): say("in movement supply again"),
    ("cs_out", True): say("out of combat supply"),
    ("cs_out", False): say("in combat supply again"),
    ("unsupplied", False): say("supplied again"),
    ("disrupted", False): say("recovered from disruption"),
    ("reserve", True): say("in reserve"),
    ("reserve", False): say("no longer in reserve"),
    ("train", ""): say("off the train"),
}
"""4.2 Markers received and lost, in words."""


def change_in_words(what: str, now: Any) -> str | Message | None:
    """4.2 Describe a marker that a unit has received or lost; None if it has no wording of its own."""
    return str(now) if what == "train" and now else SAID.get((what, now))


SCHEDULES: Final = {"ARNG": "US National Guard", "CEN": "US reserves for CENTAG"}
"""3.2.5.2 Legends of US reinforcements that are not a headquarters."""


def title_of(data: NatoData, name: str) -> str:
    """The full name of a formation, taken from its headquarters; units without one are grouped by nation or
    schedule.
    """
    if name in data.units:
        return data.units[name].title.removesuffix(" headquarters")
    if name in SCHEDULES:
        return SCHEDULES[name]
    return f"{NATION_NAMES[Nation(name)]} independent units" if name in set(Nation) else name


def propose(decision: Decision[Any], wish: Wish) -> Proposal:
    """Return lines that carry out a wish for many units and are legal when taken together."""
    if isinstance(decision, Moving):
        return propose_moves(decision, wish)
    if isinstance(decision, Fight):
        return propose_battle(decision, wish)
    return Proposal(left_out=wish.units)


def propose_moves(decision: Moving, wish: Wish) -> Proposal:
    """12.2 Move every unit to the reachable hex nearest to the goal, after the moves already written."""
    goal = decision.data.atlas.find(wish.goal) or ""
    trial = Rehearsal(decision.data, decision.view, decision.side, reserve=decision.reserve)
    kept = kept_moves(decision, wish)
    for number, written in enumerate(kept):
        trial.make(number, written)
    ordered = {written.unit for written in kept}
    able = {unit.id for unit in decision.movable() if unit.id not in ordered}
    lines, left = list[str](), [id for id in wish.units if id not in able]
    for id in wish.units:
        if id in able and goal:
            number = len(kept) + len(lines)
            move = next(legal_moves(trial, number, id, goal, reserve=decision.reserve), None)
            lines += [write_move(move)] if move is not None else []
            left += [id] if move is None else []
    return Proposal(tuple(lines), tuple(left), tuple(left_behind(left, able, goal)))


def left_behind(left: Sequence[str], able: Collection[str], goal: HexId) -> Iterator[Message]:
    """Say why some units get no move towards a goal."""
    stuck, unable = [id for id in left if id in able], [id for id in left if id not in able]
    if stuck and goal:
        yield say("cannot get nearer to {goal}: {units}", units=several(stuck, "unit"), goal=goal)
    if unable:
        yield say("cannot be given a move now: {units}", units=several(unable, "unit"))


def kept_moves(decision: Moving, wish: Wish) -> tuple[Move, ...]:
    """12.0 The moves in the lines for other units; none if those lines are refused."""
    try:
        return decision.decode(decision.read_text("\n".join(wish.kept)).answer).moves if wish.kept else ()
    except Refusal:
        return ()


def legal_moves(trial: Rehearsal, number: int, id: str, goal: HexId, *, reserve: bool) -> Iterator[Move]:
    """The legal moves of a unit towards a goal, given the earlier moves, nearest to the goal first."""
    unit = trial.board.units[id]
    ends = [hex for hex in reachable_hexes(trial.board, unit, TACTICAL, reserve=reserve).cost if hex != unit.at]
    near = distance(unit.at, goal) if unit.at in trial.board.atlas.places else 99
    for hex in sorted(ends, key=lambda hex: (distance(hex, goal), hex)):
        if distance(hex, goal) >= near:
            return
        before = dict(trial.ends)
        move, objections = trial.make(number, Move(id, (hex,), TACTICAL))
        if not objections:
            if not any(trial.stacking_objections()):
                yield move
                return
            trial.board.place(unit, trial_start(trial, id))
            unit.piece.moved, trial.ends = False, before


def trial_start(trial: Rehearsal, id: str) -> str:
    """Return a unit's position before the rehearsal began."""
    return trial.starts[id]


def propose_battle(decision: Fight, wish: Wish) -> Proposal:
    """25.1.1 Propose one battle with those of the named units that can attack the target and are in no other
    battle.
    """
    target = decision.data.atlas.find(wish.target or wish.goal) or ""
    kept = kept_battles(decision, wish)
    busy = {id for commit in kept for id in commit.units}
    able = [id for id in wish.units if id in decision.board.units and target and target in decision.targets]
    able = [id for id in able if id not in busy and target not in [commit.objective for commit in kept]]
    units = [id for id in able if not any(decision.battle_objections(Commit(target, (id,))))]
    commit = Commit(target, tuple(units))
    left = tuple(id for id in wish.units if id not in units)
    if not units or any(decision.battle_objections(commit)):
        return Proposal(left_out=tuple(wish.units))
    return Proposal((write_battle(commit),), left)


def kept_battles(decision: Fight, wish: Wish) -> tuple[Commit, ...]:
    """25.1.1 The battles in the lines that stay; none if those lines are refused."""
    try:
        return tuple(read_plan(decision.read_text("\n".join(wish.kept)).plan).battles) if wish.kept else ()
    except Refusal:
        return ()


def preview(decision: Decision[Any], line: str) -> dict[str, Any]:
    """Return the effect of one line: the cost of a move, or the odds of a battle."""
    try:
        said = decision.read_text(line)
    except Refusal as refusal:
        return {"against": [str(objection) for objection in refusal.objections]}
    if isinstance(decision, Moving):
        return {"moves": [move_facts(decision, move) for move in decision.decode(said.answer).moves]}
    if isinstance(decision, Fight):
        return {"battles": [battle_facts(decision.board, decision, one) for one in read_plan(said.plan).battles]}
    return {}


def move_facts(decision: Moving, move: Move) -> dict[str, Any]:
    unit: Unit = decision.board.units[move.unit]
    spent = walk(decision.board, unit, move.path, move.mode, reserve=decision.reserve).spent if move.mode else 0
    reasons = way_reasons(decision.board, unit, move.path, move.mode, reserve=decision.reserve) if spent else ()
    why = list(map(str, sentences((*mode_reasons(decision.board, unit), *reasons))))
    return {"unit": move.unit, "path": list(move.path), "mode": move.mode, "spent": spent, "why": why}


def battle_facts(board: Board, decision: Fight, commit: Commit) -> dict[str, Any]:
    battle = battle_of(board, decision.side, commit.objective, commit.units, commit.support)
    odds = odds_of(board, battle)
    shifts: Sequence[str] = [f"{shift.text} {shift.value:+d}" for shift in odds.shifts]
    facts = {"attack": odds.attack, "defense": odds.defense, "basic": odds.basic, "final": odds.final}
    why = list(map(str, sentences(aftermath_reasons(board, battle))))
    return {"objective": commit.objective, **facts, "shifts": list(shifts), "why": why}


def aftermath_reasons(board: Board, battle: Battle) -> Iterator[Finding]:
    """25 Yield what influences a battle, the order of losses, a retreat of one hex, and who may advance."""
    yield from battle_reasons(board, battle)
    yield from loss_reasons(board, battle)
    if defenders := board.at(battle.objective, ENEMY[battle.side]):
        yield from retreat_reasons(board, defenders, 1)
    yield from advance_reasons(board, battle)
