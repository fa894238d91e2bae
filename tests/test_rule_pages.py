"""The rules and their sources are written out in every language, and say the same in each."""

import re
from pathlib import Path

import pytest

RULES = Path(__file__).parent.parent / "docs" / "rules"
TAGS = {"cartagena": [f"C{n}" for n in range(1, 21)], "evades": [f"G{n}" for n in range(1, 15)]}
SOURCE = {"fr": "Source", "da": "Kilde", "de": "Quelle"}
DECISION = {"fr": "Décision", "da": "Afgørelse", "de": "Entscheidung"}


def page(name: str, language: str = "") -> str:
    """A text as it is shown."""
    return (RULES / f"{name}{language and '.'}{language}.md").read_text()


def rules(text: str) -> dict[str, str]:
    """What is written under each tag."""
    found = re.findall(r"^- \*\*([CG]\d+) [^*]+\.\*\* (.*\n(?:  .*\n)*)", text, re.MULTILINE)
    assert len(found) == len(dict(found))
    return dict(found)


@pytest.mark.parametrize("language", SOURCE)
@pytest.mark.parametrize("game", TAGS)
def test_every_rule_is_there_in_every_language_with_its_source(game: str, language: str) -> None:
    own = rules(page(game, language))
    assert sorted(own) == sorted(TAGS[game])
    named = rf"\b{SOURCE[language]}\s?: (.*?)\.(?:\s|$)"
    sources = {tag: re.findall(named, text, re.DOTALL) for tag, text in own.items()}
    assert not [tag for tag, found in sources.items() if len(found) != 1]
    english = rules(page(game))
    assert set(english) <= set(own)
    for tag, text in english.items():
        cited = re.findall(r"\d{3}", text.split("Source:")[1].split(".")[0])
        assert re.findall(r"\d{3}", sources[tag][0]) == cited, tag
        assert ("Decision:" in text) == bool(re.search(rf"\b{DECISION[language]}\s?: ", own[tag])), tag


@pytest.mark.parametrize("language", SOURCE)
@pytest.mark.parametrize("game", TAGS)
def test_the_examples_and_house_rules_are_the_same_in_every_language(game: str, language: str) -> None:
    positions = re.compile(r"^```\n(.*)\n```$", re.MULTILINE)
    assert positions.findall(page(game, language)) == positions.findall(page(game))
    moves = re.compile(r"`([A-Zb-y]?\d*[<>]\d+(?: [^`]+)?)`")
    assert moves.findall(page(game, language)) == moves.findall(page(game))
    names = re.compile(r"^\| `([a-z-]{4,})`", re.MULTILINE)
    assert set(names.findall(page(game))) <= set(names.findall(page(game, language)))


@pytest.mark.parametrize("language", ["", *SOURCE])
def test_the_sources_are_honoured_in_every_language(language: str) -> None:
    text = page("about", language)
    for name in ("Leo Colovini", "Didier Guisérix", "Tilsit, 2005", "Venice Connection", "La Rochelle", "Flugten"):
        assert name in text
    for name in ("Ravensburger", "1988", "Josée Lacasse-Keppers", "Claudine Oger-Maas", "Ausbrecher AG", "1672"):
        assert name in text
    assert re.findall(r"^\| (\d{3}) \|", text, re.MULTILINE) == ["000", "001", "002", "004", "003"]
    ending = f"{language and '.'}{language}.md"
    assert re.findall(r"\]\((\w+)([^)]+)\)", text) == [("cartagena", ending), ("evades", ending)]
