"""A program that calls the API with JSON and a token, without cookies."""

from __future__ import annotations

from typing import Any

from flask import Flask

from pbem.matches.accounts import api_tokens
from pbem.matches.server import Server

ORIGIN = "https://localhost"


class Program:
    """A program that acts for an account with a token of the given scopes, or without a token if there is no
    account."""

    def __init__(self, app: Flask, server: Server, account: str = "", *scopes: str) -> None:
        self._client = app.test_client()
        self.word = api_tokens.make(server, account, "a test", scopes)[1] if account else ""

    def call(self, method: str, path: str, said: Any = None, **headers: str) -> Any:
        if self.word:
            headers["Authorization"] = f"Bearer {self.word}"
        return self._client.open(f"/api/v1{path}", method=method, base_url=ORIGIN, json=said, headers=headers)

    def get(self, path: str, **headers: str) -> Any:
        return self.call("GET", path, **headers)

    def post(self, path: str, **said: Any) -> Any:
        return self.call("POST", path, said)
