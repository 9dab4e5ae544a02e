"""Files of rolls: every form that is read, and every fault that is named."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sevenout.errors import FileError, NotationError
from sevenout.rolling import parse_dice
from sevenout.verify import DataError, read_rolls, read_successes


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "rolls.csv"
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    "text", ["1\n6\n6\n", "face\n1\n6\n6\n", "# mine\nroll\n\n1\n 6 \n6", "\ufeff1\r\n6\r\n6"]
)
def test_one_die(file, text):
    rolls = read_rolls(file(text), "d6")
    (sample,) = rolls.samples
    assert sample.order == (1, 6, 6)
    assert sample.counts == {1: 1, 6: 2}
    assert sample.law == parse_dice("d6").dice[0].law
    assert (rolls.n, rolls.totals) == (3, None)
    assert [roll.faces for roll in rolls] == [(1,), (6,), (6,)]


def test_several_dice(file):
    rolls = read_rolls(file("red,blue\n1,10\n4,10\n"), "d4+d10")
    assert [(s.name, s.order) for s in rolls.samples] == [("red", (1, 4)), ("blue", (10, 10))]
    assert rolls.totals.counts == {11: 1, 14: 1}
    assert [roll.total for roll in rolls] == [11, 14]
    plain = read_rolls(file("1,10\n4,10\n"), parse_dice("d4+d10"))
    assert [s.name for s in plain.samples] == ["die 1", "die 2"]


def test_totals_only(file):
    rolls = read_rolls(file("total\n7\n12\n7\n"), "2d6")
    assert rolls.totals is rolls.samples[0]
    assert rolls.totals.counts == {7: 2, 12: 1}
    assert list(rolls) == [7, 12, 7]


def test_counts(file):
    rolls = read_rolls(file("face,count\n1,10\n2,0\n6,20\n"), "d6")
    assert rolls.samples[0].counts == {1: 10, 2: 0, 6: 20}
    assert (rolls.samples[0].order, rolls.n) == (None, 30)
    with pytest.raises(DataError, match="each roll"):
        list(rolls)
    pair = read_rolls(file("face,count\n1,10\n6,20\n"), "2d6")
    assert (pair.n, len(pair.samples), pair.totals) == (15, 1, None)
    totals = read_rolls(file("Total,Count\n7,10\n2,20\n"), "2d6")
    assert totals.totals.counts == {7: 10, 2: 20}


def test_labels_and_unequal_faces(file):
    rolls = read_rolls(file("face\nH\nT\nH\n"), "d2{H,T}")
    assert rolls.samples[0].counts == {"H": 2, "T": 1}
    painted = read_rolls(file("1\n4\n"), "d6{1,2,2,3,3,4}")
    assert float(painted.samples[0].law[2]) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("text", "dice", "orders"),
    [
        ("Date,Roll\n2026-01-01,3\n2026-01-02,6\n", "d6", [(3, 6)]),
        ("Date;Roll\n2026-01-01;3\n2026-01-02;6\n", "d6", [(3, 6)]),
        ("Time\tShooter\tred\tblue\n9:00\tAnn\t3\t4\n9:01\tBo\t1\t1\n", "2d6", [(3, 1), (4, 1)]),
        ("Date,Roll\n2026-01-01,7\n2026-01-02,12\n", "2d6", [(7, 12)]),
        ("Roll\n3-4\n6 6\n", "2d6", [(3, 6), (4, 6)]),
        ('Roll\n"(3, 4)"\n"(6, 6)"\n', "2d6", [(3, 6), (4, 6)]),
        ("7\n12\n", "2d6", [(7, 12)]),
        ("Sum\n7\n12\n", "2d6", [(7, 12)]),
        ("No,roll\n1,6\n2,6\n", "d6", [(6, 6)]),
        ("".join(f"{n},6\n" for n in range(1, 9)), "d6", [(6,) * 8]),
        ("roll,face\n1,6\n2,4\n", "d6", [(6, 4)]),
        ("roll,total\n1,5\n2,6\n3,3\n", "2d6", [(5, 6, 3)]),
        ("roll,red,blue\n1,6,5\n2,4,3\n", "2d6", [(6, 4), (5, 3)]),
    ],
)
def test_files_that_people_have(file, text, dice, orders):
    assert [sample.order for sample in read_rolls(file(text), dice).samples] == orders


def test_faces_that_don_t_count_up_have_counts(file):
    counted = read_rolls(file("20,7\n19,12\n1,3\n"), "d20")
    assert counted.samples[0].counts == {20: 7, 19: 12, 1: 3}


@pytest.mark.parametrize(
    "text", ["1,10\n2,0\n6,20\n", "value,n\n1,10\n2,0\n6,20\n", "Roll,Frequency\n1,10\n6,20\n"]
)
def test_counts_that_people_have(file, text):
    counts = read_rolls(file(text), "d6").samples[0].counts
    assert (counts[1], counts[6]) == (10, 20)


COUNTS_OF_AN_OCTAHEDRON = "1,3\n2,5\n3,2\n4,8\n5,1\n6,4\n7,6\n8,7\n"


def test_faces_in_order_are_not_taken_for_the_numbers_of_the_rolls(file):
    counted = read_rolls(file(f"face,count\n{COUNTS_OF_AN_OCTAHEDRON}"), "d8")
    assert [*counted.samples[0].counts.values()] == [3, 5, 2, 8, 1, 4, 6, 7]
    numbered = read_rolls(file(f"no,face\n{COUNTS_OF_AN_OCTAHEDRON}"), "d8")
    assert numbered.samples[0].order == (3, 5, 2, 8, 1, 4, 6, 7)


def test_counted_rolls_of_two_dice_are_totals(file):
    assert read_rolls(file("roll,count\n7,10\n2,20\n"), "2d6").totals.counts == {7: 10, 2: 20}


BAD = [
    ("1\n7\n", "d6", "line 2", "'7'", "a face of d6"),
    ("face\n1\nsix\n", "d6", "line 3", "'six'", "1, 2, 3, 4, 5, 6"),
    ("six\n1\n", "d6", "line 1", "'six'", "face"),
    ("0\n", "d6", "line 1", "'0'", "1, 2"),
    ("1.0\n", "d6", "line 1", "'1.0'", "1, 2"),
    ("-1\n", "d6", "line 1", "'-1'", "1, 2"),
    ("", "d6", "rolls.csv", "empty", "face"),
    ("# nothing\n\n", "d6", "rolls.csv", "empty", "face"),
    ("face\n", "d6", "line 1", "no rolls after the header", "'face'"),
    ("1,2\n3\n", "2d6", "line 2", "'3'", "1 column; line 1 has 2"),
    ("# mine\n1,2\n3\n", "2d6", "line 3", "'3'", "1 column; line 2 has 2"),
    ("1,2\n3,4,5\n", "2d6", "line 2", "'3,4,5'", "3 columns"),
    ("1,2\n3,\n", "2d6", "line 2", "''", "a face of d6"),
    (COUNTS_OF_AN_OCTAHEDRON, "d8", "line 1", "'1,3'", "face,count or no,face"),
    ("1,3\n2,4\n3,2\n4,5\n5,3\n6,4\n", "d6", "line 1", "'1,3'", "or the number of a roll"),
    ("date,time\n3,4\n2,2\n", "2d6", "line 1", "'date,time' names no column of rolls"),
    ("date\n1\n", "d6", "line 1", "'date' names no column of rolls"),
    ("1,2\n1,3\n", "d6", "line 1", "'1,2'", "2 columns for d6"),
    ("1\n2\n", "2d6", "line 1", "'1'", "a total of 2d6"),
    ("face\n1\n2\n", "2d6", "line 1", "'face'", "1 column for 2d6"),
    ("red,red\n1,2\n", "2d6", "line 1", "'red,red'", "gives two dice the same name"),
    ("n,total\n1,5\n2,6\n", "2d6", "line 1", "'n,total' has a column 'n'", "not that of a die"),
    ("a,Total\n1,5\n2,6\n", "2d6", "line 1", "a column 'Total'", "write one column"),
    ("count,face\n5,1\n3,2\n", "2d6", "line 1", "a column 'count'", "face,count"),
    ("roll,total\n3,5\n2,6\n", "2d6", "line 1", "a column 'total'"),
    ("colour\n1\n", "d6", "line 1", "'colour'", "write one column"),
    ("colour,count\n1,2\n", "d6", "line 1", "'colour,count'", "face,count"),
    ("red,n\n3,4\n", "d6", "line 1", "the header 'red,n'", "face,count"),
    ("total\n13\n", "2d6", "line 2", "'13'", "a total of 2d6"),
    ("total,count\n1,5\n", "2d6", "line 2", "'1'", "2, 3, 4"),
    ("face,count\n1,-5\n", "d6", "line 2", "'-5'", "whole number"),
    ("face,count\n1,2.5\n", "d6", "line 2", "'2.5'", "whole number"),
    ("face,count\n1,many\n", "d6", "line 2", "'many'", "whole number"),
    ("face,count\n1," + "9" * 5000 + "\n", "d6", "line 2", "999", "10^15"),
    ("face,count\n1,5\n1,6\n", "d6", "line 3", "'1'", "twice"),
    ("face,count\n1,0\n2,0\n", "d6", "line 3", "every count is 0", "nothing"),
    ("face,count\n1,5\n", "2d6", "rolls.csv", "5 faces", "whole number of rolls"),
    ("face,count\n1,5\n", "d4+d6", "line 1", "not alike", "one column"),
    (b"\xff\xfe1\n", "d6", "rolls.csv", "UTF-8"),
    ('1\n"2\n', "d6", "line", "CSV", "rolls.csv"),
]


@pytest.mark.parametrize(("text", "dice", "words"), [(t, d, w) for t, d, *w in BAD])
def test_faults_name_file_line_and_value(file, text, dice, words):
    path = file(text)
    with pytest.raises((DataError, FileError)) as caught:
        read_rolls(path, dice)
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message
    for word in words:
        assert word in message


def test_files_that_can_not_be_read(tmp_path):
    with pytest.raises(FileError, match=r"can't read .*nowhere\.csv: No such file"):
        read_rolls(tmp_path / "nowhere.csv", "d6")
    with pytest.raises(FileError, match="directory"):
        read_rolls(tmp_path, "d6")
    with pytest.raises(NotationError):
        read_rolls(tmp_path, "six dice")


@pytest.mark.parametrize(
    ("text", "dice", "success", "words"),
    [
        ("hits,throws\n0,1\n13,2\n", "12d6", [5, 6], ["line 3", "'13'", "12 dice"]),
        ("hits,throws\n0,-1\n", "12d6", [5, 6], ["line 2", "'-1'"]),
        ("0,1,2\n", "12d6", [5, 6], ["line 1", "3 columns"]),
        ("", "12d6", [5, 6], ["empty"]),
        ("0,1\n", "12d6", [7], ["success 7", "d6"]),
        ("0,1\n", "12d6", [], ["0 faces"]),
        ("0,1\n", "d6", [1, 2, 3, 4, 5, 6], ["6 faces"]),
        ("0,1\n", "d4+d6", [1], ["not identical"]),
    ],
)
def test_faults_of_weldons_form(file, text, dice, success, words):
    with pytest.raises(DataError) as caught:
        read_successes(file(text), dice, success)
    for word in words:
        assert word in str(caught.value)


CELLS = st.sampled_from(
    ["1", "6", "7", "face", "total", "count", "", "-1", "x", '"', "#", "1.5", " 2"]
)
LINES = st.lists(st.lists(CELLS, max_size=3).map(",".join), max_size=5).map("\n".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES | st.binary(max_size=40), st.sampled_from(["d6", "2d6", "d4+d6", "d2{x,face}"]))
def test_any_file_is_read_whole_or_refused_in_one_line(file, text, dice):
    path = file(text)
    try:
        rolls = read_rolls(path, dice)
    except (DataError, FileError) as error:
        assert str(path) in str(error)  # noqa: PT017
        assert len(str(error).splitlines()) == 1  # noqa: PT017
    else:
        assert rolls.n > 0
        assert all(sum(s.counts.values()) for s in rolls.samples)
        assert all(set(s.counts) <= set(s.law) for s in rolls.samples)
