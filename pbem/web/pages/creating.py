"""A new match: its scenario, options and deadlines, who has which seat, and its game master."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from flask import Blueprint, current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from pbem.engine.rules.balance import Balance, sides_of
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Unreadable
from pbem.engine.rules.title import Rules, Title
from pbem.engine.text.messages import Message, say, say_n
from pbem.matches.accounts import accounts
from pbem.matches.clock import causes
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history import beacons
from pbem.matches.players import invitations
from pbem.matches.server import Server
from pbem.web.http.inputs import ChoosingSchema, MatchSchema, read_form, read_query, take_timing
from pbem.web.http.pictures import Drawing
from pbem.web.http.stored import Stored, send, store
from pbem.web.http.viewer import not_found, signed_in, the_server
from pbem.web.http.visitor_limits import limit_rate

bp = Blueprint("creating", __name__)

SMALL, SHORT = (12, 40), (5, 8)
"""The most units of a small and a medium scenario, and the most turns of a short and a medium one."""

CHOOSING = {
    "size": {"small": say("up to 12 units"), "medium": say("up to 40 units"), "large": say("more than 40 units")},
    "length": {"short": say("up to 5 turns"), "medium": say("up to 8 turns"), "long": say("more than 8 turns")},
    "difficulty": {"1": say("a first game"), "2": say("easy"), "3": say("medium"), "4": say("hard")},
    "balance": {"even": say("no side favoured"), "uneven": say("one side favoured"), "unknown": say("not measured")},
}
"""The filters for scenarios, each value in words."""

LABELS = {
    "size": say("Size"),
    "length": say("Length"),
    "difficulty": say("Difficulty"),
    "balance": say("Balance"),
}
"""The names of these filters."""

MOST_SCENARIOS = 12
"""The most scenarios on one page."""

TAKERS = ("open", "me", "bot", "invite")
"""The possible first occupants of a seat; the first one is the default."""


# Options -------------------------------------------------------------------------------------


class Value(msgspec.Struct, frozen=True):
    value: Any
    words: str


class Option(msgspec.Struct, frozen=True):
    """An option for the creator of a match: one value, or `several` at once, each explained."""

    name: str
    values: list[Value]
    several: bool


def options_of(title: Title, scenario: str = "") -> list[Option]:
    """Return the options of a title, or of one scenario; those in the title's `several` take many values."""
    offered = title.choices_for(scenario) if scenario else title.choices
    return [
        Option(name, [Value(value, words) for value, words in values.items()], name in title.several)
        for name, values in offered.items()
    ]


class Mode(msgspec.Struct, frozen=True):
    """A value of `reactions`, and its meaning for a player."""

    name: str
    label: str
    text: str


MODES = {
    "plan": (say("By plan"), say("You plan your reactions in advance; a turn takes the fewest emails.")),
    "mover": (
        say("Ask before moves"),
        say("Both sides are asked before units move: one may change its movement orders, the other its fire plan."),
    ),
    "battle": (
        say("Ask in battles"),
        say("The important decisions of each battle wait for their player; the rest follow the plan."),
    ),
    "ask": (
        say("Ask every time"),
        say("Every possible reaction waits for its player, as at the table; a turn can take many emails."),
    ),
}


@bp.app_template_filter("mode")
def mode_in_words(name: str) -> Message | str:
    """The `reactions` setting of a match, as players read it."""
    return MODES.get(name, (name, ""))[0]


def modes_of(rules: Rules) -> tuple[Mode, ...]:
    """Return the modes that a title offers, fewest emails first."""
    known = {name: MODES.get(name, (name, "")) for name in rules.modes}
    return tuple(Mode(name, *known[name]) for name in sorted(known, key=lambda name: [*MODES, name].index(name)))


class About(msgspec.Struct, frozen=True):
    """A scenario, with the title's description if it has one."""

    title: str
    scenario: str
    name: str
    seats: tuple[str, ...]
    drawn: bool
    modes: tuple[Mode, ...] = ()
    turns: int = 0
    text: str = ""
    balance: Balance = Balance()
    units: int = 0
    difficulty: int = 0

    @property
    def handicaps(self) -> list[tuple[str, str]]:
        """The handicaps that a side can give, each in words."""
        return [
            (f"{side} {step}", f"{side}: {one.words}")
            for side in sides_of(self.balance)
            for step, one in enumerate(self.balance.of(side), 1)
        ]

    @property
    def play(self) -> str:
        return f"{self.title}/{self.scenario}"

    @property
    def kinds(self) -> dict[str, str]:
        """Return the values of a scenario for each filter in `CHOOSING`."""
        size = "small" if self.units <= SMALL[0] else "medium" if self.units <= SMALL[1] else "large"
        length = "short" if self.turns <= SHORT[0] else "medium" if self.turns <= SHORT[1] else "long"
        measured = "uneven" if self.balance.leans_to() else "even" if self.balance.matches else "unknown"
        return {"size": size, "length": length, "difficulty": str(self.difficulty or ""), "balance": measured}

    @property
    def in_words(self) -> list[Message]:
        """The size and difficulty, as far as they are known."""
        said = [say_n("{n} unit", "{n} units", n=self.units)] if self.units else []
        return [*said, *filter(None, [CHOOSING["difficulty"].get(str(self.difficulty))])]


def about(title: Title, scenario: str) -> About:
    return scenario_details(title, scenario)[0]


def scenario_details(title: Title, scenario: str) -> tuple[About, Stored]:
    """A scenario and its picture, read once."""
    kept = current_app.extensions["pbem"]["scenarios"]
    key = (title.name, scenario)
    return kept.get(key) or kept.put(key, read_scenario(title, scenario))  # type: ignore[no-any-return]


def count_units(rules: Rules, title: Title) -> int:
    """How many units take part, as far as that is known before the first turn."""
    state = rules.setup(title.switches)
    views = {seat: rules.view(state, seat) for seat in rules.seats}
    commanded = {unit for seat, view in views.items() for one in rules.formations(view, seat) for unit in one.units}
    return max(len(commanded), *(len(rules.stands(view)) for view in views.values()))


def read_scenario(title: Title, scenario: str) -> tuple[About, Stored]:
    rules = title.rules(title.freeze(scenario, {}))
    said = getattr(rules.data, "scenario", None)
    told = {name: value for name in ("name", "turns", "text") if (value := getattr(said, name, None))}
    picture = draw_setup(title, rules)
    drawn = (
        b"data-hex" in picture.plain or b"data-unit" in picture.plain
    )  # without either, the set-up is an empty table
    return About(
        title.name,
        scenario,
        **{"name": scenario, **told},
        seats=rules.seats,
        drawn=drawn,
        modes=modes_of(rules),
        balance=title.balance(scenario),
        units=count_units(rules, title),
        difficulty=title.primer().difficulty.get(scenario, 0),
    ), picture


def draw_setup(title: Title, rules: Rules) -> Stored:
    """The map before the first turn, as everybody may see it."""
    view = rules.example(rules.view(rules.setup(title.switches), PUBLIC))
    content = ((rules.picture(view, PUBLIC) or "") if isinstance(rules, Drawing) else "").encode()
    return store(content, hashlib.sha256(content).hexdigest()[:32])


@bp.get("/new")
def choose() -> ResponseReturnValue:
    """The list of scenarios or, once a scenario is chosen, the form for a match of it."""
    server, play = the_server(), request.args.get("play", "")
    if play:
        return show(*find_play(server, play))
    wanted = read_query(ChoosingSchema())
    fitting = [one for one in every_scenario(server) if fits(one, wanted)]
    pages = max(1, -(-len(fitting) // MOST_SCENARIOS))
    page = min(max(wanted["page"], 1), pages)
    shown = fitting[(page - 1) * MOST_SCENARIOS : page * MOST_SCENARIOS]
    return render_template(
        "web/scenarios.html",
        scenarios={
            name: [one for one in shown if one.title == name] for name in dict.fromkeys(o.title for o in shown)
        },
        names={name: title.full_name or name.capitalize() for name, title in server.titles.items()},
        primers={name for name, title in server.titles.items() if title.primer().section},
        choosing=CHOOSING,
        labels=LABELS,
        wanted=wanted,
        found=len(fitting),
        page=page,
        pages=pages,
        further={name: value for name, value in wanted.items() if value and name != "page"},
    )


def every_scenario(server: Server) -> list[About]:
    """All scenarios of all titles, the easiest of each title first."""
    return [one for all in all_scenarios(server).values() for one in sorted(all, key=lambda one: one.difficulty or 9)]


def fits(one: About, wanted: Mapping[str, Any]) -> bool:
    """Whether a scenario fits the visitor's filter."""
    words = f"{one.title} {one.scenario} {one.name} {one.text}".lower()
    kinds = {"title": one.title, **one.kinds}
    return all(word in words for word in wanted["words"].lower().split()) and all(
        not wanted[name] or wanted[name] == kind for name, kind in kinds.items()
    )


def all_scenarios(server: Server) -> dict[str, list[About]]:
    return {
        name: [about(title, scenario) for scenario in title.scenarios]
        for name, title in sorted(server.titles.items())
    }


@bp.get("/scenarios/<title>/<scenario>.svg")
def picture(title: str, scenario: str) -> ResponseReturnValue:
    drawn = scenario_details(*find_play(the_server(), f"{title}/{scenario}"))[1]
    return send(drawn, "image/svg+xml") if drawn.plain else not_found(say("This title has no map."))


def find_play(server: Server, play: str) -> tuple[Title, str]:
    name, _, scenario = play.partition("/")
    title = server.titles.get(name)
    if title is None or scenario not in title.scenarios:
        not_found(say("No scenario has this name."))
    return title, scenario


def show(title: Title, scenario: str, refusal: Refusal | None = None) -> str:
    """The form, filled with the visitor's earlier input."""
    return render_template(
        "web/new_match.html",
        about=about(title, scenario),
        options=options_of(title, scenario),
        labels=title.option_names,
        weekdays=causes.WEEKDAYS,
        beacons=list(beacons.offered_beacons(the_server().database).values()),
        said=request.form,
        refusal=refusal,
    )


# A match -----------------------------------------------------------------------------------------------------


@bp.post("/matches")
@signed_in
@limit_rate("matches")
def create() -> ResponseReturnValue:
    """Create a match as the form says."""
    server = the_server()
    title, scenario = find_play(server, request.form.get("play", ""))
    try:
        said = read_form(MatchSchema())
        match = set_up(
            server,
            title.name,
            scenario,
            by=g.account.id,
            master=said["master"],
            options=chosen_options(title, scenario),
            timing=take_timing(said),
            name=said["name"].strip(),
            reactions=said["reactions"],
            handicap=said["handicap"],
            beacon=said["beacon"],
            sealed=said["sealed"],
            **spread(
                seats_from_form(about(title, scenario).seats),
                title.rules(title.freeze(scenario, chosen_options(title, scenario))),
            ),
        )
    except Refusal as refusal:
        return show(title, scenario, refusal), 422
    return redirect(url_for("match.page", match=match), 303)


def chosen_options(title: Title, scenario: str) -> dict[str, Any]:
    """The options that the form sets; the title refuses those it does not know."""
    said: dict[str, Any] = {}
    for option in options_of(title, scenario):
        values = {str(one.value): one.value for one in option.values}
        wanted = [values.get(word, word) for word in request.form.getlist(f"option/{option.name}") if word]
        if wanted:
            said[option.name] = wanted if option.several else wanted[0]
    return said


def seats_from_form(seats: Sequence[str]) -> dict[str, Any]:
    """Return who takes which seat from the start, and who is invited."""
    taker = {seat: request.form.get(f"seat/{seat}", TAKERS[0]) for seat in seats}
    return {
        "sit": [seat for seat in seats if taker[seat] == "me"],
        "bots": [seat for seat in seats if taker[seat] == "bot"],
        "invite": {seat: request.form.get(f"address/{seat}", "") for seat in seats if taker[seat] == "invite"},
    }


def spread(said: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """Spread choices for a side over its several seats: the creator and invited players take the first.

    A bot takes all remaining seats of its side; other seats stay open.
    """
    if {*said["sit"], *said["bots"], *said["invite"]} <= set(rules.seats):
        return said
    return {
        "sit": [seat for one in said["sit"] for seat in seats_for(rules, one)[:1]],
        "bots": [seat for one in said["bots"] for seat in seats_for(rules, one)],
        "invite": {seat: to for one, to in said["invite"].items() for seat in seats_for(rules, one)[:1]},
    }


def seats_for(rules: Rules, said: str) -> list[str]:
    """Return the seat with this name, or the seats of the side with this name."""
    return [said] if said in rules.seats else [seat for seat in rules.seats if rules.sides.get(seat) == said]


def set_up(
    server: Server,
    title: str,
    scenario: str,
    *,
    by: str,
    sit: Sequence[str],
    bots: Sequence[str],
    invite: Mapping[str, str],
    master: bool,
    options: Mapping[str, Any],
    timing: Mapping[str, Any],
    name: str = "",
    **more: Any,
) -> str:
    """Create a match, take a seat, seat bots and invite others as requested; a refusal leaves nothing behind."""
    if sit and master:
        raise Illegal("master", [Objection("pbem/create", say("a game master cannot also have a seat"))])
    check_seats(server, title, scenario, options, [*bots, *sit, *invite])
    addresses = {seat: accounts.clean_address(address) for seat, address in invite.items()}
    agreed = {name: value for name, value in timing.items() if name != "hours"}
    match = creating.new_match(
        server,
        title,
        scenario,
        cadence=timing["hours"],
        timing=agreed,
        options=options,
        master=by if master else "",
        name=name or name_of(server, title, scenario),
        **more,
    )
    for seat in bots:
        take_seat(server, match, seat, accounts.open_bot(server, title).id)
    for seat in sit:
        take_seat(server, match, seat, by)
    for seat, address in addresses.items():
        invitations.invite(server, match, seat, address)
    return match


def name_of(server: Server, title: str, scenario: str) -> str:
    """Return the default name of a match."""
    game = server.titles.get(title)
    return about(game, scenario).name if game is not None and scenario in game.scenarios else ""


def check_seats(server: Server, title: str, scenario: str, options: Mapping[str, Any], wanted: Sequence[str]) -> None:
    """Refuse seats that the match would not have, before the match is created."""
    game = server.titles.get(title)
    if game is None or scenario not in game.scenarios:
        return  # creating the match refuses that
    seats = game.rules(game.freeze(scenario, options)).seats
    for place, seat in enumerate(wanted):
        if seat not in seats:
            raise Unreadable(seat, [Objection("pbem/seat", say("no seat has that name"))], seats)
        if seat in wanted[:place]:
            raise Illegal(seat, [Objection("pbem/seat", say("two players are named for that seat"))], seats)
