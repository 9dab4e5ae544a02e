"""Solvers: elimination, lifting, policy iteration, and certified iterative refinement."""
