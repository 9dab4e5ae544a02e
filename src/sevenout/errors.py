"""The errors of the house. Each names the value that is wrong and says what would be right."""


class SevenoutError(ValueError):
    """The root of every error that a user's input can cause."""


class NotationError(SevenoutError):
    """A text that is not dice, a count, a variant or a game."""


class RulesError(SevenoutError):
    """Rules that contradict themselves or the dice."""


class EndlessGameError(RulesError):
    """A game that can go on for ever with positive probability; the message names the states."""


class TooManyStatesError(RulesError):
    """A game with more states than the limit allows."""
