"""The lab: sevenout in a browser. Each page is a function of its address.

The address holds the rules, dice, pays, seed, rolls and chips, so reload, Back, bookmarks and
copied links work. `sevenout.lab.site` answers an address; `sevenout.lab.host` serves it.
"""

from sevenout.lazy import lazy_getattr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.lab.site import page
    from sevenout.lab.static.browser import static_url
else:
    __getattr__ = lazy_getattr(__name__, {"site": "page", "static.browser": "static_url"})

__all__ = ["page", "static_url"]
