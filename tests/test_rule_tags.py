"""Every rule can be traced from its line in docs/rules to the one function that decides it and to its test."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TAGS = [f"C{n}" for n in range(1, 21)] + [f"G{n}" for n in range(1, 15)]


def functions(folder: Path) -> Iterator[ast.FunctionDef]:
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                yield node


@cache
def docstrings() -> list[str]:
    return [ast.get_docstring(f) or "" for f in functions(ROOT / "src/escapade")]


@cache
def all_tests() -> list[str]:
    return [f.name for f in functions(ROOT / "tests")]


PAGES = {"C": ROOT / "docs/rules/cartagena.md", "G": ROOT / "docs/rules/evades.md"}


@pytest.mark.parametrize("tag", TAGS)
def test_a_rule_is_a_line_of_the_rule_page_with_its_source(tag: str) -> None:
    page = PAGES[tag[0]].read_text()
    lines = re.findall(rf"^- \*\*{tag} [^*]+\.\*\*(?:.*\n)(?:  .*\n)*", page, re.MULTILINE)
    assert len(lines) == 1
    assert "Source:" in lines[0]


@pytest.mark.parametrize("tag", TAGS)
def test_a_rule_is_decided_by_one_function_that_names_it(tag: str) -> None:
    assert len([doc for doc in docstrings() if f"({tag})" in doc]) == 1


@pytest.mark.parametrize("tag", TAGS)
def test_a_rule_has_a_test_named_as_a_sentence(tag: str) -> None:
    sentences = [name for name in all_tests() if name.startswith(f"test_{tag.lower()}_")]
    assert sentences
    assert all(name.count("_") >= 4 for name in sentences)
