// The moves of the game with their values; blunders are marked.

import { element } from "./dom.js";
import { verdict } from "./game.js";
import { say, someMoves, worth } from "./i18n.js";
import { numberOf } from "./notation.js";

const SIGNS = { blunder: "??", slip: "?!" };

/** The comment on a move. */
function remarks(step, shown) {
  if (!shown || !step.judgement) return [];
  const found = [];
  const { after, better } = step.judgement;
  found.push(element("span", { class: `small worth ${after.outcome}` }, worth(after)));
  const how = verdict(step.judgement);
  if (how !== "best") {
    const words = { verdict: say(`verdict.${how}`), moves: someMoves(better) };
    found.push(element("span", { class: "small" }, say("game.instead", words)));
  }
  return found;
}

/** Shows the game. Calls `goTo` with the ply to show. */
export function showHistory(root, game, shown, goTo) {
  if (game.steps.length === 0) {
    root.replaceChildren(element("li", {}, element("span"), element("span", {}, say("game.empty"))));
    return;
  }
  const rows = new Map();
  const start = element("button", { type: "button", "data-key": 0, "aria-current": game.cursor === 0 && "step", onclick: () => goTo(0) }, say("game.start"));
  rows.set(0, element("li", {}, element("span", { class: "number" }), start));
  game.steps.forEach((step, place) => {
    const { number, side } = numberOf(place, game.first);
    if (!rows.has(number)) {
      const row = element("li", {}, element("span", { class: "number" }, `${number}.`));
      if (side === "black") row.append(element("span", {}, "..."));
      rows.set(number, row);
    }
    const how = shown ? verdict(step.judgement) : null;
    const button = element("button",
      { type: "button", "data-key": place + 1, class: how === "blunder" && "change", "aria-current": game.cursor === place + 1 && "step", onclick: () => goTo(place + 1) },
      `${step.move} ${SIGNS[how] ?? ""}`, remarks(step, shown));
    rows.get(number).append(button);
  });
  root.replaceChildren(...rows.values());
  const current = root.querySelector("[aria-current]");
  if (!current) return;
  // Scrolls the list only, not the page. The first visible row is complete, also at the end.
  const edge = root.firstElementChild.offsetTop;
  const most = root.scrollHeight - root.clientHeight;
  const wanted = Math.min(current.offsetTop - root.clientHeight / 2, most + edge);
  const top = [...root.children].find((row) => row.offsetTop >= wanted) ?? root.lastElementChild;
  const lacking = top.offsetTop - edge - most;
  if (most > 0 && lacking > 0) root.lastElementChild.style.marginBottom = `${lacking}px`;
  root.scrollTop = top.offsetTop - edge;
}
