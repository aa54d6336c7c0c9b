"""A house that is reached by mail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postbox import Post


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    post = Post(tmp_path)
    post.door.start()
    yield post
    post.door.stop()
    post.house.close()
