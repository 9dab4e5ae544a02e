"""How a command speaks: rich text to a terminal, plain text to a pipe, JSON when asked."""

import json
import os
from typing import Any


def console() -> Any:
    """The console; 100 columns where nobody is looking."""
    from rich.console import Console

    plain = Console()
    if plain.is_terminal or "COLUMNS" in os.environ:
        return plain
    return Console(width=100)


def print_json(data: Any) -> None:
    """Data as JSON, one document."""
    print(json.dumps(data, indent=2, ensure_ascii=False))
