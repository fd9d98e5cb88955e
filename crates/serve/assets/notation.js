// Writes positions and games in forms that the server reads.

/** A position in the plain form. `stones` maps points to `white` or `black`. */
export function plain(stones, side, hands, remove = 0) {
  const of = (colour) =>
    [...stones].filter(([, stone]) => stone === colour).map(([point]) => point).join(",");
  const removal = remove > 0 ? ` remove:${remove}` : "";
  return `w:${of("white")} b:${of("black")} move:${side[0]} hand:${hands.white},${hands.black}${removal}`;
}

/** The stones of an answer, by point. */
export function stonesOf(answer) {
  return new Map([
    ...answer.white.points.map((point) => [point, "white"]),
    ...answer.black.points.map((point) => [point, "black"]),
  ]);
}

export const opposite = (side) => (side === "white" ? "black" : "white");

/** The position with swapped colours. */
export function exchanged(answer) {
  const stones = [...stonesOf(answer)].map(([point, stone]) => [point, opposite(stone)]);
  const hands = { white: answer.black.hand, black: answer.white.hand };
  return plain(new Map(stones), opposite(answer.side), hands, answer.remove);
}

/** The move number of the ply at `place`, in a game in which `first` moves first. */
export function numberOf(place, first) {
  const ply = place + (first === "black" ? 1 : 0);
  return { number: Math.floor(ply / 2) + 1, side: ply % 2 === 0 ? "white" : "black" };
}

/** A game in the usual notation; `start` is null for the usual start. */
export function gameText(moves, first, start) {
  const words = start === null ? [] : [`[position "${start}"]`];
  moves.forEach((move, place) => {
    const { number, side } = numberOf(place, first);
    if (side === "white") words.push(`${number}.`);
    else if (place === 0) words.push(`${number}...`);
    words.push(move);
  });
  return words.join(" ");
}
