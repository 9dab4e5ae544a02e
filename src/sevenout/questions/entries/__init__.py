"""The questions: each module declares a `QUESTION` and a function that answers it.

They import what they need inside that function, because the command line reads all of them.
"""
