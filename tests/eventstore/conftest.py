"""Make `contract` importable as a plain module, because otherwise Python would look for it in the package
`eventstore`."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
pytest.register_assert_rewrite("contract")  # so that its failures show values, as in any test module
