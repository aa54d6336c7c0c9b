"""Make `contract` importable, because `eventstore.contract` would be looked for in the package."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
pytest.register_assert_rewrite("contract")  # so that its failures show values, as in any test module
