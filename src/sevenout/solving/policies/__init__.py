"""Policies: values of options, mistakes, and strategy cards."""
