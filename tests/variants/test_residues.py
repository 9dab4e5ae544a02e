"""Without NumPy: the same search in lists finds the same, and says the same of it."""

import sys
from typing import Any

import pytest

from sevenout.extras import MissingError
from sevenout.variants import Family, NoVariantError, fairest
from sevenout.variants.bundles import bundles_of
from sevenout.variants.residues import MAX_LIST_KEYS, ListHalf, ListHalves, halve


def found(dice: str, target: str, side: Any) -> Any:
    """All that a search says; None where it finds nothing."""
    try:
        best = fairest(Family(dice), target, side)
    except NoVariantError as error:
        return str(error)
    return best.to_dict(), best.examined


@pytest.mark.parametrize("target", ["1/2", "3/10", "5669/11340"])
@pytest.mark.parametrize("dice", ["2d4", "2d6", "3d6", "2d12", "4d6", "1d6+1d8"])
def test_lists_find_what_arrays_find(
    monkeypatch: pytest.MonkeyPatch, dice: str, target: str
) -> None:
    sides = ("below", "nearest", "above")
    arrays = [found(dice, target, side) for side in sides]
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert [found(dice, target, side) for side in sides] == arrays


def test_halves_in_lists_have_the_same_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = bundles_of(Family("2d12"))
    arrays = [halve(bundle) for bundle in parts]
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "numpy", None)
        lists = [halve(bundle) for bundle in parts]
    for bundle, array, plain in zip(parts, arrays, lists, strict=True):
        assert isinstance(plain.cluster_half, ListHalf)
        assert plain.cluster_half.keys == array.cluster_half.keys.tolist()
        assert plain.other_half.sorted_keys == array.other_half.sorted_keys.tolist()
        assert plain.cluster_half.residues == array.cluster_half.residues.tolist()
        for low, high in ((0, 0), (5, 17), (bundle.modulus // 2, 3 * bundle.modulus)):
            columns = [[int(x) for x in column] for column in array.windows(low, high)]
            assert [list(column) for column in plain.windows(low, high)] == columns


def test_what_lists_are_too_slow_for_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    half = halve(bundles_of(Family("2d6"))[0])
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingError, match="pip install numpy"):
        ListHalves(
            half.bundle, half.scale, 0, half.cluster_half, half.other_half, MAX_LIST_KEYS + 1
        )
    with pytest.raises(MissingError, match="pip install numpy"):
        fairest(Family("2d6", n_points=3))
