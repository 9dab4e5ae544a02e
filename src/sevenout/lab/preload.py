"""Imported once by the process that workers are forked from: the house, loaded and looked at."""

from sevenout.lab.worker import warm

warm()
