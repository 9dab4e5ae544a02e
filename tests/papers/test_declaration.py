"""One declaration: its canonical text is in the dossier, and its hash stands on every paper."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.dice_keeping import Yahtzee
from sevenout.cli import main
from sevenout.errors import NotationError, RulesError
from sevenout.papers.dossier import Dossier, TurnDossier
from sevenout.papers.subject import TurnSubject, canonical_text, declaration, makers_of, subject_of
from sevenout.rules.gamefiles.gamefile import game_text, parse_game

WHOLE = """
format = 1
name = "Fast night"
dice = "2d6"
rules = "Seven or eleven wins."
procedure = "The dealer calls the roll."
void_rolls = "A roll off the table does not count."
cocked_dice = "The dealer calls the face."
late_bets = "A late bet is returned."
irregularities = "The game stops."
disputes = "The supervisor decides."
equipment = "Two dice of 3/4 inch."
origin = "A variation of craps."
patents = "None."
jurisdictions = "Approved in Ohio."
seats = 14
layout = "A box marked PASS."
maker = "House of Dice"
author = "A. Author"
version = "3"
currency = "$"

[[line]]
naturals = [7, 11]
craps = [2, 3]
pushes = [12]
out = 7
limit = 9
names = { natural = "nick" }

[line.bets.pass]
stake = 5
point = 10
minimum = 5
maximum = 500
top_award = "1500"
made = "come-out"
stays = "contract"

[[wager]]
bet = "early"
limit = 1
pays = { 2 = 30 }
rest = "-1/2"
stake = 1
side_of = { naturals = [7, 11], craps = [2, 3, 12], out = 7 }
made = "come-out"

[[checklist]]
bet = "small"
collect = [2, 3, 4, 5, 6]
stop = 7
pays = 30

[progressive.pass]
seed = 500
share = "1%"
on = "nick"
must_hit_by = 1000
"""
CHANGES = {
    "name": ("Fast night", "Slow night"),
    "dice": ('"2d6"', '"d6+d6{1,2,3,4,5,6:2}"'),
    "rules": ("Seven or", "7 or"),
    "procedure": ("calls the roll", "shouts"),
    "void_rolls": ("off the table", "on the floor"),
    "cocked_dice": ("the face.", "nothing."),
    "late_bets": ("bet is returned", "bet is paid"),
    "irregularities": ("game stops", "game goes on"),
    "disputes": ("supervisor decides", "dealer decides"),
    "equipment": ("3/4 inch", "5/8 inch"),
    "origin": ("A variation of craps", "A new game"),
    "patents": ('"None."', '"One."'),
    "jurisdictions": ("Ohio", "Nevada"),
    "seats": ("seats = 14", "seats = 12"),
    "layout": ("PASS", "LINE"),
    "maker": ("House of Dice", "Another"),
    "author": ("A. Author", "B. Author"),
    "version": ('"3"', '"4"'),
    "currency": ('"$"', '"EUR"'),
    "naturals": ("[7, 11]\ncraps = [2, 3]\n", "[7]\ncraps = [2, 3, 11]\n"),
    "pushes": ("craps = [2, 3]\npushes = [12]", "craps = [2]\npushes = [3, 12]"),
    "limit": ("limit = 9", "limit = 8"),
    "names": ('natural = "nick"', 'natural = "nick", out = "gone"'),
    "point": ("point = 10", "point = 9"),
    "minimum": ("minimum = 5", "minimum = 4"),
    "maximum": ("maximum = 500", "maximum = 400"),
    "top_award": ('"1500"', '"1501"'),
    "made": ('top_award = "1500"\nmade = "come-out"', 'top_award = "1500"'),
    "stays": ("contract", "removable"),
    "bet": ('"early"', '"soon"'),
    "wager.pays": ("2 = 30", "2 = 29"),
    "rest": ('"-1/2"', '"-2/3"'),
    "stake": ("stake = 1", "stake = 2"),
    "side_of": ("craps = [2, 3, 12]", "craps = [2, 12]"),
    "collect": ("[2, 3, 4, 5, 6]", "[2, 3, 4, 5]"),
    "stop": ("stop = 7", "stop = 8"),
    "checklist.pays": ("pays = 30\n", "pays = 31\n"),
    "seed": ("seed = 500", "seed = 400"),
    "share": ('"1%"', '"2%"'),
    "on": ('on = "nick"', 'on = "craps"'),
    "must_hit_by": ("must_hit_by = 1000", "must_hit_by = 900"),
}


def canonical(text):
    return sha256(canonical_text(parse_game(text)).encode()).hexdigest()


@pytest.mark.parametrize("key", CHANGES)
def test_a_change_of_one_key_changes_the_hash(key):
    old, new = CHANGES[key]
    assert old in WHOLE
    assert canonical(WHOLE.replace(old, new)) != canonical(WHOLE)


def test_every_key_of_the_file_is_varied():
    keys = set(re.findall(r"^([a-z_]+) =", WHOLE, re.MULTILINE)) - {"format", "out", "craps"}
    assert keys <= {key.rpartition(".")[2] for key in CHANGES} | {"pays"}


def test_what_says_the_same_has_one_text():
    """Comments, spaces, the order of keys and other spellings of a number are no difference."""
    other = WHOLE.replace('rest = "-1/2"', "rest = '-50%' # half").replace("[7, 11]", "[11,7]")
    assert canonical(other) == canonical(WHOLE)


def make(place: Path, *words: str) -> dict[str, bytes]:
    assert main(["dossier", *words, "-o", str(place), "--games", "0", "--volume", "100"]) == 0
    return {file.name: file.read_bytes() for file in place.iterdir()}


def test_the_hash_stands_on_every_paper_and_is_that_of_the_file(tmp_path):
    # without a limit of its meter, which is watched for a year in most of a minute
    night = WHOLE.replace("must_hit_by = 1000\n", "").replace('top_award = "1500"\n', "")
    source = tmp_path / "night.toml"
    source.write_text(night)
    files = make(tmp_path / "made", str(source))
    digest = sha256(files["declaration.toml"]).hexdigest()
    assert digest == canonical(night)
    for name in (name for name in files if name.endswith(".pdf")):
        assert b"/DisplayDocTitle true" in files[name], name
        assert b"/Author(A. Author)" in files[name], name
    titles = {re.search(rb"/Title\(Fast[^)]*\)", files[n])[0] for n in files if n.endswith("pdf")}
    assert len(titles) == sum(name.endswith(".pdf") for name in files)


EXAMPLES = sorted(Path("docs/examples/declared").glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_declared_as_data(path):
    """The canonical text of each is a game file, which says the same again."""
    file = parse_game(path.read_text())
    text = game_text(file)
    assert game_text(parse_game(text)) == text
    for part in ("procedure", "void_rolls", "cocked_dice", "maker", "author", "version"):
        assert getattr(file, part), part
    assert all(file.limits_of(bet) and file.window_of(bet) for bet in file.limits)


def test_two_mistakes_of_makers_are_caught():
    """A procedure against the window of its bet; a top award below the largest pay on the limit."""
    early = Path("docs/examples/declared/come-out.toml").read_text()
    with pytest.raises(NotationError, match='made = "come-out" of early bird, and the procedure'):
        parse_game(early.replace("made at the come-out only, while", "made at any time, while"))
    with pytest.raises(NotationError, match='top_award = "599", and 6 to 1 on maximum = 100'):
        parse_game(early.replace('"600"', '"599"'))


def test_an_award_in_money_is_of_a_bet_that_the_limits_allow():
    """A meter in dollars was reckoned for a bet of 1 where always 5 are staked: an edge of 5 %
    where it is 31 %.
    """
    ladder = Path("docs/examples/declared/ladder.toml").read_text()
    with pytest.raises(NotationError, match=r"of a bet of 1, which the limits don't allow; .* 5"):
        parse_game(ladder.replace("stake = 5\n", "").replace("4 = 200", "4 = 40"))
    with pytest.raises(NotationError, match="of a bet of 5, which the limits don't allow"):
        parse_game(WHOLE.replace("minimum = 5", "minimum = 6"))


def test_what_a_file_says_is_not_said_again():
    game = Dossier(subject_of(parse_game(WHOLE)))
    assert makers_of(game.declared) == [("maker", "House of Dice"), ("author", "A. Author")]


def test_a_program_and_the_file_beside_it_are_in_the_dossier(tmp_path):
    (tmp_path / "beside.py").write_text("WINS = 4\n")
    (tmp_path / "mine.py").write_text(
        "from beside import WINS\nimport sevenout as so\n\n\nclass High(so.Game):\n"
        "    dice = so.dice('1d6')\n\n    def step(self, state, roll):\n"
        "        return so.win() if roll.total >= WINS else so.lose()\n"
    )
    files = make(tmp_path / "made", f"{tmp_path}/mine.py:High")
    for name in ("mine.py", "beside.py"):
        assert files[name] == (tmp_path / name).read_bytes()
    declared = files["declaration.toml"].decode()
    assert all(sha256(files[name]).hexdigest() in declared for name in ("mine.py", "beside.py"))


class High(so.Game):
    """A program, with an option."""

    dice = so.dice("1d6")

    def __init__(self, least=4):
        self.least = least

    def step(self, state, roll):
        return so.win() if roll.total >= self.least else so.lose()


def test_a_goal_of_a_game_without_choices_is_refused():
    with pytest.raises(RulesError, match="the game has no choices: leave it out"):
        subject_of(games["craps"], goal={"most": "pass"})


def test_what_no_file_can_say_is_declared_too():
    """Of programs with other options, and what is stated: each has a text of its own."""
    entry = games.entry("craps")
    craps = subject_of(entry)
    hold = subject_of(games("pig-turn", goal=9), goal={"most": "points"})
    matters = [
        Dossier(subject_of(High())),
        Dossier(subject_of(High(5))),
        Dossier(subject_of(declaration(High(5), maker="Me"))),
        Dossier(subject_of(High(5)), sources=(("mine.py", b"WINS = 5"),)),
        Dossier(subject_of(High(5)), sources=(("mine.py", b"WINS = 4 + 1"),)),
        Dossier(hold),
        Dossier(craps),
        Dossier(subject_of(declaration(entry, limits="5 to 50"))),
        Dossier(subject_of(declaration(entry, limits="$5 to $50"))),
    ]
    digests = [matter.digest for matter in matters]
    assert len(set(digests)) == len(matters)
    again = Dossier(subject_of(declaration(High(5), maker="Me")))
    assert again.digest == digests[2]
    assert "minimum = 5\nmaximum = 50" in matters[7].declaration.decode()
    assert matters[8].declared.limits_of("pass") == "from $5 to $50"


def test_a_game_of_turns_has_a_text():
    """A change of its rules changes the hash; of its figures there are none in it."""

    class OneBox(Yahtzee):
        card = (frozenset({"yahtzee"}), False)

    class Chance(Yahtzee):
        card = (frozenset({"chance"}), False)

    one, same, other = (
        TurnDossier(TurnSubject(declaration(game(), "One"), so.best(game())))
        for game in (OneBox, OneBox, Chance)
    )
    assert one.digest == same.digest != other.digest
    assert one.digest in one.foot


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5", "write '5 to 500'"),
        ("500 to 5", "write"),
        ("as posted", "write"),
        ("$5 to €9", "write"),
    ],
)
def test_limits_that_are_none(text, words, capsys):
    assert main(["dossier", "craps", "-o", "never", "--limits", text]) == 2
    assert words in capsys.readouterr().err


def test_files_of_one_name_in_two_folders_are_two(tmp_path, capsys):
    for place, wins in (("a", 4), ("b", 6)):
        (tmp_path / place).mkdir()
        (tmp_path / place / "beside.py").write_text(f"WINS = {wins}\n")
        (tmp_path / place / "mine.py").write_text(
            "from beside import WINS\nimport sevenout as so\n\n\nclass High(so.Game):\n"
            "    dice = so.dice('1d6')\n\n    def step(self, state, roll):\n"
            "        return so.win() if roll.total >= WINS else so.lose()\n"
        )
        assert main(["odds", f"{tmp_path}/{place}/mine.py:High"]) == 0
        assert ("1/2" if wins == 4 else "1/6") in capsys.readouterr().out


STATED = """
format = 1
name = "Wheel of Doubles"
maker = "House of Dice"
procedure = "The dealer spins the wheel."
currency = "$"
seats = 7
[limits."wheel bet"]
minimum = 5
maximum = 100
"""


def test_a_program_is_declared_by_a_file_beside_it(tmp_path, capsys):
    """The folder's declaration has the same form, so that the folder is made again from it."""
    stated = tmp_path / "stated.toml"
    stated.write_text(STATED)
    game = "docs/examples/wheel.py:WheelOfDoubles"
    files = make(tmp_path / "made", game, "--declare", str(stated))
    text = files["declaration.toml"].decode()
    assert text.startswith('format = 1\nname = "Wheel of Doubles"\nrules = "Two dice are rolled.')
    assert '[limits."wheel bet"]\nminimum = 5\nmaximum = 100' in text
    assert main(["dossier", "--check", str(tmp_path / "made")]) == 0
    capsys.readouterr()
    stated.write_text(STATED.replace("wheel bet", "pass"))
    words = ["dossier", game, "-o", str(tmp_path / "other"), "--declare", str(stated)]
    assert main(words) == 2
    assert ":8: limits.pass; name a bet: wheel bet" in capsys.readouterr().err


def test_a_catalogue_game_is_declared_by_a_file_and_by_the_command(tmp_path):
    """Its declaration is then a whole game file, of which only the statement is read again."""
    stated = tmp_path / "stated.toml"
    stated.write_text(STATED.partition("[limits")[0])
    words = ["--author", "You", "--sign", "laboratory", "--limits", "$5 to $50", "--version", "7"]
    files = make(tmp_path / "made", "craps", "--declare", str(stated), *words)
    declared = files["declaration.toml"].decode()
    for said in ('maker = "House of Dice"', 'author = "You"', 'version = "7"', "seats = 7"):
        assert said in declared
    assert "minimum = 5\nmaximum = 50" in declared
    options = json.loads(files["dossier.json"])["options"]
    assert options["version"] == "7"
    assert options["sign"] == "laboratory"
    assert main(["dossier", "--check", str(tmp_path / "made")]) == 0


def test_a_game_file_states_everything_itself(tmp_path, capsys):
    path = str(EXAMPLES[0])
    assert main(["dossier", path, "-o", str(tmp_path / "made"), "--declare", path]) == 2
    assert "--declare is for a game without a game file" in capsys.readouterr().err


def submission_of(text):
    file = parse_game(text)
    return str(Dossier(subject_of(file)).submission())


LAYOUT = """
format = 1
name = "Field"
rules = "A 4 pays {four} to 1, and any other winner pays even money."
currency = "$"
seats = 8
[[wager]]
bet = "field"
limit = 1
pays = {{ "4" = 6, "9,10" = 1 }}
maximum = 100
"""


def test_a_pay_in_the_rules_that_no_bet_pays_is_named():
    """A laboratory read "4 pays 25 to 1" beside a pay of 6 to 1, and nothing said so."""
    wrong = " ".join(submission_of(LAYOUT.format(four=25)).split())
    assert "The rules say “A 4 pays 25 to 1”. No bet pays that." in wrong
    right = " ".join(submission_of(LAYOUT.format(four=6)).split())
    assert "The pays in the words of the rules (6 to 1 and 1 to 1) are pays of the math" in right


def test_the_exposure_of_a_table_is_in_money():
    text = " ".join(submission_of(LAYOUT.format(four=6)).split())
    assert "one bettor can win $600 from the house in one game" in text
    assert "A table of eight bettors can win $4,800." in text


def test_what_a_declaration_does_not_state_is_named():
    text = " ".join(submission_of(LAYOUT.format(four=6)).split())
    assert "does not state the maker, whether the game is new or a variation of another" in text
    assert "the number of seats" not in text
