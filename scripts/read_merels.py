#!/usr/bin/env python3
"""A second reader of the databases, written from docs/format.md alone.

    read_merels.py [--db DIR] [--ruleset RULES] POSITION ...
        prints the value of each position: win, draw or loss, and the plies to the end
    read_merels.py [--db DIR] [--ruleset RULES] --compare COUNT [--program PROGRAM]
        compares the values of COUNT random positions with those of `PROGRAM query`

DIR is the folder that the program takes (by default MERELS_DB or `db`), or the folder of one
ruleset in it. RULES is a preset, perhaps with changes: `three`, `standard,stones=4`. Positions are
in the plain form of docs/notation.md: 'w:d7,g7,g1 b:a4,g4,d5 move:b', with stones in hand behind
it, as in 'w:b2 b: move:b hand:2,3'.

The script shares no code with the program, so an error in the page or in the program shows as a
disagreement. It reads all boards, editions and rules; legal moves follow docs/rules.md. It needs
Python 3.10 and the package zstandard.

Exit codes, as those of the program:
    0  success
    2  wrong arguments, or an unreadable position
    3  a folder, a table or a value is missing
    4  a file is damaged, or has another ruleset or version
    5  the system refused, or the package zstandard or PROGRAM is missing
    6  PROGRAM has another value

Numbers in brackets are sections of docs/format.md. Sets of points are masks (2.1). Sets of the
entries of a row are masks, too, with a bit for each entry.
"""

import argparse
import csv
import os
import random
import subprocess
import sys
from bisect import bisect_left
from functools import cache, lru_cache, reduce
from itertools import accumulate, combinations, compress, pairwise
from math import comb
from operator import or_, xor
from pathlib import Path
from struct import error as TooShort
from struct import unpack_from
from zlib import crc32

try:
    from zstandard import ZstdError, decompress
except ImportError:
    decompress = None

VERSION = bytes([1, 0, 0, 0])
EDITIONS = ["full", "compact", "outcome", "statistics"]
FULL, COMPACT, OUTCOME, STATISTICS = range(4)
DRAWN_BYTE, FAR_BYTES, LEFT_OUT = 127, (126, 129), None
PROTECTED, STRICT, FREE = range(3)
# A value here is WON minus the plies to the end, LOST plus the plies to the end, or DRAWN. Greater
# values are better.
WON, DRAWN, LOST = 1000, 0, -1000
USAGE, MISSING, DAMAGED, SYSTEM, WRONG = 2, 3, 4, 5, 6


class Fault(Exception):
    """What ends the script: one sentence, and the exit code."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def mask_of(points):
    return sum(1 << point for point in points)


def points_of(mask):
    return [point for point in range(24) if mask >> point & 1]


def entries_of(mask):
    return [entry for entry, digit in enumerate(reversed(f"{mask:b}")) if digit == "1"]


class Board:
    """Points, lines and symmetries (2.1, 2.2), and the classes of sets of points."""

    # In the order of their bytes in files: name, rings, whether corners are joined, the centre.
    ALL = [("nine", 3, False, False), ("twelve", 3, True, False), ("six", 2, False, False)]
    ALL += [("three", 1, True, True), ("seven", 2, False, True)]

    def __init__(self, name, rings, diagonals, centre):
        # Corner i of ring r is the point 4 r + i, the middle of a side comes 4 rings later.
        # i goes clockwise. The centre comes last.
        self.name, self.lower = name, 4 * rings
        middles, self.size = 4 * rings, 8 * rings + centre
        self.all, self.corners = (1 << self.size) - 1, (1 << self.lower) - 1
        drawn = [(4 * r + i, middles + 4 * r + i, 4 * r + (i + 1) % 4) for r in range(rings) for i in range(4)]
        for first in [middles, 0] if diagonals else [middles]:
            rays = [[first + 4 * r + i for r in range(rings)] for i in range(4)]
            if centre:
                rays = [ray + [8 * rings] + opposite[::-1] for ray, opposite in zip(rays[:2], rays[2:])]
            drawn += rays
        self.lines = [mask_of(line[at : at + 3]) for line in drawn for at in range(len(line) - 2)]
        pairs = [pair for line in drawn for pair in pairwise(line)]
        self.near = [mask_of(a + b - p for a, b in pairs if p in (a, b)) for p in range(self.size)]
        # Columns and rows, from the centre.
        places = [((-1, 1), (1, 1), (1, -1), (-1, -1)), ((0, 1), (1, 0), (0, -1), (-1, 0))]
        places = [(x * size, y * size) for kind in places for size in range(rings, 0, -1) for x, y in kind]
        self.names = ["abcdefg"[x + rings] + str(y + rings + 1) for x, y in places + [(0, 0)] * centre]
        # Rings exchanged or not, mirrored or not, then quarter turns.
        orders = [range(rings)] if centre else [range(rings), range(rings)[::-1]]
        symmetries = [
            [4 * (rings * k + r) + ((1 - k - i if mirrored else i) + turn) % 4 for k in (0, 1) for r in order for i in range(4)]
            for order in orders for mirrored in (False, True) for turn in range(4)
        ]  # fmt: skip
        # For each symmetry the images of all sets of the first 12 points, and of the others.
        points = [images + [8 * rings] * centre for images in symmetries]
        self.symmetries = [(images_of(images[:12]), images_of(images[12:])) for images in points]
        # Half of the points (2.5), without neighbours among them; none on the board three.
        outer = [4 * r + i for r in range(0, rings, 2) for i in range(4)]
        inner = [middles + 4 * r + i for r in range(1, rings, 2) for i in range(4)]
        self.half = None if name == "three" else mask_of(outer + inner)

    @cache
    def classes(self, count):
        """The representatives of the classes of `count` points, in order (2.2)."""
        seen, found = set(), []
        for mask in sorted(map(mask_of, combinations(range(self.size), count))):
            if mask not in seen:
                found.append(mask)
                seen.update(image(symmetry, mask) for symmetry in self.symmetries)
        return found


def images_of(points):
    """The images of all sets of points, by mask, from the images of the points."""
    images = [0]
    for point in points:
        images += [mask | 1 << point for mask in images]
    return images


def image(symmetry, mask):
    first, others = symmetry
    return first[mask & 0xFFF] | others[mask >> 12]


@cache
def board_of(byte):
    return Board(*Board.ALL[byte])


# The bytes of rules in files (3.1) for each field of a ruleset (docs/rules.md).
FIELDS = {
    "board": {name: byte for byte, (name, *_) in enumerate(Board.ALL)},
    "stones": {str(count): count for count in range(3, 13)},
    "flying": {"three": 0, "never": 1},
    "removal": {"protected": 0, "strict": 1, "free": 2},
    "double-mill": {"one": 1, "two": 2},
    "placing": {"first": 0, "mixed": 1},
    "full-board": {"loss": 0, "draw": 1},
}
PRESETS = {
    "standard": "", "no-flying": "flying=never", "free-removal": "removal=free",
    "strict-removal": "removal=strict", "double-removal": "double-mill=two",
    "lasker": "stones=10,placing=mixed", "eleven": "board=twelve,stones=11",
    "morabaraba": "board=twelve,stones=12,full-board=draw", "seven": "board=seven,stones=7",
    "six": "board=six,stones=6,flying=never", "five": "board=six,stones=5,flying=never",
    "four": "board=six,stones=4,flying=never", "three": "board=three,stones=3,flying=never",
}  # fmt: skip


def rules_of(text):
    """The bytes of a ruleset in a file. Rules that change no value (3.1) are not among them."""
    preset, *changes = text.split(",")
    if preset not in PRESETS:
        raise Fault(USAGE, f"'{preset}' is not a ruleset; the presets are {' '.join(PRESETS)}")
    rules = [0, 9, 0, 0, 1, 0, 0]
    for change in filter(None, PRESETS[preset].split(",") + changes):
        field, _, word = change.partition("=")
        if field in ("repetition", "ply-limit"):
            continue
        if word not in FIELDS.get(field, ()):
            raise Fault(USAGE, f"'{change}' is not a rule; docs/rules.md lists the fields and their words")
        rules[list(FIELDS).index(field)] = FIELDS[field][word]
    return bytes(rules + [0, 0, 0])


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


def name_of(a, b, own_hand, other_hand):
    return f"{a}-{b}" + (f"+{own_hand}-{other_hand}" if own_hand or other_hand else "")


class Table:
    """The values of a subspace (3). A block has `rows` rows, or a row has `pieces` blocks (3.4)."""

    def __init__(self, database, a, b, *hands):
        self.a, self.b, self.hands, self.edition = a, b, hands, database.edition
        self.board = database.board
        self.jumps = [stones + hand == 3 and not database.flying for stones, hand in zip((a, b), hands)]
        self.path = database.path / f"{name_of(a, b, *hands)}.merels"
        try:
            self.file = open(self.path, "rb")
        except FileNotFoundError:
            raise Fault(MISSING, f"there is no table of {name_of(a, b, *hands)}: {self.path} does not exist") from None
        head = self.file.read(512)
        if head[:8] != b"\x89MERELS\n":
            raise Fault(DAMAGED, f"{self.path} is not a finished table")
        if head[8:12] != VERSION:
            raise Fault(DAMAGED, f"{self.path} has another format version than 1")
        if len(head) < 512 or unpack_from("<I", head, 508)[0] != crc32(head[:508]):
            raise Fault(DAMAGED, f"{self.path} is damaged in its header")
        known = bytes([*database.rules, a, b, *hands, database.metric, self.edition, self.edition != FULL])
        if head[16:33] != known:
            raise Fault(DAMAGED, f"{self.path} has other rules, stones or another edition than its folder and name say")
        self.size, blocks = unpack_from("<II", head, 41)
        self.records = self.file.read(16 * blocks)
        if self.file.read(4) != crc32(self.records).to_bytes(4, "little"):
            raise Fault(DAMAGED, f"{self.path} is damaged in its block table")
        self.has_far = head[151] == 1 and self.edition != OUTCOME
        self.row_len = comb(self.board.size - a, b)
        self.rows, self.pieces = max(self.size // self.row_len, 1), -(-self.row_len // self.size)  # rounded up

    def value(self, own, other):
        """The value of an entry, or LEFT_OUT."""
        if not self.records:
            return LEFT_OUT
        key, symmetry = min(((image(symmetry, own), symmetry) for symmetry in self.board.symmetries), key=lambda p: p[0])
        row, stones = bisect_left(self.board.classes(self.a), key), image(symmetry, other)
        places = [place for place, point in enumerate(points_of(self.board.all & ~key)) if stones >> point & 1]
        rank = sum(comb(place, i) for i, place in enumerate(places, 1))
        if self.edition == FULL:
            block, _ = divmod(row * self.row_len + rank, self.size)
        else:
            group = max(start for start in self.groups(row) if start <= rank)
            block = row // self.rows * self.pieces + group // self.size
        try:
            return self.value_in(block, row, rank)
        except (ZstdError, IndexError, ValueError, TooShort) as error:
            raise Fault(DAMAGED, f"{self.path} is damaged in block {block}: {error}") from None

    def value_in(self, block, row, rank):
        """The value of an entry of a block, or LEFT_OUT."""
        if self.edition == FULL:
            place = (row * self.row_len + rank) % self.size
            far, data = self.bytes_of(block)
            data = decompress(data)
            is_far = far and data[place] in FAR_BYTES
            return value_of(data[place], 2 * far[sum(map(data[:place].count, FAR_BYTES))] if is_far else 0)
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
            raise Fault(DAMAGED, f"{self.path} is damaged in block {block}: its checksum differs")
        if not self.has_far:
            return b"", data
        end = 4 + unpack_from("<I", data)[0]
        return data[4:end] and decompress(data[4:end]), data[end:]

    def groups(self, row):
        """Where the groups of a row begin, by set of stones on the free upper points (3.4)."""
        upper = (self.board.all & ~self.board.corners & ~self.board.classes(self.a)[row]).bit_count()
        left = [self.b - stones.bit_count() for stones in range(1 << upper)]
        return [0, *accumulate(comb(self.board.size - self.a - upper, n) for n in left if n >= 0)]

    @lru_cache(maxsize=64)
    def sorted_block(self, block):
        """A decoded block (3.4).

        Its first row, the classes of all rows, outcomes in sorted order, distances of wins and
        losses, and the bytes of far values (2.6) by row and rank.
        """
        first, piece = block // self.pieces * self.rows, block % self.pieces
        groups = self.groups(first)
        start, end = (next((at for at in groups if at >= j * self.size), self.row_len) for j in (piece, piece + 1))
        keys = self.board.classes(self.a)[first : first + self.rows]
        rows = [self.sorted_row(key, (1 << end) - (1 << start)) for key in keys]
        (beyond, data), wins, losses = self.bytes_of(block), b"", b""
        if self.edition != OUTCOME:
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
        half, free = self.board.half, points_of(self.board.all & ~key)
        column = dict(zip(free, columns(len(free), self.b)))
        is_whole = self.edition == STATISTICS or half is None
        if not is_whole and self.a == self.b and not any(self.hands) and not self.jumps[0]:
            odd = stored if (key & half).bit_count() % 2 else 0
            stored &= ~reduce(xor, (column[point] for point in free if half >> point & 1), odd)
        own_comes, other_comes = (hand > 0 or jumps for hand, jumps in zip(self.hands, self.jumps))
        own = other = (stored, 0, 0)
        for line in self.board.lines:
            for point in points_of(line & ~key):
                rest, near = line & ~(1 << point), self.board.near[point] & ~line
                if rest & ~key == 0 and (own_comes or near & key):
                    own = counted(own, ~column[point])
                if rest & key == 0:
                    one, two = points_of(rest)
                    coming = -1 if other_comes else reduce(or_, (column.get(at, 0) for at in points_of(near)), 0)
                    other = counted(other, column[one] & column[two] & ~column[point] & coming)
        return [own[c // 3] & other[c % 3] for c in range(9)]


class Database:
    """The folder of a ruleset (1, 5)."""

    def __init__(self, path):
        self.path, manifest = path, path / "manifest.merels"
        data = manifest.read_bytes()
        if data[:8] != b"\x89MERELM\n":
            raise Fault(DAMAGED, f"{manifest} is not a manifest")
        if data[8:12] != VERSION:
            raise Fault(DAMAGED, f"{manifest} has another format version than 1")
        if crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
            raise Fault(DAMAGED, f"{manifest} is damaged")
        self.rules, self.metric, self.edition = data[16:26], data[26], data[27]
        board, self.stones, self.flying, self.removal, self.most_removed, self.mixed, self.full_draws, *_ = self.rules
        if board >= len(Board.ALL) or self.metric or self.edition >= len(EDITIONS):
            raise Fault(DAMAGED, f"{manifest} has a board, metric or edition that this script does not know")
        self.board = board_of(board)
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
        subspace = own.bit_count(), other.bit_count(), own_hand, other_hand
        table = self.table(*subspace)
        value = table.value(own, other)
        if value is LEFT_OUT and self.edition == STATISTICS:
            name = name_of(*subspace)
            raise Fault(MISSING, f"{table.path} keeps no values of {name}, because its edition is 'statistics'")
        if value is LEFT_OUT:
            after = [self.value(*position) for position in self.successors(own, other, own_hand, other_hand)]
            # For the other side, and one ply later.
            stuck = DRAWN if self.full_draws and own | other == self.board.all else LOST
            value = max((-v + (v > DRAWN) - (v < DRAWN) for v in after), default=stuck)
        return value

    def position(self, text):
        """The stones of the mover and of the other side, and both hands, from the plain form."""
        parts = {"hand": "0,0"}
        for word in text.split():
            key, colon, value = word.partition(":")
            if not colon or key not in ("w", "b", "move", "hand"):
                raise Fault(USAGE, f"position '{text}': '{word}' is not one of w:, b:, move: and hand:")
            parts[key] = value
        if parts.keys() != {"w", "b", "move", "hand"} or parts["move"] not in ("w", "b"):
            raise Fault(USAGE, f"position '{text}': it needs w:, b: and move:w or move:b")
        numbers, stones = parts["hand"].split(","), []
        if len(numbers) != 2 or not all(number.isascii() and number.isdigit() for number in numbers):
            raise Fault(USAGE, f"position '{text}': hand: takes two numbers, as in hand:2,3")
        for side in "wb":
            names = [name for name in parts[side].split(",") if name]
            unknown = next((name for name in names if name not in self.board.names), None)
            if unknown is not None:
                raise Fault(USAGE, f"position '{text}': the board '{self.board.name}' has no point '{unknown}'")
            stones.append(mask_of(map(self.board.names.index, set(names))))
            if stones[-1].bit_count() != len(names):
                raise Fault(USAGE, f"position '{text}': {side}: has a point twice")
        if stones[0] & stones[1]:
            point = self.board.names[points_of(stones[0] & stones[1])[0]]
            raise Fault(USAGE, f"position '{text}': {point} holds a stone of both sides")
        hands = list(map(int, numbers))
        if any(mask.bit_count() + hand > self.stones for mask, hand in zip(stones, hands)):
            raise Fault(USAGE, f"position '{text}': each side has at most {self.stones} stones")
        order = 1 if parts["move"] == "w" else -1
        return *stones[::order], *hands[::order]

    def answer(self, text):
        """Outcome and distance of a position in the plain form (docs/notation.md)."""
        value = self.value(*self.position(text))
        if value == DRAWN:
            return "draw", ""
        outcome, plies = ("loss", value - LOST) if value < DRAWN else ("win", WON - value)
        return outcome, str(plies) if self.edition != OUTCOME else ""

    def successors(self, own, other, own_hand, other_hand):
        """The positions after every legal move (docs/rules.md), as the opponent sees them."""
        board = self.board
        empty, jumps = board.all & ~own & ~other, own.bit_count() + own_hand == 3 and not self.flying
        moves = [(1 << start, empty if jumps else empty & board.near[start]) for start in points_of(own)]
        placings = [(0, empty)] if own_hand else []
        for start, ends in placings + moves if self.mixed else placings or moves:
            for end in points_of(ends):
                after = own & ~start | 1 << end
                closed = sum(line >> end & 1 and line & ~after == 0 for line in board.lines)
                for left in self.removals(other, min(closed, self.most_removed)):
                    yield left, after, other_hand, own_hand - (start == 0)

    def removals(self, stones, count):
        """The rest of `stones` after the removal of `count`, or of as many as the rules allow."""
        mills = reduce(or_, (line for line in self.board.lines if line & ~stones == 0), 0)
        removable = stones if self.removal == FREE else stones & ~mills
        if self.removal == PROTECTED:
            removable = removable or stones
        if not count or not removable:
            return [stones]
        return {left for point in points_of(removable) for left in self.removals(stones & ~(1 << point), count - 1)}


def find_database(folder, ruleset):
    """The database of `ruleset` in `folder`, or the one that `folder` is."""
    asked = ruleset and rules_of(ruleset)
    if not folder.is_dir():
        raise Fault(MISSING, f"the folder {folder} does not exist")
    if (folder / "manifest.merels").exists():
        found = Database(folder.resolve())
        if asked and asked != found.rules:
            raise Fault(DAMAGED, f"{folder} is the folder of another ruleset than '{ruleset}'")
        return found
    asked, named = asked or rules_of("standard"), folder / (ruleset or "standard")
    if (named / "manifest.merels").exists():
        found = Database(named.resolve())
        if found.rules != asked:
            raise Fault(DAMAGED, f"{named} was made for other rules than its name says")
        return found
    # Equal rules have several names, so the rules in the manifests decide.
    manifests = sorted(folder.glob("*/manifest.merels"))
    for manifest in manifests:
        if manifest.read_bytes()[16:26] == asked:
            return Database(manifest.parent.resolve())
    held = " ".join(manifest.parent.name for manifest in manifests) or "none"
    raise Fault(MISSING, f"{folder} has no databases of the ruleset '{ruleset or 'standard'}'; it has those of: {held}")


def random_position(board, subspace):
    """The plain form of a random position.

    White places first, so White is to move if both sides have equally many stones in hand.
    """
    a, b, *hands = subspace
    points = [board.names[point] for point in random.sample(range(board.size), a + b)]
    mover, other = "wb" if hands[0] == hands[1] else "bw"
    white, black = hands if mover == "w" else hands[::-1]
    return f"{mover}:{','.join(points[:a])} {other}:{','.join(points[a:])} move:{mover} hand:{white},{black}"


def compare(database, count, program):
    """Compares random positions with the program's answers.

    All tables that keep values have the same chance.
    """
    kept = database.subspaces
    if database.edition == STATISTICS:
        kept = [subspace for subspace in kept if database.table(*subspace).records]
    if not kept:
        raise Fault(MISSING, f"{database.path} has no tables with values")
    texts = [random_position(database.board, random.choice(kept)) for _ in range(count)]
    command = [program, "query", "--db", database.path.parent, "--ruleset", database.path.name, "--format", "csv"]
    try:
        run = subprocess.run(command, input="\n".join(texts), stdout=subprocess.PIPE, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Fault(SYSTEM, f"{program} does not answer: {error}") from None
    for text, row in zip(texts, csv.DictReader(run.stdout.splitlines()), strict=True):
        here, there = database.answer(text), (row["outcome"], row["distance"] if database.edition != OUTCOME else "")
        if here != there:
            raise Fault(WRONG, f"{text}: {' '.join(here)} here, {' '.join(there)} there")
    print(f"{count} positions from {len(kept)} tables agree")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Fault(USAGE, f"{message}; --help shows the usage")


def main():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", type=Path, default=os.environ.get("MERELS_DB", "db"), metavar="DIR")
    parser.add_argument("--ruleset", metavar="RULES")
    parser.add_argument("--compare", type=int, metavar="COUNT")
    parser.add_argument("--program", default="merels")
    parser.add_argument("positions", nargs="*", metavar="POSITION")
    arguments = parser.parse_args()
    if (arguments.compare is None) == (not arguments.positions):
        parser.error("name positions, or a number with --compare")
    if decompress is None:
        raise Fault(SYSTEM, "the package zstandard is missing; install it with: pip install zstandard")
    database = find_database(arguments.db, arguments.ruleset)
    if arguments.compare is not None:
        compare(database, arguments.compare, arguments.program)
    for text in arguments.positions:
        print(*database.answer(text))


if __name__ == "__main__":
    try:
        main()
    except Fault as fault:
        print(f"read_merels.py: {fault}", file=sys.stderr)
        sys.exit(fault.code)
    except OSError as error:
        print(f"read_merels.py: cannot read {error.filename}: {error.strerror}", file=sys.stderr)
        sys.exit(SYSTEM)
