// Comparing what positions and moves are worth: an outcome, and how far away it is.

/** Whether two are worth the same. */
export function sameWorth(one, other) {
  return one.outcome === other.outcome && one.distance === other.distance;
}

/** Of moves that are listed best first, those that are worth as much as the first one. */
export function bestOf(moves) {
  return moves.filter((move) => sameWorth(move, moves[0]));
}
