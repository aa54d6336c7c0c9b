"""C1 The frozen data of a campaign, in the form in which the steps of its script use it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pbem.campaigns.rules.file import Battle, Campaign, Province, Side
from pbem.campaigns.rules.state import CampaignState, Unit


class Book:
    """A campaign file with methods for the questions that steps and pages often ask."""

    def __init__(self, campaign: Campaign, cards: Mapping[str, str]) -> None:
        self.campaign, self.cards = campaign, dict(cards)

    @property
    def scenario(self) -> Campaign:
        """The campaign file, so that pages can show its name, text and stages before a campaign begins."""
        return self.campaign

    @cached_property
    def sides(self) -> dict[str, Side]:
        return {side.id: side for side in self.campaign.side}

    @cached_property
    def seats(self) -> dict[str, str]:
        """The side of each seat; the chief's seat has the name of its side."""
        return {seat: side.id for side in self.campaign.side for seat in self.seats_of(side.id)}

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of battlegroups, provinces and commanders by id, for use in sentences."""
        found = {side.id: side.chief for side in self.campaign.side}
        found |= {seat.id: seat.name for side in self.campaign.side for seat in side.seats}
        found |= {group.id: group.name for group in self.campaign.group}
        return found | {province.id: province.name for province in self.campaign.province}

    def seats_of(self, side: str) -> tuple[str, ...]:
        """C1.2 The seats of a side: the chief first, then the commanders."""
        return (side, *(seat.id for seat in self.sides[side].seats))

    def other(self, side: str) -> str:
        return next(id for id in self.sides if id != side)

    def is_chief(self, seat: str) -> bool:
        return seat in self.sides

    def card_name(self, card: str) -> str:
        return self.cards.get(card, card)

    def cost(self, side: str, unit: Unit) -> int:
        return self.campaign.cost_of(side, unit.card)

    def army(self, state: CampaignState, side: str) -> int:
        """C5.4 The cost of a side's army, including units that are on their way."""
        has = state.sides[side]
        own = sum(self.campaign.cost_of(side, unit.card) for unit in has.units.values())
        return own + sum(self.campaign.cost_of(side, row.card) for row in has.coming)

    def commanders(self, state: CampaignState) -> list[str]:
        """C1.2 The seats asked in addition to the chiefs: on a map all commanders, in a tree the battle leaders."""
        if self.campaign.shape == "map":
            return [seat for seat in self.seats if not self.is_chief(seat)]
        return [leader for side in self.sides if (leader := self.leader(state, side)) != side]

    def leader(self, state: CampaignState, side: str) -> str:
        """C1.3 The seat that leads a side's battles in a tree: the appointed one, or otherwise the chief."""
        return state.sides[side].leader or self.sides[side].leads or side

    def perimeters(self, state: CampaignState, place: str) -> dict[str, list[str]]:
        """C3.7 The perimeters of both sides at a place; empty unless both have one from an earlier battle."""
        found = {side: has.ground[place] for side, has in state.sides.items() if place in has.ground}
        return found if len(found) == len(self.sides) else {}

    def ground(self, place: str) -> Battle | Province:
        """C3.1 Where a battle is fought: a battle of the tree, or a province."""
        return self.campaign.place(place) if self.campaign.shape == "map" else self.campaign.node(place)

    @property
    def may_rest(self) -> bool:
        """C3.6 Whether the campaign is a tree whose file gives points to a side that stays idle."""
        return self.campaign.shape == "tree" and self.campaign.income.rest is not None

    def repair_cost(self, side: str, unit: Unit) -> int:
        """C5.2 The cost of a repair: a share of the unit's cost for each step of damage, rounded up."""
        return -(-self.cost(side, unit) * self.campaign.repair.percent * unit.damage // 100)

    def able(self, state: CampaignState, side: str) -> list[Unit]:
        """C2.1 The units that can be sent: least damaged first, then most expensive first."""
        ready = [unit for unit in state.sides[side].units.values() if unit.status == "ready"]
        return sorted(ready, key=lambda unit: (unit.damage, -self.cost(side, unit), -unit.experience, unit.id))

    def in_group(self, state: CampaignState, group: str) -> list[Unit]:
        """C7.1 The ready units of a battlegroup."""
        return [unit for unit in self.able(state, state.groups[group].side) if unit.group == group]
