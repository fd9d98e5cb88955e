// The game on the page: its start, its moves, and the position shown.

import { gameText } from "./notation.js";
import { bestOf, sameWorth } from "./worth.js";

const worthOf = ({ outcome, distance }) => ({ outcome, distance });

/** The value of a move and of the best move, from the answer for the position before it. */
function judge(answer, move) {
  if (!answer.outcome) return null;
  const best = answer.moves[0];
  const better = sameWorth(move, best) ? [] : bestOf(answer.moves);
  return { before: worthOf(best), after: worthOf(move), better: better.map((other) => other.move) };
}

/** The same from the server's answer for a whole game. */
function judged(ply) {
  if (!ply.verdict) return null;
  return { before: ply.before, after: ply.after, better: bestOf(ply.better).map((other) => other.move) };
}

/** `best`, `slip` or `blunder`; null if unknown. */
export function verdict(judgement) {
  if (!judgement) return null;
  if (sameWorth(judgement.before, judgement.after)) return "best";
  return judgement.before.outcome === judgement.after.outcome ? "slip" : "blunder";
}

/** Dispatches an event `change` after each change. */
export class Game extends EventTarget {
  /** A game from the position of `answer`. */
  begin(answer) {
    this.#set(answer.position, answer.side, [], 0);
  }

  /** A judged game, shown after the given number of plies. */
  load(game, cursor = game.plies.length) {
    const steps = game.plies.map((ply, place) => ({
      move: ply.move,
      side: ply.side,
      position: game.plies[place + 1]?.position ?? game.position,
      judgement: judged(ply),
    }));
    const first = game.plies[0]?.side ?? "white";
    this.#set(game.start, first, steps, Math.max(0, Math.min(cursor, steps.length)));
  }

  #set(start, first, steps, cursor) {
    Object.assign(this, { start, first, steps, cursor });
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }

  /** Whether there is a position yet. */
  get isBegun() {
    return this.start !== undefined;
  }

  /** The position shown. */
  get position() {
    return this.cursor === 0 ? this.start : this.steps[this.cursor - 1].position;
  }

  /** The names of the moves up to it. */
  get played() {
    return this.steps.slice(0, this.cursor).map((step) => step.move);
  }

  get isAtEnd() {
    return this.cursor === this.steps.length;
  }

  /** The move before the position shown. */
  get last() {
    return this.cursor === 0 ? null : this.steps[this.cursor - 1];
  }

  /** How often the position has occurred, including now. */
  get occurrences() {
    const before = this.steps.slice(0, Math.max(0, this.cursor - 1)).map((step) => step.position);
    if (this.cursor > 0) before.push(this.start);
    return 1 + before.filter((position) => position === this.position).length;
  }

  /** Makes a move from `answer`, the answer for the position shown. Drops later moves. */
  play(move, answer) {
    const step = {
      move: move.move,
      side: answer.side,
      position: move.position,
      judgement: judge(answer, move),
    };
    if (this.cursor === 0) this.first = answer.side;
    this.#set(this.start, this.first, [...this.steps.slice(0, this.cursor), step], this.cursor + 1);
  }

  /** The state of the game, for `restore`. */
  get state() {
    const { start, first, steps, cursor } = this;
    return { start, first, steps, cursor };
  }

  /** Restores a state without an event. */
  restore(state) {
    Object.assign(this, state);
  }

  /** Shows another position of the game. */
  goTo(cursor) {
    if (cursor < 0 || cursor > this.steps.length || cursor === this.cursor) return;
    this.cursor = cursor;
    this.#tell();
  }

  /** Whether this is a judged game, possibly continued after its end. */
  continues(game) {
    return this.start === game.start && game.plies.every((ply, place) => this.steps[place]?.move === ply.move);
  }

  /** The whole game as text, with its start unless that is `usualStart`. */
  text(usualStart) {
    const start = this.start === usualStart ? null : this.start;
    return gameText(this.steps.map((step) => step.move), this.first, start);
  }
}
