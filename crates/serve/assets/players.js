// The players: a person, or the server, which plays perfectly.

import * as api from "./api.js";

/** The delay of the server's move in ms, so that the user can follow. */
const PAUSE = 450;

export class Players {
  /** `selects` are the elements that choose the players of `white` and `black`. */
  constructor(selects, changed) {
    this.selects = selects;
    for (const select of Object.values(selects)) select.addEventListener("change", changed);
  }

  isPerfect(side) {
    return this.selects[side].value === "perfect";
  }

  /** Lets a person play the side. */
  giveToPerson(side) {
    this.selects[side].value = "person";
  }

  get bothPerfect() {
    return this.isPerfect("white") && this.isPerfect("black");
  }

  /** Cancels a delayed move. */
  stop() {
    clearTimeout(this.waiting);
    this.turn = null;
  }

  /** Requests the server's move and delays it. Calls `make` with it, or `fail` with an error. */
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
