"""Starts the server with a wall clock that can be set: `stepping.py FILE OPTIONS...`, FILE has the seconds to add."""

import sys
import time
from pathlib import Path

if __name__ == "__main__":
    added, wall = Path(sys.argv.pop(1)), time.time
    time.time = lambda: wall() + float(added.read_text())

    from escapade.cli import main

    main()
