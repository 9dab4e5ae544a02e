"""What is said at a craps table, taken apart into words: commands, and phrases that name bets.

No word is passed over: a line that is not understood to its last word is refused.
"""

import re
from typing import NamedTuple

from sevenout.errors import NotationError, shown
from sevenout.games.craps_family.bets.side import SIDE
from sevenout.games.craps_family.table.spots import BONUS, BOXES, NEXT
from sevenout.numerals import exact
from sevenout.rules.casino.felt import Money, whole

MOST = "most"
LONGEST = 200
"""The most characters in a line."""
NUMBERS = {
    **{"ace": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"},
    **{"seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12", "fifteen": "15"},
    **{"twenty": "20", "fifty": "50", "hundred": "100", "sixes": "6", "eights": "8"},
}
PHRASES = (
    (r"\bsnake eyes\b", "aces"),
    (r"\bhigh low\b|\bhi lo\b|\bhilo\b|\bhigh-low\b", "hi-lo"),
    (r"\bc ?(?:and|&|n) ?e\b|\bce\b|\bcraps and eleven\b", "c&e"),
    (r"\b1[ -]deuce\b", "ace-deuce"),
    (r"\b3[ -]way\b", "three-way"),
    (r"\bflaming 4\b", "flaming four"),
    (r"\bsizzling 6\b", "sizzling six"),
    (r"\b(?:big|any) red\b|\bred\b|\bany ?seven\b|\bany ?7\b", "any 7"),
    (r"\bany ?craps?\b", "any craps"),
    (r"\b(?:all )?(?:the )?hard ?ways?\b|\ball (?:the )?hards?\b|\bhards\b", "hard"),
    (r"\b(?:pass ?)?line\b(?! bets?)|\bpl\b|\bright side\b", "pass"),
    (r"\bdark side\b|\bdp\b|\bwrong side\b", "don't pass"),
    (r"\bdc\b", "don't come"),
    (r"\b(?:dont|no|do not|don’t)\b(?= (?:pass|come|line))", "don't"),
    (r"^(?:dont|don't)$", "don't pass"),
    (r"\byo-?leven\b|\beleven\b|\byo eleven\b", "yo"),
    (r"\bmidnight\b", "boxcars"),
    (r"\bwhirl\b", "world"),
    (r"\bhop(?:ping|s)\b", "hop"),
    (r"\bfull press\b", "press"),
    (r"\b(?:a|1)? ?(?:dollar|buck)\b", " 1 "),
    (r"(?<=\d) (?:dollars|bucks)\b", ""),
    (r"\ball (?:the |of the )?(?:box )?numbers\b", "across"),
    (r"\b(?:max|maximum|full|most|all you take)\b", MOST),
    (r"\bodd\b", "odds"),
    (r"^bets?$|\beverything\b|\ball (?:my )?bets\b|\bmy bets\b", "all"),
    (r"\b(?:small|tall|all)(?:,? (?:and )?(?:small|tall|all)){2}\b", "ats"),
)
"""Synonyms."""
IDLE = {"the", "for", "a", "an", "my", "bet", "bets", "please", "of", "behind", "and", "each", "to"}
IDLE |= {"put", "at", "in", "i", "want", "me", "dice", "dealers", "dealer", "chips"}
"""Words ignored beside others."""
GROUPS = {
    "inside": (5, 6, 8, 9),
    "outside": (4, 5, 9, 10),
    "across": (4, 5, 6, 8, 9, 10),
}
"""Groups of numbers placed together."""
NUMBERED = (*BOXES, "hard", "big")
NAMES = {
    *("pass", "don't pass", "field", "odds", "hop", "ats", "c&e"),
    *(*NUMBERED, *GROUPS, *NEXT, *BONUS, *SIDE),
}
VERBS = {"off", "on", "down", "working"}
"""Verbs that may follow their object: 6 down."""
AMOUNT = r"\d{1,12}(?:\.\d{1,4}|/[1-9]\d{0,3})?"


class Phrase(NamedTuple):
    """A parsed line.

    Attributes:
        words: canonical words, without a plain amount.
        amount: the amount if it is plain ($12, 12 on the 6, for 12), or `MOST`.
        joined: whether the last numbers belong together: 6 and 8.
    """

    words: tuple[str, ...]
    amount: Money | str | None = None
    joined: bool = False


class Command(NamedTuple):
    """The command in a line.

    Attributes:
        verb: one of `COMMANDS`, or "bet".
    """

    verb: str
    rest: str


COMMANDS = (
    ("roll", r"(?:(?:come ?out )?(?:roll|r|throw|shoot|next|go)(?: (?:the )?dice)?)?"),
    ("roll", r"(?:(?:roll|r|throw|shoot) )?(?P<rest>[1-6][ ,]+[1-6])"),
    ("roll", r"(?:roll|throw|shoot) (?P<rest>[\d ,]+)"),
    ("help", r"(?:help|h|rules|\?)|(?P<rest>crapless.*)"),
    ("help", r"(?:help(?: with| on)?|\?) ?(?P<rest>.+)"),
    ("bets", r"bets?|legal|options|layout|(?:what )?(?:bets? )?can i (?:bet|do)(?: now)?"),
    ("felt", r"(?:(?:what's |what is )?my )?(?:felt|status|stats|money|rail|rack|bankroll|chips)"),
    ("felt", r"table|how much.*|how am i doing"),
    ("edge", r"(?:what(?: is|'s|s) )?(?:the )?(?:edge|cost|odds of)(?: of| on| for)? (?P<rest>.+)"),
    ("why", r"why(?: can't i| not| no)?(?: bet)? (?P<rest>.+)"),
    ("coach", r"coach.*|expected loss|habits?"),
    ("rare", r"(?:how )?rare|what (?:just )?happened|what"),
    ("longer", r"(?:longer|more|how likely|ten more)(?: (?P<rest>\d+)(?: (?:more )?rolls)?)?"),
    ("rest", r"rest(?: of the (?:evening|night))?(?: (?P<rest>\d+(?: rolls| hours?)?))?"),
    ("mean", r"means?|ev|expected value"),
    ("undo", r"undo|back|oops|take (?:it|that) back"),
    ("leave", r"leave|exit|quit|q|bye|done|cash (?:me )?(?:out|in)|colou?r (?:me )?up"),
    ("tip", r"(?:tip|toke)(?: (?P<rest>.+))?"),
    ("chips", r"(?:chips|rebuy|buy in|more chips)(?: (?:for )?(?P<rest>.+))?"),
    ("press", r"(?:press|pressure|up)(?: (?P<rest>.+))?"),
    ("press", r"(?:full|power) press(?: (?P<rest>.+))?"),
    ("down", r"(?:take|pull|bring)(?P<rest> .+)? (?:down|off the (?:felt|table))"),
    ("down", r"(?:(?:take|pull|bring) down|down|remove|pull|pick up)(?: (?P<rest>.+))?"),
    ("down", r"(?P<rest>.+) down"),
    ("off", r"(?:turn )?off(?: (?P<rest>.+))?|turn (?P<rest2>.+) off"),
    ("off", r"(?P<rest>.+) (?:are |is )?(?:off|not working)"),
    ("on", r"(?:(?:turn )?on|working)(?: (?P<rest>.+))?|turn (?P<rest2>.+) on"),
    ("on", r"(?P<rest>.+) (?:are |is )?(?:on|working)"),
    ("bet", r"(?:take |i(?:'ll| will) take )?(?P<rest>.+)"),
)
"""The commands and their words."""


def command(line: str) -> Command:
    """The command in a line.

    >>> command("take the 6 down"), command("4 2")
    (Command(verb='down', rest='the 6'), Command(verb='roll', rest='4 2'))
    >>> command("what can I bet?").verb, command("place 6 12")
    ('bets', Command(verb='bet', rest='place 6 12'))
    """
    said = " ".join(line.lower().replace("’", "'").split())
    if said.endswith("?") and not re.match(r"[?]|wh|how|can", said):
        return Command("help", said.rstrip("? "))  # a question such as "odds?"
    for tried in (said, said.rstrip("?!. ")) if len(said) > 1 else (said,):
        for verb, form in COMMANDS[:-1]:
            if found := re.fullmatch(form, tried):
                groups = found.groupdict()
                return Command(verb, (groups.get("rest") or groups.get("rest2") or "").strip())
    found = re.fullmatch(COMMANDS[-1][1], said)
    return Command("bet", found["rest"] if found else said)


def phrase(line: str) -> Phrase:
    """A line in canonical words.

    >>> phrase("$12 on the six")
    Phrase(words=('6',), amount=12, joined=False)
    >>> phrase("No Pass Line 10").words, phrase("place 6 and 8").joined
    (("don't pass", '10'), True)

    Raises:
        NotationError: it is too long.
    """
    if len(line) > LONGEST:
        raise NotationError(f"{shown(line)} has too many words; write fewer")
    text = " ".join(line.lower().replace("’", "'").strip(" .!?").split())
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(r"[a-z]+", lambda word: NUMBERS.get(word[0], word[0]), text)
    for found, stands in PHRASES:
        text = re.sub(found, stands, text)
    text, amount = _plain_amount(text)
    joined = bool(re.search(r"\d(?: and |, ?)(?:the )?\d+$", text))
    names = [name for name in sorted(NAMES, key=len, reverse=True) if " " in name]
    for name in names:  # several words
        text = re.sub(rf"(?<!\S){re.escape(name)}(?!\S)", name.replace(" ", "_"), text)
    words = [word.replace("_", " ") for word in text.replace(",", " ").split()]
    if MOST in words:
        words.remove(MOST)
        amount = MOST
    inner = [word for word in words[1:-1] if word != "on"]  # "on 6" turns it on, "12 on 6" does not
    words = [*words[:1], *inner, *words[1:][-1:]]
    told = [word for word in words if word not in IDLE]
    return Phrase(tuple(told or words[:1]), amount, joined)


def _plain_amount(text: str) -> tuple[str, Money | str | None]:
    """A line without its plain amount, and the amount."""
    for pattern in (
        rf"[$€£] ?(?P<amount>{AMOUNT})\b(?: (?:on|in|for|at|behind)\b)?",
        rf"\bfor (?P<amount>{AMOUNT})(?: each)?$",
        rf"^(?:bet |put |throw |drop |i want )?(?P<amount>{AMOUNT}) (?:on|in|at|behind)\b(?= \S)",
        rf"^(?:bet |put )?(?P<amount>{AMOUNT}) (?!and\b|odds \d|{'|'.join(VERBS)})(?=[a-z])",
    ):
        if found := re.search(pattern, text):
            rest = f"{text[: found.start()]} {text[found.end() :]}"
            return " ".join(rest.split()), whole(exact(found["amount"]))
    return text, None
