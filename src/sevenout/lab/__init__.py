"""The lab: the workbench in a browser, where a page is a function of its address.

Rules, dice, pays, the seed, the rolls made, the chips: what a visitor has done stands in the
address. So reload, Back, two tabs, bookmarks and copied links work: there is nothing to lose.
`sevenout.lab.site` answers an address, `sevenout.lab.host` serves it on this machine.
"""
