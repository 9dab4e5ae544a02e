"""The lab: sevenout in a browser. Each page is a function of its address.

The address holds the rules, dice, pays, seed, rolls and chips, so reload, Back, bookmarks and
copied links work. `sevenout.lab.site` answers an address; `sevenout.lab.host` serves it.
"""
