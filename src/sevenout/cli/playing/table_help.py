"""What a table at the terminal explains: its commands, and words and bets."""

FIRST_HELP = (
    ("roll", "or Enter rolls the dice; `3 5` plays a roll of your own"),
    ("pass 10", "bets 10; so do don't pass 10, field 5, any 7 5, yo 1, hard 8 5, hop 5-3 2"),
    ("place 6 8 12", "12 on each; so do buy 4 20, lay 10 40, hardways 1; inside 22 in all"),
    ("pass 10, field 5", "several bets, separated by commas"),
    ("place 6 min, 8 max", "the least that is paid in full, the most that the house takes"),
    ("odds 20, odds max", "behind the line; odds 6 20 behind a come bet on the 6"),
    ("press 8, press 8 6", "doubles what is on the 8; adds 6. An amount is else the new total"),
    ("down, down 6", "takes bets down where the rules allow"),
    ("bets, why come", "what may be bet now, and why something may not"),
    ("edge place 6", "what a bet pays, its edge and its expected cost an hour, before you bet"),
    ("undo", "takes the last line back; the dice show the same again"),
    ("quit", "leaves, with the coach's last word"),
    ("help more, help odds", "all other commands; about a bet, or a word such as rail"),
)
"""The commands that `help` tells: as many as a screen of 24 lines holds."""
MORE_HELP = (
    ("same", "makes the bets again that the last decision took down, without odds"),
    ("parlay 8", "lets the whole win of the 8 ride, after it won"),
    ("off, off 6, on", "turns bets off, or on at the come-out too"),
    ("working", "keeps bets on through the next come-out"),
    ("felt, mean", "what is on the felt; its mean profit from here"),
    ("history, history 5", "the last 20 rolls, or 5, what they paid, and the result so far"),
    ("limits", "the table's limits and what it pays"),
    ("longer 10", "the probability that this shooter rolls more than 10 times from here"),
    ("rare", "how rare what just happened is"),
    ("rest, rest 2 hours", "how the rest of the evening ends if you keep these bets up"),
    ("coach", "what your bets cost on average, the costliest habit first"),
    ("undo 3, undo all", "takes back 3 lines, or all"),
    ("save FILE", "writes the session; resume FILE goes on with one"),
    ("tip 2, chips 100", "to the dealers; more chips for your rail"),
)
"""The other commands."""
HELP = FIRST_HELP + MORE_HELP
"""The player's commands, each with what it does."""

TOPICS = {
    "come-out": "The come-out is the roll that begins a round, while there is no point. Pass and "
    "no pass are bet before it.",
    "point": "A 4, 5, 6, 8, 9 or 10 on the come-out is the point. The round goes on until it comes "
    "again, and pass wins, or until a 7, and pass loses.",
    "natural": "A 7 or 11 on the come-out: pass wins at once. 2, 3 and 12 there are craps: pass "
    "loses at once.",
    "seven": "A 7 before the point. The round is over, most bets lose, and the next shooter has "
    "the dice. The shooter is whoever rolls.",
    "rail": "Your chips lie in the rail, in front of you. What you bet goes on the felt, which is "
    "the table. Your money is both together.",
    "edge": "The share of a bet that the house wins on average. Kept up means that you make it "
    "again whenever it is decided. An hour has 100 rolls, unless --pace says otherwise. Say edge "
    "place 6.",
    "vig": "The commission on buy and lay bets: usually 5 % of a buy bet, or of what a lay bet "
    "wins. Say limits.",
    "luck": "What you won or lost beyond what your bets cost on average.",
    "press": "To press a bet is to raise it: press 8 doubles what is on the 8, press 8 6 adds 6, "
    "parlay 8 adds all that it just won. To regress it is to lower it: place 8 6 leaves 6.",
    "parlay": "To parlay a bet is to let its win ride: say parlay 8 after it won.",
    "regress": "To regress a bet is to lower it: place 8 12 leaves 12, place 8 min the least.",
    "any": "There are two: say any 7 5, or any craps 5.",
    "dealer": "Bets for the dealers are not taken; tip 5 gives them chips.",
    "two-way": "A two-way bet is one for you and one for the dealers. Bet yours; tip 5 gives them "
    "chips.",
    "iron": "The iron cross is a field bet with place bets on 5, 6 and 8: say place 5 10, place 6 "
    "8 12, field 5.",
    "move": "Bets are not moved. Take one down and make the other: down 6, then place 9 10.",
    "don't": "No pass is against the shooter: on the come-out 2 and 3 win, 12 is usually the "
    "push, 7 and 11 lose; then a 7 before the point wins. It may be taken down.",
    "pass": "The pass line is bet on the come-out: 7 or 11 wins, 2, 3 or 12 loses, and any other "
    "total is the point, which must come again before a 7. It pays even money. It stays up until "
    "it is decided, and then comes down; say same after that, to bet it again.",
    "come": "A come bet is a pass bet that begins on the next roll, once there is a point. A roll "
    "moves it to its number. Say come 10, then odds 6 20 once it is on the 6.",
    "odds": "Odds go behind a line or come bet once it has a number, at true odds: no edge. Say "
    "odds 20, odds max, or odds 6 20 for the come bet on the 6.",
    "place": "A number before a 7: 9 to 5 on 4 and 10, 7 to 5 on 5 and 9, 7 to 6 on 6 and 8. Bet "
    "6s on the 6 and 8, 5s on the others. It is usually off on the come-out.",
    "buy": "A number before a 7 at true odds, less the commission (say help vig). It is usually "
    "off on the come-out.",
    "lay": "A 7 before a number at true odds, less the commission (say help vig).",
    "field": "The next roll is 2, 3, 4, 9, 10, 11 or 12; 2 and 12 pay more.",
    "hard": "A double before the same total the other way, and before a 7. Say hard 8 5.",
    "hop": "These two faces on the next roll: 15 to 1, doubles 30 to 1. Say hop 5-3 2.",
    "props": "On the next roll: any 7, any craps, aces, ace-deuce, yo, boxcars, hi-lo, horn, "
    "world, C&E, over 7, under 7. Say yo 1.",
    "small": "2 to 6 all before a 7; tall: 8 to 12; all: both. Say small 5. "
    "They are bet on the come-out.",
    "fire": "Four or more different points in one hand. It is bet on the come-out.",
    "off": "A bet that is off neither wins nor loses. off turns all off that may be, off 6 those "
    "on the 6. on turns them on again, at the come-out too.",
    "crapless": "At crapless craps 2, 3, 11 and 12 are points too, and there are no bets "
    "against the shooter. Leave, and say sevenout play table --house crapless=yes.",
    "table": 'sevenout play table --house "minimum=10,maximum=500,odds=2-2-2,crapless=yes,vig=up '
    'front" --bankroll 500 --currency € --seed 7',
}
"""Notes on words and bets. The first whose name is in the question applies."""
