// The view: draws each part from the game, the server's answer and the selection.

import { byId, element, keepingFocus } from "./dom.js";
import { showGraph } from "./graph.js";
import { showHistory } from "./history.js";
import { say } from "./i18n.js";
import { showMoves } from "./moves.js";
import { stonesOf } from "./notation.js";
import { showReview } from "./review.js";
import { showHands, showStatus } from "./status.js";

const NONE = new Set();

/** How long the status shows that a text was copied, in ms. */
const TOLD_FOR = 4000;

export class View {
  /** `page` is the page to show. */
  constructor(page) {
    this.page = page;
  }

  get showsValues() {
    return byId("values").checked;
  }

  /** Draws everything that depends on the position. */
  draw() {
    const { page } = this;
    const { answer, game, editor, judged } = page;
    const goTo = (cursor) => game.goTo(cursor);
    this.drawBoard();
    this.drawStatus();
    this.drawMoves();
    this.#redraw("history", (root) => showHistory(root, game, this.showsValues, goTo));
    showGraph(byId("graph"), game, answer, this.showsValues, goTo);
    byId("line").replaceChildren();
    byId("undo").disabled = game.cursor === 0;
    byId("redo").disabled = game.isAtEnd;
    this.#redraw("notation", (root) => this.#drawNotation(root));
    editor.show(answer);
    if (judged) this.#redraw("verdicts", (root) => showReview(root, judged, (cursor) => page.showJudged(cursor)));
    this.keepFocus();
  }

  /** Moves the focus away from a disabled button. */
  keepFocus() {
    if (document.activeElement?.disabled) this.page.board.focus();
  }

  /** Draws the contents of an element. The focus stays, or moves to the board. */
  #redraw(id, show) {
    const root = byId(id);
    keepingFocus(root, () => show(root), () => this.page.board.focus());
  }

  drawMoves() {
    const { page } = this;
    const play = page.isServersTurn ? null : (move) => page.choosesMove(move);
    this.#redraw("moves", (root) => showMoves(root, byId("moves-title"), page.answer, this.showsValues, play));
  }

  drawBoard() {
    const { board, editor, answer, selection } = this.page;
    if (editor.isOpen) {
      const options = new Map([...board.points.keys()].map((point) => [point, { act: "place" }]));
      board.show({ stones: editor.stones, options, chosen: NONE, leaving: NONE, last: NONE, crossed: NONE });
      byId("cancel").disabled = true;
    } else if (answer) {
      board.show({ ...this.#stones(), options: this.#options(), ...this.#lastMove() });
      byId("cancel").disabled = selection.isEmpty;
    }
  }

  /** The stones after the chosen part of a move. */
  #stones() {
    const { answer, selection } = this.page;
    const stones = stonesOf(answer);
    const leaving = new Set(selection.removes);
    if (selection.to) {
      stones.set(selection.to, answer.side);
      if (selection.from) leaving.add(selection.from);
    }
    const chosen = new Set([selection.from, selection.to].filter((point) => point));
    return { stones, leaving, chosen };
  }

  /** The possible choices, by point. */
  #options() {
    const { selection, isServersTurn } = this.page;
    const options = new Map();
    if (isServersTurn) return options;
    for (const [point, { act, move }] of selection.options()) {
      options.set(point, { act, worth: this.showsValues && move.outcome ? move : null });
    }
    return options;
  }

  /** The target of the last move, and the stones that it removed. */
  #lastMove() {
    const { game, selection } = this.page;
    const last = game.last?.move ?? "";
    const crossed = [...last.matchAll(/x([a-g][1-7])/g)].map(([, point]) => point);
    const landed = last.replace(/x.*/, "").split("-").at(-1);
    return { last: new Set(landed ? [landed] : []), crossed: new Set(selection.isEmpty ? crossed : []) };
  }

  drawStatus() {
    const { answer, editor } = this.page;
    if (editor.isOpen) {
      byId("hands").replaceChildren();
      byId("status").textContent = say("status.editing");
    } else if (answer) {
      showHands(byId("hands"), answer);
      showStatus(byId("status"), this.page, this.showsValues);
    }
  }

  #drawNotation(root) {
    const { forms } = this.page.answer;
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

  /** Copies a text to the clipboard. */
  async copy(text) {
    let key = "copied";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      key = "copy.fails";
    }
    byId("status").textContent = say(key);
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.drawStatus(), TOLD_FOR);
  }

  /** Shows the server's line of best play. */
  drawLine(line) {
    const plies = line.plies.map((ply) => element("li", {}, `${ply.move} `));
    byId("line").replaceChildren(
      element("h3", {}, say("line")), element("ol", {}, plies), element("p", {}, say(`line.${line.end}`)));
  }
}
