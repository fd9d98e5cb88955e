// The judgement of a pasted game: what each side gave away, and a table of the moves that did.

import { element } from "./dom.js";
import { say, worth } from "./i18n.js";

/** Shows what the server says of a game; `goTo` is told after which ply to show it. */
export function showReview(root, game, goTo) {
  const count = (side, verdict) =>
    game.plies.filter((ply) => ply.side === side && ply.verdict === verdict).length;
  const summary = ["white", "black"].map((side) =>
    element("p", {}, say("review.summary", { side: say(side), blunders: count(side, "blunder"), slips: count(side, "slip") })));
  const unknown = game.plies.filter((ply) => !ply.verdict).length;
  if (unknown > 0) {
    const commands = game.missing.map(({ command }) => element("code", {}, command));
    summary.push(element("p", { class: "notice" }, say("review.unknown", { count: unknown }), " ", commands[commands.length - 1]));
  }
  const mistakes = game.plies
    .map((ply, place) => ({ ply, place }))
    .filter(({ ply }) => ply.verdict && ply.verdict !== "best");
  if (mistakes.length === 0) {
    root.replaceChildren(...summary, element("p", {}, say("review.none")));
    return;
  }
  const cell = (value) => element("td", {}, element("span", { class: `worth ${value.outcome}` }, worth(value)));
  const row = ({ ply, place }) => {
    const name = `${ply.number}${ply.side === "white" ? "." : "..."} ${ply.move}`;
    const best = ply.better.filter((other) => other.outcome === ply.better[0].outcome && other.distance === ply.better[0].distance);
    return element("tr", {},
      element("td", {}, element("button", { type: "button", onclick: () => goTo(place + 1) }, name), element("br"), say(`verdict.${ply.verdict}`)),
      cell(ply.before), cell(ply.after),
      element("td", {}, best.slice(0, 6).map((other) => other.move).join(" ")));
  };
  const heading = ["move", "before", "after", "better"].map((word) => element("th", { scope: "col" }, say(`review.${word}`)));
  root.replaceChildren(...summary,
    element("table", { class: "verdicts" },
      element("thead", {}, element("tr", {}, heading)), element("tbody", {}, mistakes.map(row))));
}
