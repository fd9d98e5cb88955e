// A curve of White's values during the game: the faster a side wins, the farther from the middle.

import { drawn } from "./dom.js";
import { say, worth } from "./i18n.js";

const WIDTH = 620;
const HEIGHT = 190;
const LEFT = 122;
const RIGHT = 16;
const LONGEST = 210;

/** A value from White's point of view. */
function forWhite(value, side) {
  if (side === "white") return value;
  const turned = { win: "loss", loss: "win", draw: "draw" };
  return { outcome: turned[value.outcome], distance: value.distance };
}

/** The height of a value, from -1 to 1. */
function height({ outcome, distance }) {
  if (outcome === "draw") return 0;
  const near = 1 - Math.min(distance ?? LONGEST / 2, LONGEST) / LONGEST;
  return (outcome === "win" ? 1 : -1) * (0.25 + 0.7 * near);
}

/** The known values of the game's positions. */
function values(game, answer) {
  const found = [];
  const first = game.steps[0]?.judgement?.before ?? (game.cursor === 0 && answer.outcome ? answer : null);
  found.push(first && { value: forWhite(first, game.first), move: null });
  for (const step of game.steps) {
    found.push(step.judgement && { value: forWhite(step.judgement.after, step.side), move: step.move });
  }
  return found;
}

/** Draws the curve. Calls `goTo` with the chosen position. */
export function showGraph(root, game, answer, shown, goTo) {
  const known = shown && game.steps.length > 0 ? values(game, answer) : [];
  if (!known.some((spot) => spot)) {
    root.replaceChildren();
    return;
  }
  const x = (place) => LEFT + (place * (WIDTH - LEFT - RIGHT)) / Math.max(1, known.length - 1);
  const y = (value) => HEIGHT / 2 - height(value) * (HEIGHT / 2 - 12);
  const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": say("graph.label") });
  for (const [part, word] of [[0.14, "graph.won"], [0.5, "graph.even"], [0.86, "graph.lost"]]) {
    svg.append(drawn("text", { class: "label end centre", x: LEFT - 10, y: HEIGHT * part }, say(word)));
  }
  svg.append(drawn("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
  let path = "";
  known.forEach((spot, place) => {
    if (spot) path += `${path === "" || !known[place - 1] ? "M" : "L"}${x(place)} ${y(spot.value)}`;
  });
  svg.append(drawn("path", { class: "curve", d: path }));
  known.forEach((spot, place) => {
    if (!spot) return;
    const words = { move: spot.move, worth: worth(spot.value) };
    const now = game.cursor === place ? " now" : "";
    svg.append(
      drawn("circle", { class: `spot ${spot.value.outcome}${now}`, cx: x(place), cy: y(spot.value), r: 6, onclick: () => goTo(place) },
        drawn("title", {}, say(spot.move ? "graph.spot" : "graph.before", words))));
  });
  root.replaceChildren(svg);
}
