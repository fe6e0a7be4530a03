"""The rules of the source tree: who may import what, where Cypher lives, how long a module is."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "graphcrawl"
FILES = sorted(PACKAGE.rglob("*.py"))

# Third-party package → the only module (or package of that name) that may import it.
ONLY_IN = {
    "neo4j": "graph",
    "httpx": "fetch",
    "httpcore": "fetch",
    "typer": "cli",
    "rich": "cli",
}
# Modules that compute and know nothing of the graph, the crawl or the terminal.
PURE = ("errors", "models", "urls", "parse", "jobs", "scoring", "readers", "where")
NOT_FOR_PURE = ("graph", "frontier", "record", "crawl", "cli", "server", "rewards", "connection")
CYPHER = re.compile(
    r"\b(MATCH|MERGE|CREATE|DETACH DELETE)\s*\(\w*[:)]|\bUNWIND\s+\$|\bRETURN\s+\w+[.(]"
    r"|\bCALL\s+(gds|db|dbms|apoc)\.|\bCREATE (CONSTRAINT|INDEX)\b|\bALTER (CURRENT )?USER\b"
)


def module_of(path: Path) -> str:
    """Return the first part of a module's name below the package: `cli` for cli/db.py."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


each_file = pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))


def imports(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports, wherever the statement stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def strings(path: Path) -> Iterator[str]:
    """Yield the string literals of a file that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


@each_file
def test_each_library_has_one_importer(path: Path) -> None:
    for name in imports(path):
        owner = ONLY_IN.get(name.partition(".")[0])
        assert owner in (None, module_of(path)), f"only {owner} may import {name}"


@each_file
def test_arrows_point_one_way(path: Path) -> None:
    own = module_of(path)
    for name in imports(path):
        if not name.startswith("graphcrawl."):
            continue
        target = name.split(".")[1]
        assert target != "cli" or own in ("cli", "__main__"), f"{own} imports the command line"
        assert own not in PURE or target not in NOT_FOR_PURE, f"{own} is pure, but imports {name}"


@each_file
def test_cypher_lives_in_its_own_files(path: Path) -> None:
    for text in strings(path):
        assert not CYPHER.search(text), f"Cypher in a string: {text[:80]!r}"


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (p:PageNeuron) RETURN p",
        "UNWIND $rows AS row",
        "CALL gds.graph.project('x')",
        "MERGE (:Meta)",
        "RETURN count(*)",
    ],
)
def test_cypher_is_recognised(text: str) -> None:
    assert CYPHER.search(text)


@each_file
def test_modules_are_short(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= 400, f"{lines} lines; split it into a package of the same name"


@each_file
def test_everything_public_has_a_docstring(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "the module says nothing"
    missing = [name for name, node in public(tree) if not ast.get_docstring(node)]
    assert not missing, f"no docstring: {missing}"


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def public(node: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[tuple[str, Definition]]:
    """Yield functions, classes and methods whose names do not begin with an underscore."""
    for child in node.body:
        if isinstance(child, Definition) and not child.name.startswith("_"):
            yield prefix + child.name, child
            if isinstance(child, ast.ClassDef):
                yield from public(child, f"{child.name}.")


@each_file
def test_only_the_command_line_prints(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    prints = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    is_program = any(isinstance(n, ast.If) and "__main__" in ast.dump(n.test) for n in tree.body)
    assert not prints or module_of(path) == "cli" or is_program, f"prints in lines {prints}"


def test_help_loads_nothing_heavy() -> None:
    heavy = {"neo4j", "httpx", "lxml", "selectolax", "trafilatura", "pandas", "arro3", "pydantic"}
    code = (
        "import sys, graphcrawl.cli as c; code = c.run(['--help']); "
        f"print(sorted({heavy!r} & set(sys.modules)), int(code))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[] 0"


def test_names_of_test_files_are_unique() -> None:
    """Without packages, pytest tells test modules apart by their names alone."""
    names = [path.name for path in Path(__file__).parents[1].rglob("*.py")]
    assert not [name for name in names if names.count(name) > 1 and name != "conftest.py"]
