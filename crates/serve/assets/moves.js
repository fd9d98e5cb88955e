// The list of moves: best first, equal values together, symmetric moves next to each other.

import { element } from "./dom.js";
import { say, worth } from "./i18n.js";
import { sameWorth } from "./worth.js";

/** Splits a list where `together` does not hold for neighbours. */
function chunks(list, together) {
  const found = [];
  for (const item of list) {
    const last = found.at(-1);
    if (last && together(last[0], item)) last.push(item);
    else found.push([item]);
  }
  return found;
}

/** Moves by class, in the order of the first move of each class. */
function byClass(moves) {
  const classes = new Map();
  for (const move of moves) {
    const key = move.class ?? move.move;
    if (!classes.has(key)) classes.set(key, []);
    classes.get(key).push(move);
  }
  return [...classes.values()];
}

/**
 * Shows the moves of `answer`: by value if `shown` is set and values are known, otherwise by name.
 * Sets `title`. Calls `play` with the chosen move; `play` is null if no move can be chosen.
 */
export function showMoves(root, title, answer, shown, play) {
  const isRanked = shown && Boolean(answer.outcome);
  // The element keeps the key of its text for changes of language.
  title.dataset.word = isRanked ? "moves" : "moves.unranked";
  title.textContent = say(title.dataset.word);
  if (answer.moves.length === 0) {
    root.replaceChildren(element("p", {}, say("moves.none")));
    return;
  }
  const button = (move) => element("button", { type: "button", "data-key": move.move, "aria-disabled": !play && "true", onclick: () => play?.(move) }, move.move);
  const names = (moves, joined) =>
    element("span", { class: "names" },
      (joined ? byClass(moves) : moves.map((move) => [move])).map((alike) =>
        element("span", { class: "class" }, alike.flatMap((move, place) => (place > 0 ? ["=", button(move)] : [button(move)])))));
  if (!isRanked) {
    const sorted = [...answer.moves].sort((a, b) => a.move.localeCompare(b.move));
    root.replaceChildren(element("div", { class: "group unranked" }, names(sorted, false)));
    return;
  }
  const groups = chunks(answer.moves, sameWorth).map((moves) =>
    element("div", { class: "group" },
      element("span", { class: `worth ${moves[0].outcome}` }, worth(moves[0])),
      names(moves, true)));
  root.replaceChildren(...groups);
}
