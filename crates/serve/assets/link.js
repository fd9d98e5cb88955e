// The game in the address of the page, so that a link shows it again. It stands behind the `#`, which
// browsers keep to themselves.

/** Writes the game into the address. */
export function write(game, usualStart) {
  const parts = new URLSearchParams();
  if (game.start !== usualStart) parts.set("position", game.start);
  if (game.steps.length > 0) parts.set("moves", game.steps.map((step) => step.move).join(" "));
  if (!game.isAtEnd) parts.set("at", game.cursor);
  const text = parts.toString();
  history.replaceState(null, "", text === "" ? location.pathname : `#${text}`);
}

/** The game that the address names: `start` and `moves` as text, `at` if it is not shown to its end. */
export function read() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const at = Number.parseInt(parts.get("at"), 10);
  return {
    start: parts.get("position"),
    moves: parts.get("moves") ?? "",
    at: Number.isNaN(at) ? undefined : at,
  };
}
