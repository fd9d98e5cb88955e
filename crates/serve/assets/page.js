// The page: holds the game and the answer for the position shown, and decides who may act.

import * as api from "./api.js";
import { Board } from "./board.js";
import { byId } from "./dom.js";
import { Editor } from "./editor.js";
import { Entry } from "./entry.js";
import { Game } from "./game.js";
import * as link from "./link.js";
import { leave, notice } from "./notice.js";
import { exchanged } from "./notation.js";
import { Players } from "./players.js";
import { Requests } from "./requests.js";
import { Selection } from "./selection.js";
import { View } from "./view.js";

export class Page {
  constructor(rules) {
    this.rules = rules;
    this.game = new Game();
    // The answer for the position shown; null until it arrives.
    this.answer = null;
    // The last view, in case the next one fails: `state` of the game, `answer`, `failure`.
    this.shown = null;
    this.selection = new Selection([]);
    // The judged game, if any.
    this.judged = null;
    // An error to show with the next position.
    this.warning = null;
    // The reason why the position shown has no values; null if it has.
    this.failure = null;
    // Identifies the request whose answer will be shown.
    this.asked = null;
    // The pending answer for that position; resolves when it is shown.
    this.arriving = null;
    this.requests = new Requests(
      (error) => this.#tell(error),
      // Requests of the user precede the server's move, which would change the position.
      () => {
        this.players.stop();
        this.#forgetWarning();
      },
      () => this.letServerMove(),
    );
    this.entry = new Entry(this);
    this.board = new Board(byId("board"), rules, (point) => this.choose(point));
    this.editor = new Editor(byId("editor"), rules, () => this.edited(), (text) => this.entry.setUp(text));
    this.players = new Players(
      { white: byId("player-white"), black: byId("player-black") },
      () => {
        this.leaveNotice();
        this.playersChanged();
      },
    );
    this.view = new View(this);
    this.game.addEventListener("change", () => { this.arriving = this.refresh(); });
  }

  // The position shown

  /** The parameters of the current position. Moves matter only for rules about earlier positions. */
  get where() {
    if (!this.rules.needs_history) return [this.game.position];
    return [this.game.start, this.game.played.join(" ")];
  }

  /** Requests the answer for the current position and shows it. Until then no move is possible. */
  async refresh() {
    this.players.stop();
    this.editor.close();
    this.answer = null;
    this.selection = new Selection([]);
    // All other pending answers belong to other positions.
    this.requests.drop();
    const { warning } = this;
    this.warning = null;
    const asked = {};
    this.asked = asked;
    let failure = null;
    let answer;
    await this.requests.searching(async () => {
      try {
        answer = await api.position(...this.where);
      } catch (error) {
        failure = error;
        // Play remains possible without values.
        answer = await api.moves(...this.where).catch(() => null);
      }
    });
    if (this.asked !== asked) return;
    notice(warning, failure);
    if (answer) {
      this.#show({ state: this.game.state, answer, failure });
      this.letServerMove();
    } else if (this.shown) {
      // If the position cannot be shown, undo the change, so that the user can try again.
      this.#show(this.shown, failure);
      if (this.awaitsServer) this.#letPersonMove();
    }
  }

  /** Shows a position; after an error (`prevented`), shows the previous one again. */
  #show(shown, prevented = null) {
    const { state, answer, failure } = shown;
    this.game.restore(state);
    Object.assign(this, { shown, answer, failure, selection: new Selection(answer.moves) });
    this.writeLink(prevented);
    this.view.draw();
  }

  /**
   * Writes the game shown to the address, also after an `error`. If the server now serves another
   * game, the address stays for reloading.
   */
  writeLink(error) {
    if (!api.isOutdated(error)) link.write(this.game, this.rules.start);
  }

  /** Redraws the current view, not a pending one: in another language, or with values. */
  redraw() {
    if (!this.shown) return;
    const { state } = this.game;
    const { answer } = this;
    this.game.restore(this.shown.state);
    this.answer = this.shown.answer;
    this.view.draw();
    this.game.restore(state);
    this.answer = answer;
    // No position to edit yet.
    if (!answer) this.editor.close();
  }

  /** Shows the error of a request, and keeps it after the server's delayed move. */
  #tell(error) {
    notice(this.answer ? null : this.warning, error);
    if (this.awaitsServer) this.warning = error;
  }

  /** Removes the error of an earlier request. */
  leaveNotice() {
    this.#forgetWarning();
    leave(this.failure);
  }

  /** Waits with an error until the first position is shown. */
  #forgetWarning() {
    if (this.answer) this.warning = null;
  }

  // Whose turn it is

  get isServersTurn() {
    return this.game.isAtEnd && this.players.isPerfect(this.answer.side);
  }

  /** Whether the position has repeated in a game of perfect play, which would continue forever. */
  get isCircle() {
    return this.players.bothPerfect && this.game.occurrences >= 3;
  }

  /** Whether the server must move next. */
  get awaitsServer() {
    const { answer } = this;
    return answer && !answer.over && !this.isCircle && !this.editor.isOpen && this.isServersTurn;
  }

  /** Makes the server's move if it is due and no other request is pending. */
  letServerMove() {
    this.players.stop();
    if (!this.awaitsServer || this.requests.isWaiting) return;
    const { answer } = this;
    const [fen, played] = this.where;
    this.players.think(fen, played, (found) => {
      const move = answer.moves.find((move) => move.move === found.move);
      if (move) this.play(move);
    }, (error) => {
      notice(error);
      this.#letPersonMove();
    });
  }

  /** After a failed move of the server, a person plays the side until perfect play is chosen. */
  #letPersonMove() {
    this.players.giveToPerson(this.answer.side);
    this.playersChanged();
  }

  /** Handles the start, the end and each change of editing. */
  edited() {
    if (!this.editor.isOpen) this.leaveNotice();
    this.view.drawBoard();
    this.view.drawStatus();
    this.letServerMove();
  }

  /** Handles a change of players. */
  playersChanged() {
    if (!this.answer) return;
    this.selection.reset();
    this.view.drawBoard();
    this.view.drawMoves();
    this.view.drawStatus();
    this.letServerMove();
  }

  // Actions of the user

  /** Chooses a point of the board. */
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
      this.view.drawBoard();
      this.view.drawStatus();
    }
  }

  /** Clears the current selection. */
  cancel() {
    this.selection.reset();
    this.view.drawBoard();
    this.view.drawStatus();
    this.view.keepFocus();
  }

  /** Makes the user's move; does nothing while the server is to move. */
  choosesMove(move) {
    if (this.answer && !this.isServersTurn) this.play(move);
  }

  /** Makes a move of the position shown; ignores moves of other positions. */
  play(move) {
    if (this.answer?.moves.includes(move)) this.game.play(move, this.answer);
  }

  /** Goes back to the previous position in which a person is to move. */
  undo() {
    this.#step(-1);
  }

  /** Goes forward to the next position in which a person is to move. */
  redo() {
    this.#step(1);
  }

  #step(by) {
    const { steps } = this.game;
    const isServers = (place) => !this.players.bothPerfect && this.players.isPerfect(steps[place].side);
    let cursor = this.game.cursor + by;
    while (cursor > 0 && cursor < steps.length && isServers(cursor)) cursor += by;
    this.game.goTo(cursor);
  }

  /** Begins a game with swapped colours, from the pending position if there is one. */
  flip() {
    if (this.shown) this.entry.setUp(this.arriving.then(() => exchanged(this.answer)));
  }

  /** Shows the judged game after the given number of plies, whatever was played since. */
  showJudged(cursor) {
    if (this.game.continues(this.judged)) this.game.goTo(cursor);
    else this.game.load(this.judged, cursor);
  }

  /** Shows the line of best play. */
  showLine() {
    return this.requests.attempt(() => api.line(this.game.position), (line) => {
      // Remove the error of an earlier attempt.
      notice(this.failure);
      this.view.drawLine(line);
    });
  }
}
