"""The title's contract: everything a game system provides to the kernel, and what it gets in return.

`Title` freezes the data of a match; `Rules` is the title bound to it. A title must define

    seats, sides, state_type, steps, data, setup      the parts of the match
    view, invariants (`flaws`)                        what a viewer may see, and what must always hold
    the decisions                                     one class for each kind of ask: see `decision`
    tell                                              one sentence for each finding

and may define more, which the kernel, the site, mail, tournaments and campaigns then use:

    modes                       which grades of ask wait for a person, by the match's `reactions`
    default                     an ask's default, computed only when it is used
    unfulfilled_orders          orders of a plan that failed, with the reason
    plan_period, merge_plan     how long a plan lasts, and what a later submission replaces in it
    compile_standing_orders     standing orders in the form that `from_standing_orders` reads, made once per exchange
    is_open, shares_orders      nothing is hidden; the seats of a side read each other's orders
    restate                     a submission as canonical lines, for receipts
    score                       points by side at any step start
    happenings                  on findings (`Table.find(shows=…)`): the replay, the summary, the fate of each order
    picture, describe           the map as a viewer sees it, drawn and in words
    stands, markers, holders    the units' positions and who holds what, for the replay, summaries and emails
    carriers, ordered_units     names in orders that stand for units; units with orders that must have a fate
    formations, verbs, propose, count_commands, preview   orders for many units, and previews
    pages, first_game           the title's own pages, and the scenario shown first to newcomers
    balance                     the share of wins by side, and handicaps that a side can give
    primer                      a glossary, a ten-minute page, and a guided first game
    battles, battle, muster     scenarios with slots, and units from a campaign's rosters in them
    aftermath, deeds            the fates and deeds of these units

`tests/support/title_contract.py` holds the properties of every title; a title's tests inherit it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import msgspec

from pbem.engine.rules.ask import MODES, Answer, Ask, Grade, Step
from pbem.engine.rules.balance import Balance, apply_handicap, packaged_balances, packaged_names, provision_for
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail, Place
from pbem.engine.rules.primer import Primer, packaged_primer
from pbem.engine.rules.recompute import net_of
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.state import State
from pbem.engine.text.forms import FormLine, form_text
from pbem.engine.text.messages import Message, Several, Translator

if TYPE_CHECKING:
    from pbem.engine.play.bots import Bot, Choice

Wording: TypeAlias = str | Message | Several
"""A text for readers: a message, or several of them as `lines` or `paragraphs`. Its `str` is English."""


class Submission(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's submission: the answer to the open ask, and a plan for later asks of the same turn."""

    answer: Answer
    plan: dict[str, Any] = {}


class Reply(msgspec.Struct, frozen=True):
    """An automatic answer and the clause of the plan or standing orders that gave it."""

    answer: Answer
    clause: str


class Plan(dict[str, Any]):
    """A plan by section. `used` counts how often each clause has answered in its period, as some answer only once.

    `standing` are the seat's compiled standing orders, for everything that a line of the plan leaves open.
    """

    def __init__(
        self,
        sections: Mapping[str, Any] | None = None,
        used: Mapping[str, int] | None = None,
        standing: Any = None,
    ) -> None:
        super().__init__(sections or {})
        self.used: Mapping[str, int] = used if used is not None else {}
        self.standing = standing


class Wish(msgspec.Struct, frozen=True, omit_defaults=True):
    """One order for many units: the action and its goal or target.

    `kept` holds the other units' lines, which remain.
    """

    units: tuple[str, ...]
    verb: str
    goal: str = ""
    target: str = ""
    shape: str = "formation"
    kept: tuple[str, ...] = ()


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whole order lines that the rules accept unchanged, the units left out, and the objections."""

    lines: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    remarks: tuple[str | Message, ...] = ()
    objections: tuple[Objection, ...] = ()


class Formation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Units that are ordered together, as the seat sees them."""

    id: str
    name: str
    units: tuple[str, ...]
    limit: int | None = None
    """The maximum number of commands for the formation this turn, where the rules limit them."""


class Stand(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit on the map as a viewer sees it: its position, facing and markers."""

    id: str
    name: str
    side: str
    at: Place | None = None
    facing: int | None = None
    marks: tuple[str | Message, ...] = ()
    formation: str = ""


class Rules(ABC):
    """A title bound to the frozen data of one match.

    Options, checks, readings and replies are computed from a seat's view, never from the state: an order forbidden
    only by hidden state is accepted here and fails in execution, with a finding.
    """

    modes: Mapping[str, frozenset[Grade]] = MODES
    """Which grades of ask wait for a person, by the match's `reactions`."""

    is_open: ClassVar[bool] = False
    """Whether nothing is hidden, so that automatic answers may be computed from the state itself."""

    keeps_order: ClassVar[bool] = False
    """Whether steps may rely on the insertion order of the state's dicts; then no object may be in it twice."""

    shares_orders: ClassVar[bool] = False
    """Whether a side is one team, whose seats may read each other's sealed orders."""

    tells_before_orders: ClassVar[bool] = False
    """Whether every change has been shown before orders are asked for.

    If so, the findings of an exchange need not be made again to make those of the next.
    """

    comment_width: ClassVar[int] = 46
    """The width of comments in a form, which a phone shows in one line."""

    tells_happenings: ClassVar[bool] = False
    """Whether findings have a happening for every change on the map, and a reason for every order that fails."""

    evidence: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Orders that the map does not show, by verb: the rules whose findings name an order that was carried out."""

    foresees: ClassVar[bool] = False
    """Whether a `preview` has messages under `said` that tell where an order leads in the present situation."""

    kinds: tuple[str, ...] = ()
    """The kinds of ask."""

    tiers: tuple[str, ...] = ("basic",)
    """The tiers of the ledger whose rules can occur in a match."""

    bots: Mapping[str, Callable[[object], Bot]] = {}
    """The title's own bots by kind, each made from a seed."""

    # --- parts of the match -----------------------------------------------------------------------------------

    seats: tuple[str, ...]
    sides: Mapping[str, str]
    """The side of each seat."""
    optional: tuple[str, ...] = ()
    """Seats that may stay empty: the match starts without them and does not wait for them."""
    battle_hours: int = 0
    """Hours after which an exchange that awaits only battles closes without the late ones; 0 for never."""
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
        """Return everything a viewer (a seat, `public` or `master`) may see, as plain data."""

    def example(self, view: Any) -> Any:
        """Return a possible view after the set-up, for pictures of scenarios, never of a match."""
        return view

    def flaws(self, state: Any) -> Iterator[str]:
        """Yield the invariants that this state violates; none in a sound engine."""
        yield from ()

    def invariants(self) -> Sequence[str]:
        """Describe the invariants that `flaws` checks."""
        return ()

    def find_unexplained(self, findings: Iterable[Finding]) -> Iterator[str]:
        """Yield findings with a result that does not follow from their numbers (see `recompute`)."""
        yield from ()

    def recompute_values(self, finding: Finding) -> Mapping[str, Any] | None:
        """Return the values recomputed from a finding's numbers, `result` or inputs; None if not possible."""
        return {"result": net_of(finding)} if finding.modifiers and not finding.dice else None

    def explain_sight(self, view: Any, seeing: str, seen: str) -> tuple[Finding, ...]:
        """Explain, from a view only, why a unit sees or does not see another or a place; empty if not possible."""
        return ()

    def score(self, state: Any) -> dict[str, int]:
        """Return each side's points, at any step start."""
        return {}

    def turns(self, state: Any) -> int | None:
        """Return the number of turns, or None if the rules do not limit them."""
        return None

    def in_preparation(self, state: Any) -> bool:
        """Return whether the match is still being set up."""
        return False

    # --- decisions (`DecisionRules` gives all of these for titles with a class for each kind of ask) ----------

    @abstractmethod
    def options(self, view: Any, ask: Ask) -> Iterator[Answer]:
        """Yield legal answers, lazily; all of them where they can be listed, otherwise a fair selection."""

    @abstractmethod
    def check(self, view: Any, ask: Ask, answer: Answer) -> Answer:
        """Return the canonical answer, or raise a refusal with every objection."""

    @abstractmethod
    def read(self, view: Any, ask: Ask, text: str) -> Submission:
        """Read a player's lines; a refusal names every line that cannot be carried out."""

    @abstractmethod
    def form(self, view: Any, ask: Ask) -> str:
        """Return lines ready to edit and send back, with comments in English."""

    def form_lines(self, view: Any, ask: Ask) -> Sequence[FormLine]:
        """Return the form as data: order lines as text, and comments as messages (see `text.forms`)."""
        return self.form(view, ask).splitlines()

    def form_for(self, view: Any, ask: Ask, translator: Translator) -> str:
        """Return the form with its comments in a reader's language."""
        return form_text(self.form_lines(view, ask), self.comment_width, translator)

    @abstractmethod
    def tell(self, finding: Finding) -> str | Message:
        """Return a finding as one sentence for a reader."""

    def default(self, view: Callable[[], Any], ask: Ask) -> Answer:
        """Return the default answer. `view` is a function that builds the view if it is needed."""
        return ask.silence

    def decode_answer(self, ask: Ask, answer: Answer) -> Any:
        """Return a canonical answer as its step receives it."""
        return answer

    def restate(self, ask: Ask, submission: Submission) -> str:
        """Return a submission as canonical lines, or an empty string if the title has none."""
        return ""

    def help(self) -> Wording:
        """Explain how orders are written, in the manual's markup."""
        return ""

    def standing_orders(self) -> Wording:
        """Explain how standing orders are written."""
        return ""

    def briefing(self, seat: str) -> Wording:
        """Return a briefing on the scenario for a new player of this seat."""
        return ""

    def rules_in_use(self) -> Sequence[str | Message]:
        """Name the optional rules that this match plays by."""
        return []

    # --- plans and standing orders ------------------------------------------------------------------------------

    def plan_period(self, state: Any) -> str:
        """Name the period that a plan belongs to, from public information; by default, it is the turn."""
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
        """Return standing orders in the form that `from_standing_orders` reads; called once per exchange."""
        return clauses

    @abstractmethod
    def from_plan(self, view: Any, ask: Ask, plan: Plan) -> Iterator[Reply]:
        """Yield the plan's answers to this ask, best first."""

    @abstractmethod
    def from_standing_orders(self, view: Any, ask: Ask, orders: Any) -> Iterator[Reply]:
        """Yield the compiled standing orders' answers to this ask, clause by clause."""

    def unfulfilled_orders(self, view: Any, ask: Ask, answer: Answer, plan: Plan) -> Iterator[Fail]:
        """Yield the orders of the plan that this automatic answer does not fulfil, each with the reason."""
        yield from ()

    # --- orders for many units ------------------------------------------------------------------------------------

    def formations(self, view: Any, seat: str) -> tuple[Formation, ...]:
        """Return the seat's units by formation. Which units a seat commands is data of the state."""
        return ()

    def verbs(self, ask: Ask) -> tuple[str, ...]:
        """Return the verbs of a `Wish` that `propose` understands in answer to an ask."""
        return ("move", "fire", "overwatch", "hold")

    def count_commands(self, view: Any, ask: Ask, submission: Submission) -> dict[str, int]:
        """Return how many commands a submission uses, by the ids of formations that have a limit."""
        return {}

    def propose(self, view: Any, ask: Ask, wish: Wish) -> Proposal:
        """Return order lines for many units at once, each accepted unchanged by `read`."""
        return Proposal(left_out=wish.units)

    def preview(self, view: Any, ask: Ask, line: str) -> dict[str, Any]:
        """Return the effects of one order line, as far as the seat can know."""
        return {}

    def page_query(self, page: str, seat: str) -> Mapping[str, str]:
        """Return the query with which this match opens one of the title's own pages for a seat or a visitor."""
        return {}

    # --- positions of units: the replay, summaries and emails -------------------------------------------------------

    def stands(self, view: Any) -> tuple[Stand, ...]:
        """Return the units that a view shows on the map, with their places as named in happenings."""
        return ()

    def picture(self, view: Any, viewer: str = "public") -> str | None:
        """Return the map as a viewer sees it, as SVG; None if the title draws none."""
        return None

    def describe(self, view: Any, viewer: str = "public") -> Sequence[Wording]:
        """Return the map in words, line by line, for readers who do not see the picture; empty if there is none."""
        return []

    def story(self, before: Any, after: Any) -> Sequence[str | Message]:
        """Describe in sentences what happened between two views, most important first; may be empty."""
        return []

    def markers(self, view: Any) -> dict[tuple[str, str], Any]:
        """Return the value of each marker that `Change` reports, by unit and marker.

        Markers that are off are left out.
        """
        return {}

    def objectives(self, view: Any) -> dict[str, str]:
        """Return the few places that decide the match, each with the side that holds it, or empty if nobody does."""
        return {}

    def holders(self, view: Any) -> dict[str, str]:
        """Return the side that holds each place reported by `Control`; places held by nobody are left out."""
        return {place: side for place, side in self.objectives(view).items() if side}

    def carriers(self, view: Any) -> dict[str, str]:
        """Return the names in orders that stand for a unit, such as a weapon for the unit that has it."""
        return {}

    def shows_sights(self) -> bool:
        """Return whether players may look at lines of sight before they decide."""
        return True

    def ordered_units(self, ask: Ask, answer: Answer) -> frozenset[str]:
        """Return the units that an answer orders to do something visible on the map."""
        return frozenset()

    def place_in_words(self, at: Place) -> str | Message:
        """Return the name that players use for a place."""
        return at if isinstance(at, str) else "/".join(map(str, at))

    def facing_in_words(self, facing: int) -> str | Message:
        """Return a facing as a compass point."""
        return str(facing)

    def change_in_words(self, what: str, now: Any) -> str | Message:
        """Return a change of a marker in words, such as `suppressed`, `no longer suppressed`, `turret 2`."""
        word = what.replace("-", " ")
        if now is True:
            return word
        return f"{word} {now}" if now else f"no longer {word}"

    # --- campaigns --------------------------------------------------------------------------------------------------

    def aftermath(self, state: Any) -> dict[str, dict[str, Any]]:
        """Return the fate of every mustered unit, by side and roster id: a `fate`, and the title's own data."""
        return {}

    def perimeter(self, state: Any) -> dict[str, list[str]]:
        """Return the places each side holds at the end of a battle; empty if the title does not define them."""
        return {}

    def deeds(self, findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
        """Yield pairs of units, the destroyer and the destroyed, from a match's findings."""
        yield from ()

    # --- bots and measurements --------------------------------------------------------------------------------------

    def bot(self, seed: object) -> Bot | None:
        """Return the bot that stands in for a player; None if the title has none of its own."""
        return None

    def questions(self, view: Any, seat: str, choice: Choice) -> Iterator[Finding]:
        """Yield the answers to questions that the seat's player could ask now."""
        yield from ()

    def probes(self) -> Mapping[str, Callable[[], object]]:
        """Return the title's heavy queries, to be measured."""
        return {}

    def contests(self) -> Mapping[str, tuple[Callable[[], object], Callable[[], object]]]:
        """Return pairs of functions with the same result, a plain and a fast one, to compare their times."""
        return {}


class Page(ABC):
    """A title's own page, such as a list builder: its contents depend only on its query.

    `label` is the text of links to it, and `about` says in one sentence what it is for. `answers` are the kinds of
    asks that a list made on the page can answer. For such an ask the context has `asking`, the match that asks, and
    the match decides the parts of the query in `settled`.
    """

    label: str
    about: str = ""
    answers: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()

    @abstractmethod
    def template(self) -> str:
        """Return the template, a data file of the title: it extends `web/base.html` and sends forms to `address`."""

    @abstractmethod
    def facts(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the data for the template."""

    @abstractmethod
    def data(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the contents of the page as plain data, for programs."""


class Title(ABC):
    """A game system."""

    name: str
    full_name: str = ""
    """The game's own name, as players know it."""
    turn_word: str = "turn"
    """What players call a turn."""
    first_game: str = ""
    """The scenario shown first to newcomers on a server, if the title has one."""
    measured: str = ""
    """The scenario that `pbem bench` measures by default, if it is not the last one."""
    pages: Mapping[str, Page] = {}
    """The title's own pages, by the last word of their address."""
    switches: tuple[str, ...] = ()
    """All known corrections of the rules, oldest first."""
    several: tuple[str, ...] = ()
    """The options that can take many values."""
    option_names: Mapping[str, Message] = {}
    """The options of a match as players read them; one that is missing here is shown by its own name."""

    @property
    def seat_names(self) -> Mapping[str, str]:
        """The names that players read for seats and sides, where a capitalised id is not enough."""
        return {}

    @property
    def choices(self) -> Mapping[str, Mapping[Any, str]]:
        """The options of a match by name, with their values, each explained."""
        return {}

    def choices_for(self, scenario: str) -> Mapping[str, Mapping[Any, str]]:
        """Return the options of a match of this scenario."""
        return self.choices

    def any_choice(self, scenario: str, options: Mapping[str, Any], choice: Choice) -> Mapping[str, Any]:
        """Draw random values for the options that can take many values; they must suit the other options."""
        return {}

    def vary(self, blobs: Mapping[str, bytes], choice: Choice) -> Mapping[str, bytes]:
        """Return a scenario with its set-up changed at random, if the title can do that."""
        return blobs

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The names of the packaged scenarios."""
        return ()

    @abstractmethod
    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """Return all data for a match, as named blobs: scenario, map, charts, cards, options."""

    def scenario_name(self, scenario: str) -> str:
        """Return the printed name of a scenario, or nothing if it has none."""
        return packaged_names(type(self).__module__.rpartition(".")[0]).get(scenario, "")

    def balance(self, scenario: str) -> Balance:
        """Return a scenario's known balance, and the handicaps that its sides can give."""
        return packaged_balances(type(self).__module__.rpartition(".")[0]).get(scenario, Balance())

    def primer(self) -> Primer:
        """Return the title's introduction: a glossary, a ten-minute page, and a guided first game."""
        return packaged_primer(type(self).__module__.rpartition(".")[0])

    def freeze_with(self, scenario: str, options: Mapping[str, Any], handicap: str = "") -> dict[str, bytes]:
        """Freeze a scenario with a handicap such as `german 2`, the second provision of that side."""
        blobs = self.freeze(scenario, options)
        return apply_handicap(blobs, provision_for(self.balance(scenario), handicap)) if handicap else blobs

    @abstractmethod
    def rules(self, blobs: Mapping[str, bytes]) -> Rules:
        """Return the rules bound to these blobs."""

    @property
    def battles(self) -> tuple[str, ...]:
        """The names of the packaged scenarios with slots for a campaign's rosters."""
        return ()

    def battle(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """Return all data for a battle of a campaign, in which the slots are still empty."""
        raise NotImplementedError(f"{self.name} has no scenario with slots for a roster")

    def cards(self) -> Mapping[str, str]:
        """Return the names of everything a roster can hold, by id."""
        return {}

    def room(self, blobs: Mapping[str, bytes]) -> dict[str, int]:
        """Return how many units of each side fit into the slots of a battle."""
        return {}

    def on_ground(self, blobs: Mapping[str, bytes], ground: Mapping[str, Sequence[str]]) -> dict[str, bytes]:
        """Return the blobs of a battle in which each side sets up in its perimeter from an earlier one."""
        return dict(blobs)

    def muster(self, blobs: Mapping[str, bytes], rosters: Mapping[str, Sequence[Any]]) -> dict[str, bytes]:
        """Return the blobs with the units of the sides' rosters in the scenario's slots."""
        raise NotImplementedError(f"{self.name} has no scenario with slots for a roster")


def first_game(titles: Mapping[str, Title]) -> tuple[str, str]:
    """Return the title and scenario shown first to newcomers, or empty strings if there are no titles."""
    for name, title in titles.items():
        if title.first_game in title.scenarios:
            return name, title.first_game
    for name, title in sorted(titles.items()):
        return name, title.scenarios[0]
    return "", ""
