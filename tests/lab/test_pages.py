from typing import Any

import pytest


def test_the_game_page_shows_craps(visit: Any) -> None:
    async def look(user: Any) -> None:
        await user.open("/")
        await user.should_see("Craps")
        await user.should_see("49.2929")
        await user.should_see("244/495")
        await user.should_see("98.28 %")

    visit(look)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/?game=3/7,8,9/3@3d6", "364249/384384"),
        ("/?entry=hazard&main=5", "1396/2835"),
        ("/?entry=fast-craps", "95341/419904"),
        ("/?entry=hazard-turn", "No bet is made"),
        ("/?game=bananas", "is not a variant"),
        ("/?game=2,3/3,7/7", "both craps and naturals"),
        ("/?entry=nothing", "no game 'nothing'"),
        ("/?entry=hazard&main=4", "main is 5, 6, 7, 8 or 9"),
        ("/?game=2,3,12/7,11/7&limit=x", "limit=x"),
        ("/?game=2,3,12/7,11/7@9999d6", "not a variant|dice"),
        ("/?game=<script>alert(1)</script>", "is not a variant"),
    ],
)
def test_an_address_opens_a_game_or_says_why_not(visit: Any, address: str, words: str) -> None:
    async def look(user: Any) -> None:
        await user.open(address)
        await user.should_see(words.rsplit("|", maxsplit=1)[-1])

    visit(look)


def test_the_catalogue_is_there_and_one_bet_in_full(visit: Any) -> None:
    async def look(user: Any) -> None:
        await user.open("/catalogue")
        await user.should_see("Pass line")
        await user.open("/catalogue?entry=craps")
        await user.should_see("Return table")
        await user.should_see("244976/245025", retries=20)
        await user.open("/catalogue?entry=nothing")
        await user.should_see("No game 'nothing'")

    visit(look)
