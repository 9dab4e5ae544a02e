"""The sequence form: plans, best replies, and linear programs that find an equilibrium.

`sequence_matrix` makes it of rules, `subgames` splits it, `bestreply` proves, `nash` finds plans:
by `simplex` in fractions, or by `highs` and `regret` in floats, which `indifference` makes exact.
"""
