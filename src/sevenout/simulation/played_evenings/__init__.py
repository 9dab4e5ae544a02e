"""Simulated evenings."""
