"""Imported once, by the process that workers are forked from."""

from sevenout.lab.worker import warm

warm()
