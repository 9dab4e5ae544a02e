"""Addresses: what a page is made from, and where its links lead."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, unquote

from sevenout.errors import NotationError, shown

MOST = 8_000
"""Characters of an address; browsers and servers everywhere accept this many."""
FIELDS = 400
PLAIN = "/,@;:={}()!*'~^"
"""Characters that a query holds unescaped."""


@dataclass(frozen=True)
class Address:
    """A path and its query.

    >>> here = Address.read("/simulate?game=craps&games=1000")
    >>> str(here.to(games=None, seed=2)), str(here.to("/table", keep=["game"]))
    ('/simulate?game=craps&seed=2', '/table?game=craps')

    A page that leaves a field of its address unread would show something else than was asked for;
    `unread` has those, and `site` refuses them.

    Attributes:
        query: the fields, in order; none is empty.
        read_keys: the fields that were looked up or kept, by this address or one made from it.
    """

    path: str
    query: Mapping[str, str]
    read_keys: set[str] = field(default_factory=set, compare=False, repr=False)

    @classmethod
    def read(cls, url: str) -> "Address":
        """Parse a URL."""
        if len(url) > MOST:
            raise NotationError(
                f"the address has {len(url):,} characters; the lab reads at most {MOST:,}; "
                "give a shorter one"
            )
        path, _, query = url.partition("#")[0].partition("?")
        try:
            # This drops empty fields, which a form sends for what was left out.
            pairs = parse_qsl(query, max_num_fields=FIELDS)
        except ValueError:
            raise NotationError(
                f"more than {FIELDS} fields in the address; copy the whole address again"
            ) from None
        return cls(unquote(path) or "/", dict(pairs))

    def get(self, key: str, default: str = "") -> str:
        self.read_keys.add(key)
        return self.query.get(key, default).strip()

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """A field's whole number."""
        text = self.get(key)
        if not text:
            return default
        # isdecimal accepts the digits of all scripts, and int takes long for thousands of them.
        if text.isascii() and text.isdecimal() and len(text) < 30 and low <= int(text) <= high:
            return int(text)
        raise NotationError(f"{key}={shown(text)}; write a whole number from {low:,} to {high:,}")

    def one_of(self, key: str, allowed: Any) -> str:
        """A field's word, one of those known; the first if the field is empty."""
        words = list(allowed)
        text = self.get(key) or words[0]
        if text in words:
            return text
        wrong = f"{key}={shown(text)}"
        if "" in words:  # a switch, which may be left out
            raise NotationError(f"{wrong}; write {key}={' or '.join(filter(None, words))}")
        raise NotationError(f"{wrong}; give one of: {', '.join(words)}")

    def has(self, key: str, word: str = "yes") -> bool:
        """Whether a switch is on: its field is this word; an empty field is off.

        >>> Address.read("/?each=yes").has("each"), Address.read("/").has("each")
        (True, False)
        >>> Address.read("/?each=maybe").has("each")
        Traceback (most recent call last):
        sevenout.errors.NotationError: each='maybe'; write each=yes
        """
        return self.one_of(key, ("", word)) == word

    def to(self, path: str | None = None, keep: Any = None, **changes: object) -> "Address":
        """Another address with only the kept fields and the changes; None removes a field."""
        if keep is not None:
            self.read_keys.update(keep)
        query = {k: v for k, v in self.query.items() if keep is None or k in keep}
        for key, value in changes.items():
            query.pop(key, None)
            if value is not None and str(value) != "":
                query[key] = str(value)
        # The set is shared, so what a page reads of a changed address counts for this one.
        return Address(self.path if path is None else path, query, self.read_keys)

    def unread(self) -> list[str]:
        """The fields that nothing has read; those with a prefix belong to a form.

        >>> here = Address.read("/simulate?game=craps&hours=1")
        >>> here.get("game"), here.unread()
        ('craps', ['hours'])
        """
        forms = ("to-", "p:")
        return [k for k in self.query if k not in self.read_keys and not k.startswith(forms)]

    def __str__(self) -> str:
        pairs = (f"{quote(k, safe=':')}={quote(v, safe=PLAIN)}" for k, v in self.query.items())
        query = "&".join(pairs)
        return quote(self.path, safe="/.-_~") + (f"?{query}" if query else "")
