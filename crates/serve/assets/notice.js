// Error messages above the board.

import { byId, element } from "./dom.js";
import { say } from "./i18n.js";

/** An error of the page itself; `words` returns its text in the chosen language. */
export class PageError extends Error {
  constructor(words) {
    super();
    Object.assign(this, { kind: "page", words });
  }
}

let told = [];

/** Shows an error, or removes the message if there is none. */
export function notice(...errors) {
  leave(...errors);
  // The message must be visible from lower parts of the page.
  if (told.length > 0) queueMicrotask(() => byId("notice").scrollIntoView({ block: "nearest" }));
}

/** Shows a remaining error in place of the others, without scrolling. */
export function leave(...errors) {
  told = errors.filter((error) => error);
  retell();
}

/** Shows the message in another language. */
export function retell() {
  const box = byId("notice");
  box.hidden = told.length === 0;
  box.replaceChildren(...told.map((error) => element("div", {}, describe(error))));
}

/** The text of an error. */
export function describe(error) {
  if (error.kind === "page") return [error.words()];
  if (error.kind === "missing" && error.command) {
    return [say("missing", { subspace: error.subspace }), " ", element("code", {}, error.command)];
  }
  if (error.kind === "unreachable" || error.kind === "too-long") return [say(error.kind)];
  if (error.kind === "other-rules") {
    const anew = element("button", { type: "button", onclick: () => location.reload() }, say("reload"));
    return [say("other-rules", { ruleset: error.ruleset }), " ", anew];
  }
  // Messages of the server are English.
  return [element("span", { lang: "en" }, error.message)];
}
