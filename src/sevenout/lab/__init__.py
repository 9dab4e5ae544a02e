"""The lab: the workbench in a browser, for those who would rather look and click than read.

Pages are in `pages`, one module each; `shell` is the frame around them, `theme` and `lab.css` the
look, `markup`, `widgets`, `figures` and `plot` what pages are made of. `guard` decides who may
speak to the lab, `limits` how much they may ask for, and `jobs` plays simulations two at a time.

The lab computes nothing of its own: every figure comes from the rooms to the left.
"""

from typing import Any

__all__ = ["serve"]


def __getattr__(name: str) -> Any:
    if name == "serve":
        from sevenout.lab.server import serve

        return serve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
