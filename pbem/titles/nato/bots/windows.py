"""How a bot that is asked chooses in the windows of a battle: by the losses to expect and the hexes at stake.

choose       the best answer to a window, or nothing where the standing orders answer
stakes       the value of a battle at an odds column to its attacker
forward, aside  the value of the hexes where units end after an advance or a retreat

All values are whole numbers: a step is worth its share of the unit's strength, and a victory point `POINT`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pbem.titles.nato.air.strike_decisions import AirDefense
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.bots.goals import Outlook
from pbem.titles.nato.bots.moves import attack_worth, defense_worth
from pbem.titles.nato.cards.charts import ODDS
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.aftermath import FallBack, GoForward
from pbem.titles.nato.combat.battle_decisions import Brigade, Loss, OwnLoss, Respond
from pbem.titles.nato.combat.odds import odds_of
from pbem.titles.nato.combat.prospects import DIE, odds_with
from pbem.titles.nato.combat.retreat import closed_hexes, net_retreat, way_price
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.player.orders import Advance, Retreat
from pbem.titles.nato.state import ENEMY, Battle
from pbem.titles.nato.victory import city_value

POINT = 12
"""The value of a victory point."""
LIFE = 10
"""The value of a unit's last step, in addition to its strength."""
LINE = 3
"""The value of a hex that is neither a city nor good ground."""
SURE = 6
"""The number of faces of a die: values of battles are sums over all of them."""


def choose(decision: Any) -> list[Any]:
    """Return the best answer to a window; nothing if the bot leaves it to the standing orders."""
    choice = CHOICES.get(type(decision))
    return [choice(decision)] if choice is not None else []


# --- values -----------------------------------------------------------------------------------------------------


def strength(unit: Unit, steps: int) -> int:
    """Return the total strength that a unit has with this number of steps."""
    if not steps:
        return 0
    card = unit.card.strength(steps)
    return card.attack + card.defense


def step_value(board: Board, unit: Unit) -> int:
    """34.3 Return the value of a unit's next step: the strength lost with it, and any victory point."""
    lost = strength(unit, unit.steps) - strength(unit, unit.steps - 1)
    if unit.steps > 1:
        return lost
    counts = unit.side is Side.WP and unit.maneuver and unit.card.steps > 1
    return lost + LIFE + POINT * counts * board.data.scenario.victory.division


def hex_value(board: Board, hex: HexId) -> int:
    """Return the value of holding a hex after a battle."""
    return LINE + POINT * city_value(board, hex)


def stakes(board: Board, battle: Battle, column: str, *, extra: Unit | None = None) -> int:
    """25.5.2 Return the attacker's gain, minus losses, in the battle at this column, summed over all dice.

    `extra` is a unit that has moved into the objective.
    """
    side = battle.side
    defenders = [unit for unit in board.at(battle.objective, ENEMY[side]) if unit.maneuver]
    defenders += [extra] if extra is not None and extra not in defenders else []
    attackers = [board.units[id] for id in battle.attackers if id in board.units]
    theirs = max((step_value(board, unit) for unit in defenders), default=0)
    ours = max((step_value(board, unit) for unit in attackers), default=0)
    steps, total = sum(unit.steps for unit in defenders), 0
    for die in DIE:
        result = board.data.charts.combat(column, die)
        lost = min(result.defender_steps, steps)
        opened = lost == steps or net_retreat(board, battle.objective, result.retreat) > 0
        total += lost * theirs - result.attacker_steps * ours + opened * hex_value(board, battle.objective)
    return total


# --- before the die ---------------------------------------------------------------------------------------------


def respond(decision: Respond) -> str | None:
    """25.1.2 Send the unit that saves most, if it saves more than the hex that it leaves is worth."""
    board, battle = decision.board, decision.battle
    before, best = stakes(board, battle, decision.odds.final), (0, "")
    for unit in decision.possible:
        after = stakes(board, battle, odds_with(board, battle, unit).final, extra=unit)
        alone = not any(other.maneuver and other.id != unit.id for other in board.at(unit.at, unit.side))
        left = SURE * hex_value(board, unit.at) // 2 if alone else 0
        best = max(best, (before - after - left, unit.id))
    return best[1] or None


def air_defense(decision: AirDefense) -> Any:
    """23.2.2 Spend points where they save most, with an eye to the battles still to come."""
    board, battle = decision.board, decision.battle
    later = len(decision.view.battles)
    best: tuple[int, Any] = (0, ())
    for strikes in decision.options():
        ids = [id for strike in strikes for id in strike.targets]
        saved = stakes(board, battle, decision.odds.final) - stakes(
            board, battle, column_if_disrupted(board, battle, ids)
        )
        spare = decision.points - len(strikes)
        price = 0 if spare >= 2 * later else len(strikes) * SURE * LINE // 2
        if saved - price > best[0]:
            best = saved - price, strikes
    return best[1]


def column_if_disrupted(board: Board, battle: Battle, ids: list[str]) -> str:
    """25.6.4 Return the odds column if these attackers were disrupted; the board is restored afterwards."""
    units = [board.units[id] for id in ids if id in board.units]
    before = [unit.piece.disrupted for unit in units]
    for unit in units:
        unit.piece.disrupted = True
    found = odds_of(board, battle).final
    for unit, was in zip(units, before, strict=True):
        unit.piece.disrupted = was
    return found


def brigade(decision: Brigade) -> str | None:
    """18.4 Send a brigade if one column more, or less, is worth more than what a later battle could gain."""
    board, battle = decision.board, decision.battle
    able = [answer for answer in decision.options() if answer is not None]
    own = decision.side is battle.side
    column = ODDS.index(decision.odds.final)
    other = max(0, min(len(ODDS) - 1, column + (1 if own else -1)))
    gain = stakes(board, battle, ODDS[other]) - stakes(board, battle, ODDS[column])
    worth = gain if own else -gain
    if own and battle.wanted in able:
        return battle.wanted
    return able[0] if able and worth > (SURE * LINE // 2 if decision.view.battles else 0) else None


# --- after the die ----------------------------------------------------------------------------------------------


def loss(decision: Loss) -> str:
    """25.6.3 Take the enemy step with the highest value."""
    return max(decision.candidates(), key=lambda unit: (step_value(decision.board, unit), unit.id)).id


def own_loss(decision: Loss) -> str:
    """25.7.4.1 Give up the step with the lowest value."""
    return min(decision.candidates(), key=lambda unit: (step_value(decision.board, unit), unit.id)).id


def retreat(decision: FallBack) -> Retreat:
    """25.7 Weigh the steps given up against the hex that is held, or the hexes to retreat to."""
    outlook = Outlook(decision.board, decision.side)
    found = [answer for answer in decision.options() if not any(decision.objections(answer))]
    return max(found, key=lambda answer: aside(decision, outlook, answer), default=decision.default())


def aside(decision: FallBack, outlook: Outlook, answer: Retreat) -> int:
    """25.7 Return the value of a retreat: what survives of the units, and where."""
    board, objective = decision.board, decision.battle.objective
    worth = attack_worth if decision.side is Side.WP else defense_worth
    staying = decision.staying(answer.trade)
    total = -sum(step_value(board, board.units[id]) for id in answer.trade)
    left = decision.about.hexes - len(answer.trade)
    if staying and not left:
        return total + hex_value(board, objective) + sum(worth(outlook, unit, objective) for unit in staying)
    for unit in staying:
        path = answer.paths.get(unit.id, ())
        price = min(unit.steps, way_price(board, decision.side, path, left)) if path else left
        total -= price * step_value(board, unit)
        if path:
            total += worth(outlook, unit, path[-1]) - LINE * closed_hexes(board, decision.side, path)
    return total - (len(decision.units) - len(staying)) * LIFE


def advance(decision: GoForward) -> Advance:
    """25.8 Advance where the units stand better than before, and into cities; the Warsaw Pact never stays behind."""
    outlook = Outlook(decision.board, decision.side)
    found = [answer for answer in decision.options() if not any(decision.objections(answer))]
    if decision.side is Side.WP:
        found = [answer for answer in found if answer.paths]
    return max(found, key=lambda answer: forward(decision, outlook, answer), default=decision.default())


def forward(decision: GoForward, outlook: Outlook, answer: Advance) -> int:
    """25.8 Return the value of an advance: where the units end, and the cities that change hands."""
    board, side = decision.board, decision.side
    worth = attack_worth if side is Side.WP else defense_worth
    entered = {hex for path in answer.paths.values() for hex in path if board.controller(hex) is ENEMY[side]}
    total = sum(POINT * city_value(board, hex) for hex in entered)
    for id, path in answer.paths.items():
        unit = board.units[id]
        alone = not any(other.maneuver and other.id != id for other in board.at(unit.at, side))
        held = POINT * city_value(board, unit.at) + LINE if alone else 0
        total += worth(outlook, unit, path[-1]) - worth(outlook, unit, unit.at) - held
    return total


CHOICES: Final[Mapping[type, Callable[[Any], Any]]] = {
    Respond: respond,
    AirDefense: air_defense,
    Brigade: brigade,
    Loss: loss,
    OwnLoss: own_loss,
    FallBack: retreat,
    GoForward: advance,
}
"""The windows in which the bot chooses by value."""
