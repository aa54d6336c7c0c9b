"""C0 Campaigns as a title: a script for the kernel, whose scenarios are campaign files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final

import msgspec

from pbem.campaigns.rules import script
from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.bot import campaign_bot
from pbem.campaigns.rules.decisions import BattleReport, MoveOrders, StageOrders
from pbem.campaigns.rules.file import (
    Campaign,
    CampaignError,
    Mistake,
    Side,
    against_title,
    begun_campaign,
    packaged,
    packaged_names,
    read_campaign,
)
from pbem.campaigns.rules.picture import in_words, picture
from pbem.campaigns.rules.roster import FIRST
from pbem.campaigns.rules.state import CampaignState, GroupState, SideState, Unit
from pbem.campaigns.rules.telling import tell, tell_tree
from pbem.campaigns.rules.view import view_of
from pbem.campaigns.rules.words import HELP
from pbem.engine.play.bots import Bot
from pbem.engine.rules.ask import Ask, Step
from pbem.engine.rules.balance import provision_for
from pbem.engine.rules.decision import DecisionRules, by_kind
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.rules.state import NextStep
from pbem.engine.rules.title import Rules, Title, Wording
from pbem.engine.text.messages import Message, say, several

NAME: Final = "campaign"
STEPS: Final[Mapping[str, Callable[..., Step]]] = {
    step.__name__: step for step in (script.stage, script.fight, script.refit)
}


class CampaignRules(DecisionRules):
    """A campaign bound to its file."""

    keeps_order: ClassVar[bool] = True
    shares_orders: ClassVar[bool] = True
    state_type = CampaignState
    steps = STEPS
    decisions = by_kind(StageOrders, MoveOrders, BattleReport)
    data: Book

    def __init__(self, book: Book) -> None:
        self.data = book
        self.seats = tuple(book.seats)
        self.sides: Mapping[str, str] = book.seats
        self.battle_hours = book.campaign.limits.battle_hours if book.campaign.shape == "map" else 0
        self.letter_turns = book.campaign.limits.letters
        self.optional = tuple(seat for seat in book.seats if not book.is_chief(seat))

    def setup(self, switches: tuple[str, ...]) -> CampaignState:
        """C1.1 The rosters, the map and the first stage."""
        campaign = self.data.campaign
        sides = {side.id: SideState(side.points, self._roster(side.id)) for side in campaign.side}
        control = {row.id: row.side for row in campaign.province}
        groups = {row.id: GroupState(row.side, row.province, row.seat or row.side) for row in campaign.group}
        first = NextStep("stage")
        return CampaignState(
            next=first, switches=switches, sides=sides, node=campaign.first, control=control, groups=groups
        )

    def _roster(self, side: str) -> dict[str, Unit]:
        found: dict[str, Unit] = {}
        own = self.data.sides[side]
        for row in own.units:
            for _ in range(row.count):
                number = FIRST + len(found)
                id = f"{own.letter}{number}"
                name = f"{row.name or self.data.card_name(row.card)} {number}"
                found[id] = Unit(id, row.card, name, row.experience, group=row.group)
        return found

    def view(self, state: CampaignState, viewer: str) -> CampaignState:
        """C8.1 Everything the viewer may see."""
        return view_of(self.data, state, viewer)

    def check_plan(self, view: Any, ask: Ask, plan: Any) -> dict[str, Any]:
        """Refuse any plan, because a stage asks no later questions that could be planned for."""
        if plan:
            raise Unreadable("plan", [Objection("C2", say("campaign orders do not take a plan"))])
        return {}

    def check_doctrine(self, doctrine: Any) -> list[Any]:
        """C2 Refuse standing orders, because campaigns have none; a seat without orders uses the defaults."""
        if doctrine:
            why = say("campaigns have no standing orders; without orders, all units that can fight are sent")
            raise Unreadable("standing orders", [Objection("C2", why)])
        return []

    def help(self) -> Wording:
        """The order language on one screen."""
        return HELP

    def briefing(self, seat: str) -> Wording:
        """C1.2 The situation and the seat's task."""
        campaign, side = self.data.campaign, self.data.sides[self.data.seats[seat]]
        name = side.chief if seat == side.id else next(row.name for row in side.seats if row.id == seat)
        if seat == side.id:
            task = say("You are {name} of {side} and command the whole side.", name=name, side=side.name)
        else:
            task = say(
                "You are {name} of {side} and command the battlegroups you are given.", name=name, side=side.name
            )
        length = say("The campaign lasts at most {stages} stages.", stages=campaign.stages)
        role = several([task, length], "sentences")
        return several([campaign.name, campaign.text.strip(), several([role, ""], "lines")], "paragraphs")

    def tell(self, finding: Finding) -> Message:
        return tell(finding, self.data.names)

    def tell_tree(self, finding: Finding) -> list[str]:
        return tell_tree(finding, self.data.names)

    def score(self, state: CampaignState) -> dict[str, int]:
        """C6.1 Campaign points, and the value of provinces."""
        return script.scores(self.data, state)

    def turns(self, state: CampaignState) -> int:
        """C6.2 The number of the last stage."""
        return self.data.campaign.stages

    def flaws(self, state: CampaignState) -> Iterator[str]:
        """C2.1 Units that are in more than one place, or fighting without being in an open battle."""
        for side, has in state.sides.items():
            if has.points < 0:
                yield f"{side} has spent more points than it has"
            for unit in has.units.values():
                if (unit.status == "battle") != bool(unit.battle):
                    yield f"{unit.id} is {unit.status}, and in battle '{unit.battle}'"
                if unit.battle and unit.id not in state.battles[unit.battle].units[side]:
                    yield f"{unit.id} is not among those sent into battle {unit.battle}"
        for number, call in state.battles.items():
            sent = [(side, id) for side, ids in call.units.items() for id in ids]
            if missing := [id for side, id in sent if id not in state.sides[side].units]:
                yield f"battle {number} has units that no roster has: {missing}"

    def bot(self, seed: object) -> Bot:
        """A bot that plays a campaign sensibly."""
        return campaign_bot(seed)

    def picture(self, view: CampaignState, viewer: str = "public") -> str | None:
        """C8.1 The map of the campaign."""
        return picture(self.data, view)

    def describe(self, view: CampaignState, viewer: str = "public") -> Sequence[Wording]:
        """C8.1 The map of the campaign in words."""
        return list(in_words(self.data, view))


def against_battles(campaign: Campaign, title: Title) -> Iterator[Mistake]:
    """C3.1 Check that the title has every battle with its sides, room for its units, its handicap and options."""
    for row in campaign.places:
        where = f"{type(row).__name__.lower()} {row.id}"
        try:
            places = title.room(title.battle(row.scenario, campaign.options))
        except Refusal as refusal:
            yield Mistake("options", f"{campaign.title} cannot play {row.scenario} with these options: {refusal}")
            return
        for side in campaign.side:
            if side.id not in places:
                what = f"scenario {row.scenario} has no side '{side.id}'; its sides are {', '.join(places)}."
                yield Mistake(where, what)
            elif campaign.room > places[side.id]:
                what = f"{where} has places for {places[side.id]} units of the side {side.id}, not {campaign.room}."
                yield Mistake("room", what)
        try:
            if row.handicap:
                provision_for(title.balance(row.scenario), row.handicap)
        except Unreadable as refusal:
            yield Mistake(f"{where}, handicap", f"{refusal}")


def against_cards(campaign: Campaign, title: Title) -> Iterator[Mistake]:
    """C3.1 Check that the title can play a battle with every grade, and every unit that a side has or can buy."""
    blobs = title.battle(campaign.places[0].scenario, campaign.options)
    for rosters in sample_rosters(campaign):
        try:
            title.muster(blobs, rosters)
        except Refusal as refusal:
            cards = sorted({row["card"] for rows in rosters.values() for row in rows})
            what = (
                f"{campaign.title} cannot play a battle with these units and grades ({', '.join(cards)}): {refusal}"
            )
            yield Mistake("units, purchase or grade", what)
            return


def sample_rosters(campaign: Campaign) -> Iterator[dict[str, list[dict[str, Any]]]]:
    """Rosters that together include every card of each side and every grade in the file."""
    grades = [grade.name for grade in campaign.grade]
    cards = {side.id: cards_of(campaign, side) for side in campaign.side}
    needed = max(len(grades), *map(len, cards.values()))
    for start in range(0, needed, campaign.room):
        yield {
            side.id: [
                {
                    "id": f"{side.letter}{101 + number}",
                    "card": cards[side.id][number % len(cards[side.id])],
                    "name": f"Unit {side.letter}{101 + number}",
                    "grade": grades[number % len(grades)],
                    "damaged": number % 2 == 1,
                }
                for number in range(start, min(start + campaign.room, needed))
            ]
            for side in campaign.side
        }


def cards_of(campaign: Campaign, side: Side) -> list[str]:
    """The cards that a side starts with or can buy, each once."""
    return list(
        dict.fromkeys(
            [row.card for row in side.units] + [row.card for row in campaign.purchase if row.side == side.id]
        )
    )


class CampaignTitle(Title):
    """The campaigns that can be played with a server's titles: packaged ones, and the server's `own`.

    A campaign file given as the option `file` is played in place of a named one.
    """

    name = NAME
    full_name = "Campaign"
    turn_word = "stage"
    switches: tuple[str, ...] = ()

    def __init__(self, titles: Mapping[str, Title], own: Mapping[str, bytes] | None = None) -> None:
        self.titles, self.own = titles, dict(own or {})

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The campaigns that can be started on this server, by name."""
        known = {name: packaged(name) for name in packaged_names()}
        return {name: file for name, file in known.items() if read_campaign(file).title in self.titles} | self.own

    @property
    def scenarios(self) -> tuple[str, ...]:
        return tuple(self.files)

    def freeze(self, scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        """C0 The campaign file and the names of the cards in it."""
        if unknown := sorted(set(options) - {"file"}):
            raise Unreadable(unknown[0], [Objection("C0", say("a campaign has no such option"))], ["file"])
        content = str(options["file"]).encode() if "file" in options else self.files[scenario]
        campaign = self.check(content, f"{scenario}.toml")
        cards = self.cards_of(campaign)
        return {"campaign": content, "cards": msgspec.json.encode(cards, order="deterministic")}

    def check(self, content: bytes, file: str = "campaign.toml") -> Campaign:
        """C0 Check a campaign file against the title that it is played with; a refusal lists every mistake."""
        campaign = read_campaign(content, file)
        title = self.titles.get(campaign.title)
        if title is None:
            why = say("no title is called '{title}'", title=campaign.title)
            raise Unreadable(campaign.title, [Objection("C0", why)], sorted(self.titles))
        if mistakes := list(against_title(campaign, title.battles, self._all_cards(title))):
            raise CampaignError(file, mistakes)
        if mistakes := list(against_battles(campaign, title)) or list(against_cards(campaign, title)):
            raise CampaignError(file, mistakes)
        return campaign

    def cards_of(self, campaign: Campaign) -> dict[str, str]:
        """The names of all cards that can appear in a campaign."""
        known = self._all_cards(self.titles[campaign.title])
        named = {row.card for side in campaign.side for row in side.units} | {row.card for row in campaign.purchase}
        return {card: known[card] for card in sorted(named)}

    @staticmethod
    def _all_cards(title: Title) -> Mapping[str, str]:
        return title.cards()

    def rules(self, blobs: Mapping[str, bytes]) -> Rules:
        cards = msgspec.json.decode(blobs["cards"], type=dict[str, str])
        return CampaignRules(Book(begun_campaign(blobs["campaign"]), cards))
