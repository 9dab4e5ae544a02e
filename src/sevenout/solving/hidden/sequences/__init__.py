"""The sequence form: plans, best replies, and equilibria by linear programming.

`sequence_matrix` builds it, `subgames` splits it, and `bestreply` proves values. `nash` finds
plans: in fractions by `simplex`; or in floats by `highs` and `regret`, made exact by
`indifference`.
"""
