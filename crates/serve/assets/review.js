// The review of a pasted game: the mistakes of each side, and a table of them.

import { element } from "./dom.js";
import { say, someMoves, worth } from "./i18n.js";
import { bestOf } from "./worth.js";

/** Shows the server's review of a game. Calls `goTo` with the ply to show. */
export function showReview(root, game, goTo) {
  const known = game.plies.filter((ply) => ply.verdict);
  const summary = ["white", "black"].map((name) => {
    const ofSide = known.filter((ply) => ply.side === name);
    const all = game.plies.filter((ply) => ply.side === name).length;
    const count = (verdict) => ofSide.filter((ply) => ply.verdict === verdict).length;
    const words = { side: say(name), blunders: count("blunder"), slips: count("slip"), known: ofSide.length, all };
    const how = ofSide.length === all ? "summary" : ofSide.length > 0 ? "summary.part" : "summary.none";
    return element("p", {}, say(`review.${how}`, words));
  });
  if (game.games > 1) {
    summary.unshift(element("p", { class: "notice" }, say("review.first", { count: game.games })));
  }
  const unknown = game.plies.length - known.length;
  if (unknown > 0) {
    const commands = game.missing.map(({ command }) => element("code", {}, command));
    summary.push(element("p", { class: "notice" }, say("review.unknown", { count: unknown }), " ", commands[commands.length - 1]));
  }
  const mistakes = game.plies
    .map((ply, place) => ({ ply, place }))
    .filter(({ ply }) => ply.verdict && ply.verdict !== "best");
  if (mistakes.length === 0) {
    // Unknown moves have no verdict.
    const none = known.length > 0 ? [element("p", {}, say(unknown > 0 ? "review.none.known" : "review.none"))] : [];
    root.replaceChildren(...summary, ...none);
    return;
  }
  // Roles and labels are for narrow panels, which show a row as lines.
  const cell = (word, ...content) => element("td", { role: "cell", "data-label": say(`review.${word}`) }, content);
  const worthCell = (word, value) => cell(word, element("span", { class: `worth ${value.outcome}` }, worth(value)));
  const row = ({ ply, place }) => {
    const name = `${ply.number}${ply.side === "white" ? "." : "..."} ${ply.move}`;
    const button = element("button", { type: "button", "data-key": place + 1, onclick: () => goTo(place + 1) }, name);
    return element("tr", { role: "row" },
      cell("move", button, " ", element("span", { class: "verdict" }, say(`verdict.${ply.verdict}`))),
      worthCell("before", ply.before), worthCell("after", ply.after),
      cell("better", element("span", {}, someMoves(bestOf(ply.better).map((other) => other.move)))));
  };
  const heading = ["move", "before", "after", "better"].map((word) => element("th", { scope: "col", role: "columnheader" }, say(`review.${word}`)));
  root.replaceChildren(...summary,
    element("table", { class: "verdicts", role: "table" },
      element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, heading)),
      element("tbody", { role: "rowgroup" }, mistakes.map(row))));
}
