// What the buttons, fields and keys of the page do.

import { byId, element } from "./dom.js";
import * as i18n from "./i18n.js";
import { retell } from "./notice.js";
import { showStatistics } from "./statistics.js";
import { tabs } from "./tabs.js";

const { say } = i18n;

/** Connects the elements of the page to `page`, and sets their texts. */
export function connect(page) {
  const { entry, rules, view } = page;
  click("new", () => entry.setUp(rules.start));
  click("undo", () => page.undo());
  click("redo", () => page.redo());
  click("flip", () => page.flip());
  click("cancel", () => page.cancel());
  click("show-line", () => page.showLine());
  click("copy-game", () => view.copy(page.game.text(rules.start)));
  click("skip", (event) => {
    // The fragment names the game, not an element of the page.
    event.preventDefault();
    page.board.focus();
  });
  change("values", () => page.redraw());
  change("language", (tag) => {
    i18n.change(tag);
    speak(rules);
    retell();
    page.redraw();
  });
  submit("type", async () => {
    const field = byId("typed");
    if (await entry.typed(field.value)) field.value = "";
  });
  submit("paste", () => entry.setUp(byId("pasted").value));
  submit("review", () => entry.judge(byId("game-text").value));
  submit("practice", (form) => entry.practise(Object.fromEntries(new FormData(form))));
  document.addEventListener("keydown", (event) => press(page, event));
  window.addEventListener("hashchange", () => entry.open());
  // Without distances, hide the field for them.
  byId("practice-min").hidden = !rules.distances;
  showExamples(rules.board.points);
  tabs((name) => {
    page.leaveNotice();
    if (name === "statistics") drawStatistics(rules);
  });
  speak(rules);
}

function click(id, act) {
  byId(id).addEventListener("click", act);
}

function change(id, act) {
  byId(id).addEventListener("change", (event) => act(event.target.value));
}

function submit(id, act) {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act(event.target);
  });
}

function press(page, event) {
  if (event.key === "Escape") page.cancel();
  // Text fields have their own undo.
  const inField = event.target.matches("input:not([type=checkbox], [type=radio]), textarea");
  if (inField || !(event.ctrlKey || event.metaKey)) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) page.undo();
  else if (key === "y" || (key === "z" && event.shiftKey)) page.redo();
  else return;
  event.preventDefault();
}

/** Shows examples of moves, with points of this board. */
function showExamples(points) {
  const [first, second, third] = points;
  const last = points.at(-1);
  byId("typed").placeholder = `${first.name}-${first.neighbours[0]}x${last.name}`;
  byId("game-text").placeholder = `1. ${first.name} ${last.name} 2. ${second.name} ${third.name} ...`;
}

/** Sets the fixed texts of the page in the chosen language. */
function speak(rules) {
  i18n.translate();
  const named = `rules.${rules.ruleset}`;
  byId("rules").textContent = i18n.knows(named) ? say(named) : rules.summary ?? rules.ruleset;
  byId("rulebook").replaceChildren(
    ...rules.sections.flatMap(({ title, rules }) => [
      element("h2", {}, title), element("ul", {}, rules.map((rule) => element("li", {}, rule)))]));
  document.title = `merels: ${rules.ruleset}`;
  if (!byId("panel-statistics").hidden) drawStatistics(rules);
}

function drawStatistics(rules) {
  showStatistics(byId("statistics"), rules);
}
