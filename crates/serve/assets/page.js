// The page: keeps the game and the server's answer for the position that is shown, and decides who may do what.

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
    // What the server says of the position that is shown; null until it is there.
    this.answer = null;
    // What was shown last, for when the next position cannot be: `state` of the game, `answer`, `failure`.
    this.shown = null;
    this.selection = new Selection([]);
    // The game that the server has judged, if there was one.
    this.judged = null;
    // What shall be told together with the next position.
    this.warning = null;
    // Why there are no values for the position that is shown; null if there are.
    this.failure = null;
    // Stands for the question whose answer will be shown.
    this.asked = null;
    // The answer for that position, on its way; done when it is shown.
    this.arriving = null;
    this.requests = new Requests(
      (error) => this.#tell(error),
      // What people ask for goes before the server's move, which would lead away from it.
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

  // The position that is shown

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
        // Without values one can still play.
        answer = await api.moves(...this.where).catch(() => null);
      }
    });
    if (this.asked !== asked) return;
    notice(warning, failure);
    if (answer) {
      this.#show({ state: this.game.state, answer, failure });
      this.letServerMove();
    } else if (this.shown) {
      // What cannot be shown has not happened, so that it can be tried again.
      this.#show(this.shown, failure);
      if (this.awaitsServer) this.#letPersonMove();
    }
  }

  /** Shows a position, or again the one that was shown if another one is `prevented` by an error. */
  #show(shown, prevented = null) {
    const { state, answer, failure } = shown;
    this.game.restore(state);
    Object.assign(this, { shown, answer, failure, selection: new Selection(answer.moves) });
    this.writeLink(prevented);
    this.view.draw();
  }

  /**
   * Lets the address name the game that is shown, also after an `error` with another one; but what it names may be for the
   * game that is served by now, and is for loading anew.
   */
  writeLink(error) {
    if (!api.isOutdated(error)) link.write(this.game, this.rules.start);
  }

  /** Draws again what is shown, and not what is on its way: in another language, or with values. */
  redraw() {
    if (!this.shown) return;
    const { state } = this.game;
    const { answer } = this;
    this.game.restore(this.shown.state);
    this.answer = this.shown.answer;
    this.view.draw();
    this.game.restore(state);
    this.answer = answer;
    // There is nothing to edit yet.
    if (!answer) this.editor.close();
  }

  /** Tells what went wrong with something that was asked for, still when the server has made the move that it waits with. */
  #tell(error) {
    notice(this.answer ? null : this.warning, error);
    if (this.awaitsServer) this.warning = error;
  }

  /** What went wrong with something else is not told any more. */
  leaveNotice() {
    this.#forgetWarning();
    leave(this.failure);
  }

  /** What is told together with the first position waits for it. */
  #forgetWarning() {
    if (this.answer) this.warning = null;
  }

  // Whose turn it is

  get isServersTurn() {
    return this.game.isAtEnd && this.players.isPerfect(this.answer.side);
  }

  /** Has gone round in a circle, which only perfect play does for ever. */
  get isCircle() {
    return this.players.bothPerfect && this.game.occurrences >= 3;
  }

  /** Whether the game goes on only by a move of the server. */
  get awaitsServer() {
    const { answer } = this;
    return answer && !answer.over && !this.isCircle && !this.editor.isOpen && this.isServersTurn;
  }

  /** Lets the server move if it is its turn, and nobody waits for anything else. */
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

  /** The server cannot make its move: a person plays the side, until perfect play is chosen again. */
  #letPersonMove() {
    this.players.giveToPerson(this.answer.side);
    this.playersChanged();
  }

  /** Editing has begun or ended, or a stone was put down or taken. */
  edited() {
    if (!this.editor.isOpen) this.leaveNotice();
    this.view.drawBoard();
    this.view.drawStatus();
    this.letServerMove();
  }

  /** Somebody else plays a side. */
  playersChanged() {
    if (!this.answer) return;
    this.selection.reset();
    this.view.drawBoard();
    this.view.drawMoves();
    this.view.drawStatus();
    this.letServerMove();
  }

  // What people do

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

  /** Takes back what has been chosen of a move. */
  cancel() {
    this.selection.reset();
    this.view.drawBoard();
    this.view.drawStatus();
    this.view.keepFocus();
  }

  /** Makes a move that a person has chosen; nothing while the server is to move. */
  choosesMove(move) {
    if (this.answer && !this.isServersTurn) this.play(move);
  }

  /** Makes a move of the position that is shown; one of any other position is none. */
  play(move) {
    if (this.answer?.moves.includes(move)) this.game.play(move, this.answer);
  }

  /** Steps back to where a person is to move. */
  undo() {
    this.#step(-1);
  }

  /** Steps forward to where a person is to move. */
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

  /** Begins a game with the colours exchanged, of the position that is on its way if there is one. */
  flip() {
    if (this.shown) this.entry.setUp(this.arriving.then(() => exchanged(this.answer)));
  }

  /** Shows the judged game after so many of its plies, whatever has been played since. */
  showJudged(cursor) {
    if (this.game.continues(this.judged)) this.game.goTo(cursor);
    else this.game.load(this.judged, cursor);
  }

  /** Shows how best play goes on from here. */
  showLine() {
    return this.requests.attempt(() => api.line(this.game.position), (line) => {
      // An earlier attempt may have failed.
      notice(this.failure);
      this.view.drawLine(line);
    });
  }
}
