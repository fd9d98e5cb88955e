#!/usr/bin/env python3
"""Records what a terminal of 80 columns shows while merels solves, as docs/session.md.

    scripts/record-session.py [PROGRAM] > docs/session.md

PROGRAM is the binary to record, target/release/merels by default. The script needs Python 3.9 and
the package pyte (`pip install pyte`), which is a terminal without a screen. It runs on Unix.
"""

import fcntl
import os
import pty
import select
import shlex
import struct
import sys
import tempfile
import termios
import time

try:
    import pyte
except ImportError:
    sys.exit("record-session.py: the package pyte is missing; install it with `pip install pyte`")

COLUMNS, LINES = 80, 24
COMMAND = "solve --up-to 12"
# Shares of the run at which the screen is shown, beside its end.
SHOWN = (0.15, 0.5, 0.85)
# Lines of the screen to show: the last ones.
TAIL = 8


def run(program, db):
    """Runs the command and returns (seconds, screen) for each time that the screen changed."""
    screen = pyte.Screen(COLUMNS, LINES)
    stream = pyte.ByteStream(screen)
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", MERELS_DB=db)
        os.execv(program, ["merels", *shlex.split(COMMAND)])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    frames, begun = [], time.monotonic()
    while True:
        select.select([terminal], [], [])
        try:
            data = os.read(terminal, 65536)
        except OSError:  # Linux reports the end of a terminal as an error.
            data = b""
        if not data:
            break
        stream.feed(data)
        frames.append((time.monotonic() - begun, [line.rstrip() for line in screen.display]))
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0:
        sys.exit("record-session.py: merels failed:\n" + "\n".join(frames[-1][1]))
    return frames


def shown(lines, count):
    while lines and not lines[-1]:
        lines = lines[:-1]
    return "\n".join(lines[-count:])


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/merels")
    with tempfile.TemporaryDirectory() as db:
        frames = run(program, db)
    # Without the frames of the result, which follow the last bar.
    bars = [frame for frame in frames if any(" all [" in line for line in frame[1])]
    if not bars:
        sys.exit("record-session.py: the terminal showed no bar")
    end = bars[-1][0]
    cores = os.cpu_count()
    print("# A recorded session\n")
    print(f"What a terminal of {COLUMNS} columns shows during `merels {COMMAND}` in an empty folder,")
    print(f"on {cores} cores. `scripts/record-session.py` recorded it ({time.strftime('%Y-%m-%d')}).")
    for share in SHOWN:
        at, lines = next(frame for frame in bars if frame[0] >= share * end)
        print(f"\nAfter {at:.0f} seconds:\n\n```text\n{shown(lines, TAIL)}\n```")
    print(f"\nAt the end, after {frames[-1][0]:.0f} seconds:\n")
    print(f"```text\n{shown(frames[-1][1], LINES)}\n```")


main()
