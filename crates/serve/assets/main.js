// The page: asks the server, keeps the game, and has the parts shown.

import * as api from "./api.js";
import { Board } from "./board.js";
import { byId, element } from "./dom.js";
import { Editor } from "./editor.js";
import { Game } from "./game.js";
import { showGraph } from "./graph.js";
import { showHistory } from "./history.js";
import * as i18n from "./i18n.js";
import * as link from "./link.js";
import { showMoves } from "./moves.js";
import { exchanged, opposite, stonesOf } from "./notation.js";
import { Players } from "./players.js";
import { showReview } from "./review.js";
import { Selection } from "./selection.js";
import { showStatistics } from "./statistics.js";
import { tabs } from "./tabs.js";
import * as theme from "./theme.js";

const { say } = i18n;
const NONE = new Set();

/** Shows what went wrong; nothing if there is nothing. */
function notice(error) {
  const box = byId("notice");
  box.hidden = !error;
  if (!error) return;
  // Whoever has asked from farther down shall see it.
  queueMicrotask(() => box.scrollIntoView({ block: "nearest" }));
  if (error.kind === "missing" && error.command) {
    box.replaceChildren(say("missing", { subspace: error.subspace }), " ", element("code", {}, error.command));
  } else if (error.kind === "unreachable") {
    box.replaceChildren(say("unreachable"));
  } else {
    // The server speaks English.
    box.replaceChildren(element("span", { lang: "en" }, error.message));
  }
}

class Page {
  constructor(rules) {
    this.rules = rules;
    this.game = new Game();
    this.answer = null;
    this.selection = new Selection([]);
    this.judged = null;
    this.board = new Board(byId("board"), rules, (point) => this.choose(point));
    this.editor = new Editor(byId("editor"), rules, () => this.drawBoard(), (text) => this.setUp(text));
    this.players = new Players(
      { white: byId("player-white"), black: byId("player-black") },
      () => this.considerMove(),
    );
    this.game.addEventListener("change", () => this.refresh());
    this.listen();
  }

  get showsValues() {
    return byId("values").checked;
  }

  // What the server is asked for

  /** The parameters that say where the game stands. Moves matter only where rules look at history. */
  get where() {
    if (!this.rules.needs_history) return [this.game.position];
    return [this.game.start, this.game.played.join(" ")];
  }

  /** Asks about the position that is shown, and shows the answer. */
  async refresh() {
    this.players.stop();
    const asked = {};
    this.asked = asked;
    let failure = null;
    let answer;
    try {
      answer = await api.position(...this.where);
    } catch (error) {
      failure = error;
      // Without values one can still play.
      answer = await api.moves(...this.where).catch(() => null);
    }
    if (this.asked !== asked) return;
    notice(failure);
    if (!answer) return;
    this.answer = answer;
    this.selection = new Selection(answer.moves);
    link.write(this.game, this.rules.start);
    this.draw();
    this.considerMove();
  }

  /** Does something that may go wrong, and says so if it does. */
  async attempt(action) {
    try {
      await action();
      return true;
    } catch (error) {
      notice(error);
      return false;
    }
  }

  /** Begins a game from a position in any notation. */
  setUp(text) {
    return this.attempt(async () => {
      // Whether there are values for it is seen later.
      const answer = await api.moves(text);
      this.editor.isOpen = false;
      this.game.begin(answer);
    });
  }

  /** Shows a game given as text. */
  loadGame(text, at) {
    return this.attempt(async () => {
      const game = await api.annotate(text);
      this.judged = game;
      this.game.load(game, at);
    });
  }

  /** Shows the game that the address names, or a new one. */
  async open() {
    const { start, moves, at } = link.read();
    if (moves !== "") {
      const tag = start ? `[position "${start}"] ` : "";
      if (await this.loadGame(`${tag}${moves}`, at)) return;
    } else if (await this.setUp(start ?? this.rules.start)) {
      return;
    }
    await this.setUp(this.rules.start);
  }

  // What people do

  choose(point) {
    if (this.editor.isOpen) {
      this.editor.put(point);
      return;
    }
    if (!this.answer || this.isServersTurn) return;
    const move = this.selection.choose(point);
    if (move) {
      this.play(move);
    } else {
      this.drawBoard();
      this.drawStatus();
    }
  }

  play(move) {
    if (!this.answer) return;
    this.game.play(move, this.answer);
  }

  /** Makes a move that was typed; what is wrong with it is for the server to say. */
  async typed(text) {
    const name = text.toLowerCase().replace(/\s/g, "");
    const move = this.answer?.moves.find((move) => move.move === name);
    if (move) {
      this.play(move);
      return true;
    }
    return this.attempt(async () => {
      // It may be written in another way than in the list.
      const after = await api.moves(this.game.position, text);
      const meant = this.answer?.moves.find((move) => move.position === after.position);
      if (meant) this.play(meant);
    });
  }

  /** Steps back to where a person is to move. */
  undo() {
    let cursor = this.game.cursor - 1;
    const isServers = (place) => this.players.isPerfect(this.game.steps[place].side);
    if (!this.players.bothPerfect) {
      while (cursor > 0 && isServers(cursor)) cursor -= 1;
    }
    this.game.goTo(cursor);
  }

  redo() {
    this.game.goTo(this.game.cursor + 1);
  }

  get isServersTurn() {
    return this.game.isAtEnd && this.players.isPerfect(this.answer.side);
  }

  /** Has gone round in a circle, which only perfect play does for ever. */
  get isCircle() {
    return this.players.bothPerfect && this.game.occurrences >= 3;
  }

  /** Lets the server move if it is its turn. */
  considerMove() {
    this.players.stop();
    const { answer } = this;
    if (!answer) return;
    this.drawStatus();
    if (answer.over || this.editor.isOpen || this.isCircle || !this.isServersTurn) return;
    const [fen, played] = this.where;
    this.players.think(fen, played, (found) => {
      const move = answer.moves.find((move) => move.move === found.move);
      if (move) this.play(move);
    }, notice);
  }

  // What is shown

  draw() {
    const { answer, game } = this;
    const goTo = (cursor) => this.game.goTo(cursor);
    this.drawBoard();
    this.drawStatus();
    showMoves(byId("moves"), answer, this.showsValues, (move) => this.play(move));
    showHistory(byId("history"), game, this.showsValues, goTo);
    showGraph(byId("graph"), game, answer, this.showsValues, goTo);
    byId("line").replaceChildren();
    byId("undo").disabled = game.cursor === 0;
    byId("redo").disabled = game.isAtEnd;
    this.drawNotation();
    this.editor.show(answer);
    if (this.judged) showReview(byId("verdicts"), this.judged, goTo);
  }

  drawBoard() {
    const { editor, answer, selection } = this;
    if (editor.isOpen) {
      const options = new Map([...this.board.points.keys()].map((point) => [point, { act: "place" }]));
      this.board.show({ stones: editor.stones, options, chosen: NONE, leaving: NONE, last: NONE, crossed: NONE });
      byId("cancel").disabled = true;
      return;
    }
    if (!answer) return;
    const stones = stonesOf(answer);
    const leaving = new Set();
    if (selection.to) {
      stones.set(selection.to, answer.side);
      if (selection.from) leaving.add(selection.from);
    }
    selection.removes.forEach((point) => leaving.add(point));
    const chosen = new Set([selection.from, selection.to].filter((point) => point));
    const options = new Map();
    if (!this.isServersTurn) {
      for (const [point, { act, move }] of selection.options()) {
        options.set(point, { act, worth: this.showsValues && move.outcome ? move : null });
      }
    }
    const last = this.game.last?.move ?? "";
    const crossed = [...last.matchAll(/x([a-g][1-7])/g)].map(([, point]) => point);
    const landed = last.replace(/x.*/, "").split("-").at(-1);
    this.board.show({
      stones, options, chosen, leaving,
      last: new Set(landed ? [landed] : []),
      crossed: new Set(selection.isEmpty ? crossed : []),
    });
    byId("cancel").disabled = selection.isEmpty;
  }

  drawStatus() {
    const { answer } = this;
    const side = say(answer.side);
    const hand = (side) => element("span", {}, say("hand", { side: say(side), count: answer[side].hand }));
    byId("hands").replaceChildren(...(answer.white.hand + answer.black.hand > 0 ? [hand("white"), hand("black")] : []));
    if (answer.over) {
      const { reason, winner } = answer.over;
      const names = winner ? { winner: say(winner), loser: say(opposite(winner)) } : {};
      byId("status").textContent = say("status.over", { reason: say(`over.${reason}`, names) });
      return;
    }
    if (this.isCircle) {
      byId("status").textContent = say("status.over", { reason: say("over.circle") });
      return;
    }
    const isRemoving = answer.remove > 0 || this.selection.isRemoving;
    const turn = say(this.isServersTurn ? "status.thinking" : isRemoving ? "status.remove" : "status.turn", { side });
    const status = byId("status");
    if (this.showsValues && answer.outcome) {
      const worth = element("span", { class: `worth ${answer.outcome}` }, i18n.worth(answer));
      const [before, after] = say("status.worth", { turn, worth: "\u0000" }).split("\u0000");
      status.replaceChildren(before, worth, after);
    } else {
      status.replaceChildren(turn);
    }
  }

  drawNotation() {
    const { forms } = this.answer;
    const entry = (name, text) => {
      const what = say(`notation.${name}`);
      const shown = element(name === "picture" ? "pre" : "code", { tabindex: 0 }, text);
      const copy = element("button", { type: "button", "aria-label": say("copy.of", { what }), onclick: () => this.copy(text) }, say("copy"));
      return [element("dt", {}, what), element("dd", { id: `notation-${name}` }, shown, copy)];
    };
    const names = ["plain", "fen", "letters", "picture"].filter((name) => forms[name]);
    byId("notation").replaceChildren(
      ...names.flatMap((name) => entry(name, forms[name])),
      ...entry("link", location.href));
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      byId("status").textContent = say("copied");
    } catch {
      byId("status").textContent = say("copy.fails");
    }
  }

  async showLine() {
    await this.attempt(async () => {
      const line = await api.line(this.game.position);
      const plies = line.plies.map((ply) => element("li", {}, `${ply.move} `));
      byId("line").replaceChildren(
        element("h3", {}, say("line")), element("ol", {}, plies), element("p", {}, say(`line.${line.end}`)));
    });
  }

  // Wiring

  listen() {
    const click = (id, act) => byId(id).addEventListener("click", act);
    click("new", () => this.setUp(this.rules.start));
    click("undo", () => this.undo());
    click("redo", () => this.redo());
    click("flip", () => this.answer && this.setUp(exchanged(this.answer)));
    click("cancel", () => this.cancel());
    click("show-line", () => this.showLine());
    click("copy-game", () => this.copy(this.game.text(this.rules.start)));
    byId("values").addEventListener("change", () => this.answer && this.draw());
    byId("language").addEventListener("change", (event) => {
      i18n.change(event.target.value);
      this.speak();
      if (this.answer) this.draw();
    });
    const submit = (id, act) => byId(id).addEventListener("submit", (event) => {
      event.preventDefault();
      act(event.target);
    });
    submit("type", async () => {
      const field = byId("typed");
      if (await this.typed(field.value)) field.value = "";
    });
    submit("paste", () => this.setUp(byId("pasted").value));
    submit("review", () => this.loadGame(byId("game-text").value));
    submit("practice", (form) => this.practise(Object.fromEntries(new FormData(form))));
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.open());
    tabs((name) => {
      if (name === "statistics") showStatistics(byId("statistics"), this.rules, notice);
    });
  }

  practise(wanted) {
    if (wanted.outcome === "draw") delete wanted.min;
    return this.attempt(async () => {
      const found = await api.random(wanted);
      byId("values").checked = false;
      this.game.begin(found);
    });
  }

  cancel() {
    this.selection.reset();
    this.drawBoard();
    if (this.answer) this.drawStatus();
  }

  key(event) {
    const inField = event.target.matches("input, textarea, select");
    if (event.key === "Escape") this.cancel();
    if (inField || !(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) this.undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) this.redo();
    else return;
    event.preventDefault();
  }

  /** Puts the words of the page into the language that is chosen. */
  speak() {
    i18n.translate();
    const named = `rules.${this.rules.ruleset}`;
    byId("rules").textContent = i18n.knows(named) ? say(named) : this.rules.summary ?? this.rules.ruleset;
    byId("rulebook").replaceChildren(
      ...this.rules.sections.flatMap(({ title, rules }) => [
        element("h2", {}, title), element("ul", {}, rules.map((rule) => element("li", {}, rule)))]));
    document.title = `merels: ${this.rules.ruleset}`;
    if (!byId("panel-statistics").hidden) showStatistics(byId("statistics"), this.rules, notice);
  }
}

async function start() {
  byId("language").value = i18n.choose();
  theme.start(byId("theme"));
  i18n.translate();
  try {
    const page = new Page(await api.rules());
    page.speak();
    await page.open();
  } catch (error) {
    notice(error);
  }
}

start();
