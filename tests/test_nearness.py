"""Mutants meet the tests that would notice them."""

from pathlib import Path

from tools.nearness import defined, importing, nearest

FILES = {
    "core/__init__.py": "",
    "core/fabric/__init__.py": "from core.fabric.ring import ring_time\n",
    "core/fabric/ring.py": "from core.fabric.inner import steps\n\ndef ring_time(ranks):\n    return steps(ranks)\n",
    "core/fabric/inner.py": "LEAST = 2\n\ndef steps(ranks):\n    return max(LEAST, ranks)\n",
    "core/other.py": "def steps(them):\n    return them\n",
    "tests/test_package.py": "from core.fabric import ring_time\n\ndef test_it():\n    assert ring_time(3) == 3\n",
    "tests/test_inner.py": "from core.fabric import inner\n\ndef test_it():\n    assert inner.steps(3) == 3\n",
    "tests/test_other.py": "from core.other import steps\n\ndef test_it():\n    assert steps(3) == 3\n",
    "tests/test_words.py": '"""Of ring_time, LEAST and inner steps in words alone."""\n',
}


def _checkout(folder):
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return [path.relative_to(folder) for path in sorted((folder / "tests").glob("*.py"))]


def test_a_module_without_a_test_of_its_own_meets_those_of_what_imports_it(tmp_path):
    """First who uses its names, in its own package before another; then through the package; never by words."""
    tests = _checkout(tmp_path)
    near = [path.stem for path in nearest(tmp_path, Path("core/fabric/inner.py"), tests, 5)]

    assert near == ["test_inner", "test_other", "test_package"]
    assert nearest(tmp_path, Path("core/fabric/inner.py"), tests, 1) == [Path("tests/test_inner.py")]


def test_what_a_module_defines_and_who_imports_it(tmp_path):
    """Functions, constants and its own name; `from package import module` imports the module."""
    _checkout(tmp_path)

    assert defined(tmp_path / "core/fabric/inner.py") == {"inner", "LEAST", "steps"}
    assert importing(tmp_path, {Path("core/fabric/ring.py")}) == {Path("core/fabric/__init__.py")}
