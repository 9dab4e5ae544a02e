"""Check a visitor's certificate with `check.py`, in its own process or in their browser."""

import htpy as h

from sevenout.lab.addresses.address import Address
from sevenout.lab.widgets.parts import heading
from sevenout.lab.widgets.view import View

PATH = "/"


def page(address: Address) -> View:
    """The page; the chosen file never leaves the machine."""
    view = View(address, "Check a proof", PATH)
    view.command = "sevenout certify --check proof.json"
    view.body = [
        heading(
            "Check a proof",
            "Choose a certificate that sevenout certify wrote. A program that shares no code with "
            "the rest of sevenout checks it here. The file stays on this machine.",
        ),
        h.form(".stack", data_file=True, data_proof=True)[
            h.label(".row")["Certificate", h.input(type="file", accept=".json,.jsonl,.gz")],
            h.output(".note", role="status"),
        ],
    ]
    return view
