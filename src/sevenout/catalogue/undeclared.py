"""Games whose rules are Python programs that can't be declared."""

REASONS = {
    "its like entries are counted together; apart they make too many states to expand": (
        "repeater-plus-citywide",
    ),
    "the bet goes by the number of rolls in a whole hand, which no declaration counts": (
        "hot-shooter-jackpot",
    ),
    "a throw decides which main is played; a declaration has one list of totals": (
        "hazard-main-thrown",
    ),
    "the caster calls a main before each round; a declaration has one list of totals": (
        "hazard-main",
        "hazard-main-setter",
        "hazard-mains",
    ),
    "the next roll must be higher than the point; a declaration asks for the point itself": (
        "high-point-pass",
    ),
    "one side's roll is compared with the other's, which no declaration can say": (
        "cee-lo-player",
        "klondike-win-lose",
        "risk-battle",
    ),
    "two players roll in turn without choices; only a race is declared so": (
        "barbudi",
        "barbudi-5-charge",
    ),
    "a coin has no numbers on its faces": ("piglet",),
    "a die of the cargo that lay may be rolled again; a declaration keeps it": (
        "ship-captain-and-crew-either",
    ),
    "the player chooses tiles, columns or men by the total, which no declaration can say": (
        "shut-the-box",
        "shut-the-box-two-dice",
        "shut-the-box-score",
        "shut-the-box-6",
        "shut-the-box-10",
        "shut-the-box-12",
        "bear-off",
        "bear-off-every",
        "bear-off-race",
        "cant-stop",
        "cant-stop-3",
    ),
    "scores go by combinations of faces, which no declaration can say": (
        "yahtzee",
        "yatzy",
        "farkle-turn",
        "zilch-turn",
    ),
    "the player raises a bet or takes it down in mid-game; only giving it up can be declared": (
        "craps-odds-up",
        "dont-pass-up",
        "place-up",
        "place-three-wins",
    ),
    "a player does not see everything; its certificate is of two policies": (
        "matching-pennies",
        "rock-paper-scissors",
        "kuhn",
        "liars-dice",
        "liars-dice-wild",
        "dudo",
        "perudo",
        "mia",
        "pig-simultaneous",
        "dice-bids",
    ),
}
"""Why a certificate does not carry the rules, and the entries."""


def reason_of(name: str) -> str:
    """Why an entry's rules are not declared; empty if unknown.

    >>> reason_of("piglet"), reason_of("craps")
    ('a coin has no numbers on its faces', '')
    """
    return next((why for why, names in REASONS.items() if name in names), "")
