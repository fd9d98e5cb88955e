// Charts of the databases: a map of the moving phase, bars of the placing phase, distances.

import * as api from "./api.js";
import { distances, drawShare, heatMap, percent, plyBars } from "./chart.js";
import { element } from "./dom.js";
import { number, say } from "./i18n.js";
import { describe } from "./notice.js";

/** Sums of the placing phase, by stones placed; `stones` is the number of each side at the start. */
function byPly(subspaces, stones) {
  const plies = new Map();
  for (const counts of subspaces) {
    const ply = 2 * stones - counts.mover_hand - counts.other_hand;
    const sum = plies.get(ply) ?? { ply, positions: 0, wins: 0, draws: 0, losses: 0 };
    for (const key of ["positions", "wins", "draws", "losses"]) sum[key] += counts[key];
    plies.set(ply, sum);
  }
  return [...plies.values()].sort((a, b) => a.ply - b.ply);
}

const key = () =>
  element("p", { class: "key" }, ["win", "draw", "loss"].map((outcome) =>
    element("span", { class: outcome }, element("span", { class: "box" }), say("statistics.key", { letter: say(`letter.${outcome}`), outcome: say(outcome) }))));

const figure = (chart, ...captions) =>
  element("figure", { class: "chart" }, element("figcaption", {}, captions), chart);

/** An error message in place of the chart. */
const failed = (error) => element("p", { class: "notice", role: "alert" }, describe(error));

/** Draws everything into `root`. */
export async function showStatistics(root, rules) {
  let stats;
  try {
    stats = await api.stats();
  } catch (error) {
    root.replaceChildren(failed(error));
    return;
  }
  if (stats.subspaces.length === 0) {
    root.replaceChildren(element("p", {}, say("statistics.none")));
    return;
  }
  const moving = stats.subspaces.filter((counts) => counts.mover_hand + counts.other_hand === 0);
  const placing = stats.subspaces.filter((counts) => counts.mover_hand + counts.other_hand > 0);
  const map = element("div");
  const below = element("div", { "aria-live": "polite" });
  let chosen = null;
  const choose = async (subspace) => {
    chosen = subspace;
    map.replaceChildren(figure(heatMap(moving, subspace, choose), say("statistics.moving")));
    map.querySelector(`[data-subspace="${subspace}"]`)?.focus({ preventScroll: true });
    let drawing;
    try {
      const histogram = await api.histogram(subspace);
      const words = { subspace, draws: percent(drawShare(histogram)) };
      const from = histogram.complete ? say("statistics.complete") : say("statistics.sampled", { count: number(histogram.positions) });
      drawing = figure(distances(histogram), `${say("statistics.distances", words)} ${from}`);
    } catch (error) {
      drawing = failed(error);
    }
    // The user may have chosen another subspace meanwhile.
    if (chosen === subspace) below.replaceChildren(drawing);
  };
  const parts = [
    element("p", {}, say("statistics.total", { positions: number(stats.totals.positions), edition: stats.edition })),
    key(),
  ];
  if (moving.length > 0) {
    map.append(figure(heatMap(moving, null, choose), say("statistics.moving")));
    parts.push(map, below);
  }
  if (placing.length > 0) {
    parts.push(figure(plyBars(byPly(placing, rules.stones)), say("statistics.placing")));
  }
  root.replaceChildren(...parts);
}
