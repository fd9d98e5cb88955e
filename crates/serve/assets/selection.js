// From points to a move: the points to choose next, and the move that they select. The moves are
// those of the server, best first; this file knows no rules.

/** The chosen part of a move. */
export class Selection {
  /** `moves` in the server's order. */
  constructor(moves) {
    this.moves = moves;
    this.reset();
  }

  reset() {
    // The origin of the stone: undefined while open, null for the hand.
    this.from = undefined;
    this.to = null;
    this.removes = [];
  }

  get isEmpty() {
    return this.from === undefined && this.to === null && this.removes.length === 0;
  }

  /** The moves that agree with the selection. */
  get candidates() {
    return this.moves.filter(
      (move) =>
        (this.from === undefined || move.from === this.from) &&
        (this.to === null || move.to === this.to) &&
        this.removes.every((point) => move.removes.includes(point)),
    );
  }

  /** Whether only the removal remains to be chosen. */
  get isRemoving() {
    return this.to !== null || (this.moves.length > 0 && this.moves[0].to === null);
  }

  /**
   * The points to choose now, each with its effect (`place`, `from`, `to`, `remove`) and the best
   * move that follows.
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
      // The user may choose another stone.
      this.moves.filter((move) => move.from !== null).forEach((move) => add(move.from, "from", move));
    }
    return options;
  }

  /** Chooses a point. Returns the move if it is complete, otherwise null. */
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
