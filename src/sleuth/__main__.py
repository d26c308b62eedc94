"""`python -m sleuth` is `sleuth`."""

from __future__ import annotations

import sys

from sleuth.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
