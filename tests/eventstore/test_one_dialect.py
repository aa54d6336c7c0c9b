"""Outside the event store there is one SQL dialect and no database driver, so both databases run the same
statements."""

import ast
import importlib
import itertools
import re
from contextlib import closing
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DRIVERS = {"sqlite3", "sqlite_utils", "psycopg"}
ALLOWED = {
    "pbem/tools/bench/store.py": "measures the store against bare SQLite",
}
DIALECT = re.compile(
    r"\bPRAGMA\b|\bBEGIN\b(?! PGP)|\bCOMMIT\b|INSERT OR |REPLACE INTO|\bsqlite_master\b|\bx'|GLOB |\bifnull\(|"
    r"\bgroup_concat\(|\blast_insert_rowid\(|\bILIKE\b|::|\bnextval\(|ON CONFLICT DO UPDATE|\bINDEXED BY\b|%s"
)
STATEMENT = re.compile(r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|BEGIN|COMMIT|WITH) ")


def modules() -> list[Path]:
    return [path for path in sorted((ROOT / "pbem").rglob("*.py")) if "titles" not in path.parts]


def imports(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def statements(tree: ast.AST) -> list[str]:
    """Return every string in a module that begins like an SQL statement."""
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.match(node.value)
    ]


def test_no_driver_is_imported_outside_the_event_store():
    found = {path.relative_to(ROOT).as_posix(): imports(ast.parse(path.read_text())) & DRIVERS for path in modules()}

    assert {name for name, drivers in found.items() if drivers} == set(ALLOWED)


def test_every_statement_outside_the_event_store_is_of_one_dialect():
    found = [
        f"{path.relative_to(ROOT)}: {statement[:70]}"
        for path in modules()
        if path.relative_to(ROOT).as_posix() not in ALLOWED
        for statement in statements(ast.parse(path.read_text()))
        if DIALECT.search(statement)
    ]

    assert found == []


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT OR REPLACE INTO a VALUES (1)",
        "PRAGMA user_version",
        "SELECT last_insert_rowid()",
        "INSERT INTO a VALUES (1) ON CONFLICT DO UPDATE SET b = 1",
        "SELECT a::int FROM b",
        "SELECT a FROM b WHERE c = %s",
    ],
)
def test_the_check_knows_a_dialect_when_it_sees_one(statement):
    assert STATEMENT.match(statement) and DIALECT.search(statement)


def whole_statements(path: Path) -> set[str]:
    """Return the SQL statements that are written whole in a module, not composed at run time."""
    tree = ast.parse(path.read_text())
    pieces = {
        id(piece)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr | ast.BinOp)
        for piece in ast.walk(node)
    }
    module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    literals = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces
    }
    constants = {value for value in vars(module).values() if isinstance(value, str)}
    return {text for text in literals | constants if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH) ", text)}


@pytest.mark.postgresql
def test_postgresql_understands_every_whole_statement(tmp_path):
    """PostgreSQL accepts every statement: unlike SQLite, it rejects a number as a condition and an ambiguous column
    in an upsert."""
    from support.hosts import postgres

    from eventstore.postgres.dialect import translate
    from pbem.campaigns import tick as campaigns
    from pbem.matches.installation import open_server
    from pbem.tournaments import stream as tournaments
    from pbem.tournaments.post import webhooks

    refused: list[str] = []
    numbers = itertools.count()
    with closing(open_server(tmp_path / "pbem.db", {}, database=postgres.cluster().empty())) as server:
        for part in (campaigns, tournaments, webhooks):
            part.create_tables(server.database)
        for path in modules():
            for statement in () if {"tools", "__main__.py"} & {*path.parts} else whole_statements(path):
                places = itertools.count(1)
                asked = re.sub("%s", lambda found, places=places: f"${next(places)}", translate(statement))
                try:
                    server.database._connection.execute(f"PREPARE s{next(numbers)} AS {asked.replace('%%', '%')}")
                except Exception as problem:
                    refused.append(f"{path.relative_to(ROOT)}: {statement[:70]}: {problem}")

    assert next(numbers) > 200 and refused == []


def test_what_the_dialect_becomes_on_postgresql():
    from eventstore.postgres.dialect import translate

    assert translate("SELECT 'a?%' FROM b WHERE c = ? AND d LIKE 'e%'") == (
        "SELECT 'a?%%' FROM b WHERE c = %s AND d LIKE 'e%%'"
    )
    assert translate("CREATE TABLE IF NOT EXISTS a (b TEXT PRIMARY KEY, c BLOB, d INTEGER)") == (
        'CREATE TABLE IF NOT EXISTS a (b TEXT COLLATE "C" PRIMARY KEY, c BYTEA, d BIGINT, '
        "rowid BIGINT GENERATED BY DEFAULT AS IDENTITY)"
    )
    assert translate("CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT)") == (
        "CREATE TABLE a (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY)"
    )


def test_no_statement_takes_away_what_the_release_before_reads():
    """No statement drops a table or relies on the number of its columns.

    While a new release starts, the old one still serves pages from the same tables, and the new one may have added a
    column.
    """
    taking = re.compile(r"\bDROP (TABLE|COLUMN|VIEW)\b|\bRENAME\b|\bINSERT INTO \w+ (VALUES|SELECT)\b")
    found = [
        f"{path.relative_to(ROOT)}: {statement[:70]}"
        for path in [*modules(), *sorted((ROOT / "eventstore").rglob("*.py"))]
        if "tools" not in path.parts
        for statement in statements(ast.parse(path.read_text()))
        if taking.search(statement)
    ]

    assert found == []
