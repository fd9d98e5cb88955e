// The game in the address of the page, so that links show it. It follows the `#`, which browsers do
// not send to the server.

/** Writes the game to the address. */
export function write(game, usualStart) {
  const parts = new URLSearchParams();
  if (game.start !== usualStart) parts.set("position", game.start);
  if (game.steps.length > 0) parts.set("moves", game.steps.map((step) => step.move).join(" "));
  if (!game.isAtEnd) parts.set("at", game.cursor);
  const text = parts.toString();
  history.replaceState(null, "", text === "" ? location.pathname : `#${text}`);
}

/**
 * The game in the address: `start` (null for the usual one), `moves` as text, and `at` (the ply
 * shown, unless it is the last). Null if the address has no game.
 */
export function read() {
  const text = location.hash.slice(1);
  const parts = new URLSearchParams(text);
  const isGame = parts.has("position") || parts.has("moves");
  // The fragment names an element of the page, not a game.
  if (text !== "" && !isGame && !document.getElementById(text)) return null;
  const at = Number.parseInt(parts.get("at"), 10);
  return {
    start: parts.get("position"),
    moves: parts.get("moves") ?? "",
    at: Number.isNaN(at) ? undefined : at,
  };
}
