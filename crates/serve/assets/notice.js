// What went wrong, told above the board.

import { byId, element } from "./dom.js";
import { say } from "./i18n.js";

/** What the page itself finds wrong; `words` gives it in the language that is chosen. */
export class PageError extends Error {
  constructor(words) {
    super();
    Object.assign(this, { kind: "page", words });
  }
}

let told = [];

/** Shows what went wrong; nothing if there is nothing. */
export function notice(...errors) {
  leave(...errors);
  // Whoever has asked from farther down shall see it.
  if (told.length > 0) queueMicrotask(() => byId("notice").scrollIntoView({ block: "nearest" }));
}

/** Shows what is still wrong, now that the rest matters no more; the page stays where it is. */
export function leave(...errors) {
  told = errors.filter((error) => error);
  retell();
}

/** Shows the same again, in another language. */
export function retell() {
  const box = byId("notice");
  box.hidden = told.length === 0;
  box.replaceChildren(...told.map((error) => element("div", {}, describe(error))));
}

/** What is said of an error. */
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
  // The server speaks English.
  return [element("span", { lang: "en" }, error.message)];
}
