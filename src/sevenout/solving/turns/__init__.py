"""Games of turns as factored models: explore the turn once, and solve it for each score card."""
