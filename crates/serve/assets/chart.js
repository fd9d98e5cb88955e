// Charts of counts: cells and bars divided by outcome, and bars by distance.

import { drawn, pressable } from "./dom.js";
import { number, say, worth } from "./i18n.js";

const OUTCOMES = ["win", "draw", "loss"];
const KEYS = { win: "wins", draw: "draws", loss: "losses" };

/** The width of a bar of distances, in plies: distances of wins are odd, those of losses even. */
const THICK = 1.5;

/** The shares of the outcomes, from 0 to 1. */
function shares(counts) {
  return OUTCOMES.map((outcome) => [outcome, counts.positions > 0 ? counts[KEYS[outcome]] / counts.positions : 0]);
}

/** Percentages as text; a small share is never shown as zero. */
function percent(share) {
  const hundredth = 100 * share;
  if (share > 0 && hundredth < 0.1) return "< 0.1";
  return number(hundredth, hundredth < 10 ? 1 : 0);
}

function inWords(key, counts, names) {
  const words = Object.fromEntries(shares(counts).map(([outcome, share]) => [outcome, percent(share)]));
  return say(key, { ...names, ...words, positions: number(counts.positions) });
}

/** A rectangle divided by outcome. `along` is `x` or `y`. */
function stacked(counts, { x, y, width, height }) {
  let from = 0;
  return shares(counts).map(([outcome, share]) => {
    const part = drawn("rect", { class: `fill-${outcome}`, x: x + from * width, y, width: share * width, height, "stroke-width": 0 });
    from += share;
    return part;
  });
}

/** The most frequent outcome and its share, as `W` and `57`. */
function headline(counts) {
  const [outcome, share] = shares(counts).reduce((most, next) => (next[1] > most[1] ? next : most));
  // Never round up to 100.
  const told = share < 1 && share > 0.995 ? "> 99" : Math.round(100 * share);
  return [say(`letter.${outcome}`), told];
}

/** The moving phase: a cell for each subspace. Calls `choose` with the chosen one. */
export function heatMap(subspaces, chosen, choose) {
  const stones = [...new Set(subspaces.flatMap(({ mover, other }) => [mover, other]))].sort((a, b) => a - b);
  const [size, left, top] = [64, 74, 44];
  const extent = stones.length * size;
  // Small games get small maps, not large cells.
  const width = Math.max(extent, 7 * size);
  const svg = drawn("svg", { viewBox: `0 0 ${left + width + 4} ${top + extent + 4}`, role: "group", "aria-label": say("statistics.moving") });
  svg.append(
    drawn("text", { class: "label middle", x: left + extent / 2, y: 14, "aria-hidden": "true" }, say("statistics.other")),
    drawn("text", { class: "label", x: 2, y: top - 8, "aria-hidden": "true" }, say("statistics.mover")));
  stones.forEach((count, place) => {
    svg.append(
      drawn("text", { class: "label middle", x: left + (place + 0.5) * size, y: top - 8, "aria-hidden": "true" }, count),
      drawn("text", { class: "label end centre", x: left - 12, y: top + (place + 0.5) * size, "aria-hidden": "true" }, count));
  });
  for (const counts of subspaces) {
    const x = left + stones.indexOf(counts.other) * size;
    const y = top + stones.indexOf(counts.mover) * size;
    const words = inWords("statistics.cell", counts, { subspace: counts.subspace });
    const cell = drawn("g", { class: "cell", role: "button", tabindex: 0, "aria-label": words, "aria-pressed": `${counts.subspace === chosen}`, "data-subspace": counts.subspace },
      drawn("title", {}, words),
      stacked(counts, { x: x + 3, y: y + 3, width: size - 6, height: size - 6 }),
      drawn("rect", { class: "frame", x: x + 3, y: y + 3, width: size - 6, height: size - 6 }),
      // One below the other, so that both are readable in a small map.
      headline(counts).map((text, line) => drawn("text", { x: x + size / 2, y: y + (line + 1) * size / 3 }, text)));
    svg.append(pressable(cell, () => choose(counts.subspace)));
  }
  return svg;
}

/** The placing phase: a bar for each number of stones placed. */
export function plyBars(plies) {
  const [left, row, width] = [34, 24, 420];
  const svg = drawn("svg", { viewBox: `0 0 ${left + width + 76} ${plies.length * row}`, role: "group", "aria-label": say("statistics.placing") });
  plies.forEach((counts, place) => {
    const y = place * row + 3;
    const words = inWords("statistics.ply", counts, { ply: counts.ply });
    svg.append(drawn("g", { role: "img", "aria-label": words },
      drawn("title", {}, words),
      drawn("text", { class: "label end centre", x: left - 6, y: y + row / 2 - 3 }, counts.ply),
      stacked(counts, { x: left, y, width, height: row - 6 }),
      drawn("text", { class: "label centre", x: left + width + 8, y: y + row / 2 - 3 }, headline(counts).join(" "))));
  });
  return svg;
}

/** How often each distance occurs: wins above the axis, losses below it. */
export function distances(histogram) {
  const bars = [
    ...Object.entries(histogram.wins.by_distance).map(([plies, count]) => ({ plies: Number(plies), count, outcome: "win" })),
    ...Object.entries(histogram.losses.by_distance).map(([plies, count]) => ({ plies: Number(plies), count, outcome: "loss" })),
  ];
  const [width, height, left, middle] = [620, 260, 44, 124];
  const longest = Math.max(10, ...bars.map((bar) => bar.plies));
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  // Keep the bars at both ends within the drawing.
  const unit = (width - left - 8) / (longest + THICK);
  const x = (plies) => left + (plies + THICK / 2) * unit;
  // Heights are square roots of counts, because rare distances are interesting.
  const tall = (count) => Math.max(2, Math.sqrt(count / most) * (middle - 14));
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": say("statistics.distances", { subspace: histogram.subspace, draws: percent(drawShare(histogram)) }) });
  const thick = Math.max(2, THICK * unit);
  for (const { plies, count, outcome } of bars) {
    const size = tall(count);
    svg.append(drawn("rect", { class: `fill-${outcome}`, x: x(plies) - thick / 2, width: thick, y: outcome === "win" ? middle - size : middle, height: size },
      drawn("title", {}, say("statistics.bar", { worth: worth({ outcome, distance: plies }), count: number(count) }))));
  }
  svg.append(drawn("line", { class: "axis", x1: left, x2: width - 8, y1: middle, y2: middle }));
  const step = [5, 10, 20, 50].find((step) => longest / step <= 12) ?? 100;
  for (let plies = 0; plies <= longest; plies += step) {
    svg.append(drawn("text", { class: "label middle", x: x(plies), y: height - 4 }, plies));
  }
  svg.append(
    drawn("text", { class: "label", x: 2, y: 60 }, say("win")),
    drawn("text", { class: "label", x: 2, y: 190 }, say("loss")));
  return svg;
}

/** The share of draws among the positions of a histogram. */
export function drawShare(histogram) {
  return histogram.positions > 0 ? histogram.draws / histogram.positions : 0;
}

export { percent };
