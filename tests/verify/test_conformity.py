"""Someone else's program against the rules: what is right passes, and each fault is found."""

import csv
import json
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from sevenout.catalogue import games
from sevenout.catalogue import games as shelf
from sevenout.catalogue.dice_keeping import threes
from sevenout.cli import main
from sevenout.documents import Table
from sevenout.rolling import d6
from sevenout.rules.position import Position
from sevenout.verify import Book, DataError, Vectors, conform
from sevenout.verify.planning import faces_plan
from sevenout.verify.records import faces_text
from sevenout.verify.result_files import LineReader
from sevenout.verify.vectors import MAX_MOVES

GAMES = 20_000


def played(sixes=1.0, rolls=2_000_000, seed=1):
    """Games of craps, roll by roll, by a program that shares nothing with ours."""
    rng = np.random.default_rng(seed)
    weights = np.array([1, 1, 1, 1, 1, sixes])
    first = rng.choice(6, rolls, p=weights / weights.sum()) + 1
    second = rng.integers(1, 7, rolls)
    point, line = None, []
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        line.append((a, b))
        total = a + b
        if point is None and total not in (2, 3, 7, 11, 12):
            point = total
            continue
        if point is None:
            label = "natural" if total in (7, 11) else "craps"
        elif total == point:
            label = "point"
        elif total == 7:
            label = "seven out"
        else:
            continue
        yield line, label, 1 if label in ("natural", "point") else -1
        point, line = None, []


def write(path, games, heading="game,rolls,outcome,pass"):
    """A log of games, in a maker's way."""
    with path.open("w") as file:
        print(heading, file=file)
        for number, (line, label, pays) in enumerate(games, 1):
            rolls = "; ".join(f"{a} {b}" for a, b in line)
            print(f"{number},{rolls},{label},{pays}", file=file)
    return path


@pytest.fixture(scope="module")
def right():
    """A right log, which is copied before it is spoilt."""
    games = played()
    return [next(games) for _ in range(GAMES)]


def test_a_right_log_conforms(right, tmp_path):
    found = conform(games["craps"], write(tmp_path / "log.csv", right))
    assert found.agrees
    assert (found.line_count, found.games, found.disagreements) == (GAMES, GAMES, 0)
    assert len(found.family) == 17  # 7 of the dice, 10 of the games
    assert "none of 20,000 lines" in found.verdict


def test_right_logs_fail_as_seldom_as_is_said(tmp_path):
    """At 90 % at most 1 in 10 fails: of 30, more than 7 have probability below 1 %."""
    failed = 0
    for seed in range(30):
        games = played(rolls=6_000, seed=100 + seed)
        found = conform(shelf["craps"], write(tmp_path / "log.csv", games), confidence="90%")
        assert not found.disagreements
        failed += bool(found.rejecting_tests)
    assert failed <= 7


def test_a_row_that_pays_wrong_is_found_at_its_first_line(right, tmp_path):
    spoilt = [(line, o, 2 if o == "natural" and sum(line[0]) == 11 else p) for line, o, p in right]
    wrong = [i for i, (_, _, p) in enumerate(spoilt) if p == 2]
    found = conform(games["craps"], write(tmp_path / "log.csv", spoilt))
    assert found.faults["wrong pay"] == found.disagreements == len(wrong)
    assert found.listed[0] == (wrong[0] + 2, "pass wins 2, and should win 1")
    assert [each.line for each in found.listed] == [i + 2 for i in wrong[:20]]


def test_a_skipped_round_is_found_where_it_is_missing(right, tmp_path):
    path = write(tmp_path / "log.csv", right)
    lines = path.read_text().splitlines(keepends=True)
    del lines[7_000], lines[3_000:3_005]
    path.write_text("".join(lines))
    found = conform(games["craps"], path)
    assert found.listed == (
        (3_001, "games 3,000 to 3,004 are missing: 2,999 is followed by 3,005"),
        (6_996, "game 7,000 is missing: 6,999 is followed by 7,001"),
    )
    assert found.faults["missing"] == 6


def test_a_lost_seven_is_found_by_line(right, tmp_path):
    """The program forgets to log one seven in a hundred: the game has no end."""
    random, lost = Random(1), []
    spoilt = []
    for i, (line, label, pays) in enumerate(right):
        if label == "seven out" and random.random() < 0.01:
            lost.append(i + 2)
            line = line[:-1]  # noqa: PLW2901
        spoilt.append((line, label, pays))
    found = conform(games["craps"], write(tmp_path / "log.csv", spoilt))
    assert found.faults["rolls that can't be"] == found.disagreements == len(lost)
    assert found.listed[0].line == lost[0]


def test_lost_sevens_are_found_in_a_log_of_rolls(tmp_path):
    """Of rolls alone a lost seven breaks no rule: it shows in the shares, one in ten lost."""
    rng = np.random.default_rng(5)
    rolls = rng.integers(1, 7, (150_000, 2))
    path = tmp_path / "rolls.csv"
    np.savetxt(path, rolls, "%d", ",")
    assert conform(games["craps"], path).agrees
    kept = rolls[(rolls.sum(1) != 7) | (rng.random(len(rolls)) > 0.1)]
    np.savetxt(path, kept, "%d", ",")
    found = conform(games["craps"], path)
    assert not found.disagreements
    assert "the independence of die 1 and die 2" in found.rejecting_tests
    assert found.rejected_at_line["the outcomes"] <= len(kept)


def test_a_die_loaded_by_a_hundredth_is_found(tmp_path):
    """A six 1 % too often: 10^6 rolls show it nine times in ten, and this seed does by then."""
    rng = np.random.default_rng(3)
    weights = np.array([1, 1, 1, 1, 1, 1.0]) / 6
    weights = weights + np.array([-1, -1, -1, -1, -1, 5]) * 0.01 / 30
    n = 2_500_000
    rolls = np.stack([rng.choice(6, n, p=weights) + 1, rng.integers(1, 7, n)])
    path = tmp_path / "rolls.csv"
    text = np.full((n, 4), ord(","), "u1")
    text[:, 0], text[:, 2], text[:, 3] = rolls[0] + 48, rolls[1] + 48, 10
    path.write_bytes(text.tobytes())
    found = conform(games["craps"], path)
    assert "the shares of die 1" in found.rejecting_tests
    assert "the shares of die 2" not in found.rejecting_tests
    assert 200_000 < found.rejected_at_line["the shares of die 1"] <= n


def test_a_log_of_outcomes_alone(right, tmp_path):
    path = tmp_path / "log.csv"
    lines = [f"{label},{pays}" for _, label, pays in right]
    path.write_text("\n".join(["outcome,pass", *lines]))
    assert conform(games["craps"], path).agrees
    path.write_text("\n".join(["outcome,pass", *lines, "natural,-1", "nine,1"]))
    found = conform(games["craps"], path)
    assert [each.words for each in found.listed] == [
        "pass loses 1, and should win 1",
        "the outcome is nine, and no game ends so",
    ]
    halves = [line for i, line in enumerate(lines) if line != "craps,-1" or i % 2]
    path.write_text("\n".join(["outcome,pass", *halves]))
    found = conform(games["craps"], path)
    assert set(found.rejecting_tests) == {"the outcomes"} == set(found.rejected_at_line)


@pytest.mark.parametrize("name", ["craps", "hazard", "fast-craps", "sic-bo-any-triple-30-1"])
def test_vectors_cover_every_move_and_are_right(name):
    game = games.entry(name).game()
    vectors = Vectors(Book(game), games=50)
    assert vectors.covered == vectors.move_count < MAX_MOVES
    rows = {(bet, p.event, p.profit, p.risk) for o in vectors.book.outcomes for bet, p in o.pays}
    assert {*vectors.rows} == rows
    for row, k in vectors.rows.items():
        position = Position(game)
        for event in vectors[k].rolls.split("; "):
            assert position.settled is None
            position.roll(tuple(map(int, event.split())))
        pay = position.settled.pay(row.bet)
        assert (pay.event, pay.profit) == (row.event, row.profit)


def test_the_shortest_game_of_each_row_is_shortest():
    """No game of craps pays the point in fewer than two rolls, and two are found."""
    vectors = Vectors(Book(games["fast-craps-pass"]), games=0)
    lengths = {row: vectors[k].rolls.count(";") + 1 for row, k in vectors.rows.items()}
    assert set(lengths.values()) == {1, 2, 3, 4}
    assert {row.profit for row, n in lengths.items() if n == 2} >= {Fraction(5), Fraction(3)}


def answered(vectors, path):
    """A maker's answers: the vectors' own, without why and rolls."""
    bets = vectors.book.bets
    with path.open("w") as file:
        print("vector", "outcome", *bets, sep=",", file=file)
        for number, v in enumerate(vectors, 1):
            print(number, v.outcome.label, *map(v.outcome.profit, bets), sep=",", file=file)
    return path


def test_answers_to_the_vectors(tmp_path):
    game = games["craps"]
    path = answered(Vectors(Book(game)), tmp_path / "answers.csv")
    assert conform(game, path).agrees
    lines = path.read_text().splitlines(keepends=True)
    lines[2] = lines[2].replace(",1", ",3/2")
    lines.append("3,craps,-1\n")
    lines.append("9999999,craps,-1\n")
    del lines[9]
    path.write_text("".join(lines))
    words = [each.words for each in conform(game, path).listed]
    assert words[0] == "vector 2, 1 6: pass wins 3/2, and should win 1"
    assert words[1:3] == [
        "vector 3 is answered twice",
        "vector 3, 1 3; 1 3: the outcome is craps, and should be point",
    ]
    assert words[3] == "there is no vector 9999999"
    assert words[4].startswith("vector 9 is not answered")


def test_a_dossiers_own_vectors_conform_to_it(tmp_path):
    for game in (games["hazard"], games.entry("pig-turn").game()):
        path = tmp_path / "vectors.csv"
        path.write_text(Vectors(Book(game)).csv())
        assert conform(game, path).agrees


def test_counters_are_held_against_the_rules(tmp_path):
    """A scorer who counts a 3 as 3 at Threes is caught, by the vectors and in a log."""
    game, path = threes(dice=2), tmp_path / "vectors.csv"
    text = Vectors(Book(game)).csv()
    path.write_text(text)
    assert conform(game, path).agrees
    heading, *lines = text.splitlines()
    assert heading == "vector,why,rolls,outcome,points"
    scored, wrong = list(csv.reader(lines)), 0
    for cells in scored:
        kept = [die for turn in cells[2].split("; ")[::2] for die in turn.split()]
        if "3" in kept[-1:]:  # the last die is always kept
            cells[4], wrong = str(int(cells[4]) + 3), wrong + 1
    path.write_text(Table(heading.split(","), scored).csv())
    found = conform(game, path, max_listed=1)
    assert not found.agrees
    assert found.faults["wrong counter"] == wrong > 0
    assert "points is 4, and should be 1" in found.listed[0].words
    path.write_text("game,rolls,points\n1,1 3; keep 2 of 2,1\n2,1 3; keep 2 of 2,4\n")
    found = conform(game, path)
    assert [each.words for each in found.listed] == ["points is 4, and should be 1"]


def test_a_game_with_choices(tmp_path):
    game = games.entry("pig-turn").game()
    path, random = tmp_path / "log.csv", Random(1)
    lines = ["game,rolls,points"]
    for number in range(1, 4_001):
        position, events = Position(game), []
        while not position.settled:
            if position.options:
                events.append(random.choice(position.options))
                position.choose(events[-1])
            else:
                events.append(faces_text(position.throw(random)))
        lines.append(f"{number},{'; '.join(events)},{dict(position.counts).get('points', 0)}")
    path.write_text("\n".join(lines))
    found = conform(game, path)
    assert found.agrees
    assert "what the players choose" in found.left_out
    path.write_text("\n".join([*lines, "4001,sit; 3; hold,3"]))
    assert "event 1 is sit" in conform(game, path).listed[0].words


def test_memory_is_bounded_and_forgetting_changes_nothing(right, tmp_path, monkeypatch):
    from sevenout.verify import game_logs, result_files

    path = write(tmp_path / "log.csv", right)
    whole = conform(games["craps"], path)
    monkeypatch.setattr(game_logs, "MAX_CACHED", 100)
    monkeypatch.setattr(result_files, "CHUNK_BYTES", 5_000)
    parts = conform(games["craps"], path)
    assert parts.family == whole.family
    assert {q: c.statistic for q, c in parts.checks.items()} == {
        q: c.statistic for q, c in whole.checks.items()
    }


def test_more_games_are_kept_in_no_more_memory(right, tmp_path):
    from sevenout.verify.game_logs import GameLog
    from sevenout.verify.result_files import results_in

    book = Book(games["craps"])
    results = results_in(write(tmp_path / "log.csv", right), book)
    log = GameLog(book, results, Fraction(99, 100), 20)
    for first, lines in results.chunks():
        log.read_chunk(first, lines)
    assert log.line_count == GAMES
    rolls, states, ends = 36 + 36, len(book.targets), len(book.outcomes)  # after a blank, and not
    assert len(log.moves) <= rolls * (1 + states)
    assert len(log.remainders.number_by_item) + len(log.result_by_key) <= 2 * ends


@pytest.mark.parametrize("heading", ["game,rolls,outcome,pass", "game,outcome,rolls,pass"])
@pytest.mark.parametrize("quoted", [False, True])
def test_each_line_is_judged_as_it_is_alone(right, heading, quoted, tmp_path):
    """Played a block at a time, lines come out as they do one by one."""
    random, lines, wrong = Random(3), [heading], []
    order = [heading.split(",").index(name) for name in ("rolls", "outcome", "pass")]
    reader = LineReader(Book(games["craps"]), tuple(heading.split(",")[1:]))
    for number, (line, label, pays) in enumerate(right[:2_000], 1):
        rolls = "; ".join(f"{a} {b}" for a, b in line)
        cells = [str(number), rolls, label, str(pays)]
        match random.randrange(40):
            case 0:
                cells[3] = "7"
            case 1:
                cells[2] = "nothing"
            case 2:
                cells[1] += "; 3 4"
            case 3:
                cells[1] = cells[1].rpartition(";")[0]
            case 4:
                cells[1] = f"  {cells[1].replace(';', ' ;')} "
            case 5:
                cells[3] = "x"
        said = dict(zip(order, cells[1:], strict=True)) | {0: cells[0]}
        cells = [f'"{said[k]}"' if quoted else said[k] for k in range(4)]
        if number % 500 == 0:
            cells.pop()
        lines.append(",".join(cells))
        fault = reader.read(",".join(cells[1:]).encode()).fault
        if fault is not None:
            wrong.append((number + 1, fault.words))
    path = tmp_path / "log.csv"
    path.write_text("\n".join(lines))
    found = conform(games["craps"], path, max_listed=2_000)
    assert [tuple(each) for each in found.listed] == wrong
    assert len(wrong) > 150


def test_cards_are_dealt_at_a_table_in_progress():
    """A deal is one face, read as the roll of its cards."""
    name = next(n for n in games.without_choices if n.startswith("card-craps"))
    position = Position(games.entry(name).game())
    while not position.settled:
        position.throw(Random(1))
    assert position.rolls


def test_the_command(right, tmp_path, capsys):
    path = write(tmp_path / "log.csv", right[:500])
    assert main(["test", "log", "craps", str(path)]) == 0
    assert "The results conform: none of 500 lines disagrees" in capsys.readouterr().out
    path.write_text(path.read_text().replace("natural,1", "natural,2"))
    assert main(["test", "log", "craps", str(path), str(path), "--json", "--listed", "2"]) == 1
    one, other = json.loads(capsys.readouterr().out)["results"]
    assert one == other
    assert (one["conforms"], len(one["listed"])) == (False, 2)
    assert main(["test", "log", "craps", str(tmp_path / "none.csv")]) == 2


def test_the_first_disagreements_are_listed_whatever_they_are(tmp_path):
    """A wrong pay comes before gaps that are as many as may be listed."""
    lines = [f"{n},3 4,1" for n in [1, 2, 3, *range(10, 100, 2)]]
    lines[1] = "2,3 4,2"
    path = tmp_path / "log.csv"
    path.write_text("\n".join(["game,rolls,pass", *lines]))
    found = conform(games["craps"], path, max_listed=3)
    assert [each.line for each in found.listed] == [3, 5, 6]
    assert found.verdict.startswith("The results do not conform: 51 disagreements in 48 lines (")
    assert ", ;" not in conform(games["craps"], path, max_listed=0).verdict


def test_games_missing_after_game_nought(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("game,rolls,pass\n0,3 4,1\n5,3 4,1\n")
    (found,) = conform(games["craps"], path).listed
    assert found.words == "games 1 to 4 are missing: 0 is followed by 5"


def test_rolls_of_an_unfinished_game_are_in_no_count(tmp_path):
    """The mean is that of the games that ended: the same without what comes after the last."""
    path = tmp_path / "rolls.csv"
    rolls = "3,4\n2,2\n3,3\n2,2\n"
    path.write_text(rolls)
    whole = conform(games["craps"], path).checks["the mean rolls"]
    path.write_text(rolls + "2,2\n" + "3,3\n" * 50)
    assert conform(games["craps"], path).checks["the mean rolls"] == whole


def test_what_is_watched_shares_the_error_with_the_family(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("outcome,pass\n" + "natural,1\n" * 4)
    found = conform(games["craps"], path, confidence="99%")
    (p,) = found.family.values()  # 4 naturals, and all that is as unlikely
    assert found.level == Fraction(1, 200) < p < Fraction(1, 100)
    assert found.agrees
    assert not conform(games["craps"], path, confidence="98%").agrees


def fast_craps(rng):
    """A game of Fast Craps, and how many rolls it has, by a program of its own."""
    throw = lambda: tuple(rng.integers(1, 7, 2).tolist())  # noqa: E731
    rolls = [throw()]
    point = sum(rolls[0])
    if point in (2, 3, 12, 7, 11):
        return rolls
    line, brick = True, point in (4, 6, 8, 10)
    while (line or brick) and len(rolls) < 4:
        a, b = throw()
        rolls.append((a, b))
        line, brick = line and a + b not in (7, point), brick and a + b not in (7, point)
    return rolls


@pytest.mark.parametrize("sixes", [False, True])
def test_rolls_of_a_game_whose_lines_share_their_dice(sixes, tmp_path):
    rng, path = np.random.default_rng(5), tmp_path / "rolls.csv"
    games = [fast_craps(rng) for _ in range(20_000)]
    rolls = [roll for game in games for roll in game]
    if sixes:  # a tenth of all ones of the first die are sixes
        rolls = [(6 if a == 1 and k % 10 == 0 else a, b) for k, (a, b) in enumerate(rolls)]
    path.write_text("".join(f"{a},{b}\n" for a, b in [*rolls[:9], ("", ""), *rolls[9:]]))
    path.write_text(path.read_text().replace("\n,\n", "\n\n"))
    found = conform(shelf["fast-craps"], path)
    assert found.kind == "rolls"
    assert found.line_count == len(rolls)
    assert found.agrees != sixes
    if not sixes:
        assert found.games == len(games)
        assert "the wins of 'brick'" in found.family
    assert {"the shares of die 1", "the shares of die 2"} < set(found.family)


def test_dice_that_are_read_in_two_ways_are_tested_together(tmp_path):
    rng, path = np.random.default_rng(6), tmp_path / "log.csv"
    games = [fast_craps(rng) for _ in range(2_000)]
    lines = ["; ".join(f"{a} {b}" for a, b in game) for game in games]
    book = Book(shelf["fast-craps"])
    rows = [f"{line},{book.outcome(book.read(line)).profit('pass')}" for line in lines]
    path.write_text("\n".join(["rolls,pass", *rows]))
    found = conform(shelf["fast-craps"], path)
    assert found.agrees
    assert [q for q in found.checks if q.startswith("the shares")] == [
        "the shares of die 1",
        "the shares of die 2",
    ]
    rolls = sum(map(len, games))
    level = found.level / len(found.family)
    assert found.detectable["the shares of die 1"] == faces_plan(d6.law, rolls)(level)


def test_a_wrong_roll_leaves_a_game_of_several_lines(tmp_path):
    path = tmp_path / "rolls.csv"
    path.write_text("2,2\n3,9\n1,1\n2,2\n2,2\n")
    found = conform(games["fast-craps"], path)
    assert found.games == 2
    assert [(each.line, each.words[:3]) for each in found.listed] == [(2, "3,9")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"awards": {"field": ("natural",)}}, "awards: the game has no bet 'field'"),
        ({"awards": {"pass": ("nonsense",)}}, "awards: 'pass' has no row 'nonsense'"),
        ({"awards": {"pass": "point"}}, "awards: 'pass' has no row 'p'"),
        ({"games": -1}, "games=-1; give 0 or more"),
        ({"games": 1.5}, "games=1.5; give 0 or more"),
    ],
)
def test_vectors_refuse_awards_of_no_bet_and_fewer_games_than_none(options, message):
    """Both were dropped."""
    with pytest.raises(DataError, match=message):
        Vectors(Book(games["craps"]), **options)
