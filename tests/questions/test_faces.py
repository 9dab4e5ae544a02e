"""Every question on every face: Python, command, JSON, the lab, and what the lab copies."""

import asyncio
import json
import re
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

pytest.importorskip("htpy", reason="the lab is an extra: pip install 'sevenout[lab]'")

import sevenout as so
from sevenout.catalogue import games
from sevenout.cli import main
from sevenout.lab.address import Address
from sevenout.lab.host import app
from sevenout.lab.site import page
from sevenout.questions import all_questions, commands
from sevenout.questions.arguments import ArgumentError
from sevenout.questions.question import Question
from sevenout.questions.reference import heading, reference
from sevenout.questions.schema import schema, schema_text
from sevenout.questions.subjects import pack_file

FIGURE = re.compile(r"\d+(?:,\d+)*(?:[./]\d+)*")
COPIED = re.compile(r'data-copy="([^"]*)"')
SAYS = """#!/bin/sh
printf '%s\\0' "$@" > asked
"""
"""In place of the command: what it is asked."""
ALL = [one for one in all_questions().values() if not one.local_only]
QUESTIONS = pytest.mark.parametrize("question", ALL, ids=lambda q: q.name)


def given(question: Question) -> list[Any]:
    """What a question's example is asked of, in Python."""
    name = question.example_subject
    if question.subject_kind.name == "games":
        return [so.games.entry(each) for each in question.example_inputs]
    if question.subject_kind.example_file:
        return [name]
    if not question.subject_kind.takes_one_game:
        return question.example_inputs
    if name in games.with_choices:
        return [games.entry(name)]
    return [so.games.entry(name)]


def words(question: Question) -> list[str]:
    """The command line of a question's example."""
    asked = [*question.command_words, *question.example_inputs]
    said = question.example_arguments
    own = [*question.subject_kind.shared_arguments, *question.arguments]
    asked += [said[each.name] for each in own if each.positional and each.name in said]
    for each in own:
        if each.name in said and not each.positional:
            asked += [each.option] if each.form.is_flag else [each.option, said[each.name]]
    return asked


def address(question: Question, **said: str) -> str:
    """The address of a question's example in the lab."""
    field = question.subject_kind.parameter
    name = (question.main_question or question).name
    asked = {"question": name, **({field: question.example_subject} if field else {})}
    return str(Address("/ask", {**asked, **question.example_arguments, **said}))


def asks(question: Question, *given: Any, **said: Any) -> Any:
    """The answer of a question, or of the one that it is a mode of."""
    return (question.main_question or question)(*given, **said)


def through_asgi(url: str) -> str:
    """The body of a page, from the lab's ASGI application."""
    path, _, query = url.partition("?")
    sent: list[dict[str, Any]] = []

    async def ask(asked: str, lane: str) -> Any:
        return page(asked)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1:8080")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8080),
    }
    asyncio.run(app(ask, 8080, None)(scope, receive, send))
    assert sent[0]["status"] == 200
    return b"".join(each.get("body", b"") for each in sent).decode()


def plain(html: str) -> str:
    """A page without its tags, and with hyphens for minuses."""
    bare = re.sub(r"<[^>]*>", " ", html.replace("<wbr/>", "").replace("<wbr>", ""))
    return unescape(bare).replace("\u2212", "-").replace("\u202f", " ")


def says(text: str, figures: list[str]) -> bool:
    """Whether a text has these figures, in this order."""
    told = iter(FIGURE.findall(text))
    return all(figure in told for figure in figures)


@QUESTIONS
def test_every_face_says_the_same(
    question: Question,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if question.subject_kind.example_file:
        (tmp_path / question.subject_kind.example_file).write_text(question.example_subject)
    found = asks(question, *given(question), **question.example_arguments)
    figures = FIGURE.findall(str(found))
    assert len(figures) > 2
    capsys.readouterr()

    code = getattr(found, "exit_code", 0)  # 1 if dice fail their test
    assert main(words(question)) == code
    assert says(capsys.readouterr().out, figures), "the command"

    assert main([*words(question), "--json"]) == code
    data = json.loads(capsys.readouterr().out)
    heads = question.subject_kind.json_head
    assert data == {key: data[key] for key in heads} | found.to_dict()
    assert set(heads) <= data.keys()
    said = set(found.to_dict())
    keys = question.figure_schemas.keys()
    assert {key for key in keys if not key.endswith("?")} <= said
    assert said <= {key.rstrip("?") for key in keys}
    Draft202012Validator(schema() | {"$ref": f"#/$defs/{question.name}"}).validate(data)

    body, _, foot = through_asgi(address(question)).partition('class="copies"')
    assert says(plain(body), figures), "the lab"

    _, python, command = (unescape(each) for each in COPIED.findall(foot))
    with redirect_stdout(StringIO()) as said:
        exec(compile(python, "copied", "exec"), {})
    assert says(said.getvalue(), figures), "what is copied as Python"
    (tmp_path / "sevenout").write_text(SAYS)
    (tmp_path / "sevenout").chmod(0o755)
    subprocess.run(["sh", "-ec", f"PATH=.:$PATH\n{command}"], check=True, timeout=60)
    assert main((tmp_path / "asked").read_text().split("\0")[:-1]) == code
    assert says(capsys.readouterr().out, figures), "what is copied as a command"


@QUESTIONS
def test_errors_name_the_argument_as_each_face_calls_it(
    question: Question,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if question.subject_kind.example_file:
        (tmp_path / question.subject_kind.example_file).write_text(question.example_subject)
    for each in question.arguments:
        if each.local_only or each.form.description == "text" or each.form.is_flag:
            continue
        wrong = {**question.example_arguments, each.name: "nonsense"}
        with pytest.raises(ArgumentError) as raised:
            asks(question, *given(question), **wrong)
        assert str(raised.value).startswith(f"{each.name}='nonsense'")
        line = words(question)
        if each.positional:
            positional = [argument for argument in question.all_arguments if argument.positional]
            line[len(question.command_words) + positional.index(each)] = "nonsense"
        elif each.option in line:
            line[line.index(each.option) + 1] = "nonsense"
        else:
            line += [each.option, "nonsense"]
        assert main(line) == 2
        error = capsys.readouterr().err
        assert each.option in error
        assert error.count("\n") == 1
        body = plain(page(address(question, **{each.name: "nonsense"})).body.decode())
        assert re.search(rf"{re.escape(each.label)}: \W?nonsense", body)


WRONG: list[Any] = [1.5, float("nan"), -1, 10**40, 10**5000, "", "9" * 5000, [], {}, object(), True]


@QUESTIONS
def test_a_value_of_the_wrong_kind_is_refused_in_one_line(question: Question) -> None:
    for each in question.all_arguments:
        for wrong in [*WRONG, b"x", "1/0", "\x1b[31m"]:
            said = f"{each.name}="
            with suppress(ArgumentError):
                each.parse(wrong)  # a state may be anything, and a name any text
                continue
            with pytest.raises(ArgumentError, match=f"^{said}") as raised:
                each.parse(wrong)
            assert len(str(raised.value)) < 300
            assert str(raised.value).isprintable()
    if given(question):
        for wrong in WRONG:
            with pytest.raises(so.SevenoutError):
                asks(question, wrong, *given(question)[1:], **question.example_arguments)
    with pytest.raises(so.SevenoutError, match="no argument 'nonsense'"):
        asks(question, *given(question), nonsense=1)
    with pytest.raises(so.SevenoutError, match=r"give (it|them) first|nothing but|not go with"):
        asks(
            question,
            *[1, 2] if not question.subject_kind.takes_several else [],
            **question.example_arguments,
        )


@QUESTIONS
def test_an_empty_text_is_refused_for_every_argument(question: Question) -> None:
    for each in question.all_arguments:
        # "give an amount, such as 5" or "give yes or no": a kind with its article, or the words
        kind = r"(an [aeiou]|a [^aeiou])" if not each.form.allowed_words else r"(?!.*such as)"
        message = f"^{each.name}=''; give {kind}"
        with pytest.raises(ArgumentError, match=message):
            each.parse("")
        if each.repeatable and not each.local_only:
            with pytest.raises(ArgumentError, match=message):
                each.parse([each.example or "5", ""])


@pytest.mark.parametrize(
    "line",
    [
        "best pig --policy=",
        "best pig --policy= --policy=hold-20",
        "odds pig --policy=",
        "compare craps hazard --bet=",
        "evening pass --house=",
        "odds craps --longer=",
    ],
)
def test_an_empty_option_is_refused_by_its_name(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    option = line.rsplit(maxsplit=1)[-1].split("=", maxsplit=1)[0]
    assert main(line.split()) == 2
    error = capsys.readouterr().err
    assert f"{option}: ''; give a" in error or f"{option} ''; give a" in error
    assert error.count("\n") == 1


def test_an_engine_names_arguments_as_the_face_does(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["evening", "pass", "--extremes", "--bankroll", "20", "--rolls", "5", "--least", "9"]
    assert main(line) == 2
    assert "--least " in capsys.readouterr().err
    url = "/ask?question=evening&extremes=yes&strategies=pass&bankroll=20&rolls=5&least=9"
    assert "Least: " in plain(page(url).body.decode())


@QUESTIONS
def test_the_reference_has_every_argument_and_every_key(question: Question) -> None:
    section = reference().partition(f"# {heading(question)}\n")[2].partition("\n##")[0]
    for each in question.own_arguments:
        label = "not in the lab" if each.local_only else each.label
        assert f"| `{each.name}` | `{each.option}` | {label} |" in section
    for key in question.figure_schemas:
        assert f"| `{key.rstrip('?')}` |" in section


def test_the_schema_is_published_as_it_is() -> None:
    import sevenout.questions

    Draft202012Validator.check_schema(schema())
    home = Path(sevenout.questions.__file__).parent
    assert (home / "schema.json").read_text("utf-8") == schema_text(), (
        "write it anew: python -m sevenout.questions.schema"
    )


def test_a_name_means_one_thing() -> None:
    """An option of two questions takes the same kind of value; no command has two names."""
    kinds: dict[str, set[str]] = {}
    for question in all_questions().values():
        for each in question.own_arguments:
            word = re.sub(r" (from|above|to) .*", "", each.form.description)
            kinds.setdefault(each.name, set()).add(word)
    # the money to reach, and the probability to reach, are both amounts
    assert {name: words for name, words in kinds.items() if len(words) > 1} == {}
    verbs = [" ".join(one.command_words) for one in commands().values()]
    assert len({*verbs}) == len(verbs)


OTHERWISE = {
    "count": "variants counts variants, and best --closest a number of decisions",
    "csv": "dice prints it, other commands write a file",
    "goal": "best has the goal of a game, an evening a target",
    "list": "evening and certify list what there is",
    "picture": "sheet and best choose one of several, which --plot saves",
    "rounds": "simulate plays rounds of hazard, an evening has bets",
}
"""Options that another command has under another name, since they mean something else there."""


def test_an_option_has_one_name_in_all_commands() -> None:
    """No command has an option by a word that is another one's name elsewhere; nor has the lab."""
    from sevenout.cli.app import HELP_BY_COMMAND, groups
    from sevenout.cli.app import app as commands_app
    from sevenout.cli.command_help import OPTION_SYNONYMS
    from sevenout.lab.pages.evening_page import EVENING_FIELDS

    apps = [commands_app[name] for name in commands_app if not name.startswith("-")]
    apps += [group[name] for group in groups.values() for name in group if name[0] != "-"]
    options = {
        name.removeprefix("--")
        for one in apps
        if one.default_command is not None
        for argument in one.assemble_argument_collection()
        for name in argument.names
        if name.startswith("--")
    }
    assert {"bankroll", "amount", "bets", "rolls", "hours", "bankroll-for"} <= options
    assert options & OPTION_SYNONYMS.keys() == set(OTHERWISE)
    assert {*HELP_BY_COMMAND} <= {*commands_app}
    own = {argument.name for argument in commands()["evening"].all_arguments}
    assert {"length" if field == "rolls" else field for field in EVENING_FIELDS} - own == {"length"}


def test_a_bet_has_one_name_on_all_faces() -> None:
    """The name of a bet at the table is that in odds, in evenings and in strategy files."""
    from sevenout.catalogue.bet_names import (
        BET_ALIASES,
        FELT,
        bet_named,
        entry_named,
        lookup_key,
    )
    from sevenout.catalogue.craps_family.craps_felt import house_of
    from sevenout.catalogue.craps_family.table_lines import read_line
    from sevenout.catalogue.craps_family.table_session import TableSession
    from sevenout.questions.plans import find_evening
    from sevenout.questions.subjects import find_game

    # A name is that of one bet, and a short form is not the name of another.
    assert len({lookup_key(bet) for bet in FELT}) == len(FELT)
    assert not {lookup_key(alias) for alias in BET_ALIASES} & {lookup_key(bet) for bet in FELT}
    session = TableSession(house_of("crapless=yes"), "1000", seed=1)
    usual = TableSession(house_of(""), "1000", seed=1)
    for bet in FELT:
        table = usual if "don't" in bet else session
        (command,) = read_line(table, f"{bet} 10")
        # The table calls a come bet by its number once it has one.
        assert [bet_named(one) for one in command.bets] == [bet], bet
        evening = find_evening(bet)
        assert bet_named(evening.name) == bet or "line" in evening.name.lower(), evening.name
        if (entry := entry_named(bet)) is not None:
            game = find_game(bet)
            assert game.entry is not None
            assert (game.entry.id, dict(game.options)) == entry, bet


def test_a_strategy_file_ends_an_evening_in_the_words_of_the_command() -> None:
    from sevenout.catalogue.strategies.strategy_file import parse_strategy

    own = {argument.name for argument in commands()["evening"].all_arguments}
    ends = "bankroll = 9\nrolls = 3\nbets = 2\nshooters = 4\nstop_loss = 5\nstop_win = 6\npace = 60"
    lines = '[[bet]]\non = "pass"\namount = 1\n[evening]\n'
    assert parse_strategy(lines + ends).evening.keys() <= own
    with pytest.raises(so.SevenoutError, match="rounds"):
        parse_strategy(lines + "rounds = 2")


def test_arguments_are_named_once() -> None:
    """No question takes an argument that the faces have already: the address would be torn."""
    taken = {"question", "json", "rules", "card"}
    for question in all_questions().values():
        names = [each.name for each in question.all_arguments]
        assert len({*names}) == len(names)
        assert not (taken | {question.subject_kind.parameter}) & {*names}


DROPPED = '''
"""How likely the first roll settles a game."""

from sevenout.documents.kinds import FRACTION, PERCENT
from sevenout.questions.arguments import arg
from sevenout.questions.question import FigureValues
from sevenout.questions.question import asks, printed_figure
from sevenout.questions.schema import exact, integer
from sevenout.questions.subject_kinds import GAME


@asks(
    GAME,
    "How likely the first roll settles each of some games.",
    {
        "games": integer("the games"),
        "quick": printed_figure(exact("the probability"), "at once", FRACTION, PERCENT),
    },
    fits_papers=True,
)
def quick(game, games: int = arg("This many games.", example="2", label="Games in a row")):
    return FigureValues({"quick": game.solution.distribution("rolls").pmf(1) ** games})
'''
PROGRAM = """
import sys
from sevenout.questions import entries
entries.__path__.append(sys.argv[1])

import sevenout as so
from sevenout import questions
from sevenout.cli import main
from sevenout.lab.site import page
from sevenout.questions.reference import heading, reference
from sevenout.questions.schema import schema

print("python", questions.quick(so.games["craps"], games=2))
main(["quick", "craps", "--games", "2"])
main(["quick", "craps", "--games", "2", "--json"])
main(["quick", "--help"])
main(["--completion", "bash"])
print(page("/ask?question=quick&game=craps&games=2").body.decode())
print(page("/ask").body.decode())
print(reference())
print(schema()["$defs"]["quick"])
"""


def test_a_file_that_is_dropped_into_the_list_is_on_every_face(tmp_path: Path) -> None:
    (tmp_path / "quick.py").write_text(DROPPED)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, check=True
    )
    out, lab = done.stdout, plain(done.stdout)
    for said in (
        "python at once   1/9   11.1111 %",
        '"quick": "1/9"',
        "--games",
        "This many games.",
        "How likely the first roll settles each of some games.",
        "sevenout quick craps --games=2",
        "questions.quick(game, games=2)",
        "| `games` | `--games` | Games in a row |",
        "'description': 'the probability'",
        'href="/ask?question=quick"',
    ):
        assert said in unescape(out), said
    assert re.search(r"at once\s+1/9\s+11.1111 %", lab)
    completion = out.partition("_sevenout")[2]
    assert re.search(r"\bquick\b", completion)


@pytest.mark.parametrize("options", [["--bets", "20"], ["--forever"]], ids=["bets", "forever"])
def test_an_evening_of_a_game_with_choices_says_how_it_is_played(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(__file__).parents[2] / "docs" / "examples" / "choice.toml"
    evening = ["evening", str(path), "--bankroll", "100", *options]
    assumed = "Optimal play of Three to make it is assumed; other play returns less."
    assert main([*evening, "--policy", "best"]) == 0
    assert " ".join(capsys.readouterr().out.split()).count(assumed) == 1
    assert main([*evening, "--policy", "never"]) == 0
    assert "The player follows the policy never." in capsys.readouterr().out
    parameters = {"question": "evening", "strategies": f"~{pack_file(path.read_text('utf-8'))}"}
    parameters |= {"bankroll": "100", "policy": "best"}
    parameters |= {"forever": "yes"} if options == ["--forever"] else {"bets": "20"}
    assert page(str(Address("/ask", parameters))).body.decode().count(assumed) == 1


def test_help_has_no_example_of_an_answer_that_needs_a_file() -> None:
    from sevenout.cli.app import app

    examples = app["simulate"].help_epilogue
    assert "sevenout simulate craps --games 1000" in examples
    assert "sevenout simulate craps\n" not in f"{examples}\n"
