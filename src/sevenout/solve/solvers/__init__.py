"""The solvers: fractions by elimination and policy iteration, and floats that integers prove."""
