"""A strategy file played by its words, as a player at the table would who keeps a tally.

Another writing of what a file means than `catalogue.strategies.strategy_file`: nothing is
remembered but the list of all that happened, and each wish is worked out from that list anew.
"""

import tomllib

MOVES = {"first": lambda k: 0, "back": lambda k: max(0, k - 1), "on": lambda k: k + 1}
MOVES["stay"] = lambda k: k
MOMENTS = {"come-out": (True, False), "point": (False, True), "always": (True, True)}
STAYS = ("place", "buy", "lay", "big", "hard")


class PlayedByWords:
    """A player of a file whose bets have no odds, and no limit of covered numbers.

    The memory is one entry per roll: the results of the bets that it settled, and whether the
    shooter is out.
    """

    sees_money, sees_last, memory = False, True, ()

    def __init__(self, text):
        self.bets = tomllib.loads(text)["bet"]

    def remembers(self, table):
        results = tuple((each.bet, each.profit) for each in table.last.paid)
        return (*table.memory, (results, table.last.out))

    def wants(self, table):
        wanted = {}
        for bet in self.bets:
            amount = self.amount(bet, table)
            if amount is not None:
                wanted[bet["on"]] = amount
        return wanted

    def amount(self, bet, table):
        """What is to lie on a bet now; None to leave it as it is."""
        name, ladder = bet["on"], bet.get("ladder", [1])
        step, settled = 0, 0
        for results, out in table.memory:
            for of, profit in results:
                if of == name:
                    settled += 1
                    word = bet.get("win", "first") if profit > 0 else bet.get("loss", "on")
                    if profit:
                        step = MOVES[word](step) % len(ladder)
            settled = 0 if out else settled  # the next shooter begins anew
        done = "limit" in bet and settled >= bet["limit"]
        now = table.bets.get(name)
        if now is not None and name.split()[0] in STAYS:
            if done:
                return 0  # wait for the next shooter, with nothing up
            if len(ladder) > 1:
                return bet["amount"] * ladder[step]
            last = dict(table.memory[-1][0]) if table.memory else {}
            return self.pressed(bet, now, last.get(name, 0))
        on_come_out, on_point = MOMENTS[bet.get("when", "always")]
        if done or now is not None or not (on_point if table.point else on_come_out):
            return None
        return bet["amount"] * ladder[step]

    def pressed(self, bet, now, won):
        press = bet.get("press", 0)
        if won <= 0 or not press:
            return None
        more = won - won % bet["amount"] if press == "all" else press
        raised = max(now + more, bet.get("least", 0))
        return min(raised, max(now, bet["most"])) if "most" in bet else raised
