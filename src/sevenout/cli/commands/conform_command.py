"""`sevenout conform`: test another program against the rules, line by line and as a whole."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sevenout.cli.options import GameName, Json, Rules, Seed, counts
from sevenout.cli.out import console, print_json
from sevenout.errors import NotationError, shown
from sevenout.questions.subjects import find_game

if TYPE_CHECKING:
    from sevenout.verify import Conformity


def conform(
    game: GameName,
    results: Path,
    /,
    *more: Path,
    confidence: str = "99%",
    listed: Annotated[int, counts(0, 100_000)] = 20,
    seed: Seed = 1,
    json: Json = False,
    **rules: Rules,
) -> int:
    """Test another program's results against the rules of a game.

    The exit code is 1 if the results disagree with the rules.

    Parameters
    ----------
    results
        A CSV file: answers to a dossier's test vectors (a column `vector`), a log of games (a
        column `game` or `rolls`), a log of rolls alone (a column for each die), or the meter of a
        progressive award (the columns of a dossier's meter.csv).
    more
        More files of the same kinds.
    confidence
        The minimum probability that correct results pass all tests together: 99%, 19/20.
    listed
        The number of disagreeing lines to list. All of them are counted.
    seed
        The seed of simulated p-values.
    """
    from sevenout.verify import conform as ask

    if not str(results).strip():
        raise NotationError(
            f"{shown(str(results))} is not a results file; name one, such as log.csv"
        )
    chosen = find_game(game, rules, files=True)
    found: list[Conformity] = []
    for path in (results, *more):
        found.append(
            ask(
                chosen.game,
                path,
                awards=chosen.awards,
                confidence=confidence,
                listed=listed,
                seed=seed,
            )
        )
        if not json:
            console().print(found[-1].page())
    if json:
        print_json([each.to_dict() for each in found])
    return int(not all(each.agrees for each in found))
