"""The trees of coins choose exactly."""

from fractions import Fraction
from math import log2

from hypothesis import given
from hypothesis import strategies as st

from sevenout.simulation.backends.random_bits import DDGTree, ddg_tree

small = st.lists(st.integers(1, 40), min_size=1, max_size=12).map(tuple)
large = st.lists(st.integers(1, 10**40), min_size=1, max_size=6).map(tuple)


def chances(tree: DDGTree) -> list[Fraction]:
    """The probability of every slot, refusals not repeated."""
    p = [Fraction(0)] * tree.slots
    p[0] = Fraction(1)
    for node, children in enumerate(tree.children):
        for slot in children:
            assert slot > node
            p[slot] += p[node] / 2
    return p


@given(small | large)
def test_a_tree_gives_each_outcome_its_weight_exactly(weights: tuple[int, ...]) -> None:
    tree = ddg_tree(weights)
    p = chances(tree)
    refused = p[tree.refusal] if tree.children else Fraction(0)
    outcomes = p[len(tree.children) : tree.refusal]
    accepted = 1 - refused
    assert refused < Fraction(1, 2)
    assert [q / accepted for q in outcomes] == [Fraction(w, sum(weights)) for w in weights]


@given(small | large)
def test_a_tree_costs_at_most_two_bits_more_than_the_entropy(weights: tuple[int, ...]) -> None:
    # The bound of Knuth and Yao, for the law that has the refusal as one more outcome.
    tree = ddg_tree(weights)
    p = chances(tree)
    leaves = [float(q) for q in p[len(tree.children) :] if q]
    entropy = -sum(q * log2(q) for q in leaves)
    tossed = float(sum(p[: len(tree.children)]))
    assert tossed <= entropy + 2 + 1e-9


@given(small | large)
def test_depths_are_those_of_the_nodes(weights: tuple[int, ...]) -> None:
    tree = ddg_tree(weights)
    depth = dict(enumerate(tree.depths))
    for node, children in enumerate(tree.children):
        for slot in children:
            assert slot >= len(tree.children) or depth[slot] == depth[node] + 1
    assert list(tree.depths) == sorted(tree.depths)


def test_one_outcome_costs_nothing() -> None:
    assert ddg_tree((5,)).children == ()
