"""The title's contract: everything that a game system gives to the kernel, and what it gets for nothing.

`Title` freezes what a match is played with; `Rules` is the title bound to it. A title must say

    seats, sides, state_type, steps, data, setup      what the match is made of
    view, invariants (`flaws`)                        what a viewer may know, and what must always hold
    the decisions                                     one class for each kind of ask: see `decision`
    tell                                              one sentence for each finding

and may say more, which the kernel, the site, mail, tournaments and campaigns then use:

    modes                       which grades of ask wait for a person, by the match's `reactions`
    default                     an ask's default, computed only when it is used
    unfulfilled                 orders of a plan that did not come true, with the reason
    plan_period, merge_plan     how long a plan holds, and what a later submission replaces in it
    compile_standing_orders     standing orders in the form that `instructed` reads, made once per exchange
    is_open, shares_orders      nothing is hidden; the seats of a side read each other's orders
    restate                     a submission as canonical lines, for receipts
    score                       points by side at any step start
    happenings                  on findings (`Table.find(shows=…)`): the film, the summary, the fate of each order
    stands, markers, ordered    what stands where, for the film, for summaries and for mails
    formations, verbs, propose, spent, preview   orders for many units, and what an order would do
    pages, first_game           pages of the title's own, and the scenario that a newcomer is shown first
    balance                     the share of wins by side, and handicaps that a side can give
    primer                      a glossary, a page of ten minutes, and a guided first game
    battles, battle, muster     scenarios with slots, and units from a campaign's rosters in them
    aftermath, deeds            what became of these units, and what they did

`tests/support/title_contract.py` holds what must be true of every title; a title's tests inherit it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from pbem.engine.rules.ask import MODES, Answer, Ask, Grade, Step
from pbem.engine.rules.balance import Balance, handicapped, packaged_balances, provision_for
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail, Place
from pbem.engine.rules.primer import Primer, packaged_primer
from pbem.engine.rules.recompute import net_of
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.state import State


class Submission(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player sends: the answer to the open ask, and a plan for later asks of the same turn."""

    answer: Answer
    plan: dict[str, Any] = {}


class Reply(msgspec.Struct, frozen=True):
    """An automatic answer and the clause of the plan or standing orders that gave it."""

    answer: Answer
    clause: str


class Plan(dict[str, Any]):
    """A plan by section, and how often each clause has been used in its period: `once` and points left need that."""

    def __init__(self, sections: Mapping[str, Any] | None = None, used: Mapping[str, int] | None = None) -> None:
        super().__init__(sections or {})
        self.used: Mapping[str, int] = used if used is not None else {}


class Wish(msgspec.Struct, frozen=True, omit_defaults=True):
    """One order for many units: what they shall do, and where or at whom."""

    units: tuple[str, ...]
    verb: str
    goal: str = ""
    target: str = ""
    shape: str = "formation"


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whole order lines that the rules accept as they are, what was left out, and what speaks against it."""

    lines: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    objections: tuple[Objection, ...] = ()


class Formation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Units that are ordered together, as the seat sees them."""

    id: str
    name: str
    units: tuple[str, ...]
    limit: int | None = None
    """How many commands the formation may be given this turn, where the rules limit them."""


class Stand(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit on the map as a viewer knows it: where it is, which way it faces, and its markers."""

    id: str
    name: str
    side: str
    at: Place | None = None
    facing: int | None = None
    marks: tuple[str, ...] = ()
    formation: str = ""


class Rules(ABC):
    """A title bound to the frozen data of one match.

    Options, checks, readings and replies are computed from a seat's view, never from the state: what only the
    hidden state forbids is accepted here and fails in execution, with a finding.
    """

    modes: Mapping[str, frozenset[Grade]] = MODES
    """Which grades of ask wait for a person, by the match's `reactions`."""

    is_open: ClassVar[bool] = False
    """Nothing is hidden: automatic answers may be worked out on the state itself."""

    keeps_order: ClassVar[bool] = False
    """The steps may rely on the order in which dicts of the state were filled, and no object is in it twice."""

    shares_orders: ClassVar[bool] = False
    """A side is one team: its seats may read each other's sealed orders."""

    tells_happenings: ClassVar[bool] = False
    """Findings carry a happening for everything that changes on the map, and a reason for every order that fails."""

    foresees: ClassVar[bool] = False
    """A `preview` has sentences under `said`: where an order leads as things stand."""

    # --- what the match is made of ----------------------------------------------------------------------------

    seats: tuple[str, ...]
    sides: Mapping[str, str]
    """The side of each seat."""
    optional: tuple[str, ...] = ()
    """Seats that may stay empty: the match starts without them, and nobody waits for an empty one."""
    battle_hours: int = 0
    """Hours after which an exchange closes that awaits battles alone, and goes on without the late ones; 0: never."""
    letter_turns: int = 0
    """How many turns a letter between seats takes."""
    state_type: type[State]
    steps: Mapping[str, Callable[..., Step]]
    data: Any
    """Charts, cards and map, as the steps see them on the table."""

    @abstractmethod
    def setup(self, switches: tuple[str, ...]) -> State:
        """Return the state before the first step."""

    @abstractmethod
    def view(self, state: Any, viewer: str) -> Any:
        """Return all that a viewer (a seat, `public` or `master`) may know, as plain data."""

    def example(self, view: Any) -> Any:
        """Return how a view from before the set-up may look after it, for pictures of scenarios, never of a match."""
        return view

    def flaws(self, state: Any) -> Iterator[str]:
        """Yield the invariants that this state breaks; none in a sound engine."""
        yield from ()

    def unexplained(self, findings: Iterable[Finding]) -> Iterator[str]:
        """Yield findings whose result does not follow from the numbers in them (see `recompute`)."""
        yield from ()

    def worked_out(self, finding: Finding) -> Mapping[str, Any] | None:
        """Return what a finding's numbers give by name, `result` or inputs; None if the title cannot tell."""
        return {"result": net_of(finding)} if finding.modifiers and not finding.dice else None

    def explain_sight(self, view: Any, seeing: str, seen: str) -> tuple[Finding, ...]:
        """Explain from a view alone why a unit sees, or does not see, another unit or a place; empty if it cannot."""
        return ()

    def score(self, state: Any) -> dict[str, int]:
        """Return the points of each side, at any step start."""
        return {}

    # --- decisions (`DecisionRules` gives all of these for titles with a class for each kind of ask) ----------

    @abstractmethod
    def options(self, view: Any, ask: Ask) -> Iterator[Answer]:
        """Yield legal answers, lazily; all of them where they can be listed, else a fair choice."""

    @abstractmethod
    def check(self, view: Any, ask: Ask, answer: Answer) -> Answer:
        """Return the canonical answer, or raise a refusal with every objection."""

    @abstractmethod
    def read(self, view: Any, ask: Ask, text: str) -> Submission:
        """Read a player's lines; a refusal names every line that cannot be carried out."""

    @abstractmethod
    def form(self, view: Any, ask: Ask) -> str:
        """Return lines ready to edit and send back."""

    @abstractmethod
    def tell(self, finding: Finding) -> str:
        """Put a finding into one sentence for a reader."""

    def default(self, view: Callable[[], Any], ask: Ask) -> Answer:
        """Return the answer for a seat that has said nothing. `view` is built only if it is called."""
        return ask.default

    def typed(self, ask: Ask, answer: Answer) -> Any:
        """Return a canonical answer as its step receives it."""
        return answer

    def restate(self, ask: Ask, submission: Submission) -> str:
        """Return a submission as canonical lines, or nothing if the title has none."""
        return ""

    def help(self) -> str:
        """Explain how orders are written, in the manual's markup."""
        return ""

    def standing_orders(self) -> str:
        """Explain how standing orders are written."""
        return ""

    def briefing(self, seat: str) -> str:
        """Return what a new player of this seat should know about the scenario."""
        return ""

    def rules_in_use(self) -> list[str]:
        """Name the optional rules that this match plays by."""
        return []

    # --- plans and standing orders ------------------------------------------------------------------------------

    def plan_period(self, state: Any) -> str:
        """Name the stretch of play that a plan belongs to, from what everybody knows. Here: the turn."""
        return str(state.turn)

    def merge_plan(self, earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plan after a later submission of the same period, which replaces whole sections."""
        return {**earlier, **later}

    @abstractmethod
    def check_plan(self, view: Any, ask: Ask, plan: Any) -> dict[str, Any]:
        """Return the canonical plan, or raise a refusal."""

    @abstractmethod
    def check_doctrine(self, doctrine: Any) -> list[Any]:
        """Return standing orders in canonical form, or raise a refusal."""

    def compile_standing_orders(self, clauses: list[Any]) -> Any:
        """Return standing orders in the form that `instructed` reads; called once per exchange."""
        return clauses

    @abstractmethod
    def planned(self, view: Any, ask: Ask, plan: Plan) -> Iterator[Reply]:
        """Yield what the plan says about this ask, best first."""

    @abstractmethod
    def instructed(self, view: Any, ask: Ask, orders: Any) -> Iterator[Reply]:
        """Yield what the compiled standing orders say about this ask, clause by clause."""

    def unfulfilled(self, view: Any, ask: Ask, answer: Answer, plan: Plan) -> Iterator[Fail]:
        """Yield the orders of the plan that do not come true with this automatic answer, each with the reason."""
        yield from ()

    # --- orders for many units ------------------------------------------------------------------------------------

    def formations(self, view: Any, seat: str) -> tuple[Formation, ...]:
        """Return the units that the seat commands, by formation. What a seat commands is data of the state."""
        return ()

    def verbs(self, ask: Ask) -> tuple[str, ...]:
        """Return the words of a `Wish` that `propose` understands in answer to an ask."""
        return ("move", "fire", "overwatch", "hold")

    def spent(self, view: Any, ask: Ask, submission: Submission) -> dict[str, int]:
        """Return how many commands a submission uses, by the ids of formations that have a limit."""
        return {}

    def propose(self, view: Any, ask: Ask, wish: Wish) -> Proposal:
        """Return order lines for many units at once, each accepted by `read` exactly as it is."""
        return Proposal(left_out=wish.units)

    def preview(self, view: Any, ask: Ask, line: str) -> dict[str, Any]:
        """Return what one order line would do, as far as the seat can know."""
        return {}

    # --- what stands where: the film, summaries and mails ----------------------------------------------------------

    def stands(self, view: Any) -> tuple[Stand, ...]:
        """Return the units that a view shows on the map, with their places as happenings name them."""
        return ()

    def story(self, before: Any, after: Any) -> list[str]:
        """Return what happened between two views in sentences, the most important first; titles may say nothing."""
        return []

    def markers(self, view: Any) -> dict[tuple[str, str], Any]:
        """Return what `Change` tells of units: by unit and marker, its value. Markers that are off are left out."""
        return {}

    def ordered(self, ask: Ask, answer: Answer) -> frozenset[str]:
        """Return the units that an answer tells to do something that would show on the map."""
        return frozenset()

    def place_in_words(self, at: Place) -> str:
        """Return a place as players name it."""
        return at if isinstance(at, str) else "/".join(map(str, at))

    def facing_in_words(self, facing: int) -> str:
        """Return a facing as a point of the compass."""
        return str(facing)

    def change_in_words(self, what: str, now: Any) -> str:
        """Return what has become of a marker: `suppressed`, `no longer suppressed`, `turret 2`."""
        word = what.replace("-", " ")
        if now is True:
            return word
        return f"{word} {now}" if now else f"no longer {word}"

    # --- campaigns --------------------------------------------------------------------------------------------------

    def aftermath(self, state: Any) -> dict[str, dict[str, Any]]:
        """Return what became of every mustered unit, by side and roster id: a `fate`, and what the title adds."""
        return {}

    def perimeter(self, state: Any) -> dict[str, list[str]]:
        """Return the places that each side holds at the end of a battle; nothing if the title does not say."""
        return {}

    def deeds(self, findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
        """Yield each unit that was destroyed, after the one that destroyed it, from findings of a match."""
        yield from ()


class Page(ABC):
    """A page of a title's own, such as a builder of lists: what it shows follows from its query alone.

    `label` is the text of links to it, and `about` says in one sentence what it is for.
    """

    label: str
    about: str = ""

    @abstractmethod
    def template(self) -> str:
        """Return the template, a data file of the title: it extends `web/base.html` and sends forms to `address`."""

    @abstractmethod
    def facts(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return what the template shows."""

    @abstractmethod
    def data(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the same as plain data, for programs."""


class Title(ABC):
    """A game system."""

    name: str
    full_name: str = ""
    """The game's own name, as players know it."""
    seat_names: Mapping[str, str] = {}
    """The names that players read for seats and sides, where the word with a capital letter is not enough."""
    first_game: str = ""
    """The scenario that a newcomer to a server is shown first, if the title has one for that."""
    pages: Mapping[str, Page] = {}
    """The title's own pages, by the last word of their address."""
    switches: tuple[str, ...] = ()
    """All known corrections of the rules, oldest first."""

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The names of the packaged scenarios."""
        return ()

    @abstractmethod
    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """Return everything a match is played with, as named blobs: scenario, map, charts, cards, options."""

    def balance(self, scenario: str) -> Balance:
        """Return what is known of a scenario's balance, and the handicaps that its sides can give."""
        return packaged_balances(type(self).__module__.rpartition(".")[0]).get(scenario, Balance())

    def primer(self) -> Primer:
        """Return what the title tells newcomers: a glossary, a page of ten minutes, and a guided first game."""
        return packaged_primer(type(self).__module__.rpartition(".")[0])

    def freeze_with(self, scenario: str, options: Mapping[str, Any], handicap: str = "") -> dict[str, bytes]:
        """Freeze a scenario with a handicap such as `german 2`, the second provision of that side."""
        blobs = self.freeze(scenario, options)
        return handicapped(blobs, provision_for(self.balance(scenario), handicap)) if handicap else blobs

    @abstractmethod
    def rules(self, blobs: Mapping[str, bytes]) -> Rules:
        """Return the rules bound to such blobs."""

    @property
    def battles(self) -> tuple[str, ...]:
        """The names of the packaged scenarios with slots for a campaign's rosters."""
        return ()

    def battle(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """Return everything that a battle of a campaign is played with; its slots are still empty."""
        raise NotImplementedError(f"{self.name} has no scenario with slots for a roster")

    def cards(self) -> Mapping[str, str]:
        """Return the names of everything that a roster can hold, by its id."""
        return {}

    def room(self, blobs: Mapping[str, bytes]) -> dict[str, int]:
        """Return how many units of each side have a place in such a battle."""
        return {}

    def on_ground(self, blobs: Mapping[str, bytes], ground: Mapping[str, Sequence[str]]) -> dict[str, bytes]:
        """Return the blobs of a battle in which each side sets up in the perimeter that an earlier one left it."""
        return dict(blobs)

    def muster(self, blobs: Mapping[str, bytes], rosters: Mapping[str, Sequence[Any]]) -> dict[str, bytes]:
        """Return the blobs with the units of the sides' rosters in the scenario's slots."""
        raise NotImplementedError(f"{self.name} has no scenario with slots for a roster")


def first_game(titles: Mapping[str, Title]) -> tuple[str, str]:
    """Return the title and the scenario that a newcomer is shown first, or nothing if there are no titles."""
    for name, title in titles.items():
        if title.first_game in title.scenarios:
            return name, title.first_game
    for name, title in sorted(titles.items()):
        return name, title.scenarios[0]
    return "", ""
