"""Perft counts, confirmed by the oracles to the depth that they can reach in reasonable time."""

import pytest
from oracle import cartagena, evades

from escapade import parse

BET = "br.yl.do.n"
WORKED = (
    "BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 0.6.6.9.17.18/5.8.17.17.22.26/0.11.12.19.19.29/0.9.21.30.33.37"
    " BDDDD/HK/-/PSS"
)
LATE = "BPHSDK/DBKPHS/PKDHSB 9.19.19.19.19.19/1.1.2.5.9.11"
SHORT = "BPHSDK/DBKPHS/PKDHSB 0.2.5.5.9.19/1.1.2.5.9.11"
COUNTS = {
    # the rule sheets' example, the row and pile filled up
    f"tortuga {WORKED} KDDBSP HHHBK B14D11H13K14P15S14 1:0:41": (14, 210, 3327, 46525, 614030),
    f"jamaica {WORKED} - KB B15D13H16K15P16S15 1:0:41": (14, 210, 3331, 46582, 610686),
    # the boat's pirates stay, and hands are hidden, which changes nothing
    f"jamaica+boat-retreat=off {WORKED} - KB B15D13H16K15P16S15 4:0:44": (14, 201, 2930, 41102, 567732),
    # a short tunnel, empty hands, an empty row and no pile
    f"first-escape {SHORT} -/KS - - B18D18H18K17P18S17 1:0:1": (6, 64, 652, 7940, 74726),
    f"first-escape-open {SHORT} D/K PS B B17D17H18K17P17S17 2:1:2": (10, 99, 882, 8677, 95685),
    # the last pirates
    f"hispaniola {LATE} BH/- KD - B16D16H16K16P17S17 1:1:7": (5, 28, 131, 1131, 7061),
    # Les Évadés: before the bets, at the first throw, with a stack, and with the last two
    "evades 0:bryldon -/- - - 1:0": (630, 396900, 3000564000),
    f"evades 0:bryldon {BET}/{BET} - - 1:1": (7560, 22680, 45360),
    f"evades+count-jumped=off 0:y,3:br,4:l,6:d,#1:on {BET}/{BET} b2w3 - 2:14": (4, 7561, 119664),
    f"evades 1:d,2:o,#1:br,#2:ln,#3:y {BET}/{BET} - - 1:30": (108, 216, 5310),
}
DEEP = {"tortuga": 3, "jamaica": 3, "jamaica+boat-retreat=off": 3, "evades": 2}


@pytest.mark.parametrize(("position", "counts"), COUNTS.items(), ids=[text[:40] for text in COUNTS])
def test_the_number_of_sequences_is_the_oracles(position: str, counts: tuple[int, ...]) -> None:
    depth = DEEP.get(position.split(" ")[0], 4)
    if position.startswith("evades"):
        escape = evades.Evades.parse(position)
        assert tuple(evades.perft(escape, d) for d in range(1, min(depth, len(counts)) + 1)) == counts[:depth]
    else:
        tunnel = cartagena.Cartagena.parse(position)
        assert tuple(cartagena.perft(tunnel, d) for d in range(1, depth + 1)) == counts[:depth]


@pytest.mark.parametrize(("position", "counts"), COUNTS.items(), ids=[text[:40] for text in COUNTS])
def test_the_library_counts_the_same_and_further(position: str, counts: tuple[int, ...]) -> None:
    game = parse(position)
    assert tuple(game.perft(depth) for depth in range(len(counts) + 1)) == (1, *counts)
