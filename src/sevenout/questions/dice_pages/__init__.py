"""Pages of designed dice: their faults, ranked faces and grids."""
