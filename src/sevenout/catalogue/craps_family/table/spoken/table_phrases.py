"""What is said at a craps table, taken apart into words: commands, and phrases that name bets.

No word is passed over: a line that is not understood to its last word is refused.
"""

import re
from typing import Any, NamedTuple

from sevenout.catalogue.craps_family.bets.side import SIDE
from sevenout.catalogue.craps_family.table.spots import BONUS, BOXES, NEXT
from sevenout.errors import NotationError, shown
from sevenout.numerals import exact
from sevenout.rules.casino.felt import Money, whole

MOST = "most"
EVERY = "every"
"""The word for all standing bets."""
LONGEST = 200
"""The most characters in a line."""
LONGEST_AMOUNT = 12
"""The most digits of an amount."""
AMOUNT = rf"\d{{1,{LONGEST_AMOUNT}}}(?:\.\d{{1,4}}|/[1-9]\d{{0,3}})?"
NUMBERS = {
    **{"ace": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"},
    **{"seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12", "fifteen": "15"},
    **{"twenty": "20", "fifty": "50", "hundred": "100", "nickel": "$5", "quarter": "$25"},
    **{
        "thirty": "30",
        "forty": "40",
        "sixty": "60",
        "seventy": "70",
        "eighty": "80",
        "ninety": "90",
    },
    **{"fours": "4s", "fives": "5s", "sixes": "6s", "eights": "8s", "nines": "9s", "tens": "10s"},
}
_TENS = (
    rf"\b({'|'.join(word for word in NUMBERS if word.endswith('ty'))})[ -]"
    r"(one|two|three|four|five|six|seven|eight|nine)\b"
)
CHIPS = {"red": "$5 ", "green": "$25 ", "black": "$100 "}
"""The amount that a chip stands for, by its colour."""


def _double(said: re.Match[str]) -> str:
    half = int(said[1] or said[2]) // 2
    return f"{half}-{half}"


PHRASES: tuple[tuple[str, Any], ...] = (
    (rf"\b({AMOUNT})[ -](?:dollars?|bucks?)\b", r"$\1"),
    (r"(?<!\S)(?:a )?(?:dollar|buck)\b", "$1"),
    (r"\b(red|green|black) (?:chips? )?(?=on\b|in\b)", lambda said: CHIPS[said[1]]),
    (r"\ba unit\b", "1u"),
    (r"\b(\d+) units?\b", r"\1u"),
    (r"\b(\d+) ?(?:x|times)\b", r"\1x"),
    *(
        (rf"\b{name} (?=odds)", f"{n}x ")
        for n, name in enumerate(("single", "double", "triple"), 1)
    ),
    (r"\bsnake eyes\b", "aces"),
    (r"\bhigh low\b|\bhi lo\b|\bhilo\b|\bhigh-low\b", "hi-lo"),
    (r" & ", " and "),
    (r"(?<![\d/])(10|[4-9])/(10|[4-9])(?![\d/])", r"\1 \2"),
    (r"\bc ?(?:and|&|n) ?e\b|\bce\b|\bcraps and eleven\b", "c&e"),
    (r"\b1[ -]deuce\b", "ace-deuce"),
    (r"\b3[ -]way(?: craps?)?\b", "three-way"),
    (r"\b2[ -]way\b", "two-way"),
    (r"\bflaming 4\b", "flaming four"),
    (r"\bsizzling 6\b", "sizzling six"),
    (r"\b(?:big|any) red\b|\bred\b|\bany ?seven\b|\bany ?7\b", "any 7"),
    (r"\bbonus craps\b", "ats"),
    (r"\b(?:any ?)?craps?(?: check)?\b", "any craps"),
    (r"(?:^|\bto )back (?:(?:it|them|(?:my|the) \w+) )?up\b", "odds"),
    (r"^(?!.*\bodds\b)(.*)\bbehind\b", r"\1odds on"),
    (r"\bodds on$", "odds"),
    (rf"\blay (\$?{AMOUNT} )?odds\b", r"\1odds"),
    (r"\bno (?=(?:the )?\d)", "lay "),
    (r"\b(?:all )?(?:the )?hard ?ways?\b|\ball (?:the )?hards?\b|\bhards\b", "hard"),
    (r"\b(?:pass ?)?line\b(?! bets?)|\bpl\b|\bright side\b", "pass"),
    (r"\bdark ?side\b|\bdp\b|\bwrong (?:side|way)\b", "don't pass"),
    (r"\bdc\b", "don't come"),
    (r"\b(?:dont|no|do not|don’t)\b(?= (?:pass|come|line))", "don't"),
    (r"^(?:dont|don't)(?=$| \$?\d)", "don't pass"),
    (r"\byo-?leven\b|\beleven\b|\byo eleven\b", "yo"),
    (r"\bmidnight\b", "boxcars"),
    (r"\bwhirl\b", "world"),
    (r"\b(?:on the )?hop(?:ping|s)?(?: all)?(?: the)?\b", "hop"),
    (r"\bfull press\b", "press"),
    *(
        (rf"\bhorn high {name}\b", f"horn high {n}")
        for n, name in ((2, "aces"), (3, "ace-deuce"), (11, "yo"), (12, "boxcars"))
    ),
    (r"\b(?:place )?all (?:the |of the )?(?:box )?numbers\b|\bplace all\b", "across"),
    (r"\b(?:all in|everything) on\b", f"{MOST} on"),
    (r"\b(?:max|maximum|full|most|all you take)\b", MOST),
    (r"\bodd\b", "odds"),
    (r"\ball in\b", "all-in"),
    (r"\b(?:that|them)\b", "it"),
    (r"\bmake '?em all\b", "all"),
    (r"\bbonus(?:es)?\b", "ats"),
    (r"\ball (?:the )?(?=odds)", f"{MOST} "),
    (r"^bets?$|\beverything\b|\ball (?:my )?bets\b|\bmy bets\b", EVERY),
    (r"\b(?:small|tall|all)(?:[-,]? ?(?:and )?(?:small|tall|all)){2}\b", "ats"),
)
"""Synonyms."""
_HOPS = (
    (r"\bhard (4|6|8|10)\b|\b(4|6|8|10) (?:the )?hard(?: ?way)?\b", _double),
    (r"\beasy (4|6|8|10)\b|\b(4|6|8|10) (?:the )?easy(?: ?way)?\b", r"\1\2e"),
)
"""Synonyms in a hop bet."""
IDLE = {"the", "for", "a", "an", "my", "bet", "bets", "please", "of", "behind", "and", "each"}
IDLE |= {"put", "at", "in", "i", "want", "me", "chips"}
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
_KINDS = "|".join(sorted(map(re.escape, NAMES), key=len, reverse=True))
_AFTER = rf"(\b(?:for|to) \$?{AMOUNT}(?: each)?)(?:[,;] (?:and )?| and )"
_BETWEEN = (
    r"(?:, (?:and )?| (?:and|with|plus) )"
    rf"(?=(?:(?:the|a|my|{MOST}|\d+x|\$?{AMOUNT}) )*(?:on )?(?:{_KINDS})\b"
    rf"|\$?{AMOUNT} (?:on|in) |\$ ?{AMOUNT} (?:the )?(?:\d|1[0-2])\b)"
)
"""What stands between two bets: a comma, "and" or "with" before another kind or amount."""
VERBS = {"off", "on", "down", "working"}
"""Verbs that may follow their object: 6 down."""


class Phrase(NamedTuple):
    """A parsed line.

    Attributes:
        words: canonical words, without a plain amount.
        amount: the amount if it is plain ($12, 12 on the 6, for 12), `MOST`, "2x" for double odds,
            or "2u" for two units.
        joined: whether the last numbers belong together: 6 and 8.
    """

    words: tuple[str, ...]
    amount: Money | str | None = None
    joined: bool = False


class Said(NamedTuple):
    """A bet and an amount.

    Attributes:
        amount: `MOST`, or None if not given.
    """

    bet: str
    amount: Money | str | None


class Command(NamedTuple):
    """The command in a line.

    Attributes:
        verb: one of `COMMANDS`, or "bet".
    """

    verb: str
    rest: str


_CHANGE = "(?:take|bring|pull|reduce|lower|cut|drop|regress|press|raise|increase|make|up|go)"
_LIKELY = r"how likely(?: is)?(?: (?:this|the) shooter)?(?: is)? to roll"
_ROLLS = r"(?: (?:(?P<rest>\d+)|ten)(?: more)?(?: rolls| times)?)?"
_PLEASE = "(?:i(?:'ll| will|'d| would) (?:take|like|have)|(?:can|could|may) i (?:have|get)|give me)"
_EARLY = "(?:on )?(?:on )?(?:the )?come[ -]?out"
_DICE = "(?: (?:again|'?em|it|(?:(?:the|them|those) )?(?:dice|bones)))?"
_TABLE = "(?:the )?(?:table|felt|rail|layout)"
_DOES = r"(?:what(?: is|'s|s) )?(?:the |my )?(?:house )?(?:edge|cost|pay ?outs?|odds of)"
COMMANDS = (
    ("roll", rf"(?:(?:come ?out |let's )?(?:roll|r|throw|shoot|next|go){_DICE})?"),
    ("roll", r"(?:(?:roll|r|throw|shoot) )?(?P<rest>[1-6](?:[ ,]+|[-+])[1-6])"),
    ("roll", r"(?:roll|throw|shoot) (?P<rest>[\d ,]+)"),
    ("edge", rf"{_DOES}(?: of| on| for)? (?P<rest>.+)"),
    ("edge", r"(?:what|how much) does (?:the |an? )?(?P<rest>.+) pay|pays? (?!me)(?P<rest2>.+)"),
    ("felt", rf"what(?:'s| is| do i have|) (?:up |out )?on {_TABLE}|what's (?:out there|up)"),
    ("help", r"(?:help|h|rules|\?|help me|--help|commands?|menu|list)|(?P<rest>crapless.*)"),
    ("help", r"(?:hi|hello|hey|start|begin)|what (?:do|can|should|must) i do(?: now)?|what now"),
    ("help", r"(?:help(?: with| on)?|\?) ?(?P<rest>.+)"),
    ("felt", r"(?:what(?: is| are|'s)|where(?: is|'s)) (?:the|my) (?:point|puck|bets?)(?: up)?"),
    ("help", r"(?:explain|what(?: is|'s|s| are)|how does) (?:an? )?(?P<rest>(?!my ).+?)(?: work)?"),
    ("help", r"how do i (?:bet|play|start|begin)"),
    ("bets", r"bets?(?: now)?|legal|options|(?:what )?(?:bets? )?can i (?:bet|do)(?: now)?"),
    ("history", r"(?:history|rolls|log|(?:the )?last rolls?|so far)(?: (?P<rest>\d+))?"),
    ("history", r"how many rolls.*|(?:how much|what) did i win"),
    ("limits", r"table|(?:table )?(?:limits|rules|minimum|maximum|min|max)"),
    ("felt", r"(?:(?:what's |what is )?my )?(?:felt|status|stats|money|rail|rack|bankroll|chips)"),
    ("felt", r"how much.*|how am i doing|am i .*|score|result|profit|what do i have"),
    ("felt", r"show (?:me )?(?:(?:my|the) )?(?:bets|table|felt)|my bets"),
    ("felt", r"(?:the |my )?(?:point|puck|balance|bank|cash|winnings?|total|layout)"),
    ("why", r"why(?: can't i| not| no)?(?: bet)?(?: (?P<rest>.+))?"),
    ("coach", r"coach.*|expected loss|habits?"),
    ("rare", r"(?:how )?rare|what (?:just )?happened|what"),
    ("longer", rf"(?:longer|more|{_LIKELY})(?: than)?{_ROLLS}|how likely|ten more(?: rolls)?"),
    ("rest", r"rest(?: (?:of )?(?:the |my )?(?:evening|night))?"),
    (
        "rest",
        r"rest(?: of the (?:evening|night))? (?:for )?(?P<rest>\d+(?: (?:roll|hour|minute)s?)?)",
    ),
    ("mean", r"means?|ev|(?:expected )?value|worth"),
    ("undo", r"undo(?: (?:it|that|last|(?P<rest>\d+|all|everything)))?|(?:go )?back|oops"),
    ("undo", r"take (?:it|that) back"),
    (
        "leave",
        r"(?:leave|quit|exit|stop|end|q|x|:q|bye|done|good ?night)(?: (?:the )?table| please)?",
    ),
    ("leave", r"cash (?:me )?(?:out|in)|colou?r (?:me )?up|i'?m (?:done|out|finished)"),
    ("tip", r"(?:tip|toke)(?: (?:the )?dealers?)?(?: (?P<rest>.+))?"),
    ("tip", r"(?P<rest>\S+) for the (?:dealers?|boys)"),
    ("chips", r"(?:chips|rebuy|buy in|more chips|change|marker)(?: (?:for )?(?P<rest>.+))?"),
    ("same", r"(?:the )?same(?: (?:bets?|thing))?(?: again)?|again|repeat|re-?bet|re-?up|replace"),
    ("same", r"put (?:it|them|(?P<rest>.+)) back(?: up)?|(?:same|replace) (?P<rest2>.+)"),
    ("same", r"(?!back )(?P<rest>.+) back up"),
    ("parlay", r"parlay(?: (?P<rest>.+))?|let (?P<rest2>.+) ride"),
    ("press", rf"add (?P<to>\$?{AMOUNT}) (?:to|on) (?P<rest>.+)"),
    ("less", rf"(?:reduce|lower|cut|drop|take down) (?P<rest>.+) by (?P<to>\$?{AMOUNT})"),
    ("less", rf"(?:take|pull) (?P<to>\$?{AMOUNT}) (?:from|off) (?!{_TABLE}$)(?P<rest>.+)"),
    ("bet", rf"(?:down|up|go) (?P<to>to \$?{AMOUNT}) on (?P<rest>.+)"),
    (
        "bet",
        rf"(?:{_CHANGE}\b ?)?(?P<rest>.*?) ?(?:\b(?:down|up) )?(?P<to>to \$?{AMOUNT})(?: each)?",
    ),
    ("regress", r"(?:regress|lower|reduce)(?: (?P<rest>.+))?"),
    ("press", rf"(?P<to>\$?{AMOUNT}) more (?:on|to) (?P<rest>.+)"),
    ("press", r"(?:press|pressure|up|increase|raise)(?: up)?(?: (?P<rest>(?!up$).+?))?(?: up)?"),
    ("press", r"full press(?: (?P<rest>.+))?|double (?!odds)(?P<rest2>.+)"),
    ("down", r"(?:take|pull|bring)(?: me|(?P<rest> .+))? (?:down|off the (?:felt|table))"),
    ("down", r"(?:(?:take|pull|bring) down|down|remove|pull|pick up)(?: on)?(?: (?P<rest>.+))?"),
    ("down", rf"(?P<rest>.+) down|clear(?: {_TABLE})?"),
    ("off", rf"(?:turn )?off(?: {_EARLY}|(?: on)?(?: (?P<rest>.+))?)|no action"),
    ("off", r"(?:turn|take|call) (?:me|(?P<rest>.+)) off"),
    ("off", r"(?P<rest>.+?) (?:are |is )?(?:off|not working)"),
    ("early", rf"(?:turn )?on {_EARLY}|working {_EARLY}|{_EARLY}"),
    ("early", rf"(?P<rest>.+?) (?:are |is )?(?:on|working) {_EARLY}"),
    ("on", r"(?:(?:turn )?on|working)(?: (?P<rest>.+))?|turn (?P<rest2>.+) on"),
    ("on", r"(?P<rest>.+?) (?:are |is )?(?:on|working)|make (?P<rest2>.+) work"),
    ("bet", rf"(?:take |{_PLEASE} |make (?!'?em)(?:it )?)?(?P<rest>.+)"),
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
                rest = (groups.get("rest") or groups.get("rest2") or "").strip()
                if to := groups.get("to"):
                    rest = f"{rest or 'it'} {to if to.startswith('to ') else f'by {to}'}"
                return Command(verb, rest)
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
    return _parsed(_canonical(line))


def phrases(line: str) -> list[Phrase]:
    """The phrases of a line, each of one kind of bet.

    >>> [said.words for said in phrases("12 on the 6 and 8, and 5 on the field")]
    [('6', '8'), ('field',)]

    Raises:
        NotationError: it is too long.
    """
    text = re.sub(_AFTER, r"\1; ", _canonical(line))
    return [_parsed(part) for part in re.split(f"; |{_BETWEEN}", text)]


def _canonical(line: str) -> str:
    """A line with each synonym replaced."""
    if len(line) > LONGEST:
        raise NotationError(f"{shown(line)} has too many words; write fewer")
    text = " ".join(line.lower().replace("’", "'").strip(" .!?").split())
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(_TENS, lambda said: f"{NUMBERS[said[1]][0]}{NUMBERS[said[2]]}", text)
    text = re.sub(r"[a-z]+", lambda word: NUMBERS.get(word[0], word[0]), text)
    text = re.sub(r"\b([1-9]) 100\b", r"\g<1>00", text)
    text = re.sub(r"\b(\d{1,6}) ?(?:thousand|grand|k)\b", r"\g<1>000", text)
    for found, stands in _HOPS if re.search(r"\bhop", text) else ():
        text = re.sub(found, stands, text)
    for found, stands in PHRASES:
        text = re.sub(found, stands, text)
    return text if "hop" in text else re.sub(r"\b(\d+)'?s\b", r"\1", text)


def _parsed(text: str) -> Phrase:
    text, amount = _plain_amount(text)
    joined = bool(re.search(r"\d(?: and |, ?)(?:the )?(?:[2-689]|1[0-2])$", text))
    names = [name for name in sorted(NAMES, key=len, reverse=True) if " " in name]
    for name in names:  # several words
        text = re.sub(rf"(?<!\S){re.escape(name)}(?!\S)", name.replace(" ", "_"), text)
    words = [word.replace("_", " ") for word in text.replace(",", " ").split()]
    for word in [word for word in words if re.fullmatch(rf"{MOST}|\d{{1,3}}[ux]", word)]:
        words.remove(word)
        amount = word
    inner = [word for word in words[1:-1] if word != "on"]  # "on 6" turns it on, "12 on 6" does not
    words = [*words[:1], *inner, *words[1:][-1:]]
    told = [word for word in words if word not in IDLE]
    return Phrase(tuple(told or words[:1]), amount, joined)


def _plain_amount(text: str) -> tuple[str, Money | str | None]:
    """A line without its plain amount, and the amount."""
    for pattern in (
        rf"[$€£] ?(?P<amount>{AMOUNT})\b(?: each)?(?: (?:on|in|for|at|behind)\b)?",
        rf"\b(?:for|by|to|with) (?P<amount>{AMOUNT})(?: each)?$|\b(?P<each>{AMOUNT}) each$",
        rf"^(?:bet |put |throw |drop |i want )?(?P<amount>{AMOUNT}|{MOST}) (?:on|in|at)\b(?= \S)",
        rf"^(?!(?:\d|1[0-2]) )(?P<amount>{AMOUNT}) (?=(?:the )?\d+(?: and (?:the )?\d+)*$)",
        rf"(?<=[a-z] )(?P<amount>{AMOUNT}) on\b(?= \S)",
        rf"^(?:bet |put )?(?P<amount>{AMOUNT}) (?!and\b|{MOST}|odds \d|{'|'.join(VERBS)})(?=[a-z])",
    ):
        if found := re.search(pattern, text):
            rest = f"{text[: found.start()]} {text[found.end() :]}"
            said = found["amount"] or found["each"]
            return " ".join(rest.split()), said if said == MOST else whole(exact(said))
    return text, None
