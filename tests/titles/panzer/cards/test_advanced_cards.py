"""The cards of the advanced game: every value quoted in the books."""

import pytest
from titles.panzer.cards.card_files import NA, OLD, vehicle

from pbem.titles.panzer.cards.advanced_cards import movement
from pbem.titles.panzer.cards.basic_rows import Cover
from pbem.titles.panzer.cards.card_rows import ENDS, SIDES
from pbem.titles.panzer.cards.chart_rows import Angle, Location, Shot

# --- quoted values: vehicles -----------------------------------------------------------------------------------


SU76M = {
    (Angle.FRONT, Shot.LEVEL): (8, 0, 14, 4),
    (Angle.FRONT, Shot.RISING): (8, 0, 18, 4),
    (Angle.FRONT, Shot.FALLING): (7, 0, 11, 4),
    (Angle.FRONT_SIDE, Shot.LEVEL): (9, 4, 0, 17, 4, 5),
    (Angle.FRONT_SIDE, Shot.RISING): (10, 4, 0, 22, 4, 5),
    (Angle.FRONT_SIDE, Shot.FALLING): (9, 4, 0, 13, 4, 5),
}


@pytest.mark.rule("6.5.2.3", effect=True)
def test_6_5_2_3_the_whole_armour_of_the_su76m():
    """The SU-76M's card is the only one known in full; 2016:L2662: HF has 18 front rising, 17 front/side level."""
    card = vehicle("su76m")
    for (angle, shot), values in SU76M.items():
        locations = ENDS if angle is Angle.FRONT else SIDES
        assert tuple(card.armour_at(angle, shot, place) for place in locations) == values
    assert card.armour_at(Angle.REAR, Shot.FALLING, Location.DK) == 7


@pytest.mark.rule("6.5.2.3", effect=True)
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
    """Armour values quoted in L2549, L2555, L2715, L2719; 2016:L2800, L2804, L4552, L4601."""
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
    """GP defences quoted in L2400, L2751, L3229-3231, L3778-3802; 2016:L3208, L3392, L3566, L3839, L4703."""
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
    """GP factors quoted in L2739, L3137, L3806-3817; 2016:L2820, L3222, L3851."""
    assert vehicle(name).mounts[0].gun.gp.factor_at(distance) == (column, factor)


def test_6_5_4_1_the_su76m_gp_row():
    """The public card has ranges 5/9/16/23/27 with factors 5 4 3 3 2; any farther target is out of range."""
    row = vehicle("su76m").mounts[0].gun.gp
    assert (row.ranges.value, row.factors.value) == ((5, 9, 16, 23, 27), (5, 4, 3, 3, 2))
    assert row.factor_at(28) is None


def test_6_5_4_4_2_quoted_effectiveness():
    """L3021-3043: the Panzerjaeger has an effectiveness of 1-2; in 2016 the SU-76M has 1-3 (L3102), the T-70 2
    (L4703) and the StuG 3-4 (L4617)."""
    highest = {name: vehicle(name).mounts[0].gun.gp.effectiveness.value for name in ("pzjgr1", "su76m", "t70")}
    assert highest == {"pzjgr1": 2, "su76m": 3, "t70": 2}
    assert vehicle("stug3g").mounts[0].gun.gp.effectiveness.value in (3, 4)
    assert vehicle("spw251").mounts[0].gun.gp.small_arms


@pytest.mark.rule("5.16.2", effect=True)
def test_5_16_2_quoted_ammo_limits():
    """Ammo limits quoted in L1536-1608, 2016:L1720 and the public Soviet cards."""
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


@pytest.mark.rule("5.16.1", effect=True)
def test_5_16_1_when_special_ammunition_is_available():
    """Special ammunition is available to the Panzerjaeger from early 1941 (L1542-1546), the SU-76M
    late 1943 (2016:L1704).
    """
    assert vehicle("pzjgr1").mounts[0].gun.ammo[0].available == "early 1941"
    hvap = vehicle("su76m").mounts[0].gun.ammo[0]
    assert (hvap.type, hvap.available, hvap.energy) == ("HVAP", "late 1943", "KE")
    weapon = vehicle("su76m").mounts[0].with_ammo(hvap)
    assert (weapon.ranges, weapon.penetration) == ((3, 5, 9, 13, 15), (23, 21, 19, 15, 13))
    assert weapon.field == "front"


def test_6_5_2_1_quoted_rates_of_fire():
    """Rates of fire quoted in L2421-2422 and 2016:L2556; all public Soviet cards have N."""
    soviet = [card for card in NA.vehicles.values() if card.nation == "soviet" and card.card.armed]
    assert {card.mounts[0].rate for card in soviet} == {"N"}
    assert vehicle("pzjgr1").mounts[0].rate == "N"
    assert NA.towed["flak36"].rate.value == "Q"


def test_6_6_7_1_quoted_transport():
    """Transport quoted in L3626-3634, 2016:L3701; by the public cards tanks carry 2, the T-70 1, the SU-76M none."""
    assert vehicle("sdkfz10").transport == (1, 2)
    assert [vehicle(name).transport for name in ("t34_76", "t70", "su76m")] == [(0, 2), (0, 1), (0, 0)]
    assert NA.towed["flak36"].passenger.value == (3, 3)
    assert NA.legs["italian_section"].passenger.value == OLD.legs["german_section"].passenger.value == (0, 1)


@pytest.mark.rule("1.6", effect=True)
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
    """Card notes quoted in L1666-1680, L1818-1841, L2759, L2957, L3229-3231; 2016:L1982-1984,
    L3306, L3855, L4460, L4615.
    """
    assert vehicle(name).has(note)
    assert not vehicle(name).notes[note].startswith("house")


@pytest.mark.rule("1.6", effect=True)
def test_1_6_other_quoted_facts_of_vehicles():
    """Facts quoted in L1716, L1494-1510, L3804; 2016:L1872-1874, L4540, L4601, L4875, L3851."""
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
    """2016:L4703: a T-70 cannot hit a Tiger's track, because twice its effectiveness of 2 is below a defence of 5."""
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
    """GP factors quoted in L2741, L3121, L3798; 2016:L2820, L3208, L3839. No book assigns 5 hexes
    to a range column.
    """
    for book in (NA, OLD):
        assert book.legs[name].gp.factor_at(distance) == (column, factor)
        assert book.legs[name].gp.small_arms


def test_6_5_4_1_the_british_infantry_squad_has_a_5():
    """L3303-3327: the British infantry squad has a factor of 5; the example does not give the range."""
    assert 5 in NA.legs["british_infantry_squad"].gp.factors.value


def test_6_5_4_2_2_gp_defence_of_leg_units():
    """L2771-2775, L3137, L3806: the defence is 2, 4, 6 or 8, and full cover adds 2; a unit that
    moves in medium cover has 4.
    """
    covers = (Cover.NONE, Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY)
    for leg in (*NA.legs.values(), *OLD.legs.values()):
        assert [leg.defence.at(cover) for cover in covers] == [2, 4, 6, 8]
        assert leg.full_cover.value == 2


def test_6_6_4_1_movement_factors_of_leg_units():
    """Factors quoted in L3529 and L1300-1306; `loaded` is a section with a weapon."""
    squad, section = NA.legs["german_rifle_squad"], NA.legs["german_section"]
    assert (movement(squad.movement.value).cross_country, movement(squad.movement.value).quickmarch) == (2, 3)
    assert movement(section.movement.value) == movement(squad.movement.value)
    assert movement(section.loaded.value).cross_country == 1 and movement(section.loaded.value).quickmarch == 0
    assert movement("2X 3") is None


@pytest.mark.rule("5.2", effect=True)
def test_5_2_quoted_towed_guns():
    """Guns quoted in L1622-1640, L2365-2402, L4045; 2016:L2182, L2512, L4661."""
    assert (NA.towed["flak36"].size.value, NA.towed["atg_2pdr"].size.value) == ("L", "S")
    assert NA.towed["atg_57mm"].size.value == "S"
    assert {NA.towed[name].defence.at(Cover.MEDIUM) for name in ("atg_2pdr", "atg_57mm")} == {5}
    assert NA.guns[NA.towed["flak36"].gun].aa.modifier.value == 20
    assert "platform" in {note.value for note in NA.towed["flak36"].notes}
    for name in ("gun_25pdr", "gun_76mm"):
        gun = NA.guns[NA.towed[name].gun]
        assert gun.gp and gun.indirect


def test_5_1_3_quoted_attached_weapons():
    """Weapons quoted in L1318-1358, L1404; 2016:L1478, L1516, L1982-1984."""
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
    """L3867, L3891: the Ju 87 flies only at slow speed and can dive; L3973: rockets have a range of 10 hexes."""
    assert (NA.aircraft["ju87b"].speeds.value, NA.aircraft["ju87b"].dive.value) == (("slow",), True)
    rockets = [row.rockets for row in NA.aircraft.values() if row.rockets]
    assert rockets and {row.ranges.value[-1] for row in rockets} == {10}


@pytest.mark.rule("5.3", effect=True)
def test_5_3_the_german_medium_battery():
    """L2391, 2016:L2524: the battery has factor 8 at 12 hexes, in column S of one book and M of the other."""
    assert NA.batteries["german_medium"].fire.factor_at(12) == ("S", 8)
    assert OLD.batteries["german_medium"].fire.factor_at(12) == ("M", 8)
    row = NA.batteries["german_medium"].row
    assert (row.located.value, row.turns.value) == (20, 3)


@pytest.mark.rule("6.5.1.3", effect=True)
def test_6_5_1_3_batteries_of_the_quoted_formations():
    """L2123-2147, 2016:L2264-2276: a German battalion has one attached battery, a British brigade
    six organic ones.
    """

    def support(name):
        return [(row.id, row.count, row.attachment) for row in NA.formations[name].batteries]

    assert support("german_rifle_battalion") == [("german_medium", 1, "attached")]
    assert support("british_brigade") == [("british_medium", 6, "organic")]
    assert support("german_kampfgruppe") == [("german_heavy", 1, "organic"), ("german_medium", 2, "organic")]
