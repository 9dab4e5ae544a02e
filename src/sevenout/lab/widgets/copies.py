"""Copies of a page: the program and the command line with the same result.

A game without a name is written out, as its game file or its text in the lab.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from shlex import join
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.lab.address import entries_by_rules, split_notation
from sevenout.lab.widgets.parts import face_text
from sevenout.questions import question as question_named
from sevenout.questions.question import Question
from sevenout.questions.subject_kinds import SubjectKind
from sevenout.questions.subjects import GameSubject, option_value, unpack_file
from sevenout.rolling import designs
from sevenout.rules.gamefiles.gamefile import GameFile, game_text

if TYPE_CHECKING:
    from sevenout.lab.by_hand import Session

PARSE_GAME = "from sevenout.rules.gamefiles.gamefile import parse_game"
SUBJECTS = "from sevenout.questions.subjects import"
PRINTF_LINES = "%s\\n"
FLAG_WORDS = {"True": "yes", "False": "no"}
"""Values of options that a command line writes in another way."""


def catalogue_name(subject: GameSubject) -> tuple[str, dict[str, str]] | None:
    """The game's name in sevenout and its options; None without a name."""
    if subject.notation in entries_by_rules():
        return entries_by_rules()[subject.notation].id, {}
    if (
        subject.original_pays
        or subject.file
        or (subject.variant_rules and subject.variant_rules.text == subject.notation)
    ):
        return None
    name, options = split_notation(subject.unedited_notation)
    has_entry = subject.entry is not None and options.keys() <= subject.entry.options.keys()
    return (name, options) if has_entry else None


def game_file_text(subject: GameSubject) -> str | None:
    """The game as a file; None if a file can't hold it."""
    if subject.file is not None and not subject.original_pays:
        return game_text(subject.file)
    if subject.variant_rules is None:
        return None
    return game_text(GameFile(subject.title, (subject.variant_rules.game(),)))


class Copies(NamedTuple):
    """A page as text that gives the same result.

    Attributes:
        program: in Python.
        command: on a command line; "" if no command gives it.
    """

    program: str
    command: str


class GameCopy(NamedTuple):
    """A game in a program and on a command line.

    Attributes:
        entry: the expression of what questions read: its rules, its title, its goal, its main bet.
        entry_import: the line that this needs.
        words: name it on a command line.
        key: what follows `so.games`, which gives its rules alone; "" outside of the catalogue.
        files: shell commands that write its file first; "" for none.
    """

    entry: str
    entry_import: str
    words: list[str]
    key: str = ""
    files: str = ""


def game_copy(subject: GameSubject, file: str = "sevenout-game.toml") -> GameCopy:
    """A game by its name in the catalogue, or as its file, or else by its notation."""
    if name_and_options := catalogue_name(subject):
        name, options = name_and_options
        words = [name, *option_words(options)]
        if not options:
            entry_import = "from sevenout.catalogue import games"
            return GameCopy(f"games.entry({name!r})", entry_import, words, f"[{name!r}]")
        values = [f"{key}={option_value(text)!r}" for key, text in options.items()]
        key = f"({', '.join([repr(name), *values])})"
        return GameCopy(f"named_game{key}", f"{SUBJECTS} named_game", words, key)
    if text := game_file_text(subject):
        entry = f"parse_game({literal(text)})"
        return GameCopy(entry, PARSE_GAME, [file], files=file_command(file, text))
    notation = subject.notation
    return GameCopy(f"find_game({notation!r})", f"{SUBJECTS} find_game", [notation])


def program(subject: GameSubject, *lines: str, imports: Iterable[str] = ()) -> str:
    """A program about a game, which it calls `game`.

    >>> from sevenout.lab.address import game_subject
    >>> print(program(game_subject("hazard;main=5"), "print(so.solve(game))"))
    import sevenout as so
    <BLANKLINE>
    game = so.games('hazard', main=5)
    print(so.solve(game))
    <BLANKLINE>
    """
    copy = game_copy(subject)
    rules = f"so.games{copy.key}" if copy.key else f"{copy.entry}.game"
    entry_import = [] if copy.key else [copy.entry_import]
    imports = ["import sevenout as so", *entry_import, *imports]
    return program_text(imports, f"game = {rules}", *lines)


def program_text(imports: Iterable[str], *lines: str) -> str:
    """A program: its imports in order, and its lines."""
    # The second part of the key puts `import x` before `from x import y`.
    by_module = sorted(set(imports), key=lambda line: (line.split()[1], line[0] == "f"))
    ours = [line for line in by_module if "sevenout" in line]
    plain = [line for line in by_module if "sevenout" not in line]
    return "\n".join([*plain, *([""] if plain else []), *ours, "", *lines, ""])


def command(subject: GameSubject, verb: str, *more: str, moves: Sequence[str] = ()) -> str:
    """A command line about a game; a game without a name becomes a file first.

    >>> from sevenout.lab.address import game_subject
    >>> command(game_subject("hazard;main=5"), "odds", "--bet", "main bet")
    "sevenout odds hazard --main 5 --bet 'main bet'"

    Args:
        subject: the game.
        verb: the command.
        more: the words after the game.
        moves: what a player types then.
    """
    copy = game_copy(subject)
    return copy.files + piped_moves(moves) + join(["sevenout", verb, *copy.words, *more])


def file_command(file: str, text: str) -> str:
    r"""A shell command that writes a text to a file.

    >>> file_command("mine.toml", "format = 1")
    "cat > mine.toml <<'END'\nformat = 1\nEND\n"
    """
    delimiter, text = "END", text if text.endswith("\n") else f"{text}\n"
    # A line of the text that equals the delimiter would end the file early.
    while delimiter in text.splitlines():
        delimiter += "D"
    return f"cat > {file} <<'{delimiter}'\n{text}{delimiter}\n"


def literal(text: str) -> str:
    """A multi-line text in a program; an empty line comes first."""
    # A backslash, three quotes or a quote at the end would change the text, or end it early.
    text = re.sub(r'"(?=""|\Z)', r"\"", text.replace("\\", "\\\\"))
    return f'"""\n{text}"""'


def option_words(options: Mapping[str, Any]) -> list[str]:
    """Options as words of a command line.

    >>> option_words({"stop_win": 50, "crapless": "True"})
    ['--stop-win', '50', '--crapless', 'yes']
    """
    words = []
    for name, value in options.items():
        words += [f"--{name.replace('_', '-')}", FLAG_WORDS.get(str(value), str(value))]
    return words


def of_simulation(subject: GameSubject, bet: str, games: int, seed: int) -> Copies:
    """A simulation as a program and a command; a game with choices is played best."""
    values: dict[str, Any] = {"games": games, "seed": seed}
    if subject.goal is not None:
        values["policy"] = "best"
    elif bet and len(subject.game.bets or ()) > 1:
        values["bet"] = bet
    return of_question(question_named("simulate"), [subject], values)


class CopiedSubject(NamedTuple):
    """A subject of a question in a program, and the words that name it on a command line.

    Attributes:
        expression: makes it in a program.
        words: name it on a command line.
        imports: the lines that the expression needs.
        files: shell commands that write its file first; "" for none.
    """

    expression: str
    words: list[str]
    imports: Sequence[str] = ()
    files: str = ""


def of_question(
    question: Question, subjects: Sequence[GameSubject | str], values: Mapping[str, Any]
) -> Copies:
    """A question as a program and a command; what has no name becomes a file first.

    >>> from sevenout.lab.address import game_subject
    >>> from sevenout.questions import compare, dice, evening, odds
    >>> of_question(odds, [game_subject("pig-turn")], {"longer": 9, "policy": "best"})[1]
    'sevenout odds pig-turn --policy=best --longer=9'
    >>> of_question(compare, [game_subject(""), game_subject("crapless")], {})[1]
    'sevenout compare craps crapless'
    >>> of_question(evening, ["pass", "iron-cross"], {"rolls": 9})[1]
    'sevenout evening pass iron-cross --rolls=9'
    >>> of_question(dice, ["4d6kh3"], {})[1]
    'sevenout dice 4d6kh3'
    """
    kind = question.subject_kind
    copied = [copied_subject(kind, subject, n) for n, subject in enumerate(subjects)]
    variable = kind.input_kind if kind.takes_one_game or kind.input_kind == "file" else ""
    expressions = ", ".join(one.expression for one in copied)
    lines = [f"{variable} = {expressions}"] if variable else []
    lines.append(f"print({question.python_call(variable or expressions, values)})")
    imports = ["from sevenout import questions", *(line for one in copied for line in one.imports)]
    words = [word for one in copied for word in one.words]
    command_line = ["sevenout", *question.command_words, *words, *question.argument_words(values)]
    files = "".join(one.files for one in copied)
    return Copies(program_text(imports, *lines), files + join(command_line))


def of_dice(dice_texts: Sequence[str]) -> Copies:
    r"""The distributions of some dice, one after the other: the program and the commands.

    >>> of_dice(["3d6", "d20"])[1]
    'sevenout dice 3d6\nsevenout dice d20'
    """
    dice = question_named("dice")
    calls = [f"print({dice.python_call(repr(text), {})})" for text in dice_texts]
    commands = [join(["sevenout", *dice.command_words, text]) for text in dice_texts]
    return Copies(program_text(["from sevenout import questions"], *calls), "\n".join(commands))


def copied_subject(kind: SubjectKind, subject: GameSubject | str, n: int) -> CopiedSubject:
    """The subject of a question as it is copied; `n` is its number among several."""
    if isinstance(subject, GameSubject):
        return _copied_game(subject, n if kind.takes_several else None)
    if kind.input_kind == "file":
        return CopiedSubject(
            literal(subject), [kind.example_file], files=file_command(kind.example_file, subject)
        )
    if subject.startswith("~"):
        text, name = unpack_file(subject[1:]), f"strategy-{n + 1}.toml"
        imported = "from sevenout.catalogue.strategies.strategy_file import parse_strategy"
        expression = f"parse_strategy({literal(text)})"
        return CopiedSubject(expression, [name], [imported], file_command(name, text))
    return CopiedSubject(repr(subject), [subject])


def _copied_game(subject: GameSubject, n: int | None) -> CopiedSubject:
    """A game; among several, with its number, it is one word with its policy."""
    copy = game_copy(subject) if n is None else game_copy(subject, f"game-{n + 1}.toml")
    expression, words = copy.entry, copy.words
    if n is not None and len(words) > 1:
        # The options of one game among several stay inside its word.
        words = [subject.notation]
    if subject.policy:
        expression = f"({expression}, {subject.policy!r})"
        words = [f"{words[0]}@{subject.policy}"]
    return CopiedSubject(expression, words, [copy.entry_import], copy.files)


def of_session(subject: GameSubject, seed: int, bet: str, session: "Session") -> Copies:
    """A game played by hand, as a program and a command; `bet` has a chip on it at first."""
    chips = f", {{{bet!r}: 1}}" if bet else ""
    lines = [
        f"session = Session(game, {seed}, {session.acts!r}{chips})",
        "for roll in session.rolls:",
        "    print(*roll.faces, roll.settled.label if roll.settled else '')",
        "print({bet: session.nets(bet)[-1:] for bet in session.chips})",
    ]
    text = program(subject, *lines, imports=["from sevenout.lab.by_hand import Session"])
    words = command(subject, "play", f"--seed={seed}", moves=session.typed_moves)
    return Copies(text, words)


def piped_moves(moves: Sequence[str]) -> str:
    r"""What a player types, as the beginning of a command line that pipes it into the next command.

    >>> piped_moves(["", "", ""]), piped_moves(["", "hold"])
    ("yes '' | head -n 3 | ", "printf '%s\\n' '' hold | ")
    """
    if any(moves):
        return join(["printf", PRINTF_LINES, *moves]) + " | "
    # Written out, thousands of empty lines would make the command too long to read.
    return f"yes '' | head -n {len(moves)} | " if moves else ""


def of_faults(design: str, faults: Mapping[tuple[int, int], int]) -> Copies:
    """A design with faults, in percent by die and face; the command takes one fault of 2d6."""
    if design == "2d6" and len(faults) == 1:
        (((d, f), percent),) = faults.items()
        face = face_text(designs()[design].sources[d].faces[f])
        values = {"design": design, "die": d + 1, "face": face, "share": Fraction(percent, 100)}
        return of_question(question_named("dice_faults"), (), values)
    fault_texts = ", ".join(f"Fault({d}, {f}, Fraction({p}, 100))" for (d, f), p in faults.items())
    text = program_text(
        [
            "from fractions import Fraction",
            "from sevenout.rolling import Fault, designs, faulty_law",
            "from sevenout.rolling.spreads import Spread",
            "from sevenout.verify import rolls_to_notice",
        ],
        f"dice = designs()[{design!r}]",
        f"law = faulty_law(dice, [{fault_texts}])",
        f"print(Spread({design!r}, law))",
        'print(f"{rolls_to_notice(dice.law, law):,} rolls until a test notices")',
    )
    return Copies(text, "")


def of_die_test(dice: str, counts: Mapping[Any, int], order: tuple[Any, ...] | None) -> Copies:
    """A test of a die, with the order of its rolls if known: the program and the command."""
    if order is not None:
        rows = ["face", *map(str, order)]
    else:
        rows = ["face,count", *(f"{face},{n}" for face, n in counts.items())]
    file = "\n".join([*rows, ""])
    text = program_text(
        ["from pathlib import Path", "from sevenout.verify import examine, read_rolls"],
        f"Path('rolls.csv').write_text({file!r})",
        f"print(examine(read_rolls('rolls.csv', {dice!r})))",
    )
    file_line = join(["printf", PRINTF_LINES, *rows]) + " > rolls.csv\n"
    command_line = join(["sevenout", "test", "dice", "rolls.csv", "--dice", dice])
    return Copies(text, file_line + command_line)
