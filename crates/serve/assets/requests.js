// Asking the server for what people want: a sign while it takes long, and an answer that comes too late is dropped.

import { byId } from "./dom.js";

/** How long an answer may take before a sign says that it is being looked for, in ms. */
const SIGN_AFTER = 200;

export class Requests {
  /** `fail` is told what goes wrong. */
  constructor(fail) {
    this.fail = fail;
    this.running = 0;
    this.wish = null;
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
    let answer;
    try {
      answer = await this.searching(ask);
    } catch (error) {
      if (this.wish === wish) fail(error);
      return false;
    }
    if (this.wish !== wish) return false;
    use(answer);
    return true;
  }

  /** Whatever is on its way is not wanted any more. */
  drop() {
    this.wish = null;
  }
}
