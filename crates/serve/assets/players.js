// Who plays a side: a person, or the server, which plays perfectly.

import * as api from "./api.js";

/** How long the server's move is held back, in ms: one must see what has happened. */
const PAUSE = 450;

export class Players {
  /** `selects` has the choice of a player for `white` and `black`. */
  constructor(selects, changed) {
    this.selects = selects;
    for (const select of Object.values(selects)) select.addEventListener("change", changed);
  }

  isPerfect(side) {
    return this.selects[side].value === "perfect";
  }

  /** A person plays the side from now on. */
  giveToPerson(side) {
    this.selects[side].value = "person";
  }

  get bothPerfect() {
    return this.isPerfect("white") && this.isPerfect("black");
  }

  /** A waiting move is not made any more. */
  stop() {
    clearTimeout(this.waiting);
    this.turn = null;
  }

  /** Lets the server make its move in a while. `make` is told it; `fail` is told what goes wrong. */
  think(fen, played, make, fail) {
    this.stop();
    const turn = {};
    this.turn = turn;
    this.waiting = setTimeout(async () => {
      try {
        const found = await api.best(fen, played);
        if (this.turn === turn) make(found);
      } catch (error) {
        if (this.turn === turn) fail(error);
      }
    }, PAUSE);
  }
}
