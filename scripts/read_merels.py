#!/usr/bin/env python3
"""A second reader of the databases of games on the board `nine`, written from docs/format.md alone.

    read_merels.py db/standard 'w:d7,g7,g1 b:a4,g4,d5 move:b'
        prints the values of positions
    read_merels.py db/standard 1000 [PROGRAM]
        compares 1000 random positions with `PROGRAM query`

The script shares no code with the program, so an error in the page or in the program shows as a
disagreement. It reads every edition that keeps values, any number of stones, and all rules except a
limit of plies and the full-board rule, which twelve stones a side need. Legal moves follow
docs/rules.md. It needs Python 3.10 and the package zstandard. Numbers in brackets are sections of
docs/format.md. Sets of points are masks (2.1). Sets of the entries of a row are masks, too, with a
bit for each entry.
"""

import csv
import random
import subprocess
import sys
from bisect import bisect_left
from functools import cache, lru_cache, reduce
from itertools import accumulate, combinations, compress, pairwise
from math import comb
from operator import or_, xor
from pathlib import Path
from struct import unpack_from
from zlib import crc32

try:
    from zstandard import decompress
except ImportError:
    sys.exit("read_merels.py needs the package zstandard: pip install zstandard")

VERSION = bytes([1, 0, 0, 0])
FULL, COMPACT, OUTCOME = range(3)
DRAWN_BYTE, FAR_BYTES, LEFT_OUT = 127, (126, 129), None
PROTECTED, STRICT, FREE = range(3)
# A value here is WON minus the plies to the end, LOST plus the plies to the end, or DRAWN. Greater
# values are better.
WON, DRAWN, LOST = 1000, 0, -1000


def mask_of(points):
    return sum(1 << point for point in points)


def points_of(mask):
    return [point for point in range(24) if mask >> point & 1]


def entries_of(mask):
    return [entry for entry, digit in enumerate(reversed(f"{mask:b}")) if digit == "1"]


# Points (2.1) are 12 k + 4 r + i: k is 0 for corners and 1 for middles, r is the ring, i goes
# clockwise.
NAMES = "a7 g7 g1 a1 b6 f6 f2 b2 c5 e5 e3 c3 d7 g4 d1 a4 d6 f4 d2 b4 d5 e4 d3 c4".split()
SIDES = [(4 * r + i, 12 + 4 * r + i, 4 * r + (i + 1) % 4) for r in range(3) for i in range(4)]
DRAWN_LINES = SIDES + [(12 + i, 16 + i, 20 + i) for i in range(4)]
LINES = [mask_of(line) for line in DRAWN_LINES]
NEAR = [mask_of(a + b - p for line in DRAWN_LINES for a, b in pairwise(line) if p in (a, b)) for p in range(24)]
BOARD, LOWER, EVEN = (1 << 24) - 1, (1 << 12) - 1, mask_of([*range(4), *range(8, 12), *range(16, 20)])
# The image of each point (2.2): rings exchanged or not, mirrored or not, then quarter turns.
SYMMETRIES = [
    [12 * k + 4 * r + ((1 - k - i if mirrored else i) + turn) % 4 for k in (0, 1) for r in rings for i in range(4)]
    for rings in ((0, 1, 2), (2, 1, 0)) for mirrored in (False, True) for turn in range(4)
]  # fmt: skip


def image(symmetry, mask):
    return mask_of(symmetry[point] for point in points_of(mask))


@cache
def classes(count):
    """The representatives of the classes of `count` points, in order (2.2)."""
    seen, found = set(), []
    for mask in sorted(map(mask_of, combinations(range(24), count))):
        if mask not in seen:
            found.append(mask)
            seen.update(image(symmetry, mask) for symmetry in SYMMETRIES)
    return found


@cache
def columns(points, count):
    """For each free point, the entries of a row with one of `count` stones on it (2.3)."""
    if points == 0 or count == 0:
        return [0] * points
    without = comb(points - 1, count)  # sets without the last point, which come first
    earlier = zip(columns(points - 1, count), columns(points - 1, count - 1))
    return [lower | upper << without for lower, upper in earlier] + [(1 << comb(points, count)) - (1 << without)]


def counted(counts, entries):
    """Adds one to the count of `entries`; `counts` has those counted never, once, more often."""
    never, once, often = counts
    return never & ~entries, once & ~entries | never & entries, often | once & entries


def value_of(byte, later=0):
    """The value of a byte (2.4), `later` plies further from the end (2.6)."""
    if byte == DRAWN_BYTE:
        return DRAWN
    return LOST + 2 * byte + later if byte < DRAWN_BYTE else WON - 2 * (255 - byte) - 1 - later


class Table:
    """The values of a subspace (3). A block has `rows` rows, or a row has `pieces` blocks (3.4)."""

    def __init__(self, database, a, b, *hands):
        self.a, self.b, self.hands, self.edition = a, b, hands, database.edition
        self.jumps = [stones + hand == 3 and not database.flying for stones, hand in zip((a, b), hands)]
        name = f"{a}-{b}" + (f"+{hands[0]}-{hands[1]}" if any(hands) else "")
        self.file = open(database.path / f"{name}.merels", "rb")
        head = self.file.read(512)
        encoding = int(self.edition != FULL)
        known = bytes([*database.rules, a, b, *hands, database.metric, self.edition, encoding])
        is_known = head[:12] == b"\x89MERELS\n" + VERSION and head[16:33] == known
        if not is_known or unpack_from("<I", head, 508) != (crc32(head[:508]),):
            sys.exit(f"{self.file.name} is damaged, or not the table that was looked for")
        self.size, blocks = unpack_from("<II", head, 41)
        self.records = self.file.read(16 * blocks)
        self.has_far = head[151] == 1 and self.edition != OUTCOME
        self.row_len = comb(24 - a, b)
        self.rows, self.pieces = max(self.size // self.row_len, 1), -(-self.row_len // self.size)  # rounded up

    def value(self, own, other):
        """The value of an entry, or LEFT_OUT."""
        if not self.records:
            return LEFT_OUT
        key, symmetry = min((image(symmetry, own), symmetry) for symmetry in SYMMETRIES)
        row, stones = bisect_left(classes(self.a), key), image(symmetry, other)
        places = [place for place, point in enumerate(points_of(BOARD & ~key)) if stones >> point & 1]
        rank = sum(comb(place, i) for i, place in enumerate(places, 1))
        if self.edition == FULL:
            block, place = divmod(row * self.row_len + rank, self.size)
            far, data = self.bytes_of(block)
            data = decompress(data)
            is_far = far and data[place] in FAR_BYTES
            return value_of(data[place], 2 * far[sum(map(data[:place].count, FAR_BYTES))] if is_far else 0)
        group = max(start for start in self.groups(row) if start <= rank)
        block = row // self.rows * self.pieces + group // self.size
        first_row, rows, outcomes, wins, losses, far = self.sorted_block(block)
        own, entry = rows[row - first_row], 1 << rank
        c = next((c for c in range(9) if own[c] & entry), None)
        if c is None:
            return LEFT_OUT
        # Before it are all of lesser classes and, of its own class, those of earlier rows and the
        # first ones of its row.
        before = [masks[lesser] for masks in rows for lesser in range(c)]
        before += [masks[c] for masks in rows[: row - first_row]] + [own[c] & entry - 1]
        place = sum(entries.bit_count() for entries in before)
        outcome = outcomes[place]
        if self.edition == OUTCOME or outcome == 1:
            return value_of((0, DRAWN_BYTE, 255)[outcome])
        number = outcomes[:place].count(outcome)
        byte = losses[number] if outcome == 0 else 255 - wins[number]
        return value_of(byte, 2 * far.get((row - first_row, rank), 0))

    def bytes_of(self, block):
        """The decoded frame of far values (2.6), and the other bytes of the block."""
        start, length, crc = unpack_from("<QII", self.records, 16 * block)
        self.file.seek(start)
        data = self.file.read(length)
        if crc32(data) != crc:
            sys.exit(f"{self.file.name}: block {block} is damaged")
        if not self.has_far:
            return b"", data
        end = 4 + unpack_from("<I", data)[0]
        return data[4:end] and decompress(data[4:end]), data[end:]

    def groups(self, row):
        """Where the groups of a row begin, by set of stones on the free upper points (3.4)."""
        upper = (BOARD & ~LOWER & ~classes(self.a)[row]).bit_count()
        left = [self.b - stones.bit_count() for stones in range(1 << upper)]
        return [0, *accumulate(comb(24 - self.a - upper, n) for n in left if n >= 0)]

    @lru_cache(maxsize=64)
    def sorted_block(self, block):
        """A decoded block (3.4).

        Its first row, the classes of all rows, outcomes in sorted order, distances of wins and
        losses, and the bytes of far values (2.6) by row and rank.
        """
        first, piece = block // self.pieces * self.rows, block % self.pieces
        groups = self.groups(first)
        start, end = (next((at for at in groups if at >= j * self.size), self.row_len) for j in (piece, piece + 1))
        rows = [self.sorted_row(key, (1 << end) - (1 << start)) for key in classes(self.a)[first : first + self.rows]]
        (beyond, data), wins, losses = self.bytes_of(block), b"", b""
        if self.edition == COMPACT:
            _, one, two = accumulate([8, *unpack_from("<II", data)])
            data, wins, losses = data[8:one], data[one:two], data[two:]
        outcomes = bytes(byte // 3**i % 3 for byte in decompress(data) for i in range(5))
        wins, losses = wins and decompress(wins), losses and decompress(losses)
        far = {}
        if beyond:
            left = [iter(losses), iter(()), iter(wins)]
            places = [(r, rank) for c in range(9) for r, masks in enumerate(rows) for rank in entries_of(masks[c])]
            # 126 is the greatest byte of both frames.
            is_far = [outcome != 1 and next(left[outcome]) == 126 for _, outcome in zip(places, outcomes)]
            far = dict(zip(sorted(compress(places, is_far)), beyond, strict=True))
        return first, rows, outcomes, wins, losses, far

    def sorted_row(self, key, stored):
        """Those of a row's entries `stored` that have a value, by their class (3.4)."""
        free = points_of(BOARD & ~key)
        column = dict(zip(free, columns(len(free), self.b)))
        if self.a == self.b and not any(self.hands) and not self.jumps[0]:
            odd = stored if (key & EVEN).bit_count() % 2 else 0
            stored &= ~reduce(xor, (column[point] for point in free if EVEN >> point & 1), odd)
        own_comes, other_comes = (hand > 0 or jumps for hand, jumps in zip(self.hands, self.jumps))
        own = other = (stored, 0, 0)
        for line in LINES:
            for point in points_of(line & ~key):
                rest, near = line & ~(1 << point), NEAR[point] & ~line
                if rest & ~key == 0 and (own_comes or near & key):
                    own = counted(own, ~column[point])
                if rest & key == 0:
                    one, two = points_of(rest)
                    coming = -1 if other_comes else reduce(or_, (column.get(at, 0) for at in points_of(near)), 0)
                    other = counted(other, column[one] & column[two] & ~column[point] & coming)
        return [own[c // 3] & other[c % 3] for c in range(9)]


class Database:
    """The folder of a ruleset (1, 5)."""

    def __init__(self, folder):
        self.path = Path(folder).resolve()
        data = (self.path / "manifest.merels").read_bytes()
        self.rules, self.metric, self.edition = data[16:26], data[26], data[27]
        board, _, self.flying, self.removal, self.most_removed, self.mixed, full_board, *_ = self.rules
        is_known = data[:12] == b"\x89MERELM\n" + VERSION
        if not is_known or board or full_board or self.metric or self.edition > OUTCOME:
            sys.exit(f"{folder} has another format, game or edition than this script reads")
        self.subspaces, at = [], 36
        for _ in range(*unpack_from("<Q", data, 28)):
            self.subspaces.append(tuple(data[at : at + 4]))
            at += 89 + 32 * data[at + 88]
            companions, at = unpack_from("<Q", data, at)[0], at + 8
            for _ in range(companions):
                at += 48 + unpack_from("<Q", data, at)[0]
        self.table = cache(lambda *subspace: Table(self, *subspace))

    def value(self, own, other, own_hand, other_hand):
        """A position's value: the stored one, or that of the best move (2.5)."""
        if own.bit_count() + own_hand < 3:
            return LOST
        value = self.table(own.bit_count(), other.bit_count(), own_hand, other_hand).value(own, other)
        if value is LEFT_OUT:
            after = [self.value(*position) for position in self.successors(own, other, own_hand, other_hand)]
            # For the other side, and one ply later.
            value = max((-v + (v > DRAWN) - (v < DRAWN) for v in after), default=LOST)
        return value

    def answer(self, text):
        """Outcome and distance of a position in the plain form (docs/notation.md)."""
        parts = {"hand": "0,0"} | dict(word.split(":") for word in text.split())
        stones = [mask_of(NAMES.index(name) for name in parts[side].split(",") if name) for side in "wb"]
        order = 1 if parts["move"] == "w" else -1
        value = self.value(*stones[::order], *map(int, parts["hand"].split(",")[::order]))
        if value == DRAWN:
            return "draw", ""
        outcome, plies = ("loss", value - LOST) if value < DRAWN else ("win", WON - value)
        return outcome, str(plies) if self.edition != OUTCOME else ""

    def successors(self, own, other, own_hand, other_hand):
        """The positions after every legal move (docs/rules.md), as the opponent sees them."""
        empty, jumps = BOARD & ~own & ~other, own.bit_count() + own_hand == 3 and not self.flying
        moves = [(1 << start, empty if jumps else empty & NEAR[start]) for start in points_of(own)]
        placings = [(0, empty)] if own_hand else []
        for start, ends in placings + moves if self.mixed else placings or moves:
            for end in points_of(ends):
                after = own & ~start | 1 << end
                closed = sum(line >> end & 1 and line & ~after == 0 for line in LINES)
                for left in self.removals(other, min(closed, self.most_removed)):
                    yield left, after, other_hand, own_hand - (start == 0)

    def removals(self, stones, count):
        """The rest of `stones` after the removal of `count`, or of as many as the rules allow."""
        mills = reduce(or_, (line for line in LINES if line & ~stones == 0), 0)
        removable = stones if self.removal == FREE else stones & ~mills
        if self.removal == PROTECTED:
            removable = removable or stones
        if not count or not removable:
            return [stones]
        return {left for point in points_of(removable) for left in self.removals(stones & ~(1 << point), count - 1)}


def random_position(subspace):
    """The plain form of a random position.

    White places first, so White is to move if both sides have equally many stones in hand.
    """
    a, b, *hands = subspace
    points = [NAMES[point] for point in random.sample(range(24), a + b)]
    mover, other = "wb" if hands[0] == hands[1] else "bw"
    white, black = hands if mover == "w" else hands[::-1]
    return f"{mover}:{','.join(points[:a])} {other}:{','.join(points[a:])} move:{mover} hand:{white},{black}"


def compare(database, count, program="merels"):
    """Compares random positions with the program's answers; returns the first difference.

    All tables have the same chance.
    """
    texts = [random_position(random.choice(database.subspaces)) for _ in range(count)]
    command = [program, "query", "--db", database.path.parent, "--ruleset", database.path.name, "--format", "csv"]
    output = subprocess.run(command, input="\n".join(texts), stdout=subprocess.PIPE, text=True, check=True).stdout
    for text, row in zip(texts, csv.DictReader(output.splitlines()), strict=True):
        here, there = database.answer(text), (row["outcome"], row["distance"] if database.edition != OUTCOME else "")
        if here != there:
            return f"{text}: {here} here, {there} there"
    print(f"{count} positions from {len(database.subspaces)} tables agree")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    database, what = Database(sys.argv[1]), sys.argv[2:]
    if what[0].isdigit():
        sys.exit(compare(database, int(what[0]), *what[1:]))
    for text in what:
        print(*database.answer(text))
