"""Games built from games: nested, mixed, limited, or played on the same rolls."""
