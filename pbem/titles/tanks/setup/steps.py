"""T3 Set-up: terrain, roles, edges and deployment.

    T3.1    terrain_step, place_objections
    T3.2    role_step
    T3.3    deployment_step, deploy_objections
    ----    initial_state, and the checks and options of these questions

Each seat gives one form: its wishes for terrain in order, its role and edge if it may choose, the places of its
tanks. The forms are carried out in turn as the rules say. Nothing that the scenario fixes is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.ask import Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Appear
from pbem.engine.rules.state import NextStep
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.tanks.cards.criticals import new_deck
from pbem.titles.tanks.data_set import LETTER, OTHER, SEATS, Model, TanksData
from pbem.titles.tanks.data_set import Platoon as PlatoonList
from pbem.titles.tanks.decisions.setup import Deploy, Platoon, Role, Terrain, write_spot
from pbem.titles.tanks.ground.terrain import given_pieces, next_piece, piece_corners
from pbem.titles.tanks.movement.moves import early_moves
from pbem.titles.tanks.phases.initiative import in_sequence
from pbem.titles.tanks.player.orders import DeployForm, plain
from pbem.titles.tanks.setup.placing import (
    OPPOSITE,
    Spot,
    default_spots,
    deploy_objections,
    free_spots,
    place_objections,
    spot_corners,
)
from pbem.titles.tanks.setup.platoon import answer_of, cards_that_fit, cost, usual_platoon
from pbem.titles.tanks.setup.room import layout, room_for_rest
from pbem.titles.tanks.state import Held, Holding, Piece, Status, Tank, TanksState
from pbem.titles.tanks.telling.happenings import report_failure


def initial_state(data: TanksData, switches: tuple[str, ...]) -> TanksState:
    """T3 The state before anything is placed; turns are counted from the first Movement Phase."""
    holdings = {objective.id: Holding() for objective in data.scenario.objective}
    return TanksState(
        turn=0, next=NextStep("platoon_step"), switches=switches, deck=new_deck(data), holdings=holdings
    )


# --- T3.1 terrain --------------------------------------------------------------------------------------------


def terrain_step(table: Table[TanksState]) -> Step:
    """T3.1 Place the scenario's terrain, or let the players place it in turn: first the woods, then the buildings."""
    data: TanksData = table.data
    for piece in given_pieces(data):
        lay_piece(table, piece, "the scenario")
    kinds = ["wood"] * data.scenario.woods + ["building"] * data.scenario.buildings
    if kinds:
        asks = tuple(Terrain.make_ask(seat) for seat in SEATS)
        answers = dict(zip(SEATS, (yield Together(asks)), strict=True))
        first = roll_off(table, "T3.1")
        for number, kind in enumerate(kinds):
            seat = first if number % 2 == 0 else OTHER[first]
            place_next(table, kind, seat, answers[seat].get(kind, []), kinds[number + 1 :])
    for objective in data.scenario.objective:
        table.find("T2.5", inputs={"token": "objective", "at": list(objective.at)}, result=objective.id)
    table.then("role_step")


def roll_off(table: Table[TanksState], rule: str) -> str:
    """T3.1, T3.2 Let both seats roll; the higher roll wins, and ties are rerolled."""
    rolled: list[int] = []
    while True:
        dice = {seat: table.roll(6, rule, seat) for seat in SEATS}
        rolled += dice.values()
        if len(set(dice.values())) > 1:
            break
    winner = max(dice, key=lambda seat: dice[seat])
    table.find(rule, inputs={"seats": list(SEATS)}, dice=rolled, result=winner)
    return winner


def place_next(
    table: Table[TanksState], kind: str, seat: str, wishes: Sequence[Sequence[int]], rest: Sequence[str] = ()
) -> None:
    """T3.1 Place a piece at the first of the seat's wishes that is legal now, otherwise at the first legal place.

    All pieces must be placed: while there is room for the rest, a wish that would leave no room is skipped.
    """
    data = table.data
    spots: list[Spot] = [(x, y, heading) for x, y, heading in wishes]
    planned = layout(table, [kind, *rest])
    for spot in (*spots, *(planned or default_spots(data, kind))):
        if any(place_objections(table, kind, spot)):
            continue
        if planned and not room_for_rest(table, kind, spot, rest):
            inputs = {"kind": kind, "at": list(spot[:2]), "rest": len(rest)}
            table.find("T3.1", to=(seat,), inputs=inputs, result="no room for the rest")
            continue
        lay_piece(table, next_piece(table.state.pieces, kind, Point(*spot[:2]), spot[2]), seat)
        return
    table.find("T3.1", inputs={"kind": kind, "seat": seat}, result="no room is left")


def lay_piece(table: Table[TanksState], piece: Piece, by: str) -> None:
    """T3.1 Lay down a terrain piece; T6.5 its whole card counts as terrain."""
    data = table.data
    table.state.pieces.append(piece)
    area = [list(corner) for corner in piece_corners(data, piece)]
    card = Finding("T6.5", inputs={"piece": piece.id, "kind": data.kinds[piece.kind].rule}, result=area)
    inputs = {"piece": piece.id, "by": by, "heading": piece.heading}
    table.find("T3.1", inputs=inputs, result=list(piece.at), children=[card])


# --- T3.2 roles ----------------------------------------------------------------------------------------------


def role_step(table: Table[TanksState]) -> Step:
    """T3.2 Let the winner of the roll choose to attack or defend, and the defender choose an edge."""
    data, state = table.data, table.state
    attacker, edge, chooser = data.scenario.attacker, data.scenario.edge, "the scenario"
    if not attacker:
        usual = {"role": "attacker", "edge": "north"}
        asks = tuple(Role.make_ask(seat, default=usual) for seat in SEATS)
        wishes = dict(zip(SEATS, (yield Together(asks)), strict=True))
        chooser = roll_off(table, "T3.2")
        attacker = chooser if wishes[chooser].role == "attacker" else OTHER[chooser]
        edge = edge or wishes[OTHER[attacker]].edge
    defender = OTHER[attacker]
    state.attacker, state.edges = attacker, {defender: edge, attacker: OPPOSITE[edge]}
    table.find("T3.2", inputs={"chooser": chooser, "edges": dict(state.edges)}, result={"attacker": attacker})
    table.then("deployment_step")


# --- T3.3 deployment -----------------------------------------------------------------------------------------


def deployment_step(table: Table[TanksState]) -> Step:
    """T3.3 Deploy tanks, lowest initiative first, within one arrow of their own edge; then make early moves."""
    state, data = table.state, table.data
    forms = {seat: DeployForm() for seat in SEATS}
    if data.scenario.pace == "forms":
        asks = tuple(Deploy.make_ask(seat) for seat in SEATS)
        forms = dict(zip(SEATS, (yield Together(asks)), strict=True))
    for tank in in_sequence(table, "moving", list(state.tanks.values())):
        form = forms[tank.seat]
        if data.scenario.pace == "tank":
            form = yield Deploy.make_ask(tank.seat, subject=tank.id)
            forms[tank.seat] = DeployForm(early={**forms[tank.seat].early, **form.early})
        set_down(table, tank, form)
    state.orders = {seat: plain(form) for seat, form in forms.items()}
    early_moves(table, "early_move")
    state.turn = 1
    table.then("movement_phase")


def set_down(table: Table[TanksState], tank: Tank, form: DeployForm) -> None:
    """T3.3 Put a tank at the place that its owner chose, otherwise at the first free place along its edge."""
    data, state = table.data, table.state
    wished = [form.places[tank.id]] if tank.id in form.places else []
    reserved = [
        spot_corners(data, state.tanks[other], spot)
        for other, spot in form.places.items()
        if not state.tanks[other].live
    ]
    for spot in (*wished, *free_spots(table, tank, () if wished else reserved)):
        if not any(deploy_objections(table, tank, spot)):
            tank.at, tank.heading, tank.status = Point(spot[0], spot[1]), spot[2], Status.LIVE
            inputs = {"tank": tank.id, "edge": state.edges[tank.seat], "heading": spot[2]}
            shows = [Appear(tank.id, spot[:2], spot[2])]
            table.find("T3.3", inputs=inputs, result=list(spot[:2]), shows=shows)
            if wished and spot != wished[0]:
                why = say("the tank's place was already taken, so it got the first free one")
                report_failure(table, tank, write_spot(f"{tank.id} at", wished[0]), why, "T3.3")
            return
    raise RuntimeError(f"there is no room for {tank.id}")


def platoon_step(table: Table[TanksState]) -> Step:
    """T4 Let both players choose their platoons in secret, or use the scenario's; then lay everything out."""
    data: TanksData = table.data
    platoons = {seat: usual_platoon(data, seat) for seat in SEATS}
    if data.scenario.choose:
        asks = tuple(Platoon.make_ask(seat, default=answer_of(platoon)) for seat, platoon in platoons.items())
        platoons = dict(zip(SEATS, (yield Together(asks)), strict=True))
    else:
        platoons = {seat: deal_cards(table, seat, platoon) for seat, platoon in platoons.items()}
    for seat, platoon in platoons.items():
        lay_out(table, seat, platoon)
    table.then("terrain_step")


def deal_cards(table: Table[TanksState], seat: str, platoon: PlatoonList) -> PlatoonList:
    """T2.4 Return the scenario's platoon with cards dealt face down, worth as many points as the scenario says."""
    left = platoon.card_points
    while legal := list(cards_that_fit(table.data, platoon, left)):
        card, tanks = legal[table.roll(len(legal), "T2.4", seat, secret=True) - 1]
        platoon, left = msgspec.structs.replace(platoon, tanks=tanks), left - table.data.cards[card].points
    return platoon


def lay_out(table: Table[TanksState], seat: str, platoon: PlatoonList) -> None:
    """T2.1, T2.4 Lay out tank cards face up with their tokens; other cards show only the points on their backs."""
    data: TanksData = table.data
    for number, fielded in enumerate(platoon.tanks, start=1):
        id = f"{LETTER[seat]}{number}"
        cards = [Held(card, data.cards[card].points) for card in fielded.cards]
        table.state.tanks[id] = Tank(id=id, seat=seat, model=fielded.tank, cards=cards)
    total = cost(data, platoon)
    tanks = [tank_card(table, tank) for tank in table.state.tanks.values() if tank.seat == seat]
    inputs = {"seat": seat, "limit": data.scenario.points}
    country = Finding("T4.2", inputs={"seat": seat}, result=platoon.country)
    number_of = Finding("T4.3", inputs={"seat": seat}, result=len(tanks))
    table.find("T4.1", inputs=inputs, result=total, children=[country, number_of, *tanks])


def tank_card(table: Table[TanksState], tank: Tank) -> Finding:
    """T2.1 The public facts about a tank, shown when it is laid out."""
    model: Model = table.data.models[tank.model]
    printed = ("initiative", "attack", "defence", "hull", "slots", "points", "country")
    values = {name: getattr(model, name) for name in printed}
    token = Finding("T2.5", inputs={"tank": tank.id, "token": "identification"}, result=tank.id)
    backs = Finding("T2.4", inputs={"tank": tank.id}, result=sorted(held.points for held in tank.cards))
    inputs = {"tank": tank.id, "name": model.name, **values, "keywords": list(model.keywords)}
    return Finding("T2.1", inputs=inputs, result=model.id, children=(token, backs))
