// Requests of the user: shows a sign while one takes long, and drops late answers.

import { byId } from "./dom.js";

/** The delay before the sign appears, in ms. */
const SIGN_AFTER = 200;

export class Requests {
  /** Calls `begun` before and `done` after each request, and `fail` with an error. */
  constructor(fail, begun, done) {
    Object.assign(this, { fail, begun, done, running: 0, wish: null });
  }

  /** Whether a request is pending. */
  get isWaiting() {
    return this.wish !== null;
  }

  /** Shows a sign while `work` takes long. */
  async searching(work) {
    this.running += 1;
    const show = () => { byId("searching").hidden = this.running === 0; };
    setTimeout(show, SIGN_AFTER);
    try {
      return await work();
    } finally {
      this.running -= 1;
      if (this.running === 0) show();
    }
  }

  /**
   * Makes a request and passes the answer to `use`. Drops the answer if another request began in the
   * meantime, or this one was cancelled. Returns whether the answer was used.
   */
  async attempt(ask, use, fail = this.fail) {
    const wish = {};
    this.wish = wish;
    this.begun();
    let answer;
    let failure = null;
    try {
      answer = await this.searching(ask);
    } catch (error) {
      failure = error;
    }
    if (this.wish !== wish) return false;
    this.wish = null;
    if (failure) fail(failure);
    else use(answer);
    this.done();
    return failure === null;
  }

  /** Drops all pending answers. */
  drop() {
    this.wish = null;
  }
}
