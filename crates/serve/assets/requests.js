// Asking the server for what people want: a sign while it takes long, and an answer that comes too late is dropped.

import { byId } from "./dom.js";

/** How long an answer may take before a sign says that it is being looked for, in ms. */
const SIGN_AFTER = 200;

export class Requests {
  /** `fail` is told what goes wrong; `begun` and `done` are told when something is asked for, and when that is over. */
  constructor(fail, begun, done) {
    Object.assign(this, { fail, begun, done, running: 0, wish: null });
  }

  /** Whether something has been asked for, and is not there yet. */
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
   * Asks for something, and gives the answer to `use`. An answer is dropped that comes when something else has been
   * asked for, or nothing is wanted any more. True if it was used.
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

  /** Whatever is on its way is not wanted any more. */
  drop() {
    this.wish = null;
  }
}
