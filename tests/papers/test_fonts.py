"""A sheet shows no empty boxes: a character that no font has is said."""

from pathlib import Path

import matplotlib as mpl
import pytest

from sevenout.cli import main


def test_a_character_that_no_font_has_is_said_and_never_a_box(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "good.pdf"
    words = ["sheet", "craps", "--games", "0", "-o", str(good)]
    assert main([*words, "--title", "Ωμέγα Щука שלום مرحبا ⚀ → Łódź"]) == 0
    before = good.read_bytes()
    for title, named in (("骰子", "子 骰"), ("サイコロ ⵣ", "コ サ ロ イ"), ("주사위", "사 위 주")):
        assert main([*words, "--title", title]) == 2
        said = capsys.readouterr().err
        assert said.startswith("sevenout: no font for ")
        assert all(c in said for c in named)
        assert "--fonts" in said
        assert good.read_bytes() == before
    page = tmp_path / "page.html"
    assert main(["sheet", "craps", "--games", "0", "-o", str(page), "--title", "骰子"]) == 0
    assert "骰子" in page.read_text(encoding="utf-8")


def test_fonts_of_ones_own_are_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fonts = Path(mpl.get_data_path()) / "fonts" / "ttf"
    path = tmp_path / "own.pdf"
    words = ["sheet", "craps", "--games", "0", "-o", str(path), "--title", "ⵣⵉ"]
    assert main(words) == 2
    assert main([*words, "--fonts", str(fonts)]) == 0
    assert b"%PDF" in path.read_bytes()
    assert main([*words, "--fonts", str(tmp_path / "none")]) == 2
    assert "is not a folder" in capsys.readouterr().err
