"""T3 Set-up: terrain, roles, edges, deployment.

    T3.1    terrain_step, place_objections
    T3.2    role_step
    T3.3    deployment_step, deploy_objections
    ----    initial_state; the checks and options of these asks

Each seat gives one form: its wishes for terrain in order, its role and edge if it may choose, the places of its
tanks. They are carried out in turn as the rules say. What the scenario gives is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.engine.geometry.plane import Point
from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Unreadable
from pbem.engine.rules.state import NextStep
from pbem.engine.rules.table import Table
from pbem.titles.tanks.crew_and_upgrades import carries
from pbem.titles.tanks.criticals import new_deck
from pbem.titles.tanks.data_set import EDGES, OTHER, SEATS, TanksData, nearest
from pbem.titles.tanks.geometry import Corners, corners, near, on_table, shares_ground
from pbem.titles.tanks.initiative import in_sequence
from pbem.titles.tanks.movement import early_moves, raise_all
from pbem.titles.tanks.plan import DeployForm, plain, read_as
from pbem.titles.tanks.state import Holding, Piece, Status, Tank, TanksState
from pbem.titles.tanks.terrain import card_corners, obstacles, piece_corners

OPPOSITE: Final = {"north": "south", "south": "north", "east": "west", "west": "east"}
INWARD: Final = {"north": 180, "east": 270, "south": 0, "west": 90}
"""The heading away from an edge."""
Spot = tuple[int, int, int]
GRID: Final = 500
SPACING: Final = 1000
"""Between tanks that nobody has placed, while there is room."""


def initial_state(data: TanksData, switches: tuple[str, ...]) -> TanksState:
    """T3 Before anything is placed; the turns are counted from the first Movement Phase."""
    holdings = {objective.id: Holding() for objective in data.scenario.objective}
    return TanksState(
        turn=0, next=NextStep("platoon_step"), switches=switches, deck=new_deck(data), holdings=holdings
    )


# --- T3.1 terrain --------------------------------------------------------------------------------------------


def terrain_step(table: Table[TanksState]) -> Step:
    """T3.1 Given by the scenario, or placed in turn: first the woods, then the buildings."""
    data: TanksData = table.data
    fixed = [(piece.kind, (10 * piece.at[0], 10 * piece.at[1], piece.heading)) for piece in data.scenario.piece]
    for kind, spot in fixed:
        lay_piece(table, kind, spot, "the scenario")
    kinds = ["wood"] * data.scenario.woods + ["building"] * data.scenario.buildings
    if kinds:
        asks = tuple(Ask(seat, "terrain", "T3.1", default={}, grade="order") for seat in SEATS)
        answers = dict(zip(SEATS, (yield Together(asks)), strict=True))
        first = roll_off(table, "T3.1")
        for number, kind in enumerate(kinds):
            seat = first if number % 2 == 0 else OTHER[first]
            place_next(table, kind, seat, answers[seat].get(kind, []))
    for objective in data.scenario.objective:
        table.find("T2.5", inputs={"token": "objective", "at": list(objective.at)}, result=objective.id)
    table.then("role_step")


def roll_off(table: Table[TanksState], rule: str) -> str:
    """T3.1, T3.2 Both roll, the higher wins; a tie is rolled again."""
    rolled: list[int] = []
    while True:
        dice = {seat: table.roll(6, rule, seat) for seat in SEATS}
        rolled += dice.values()
        if len(set(dice.values())) > 1:
            break
    winner = max(dice, key=lambda seat: dice[seat])
    table.find(rule, inputs={"seats": list(SEATS)}, dice=rolled, result=winner)
    return winner


def place_next(table: Table[TanksState], kind: str, seat: str, wishes: Sequence[Sequence[int]]) -> None:
    """T3.1 The first of a seat's wishes that is legal now, else the first legal place on the table."""
    spots: list[Spot] = [(x, y, heading) for x, y, heading in wishes]
    for spot in (*spots, *default_spots(table.data, kind)):
        if not any(place_objections(table.data, table.state, kind, spot)):
            lay_piece(table, kind, spot, seat)
            return
    table.find("T3.1", inputs={"kind": kind, "seat": seat}, result="no room is left")


def default_spots(data: TanksData, kind: str) -> Iterator[Spot]:
    """T3.1 Places in rows, from one arrow off the north-west corner."""
    row = data.kinds[kind]
    margin, table = data.scenario.arrow + 10, data.scenario.table
    left, top = margin + 5 * row.width, margin + 5 * row.length
    yield from ((x, y, 0) for y in range(top, table - top + 1, GRID) for x in range(left, table - left + 1, GRID))


def lay_piece(table: Table[TanksState], kind: str, spot: Spot, by: str) -> None:
    """T3.1 A piece lies; T6.5 the whole card counts."""
    state, data = table.state, table.data
    number = sum(piece.kind == kind for piece in state.pieces) + 1
    piece = Piece(f"{kind}-{number}", kind, Point(spot[0], spot[1]), spot[2])
    state.pieces.append(piece)
    area = [list(corner) for corner in piece_corners(data, piece)]
    card = Finding("T6.5", inputs={"piece": piece.id, "kind": data.kinds[kind].rule}, result=area)
    inputs = {"piece": piece.id, "by": by, "heading": spot[2]}
    table.find("T3.1", inputs=inputs, result=list(spot[:2]), children=[card])


def place_objections(data: TanksData, view: TanksState, kind: str, spot: Spot) -> Iterator[Objection]:
    """T3.1 More than one arrow from the table edge and from every other piece."""
    arrow, table = data.scenario.arrow, data.scenario.table
    card = card_corners(data, kind, Point(spot[0], spot[1]), spot[2])
    if not all(arrow < corner.x < table - arrow and arrow < corner.y < table - arrow for corner in card):
        yield Objection("T3.1", "it is not more than one arrow from the table edge")
    for piece in view.pieces:
        if near(card, piece_corners(data, piece), arrow):
            yield Objection("T3.1", f"it is not more than one arrow from {piece.id}")


def check_terrain(data: TanksData, view: TanksState, ask: Ask, answer: Answer) -> Answer:
    """T3.1 Wishes for each kind; a place that can never be legal is refused."""
    wishes = read_as(answer, dict[str, list[tuple[int, int, int]]], "terrain")
    refusals: list[Refusal] = []
    for kind, spots in sorted(wishes.items()):
        if kind not in ("wood", "building"):
            refusals.append(Unreadable(kind, [Objection("T3.1", "woods and buildings are placed")], ["wood"]))
            continue
        for spot in spots:
            if objections := list(place_objections(data, view, kind, spot)):
                refusals.append(Illegal(f"{kind} {spot[0] // 10} {spot[1] // 10}", objections, ["wood 450 450"]))
    raise_all(refusals)
    return {kind: [list(spot) for spot in spots] for kind, spots in sorted(wishes.items())}


def terrain_options(data: TanksData, view: TanksState, ask: Ask) -> Iterator[Answer]:
    """T3.1 Nothing wished, then wishes at random."""
    yield {}
    for number in range(10):
        choice = Choice("terrain", ask.seat, number)
        yield {kind: [random_spot(data, view, kind, choice) for _ in range(8)] for kind in ("building", "wood")}


def random_spot(data: TanksData, view: TanksState, kind: str, choice: Choice) -> list[int]:
    while True:
        spot = (choice.below(data.scenario.table), choice.below(data.scenario.table), choice.below(360))
        if not any(place_objections(data, view, kind, spot)):
            return list(spot)


# --- T3.2 roles ----------------------------------------------------------------------------------------------


def role_step(table: Table[TanksState]) -> Step:
    """T3.2 The higher roll chooses to attack or to defend; the defender chooses his edge."""
    data, state = table.data, table.state
    attacker, edge, chooser = data.scenario.attacker, data.scenario.edge, "the scenario"
    if not attacker:
        usual = {"role": "attacker", "edge": "north"}
        asks = tuple(Ask(seat, "role", "T3.2", default=usual, grade="order") for seat in SEATS)
        wishes = dict(zip(SEATS, (yield Together(asks)), strict=True))
        chooser = roll_off(table, "T3.2")
        attacker = chooser if wishes[chooser]["role"] == "attacker" else OTHER[chooser]
        edge = edge or wishes[OTHER[attacker]]["edge"]
    defender = OTHER[attacker]
    state.attacker, state.edges = attacker, {defender: edge, attacker: OPPOSITE[edge]}
    table.find("T3.2", inputs={"chooser": chooser, "edges": dict(state.edges)}, result={"attacker": attacker})
    table.then("deployment_step")


def check_role(answer: Answer) -> Answer:
    """T3.2 A role if he may choose, an edge if he defends."""
    wish = read_as(answer, dict[str, str], "role")
    role, edge = wish.get("role", "attacker"), wish.get("edge", "north")
    if role not in ("attacker", "defender"):
        raise Unreadable(role, [Objection("T3.2", "one attacks or defends")], ["attacker", "defender"])
    if edge not in EDGES:
        raise Unreadable(edge, [Objection("T3.2", "the table has four edges")], EDGES)
    return {"edge": edge, "role": role}


def role_options() -> Iterator[Answer]:
    yield from ({"edge": edge, "role": role} for role in ("attacker", "defender") for edge in EDGES)


# --- T3.3 deployment -----------------------------------------------------------------------------------------


def deployment_step(table: Table[TanksState]) -> Step:
    """T3.3 Lowest initiative first, each tank within one arrow of its own edge. Then cards that move early."""
    state, data = table.state, table.data
    forms = {seat: DeployForm() for seat in SEATS}
    if data.scenario.pace == "forms":
        asks = tuple(Ask(seat, "deploy", "T3.3", default={}, grade="order") for seat in SEATS)
        answers = yield Together(asks)
        forms = {seat: read_as(answer, DeployForm, "deploy") for seat, answer in zip(SEATS, answers, strict=True)}
    for tank in in_sequence(data, state, "moving", list(state.tanks.values())):
        form = forms[tank.seat]
        if data.scenario.pace == "tank":
            ask = Ask(tank.seat, "deploy", "T3.3", subject=tank.id, default={}, grade="order")
            form = read_as((yield ask), DeployForm, "deploy")
            forms[tank.seat] = DeployForm(early={**forms[tank.seat].early, **form.early})
        set_down(table, tank, form)
    state.orders = {seat: plain(form) for seat, form in forms.items()}
    early_moves(table, "early_move")
    state.turn = 1
    table.then("movement_phase")


def set_down(table: Table[TanksState], tank: Tank, form: DeployForm) -> None:
    """T3.3 Where its owner wants it, else at the first free place of its edge."""
    data, state = table.data, table.state
    wished = [form.places[tank.id]] if tank.id in form.places else []
    reserved = [
        spot_corners(data, state.tanks[other], spot)
        for other, spot in form.places.items()
        if other != tank.id and not state.tanks[other].live
    ]
    for spot in (*wished, *free_spots(data, state, tank, () if wished else reserved)):
        if not any(deploy_objections(data, state, tank, spot)):
            tank.at, tank.heading, tank.status = Point(spot[0], spot[1]), spot[2], Status.LIVE
            inputs = {"tank": tank.id, "edge": state.edges[tank.seat], "heading": spot[2]}
            table.find("T3.3", inputs=inputs, result=list(spot[:2]))
            return
    raise RuntimeError(f"there is no room for {tank.id}")


def spot_corners(data: TanksData, tank: Tank, spot: Spot) -> Corners:
    return corners(data.bodies[tank.model], Point(spot[0], spot[1]), spot[2])


def deploy_objections(data: TanksData, view: TanksState, tank: Tank, spot: Spot) -> Iterator[Objection]:
    """T3.3 On the table, within one arrow of the own edge, in nothing."""
    hull = spot_corners(data, tank, spot)
    arrow, table = data.scenario.arrow, data.scenario.table
    if not on_table(hull, table):
        yield Objection("T3.3", "it does not stand on the table")
    reach = {
        "north": max(corner.y for corner in hull),
        "south": table - min(corner.y for corner in hull),
        "west": max(corner.x for corner in hull),
        "east": table - min(corner.x for corner in hull),
    }
    edge = view.edges[tank.seat]
    if reach[edge] > arrow:
        yield Objection("T3.3", f"it is not within one arrow of the {edge} edge")
    for obstacle in obstacles(data, view, tank.id):
        if shares_ground(hull, obstacle.corners):
            yield Objection(obstacle.rule, f"it would stand in {obstacle.name}")


def free_spots(data: TanksData, view: TanksState, tank: Tank, taken: Sequence[Corners]) -> Iterator[Spot]:
    """T3.3 Places along the own edge, from its middle outwards, facing the enemy."""
    edge, half = view.edges[tank.seat], data.scenario.table // 2
    depth = data.scenario.arrow - data.bodies[tank.model].length
    for step in (*range(0, half, SPACING), *range(0, half, 100)):
        for x in dict.fromkeys((half + step, half - step)):
            spot = spot_at(edge, x, depth, data.scenario.table)
            hull = spot_corners(data, tank, spot)
            if not any(shares_ground(hull, other) for other in taken):
                yield spot


def spot_at(edge: str, along: int, depth: int, table: int) -> Spot:
    """A place so far along an edge and so deep, facing inward."""
    x, y = {
        "north": (along, depth),
        "south": (along, table - depth),
        "west": (depth, along),
        "east": (table - depth, along),
    }[edge]
    return x, y, INWARD[edge]


def check_deploy(data: TanksData, view: TanksState, ask: Ask, answer: Answer) -> Answer:
    """T3.3 Places for own tanks that do not stand in each other, or a refusal of every one that cannot be."""
    form = read_as(answer, DeployForm, "deploy")
    own = {tank.id: tank for tank in view.tanks.values() if tank.seat == ask.seat}
    refusals: list[Refusal] = []
    taken: list[tuple[str, Corners]] = []
    for tank_id, spot in sorted(form.places.items()):
        if tank_id not in own:
            objection = Objection("T3.3", "it is no tank of yours")
            refusals.append(Illegal(tank_id, [objection], nearest(tank_id, own)))
            continue
        hull = spot_corners(data, own[tank_id], spot)
        objections = list(deploy_objections(data, view, own[tank_id], spot))
        met = [other for other, at in taken if shares_ground(hull, at)]
        objections += [Objection("T3.3", f"it would stand in {other}") for other in met]
        taken.append((tank_id, hull))
        if objections:
            legal = next(free_spots(data, view, own[tank_id], [at for _, at in taken]), None)
            instead = [f"{tank_id} at {legal[0] // 10} {legal[1] // 10} face {legal[2]}"] if legal else []
            refusals.append(Illegal(tank_id, objections, instead))
    early = any(carries(data, tank, "early_move") for tank in own.values())
    for tank_id in sorted(form.early):
        if tank_id not in own:
            refusals.append(Illegal(tank_id, [Objection("T3.3", "it is no tank of yours")], nearest(tank_id, own)))
        elif not early:
            refusals.append(Illegal(tank_id, [Objection("T2.2", "no card lets it move before the others")]))
    raise_all(refusals)
    return plain(form)


def deploy_options(data: TanksData, view: TanksState, ask: Ask) -> Iterator[Answer]:
    """T3.3 The usual places, then others at random."""
    yield {}
    own = [tank for tank in view.tanks.values() if tank.seat == ask.seat and ask.subject in ("", tank.id)]
    legal = {
        tank.id: [
            (spot, spot_corners(data, tank, spot))
            for spot in free_spots(data, view, tank, ())
            if not any(deploy_objections(data, view, tank, spot))
        ]
        for tank in own
    }
    for number in range(10):
        choice = Choice("deploy", ask.seat, number)
        places: dict[str, list[int]] = {}
        taken: list[Corners] = []
        for tank in own:
            free = [(spot, at) for spot, at in legal[tank.id] if not any(shares_ground(at, other) for other in taken)]
            if free:
                spot, at = choice.one_of(free)
                places[tank.id] = list(spot)
                taken.append(at)
        yield {"places": places}
