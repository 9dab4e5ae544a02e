"""Pages about designed dice: faults, ranked faces and grids."""
