"""Yahtzee with one box and with two, as a file that the command is given."""

from sevenout.catalogue.choice_games.yahtzee import Yahtzee


class OneBox(Yahtzee):
    """The yahtzee alone."""

    card = (frozenset({"yahtzee"}), False)


class TwoBoxes(Yahtzee):
    """The yahtzee and the chance."""

    card = (frozenset({"yahtzee", "chance"}), False)
