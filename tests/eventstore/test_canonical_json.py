"""Canonical JSON spells each value in exactly one way, and refuses values that it cannot spell."""

import json
import math
from collections import OrderedDict
from enum import Enum, StrEnum

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventstore import NotCanonical, canonical, digest

LARGEST = 2**53

keys = st.text(st.characters(max_codepoint=127), max_size=8)
texts = st.text(st.characters(codec="utf-8"), max_size=12)
leaves = st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | texts
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=20
)
misfits = (
    st.floats()
    | st.integers(min_value=LARGEST + 1)
    | st.integers(max_value=-LARGEST - 1)
    | st.binary()
    | st.sets(st.integers())
    | st.decimals()
    | st.datetimes()
    | st.uuids()
    | st.dictionaries(st.integers() | st.none() | st.booleans() | st.binary(), st.none(), min_size=1)
    | st.dictionaries(keys.map(lambda key: key + "é"), st.none(), min_size=1)
    | st.just("\ud800")
    | st.builds(object)
)


class Side(StrEnum):
    AXIS = "axis"


class Facing(Enum):
    NORTH = 1


class Unit(msgspec.Struct):
    name: str
    hex: object = None


def reversed_keys(value):
    """Return the same value with every dict filled in the opposite order."""
    if isinstance(value, dict):
        return {key: reversed_keys(inner) for key, inner in reversed(value.items())}
    return [reversed_keys(inner) for inner in value] if isinstance(value, list) else value


@given(values)
def test_it_reads_back_as_the_same_value(value):
    assert json.loads(canonical(value)) == value


@given(values)
def test_the_standard_library_spells_it_the_same(value):
    """The standard library writes the same bytes, so anyone can recompute a hash without this program."""
    spelled = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    assert canonical(value) == spelled.encode()


@given(values)
def test_the_order_of_keys_does_not_matter(value):
    assert canonical(reversed_keys(value)) == canonical(value)


@given(values, values)
def test_different_values_are_spelled_differently(one, other):
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)

    assert (canonical(one) == canonical(other)) is same


@given(misfits, st.lists(st.sampled_from(["key", 0]), max_size=5))
def test_what_has_no_canonical_form_is_refused_wherever_it_stands(misfit, steps):
    value = misfit
    for step in steps:
        value = {"a": 1, "key": value} if step == "key" else [value, "after"]

    with pytest.raises(NotCanonical):
        canonical(value)


@pytest.mark.parametrize(
    ("value", "path", "why"),
    [
        (1.5, "", "float"),
        (math.nan, "", "float"),
        ({"a": [1, {"b": -math.inf}]}, ".a[1].b", "float"),
        ([0, 2**53 + 1], "[1]", "beyond"),
        ({"a": -(2**53) - 1}, ".a", "beyond"),
        ({"a": 10**40}, ".a", "beyond"),
        ({"a": {"b": {1: 2}}}, ".a.b", "key"),
        ({"a": [{"ключ": 2}]}, ".a[0]", "key"),
        ([Unit("3 PzGren", hex=(1, 2.0))], "[0].hex[1]", "float"),
        ({"a": {3, 4}}, ".a", "set"),
    ],
)
def test_the_refusal_names_the_path(value, path, why):
    with pytest.raises(NotCanonical) as refused:
        canonical(value)

    assert refused.value.path == path
    assert why in refused.value.why


def test_the_largest_numbers_are_still_whole():
    assert canonical([2**53, -(2**53)]) == b"[9007199254740992,-9007199254740992]"


def test_what_is_as_plain_as_json_is_taken():
    value = OrderedDict(z=Unit("3 PzGren", hex=(3, 4)), a=Side.AXIS, f=Facing.NORTH)

    assert canonical(value) == b'{"a":"axis","f":1,"z":{"hex":[3,4],"name":"3 PzGren"}}'


def test_a_value_inside_itself_is_refused():
    value = []
    value.append(value)

    with pytest.raises(NotCanonical, match="nested too deeply"):
        canonical(value)


@given(st.lists(st.binary(max_size=6), max_size=4), st.lists(st.binary(max_size=6), max_size=4))
def test_a_digest_tells_where_one_piece_ends(one, other):
    assert (digest(*one) == digest(*other)) is (one == other)


def test_a_digest_takes_text_as_utf_8():
    assert digest("é", "b") == digest("é".encode(), b"b")
