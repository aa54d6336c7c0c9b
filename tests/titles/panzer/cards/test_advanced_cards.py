"""The cards of the advanced game: every value quoted in the books, the fit behind the rest, and the basic cards."""

import tomllib
from itertools import pairwise
from math import cos, radians

import pytest

from pbem.titles.panzer.cards.advanced_cards import CARD_FILES, advanced_cards, movement, read_advanced_cards
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Cover
from pbem.titles.panzer.cards.card_rows import ENDS, FORCES, LEVELS, SIDES
from pbem.titles.panzer.cards.cards import cards
from pbem.titles.panzer.cards.chart_rows import Angle, Location, Shot
from pbem.titles.panzer.cards.charts import DataError, packaged

NA = advanced_cards("2024")
OLD = advanced_cards("2016")
FACTS = tomllib.loads(packaged("facts.toml").decode())
PLATES = {row["vehicle"]: row for row in FACTS["plates"]}


def vehicle(name):
    return NA.vehicles[name]


def half_up(number):
    """To the nearest whole number, halves up; a hair more so that exact halves survive binary fractions."""
    return int(number + 0.5 + 1e-9)


# --- quoted values: vehicles -----------------------------------------------------------------------------------


SU76M = {
    (Angle.FRONT, Shot.LEVEL): (8, 0, 14, 4),
    (Angle.FRONT, Shot.RISING): (8, 0, 18, 4),
    (Angle.FRONT, Shot.FALLING): (7, 0, 11, 4),
    (Angle.FRONT_SIDE, Shot.LEVEL): (9, 4, 0, 17, 4, 5),
    (Angle.FRONT_SIDE, Shot.RISING): (10, 4, 0, 22, 4, 5),
    (Angle.FRONT_SIDE, Shot.FALLING): (9, 4, 0, 13, 4, 5),
}


def test_6_5_2_3_the_whole_armour_of_the_su76m():
    """The only fully known card; 2016:L2662 HF front rising 18, front/side level 17."""
    card = vehicle("su76m")
    for (angle, shot), values in SU76M.items():
        locations = ENDS if angle is Angle.FRONT else SIDES
        assert tuple(card.armour_at(angle, shot, place) for place in locations) == values
    assert card.armour_at(Angle.REAR, Shot.FALLING, Location.DK) == 7


@pytest.mark.parametrize(
    ("name", "angle", "shot", "location", "armour"),
    [
        ("pz3j", Angle.FRONT, Shot.LEVEL, Location.HF, 10),
        ("pz4h", Angle.FRONT, Shot.LEVEL, Location.HF, 19),
        ("pz3m", Angle.FRONT_SIDE, Shot.LEVEL, Location.HS, 8),
        ("t34_76", Angle.FRONT, Shot.LEVEL, Location.TF, 18),
        ("t34_85", Angle.FRONT, Shot.LEVEL, Location.TF, 21),
        ("t34_85", Angle.REAR, Shot.LEVEL, Location.TR, 14),
        ("crusader1", Angle.REAR_SIDE, Shot.LEVEL, Location.HS, 5),
        ("grant", Angle.FRONT, Shot.RISING, Location.HF, 16),
        ("grant", Angle.FRONT_SIDE, Shot.LEVEL, Location.HF, 19),
    ],
)
def test_6_5_2_3_quoted_armour(name, angle, shot, location, armour):
    """L2549, L2555, L2715, L2719; 2016:L2800, L2804, L4552, L4601."""
    assert vehicle(name).armour_at(angle, shot, location) == armour


@pytest.mark.parametrize(
    ("name", "defence", "kind"),
    [
        ("su76m", 2, "P"),
        ("pzjgr1", 1, "P"),
        ("semovente", 2, "A"),
        ("matilda2", 4, "A"),
        ("sherman3", 3, "A"),
        ("t34_76", 4, "A"),
        ("stug3g", 3, "A"),
        ("tiger1", 5, "A"),
        ("is2m", 8, "A"),
        ("su85", 4, "A"),
    ],
)
def test_6_5_4_2_1_quoted_gp_defence(name, defence, kind):
    """L2400, L2751, L3229-3231, L3778-3802; 2016:L3208, L3392, L3566, L3839, L4703."""
    assert (vehicle(name).defence, vehicle(name).type) == (defence, kind)
    assert not NA.vehicles[name].sources["defence"].startswith("house")


@pytest.mark.parametrize(
    ("name", "distance", "column", "factor"),
    [
        ("pzjgr1", 3, "P", 3),
        ("pzjgr1", 7, "S", 2),
        ("su76m", 3, "P", 5),
        ("su76m", 7, "S", 4),
        ("sherman3", 1, "P", 5),
        ("is2m", 1, "P", 8),
    ],
)
def test_6_5_4_1_quoted_gp_factors(name, distance, column, factor):
    """L2739, L3137, L3806-3817; 2016:L2820, L3222, L3851."""
    assert vehicle(name).mounts[0].gun.gp.factor_at(distance) == (column, factor)


def test_6_5_4_1_the_su76m_gp_row():
    """Public: 5/9/16/23/27 with 5 4 3 3 2; out of range beyond."""
    row = vehicle("su76m").mounts[0].gun.gp
    assert (row.ranges.value, row.factors.value) == ((5, 9, 16, 23, 27), (5, 4, 3, 3, 2))
    assert row.factor_at(28) is None


def test_6_5_4_4_2_quoted_effectiveness():
    """L3021-3043: Panzerjaeger 1-2; 2016:L3102 SU-76M 1-3; 2016:L4703 T-70 2; 2016:L4617 StuG 3 or 4."""
    highest = {name: vehicle(name).mounts[0].gun.gp.effectiveness.value for name in ("pzjgr1", "su76m", "t70")}
    assert highest == {"pzjgr1": 2, "su76m": 3, "t70": 2}
    assert vehicle("stug3g").mounts[0].gun.gp.effectiveness.value in (3, 4)
    assert vehicle("spw251").mounts[0].gun.gp.small_arms


def test_5_16_2_quoted_ammo_limits():
    """L1536-1608; 2016:L1720; the public Soviet cards."""
    limits = {
        name: vehicle(name).mounts[0].limits
        for name in ("pzjgr1", "t70", "t34_76", "t34_85", "kv1s", "is2m", "su76m", "su85", "su100", "su152", "a10cs")
    }
    assert limits.pop("a10cs")["basic"] == 3
    assert limits == {
        "pzjgr1": {"A": 4},
        "t70": {"A": 5},
        "t34_76": {"A": 5},
        "t34_85": {"A": 3},
        "kv1s": {"A": 6},
        "is2m": {"basic": 7},
        "su76m": {"A": 3},
        "su85": {"A": 3},
        "su100": {"basic": 9},
        "su152": {"basic": 5},
    }
    assert NA.towed["pak40"].limits.keys() == {"basic", "S", "A"}
    assert [NA.towed["pak40"].limits[letter].value for letter in ("basic", "S", "A")] == [6, 4, 4]


def test_5_16_1_when_special_ammunition_is_available():
    """L1542-1546: the Panzerjaeger's from early 1941; 2016:L1704: the SU-76M's HVAP from late 1943."""
    assert vehicle("pzjgr1").mounts[0].gun.ammo[0].available == "early 1941"
    hvap = vehicle("su76m").mounts[0].gun.ammo[0]
    assert (hvap.type, hvap.available, hvap.energy) == ("HVAP", "late 1943", "KE")
    weapon = vehicle("su76m").mounts[0].with_ammo(hvap)
    assert (weapon.ranges, weapon.penetration) == ((3, 5, 9, 13, 15), (23, 21, 19, 15, 13))
    assert weapon.field == "front"


def test_6_5_2_1_quoted_rates_of_fire():
    """L2421-2422; 2016:L2556; all public Soviet cards N."""
    soviet = [card for card in NA.vehicles.values() if card.nation == "soviet" and card.card.armed]
    assert {card.mounts[0].rate for card in soviet} == {"N"}
    assert vehicle("pzjgr1").mounts[0].rate == "N"
    assert NA.towed["flak36"].rate.value == "Q"


def test_6_6_7_1_quoted_transport():
    """L3626, L3628-3634; 2016:L3701; public: tanks carry 2, the T-70 1, the SU-76M none."""
    assert vehicle("sdkfz10").transport == (1, 2)
    assert [vehicle(name).transport for name in ("t34_76", "t70", "su76m")] == [(0, 2), (0, 1), (0, 0)]
    assert NA.towed["flak36"].passenger.value == (3, 3)
    assert NA.legs["italian_section"].passenger.value == OLD.legs["german_section"].passenger.value == (0, 1)


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("pz3j", "coax"),
        ("sherman3", "coax"),
        ("is2m", "coax"),
        ("semovente", "close_assault"),
        ("stug3g", "close_assault"),
        ("su85", "close_assault"),
        ("su76m", "brew_up"),
        ("spw251", "under_cover"),
        ("t70", "no_radio"),
        ("m11_39", "limited_weapon"),
        ("pz4d", "smoke"),
        ("pz4h", "smoke"),
    ],
)
def test_1_6_quoted_notes(name, note):
    """L1666-1680, L1818-1841, L2759, L2957, L3229-3231; 2016:L1982-1984, L3306, L3855, L4460, L4615."""
    assert vehicle(name).has(note)
    assert not vehicle(name).notes[note].startswith("house")


def test_1_6_other_quoted_facts_of_vehicles():
    """L1716, L1494-1510, L3804; 2016:L1872-1874, L4540, L4601, L4875, L3851."""
    assert not vehicle("pz1b").card.open_topped and not vehicle("pz3m").card.open_topped
    assert vehicle("su76m").card.open_topped
    assert vehicle("pz3m").card.weapons[0].turret == 2
    assert vehicle("sherman3").card.cross_country == 3
    assert vehicle("tiger2").bog == -5
    armour = vehicle("pz3m").armour_at(Angle.FRONT_SIDE, Shot.LEVEL, Location.HS)
    charge = vehicle("pz3m").hollow_charge
    assert armour * charge.times.value == 24 and charge.locations == (Location.TS, Location.TR, Location.HS)
    dual = {mount.gun.id: mount.dual for mount in vehicle("morris_cs9").mounts}
    assert dual == {"Boys ATR": False, "MMG": True}
    assert vehicle("m11_39").mounts[0].limited
    assert vehicle("is2m").mounts[1].gun.aa is not None and vehicle("is2m").mounts[0].gun.aa is None


def test_7_21_a_t70_never_tracks_a_tiger():
    """2016:L4703: twice 2 is below 5."""
    assert 2 * vehicle("t70").mounts[0].gun.gp.effectiveness.value < vehicle("tiger1").defence


# --- quoted values: everything else ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "distance", "column", "factor"),
    [
        ("german_rifle_squad", 3, "S", 7),
        ("german_rifle_squad", 5, "M", 5),
        ("german_rifle_half_squad", 1, "P", 6),
        ("british_rifle_squad", 3, "S", 6),
        ("italian_lmg_squad", 5, "M", 5),
    ],
)
def test_6_5_4_1_quoted_factors_of_leg_units(name, distance, column, factor):
    """L2741, L3121, L3798; 2016:L2820, L3208, L3839. No book says which column 5 hexes is."""
    for book in (NA, OLD):
        assert book.legs[name].gp.factor_at(distance) == (column, factor)
        assert book.legs[name].gp.small_arms


def test_6_5_4_1_the_british_infantry_squad_has_a_5():
    """L3303-3327, without the range."""
    assert 5 in NA.legs["british_infantry_squad"].gp.factors.value


def test_6_5_4_2_2_gp_defence_of_leg_units():
    """L2771-2775, L3137, L3806: 2, 4, 6, 8, and 2 more in full cover; moving through medium cover 4."""
    covers = (Cover.NONE, Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY)
    for leg in (*NA.legs.values(), *OLD.legs.values()):
        assert [leg.defence.at(cover) for cover in covers] == [2, 4, 6, 8]
        assert leg.full_cover.value == 2


def test_6_6_4_1_movement_factors_of_leg_units():
    """L3529, L1300-1306; `loaded` is a section with a weapon."""
    squad, section = NA.legs["german_rifle_squad"], NA.legs["german_section"]
    assert (movement(squad.movement.value).cross_country, movement(squad.movement.value).quickmarch) == (2, 3)
    assert movement(section.movement.value) == movement(squad.movement.value)
    assert movement(section.loaded.value).cross_country == 1 and movement(section.loaded.value).quickmarch == 0
    assert movement("2X 3") is None


def test_5_2_quoted_towed_guns():
    """L1622-1640, L2365-2402, L4045; 2016:L2182, L2512, L4661."""
    assert (NA.towed["flak36"].size.value, NA.towed["atg_2pdr"].size.value) == ("L", "S")
    assert NA.towed["atg_57mm"].size.value == "S"
    assert {NA.towed[name].defence.at(Cover.MEDIUM) for name in ("atg_2pdr", "atg_57mm")} == {5}
    assert NA.guns[NA.towed["flak36"].gun].aa.modifier.value == 20
    assert "platform" in {note.value for note in NA.towed["flak36"].notes}
    for name in ("gun_25pdr", "gun_76mm"):
        gun = NA.guns[NA.towed[name].gun]
        assert gun.gp and gun.indirect


def test_5_1_3_quoted_attached_weapons():
    """L1318-1358, L1404; 2016:L1478, L1516, L1982-1984."""
    assert NA.attached["german_grw34"].indirect.minimum.value == 2
    assert NA.attached["german_grw34"].indirect.factor_at(1) is None
    assert NA.attached["british_3in"].smoke.value and OLD.attached["soviet_bm41"].smoke.value
    assert OLD.attached["german_panzerfaust"].fixed_gp.value == 14
    assert OLD.attached["german_rpzb"].fixed_gp.value == 8
    assert all(row.small_arms for row in NA.attached.values() if row.kind in ("mortar", "hmg", "atr"))
    rifles = {row.id: row.gp is not None for row in NA.attached.values() if row.kind == "atr"}
    assert rifles.pop("italian_fucile") and not any(rifles.values())
    for nation, types in (("german", 6), ("soviet", 5)):
        assert sum(row.nation == nation for row in OLD.attached.values()) == types


def test_6_7_quoted_aircraft():
    """L3867, L3891: the Ju 87 is slow only and dives; L3973: rockets reach 10 hexes."""
    assert (NA.aircraft["ju87b"].speeds.value, NA.aircraft["ju87b"].dive.value) == (("slow",), True)
    rockets = [row.rockets for row in NA.aircraft.values() if row.rockets]
    assert rockets and {row.ranges.value[-1] for row in rockets} == {10}


def test_5_3_the_german_medium_battery():
    """L2391 and 2016:L2524: 8 at 12 hexes, S in one book, M in the other; 2016:L4842-4846."""
    assert NA.batteries["german_medium"].fire.factor_at(12) == ("S", 8)
    assert OLD.batteries["german_medium"].fire.factor_at(12) == ("M", 8)
    row = NA.batteries["german_medium"].row
    assert (row.located.value, row.turns.value) == (20, 3)


def test_6_5_1_3_batteries_of_the_quoted_formations():
    """L2123-2147: one attached to each German battalion, six organic to a British brigade; 2016:L2264-2276."""

    def support(name):
        return [(row.id, row.count, row.attachment) for row in NA.formations[name].batteries]

    assert support("german_rifle_battalion") == [("german_medium", 1, "attached")]
    assert support("british_brigade") == [("british_medium", 6, "organic")]
    assert support("german_kampfgruppe") == [("german_heavy", 1, "organic"), ("german_medium", 2, "organic")]


# --- the fit ---------------------------------------------------------------------------------------------------

MILLIMETRES = 4.6
TILT = {Shot.LEVEL: 0, Shot.RISING: 8, Shot.FALLING: -8}
SIDE = 1.21
DECK = 78


def level(plate):
    """Strength against a level perpendicular shot: the plate's, or as fixed by a published value."""
    thickness, slope, *tenths = plate
    return tenths[0] / 10 if tenths else thickness / cos(radians(slope)) / MILLIMETRES


def armour(plate, shot, side):
    """A shot from below or above meets the plate at another slope, one from the side through more of it."""
    slope = plate[1]
    ratio = cos(radians(slope)) / cos(radians(slope + TILT[shot]))
    return half_up(level(plate) * ratio * (SIDE if side else 1)) if plate[0] else 0


@pytest.mark.parametrize("name", sorted(PLATES))
def test_every_armour_value_is_the_fit_of_its_plates(name):
    """NOTES-DATA.md; the published values are among them."""
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
    """Mean strength in front (turret, hull) and of sides and rear, square on."""
    plate = {location: level(PLATES[name][location]) for location in ("TF", "HF", "TS", "TR", "HS", "HR")}
    front, rear = (plate["TF"] + plate["HF"]) / 2, sum(plate[place] for place in ("TS", "TR", "HS", "HR")) / 4
    return front, rear


DISTANT = {"panther_d": 3, "tiger1": 4}
"""Basic cards with a house front value from the hull only, not the mean of hull and turret."""


@pytest.mark.parametrize("name", sorted(PLATES))
def test_basic_armour_is_the_mean_of_the_advanced(name):
    """True of every published card; ours follow within a point, with two exceptions."""
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
    """Nine of ten published ones; the Sherman III is one lower, and its sisters with it."""
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
    """Factor 0.0656 per millimetre at P, effectiveness one per 25 mm; range 1.6 times the AP row's."""
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
    """Between the listed distances, and beyond the last, in a straight line."""
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
    """5.65 mm a point up to 57 mm, 5.03 mm above, at the limit of each column."""
    ranges, penetration = ap_row(name)
    fitted = fitted_penetration(FACTS["penetration"][name][0], ranges, name)
    error = max(abs(one - other) for one, other in zip(fitted, penetration, strict=True))
    if name in NOT_FITTED:
        assert error == NOT_FITTED[name]
    else:
        assert error <= (1 if name == "6-pdr" else 0)


def test_special_ammunition_reaches_nine_tenths_and_follows_its_figures():
    """The only published row, the HVAP of the 76.2mm, has such ranges; without figures its gain over AP is used."""
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
    """10 at P would be the squad whose half has the quoted 6."""
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
    """Same basic armour, movement, ranges and penetration: it is the same card object."""
    assert cards().keys() <= NA.vehicles.keys()
    for name, card in cards().items():
        advanced = NA.vehicles[name]
        assert advanced.card == card and advanced.nation == card.nation
        assert tuple(mount.weapon for mount in advanced.mounts[: len(card.weapons)]) == card.weapons


def test_1_6_there_is_enough_of_everything():
    """Vehicles, guns, leg units, aircraft and batteries for five nations."""
    armed = [card for card in NA.vehicles.values() if card.card.armed and card.armour]
    assert len(armed) >= 30 and len(NA.towed) >= 8 and len(NA.aircraft) >= 4
    assert len({leg.id.replace("_half_squad", "_squad") for leg in NA.legs.values()}) >= 10
    groups = (NA.vehicles, NA.towed, NA.legs, NA.attached, NA.aircraft)
    for group in groups:
        assert {row.nation for row in group.values()} == set(FORCES)
    assert {battery.row.nation for battery in NA.batteries.values()} == set(FORCES)


@pytest.mark.parametrize("name", sorted(PLATES))
def test_6_5_2_3_1_slopes_tell_on_rising_and_falling_shots(name):
    """A plate that leans back is stronger from below and weaker from above; never weaker from the side."""
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
    """Letter A needs such ammunition, by one book at least, H needs HEAT, S needs smoke."""
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
    """Three platoons of five and two tanks at the top, at 49 points each."""
    assert NA.strength("german_panzer_company") == {"pz3j": 17}
    assert NA.points("german_panzer_company") == 17 * cards()["pz3j"].points
    battery = NA.batteries["german_medium"].row.points.value
    without = sum(row.count * NA.points(row.id) for row in NA.formations["german_rifle_battalion"].formations)
    assert NA.points("german_rifle_battalion") == without + 2 * NA.unit_points("german_section") + battery


def test_editions_have_their_own_troops():
    """Bicycles, cavalry and hand-held rockets in 2016; the Italian and German anti-tank rifles in 2024."""
    mounts = [{leg.mount for leg in book.legs.values()} for book in (NA, OLD)]
    assert mounts == [{"foot", "motorcycle"}, {"foot", "motorcycle", "bicycle", "cavalry"}]
    assert NA.attached.keys() - OLD.attached.keys() == {"german_pzb39", "italian_fucile"}


KINDS = ("rulebook", "inferred", "public", "house")


def sources_in(part):
    """Every source in a file: the end of each cell, and every key `source`."""
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
        ("advanced_vehicles.toml", 'gun = "2-pdr"', 'gun = "2-pdrr"', r"crusader1, weapons: they must begin"),
        ("advanced_vehicles.toml", 'gun = "88mm L71"', 'gun = "88mm L72"', r"no gun '88mm L72'\. Did you mean"),
        ("advanced_vehicles.toml", 'id = "t70"', 'id = "t71"', r"vehicle t71: .*all basic data.*Did you mean t70"),
        ("advanced_vehicles.toml", 'type = ["P"', 'type = ["S"', r"vehicle su76m: soft vehicles have no armour"),
        (
            "advanced_vehicles.toml",
            '"4T 5-8"',
            '"4X 5-8"',
            r"vehicle kv1, movement: '4X 5-8' is not a movement factor",
        ),
        ("advanced_guns.toml", "[5, 9, 16, 23, 27]", "[5, 9, 9, 23, 27]", r"gun 76\.2mm L43: ranges must grow"),
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
