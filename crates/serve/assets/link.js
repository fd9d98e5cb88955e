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

/**
 * The game that the address names: `start` (null for the usual one) and `moves` as text, `at` if it is not shown to its
 * end. Null if it says something else.
 */
export function read() {
  const text = location.hash.slice(1);
  const parts = new URLSearchParams(text);
  const isGame = parts.has("position") || parts.has("moves");
  // The name of a place in the page says nothing about the game.
  if (text !== "" && !isGame && !document.getElementById(text)) return null;
  const at = Number.parseInt(parts.get("at"), 10);
  return {
    start: parts.get("position"),
    moves: parts.get("moves") ?? "",
    at: Number.isNaN(at) ? undefined : at,
  };
}
