"""The questions: one module for each, whose `QUESTION` declares it and whose function answers it.

What a question needs is imported where it is answered: the command line reads all of them.
"""
