"""Results in the forms that makers write, and what is no file of results."""

import csv
from fractions import Fraction

import pytest

from sevenout.catalogue import games
from sevenout.errors import FileError, SevenoutError
from sevenout.rolling import dice
from sevenout.rules import Game, lose, settle, win
from sevenout.verify import Book, DataError, Vectors, conform
from sevenout.verify.result_files import CHUNK_BYTES, MAX_LINE, Results, results_in


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "log.csv is empty; give it columns"),
        ("\n1,3 4,1\n", "begins with an empty line"),
        ("game,rolls,pass\n", "a heading but no results"),
        ("first,second\n\n \n", "a heading but no results"),
        ("game,rolls,odds\n1,3 4,1\n", "the column 'odds' is unknown"),
        ("game,rolls\n1,3 4\n", "there is no column with an outcome"),
        ("rolls,game,pass\n3 4,1,1\n", "first column must be vector or game"),
        ("game,rolls,pass,pass\n1,3 4,1,1\n", "the same name"),
    ],
)
def test_what_is_no_file_of_results(text, says, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(text)
    with pytest.raises(SevenoutError, match=says):
        conform(games["craps"], path)
    with pytest.raises(FileError, match="can't read"):
        conform(games["craps"], tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1,3 4; 3 4,natural,1", "event 2 comes after the end of the game: natural after 1"),
        ("1,2 2,point,1", "the game is not over"),
        ("1,3 9,natural,1", "event 1 is 3 9, which can't be at come-out"),
        ("1,3 4,natural,much", "pass is 'much', which is not an amount"),
        ("1,3 4,natural", "it has 2 cells for 3 columns"),
        ("x,3 4,natural,1", "x is not a game's number"),
        ("1,3 4,craps,1", "the outcome is craps, and should be natural"),
        ("1,3 4,natural,-1", "pass loses 1, and should win 1"),
    ],
)
def test_what_is_said_of_a_line(line, says, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(f"game,rolls,outcome,pass\r\n\r\n{line}\r\n")
    (found,) = conform(games["craps"], path).listed
    assert found.line == 3
    assert says in found.words


@pytest.mark.parametrize(
    "text",
    [
        "die 1,die 2\n3,4\n5,6\n",
        "d1,d2\n3,4\n5,6\n",
        "3,4\n5,6\n",
        "Game,Rolls,Pass\n1,3 4,1\n2,5 6,1.00\n",
        '\ufeff"game","rolls","pass"\r\n"1","3 4","1"\r\n\r\n"2","5 6","1"\r\n   \r\n',
    ],
)
def test_the_headings_and_quotes_that_makers_write(text, tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes(text.encode())
    found = conform(games["craps"], path)
    assert (found.disagreements, found.line_count, found.games) == (0, 2, 2)


def test_headings_in_capitals_name_counters_and_meters_too(tmp_path):
    path = tmp_path / "log.csv"
    book = Book(games["fast-craps"])
    path.write_text(f"Game,Rolls,Outcome,{book.bets[0]},{book.counters[0].title()}\n")
    assert results_in(path, book).columns[-1] == book.counters[0]
    path.write_text("Bet,Number,Before,Fed,Wins,Award,After\n")
    assert results_in(path, book).kind == "meter"


def test_the_longest_line_is_measured_wherever_it_lies(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("game,rolls,outcome,pass\n" + "3" * 500_000 + "\n1,3 4,natural,1\n")
    with pytest.raises(FileError, match="a line of over 100,000 bytes"):
        conform(games["craps"], path)


def test_a_long_list_of_columns_ends_in_dots(tmp_path):
    class ManyBets(Game):
        dice = dice("2d6")
        bets = tuple(f"bet number {k}" for k in range(40))

        def step(self, state, roll):
            return settle("end", dict.fromkeys(self.bets, 1))

    path = tmp_path / "log.csv"
    path.write_text("game,rolls,bet number 99\n1,3 4,1\n")
    with pytest.raises(DataError, match=r"'bet number 99' is unknown; .*, rolls, .*\.\.\.$"):
        results_in(path, Book(ManyBets()))


@pytest.mark.parametrize("line_break", [b"\n", b"\r\n"])
@pytest.mark.parametrize("length", [MAX_LINE - 1, MAX_LINE, MAX_LINE + 1])
def test_the_longest_line_may_begin_a_chunk(length, line_break, tmp_path):
    path = tmp_path / "rolls.csv"
    path.write_bytes(b"1\n" * (CHUNK_BYTES // 2) + b"2" * length + line_break + b"3\n")
    results = Results(path, "rolls", ("1",), False)
    if length > MAX_LINE:
        with pytest.raises(FileError, match="a line of over 100,000 bytes"):
            list(results.chunks())
    else:
        lines = [line for _, lines in results.chunks() for line in lines]
        assert lines[-2:] == [b"2" * length, b"3"]
        assert len(lines) == CHUNK_BYTES // 2 + 2


def test_a_coin_without_a_heading_keeps_its_first_toss(tmp_path):
    path = tmp_path / "tosses.csv"
    path.write_text("heads\ntails\nheads\n")

    class Tosses(Game):
        dice = dice({"heads": 1, "tails": 1})
        bets = ("bet",)

        def step(self, state, roll):
            return win(bet="bet") if "heads" in roll else lose(bet="bet")

    found = conform(Tosses(), path)
    assert (found.disagreements, found.line_count) == (0, 3)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("game,rolls,pass\r1,3 4,1\r", "is not CSV"),
        ("game;rolls;pass\n1;3 4;1\n", "are not separated by commas"),
    ],
)
def test_other_kinds_of_csv(text, says, tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes(text.encode())
    with pytest.raises(SevenoutError, match=says):
        conform(games["craps"], path)


def test_vectors_are_no_formulas_for_a_spreadsheet(tmp_path):
    """A label or a bet that a spreadsheet would take for a formula is guarded, and read again."""

    class Odd(Game):
        dice, start = dice("d3{-1,0,1}").totals, "on"
        bets = ("=bet", "@b")

        def step(self, state, roll):
            if roll == 1:
                return state
            return settle("=cmd|'/c calc'!A1", {"=bet": 1 if roll else -1, "@b": roll})

    vectors = Vectors(Book(Odd()))
    (head, *rows) = list(csv.reader(vectors.csv().splitlines()))
    assert head[-2:] == ["'=bet", "'@b"]
    assert {row[3] for row in rows} == {"'=cmd|'/c calc'!A1"}
    for row in rows:
        for cell in row:
            assert not cell.startswith(("=", "@")), row
            assert cell[:1] not in ("+", "-") or Fraction(cell), row
    path = tmp_path / "vectors.csv"
    path.write_text(vectors.csv())
    assert conform(Odd(), path).agrees
