"""Games of hidden hands and open moves: the tree of public histories, with all hands at each node.

`hands_game` has the rules, `undominated` the tree without dominated options, `unfolding` its
sequence form. `matching` does regret matching for larger games; `narrowed` makes its averages
exact, and `exact_averages` proves them.
"""
