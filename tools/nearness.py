"""Which tests are near a module: those that use its names, or else the names of what imports it."""

import ast
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PROGRAM = ("core", "db", "gpu_probe", "pages")


def nearest(root: Path, path: Path, tests: Iterable[Path], most: int) -> list[Path]:
    """
    The tests that use most of what a module defines; where they are few, of the modules that import it too.

    A name counts the less the more tests have it, so that a word of every file brings none nearer, and tests
    that import the module's package come first. Paths are relative to the checkout.
    """
    words = {test: _used(root / test) for test in tests}
    spread = Counter(word for found in words.values() for word in found)
    package = dotted(path).rpartition(".")[0]
    of_package = {test for test in words if any(_within(name, package) for name in _imported(root / test))}
    near: list[Path] = []
    level, seen = {path}, {path}
    while level and len(near) < most:
        names = {name for module in level for name in defined(root / module)}
        worth = {test: sum(1 / spread[name] for name in names & found) for test, found in words.items()}
        found = [test for test in worth if worth[test] and test not in near]
        near += sorted(found, key=lambda test: (test not in of_package, -worth[test], test))
        level = importing(root, level) - seen
        seen |= level
    return near[:most]


def defined(file: Path) -> set[str]:
    """The names that a module makes at its top, and its own, by which others import it."""
    own = file.parent.name if file.stem == "__init__" else file.stem
    names = {own}
    for node in _tree(file).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def importing(root: Path, paths: set[Path]) -> set[Path]:
    """The modules of the program that import one of these."""
    wanted = {dotted(path) for path in paths}
    files = (file for place in PROGRAM for file in (root / place).rglob("*.py"))
    modules = {file.relative_to(root): _imported(file) for file in files}
    return {module for module, names in modules.items() if wanted & (names - {dotted(module)})}


def dotted(path: Path) -> str:
    """What a module is imported as."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


@cache
def _imported(file: Path) -> frozenset[str]:
    """Every module that a file may import: `from a import b` may mean `a` or `a.b`."""
    names: set[str] = set()
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)


@cache
def _used(file: Path) -> frozenset[str]:
    """The names in a file's code, without its sentences."""
    names: set[str] = set()
    for node in ast.walk(_tree(file)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                names.add(name.rpartition(".")[2])
    return frozenset(names)


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))
