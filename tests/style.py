"""The style of texts that a person reads, where a machine can check it.

`faults(text)` reads plain prose: words with what to say instead, and the length of sentences.
`prose(markdown)` takes the prose out of a page.
"""

import re
from collections.abc import Iterator

LONGEST = 30
"""Words in a sentence. Aim at 25; figures, code and formulas do not count as words."""

INSTEAD = {
    r"he|him|his|himself": "they, the player, or the name",
    r"so (many|much|often|long)(?! (as|more|less|better)\b)(?! \w+ that\b)": "this many",
    r"laws?(?! of large numbers)": "distribution",
    r"((is|are|was|be) )?worth (?!\w+ing\b)|(the|its|a \w+'s) worth": "expected value, mean",
    r"this house|our house|the house's own|house itself": "sevenout (the house is the casino)",
    r"ours|our": "sevenout's",
    r"one's|of one's own": "your",
    r"within what": "error bound",
    r"ways? to play|plays? best": "strategy, policy; optimal play",
    r"(loss|cost|lose|loses|rolls|bets|rounds) an hour": "per hour",
    r"all (he|they) ha(s|ve)": "bankroll, rail",
    r"once more|anew": "again",
    r"asks? (for )?(a choice|what to)|asked by": "decision state, choice",
    r"is (told|said) in": "see",
    r"to be sure|in a blink|all the same|on the whole": "nothing: leave it out",
    r"oftener|dearest|dearer": "more often; most costly",
    r"whoever|whosoever|thereof|hence|wherein": "anyone who; so",
    r"proved of|said of": "stated for; or the verb itself",
    r"knots?": "strongly connected component, end component",
}
"""What a text does not say, and what it says instead."""

WORD = re.compile(r"\b(" + "|".join(f"(?:{one})" for one in INSTEAD) + r")\b", re.IGNORECASE)
NUMBERED = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+", re.MULTILINE)
FENCE = re.compile(r"^( *)```+.*\n(?:.*\n)*?\1```+ *$", re.MULTILINE)
SENTENCE = re.compile(r"(?<=[.!?:;])[\"')\]]*\s+(?=[\"'(\[*]*[A-Z0-9-]|code |sevenout )|\n\s*\n")


def prose(markdown: str) -> str:
    """The text of a page without its code, tables, formulas, targets of links and front matter."""
    text = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL)
    text = FENCE.sub("\n\n", text)
    text = re.sub(
        r"^ *(\||#|:::|<|\[\^?[\w-]+\]:|!\[|(\?\?\?|!!!)).*$", "\n", text, flags=re.MULTILINE
    )
    text = re.sub(r"^ {4}.*$", "\n", text, flags=re.MULTILINE)
    text = re.sub(r"(`+)(?:(?!\1).|\n)+?\1", "code", text)
    text = re.sub(r"!?\[((?:[^][]|\n)*)\]\([^)]*\)", r"\1", text)
    return NUMBERED.sub("\n\n", text)


def sentences(text: str) -> Iterator[str]:
    """The sentences of plain prose; a colon or a semicolon before a capital ends one too."""
    for sentence in SENTENCE.split(text):
        if sentence and sentence.strip():
            yield " ".join(sentence.split())


def length(sentence: str) -> int:
    """The words of a sentence: what holds two letters or is `a` or `I`."""
    return len(re.findall(r"\b(?:[A-Za-z][A-Za-z'’-]+|[aAI])\b", sentence.replace(" code ", " ")))


def faults(text: str, longest: int = LONGEST) -> list[str]:
    """What is against the style in plain prose: each fault with what to write instead."""
    found = []
    for sentence in sentences(text):
        for match in WORD.finditer(sentence):
            found.append(f"“{match[0]}” in: {sentence[:90]} (say: {instead(match[0])})")
        if re.match(r"Who\b", sentence) and not sentence.endswith("?"):
            found.append(f"“Who” begins: {sentence[:90]} (say: anyone who, a player who)")
        if length(sentence) > longest:
            found.append(f"{length(sentence)} words: {sentence[:90]} (at most {longest}; split it)")
    return found


def instead(word: str) -> str:
    """What to say instead of a word that was found."""
    for pattern, said in INSTEAD.items():
        if re.match(rf"(?:{pattern})\b", word + " ", re.IGNORECASE):
            return said
    return "something else"
