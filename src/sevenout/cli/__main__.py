"""`python -m sevenout.cli` is `sevenout`."""

import sys

from sevenout.cli import main

sys.exit(main())
