"""The questions, by subject: each is a function declared with `asks`.

The functions import what they need inside, because the command line reads all modules.
"""
