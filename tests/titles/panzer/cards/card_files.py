"""The advanced cards, read once and shared by their tests."""

from math import cos, radians

from pbem.titles.panzer.cards.advanced_cards import advanced_cards
from pbem.titles.panzer.cards.chart_rows import Shot

NA = advanced_cards("2024")
OLD = advanced_cards("2016")


def vehicle(name):
    return NA.vehicles[name]


def half_up(number):
    """Round to the nearest whole number, halves up; the small addition makes up for floating-point error."""
    return int(number + 0.5 + 1e-9)


# --- the fit ---------------------------------------------------------------------------------------------------

MILLIMETRES = 4.6
TILT = {Shot.LEVEL: 0, Shot.RISING: 8, Shot.FALLING: -8}
SIDE = 1.21


def level(plate):
    """Return a plate's strength against a level perpendicular shot, unless a published value fixes it."""
    thickness, slope, *tenths = plate
    return tenths[0] / 10 if tenths else thickness / cos(radians(slope)) / MILLIMETRES


def armour(plate, shot, side):
    """Return a plate's strength against a rising, level or falling shot, from ahead or from the side."""
    slope = plate[1]
    ratio = cos(radians(slope)) / cos(radians(slope + TILT[shot]))
    return half_up(level(plate) * ratio * (SIDE if side else 1)) if plate[0] else 0
