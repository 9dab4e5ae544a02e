"""Former ids of entries, if they are not titles."""

FORMER = dict(
    line.split()
    for line in """
iron-cross-one-roll-5-field-3x12-5-place-5-6-place-6-and-8 iron-cross
hazard-caster-main-drawn-by-dice-5-9-ways-4-5-6-5-4 hazard-main-thrown
hazard-additional-chance-bet-at-hoyle-odds hazard-chance-bet
hazard-chance-paid-at-odds-on-the-original-stake-as-worded-at-academickids-main-5 hazard-chance-at-odds-main-5
hazard-chance-paid-at-odds-on-the-original-stake-as-worded-at-academickids-main-6 hazard-chance-at-odds-main-6
hazard-chance-paid-at-odds-on-the-original-stake-as-worded-at-academickids-main-7 hazard-chance-at-odds-main-7
hazard-chance-paid-at-odds-on-the-original-stake-as-worded-at-academickids-main-8 hazard-chance-at-odds-main-8
hazard-chance-paid-at-odds-on-the-original-stake-as-worded-at-academickids-main-9 hazard-chance-at-odds-main-9
street-dice-downtown-grand-2014-pass street-dice
no-crap-craps-us-7-134-660-pass no-crap-pass
no-crap-craps-us-7-134-660-dont-pass no-crap-dont-pass
pharaoh-craps-2d8-pass-naturals-pay-1-points-pay-1 pharaoh-pass
pharaoh-craps-2d8-pass-naturals-pay-1-points-pay-6-5 pharaoh-pass-points-6-5
pharaoh-craps-2d8-pass-naturals-pay-3-2-points-pay-1 pharaoh-pass-naturals-3-2
card-craps-two-cards-reshuffle-every-roll-pass-6-cards-one-of-each card-craps-pass-6
card-craps-two-cards-reshuffle-every-roll-dont-pass-bar-12-6-cards-one-of-each card-craps-dont-pass-6
card-craps-two-cards-reshuffle-every-roll-pass-24-card-deck card-craps-pass-24
card-craps-two-cards-reshuffle-every-roll-dont-pass-bar-12-24-card-deck card-craps-dont-pass-24
card-craps-two-cards-reshuffle-every-roll-pass-48-cards card-craps-pass-48
card-craps-two-cards-reshuffle-every-roll-dont-pass-bar-12-48-cards card-craps-dont-pass-48
card-craps-two-cards-reshuffle-every-roll-pass-264-cards card-craps-pass-264
card-craps-two-cards-reshuffle-every-roll-dont-pass-bar-12-264-cards card-craps-dont-pass-264
card-craps-two-cards-reshuffle-every-roll-pass-312-card-shuffler card-craps-pass-312
card-craps-two-cards-reshuffle-every-roll-dont-pass-bar-12-312-card-shuffler card-craps-dont-pass-312
play-craps-36-card-pass card-craps-pass-36
cee-lo-player-side-edge-banker-advantage cee-lo-player
barbudi-barbooth-shooter-vs-fader-even-money barbudi
barbudi-barbooth-with-5-charge-on-winnings barbudi-5-charge
barbut-holland-casino-front-back barbut
de-mere-at-least-one-6-in-4-rolls-even-money-edge-to-the-bettor-negative de-mere-six-in-4
de-mere-double-six-in-24-rolls-even-money de-mere-double-six-in-24
""".strip().splitlines()  # noqa: E501
)
"""Ids by former ids."""
