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
  told = errors.filter((error) => error);
  retell();
  // Whoever has asked from farther down shall see it.
  if (told.length > 0) queueMicrotask(() => byId("notice").scrollIntoView({ block: "nearest" }));
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
  if (error.kind === "unreachable") return [say("unreachable")];
  // The server speaks English.
  return [element("span", { lang: "en" }, error.message)];
}
