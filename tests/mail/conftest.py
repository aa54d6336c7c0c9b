"""Fixtures for a server that players reach by email."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.postbox import Post


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    post = Post(tmp_path)
    post.door.start()
    yield post
    post.door.stop()
    post.server.close()
