"""Hidden hands and open moves: a tree of what both players see, with all hands at each node.

`hands_game` has the rules as a small graph, `undominated` the tree without what is beaten for sure,
`unfolding` its sequence form, `matching` the regret matching of games that are too large for it.
`narrowed` makes its averages exact, and `exact_averages` proves them by best replies.
"""
