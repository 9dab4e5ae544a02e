"""Games made of games: nested, mixed, limited, or played on the same rolls."""
