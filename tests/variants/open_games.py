"""Game files with open numbers, and the cost of a table by its definition, for the tests."""

from sevenout.variants.bounded_search import INVERSION_COST, digit_cost

CRAPS = """
format = 1
name = "Craps"

[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
"""
LETTERS = "\n".join(f'{row}{roll} = "1..10"' for row in "abc" for roll in "123")
FAST = f"""
format = 1
name = "Fast Craps"

[open]
{LETTERS}
order = [
    "a1 > a2 > a3", "b1 > b2 > b3", "c1 > c2 > c3",
    "a1 > b1 > c1", "a2 > b2 > c2", "a3 > b3 > c3",
]

[[line]]
naturals = [11]
craps = [2, 3, 12]
pushes = [7]
out = 7
limit = 3

[line.bets.pass]
point = {{ "4,10" = ["a1", "a2", "a3"], "5,9" = ["b1", "b2", "b3"], "6,8" = ["c1", "c2", "c3"] }}
"""
THREE = """
format = 1
name = "Three bets"
dice = "2d4"

[open]
a = "1..2 by 1/2"
b = [1, 2, "5/2"]
c = "-1..1"
n = "1..2"
t = [3, 7, 8]
s = [1, 2]
order = "a >= b"

[[line]]
naturals = [7]
craps = [2, 8]
pushes = [4]
out = "t"
limit = "n"

[line.bets.pass]
point = { "3" = "a", "5,6" = "b" }
stake = "s"
late = 0

[line.bets.doubt]
natural = -1
craps = "c"
out = "c"
point = -1

[line.bets.plain]
push = "0..1"
"""


def cost_of(roughness, values):
    """The cost of a table, one number and one pair at a time."""
    pays = sum(len({values[n] for n in names}) for names in roughness.pays_by_bet.values())
    crooked = sum(values[more] < values[less] for more, less in roughness.expected_order)
    return pays + INVERSION_COST * crooked + sum(map(digit_cost, values.values()))
