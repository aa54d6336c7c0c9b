"""Order forms: lines ready to edit and send back, readable on a telephone.

    T1.1, T1.2, T8.3    movement_form, shooting_form, command_form
    T3, T4              platoon_form, terrain_form, role_form, deploy_form
    ----                choice_form: the small asks, when they are put to a person

A line that is left as it is says what would happen anyway. Everything after # is a remark.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from pbem.engine.rules.ask import Ask
from pbem.titles.tanks.answers import choices
from pbem.titles.tanks.command_phase import can_blitz
from pbem.titles.tanks.crew_and_upgrades import held_cards
from pbem.titles.tanks.criticals import capacity
from pbem.titles.tanks.data_set import Model, Platoon, TanksData
from pbem.titles.tanks.geometry import Corners
from pbem.titles.tanks.initiative import initiative
from pbem.titles.tanks.movement import allowance
from pbem.titles.tanks.orders import mm
from pbem.titles.tanks.plan import read_as
from pbem.titles.tanks.platoon import cost, write_list
from pbem.titles.tanks.prospects import attack_strength, best_targets
from pbem.titles.tanks.setup import default_spots, deploy_objections, free_spots, spot_corners
from pbem.titles.tanks.shooting import defence_dice, shot_at
from pbem.titles.tanks.state import Tank, TanksState

WIDTH: Final = 38
BEFORE: Final = (
    "Every tank is asked in its turn. Before that: cards (a1: use, a1: keep), a card's first move "
    "(a1: first move 0), equal initiative (order of a2, a1)."
)

HELP: Final = """\
a1: move 40 face right then move 0
a1: move ne / move toward b2 / away from b2
   face ahead, right, back, left (0 90 180 270)
   or face n, or face toward b2 (nearest square)
a1: if b2 sees a1: move 180
a1: if b2 within 1 arrow of a1 and b2 moved: stay
a1: hunt / hunt b2     finds its way when its turn comes:
   good shots for few taken, nearer to the goal
a1: hide / rush     out of sight / to the goal
a1: stay
a1: use supercharger then move 0 then move 0 then move 0
a1: first move 90     a move given by a card
a1: shoot b2, b1     best first
a1: shoot b2, best (nearest, weakest)
a1: if b1 out: shoot b2
a1: if a1 hurt: hide     conditions: moved, stayed, sees,
   within, out, shot at, hurt; not before them
a1: reroll below 2 / always / never
a1: use tungsten / keep sandbags
a1: use coordinator for a3
a1: again b2     second attack
a1: repair busted track
a1: blitz move 0 face back
rest stay / rest hold
order of a2, a1     equal initiative
a1 at 450 100 face 180     deployment, mm
wood 300 400 face 45     terrain, mm
defender north
"""
"""The order language on one screen."""


def form(data: TanksData, view: TanksState, ask: Ask) -> str:
    """Lines for any ask."""
    makers = {
        "platoon": platoon_form,
        "terrain": terrain_form,
        "role": role_form,
        "deploy": deploy_form,
        "movement": movement_form,
        "move": move_form,
        "shooting": shooting_form,
        "shoot": shoot_form,
        "command": command_form,
    }
    return "\n".join(makers.get(ask.kind, choice_form)(data, view, ask)) + "\n"


def remark(text: str) -> list[str]:
    """A remark in lines no wider than a telephone."""
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)


# --- set-up --------------------------------------------------------------------------------------------------


def platoon_form(data: TanksData, view: TanksState, ask: Ask) -> Iterator[str]:
    """T4 The scenario's platoon, and what can be bought."""
    platoon = read_as(ask.default, Platoon, "platoon")
    yield from remark(f"Your platoon, up to {data.scenario.points} points (this one {cost(data, platoon)}).")
    yield from write_list(data, platoon).splitlines()
    yield from remark(
        "After the points: initiative, attack, defence, hull, crew slots. The platoon builder of the "
        "site says what keywords and cards do."
    )
    for country in data.countries:
        own = [model_said(model) for model in data.models.values() if model.country == country]
        yield from remark(f"{country}: {', '.join(own)}")
    cards = [f"{card.name} {card.points}" for card in data.cards.values() if not card.hero]
    yield from remark("cards: " + ", ".join(cards))
    heroes = [f"{card.name} ({card.country}) {card.points}" for card in data.cards.values() if card.hero]
    yield from remark("heroes: " + ", ".join(heroes))


def model_said(model: Model) -> str:
    values = (model.initiative, model.attack, model.defence, model.hull, model.slots)
    return f"{model.name} {model.points} ({'/'.join(map(str, values))})"


def terrain_form(data: TanksData, view: TanksState, ask: Ask) -> Iterator[str]:
    """T3.1 Wishes for woods and buildings."""
    yield from remark("Wishes in order; the first that is legal when it is your turn is placed. x and y in mm.")
    for kind in ("wood", "building"):
        x, y, heading = next(default_spots(data, kind))
        yield f"{kind} {mm(x)} {mm(y)} face {heading}"


def role_form(data: TanksData, view: TanksState, ask: Ask) -> Iterator[str]:
    """T3.2 What he chooses if he wins the roll, and the edge if he defends."""
    yield from remark("attacker or defender, if you win the roll; north, east, south or west, if you defend")
    yield f"{ask.default['role']} {ask.default['edge']}"


def deploy_form(data: TanksData, view: TanksState, ask: Ask) -> Iterator[str]:
    """T3.3 Every own tank at a free place."""
    arrow, edge = data.scenario.arrow_mm, view.edges[ask.seat]
    yield from remark(f"Within {arrow} mm of the {edge} edge. x and y in mm from the north-west corner.")
    taken: list[Corners] = []
    for tank in view.tanks.values():
        if tank.seat == ask.seat and ask.subject in ("", tank.id):
            free = free_spots(data, view, tank, taken)
            spot = next(spot for spot in free if not any(deploy_objections(data, view, tank, spot)))
            taken.append(spot_corners(data, tank, spot))
            yield f"{tank.id} at {mm(spot[0])} {mm(spot[1])} face {spot[2]} # {data.models[tank.model].name}"


# --- the phases ----------------------------------------------------------------------------------------------


def head(data: TanksData, view: TanksState, ask: Ask, phase: str) -> list[str]:
    role = "attacker" if ask.seat == view.attacker else "defender"
    return remark(f"{phase}, turn {view.turn} of {data.scenario.turns}, {ask.seat} ({role}). # is a remark.")


def tank_said(data: TanksData, tank: Tank) -> str:
    """A tank with its tokens and cards."""
    model = data.models[tank.model]
    cards = [f"{card.name}{'' if held.up else ' (face down)'}" for held, card in held_cards(data, tank)]
    troubles = [data.criticals[card].name for card in tank.criticals]
    place = f"at {mm(tank.at.x)} {mm(tank.at.y)} facing {tank.heading}, damage {tank.damage}/{capacity(data, tank)}"
    return f"{tank.id} {model.name} {place}" + "".join(f", {name}" for name in (*troubles, *cards))


def movement_form(data: TanksData, view: TanksState, ask: Ask) -> Iterator[str]:
    """T1.1 Every own tank stays; remarks say what it may do."""
    yield from head(data, view, ask, "Movement")
    for tank in view.of(ask.seat):
        yield from remark(tank_said(data, tank))
        rank = initiative(data, view, tank, "moving")
        yield from remark(f"initiative {rank}, up to {allowance(data, tank)} moves")
        if data.scenario.pace == "forms":
            yield f"{tank.id}: stay"
    for foe in view.enemies(ask.seat):
        yield from remark(f"enemy {tank_said(data, foe)}, initiative {initiative(data, view, foe, 'moving')}")
    if data.scenario.pace == "forms":
        yield from remark("e.g. a1: if b1 sees a1: move 90 face left then move 0")
        yield from remark("or a1: hunt b1, a1: hide, a1: rush")
    else:
        yield from remark(BEFORE)


def move_form(data: TanksData, view: TanksState, ask: Ask) -> Iterator[str]:
    """T1.1 One tank, whose order has become impossible or whose turn it is."""
    tank = view.tanks[ask.subject]
    yield from remark(tank_said(data, tank))
    yield from remark(f"up to {allowance(data, tank)} moves")
    yield f"{tank.id}: stay"


def shooting_form(data: TanksData, view: TanksState, ask: Ask) -> Iterator[str]:
    """T1.2 Every own tank with its targets, the most promising first."""
    yield from head(data, view, ask, "Shooting")
    for tank in view.of(ask.seat):
        yield from remark(tank_said(data, tank))
        best = best_targets(data, view, tank, "best")
        yield from remark("; ".join(shot_said(data, view, tank, target) for target in best) or "no target")
        if data.scenario.pace == "forms":
            yield f"{tank.id}: shoot {', '.join(best)}" if best else f"{tank.id}: hold"
    yield from remark("or a1: shoot best, as things stand in its turn" if data.scenario.pace == "forms" else BEFORE)


def shot_said(data: TanksData, view: TanksState, tank: Tank, target: str) -> str:
    """T7.4, T7.6 Attack against defence dice, as far as they are known."""
    shot = shot_at(data, view, tank, view.tanks[target])
    facts = [word for word, so in (("cover", shot.cover), ("close", shot.close), ("side", shot.side)) if so]
    dice = f"{attack_strength(data, view, shot)} against {defence_dice(data, shot)}"
    return f"{target}: {dice}{' (' + ', '.join(facts) + ')' if facts else ''}"


def shoot_form(data: TanksData, view: TanksState, ask: Ask) -> Iterator[str]:
    """T7.1 One tank."""
    tank = view.tanks[ask.subject]
    best = best_targets(data, view, tank, "best")
    yield from remark("; ".join(shot_said(data, view, tank, target) for target in best) or "no target")
    yield f"{tank.id}: shoot {best[0]}" if best else f"{tank.id}: hold"


def command_form(data: TanksData, view: TanksState, ask: Ask) -> Iterator[str]:
    """T8.3, T9.2 Repairs, and who may move instead."""
    yield from head(data, view, ask, "Command")
    for tank in view.of(ask.seat):
        yield from remark(tank_said(data, tank))
        if can_blitz(data, tank):
            yield from remark(f"{tank.id} may move instead: {tank.id}: blitz move 0 face back")
        yield f"{tank.id}: repair {tank.criticals[0]}" if tank.criticals else f"{tank.id}: hold"


def choice_form(data: TanksData, view: TanksState, ask: Ask) -> Iterator[str]:
    """The choices of a small ask by number; `none` is the default."""
    about = ", ".join(f"{name} {value}" for name, value in ask.about.items())
    yield from remark(f"{ask.kind} {ask.subject}: {about}")
    for number, option in enumerate(choices(data, view, ask), start=1):
        yield from remark(f"{number}: {option}")
    yield "none"
