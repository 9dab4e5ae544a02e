"""Check a visitor's proof in their own browser, with the second checker."""

import htpy as h

from sevenout.lab.addresses.address import Address
from sevenout.lab.widgets.parts import heading
from sevenout.lab.widgets.view import View

PATH = "/"


def page(address: Address) -> View:
    """The page; the chosen file never leaves the browser."""
    view = View(address, "Check a proof", PATH)
    view.command = "sevenout certify --check proof.json"
    view.body = [
        heading(
            "Check a proof",
            "Choose a certificate that sevenout certify wrote. Your browser checks it here, with a "
            "program that shares no code with sevenout. The file is not sent anywhere.",
        ),
        h.form(".stack", data_file=True, data_proof=True)[
            h.label(".row")["Certificate", h.input(type="file", accept=".json,.jsonl")],
            h.output(".note", role="status"),
        ],
        h.p(".hint")["Unpack a file that ends in .gz first."],
    ]
    return view
