#!/usr/bin/env python3
"""A second reader of the databases, written from docs/format.md alone.

    scripts/read_merels.py db/standard 'w:d7,g7,g1 b:a4,g4,d5 move:b'     what positions are worth
    scripts/read_merels.py db/standard --probe 1000                       compared with `merels query`

It shares nothing with the program: board, numbering, moves and block decoding are its own. So an error in the
page, or in what the program makes of it, shows as a disagreement. It reads every edition and every board, but no
rules by which a move takes two stones or stones in hand may wait.

Needs Python 3.10 and a zstd package: Python's own (from 3.14 on), or `zstandard`, `pyzstd`, or `backports.zstd`.
The exit code is 0, or 1 if a probe disagrees or has no answer, 2 if something is wrong with files or arguments,
3 if Python or its packages lack something.

Sets of points are masks. Sets of the entries of a row are masks too, with a bit for each entry: so a whole row is
sorted by a few operations on long numbers.
"""

import argparse
import csv
import random
import subprocess
import sys
import zlib
from bisect import bisect_left
from collections import namedtuple
from functools import lru_cache, reduce
from importlib import import_module
from math import comb
from operator import or_, xor
from pathlib import Path

LOST, DRAWN, LEFT_OUT = 0, 127, None
FULL, COMPACT, OUTCOME = range(3)
EDITIONS = ["full", "compact", "outcome"]
BOARDS = ["nine", "twelve", "six", "three"]
PROTECTED, STRICT, FREE = range(3)
FIVE_OUTCOMES = [bytes(byte // 3**i % 3 for i in range(5)) for byte in range(243)]

# Lengths of the fields of a ruleset in files (3.1).
RULES = [1, 1, 1, 1, 1, 1, 1, 1, 2]
Rules = namedtuple("Rules", "board stones flying removal double mixed full_draws repetition limit")
# Masks of points and numbers of stones in hand, first of the side to move.
Position = namedtuple("Position", "own other own_hand other_hand")


class Refused(Exception):
    """A file or a position that cannot be read, and why."""


class Unable(Exception):
    """What this script needs is not installed."""


@lru_cache(maxsize=None)
def decompressor():
    """The function of the first zstd package that is there."""
    for name in ["compression.zstd", "backports.zstd", "pyzstd", "zstandard"]:
        try:
            return import_module(name).decompress
        except ImportError:
            pass
    raise Unable("there is no zstd package: install zstandard, or use Python 3.14")


def points_of(mask):
    return [point for point in range(mask.bit_length()) if mask >> point & 1]


def mask_of(points):
    return reduce(or_, (1 << point for point in points), 0)


class Board:
    """Points, lines, neighbours and symmetries (2.1, 2.2); numbers in brackets are sections of docs/format.md."""

    def __init__(self, name):
        rings = {"nine": 3, "twelve": 3, "six": 2, "three": 1}[name]
        radii = range(rings, 0, -1)
        corners = [(x * r, y * r) for r in radii for x, y in [(-1, 1), (1, 1), (1, -1), (-1, -1)]]
        middles = [(x * r, y * r) for r in radii for x, y in [(0, 1), (1, 0), (0, -1), (-1, 0)]]
        centre = [(0, 0)] if name == "three" else []
        places = corners + middles + centre
        number = {place: i for i, place in enumerate(places)}
        self.size, self.lower = len(places), len(corners)
        self.names = ["abcdefg"[x + rings] + str(y + rings + 1) for x, y in places]
        self.point_of = {name: i for i, name in enumerate(self.names)}

        # Drawn lines: the sides of the rings, from ring to ring at the middles, at corners on two boards.
        n, c = len(corners), 4
        drawn = [(4 * r + i, n + 4 * r + i, 4 * r + (i + 1) % c) for r in range(rings) for i in range(c)]
        drawn += [tuple(n + 4 * r + i for r in range(rings)) for i in range(c) if rings > 1]
        if name == "twelve":
            drawn += [tuple(4 * r + i for r in range(rings)) for i in range(c)]
        if name == "three":
            drawn += [(i, 8, i + 2) for i in (0, 1, 4, 5)]
        self.lines = [mask_of(line) for line in drawn if len(line) == 3]
        self.neighbours = [0] * self.size
        for line in drawn:
            for a, b in zip(line, line[1:]):
                self.neighbours[a] |= 1 << b
                self.neighbours[b] |= 1 << a
        # The points of one half (2.5): an even number of steps from point 0.
        self.half = 1
        for _ in places:
            self.half |= self.around(self.around(self.half))

        def exchanged(x, y):
            r = max(abs(x), abs(y))
            return (x * (rings + 1 - r) // r, y * (rings + 1 - r) // r)

        squares = [lambda x, y: (x, y), lambda x, y: (y, -x), lambda x, y: (-x, -y), lambda x, y: (-y, x)]
        squares += [lambda x, y, f=f: f(-x, y) for f in squares]
        maps = [[f(*place) for place in places] for f in squares]
        if rings > 1:
            maps += [[exchanged(*place) for place in images] for images in maps]
        # The image of each set among the first 12 points, and of each among the others.
        self.tables = []
        for images in maps:
            table = [[0], [0]]
            for point, place in enumerate(images):
                table[point // 12] += [image | 1 << number[place] for image in table[point // 12]]
            self.tables.append(table)

    def around(self, mask):
        return reduce(or_, (self.neighbours[point] for point in points_of(mask)), 0)

    @staticmethod
    def image(table, mask):
        return table[0][mask & 4095] | table[1][mask >> 12]

    @lru_cache(maxsize=None)
    def classes(self, count):
        """Representatives of the classes of `count` points, in order."""
        if count == 0:
            return [0]
        seen, found = bytearray(1 << self.size), []
        mask = (1 << count) - 1
        while mask < 1 << self.size:
            if not seen[mask]:
                found.append(mask)
                for table in self.tables:
                    seen[self.image(table, mask)] = 1
            # The next greater number with as many bits.
            low = mask & -mask
            high = mask + low
            mask = high | ((mask ^ high) // low) >> 2
        return found

    def in_mills(self, stones):
        return reduce(or_, (line for line in self.lines if line & ~stones == 0), 0)


def rank_of(points):
    """The number of a set among those of its size (2.3)."""
    return sum(comb(point, i) for i, point in enumerate(sorted(points), 1))


def set_of(rank, count):
    """The set of `count` points with this number, as a mask."""
    mask = 0
    for i in range(count, 0, -1):
        point = i - 1
        while comb(point + 1, i) <= rank:
            point += 1
        rank -= comb(point, i)
        mask |= 1 << point
    return mask


@lru_cache(maxsize=None)
def columns(points, count):
    """For each of `points` points the sets of `count` that contain it: a bit for each set, by number."""
    if points == 0:
        return []
    without, sets = comb(points - 1, count), comb(points, count)
    if count == 0:
        return [0] * points
    lower, upper = columns(points - 1, count), columns(points - 1, count - 1)
    # Sets without the last point come first.
    return [a | b << without for a, b in zip(lower, upper)] + [(1 << sets) - (1 << without)]


def sealed(path, data, magic):
    """The payload between prefix and checksum of a header or a manifest, checked."""
    if data[:8] != magic:
        raise Refused(f"{path}: not such a file, or an unfinished one")
    if data[8:12] != (2).to_bytes(4, "little"):
        raise Refused(f"{path}: format version {int.from_bytes(data[8:12], 'little')}, not 2")
    end = 16 + int.from_bytes(data[12:16], "little")
    if end > len(data) - 4 or zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise Refused(f"{path}: damaged")
    return data[16:end]


def numbers(data, *lengths):
    """Integers of these lengths, one after the other."""
    found, at = [], 0
    for length in lengths:
        found.append(int.from_bytes(data[at : at + length], "little"))
        at += length
    return found


class Table:
    """The values of a subspace (2.3, 3)."""

    def __init__(self, path, board, rules, edition, subspace):
        self.path, self.board, self.rules, self.edition = path, board, rules, edition
        self.a, self.b, self.a_hand, self.b_hand = subspace
        self.file = open(path, "rb")
        payload = sealed(path, self.file.read(512), b"\x89MERELS\n")
        fields = numbers(payload, *RULES, 1, 1, 1, 1, 1, 1, 1, 8, 4, 4)
        self.entries, self.per_block, self.blocks = fields[16:]
        self.row_len = comb(board.size - self.a, self.b)
        wanted = [*rules, *subspace, 0, edition, int(edition != FULL), len(board.classes(self.a)) * self.row_len]
        if fields[:17] != wanted or self.per_block == 0:
            raise Refused(f"{path}: not the table that is wanted: {fields} instead of {wanted}")
        # A block is so many rows; or, where this is 0, one of so many pieces of a row.
        self.rows_of_block, self.pieces = self.per_block // self.row_len, -(-self.row_len // self.per_block)
        if self.blocks != self.count_blocks():
            raise Refused(f"{path}: {self.blocks} blocks instead of {self.count_blocks()}")
        records = self.file.read(16 * self.blocks)
        if zlib.crc32(records) != int.from_bytes(self.file.read(4), "little"):
            raise Refused(f"{path}: the block table is damaged")
        self.records = [numbers(records[at : at + 16], 8, 4, 4) for at in range(0, len(records), 16)]
        end = 516 + 16 * self.blocks
        for offset, length, _ in self.records:
            if offset != end or length == 0:
                raise Refused(f"{path}: the blocks do not follow each other")
            end += length
        if end != path.stat().st_size:
            raise Refused(f"{path}: the file does not end with the last block")

    def stored(self):
        """What the edition stores: "whole", "half" or "nothing" (2.5)."""
        if self.edition == FULL or self.rules.mixed:
            return "whole"
        if self.a_hand + self.b_hand > 0:
            return "nothing" if (self.a_hand + self.b_hand) % 2 else "whole"
        if self.a != self.b:
            return "whole" if self.a < self.b else "nothing"
        jumps = self.a == 3 and self.rules.flying == 0
        return "whole" if jumps or BOARDS[self.rules.board] == "three" else "half"

    def count_blocks(self):
        """How many blocks there must be (3.3, 3.4)."""
        if self.edition == FULL:
            return -(-self.entries // self.per_block)
        if self.stored() == "nothing":
            return 0
        rows = self.entries // self.row_len
        return -(-rows // self.rows_of_block) if self.rows_of_block else rows * self.pieces

    def free_points(self, key):
        return [point for point in range(self.board.size) if not key >> point & 1]

    def index_of(self, position):
        """Class number, representative, and rank of a position (2.3)."""
        images = ((self.board.image(table, position.own), table) for table in self.board.tables)
        key, table = min(images, key=lambda image: image[0])
        other = self.board.image(table, position.other)
        rank = rank_of(i for i, point in enumerate(self.free_points(key)) if other >> point & 1)
        return bisect_left(self.board.classes(self.a), key), rank

    def stones_at(self, index):
        """The stones of both sides: the reverse."""
        number, rank = divmod(index, self.row_len)
        key = self.board.classes(self.a)[number]
        free = self.free_points(key)
        return key, mask_of(free[i] for i in points_of(set_of(rank, self.b)))

    def value(self, position):
        """The byte of a position, or LEFT_OUT."""
        if self.blocks == 0:
            return LEFT_OUT
        row, rank = self.index_of(position)
        if self.edition == FULL:
            block, place = divmod(row * self.row_len + rank, self.per_block)
            byte = self.plain_block(block)[place]
            if byte == 128:
                raise self.damage(block, "a byte is no value")
            return byte
        return self.sorted_value(row, rank)

    def bytes_of(self, block):
        offset, length, crc = self.records[block]
        self.file.seek(offset)
        data = self.file.read(length)
        if zlib.crc32(data) != crc:
            raise self.damage(block, "its checksum is wrong")
        return data

    def damage(self, block, reason):
        return Refused(f"{self.path}, block {block}: {reason}")

    def frame(self, data, length, block):
        """What a frame holds, which must be `length` bytes."""
        try:
            content = decompressor()(data) if data else b""
        except Unable:
            raise
        except Exception as error:  # Each package has a class of its own.
            raise self.damage(block, f"a frame does not decode: {error}") from None
        if len(content) != length:
            raise self.damage(block, f"a frame has {len(content)} bytes instead of {length}")
        return content

    @lru_cache(maxsize=64)
    def plain_block(self, block):
        first = block * self.per_block
        return self.frame(self.bytes_of(block), min(self.per_block, self.entries - first), block)

    def in_group(self, key, rank):
        """The place of an entry in its group, and how many entries the group has (3.4)."""
        free_lower = (~key & (1 << self.board.lower) - 1).bit_count()
        lower = set_of(rank, self.b) & (1 << free_lower) - 1
        return rank_of(points_of(lower)), comb(free_lower, lower.bit_count())

    def first_of_piece(self, key, piece):
        """The rank with which a piece of a row begins: that of a group's first entry."""
        bound = piece * self.per_block
        if bound >= self.row_len:
            return self.row_len
        place, size = self.in_group(key, bound)
        return bound if place == 0 else bound - place + size

    def sorted_value(self, row, rank):
        """The byte of the entry `rank` of a row, or LEFT_OUT."""
        if self.rows_of_block:
            block = row // self.rows_of_block
        else:
            place, _ = self.in_group(self.board.classes(self.a)[row], rank)
            block = row * self.pieces + (rank - place) // self.per_block
        first_row, classes, outcomes, wins, losses = self.sorted_block(block)
        bit = 1 << rank
        own = next((c for c in range(9) if classes[row - first_row][c] & bit), None)
        if own is None:
            return LEFT_OUT
        # All of lesser classes, then of its own class those of earlier rows, then those before it.
        place = sum(words[c].bit_count() for words in classes for c in range(own))
        place += sum(words[own].bit_count() for words in classes[: row - first_row])
        place += (classes[row - first_row][own] & bit - 1).bit_count()
        outcome = outcomes[place]
        if self.edition == OUTCOME:
            return [LOST, DRAWN, 255][outcome]
        if outcome == 0:
            return losses[outcomes[:place].count(0)]
        return DRAWN if outcome == 1 else 255 - wins[outcomes[:place].count(2)]

    @lru_cache(maxsize=64)
    def sorted_block(self, block):
        """The first row of a block, the classes of its rows, outcomes in sorted order, distances."""
        if self.rows_of_block:
            first, within = block * self.rows_of_block, (1 << self.row_len) - 1
            keys = self.board.classes(self.a)[first : first + self.rows_of_block]
        else:
            first, piece = divmod(block, self.pieces)
            keys = [self.board.classes(self.a)[first]]
            start, end = (self.first_of_piece(keys[0], j) for j in (piece, piece + 1))
            within = (1 << end) - (1 << start)
        classes = [[words & within for words in self.classes_of_row(key)] for key in keys]
        total = sum(word.bit_count() for words in classes for word in words)

        data, wins, losses = self.bytes_of(block), b"", b""
        if self.edition == COMPACT:
            lengths = numbers(data, 4, 4)
            ends = [8, 8 + lengths[0], 8 + sum(lengths), len(data)]
            if ends != sorted(ends):
                raise self.damage(block, "it is cut off")
            data, wins, losses = (data[start:end] for start, end in zip(ends, ends[1:]))
        packed = self.frame(data, -(-total // 5), block)
        if max(packed, default=0) > 242:
            raise self.damage(block, "a byte is no five outcomes")
        outcomes = b"".join(FIVE_OUTCOMES[byte] for byte in packed)
        if any(outcomes[total:]):
            raise self.damage(block, "there are outcomes beyond its entries")
        outcomes = outcomes[:total]
        if self.edition == COMPACT:
            wins = self.frame(wins, outcomes.count(2), block)
            losses = self.frame(losses, outcomes.count(0), block)
            if max(wins + losses, default=0) > 126:
                raise self.damage(block, "a distance is too long")
        return first, classes, outcomes, wins, losses

    def classes_of_row(self, key):
        """The stored entries of a row by the class of their threats, as masks (3.4)."""
        board, everything = self.board, (1 << self.row_len) - 1
        free = self.free_points(key)
        column = dict(zip(free, columns(len(free), self.b)))

        def jumps(count, hand):
            return hand > 0 or (count == 3 and self.rules.flying == 0)

        def counted(sets):
            """The entries that are in none of these sets, in one, in more."""
            once = more = 0
            for entries in sets:
                more |= once & entries
                once |= entries
            return everything & ~once, once & ~more, more

        own, other = [], []
        for line in board.lines:
            for point in points_of(line & ~key):
                rest, near = line & ~(1 << point), board.neighbours[point] & ~line
                if rest & ~key == 0 and (jumps(self.a, self.a_hand) or near & key):
                    own.append(everything & ~column[point])
                if rest & key == 0:
                    one, two = points_of(rest)
                    entries = column[one] & column[two] & ~column[point]
                    if not jumps(self.b, self.b_hand):
                        entries &= reduce(or_, (column.get(neighbour, 0) for neighbour in points_of(near)), 0)
                    other.append(entries)
        stored = everything
        if self.stored() == "half":
            odd = everything if (key & board.half).bit_count() % 2 else 0
            stored &= ~reduce(xor, (column[point] for point in free if board.half >> point & 1), odd)
        own, other = counted(own), counted(other)
        return [stored & own[c // 3] & other[c % 3] for c in range(9)]


class Database:
    """The folder of one ruleset."""

    def __init__(self, path):
        self.path = Path(path)
        manifest = self.path / "manifest.merels"
        payload = sealed(manifest, manifest.read_bytes(), b"\x89MERELM\n")
        *rules, self.edition, count = numbers(payload, *RULES, 1, 8)
        self.rules = Rules(*rules)
        self.listed = [tuple(payload[at : at + 4]) for at in range(19, 19 + 88 * count, 88)]
        if self.rules.board >= len(BOARDS) or self.edition >= len(EDITIONS):
            raise Refused(f"{manifest}: a board or an edition that is not known here")
        if self.rules.double != 1:
            raise Refused(f"{manifest}: rules by which a move takes two stones are not known here")
        self.board = Board(BOARDS[self.rules.board])

    @lru_cache(maxsize=None)
    def table(self, subspace):
        a, b, a_hand, b_hand = subspace
        name = f"{a}-{b}" + (f"+{a_hand}-{b_hand}" if a_hand + b_hand else "")
        path = self.path / f"{name}.merels"
        if not path.exists():
            raise Refused(f"there is no table {path}")
        return Table(path, self.board, self.rules, self.edition, subspace)

    def removals(self, stones):
        """What a mill leaves of the opponent's stones: each choice."""
        open_stones = stones & ~self.board.in_mills(stones)
        if self.rules.removal == FREE or (self.rules.removal == PROTECTED and open_stones == 0):
            open_stones = stones
        return [stones & ~(1 << point) for point in points_of(open_stones)] or [stones]

    def successors(self, position):
        """The positions after every legal move, seen by the opponent."""
        own, other, own_hand, other_hand = position
        empty = (1 << self.board.size) - 1 & ~own & ~other
        if own_hand:
            moves = [(own, to) for to in points_of(empty)]
        else:
            jumps = own.bit_count() == 3 and self.rules.flying == 0
            targets = [(start, empty if jumps else empty & self.board.neighbours[start]) for start in points_of(own)]
            moves = [(own & ~(1 << start), to) for start, ends in targets for to in points_of(ends)]
        for rest, to in moves:
            after = rest | 1 << to
            closes = any(line >> to & 1 and line & ~after == 0 for line in self.board.lines)
            for left in self.removals(other) if closes else [other]:
                yield Position(left, after, other_hand, own_hand - (own_hand > 0))

    def value(self, position):
        """The byte of a position's value: the stored one, or that of the best move (2.4, 2.5)."""
        if position.own.bit_count() + position.own_hand < 3:
            return LOST
        counts = position.own.bit_count(), position.other.bit_count()
        if self.rules.mixed and position.own_hand + position.other_hand:
            raise Refused("stones in hand that may wait are not known here")
        value = self.table((*counts, position.own_hand, position.other_hand)).value(position)
        return self.best(position, self.successors(position)) if value is LEFT_OUT else value

    def best(self, position, successors):
        """The best of these successors for the side that comes to them."""
        full = (position.own | position.other).bit_count() == self.board.size
        none = DRAWN if full and self.rules.full_draws else LOST
        return max((turned_round(self.value(after)) for after in successors), default=none)

    def value_after_removal(self, position):
        """The value for a side that has closed a mill and has still to take a stone."""
        own, other, own_hand, other_hand = position
        return self.best(position, (Position(left, own, other_hand, own_hand) for left in self.removals(other)))

    def told(self, value):
        """Outcome, and distance where it is known."""
        if value == DRAWN:
            return "draw", ""
        outcome = "loss" if value < DRAWN else "win"
        if self.edition == OUTCOME:
            return outcome, ""
        return outcome, str(2 * value if value < DRAWN else 2 * (255 - value) + 1)

    def answer(self, text):
        """What a position in the plain or the FEN-like form is worth."""
        try:
            position, pending = (read_fen if text.count("/") == 2 else read_plain)(text, self.board)
        except (KeyError, ValueError, IndexError):
            raise Refused(f"'{text}' is no position of this board in the plain or the FEN-like form") from None
        return self.told(self.value_after_removal(position) if pending else self.value(position))


def turned_round(value):
    """The value of a move, from that of the position after it: turned round, a ply more."""
    if value == DRAWN:
        return DRAWN
    # Lost in 2e: won in 2e + 1. Won in 2k + 1: lost in 2(k + 1).
    return 255 - value if value < DRAWN else 256 - value


def seen_by(side, white, black, white_hand, black_hand):
    if side.lower() == "w":
        return Position(white, black, white_hand, black_hand)
    return Position(black, white, black_hand, white_hand)


def read_plain(text, board):
    """`w:d7,g1 b:a4,d5 move:b hand:0,0 remove:1`, as docs/notation.md has it."""
    words, parts = [], {}
    for word in text.lower().replace(",", " ").replace(":", ": ").split():
        if word.endswith(":"):
            parts[word[:-1]] = words = []
        else:
            words.append(word)
    white, black = (mask_of(board.point_of[point] for point in parts[side]) for side in "wb")
    white_hand, black_hand = map(int, parts.get("hand", ["0", "0"]))
    return seen_by(parts["move"][0], white, black, white_hand, black_hand), "remove" in parts


def read_fen(text, board):
    """`@*******/********/OO@O**@* b m s 3 0 3 0 0 0`, as docs/notation.md has it."""
    rings, side, _, action, _, white_hand, _, black_hand = text.split()[:8]
    letters = rings.replace("/", "")
    if board.size != 24 or len(letters) != 24:
        raise ValueError(rings)
    # Each ring from the middle of its top side on: a middle, the corner after it, and so on.
    order = [p for r in (2, 1, 0) for i in range(4) for p in (12 + 4 * r + i, 4 * r + (i + 1) % 4)]
    white, black = (mask_of(p for p, letter in zip(order, letters) if letter == stone) for stone in "O@")
    return seen_by(side, white, black, int(white_hand), int(black_hand)), action == "r"


def write_plain(board, position, side):
    sides = [position[:2], position[2:]]
    masks, hands = sides if side == "w" else [values[::-1] for values in sides]
    white, black = (",".join(board.names[point] for point in points_of(mask)) for mask in masks)
    return f"w:{white} b:{black} move:{side} hand:{hands[0]},{hands[1]}"


def random_positions(database, count, seed):
    """Positions of all tables, each table as often as the others, turned round at random."""
    dice = random.Random(seed)
    board = database.board
    for _ in range(count):
        subspace = dice.choice(sorted(database.listed))
        table = database.table(subspace)
        symmetry = dice.choice(board.tables)
        own, other = (board.image(symmetry, mask) for mask in table.stones_at(dice.randrange(table.entries)))
        # White places first: with as many stones in hand as Black it is to move.
        in_turn = "w" if subspace[2] == subspace[3] else "b"
        side = in_turn if any(subspace[2:]) else dice.choice("wb")
        yield write_plain(board, Position(own, other, *subspace[2:]), side)


def probe(database, count, seed, program):
    """Compares random positions with `merels query`; whether all agree."""
    texts = list(random_positions(database, count, seed))
    # The folder's name is the name of the rules.
    folder = database.path.resolve()
    command = [program, "query", "--db", folder.parent, "--ruleset", folder.name, "--format", "csv"]
    output = subprocess.run(command, input="\n".join(texts) + "\n", stdout=subprocess.PIPE, text=True).stdout
    rows = {int(row["line"]): row for row in csv.DictReader(output.splitlines())}
    agreeing = 0
    for line, text in enumerate(texts, 1):
        row = rows.get(line, {"outcome": "", "distance": "", "error": "no answer"})
        here, there = database.answer(text), (row["outcome"], row["distance"])
        # The edition outcome keeps no distances, though moves may show some.
        agree = here == there or (database.edition == OUTCOME and here[0] == there[0])
        agreeing += agree
        if not agree:
            print(f"{text}: {' '.join(here)} here, {' '.join(there)} {row['error']} there")
    tables = len(database.listed)
    print(f"{agreeing} of {count} positions from {tables} tables agree (edition {EDITIONS[database.edition]})")
    return agreeing == count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", help="folder of one ruleset, as db/standard")
    parser.add_argument("position", nargs="*", help="in the plain or the FEN-like form, each in quotes")
    parser.add_argument("--probe", type=int, metavar="N", help="compare N random positions with `merels query`")
    parser.add_argument("--seed", type=int, default=1, help="which random positions (default 1)")
    parser.add_argument("--merels", default="merels", metavar="PROGRAM", help="the program to compare with")
    arguments = parser.parse_args()
    try:
        if sys.version_info < (3, 10):
            raise Unable("Python 3.10 is needed")
        decompressor()
        database = Database(arguments.folder)
        for text in arguments.position:
            print(*database.answer(text))
        agree = arguments.probe is None or probe(database, arguments.probe, arguments.seed, arguments.merels)
        return 0 if agree else 1
    except (Refused, Unable, OSError) as error:
        print(f"read_merels: {error}", file=sys.stderr)
        return 3 if isinstance(error, Unable) else 2


if __name__ == "__main__":
    sys.exit(main())
