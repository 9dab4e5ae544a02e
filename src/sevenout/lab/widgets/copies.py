"""Copies of a page: the program and the command line with the same result.

A game without a name is written out, as its game file or its text in the lab.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from shlex import join
from typing import Any

from sevenout.games import decisions
from sevenout.lab.addresses.chosen import Chosen, named, value_of
from sevenout.lab.pages.faces import face_text
from sevenout.questions import question as question_named
from sevenout.questions.question import Question
from sevenout.rolling import designs
from sevenout.rules.gamefiles.gamefile import GameFile, game_text

LINE = "%s\\n"
FLAGS = {"True": "yes", "False": "no"}


def name_of(chosen: Chosen) -> tuple[str, dict[str, str]] | None:
    """The game's name in sevenout and its options; None without a name."""
    if chosen.text in named():
        return named()[chosen.text][1], {}
    if chosen.rows or chosen.file or (chosen.book and chosen.book.text == chosen.text):
        return None
    head, *more = chosen.plain.split(";")
    return head, dict(part.partition("=")[::2] for part in more)


def file_of(chosen: Chosen) -> str | None:
    """The game as a file; None if a file can't hold it."""
    if chosen.file is not None and not chosen.rows:
        return game_text(chosen.file)
    if chosen.book is None:
        return None
    return game_text(GameFile(chosen.title, (chosen.book.game(),)))


def program(chosen: Chosen, *lines: str, imports: Iterable[str] = ()) -> str:
    """A program about a game, which it calls `game`.

    >>> from sevenout.lab.addresses.chosen import choose
    >>> print(program(choose("hazard;main=5"), "print(so.solve(game))"))
    import sevenout as so
    <BLANKLINE>
    game = so.catalogue('hazard', main=5)
    print(so.solve(game))
    <BLANKLINE>
    """
    more, made = _made(chosen)
    return lines_of(["import sevenout as so", *more, *imports], f"game = {made}", *lines)


def lines_of(imports: Iterable[str], *lines: str) -> str:
    """A program: its imports in order, and its lines."""
    by_module = sorted(set(imports), key=lambda line: (line.split()[1], line[0] == "f"))
    ours = [line for line in by_module if "sevenout" in line]
    plain = [line for line in by_module if "sevenout" not in line]
    return "\n".join([*plain, *([""] if plain else []), *ours, "", *lines, ""])


def _made(chosen: Chosen) -> tuple[list[str], str]:
    """The imports and the expression that make a game."""
    if known := name_of(chosen):
        name, options = known
        said = "".join(f", {key}={value_of(value)!r}" for key, value in options.items())
        if name in decisions:
            return ["from sevenout.games import decisions"], f"decisions({name!r}{said})"
        return [], f"so.catalogue({name!r}{said})" if said else f"so.catalogue[{name!r}]"
    if text := file_of(chosen):
        imported = "from sevenout.rules.gamefiles.gamefile import parse_game"
        return [imported], f"parse_game({literal(text)}).game"
    return ["from sevenout.lab.addresses.chosen import choose"], f"choose({chosen.text!r}).game"


def command(chosen: Chosen, verb: str, *more: str, before: str = "") -> str:
    """A command line about a game; a game without a name becomes a file first.

    >>> from sevenout.lab.addresses.chosen import choose
    >>> command(choose("hazard;main=5"), "odds", "--bet", "main bet")
    "sevenout odds hazard --main 5 --bet 'main bet'"

    `before` feeds its input.
    """
    if known := name_of(chosen):
        name, options = known
        said = [word for k, v in options.items() for word in (_option(k), FLAGS.get(v, v))]
        return before + join(["sevenout", verb, name, *said, *more])
    if text := file_of(chosen):
        file = name = "sevenout-game.toml"
    else:
        imports, made = _made(chosen)
        text = "\n".join([*imports, "", f"game = {made}", ""])
        file, name = "sevenout-game.py", "sevenout-game.py:game"
    return filed(file, text) + before + join(["sevenout", verb, name, *more])


def filed(file: str, text: str) -> str:
    r"""A shell command that writes a text to a file.

    >>> filed("mine.toml", "format = 1")
    "cat > mine.toml <<'END'\nformat = 1\nEND\n"
    """
    last, text = "END", text if text.endswith("\n") else f"{text}\n"
    while last in text.splitlines():
        last += "D"
    return f"cat > {file} <<'{last}'\n{text}{last}\n"


def literal(text: str) -> str:
    """A multi-line text in a program; an empty line comes first."""
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""\n{text}"""'


def _option(key: str) -> str:
    return f"--{key.replace('_', '-')}"


def simulated(
    chosen: Chosen, bet: str, games: int, seed: int, policy: str = "best"
) -> tuple[str, str]:
    """A simulation as a program and a command; `policy` plays a game with choices."""
    said = {"games": games, "seed": seed}
    plays = {"policy": policy} if chosen.goal is not None else {}
    of_bet = {"bet": bet} if bet and len(chosen.game.bets or ()) > 1 and not plays else {}
    return asked(chosen, question_named("simulate"), said | plays | of_bet)


def of_several(
    games: Sequence[tuple[Chosen, str]], question: Question, values: Mapping[str, Any]
) -> tuple[str, str]:
    """A question about several games, each with its policy or "", as a program and a command.

    >>> from sevenout.lab.addresses.chosen import choose
    >>> from sevenout.questions import compare
    >>> of_several([(choose(""), ""), (choose("crapless"), "")], compare, {})[1]
    'sevenout compare craps crapless'
    """
    imports, made, files, words = ["from sevenout import questions"], [], "", []
    for n, (chosen, policy) in enumerate(games):
        more, expression = _posed(chosen)
        imports += [*more, *(["import sevenout as so"] if "so." in expression else [])]
        made.append(f"({expression}, {policy!r})" if policy else expression)
        file, word = _word(chosen, f"game-{'abcdefghijkl'[n]}")
        files += file
        words.append(f"{word}@{policy}" if policy else word)
    line = f"print({question.program(', '.join(made), values)})"
    command = join(["sevenout", *question.verb, *words, *question.options(values)])
    return lines_of(imports, line), files + command


def _word(chosen: Chosen, stem: str) -> tuple[str, str]:
    """A game as one word of a command line, and the command that first makes its file, if any."""
    known = name_of(chosen)
    if known and not known[1]:
        return "", known[0]
    if text := None if known else file_of(chosen):
        return filed(f"{stem}.toml", text), f"{stem}.toml"
    imports, made = _made(chosen)
    lines = ["import sevenout as so", *imports, "", f"game = {made}", ""]
    return filed(f"{stem}.py", "\n".join(lines)), f"{stem}.py:game"


def asked(chosen: Chosen, question: Question, values: Mapping[str, Any]) -> tuple[str, str]:
    """A question about a game as a program and a command.

    >>> from sevenout.lab.addresses.chosen import choose
    >>> from sevenout.questions import longer
    >>> asked(choose("pig-turn"), longer, {"rolls": 9, "policy": "best"})[1]
    'sevenout longer pig-turn --policy=best --rolls=9'
    """
    imports, made = _posed(chosen)
    imports = [*imports, "from sevenout import questions"]
    if "so." in made:
        imports.append("import sevenout as so")
    return (
        lines_of(imports, f"game = {made}", f"print({question.program('game', values)})"),
        command(chosen, question.command, *question.options(values)),
    )


def _posed(chosen: Chosen) -> tuple[list[str], str]:
    """The imports and the expression of a game with what the catalogue knows about it."""
    known = name_of(chosen)
    if known:
        name, options = known
        if not options and name in decisions:
            return ["from sevenout.games import decisions"], f"decisions[{name!r}]"
        if not options:
            return ["from sevenout.games import catalogue"], f"catalogue.entry({name!r})"
        said = ", ".join(f"{key}={value_of(value)!r}" for key, value in options.items())
        imported = "from sevenout.questions.chosen_game import named_game"
        return [imported], f"named_game({name!r}, {said})"
    if not known and (text := file_of(chosen)):
        imported = "from sevenout.rules.gamefiles.gamefile import parse_game"
        return [imported], f"parse_game({literal(text)})"
    return _made(chosen)


def played(
    chosen: Chosen,
    seed: int,
    moves: Sequence[str],
    chips: Mapping[str, list[tuple[int, int]]],
    stakes: Mapping[str, Fraction],
) -> tuple[str, str]:
    """A game played by hand, as a program and a command.

    A move is an answer, or "" for a roll; chips are (from which game on, how many) for each bet.
    """
    asked = any(moves)
    imports = ["from random import Random", "from sevenout.rules.position import Position"]
    lines = [f"random, position, ends = Random({seed}), Position(game), []"]
    lines += [f"for move in {list(moves)!r}:" if asked else f"for _ in range({len(moves)}):"]
    lines += ["    if move:", "        position.choose(move)", "    else:"] if asked else []
    lines += [f"{'        ' if asked else '    '}print(*position.throw(random))"]
    lines += ["    if position.settled:", "        print(position.settled.label)"]
    lines += ["        ends.append(position.settled)", "        position = Position(game)"]
    if chips:
        imports += [
            "from fractions import Fraction",
            "from sevenout.lab.addresses.table_history import nets",
        ]
    for bet, changes in chips.items():
        said = f"{bet!r}, Fraction('{stakes[bet]}'), {changes}"
        lines += [f"print({bet!r}, *nets(ends, {said})[-1:])  # from which game on, how many chips"]
    made = program(chosen, *lines, imports=imports)
    return made, command(chosen, "play", f"--seed={seed}", before=typed(moves))


def typed(moves: Sequence[str]) -> str:
    r"""The typed input, as the beginning of a command line.

    >>> typed(["", "", ""]), typed(["", "hold"])
    ("yes '' | head -n 3 | ", "printf '%s\\n' '' hold | ")
    """
    if any(moves):
        return join(["printf", LINE, *moves]) + " | "
    return f"yes '' | head -n {len(moves)} | " if moves else ""


def plain(question: Question, of: str, values: Mapping[str, Any]) -> tuple[str, str]:
    """A question about dice, or about nothing, as a program and a command.

    >>> from sevenout.questions import dice
    >>> plain(dice, "4d6kh3", {})[1]
    'sevenout dice 4d6kh3'
    """
    line = f"print({question.program(repr(of) if of else '', values)})"
    words = ["sevenout", *question.verb, *filter(None, [of]), *question.options(values)]
    return lines_of(["from sevenout import questions"], line), join(words)


def of_file(question: Question, text: str, values: Mapping[str, Any]) -> tuple[str, str]:
    """A question about a game file's text, as a program and a command."""
    name = question.of.file
    words = ["sevenout", *question.verb, name, *question.options(values)]
    line = f"print({question.program('file', values)})"
    imports = ["from sevenout import questions"]
    return lines_of(imports, f"file = {literal(text)}", line), filed(name, text) + join(words)


def followed(design: str, faults: dict[tuple[int, int], int], share: int) -> tuple[str, str]:
    """Faults of dice, by die and face in percent, or designs compared in a share of one: the
    program and the command.
    """
    said = ", ".join(f"Fault({d}, {f}, Fraction({p}, 100))" for (d, f), p in faults.items())
    imports = ["from fractions import Fraction", "from sevenout.verify import rolls_to_notice"]
    if faults:
        made = lines_of(
            [
                *imports,
                "from sevenout.rolling import Fault, designs, faulty_law",
                "from sevenout.rolling.totals.spreads import Spread",
            ],
            f"dice = designs()[{design!r}]",
            f"law = faulty_law(dice, [{said}])",
            f"print(Spread({design!r}, law))",
            'print(f"{rolls_to_notice(dice.law, law):,} rolls until a test notices")',
        )
    else:
        made = lines_of(
            [*imports, "from sevenout.rolling import comparison, designs"],
            f"for one in comparison(designs(), Fraction({share}, 100), rolls_to_notice):",
            '    print(f"{one.name}: {float(one.fragility):.4f}, {one.rolls:,} rolls to notice")',
        )
    asked = ["--share", str(Fraction(share, 100))]
    if len(faults) == 1 and design in ("2d6", "tatham", "no-seven"):
        (((d, f), p),) = faults.items()
        face = face_text(designs()[design].sources[d].faces[f])
        asked = [design, f"--die={d + 1}", f"--face={face}", f"--share={Fraction(p, 100)}"]
    return made, join(["sevenout", "dice", "faults", *asked])


def examined(dice: str, counts: dict[Any, int], order: tuple[Any, ...] | None) -> tuple[str, str]:
    """A test of a die, with the order of its rolls if known: the program and the command."""
    rows = ["face", *map(str, order)] if order is not None else ["face,count"]
    rows += [] if order is not None else [f"{face},{n}" for face, n in counts.items()]
    file = "\n".join([*rows, ""])
    made = lines_of(
        ["from pathlib import Path", "from sevenout.verify import examine, read_rolls"],
        f"Path('rolls.csv').write_text({file!r})",
        f"print(examine(read_rolls('rolls.csv', {dice!r})))",
    )
    file = join(["printf", LINE, *rows]) + " > rolls.csv\n"
    return made, file + join(["sevenout", "dice", "test", "rolls.csv", "--dice", dice])
