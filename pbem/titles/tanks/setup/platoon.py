"""T4 Building a platoon: legal combinations, with every objection, and the platoon list as text.

T4.1 to T4.6    platoon_objections
----            read_list, write_list: a platoon as text, one tank per line
----            usual_platoon, buy_platoon

A platoon as text looks like this:

    country: us
    Sherman 76: Superb Commander, Dead-Eye Gunner
    Sherman 75
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Answer
from pbem.engine.rules.refusals import Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.messages import say
from pbem.titles.data_files import close_to
from pbem.titles.tanks.data_set import GLOBAL, Card, Fielded, Platoon, TanksData
from pbem.titles.tanks.player.orders import RULE
from pbem.titles.tanks.setup.placing import most_tanks

# --- T4 legality ---------------------------------------------------------------------------------------------


def cost(data: TanksData, platoon: Platoon) -> int:
    """T4.1 The total cost of tanks, crews and upgrades."""
    return sum(
        data.models[fielded.tank].points + sum(data.cards[card].points for card in fielded.cards)
        for fielded in platoon.tanks
    )


def platoon_objections(data: TanksData, platoon: Platoon) -> Iterator[Objection]:
    """T4 Everything that is wrong with a platoon, in printed order."""
    limit, total = data.scenario.points, cost(data, platoon)
    if total > limit:
        yield Objection(
            "T4.1", say("the platoon costs {total} points; the limit is {limit}", total=total, limit=limit)
        )
    if not platoon.tanks:
        yield Objection("T4.3", say("a platoon needs at least one tank"))
    elif len(platoon.tanks) > (most := most_tanks(data, [fielded.tank for fielded in platoon.tanks])):
        yield Objection("T3.3", say("there is room for only {most} tanks of this size along one edge", most=most))
    for number, fielded in enumerate(platoon.tanks, start=1):
        yield from country_objections(data, platoon.country, number, fielded)
        yield from tank_objections(data, number, fielded)
    heroes = [card for fielded in platoon.tanks for card in fielded.cards if data.cards[card].hero]
    if len(heroes) > 1:
        names = ", ".join(data.cards[card].name for card in heroes)
        yield Objection(
            "T4.6", say("a platoon can have one hero, not {heroes}: {names}", heroes=len(heroes), names=names)
        )


def country_objections(data: TanksData, country: str, number: int, fielded: Fielded) -> Iterator[Objection]:
    """T4.2 Object unless all tanks are of one country and carry only cards of that country or global cards."""
    model = data.models[fielded.tank]
    if model.country != country:
        yield Objection(
            "T4.2",
            say(
                "tank {number}, {model}, belongs to {country}, not {country2}",
                number=number,
                model=model.name,
                country=model.country,
                country2=country,
            ),
        )
    for card in (data.cards[card] for card in fielded.cards):
        if card.country not in (country, GLOBAL):
            yield Objection(
                "T4.2",
                say(
                    "{card} belongs to {country}, not {country2}",
                    card=card.name,
                    country=card.country,
                    country2=country,
                ),
            )


def tank_objections(data: TanksData, number: int, fielded: Fielded) -> Iterator[Objection]:
    """T4.4, T4.5 Object to a second card of the same type, and to more crew than the tank has slots."""
    model, cards = data.models[fielded.tank], [data.cards[card] for card in fielded.cards]
    for card in cards:
        if card.tanks and model.id not in card.tanks:
            fitting = ", ".join(data.models[tank].name for tank in card.tanks)
            yield Objection("T2.2", say("{card} fits only {fitting}", card=card.name, fitting=fitting))
    for type, count in sorted(Counter(card.type for card in cards).items()):
        if count > most_of(cards, type):
            yield Objection(
                "T4.4",
                say(
                    "tank {number}, {model}, has {count} cards of type {type}",
                    number=number,
                    model=model.name,
                    count=count,
                    type=type,
                ),
            )
    crew = [card for card in cards if card.crew]
    if len(crew) > model.slots:
        yield Objection(
            "T4.5",
            say(
                "tank {number}, {model}, has {crew} crew cards but only {slots} slots",
                number=number,
                model=model.name,
                slots=model.slots,
                crew=len(crew),
            ),
        )


def most_of(cards: Iterable[Card], type: str) -> int:
    """T4.4 How many cards of a type a tank may carry: one, or two rounds alike with a Resourceful Loader."""
    own = list(cards)
    twin = any(card.effect.twin_ammo for card in own)
    rounds = {card.id for card in own if card.type == "ammo"}
    return 2 if type == "ammo" and twin and len(rounds) == 1 else 1


# --- the text list -------------------------------------------------------------------------------------------


def write_list(data: TanksData, platoon: Platoon) -> str:
    """Write a platoon as text; reading the text gives the same platoon."""
    lines = [f"country: {platoon.country}"]
    for fielded in platoon.tanks:
        cards = ", ".join(data.cards[card].name for card in fielded.cards)
        lines.append(f"{data.models[fielded.tank].name}{': ' + cards if cards else ''}")
    return "\n".join(lines) + "\n"


def read_list(data: TanksData, text: str) -> Platoon:
    """Read a platoon from text; a refusal names every line that cannot be read."""
    country, tanks, refusals = "", list[Fielded](), list[Refusal]()
    for written in filter(None, (line.split("#")[0].strip() for line in text.splitlines())):
        name, _, rest = written.partition(":")
        try:
            if squash(name) == "country":
                country = id_named(rest, {name: name for name in data.countries}, "country")
            else:
                tanks.append(read_tank(data, name, rest))
        except Refusal as refusal:
            refusals.append(type(refusal)(refusal.part, refusal.objections, refusal.instead, written))
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    if not country and tanks:
        country = data.models[tanks[0].tank].country
    return Platoon(country=country, tanks=tuple(tanks))


def read_tank(data: TanksData, name: str, rest: str) -> Fielded:
    """Read one line: a tank and its cards."""
    models = {model.name: model.id for model in data.models.values()}
    cards = {card.name: card.id for card in data.cards.values()}
    tank = id_named(re.sub(r"\(\d+\)\s*$", "", name), models, "tank")
    wanted = [part for part in re.split(r"[,+;]", re.sub(r"\(\d+\)", "", rest)) if part.strip()]
    return Fielded(tank=tank, cards=tuple(id_named(part, cards, "card") for part in wanted))


def id_named(word: str, names: dict[str, str], what: str) -> str:
    """The id for a name or id, ignoring case and punctuation."""
    said = squash(word)
    known = {squash(key): id for name, id in names.items() for key in (name, id)}
    if said in known:
        return known[said]
    near = close_to(said, known)
    meant = [name for name, id in names.items() if len(near) == 1 and known[near[0]] == id]
    why = f"no {what} has that name" + (f": {', '.join(names)}" if len(names) < 8 else "")
    raise Unreadable(word.strip(), [Objection(RULE, why)], meant or sorted(names)[:8])


def squash(name: str) -> str:
    return re.sub(r"[^a-z0-9äöü]", "", name.lower())


# --- the step ------------------------------------------------------------------------------------------------


def stock_platoon(data: TanksData, seat: str) -> Platoon:
    return next(platoon for platoon in data.scenario.platoon if platoon.seat == seat)


def usual_platoon(data: TanksData, seat: str) -> Platoon:
    """T4.1 The platoon for a seat that makes no choice."""
    stock = stock_platoon(data, seat)
    return stock if not data.scenario.choose else within_limit(data, stock)


def within_limit(data: TanksData, platoon: Platoon) -> Platoon:
    """T4.1 The platoon if it is within the limit, otherwise without cards, then with fewer tanks.

    If even one of its tanks costs too much, it is the cheapest tank of all.
    """
    bare = tuple(Fielded(tank=fielded.tank) for fielded in platoon.tanks)
    cheapest = min(data.models.values(), key=lambda model: (model.points, model.id))
    smaller = [Platoon(country=platoon.country, tanks=bare[:number]) for number in range(len(bare), 0, -1)]
    last = Platoon(country=cheapest.country, tanks=(Fielded(tank=cheapest.id),))
    return next((one for one in (platoon, *smaller) if cost(data, one) <= data.scenario.points), last)


def cards_that_fit(data: TanksData, platoon: Platoon, points: int) -> Iterator[tuple[str, tuple[Fielded, ...]]]:
    """T4 Yield each card within these points that a tank may still carry, and the tanks with that card added."""
    for card in data.cards.values():
        for at, fielded in enumerate(platoon.tanks if card.points <= points else ()):
            more = Fielded(tank=fielded.tank, cards=(*fielded.cards, card.id))
            tanks = (*platoon.tanks[:at], more, *platoon.tanks[at + 1 :])
            other = Platoon(country=platoon.country, tanks=tanks)
            if all(objection.rule == "T4.1" for objection in platoon_objections(data, other)):
                yield card.id, tanks


def answer_of(platoon: Platoon) -> Answer:
    """Return a platoon in the form of an answer."""
    tanks = [{"tank": fielded.tank, "cards": list(fielded.cards)} for fielded in platoon.tanks]
    return {"country": platoon.country, "tanks": tanks}


def buy_platoon(data: TanksData, country: str, choice: Choice) -> Platoon:
    """T4 Buy a random platoon: tanks until no more can be afforded, then cards."""
    models = [model for model in data.models.values() if model.country == country]
    left, tanks, most = data.scenario.points, list[Fielded](), most_tanks(data, [model.id for model in models])
    while len(tanks) < most and (fitting := [model for model in models if model.points <= left]):
        model = choice.one_of(fitting)
        tanks.append(Fielded(tank=model.id))
        left -= model.points
    cards = [card for card in data.cards.values() if card.country in (country, GLOBAL)]
    for _ in range(20 if tanks else 0):
        at, card = choice.below(len(tanks)), choice.one_of(cards)
        more = [*tanks[:at], Fielded(tank=tanks[at].tank, cards=(*tanks[at].cards, card.id)), *tanks[at + 1 :]]
        platoon = Platoon(country=country, tanks=tuple(more))
        if not any(platoon_objections(data, platoon)):
            tanks = more
    return Platoon(country=country, tanks=tuple(tanks))
