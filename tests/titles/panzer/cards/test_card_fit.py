"""The cards of the advanced game: values that no book prints follow from a fit, and all values agree."""

import tomllib
from itertools import pairwise
from math import cos, radians

import pytest
from titles.panzer.cards.card_files import MILLIMETRES, NA, OLD, armour, half_up, level, vehicle

from pbem.titles.data_files import DataError
from pbem.titles.panzer.cards.advanced_cards import CARD_FILES, read_advanced_cards
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.card_rows import ENDS, FORCES, LEVELS, SIDES
from pbem.titles.panzer.cards.cards import cards
from pbem.titles.panzer.cards.chart_rows import Angle, Location, Shot
from pbem.titles.panzer.cards.files import packaged

FACTS = tomllib.loads(packaged("facts.toml").decode())
PLATES = {row["vehicle"]: row for row in FACTS["plates"]}
DECK = 78


@pytest.mark.parametrize("name", sorted(PLATES))
def test_every_armour_value_is_the_fit_of_its_plates(name):
    """Armour values follow the fit explained in NOTES-DATA.md, including the published ones."""
    card, plates = vehicle(name), PLATES[name]
    for shot in Shot:
        for location in SIDES:
            plate = plates[location.value]
            if location in ENDS:
                assert card.armour_at(Angle.FRONT, shot, location) == armour(plate, shot, False)
            assert card.armour_at(Angle.FRONT_SIDE, shot, location) == armour(plate, shot, True)
    assert card.armour.deck == half_up(plates["roof"] / cos(radians(DECK)) / MILLIMETRES)


def test_every_armoured_vehicle_has_plates_and_soft_ones_none():
    assert {name for name, card in NA.vehicles.items() if card.armour} == PLATES.keys()
    for card in NA.vehicles.values():
        assert (card.type == "S") == (card.armour is None) == (card.card.front == 0)
        assert card.card.open_topped or card.type == "A"
        assert card.armour_at(Angle.FRONT, Shot.LEVEL, Location.HF) >= 0


def averages(name):
    """Return the mean strengths of the front (turret and hull) and of the sides and rear, for level shots."""
    plate = {location: level(PLATES[name][location]) for location in ("TF", "HF", "TS", "TR", "HS", "HR")}
    front, rear = (plate["TF"] + plate["HF"]) / 2, sum(plate[place] for place in ("TS", "TR", "HS", "HR")) / 4
    return front, rear


DISTANT = {"panther_d": 3, "tiger1": 4}
"""Basic cards with a house front value from the hull only, not the mean of hull and turret."""


@pytest.mark.parametrize("name", sorted(PLATES))
def test_basic_armour_is_the_mean_of_the_advanced(name):
    """Basic armour is the mean in every published card; the values on other cards are within one point,
    with two exceptions."""
    card = vehicle(name).card
    front, rear = averages(name)
    assert abs(half_up(front) - card.front) == DISTANT[name] if name in DISTANT else abs(front - card.front) <= 1
    assert abs(rear - card.rear) <= 1


PUBLISHED = ("su76m", "t70", "t34_76", "t34_85", "kv1s", "is2m", "su85", "su100", "su152", "pzjgr1")


@pytest.mark.parametrize("name", PUBLISHED)
def test_basic_armour_of_the_published_cards_follows_exactly(name):
    front, rear = averages(name)
    assert (half_up(front), half_up(rear)) == (vehicle(name).card.front, vehicle(name).card.rear)


SHERMANS = ("sherman2", "sherman3", "firefly", "m4a1")


@pytest.mark.parametrize("name", sorted(NA.vehicles))
def test_gp_defence_is_basic_armour_over_seven_and_a_half(name):
    """GP defence is basic armour over 7.5 on nine of ten published cards; all Shermans have one less."""
    card = vehicle(name)
    fitted = max(1, half_up((card.card.front + card.card.rear) / 7.5))
    assert card.defence == fitted - (name in SHERMANS)


COLUMNS = (0.185, 1 / 3, 0.6, 0.85, 1)
FADING = (1, 0.8, 0.65, 0.5, 0.4)


def fading(point):
    return tuple(max(1, half_up(point * part)) for part in FADING)


def ap_row(name):
    gun = NA.guns[name]
    if gun.ranges:
        return gun.ranges.value, gun.penetration.value
    weapons = [weapon for card in cards().values() for weapon in card.weapons if weapon.name == name]
    return (weapons[0].ranges, weapons[0].penetration) if weapons else ((), ())


@pytest.mark.parametrize("name", sorted(FACTS["calibre"]))
def test_gp_rows_follow_the_calibre(name):
    """The factor is 0.0656 per mm at P, the effectiveness one per 25 mm, and the range 1.6 times
    that of the AP row.
    """
    gun, calibre = NA.guns[name], FACTS["calibre"][name] / 10
    point = max(1, half_up(calibre * 0.0656))
    for row in (gun.gp, gun.indirect):
        if row:
            assert row.factors.value == fading(point)
            assert row.effectiveness.value == max(1, half_up(calibre / 25))
    ranges, _ = ap_row(name)
    if gun.gp and ranges:
        longest = half_up(1.6 * ranges[-1])
        assert gun.gp.ranges.value == tuple(half_up(part * longest) for part in COLUMNS)


METRES = (100, 250, 500, 750, 1000, 1250, 1500, 1750, 2000, 2500, 3000)


def pierced(figures, metres):
    """Interpolate linearly between the listed distances, and extrapolate beyond the last one."""
    known = list(zip(METRES, figures, strict=False))
    below = max((point for point in known[:-1] if point[0] <= metres), default=known[0])
    above = known[known.index(below) + 1]
    return below[1] + (above[1] - below[1]) * (max(metres, 100) - below[0]) / (above[0] - below[0])


def fitted_penetration(figures, ranges, name):
    per_point = 5.65 if FACTS["calibre"].get(name, 570 if name == "6-pdr" else 0) <= 570 else 5.03
    values = [half_up(pierced(figures, 100 * hexes) / per_point) for hexes in ranges]
    return [min(values[: column + 1]) for column in range(5)]


NOT_FITTED = {"45mm L46": 2, "76.2mm L43": 3, "85mm L55": 2, "122mm L46": 8, "152mm L29": 6}
"""Published rows, and how far the fit is from them."""


@pytest.mark.parametrize("name", sorted(name for name in FACTS["penetration"] if name in NA.guns))
def test_penetration_is_plate_over_points(name):
    """At each column's range limit, one point is 5.65 mm of armour for guns up to 57 mm, and 5.03
    mm for larger ones.
    """
    ranges, penetration = ap_row(name)
    fitted = fitted_penetration(FACTS["penetration"][name][0], ranges, name)
    error = max(abs(one - other) for one, other in zip(fitted, penetration, strict=True))
    if name in NOT_FITTED:
        assert error == NOT_FITTED[name]
    else:
        assert error <= (1 if name == "6-pdr" else 0)


def test_special_ammunition_reaches_nine_tenths_and_follows_its_figures():
    """Special ammunition reaches nine tenths, like the one published row (76.2mm HVAP); without
    figures, AP's gain counts.
    """
    gain = (23 / 19, 21 / 17, 19 / 15, 15 / 13, 13 / 12)
    for gun in NA.guns.values():
        ranges, penetration = ap_row(gun.id)
        for ammo in gun.ammo:
            if ammo.type == "HEAT":
                assert len(set(ammo.penetration.value)) == 1
                continue
            assert ammo.ranges.value == tuple(half_up(0.9 * hexes) for hexes in ranges)
            if ammo.penetration.source.startswith("public"):
                continue
            figures = FACTS["penetration"].get(f"{gun.id} {ammo.type}")
            if figures:
                expected = fitted_penetration(figures[0], ammo.ranges.value, gun.id)
            else:
                values = [half_up(value * more) for value, more in zip(penetration, gain, strict=True)]
                expected = [min(values[: column + 1]) for column in range(5)]
            assert list(ammo.penetration.value) == expected, gun.id


def test_half_squads_fire_with_six_tenths():
    """A half-squad has six tenths of the squad's GP factor: the quoted 6 belongs to a squad with 10 at P."""
    for squad in OLD.legs.values():
        if squad.reduced:
            half = OLD.legs[squad.reduced]
            assert half.gp.factors.value == tuple(max(1, half_up(0.6 * value)) for value in squad.gp.factors.value)
            assert (half.size, half.nation, half.mount) == ("half_squad", squad.nation, squad.mount)
            assert half.gp.ranges.value == squad.gp.ranges.value


def test_points_of_new_vehicles_follow_the_formula_of_the_basic_cards():
    for name, card in NA.vehicles.items():
        basic = card.card
        if name in cards() or not basic.armed:
            continue
        best = max((weapon.penetration_at("M") for weapon in basic.ap_weapons), default=0)
        moves = basic.cross_country + basic.path + basic.road
        turret = any(weapon.turreted for weapon in basic.weapons)
        worth = 7 * best + 8 * (basic.front + basic.rear) + 7 * moves + 90 * turret + 50
        assert basic.points == half_up(worth / 10), name
        assert basic.path == basic.road * 2 // 3


# --- holding together ------------------------------------------------------------------------------------------


def test_1_6_every_basic_card_has_its_advanced_one_and_stays_as_it_is():
    """The advanced card has the basic card's armour, movement, ranges and penetration, because it
    holds the same object.
    """
    assert cards().keys() <= NA.vehicles.keys()
    for name, card in cards().items():
        advanced = NA.vehicles[name]
        assert advanced.card == card and advanced.nation == card.nation
        assert tuple(mount.weapon for mount in advanced.mounts[: len(card.weapons)]) == card.weapons


def test_1_6_there_is_enough_of_everything():
    """There are vehicles, guns, leg units, aircraft and batteries for five nations."""
    armed = [card for card in NA.vehicles.values() if card.card.armed and card.armour]
    assert len(armed) >= 30 and len(NA.towed) >= 8 and len(NA.aircraft) >= 4
    assert len({leg.id.replace("_half_squad", "_squad") for leg in NA.legs.values()}) >= 10
    groups = (NA.vehicles, NA.towed, NA.legs, NA.attached, NA.aircraft)
    for group in groups:
        assert {row.nation for row in group.values()} == set(FORCES)
    assert {battery.row.nation for battery in NA.batteries.values()} == set(FORCES)


@pytest.mark.parametrize("name", sorted(PLATES))
def test_6_5_2_3_1_slopes_tell_on_rising_and_falling_shots(name):
    """A plate that leans back is stronger from below and weaker from above; from the side it is never weaker."""
    card, plates = vehicle(name), PLATES[name]
    for location in ENDS:
        level_, rising, falling = (card.armour_at(Angle.FRONT, shot, location) for shot in Shot)
        slope = plates[location.value][1]
        if slope >= 8:
            assert falling <= level_ <= rising
        if slope <= -8:
            assert rising <= level_ <= falling
        for shot in Shot:
            assert card.armour_at(Angle.FRONT_SIDE, shot, location) >= card.armour_at(Angle.FRONT, shot, location)


def test_6_5_4_1_gp_never_grows_with_the_distance():
    for book in (NA, OLD):
        rows = [gun.gp for gun in book.guns.values()] + [leg.gp for leg in book.legs.values()]
        rows += [row for weapon in book.attached.values() for row in (weapon.gp, weapon.indirect)]
        rows += [gun.indirect for gun in book.guns.values()] + [battery.fire for battery in book.batteries.values()]
        for row in filter(None, rows):
            factors = row.factors.value
            assert list(factors) == sorted(factors, reverse=True) and 1 <= factors[-1] <= factors[0] <= 15
            steps = [after - before for before, after in pairwise(factors)]
            assert all(abs(after - before) <= 2 for before, after in pairwise(steps))
            assert list(row.ranges.value) == sorted(set(row.ranges.value))


def test_5_16_2_every_limit_has_something_to_limit():
    """Limit A needs special ammunition in at least one book, limit H needs HEAT, and limit S needs smoke."""
    holders = [(mount.gun, mount.limits) for card in OLD.vehicles.values() for mount in card.mounts]
    holders += [(OLD.guns[gun.gun], gun.limits) for gun in OLD.towed.values()]
    for gun, limits in holders:
        letters = {ammo.letter for ammo in gun.ammo} | ({"S"} if gun.smoke else set()) | {"basic", "D"}
        assert limits.keys() <= letters, gun.id


def test_6_6_7_1_every_gun_finds_a_vehicle_of_its_nation_to_tow_it():
    for gun in NA.towed.values():
        towed, crew = gun.passenger.value
        carriers = [card.transport for card in NA.vehicles.values() if card.nation == gun.nation]
        assert any(carrier[0] >= towed and carrier[1] >= crew for carrier in carriers), gun.id


def test_5_8_2_formations_from_platoon_to_battalion_for_everybody():
    for nation in FORCES:
        levels = {row.level for row in NA.formations.values() if row.nation == nation}
        assert levels >= set(LEVELS[:3])
    for book in (NA, OLD):
        for name, formation in book.formations.items():
            assert book.points(name) > 0
            nations = {_nation(book, card) for card in book.strength(name)}
            assert nations == {formation.nation}


def _nation(book, card):
    return next(group[card].nation for group in (book.vehicles, book.towed, book.legs) if card in group)


def test_5_8_2_strength_and_points_of_a_company():
    """The company has three platoons of five tanks and two headquarters tanks, at 49 points each."""
    assert NA.strength("german_panzer_company") == {"pz3j": 17}
    assert NA.points("german_panzer_company") == 17 * cards()["pz3j"].points
    battery = NA.batteries["german_medium"].row.points.value
    without = sum(row.count * NA.points(row.id) for row in NA.formations["german_rifle_battalion"].formations)
    assert NA.points("german_rifle_battalion") == without + 2 * NA.unit_points("german_section") + battery


def test_editions_have_their_own_troops():
    """Only 2016 has bicycles, cavalry and hand-held rockets; only 2024 has Italian and German anti-tank rifles."""
    mounts = [{leg.mount for leg in book.legs.values()} for book in (NA, OLD)]
    assert mounts == [{"foot", "motorcycle"}, {"foot", "motorcycle", "bicycle", "cavalry"}]
    assert NA.attached.keys() - OLD.attached.keys() == {"german_pzb39", "italian_fucile"}


KINDS = ("rulebook", "inferred", "public", "house")


def sources_in(part):
    """Collect every source in a file: the last item of each cell, and the value of every `source` key."""
    if isinstance(part, dict):
        yield from [part["source"]] if "source" in part else []
        for key, inner in part.items():
            yield from sources_in(inner) if key not in ("editions", "locations") else ()
    elif isinstance(part, list) and len(part) == 2 and isinstance(part[1], str):
        yield part[1]
    elif isinstance(part, list):
        for inner in part:
            yield from sources_in(inner)


def test_every_value_has_a_source_of_a_known_kind():
    sources = []
    for name in (*CARD_FILES[:-1], "facts.toml"):
        sources += sources_in(tomllib.loads(packaged(name).decode()))
    assert len(sources) > 1500
    assert not {source for source in sources if source.split()[0].strip(",;") not in KINDS}


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "advanced_vehicles.toml",
            'gun = "2-pdr"',
            'gun = "2-pdrr"',
            r"crusader1, weapons: the weapons must begin with 2-pdr",
        ),
        ("advanced_vehicles.toml", 'gun = "88mm L71"', 'gun = "88mm L72"', r"no gun '88mm L72'\. Did you mean"),
        ("advanced_vehicles.toml", 'id = "t70"', 'id = "t71"', r"vehicle t71: .*all basic data.*Did you mean t70"),
        ("advanced_vehicles.toml", 'type = ["P"', 'type = ["S"', r"vehicle su76m: soft vehicles have no armour"),
        (
            "advanced_vehicles.toml",
            '"4T 5-8"',
            '"4X 5-8"',
            r"vehicle kv1, movement: '4X 5-8' is not a movement factor",
        ),
        ("advanced_guns.toml", "[5, 9, 16, 23, 27]", "[5, 9, 9, 23, 27]", r"gun 76\.2mm L43: ranges must increase"),
        ("leg_units.toml", 'reduced = "us_rifle_half_squad"', 'reduced = "nobody"', r"us_rifle_squad: every squad"),
        ("towed_guns.toml", '["1L 0"', '["1X 0"', r"gun pak36, movement: '1X 0' is not a movement factor"),
        ("formations.toml", 'card = "m10"', 'card = "m11"', r"us_tank_destroyer_platoon: there is no card 'm11'"),
        ("formations.toml", 'id = "us_tank_company", count', 'id = "us_tank_battalion", count', r"of a lower level"),
        ("aircraft.toml", '"Ju 87 B-1"', "87", r"aircraft\.toml: .*str"),
    ],
)
def test_1_6_mistakes_in_cards_are_named(file, old, new, message):
    files = {name: packaged(name) for name in CARD_FILES}
    assert old.encode() in files[file]
    files[file] = files[file].replace(old.encode(), new.encode(), 1)
    with pytest.raises(DataError, match=message):
        read_advanced_cards(files, cards(), EDITIONS[0])
