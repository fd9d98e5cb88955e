// Compares the values of positions and moves: an outcome and its distance.

/** Whether two values are equal. */
export function sameWorth(one, other) {
  return one.outcome === other.outcome && one.distance === other.distance;
}

/** The best of a list of moves, best first: those with the value of the first one. */
export function bestOf(moves) {
  return moves.filter((move) => sameWorth(move, moves[0]));
}
