"""Ratings are those of the paper's worked example, and behave as the paper says."""

import pytest

from escapade.glicko import Rating, rated

WON, LOST = 1.0, 0.0


def test_the_example_of_the_paper() -> None:
    met = [(Rating(1400, 30), WON), (Rating(1550, 100), LOST), (Rating(1700, 300), LOST)]
    after = rated(Rating(1500, 200, 0.06), met)
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_who_does_not_play_is_less_sure() -> None:
    after = rated(Rating(1500, 200, 0.06), [])
    assert (after.rating, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(200.2714, abs=0.001)


def test_an_upset_moves_more_than_what_was_expected() -> None:
    weak, strong = Rating(1200, 80), Rating(1900, 80)
    assert rated(weak, [(strong, WON)]).rating - 1200 > 10 * (rated(strong, [(weak, WON)]).rating - 1900) > 0
    for one in (Rating(), weak, strong):
        for other in (Rating(), weak, strong):
            assert rated(one, [(other, WON)]).rating > one.rating > rated(one, [(other, LOST)]).rating
            assert rated(one, [(other, WON)] * 50).volatility > 0
