// From points to a move: which points can be chosen now, and which move they have come to mean. The moves
// are those that the server lists, best first; no rule is known here.

/** What has been chosen of a move so far. */
export class Selection {
  /** `moves` as the server lists them. */
  constructor(moves) {
    this.moves = moves;
    this.reset();
  }

  reset() {
    // Where the stone comes from: undefined as long as that is open, null from the hand.
    this.from = undefined;
    this.to = null;
    this.removes = [];
  }

  get isEmpty() {
    return this.from === undefined && this.to === null && this.removes.length === 0;
  }

  /** The moves that go on from what is chosen. */
  get candidates() {
    return this.moves.filter(
      (move) =>
        (this.from === undefined || move.from === this.from) &&
        (this.to === null || move.to === this.to) &&
        this.removes.every((point) => move.removes.includes(point)),
    );
  }

  /** Whether the stone is where it goes, so that what is left to choose is what it removes. */
  get isRemoving() {
    return this.to !== null || (this.moves.length > 0 && this.moves[0].to === null);
  }

  /**
   * The points that can be chosen now: for each what that means (`place`, `from`, `to`, `remove`) and the best
   * move that it can lead to.
   */
  options() {
    const options = new Map();
    // The best move comes first.
    const add = (point, act, move) => options.has(point) || options.set(point, { act, move });
    for (const move of this.candidates) {
      if (this.isRemoving) {
        move.removes.filter((point) => !this.removes.includes(point)).forEach((point) => add(point, "remove", move));
      } else if (this.from !== undefined) {
        add(move.to, "to", move);
      } else if (move.from === null) {
        add(move.to, "place", move);
      } else {
        add(move.from, "from", move);
      }
    }
    if (!this.isRemoving && this.from) {
      // Another stone may be taken up instead.
      this.moves.filter((move) => move.from !== null).forEach((move) => add(move.from, "from", move));
    }
    return options;
  }

  /** Chooses a point. The move, if it is complete by that; else null. */
  choose(point) {
    const option = this.options().get(point);
    if (!option || (option.act === "from" && point === this.from)) {
      this.reset();
      return null;
    }
    if (option.act === "from") {
      this.reset();
      this.from = point;
      return null;
    }
    if (option.act === "remove") {
      this.removes.push(point);
    } else {
      this.from = option.move.from;
      this.to = point;
    }
    return this.candidates.find((move) => move.removes.length === this.removes.length) ?? null;
  }
}
