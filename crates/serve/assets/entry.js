// Text that becomes a game: a position, a game, the address, a typed move, a random position.
// The server reports the errors.

import * as api from "./api.js";
import { byId } from "./dom.js";
import { say } from "./i18n.js";
import * as link from "./link.js";
import { notice, PageError } from "./notice.js";

export class Entry {
  /** Entries change the game of `page`. */
  constructor(page) {
    this.page = page;
  }

  /**
   * Begins a game from a position in any notation; `text` may be a promise. Values are requested
   * later.
   */
  setUp(text, fail) {
    const ask = async () => {
      const position = await text;
      if (position.trim() === "") throw new PageError(() => say("paste.empty"));
      return api.moves(position);
    };
    return this.page.requests.attempt(ask, (answer) => this.page.game.begin(answer), fail);
  }

  /** Shows a game given as text. */
  loadGame(text, at, fail) {
    const ask = async () => {
      if (text.trim() === "") throw new PageError(() => say("review.empty"));
      const game = await api.annotate(text);
      if (game.plies.length === 0) throw new PageError(() => say("review.no-moves"));
      return game;
    };
    const use = (game) => {
      this.page.judged = game;
      this.page.game.load(game, at);
    };
    return this.page.requests.attempt(ask, use, fail);
  }

  /** Judges and shows a pasted game. An error removes the verdicts of the previous game. */
  judge(text) {
    const { page } = this;
    return this.loadGame(text, undefined, (error) => {
      page.judged = null;
      byId("verdicts").replaceChildren();
      page.requests.fail(error);
    });
  }

  /** Shows the game in the address. After an error the current game stays, or a new one begins. */
  open() {
    const { page } = this;
    const usual = page.rules.start;
    const isFirst = !page.game.isBegun;
    const fail = (error) => {
      if (isFirst) {
        page.warning = error;
        this.setUp(usual);
      } else {
        page.writeLink(error);
        page.requests.fail(error);
      }
    };
    const wanted = link.read();
    if (!wanted) return fail(new PageError(() => say("link.unknown")));
    const { start, moves, at } = wanted;
    if (moves.trim() === "") return this.setUp(start ?? usual, fail);
    const tag = start === null ? "" : `[position "${start}"] `;
    return this.loadGame(`${tag}${moves}`, at, fail);
  }

  /** Makes a typed move. Returns whether it was legal. */
  async typed(text) {
    const { page } = this;
    const { answer } = page;
    if (!answer) return false;
    if (page.isServersTurn) {
      notice(new PageError(() => say("type.wait", { side: say(answer.side) })));
      return false;
    }
    const name = text.toLowerCase().replace(/\s/g, "");
    const ask = async () => {
      if (name === "") throw new PageError(() => say("type.empty"));
      const move = answer.moves.find((move) => move.move === name);
      if (move) return move;
      // The list may write the move differently.
      const after = await api.moves(page.game.position, text).catch((error) => {
        // Omit the place and number of the move, because the text is not a game.
        if (error.problem) error.message = error.problem;
        throw error;
      });
      const meant = answer.moves.find((move) => move.position === after.position);
      if (!meant) throw new PageError(() => say("type.none", { text }));
      return meant;
    };
    return page.requests.attempt(ask, (move) => page.choosesMove(move));
  }

  /** Begins a game from a random position with the wanted properties, and hides its values. */
  practise({ outcome, min, subspace }) {
    const hasDistance = outcome !== "draw" && this.page.rules.distances;
    const wanted = { outcome, min: hasDistance ? min : undefined, subspace: subspace.trim() };
    return this.page.requests.attempt(() => api.random(wanted), (found) => {
      byId("values").checked = false;
      this.page.game.begin(found);
    });
  }
}
