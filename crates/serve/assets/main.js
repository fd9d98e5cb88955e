// The page: asks the server, keeps the game, and has the parts shown.

import * as api from "./api.js";
import { Board } from "./board.js";
import { byId, element, keepingFocus } from "./dom.js";
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

/** How long an answer may take before a sign says that it is being looked for, in ms. */
const SIGN_AFTER = 200;

/** What the page itself finds wrong, by the key of its words. */
class PageError extends Error {
  constructor(key, words) {
    super(say(key, words));
    this.kind = "page";
  }
}

/** Shows what went wrong; nothing if there is nothing. */
function notice(...errors) {
  const box = byId("notice");
  const known = errors.filter((error) => error);
  box.hidden = known.length === 0;
  box.replaceChildren(...known.map((error) => element("div", {}, words(error))));
  // Whoever has asked from farther down shall see it.
  if (known.length > 0) queueMicrotask(() => box.scrollIntoView({ block: "nearest" }));
}

/** What is said of an error. */
function words(error) {
  if (error.kind === "missing" && error.command) {
    return [say("missing", { subspace: error.subspace }), " ", element("code", {}, error.command)];
  }
  if (error.kind === "unreachable") return [say("unreachable")];
  // The server speaks English.
  return [element("span", { lang: error.kind === "page" ? null : "en" }, error.message)];
}

class Page {
  constructor(rules) {
    this.rules = rules;
    this.game = new Game();
    this.answer = null;
    this.selection = new Selection([]);
    this.judged = null;
    this.warning = null;
    this.searches = 0;
    this.board = new Board(byId("board"), rules, (point) => this.choose(point));
    this.editor = new Editor(byId("editor"), rules, () => this.edited(), (text) => this.setUp(text));
    this.players = new Players(
      { white: byId("player-white"), black: byId("player-black") },
      () => this.playersChanged(),
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

  /** Asks about the position that is shown, and shows the answer. Until it is there, nothing can be played. */
  async refresh() {
    this.players.stop();
    this.editor.close();
    this.answer = null;
    this.selection = new Selection([]);
    // Whatever else is on its way belongs to another position.
    this.wish = null;
    const { warning } = this;
    this.warning = null;
    const asked = {};
    this.asked = asked;
    let failure = null;
    let answer;
    await this.searching(async () => {
      try {
        answer = await api.position(...this.where);
      } catch (error) {
        failure = error;
        // Without values one can still play.
        answer = await api.moves(...this.where).catch(() => null);
      }
    });
    if (this.asked !== asked) return;
    notice(warning, failure);
    if (!answer) return;
    this.answer = answer;
    this.selection = new Selection(answer.moves);
    link.write(this.game, this.rules.start);
    this.draw();
    this.considerMove();
  }

  /** Shows a sign while `work` takes long. */
  async searching(work) {
    this.searches += 1;
    const show = () => { byId("searching").hidden = this.searches === 0; };
    setTimeout(show, SIGN_AFTER);
    try {
      return await work();
    } finally {
      this.searches -= 1;
      if (this.searches === 0) show();
    }
  }

  /**
   * Asks for something, and gives the answer to `use`. An answer is dropped that comes when something else has been
   * asked for, or the game has changed. True if it was used.
   */
  async attempt(ask, use, fail = (error) => notice(this.warning, error)) {
    const wish = {};
    this.wish = wish;
    try {
      const answer = await this.searching(ask);
      if (this.wish !== wish) return false;
      use(answer);
      return true;
    } catch (error) {
      if (this.wish === wish) fail(error);
      return false;
    }
  }

  /** Begins a game from a position in any notation. Whether there are values for it is seen later. */
  setUp(text, fail) {
    const ask = async () => {
      if (text.trim() === "") throw new PageError("paste.empty");
      return api.moves(text);
    };
    return this.attempt(ask, (answer) => this.game.begin(answer), fail);
  }

  /** Shows a game given as text. */
  loadGame(text, at, fail) {
    const ask = async () => {
      if (text.trim() === "") throw new PageError("review.empty");
      const game = await api.annotate(text);
      if (game.plies.length === 0) throw new PageError("review.no-moves");
      return game;
    };
    const use = (game) => {
      this.judged = game;
      this.game.load(game, at);
    };
    return this.attempt(ask, use, fail);
  }

  /** Shows the game that the address names. What cannot be read leaves the game alone, or a new one begins. */
  open() {
    const isFirst = !this.game.isBegun;
    const fail = (error) => {
      if (isFirst) {
        this.warning = error;
        this.setUp(this.rules.start);
      } else {
        link.write(this.game, this.rules.start);
        notice(error);
      }
    };
    const wanted = link.read();
    if (!wanted) return fail(new PageError("link.unknown"));
    const { start, moves, at } = wanted;
    if (moves.trim() === "") return this.setUp(start ?? this.rules.start, fail);
    const tag = start === null ? "" : `[position "${start}"] `;
    return this.loadGame(`${tag}${moves}`, at, fail);
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

  /** Makes a move that a person has chosen; nothing while the server is to move. */
  choosesMove(move) {
    if (this.answer && !this.isServersTurn) this.play(move);
  }

  /** Makes a move of the position that is shown; one of any other position is none. */
  play(move) {
    if (this.answer?.moves.includes(move)) this.game.play(move, this.answer);
  }

  /** Makes a move that was typed; what is wrong with it is for the server to say. */
  async typed(text) {
    const { answer } = this;
    if (!answer) return false;
    const name = text.toLowerCase().replace(/\s/g, "");
    const ask = async () => {
      if (this.isServersTurn) throw new PageError("type.wait", { side: say(answer.side) });
      if (name === "") throw new PageError("type.empty");
      const move = answer.moves.find((move) => move.move === name);
      if (move) return move;
      // It may be written in another way than in the list.
      const after = await api.moves(this.game.position, text);
      const meant = answer.moves.find((move) => move.position === after.position);
      if (!meant) throw new PageError("type.none", { text });
      return meant;
    };
    return this.attempt(ask, (move) => this.choosesMove(move));
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

  /** Editing has begun or ended, or a stone was put down or taken. */
  edited() {
    this.drawBoard();
    this.considerMove();
  }

  /** Somebody else plays a side. */
  playersChanged() {
    if (!this.answer) return;
    this.selection.reset();
    this.drawBoard();
    this.drawMoves();
    this.considerMove();
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
    this.drawMoves();
    this.redraw("history", (root) => showHistory(root, game, this.showsValues, goTo));
    showGraph(byId("graph"), game, answer, this.showsValues, goTo);
    byId("line").replaceChildren();
    byId("undo").disabled = game.cursor === 0;
    byId("redo").disabled = game.isAtEnd;
    this.redraw("notation", (root) => this.drawNotation(root));
    this.editor.show(answer);
    if (this.judged) this.redraw("verdicts", (root) => showReview(root, this.judged, goTo));
    // A button that cannot be pressed any more does not keep the focus.
    if (document.activeElement?.disabled) this.board.focus();
  }

  /** Draws what is in an element; whoever uses the keyboard stays where they are, or comes to the board. */
  redraw(id, show) {
    const root = byId(id);
    keepingFocus(root, () => show(root), () => this.board.focus());
  }

  drawMoves() {
    const show = (root) =>
      showMoves(root, this.answer, this.showsValues, this.isServersTurn ? null : (move) => this.choosesMove(move));
    this.redraw("moves", show);
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
    if (this.editor.isOpen) {
      byId("hands").replaceChildren();
      byId("status").textContent = say("status.editing");
      return;
    }
    if (!answer) return;
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

  drawNotation(root) {
    const { forms } = this.answer;
    const entry = (name, text) => {
      const what = say(`notation.${name}`);
      const shown = element(name === "picture" ? "pre" : "code", { tabindex: 0 }, text);
      const copy = element("button", { type: "button", "data-key": name, "aria-label": say("copy.of", { what }), onclick: () => this.copy(text) }, say("copy"));
      return [element("dt", {}, what), element("dd", { id: `notation-${name}` }, shown, copy)];
    };
    const names = ["plain", "fen", "letters", "picture"].filter((name) => forms[name]);
    root.replaceChildren(
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

  showLine() {
    const use = (line) => {
      const plies = line.plies.map((ply) => element("li", {}, `${ply.move} `));
      byId("line").replaceChildren(
        element("h3", {}, say("line")), element("ol", {}, plies), element("p", {}, say(`line.${line.end}`)));
    };
    return this.attempt(() => api.line(this.game.position), use);
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
    click("skip", (event) => {
      // The address names the game, and no place in the page.
      event.preventDefault();
      this.board.focus();
    });
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
    return this.attempt(() => api.random(wanted), (found) => {
      byId("values").checked = false;
      this.game.begin(found);
    });
  }

  cancel() {
    this.selection.reset();
    this.drawBoard();
    this.drawStatus();
    if (document.activeElement?.disabled) this.board.focus();
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
